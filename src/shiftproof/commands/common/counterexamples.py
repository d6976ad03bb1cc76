"""What the command line does with counterexamples: search, save, recompute, test."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...checkers.refuting.comparison import Comparison
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


def target_of(mechanism: AnyMechanism) -> str:
    """How the command line names a mechanism: by its module in the package, else by its file."""
    name, module = mechanism.function.__name__, mechanism.function.__module__
    package = __name__.partition(".")[0]
    if module.partition(".")[0] == package:
        return f"{module}::{name}"
    file = mechanism.location.file
    relative = os.path.relpath(file)
    return f"{file if relative.startswith(os.pardir) else relative}::{name}"


_TEST = """
def test_{name}_withstands_its_counterexample() -> None:
    comparison = comparison_from_json({json})
    now = recompute(comparison, one_mechanism({target}))
    assert not now.breaks, describe(now)
"""


def test_source(found: Mapping[str, Comparison], file: Path, execute: bool = False) -> str:
    """A pytest file with one test for each counterexample, by target.

    A test computes the counterexample anew, on the mechanism as it is then, and fails as long
    as it breaks the claim.  Its file is read, or executed if the tests shall ``execute`` it.
    """
    here = Path(os.path.abspath(file)).parent
    tests = []
    relative = False
    for target, comparison in found.items():
        place, _, name = target.rpartition("::")
        code = repr(target)
        if place.endswith(".py"):
            relative = True
            path = os.path.relpath(os.path.abspath(place), here)
            code = f"str(Path(__file__).parent / {path!r}) + {'::' + name!r}"
        code += ", run=True" if execute else ""
        label = re.sub(r"\W", "_", comparison.mechanism)
        tests.append(_TEST.format(name=label, json=_literal(comparison), target=code))
    head = [
        '"""Counterexamples to privacy claims; a test fails as long as its bug is there."""',
        "",
    ]
    head += ["from pathlib import Path", ""] if relative else []
    head += ["from shiftproof import comparison_from_json, describe, one_mechanism, recompute", ""]
    return "\n".join([*head, *tests])


def _literal(comparison: Comparison) -> str:
    """The JSON of a comparison as a literal over several lines."""
    text = comparison.as_json().decode().rstrip()
    if "\\" in text or "'''" in text:
        return repr(text)
    return f"'''{text}'''"
