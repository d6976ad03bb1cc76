"""Witnesses: the names under which a certificate speaks of elements at any two indices."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from ....checkers.kernel.language.syntax import expression, is_call


def whole_heads(heads: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The heads where all witnesses have an element, instead of all combinations.

    What does not speak of witnesses is taken from the head where none has one yet: the indices
    behind the end of a list may always be the witnesses.
    """
    found: list[Mapping[str, Any]] = []
    for head in heads:
        if _lacking(head):
            continue
        beside = [h for h in heads if h["loop"] == head["loop"] and _lacking(h)]
        none_yet = max(beside, key=_lacking, default=head)
        kept = [i for i in none_yet.get("invariants", ()) if not witnesses(i)]
        kept += [i for i in head.get("invariants", ()) if witnesses(i)]
        found.append({**head, "invariants": kept})
    return found


def _lacking(head: Mapping[str, Any]) -> int:
    """How many witnesses have no element in a list."""
    kinds = (said["kind"] for said in head.get("variables", {}).values())
    return sum(kind == "'no element yet'" for kind in kinds)


def witnesses(text: str) -> list[str]:
    """The witnesses that an invariant speaks of."""
    nodes = list(ast.walk(expression(text)))
    found = {ast.unparse(n) for n in nodes if is_call(n, "witness")}
    return sorted(found)
