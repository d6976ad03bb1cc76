"""Public inputs that are given on the command line, and searches with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...checkers.refuting.refute import Search, refutation
from ...workspace.targets import AnyMechanism
from .settings import parse_settings


def given_inputs(items: Sequence[str], mechanism: AnyMechanism) -> dict[str, Any]:
    """Public inputs from ``name=value``; an ε may be a multiple of ln 2.

    Raises:
        BadInput: a name is no public input, or a value cannot be read.
    """
    public = [name for name, kind in mechanism.inputs.items() if kind.public]
    amounts = mechanism.program.epsilons()
    texts: dict[str, Any] = {}
    others = []
    for item in items:
        name, equals, value = (part.strip() for part in item.partition("="))
        if equals and name in amounts:
            texts[name] = value
        else:
            others.append(item)
    return {**texts, **parse_settings(others, [n for n in public if n not in amounts])}


def searched(mechanism: AnyMechanism, settings: Sequence[str], effort: int) -> Search:
    """What came of a search for a counterexample, where public inputs may be given.

    Raises:
        BadInput: a name is no public input, or a value cannot be read.
        Unsupported: the mechanism is outside the language.
    """
    given = given_inputs(settings, mechanism)
    mechanism.program.check_frozen()
    return refutation(mechanism.program, given, effort)
