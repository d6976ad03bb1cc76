"""Witnesses: the names under which a certificate speaks of elements at any two indices."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from ....checkers.kernel.language.syntax import expression, is_call


def whole_heads(heads: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The heads where all witnesses have an element.

    Where one has none yet, nothing is said of it; what else is said there is kept, if it is said
    of all of them.
    """
    found: list[Mapping[str, Any]] = []
    for head in heads:
        if _lacks_elements(head):
            continue
        beside = [h for h in heads if h["loop"] == head["loop"] and _lacks_elements(h)]
        kept = [
            i
            for i in head.get("invariants", ())
            if witnesses(i) or all(i in h.get("invariants", ()) for h in beside)
        ]
        found.append({**head, "invariants": kept})
    return found


def _lacks_elements(head: Mapping[str, Any]) -> bool:
    return any(said["kind"] == "'no element yet'" for said in head.get("variables", {}).values())


def witnesses(text: str) -> list[str]:
    """The witnesses that an invariant speaks of."""
    nodes = list(ast.walk(expression(text)))
    found = {ast.unparse(n) for n in nodes if is_call(n, "witness")}
    return sorted(found)
