"""Definitions state what is their own; nobody else tells them apart by class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import shiftproof
from shiftproof import (
    ADP,
    DP,
    LDP,
    BadInput,
    Blowfish,
    Group,
    OneSidedDP,
    Policy,
    Related,
)
from shiftproof.dsl.privacy import definitions
from shiftproof.dsl.privacy.definitions import Privacy
from shiftproof.dsl.privacy.definitions.base import RecordChange

PACKAGE = Path(shiftproof.__file__).parent
CLASSES = {
    name
    for name, kind in vars(definitions).items()
    if isinstance(kind, type) and issubclass(kind, Privacy) and kind is not Privacy
}
FILES = {path.stem for path in (PACKAGE / "dsl/privacy/definitions").glob("*.py")}
IMPORTS = f"""\
from shiftproof import {", ".join(sorted(CLASSES))}
from ..privacy import definitions
from ..privacy.definitions import dp
"""


def known_in(tree: ast.AST) -> set[str]:
    """How a file calls definitions; other things have such names, too."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            ours = module == "shiftproof" or "definitions" in module.split(".")
            for alias in node.names:
                here = alias.asname or alias.name
                if ours and alias.name in CLASSES:
                    found.add(here)
                if alias.name == "definitions" or (ours and alias.name in FILES):
                    found |= {f"{here}.{name}" for name in CLASSES}
    return found


def asked(tree: ast.AST) -> Iterator[int]:
    """The lines where the class of a definition decides: it is tested, matched or compared."""
    known = known_in(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
                parts: list[ast.AST] = [kinds]
            case ast.MatchClass(cls=kind):
                parts = [kind]
            case ast.Compare(left=left, comparators=others):
                parts = [left, *others]
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                parts = [left, right]
            case ast.Call(func=ast.Name(id="frozenset" | "set"), args=[members]):
                parts = [members]
            case _:
                continue
        names = {
            ast.unparse(n)
            for part in parts
            for n in ast.walk(part)
            if isinstance(n, ast.Name | ast.Attribute)
        }
        if names & known:
            yield node.lineno  # type: ignore[attr-defined]


def test_no_class_of_a_definition_is_asked_for_outside_its_own_file() -> None:
    home = PACKAGE / "dsl" / "privacy" / "definitions"
    found = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in PACKAGE.rglob("*.py")
        if home not in path.parents
        for line in asked(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "isinstance(p, DP)",
        "isinstance(p, definitions.ADP | LDP)",
        "isinstance(p, dp.DP)",
        "match p:\n    case DP(neighbours=n):\n        pass",
        'p == DP("add-remove")',
        "type(p) is LDP",
        "type(p) in (ADP, OneSidedDP)",
        "SPEAKING = Blowfish | DPrivacy",
        "frozenset({Blowfish, DPrivacy})",
    ],
)
def test_a_planted_question_is_seen(text: str) -> None:
    assert list(asked(ast.parse(IMPORTS + text)))
    assert not list(asked(ast.parse(text)))


def test_each_definition_has_a_file_of_its_own() -> None:
    homes = [getattr(definitions, name).__module__ for name in CLASSES]
    assert len(set(homes)) == len(homes)


def test_records_that_are_related() -> None:
    known = ((0, 0), (1, 0))
    assert RecordChange().relates(known, ((0, 0), (7, 7)))
    assert not RecordChange().relates(known, known)
    assert not RecordChange().relates(known, known[:1])
    assert RecordChange(adding=True).relates(known, known[:1])
    assert RecordChange(adding=True).relates(known[1:], known)
    assert not RecordChange(adding=True).relates(known, ((5, 5),))
    one = RecordChange(Policy({1}))
    assert one.relates(known, ((0, 0), (0, 0))) and not one.relates(((0, 0),), ((1, 0),))
    whole = RecordChange(Policy({1}), whole=True)
    assert whole.relates(known, ((0, 0), (0, 1))) and not one.relates(known, ((0, 0), (0, 1)))


def test_what_a_definition_was_made_of() -> None:
    assert (str(DP()), str(DP("add-remove"))) == ("DP", "DP(add-remove)")
    assert (DP().made_of, DP("add-remove").made_of) == ((), ("add-remove",))


def rule(x: float) -> bool:
    return x > 0


@pytest.mark.parametrize(
    ("definition", "size"),
    [
        (ADP(Policy({1})), 2),
        (OneSidedDP(Policy({1})), 2),
        (LDP(), 2),
        (Blowfish(rule), 2),
        (Related(rule), 2),
        (Group(DP(), 2), 2),
        (DP, 2),
        (3, DP()),
        (DP(), 0),
        (DP(), -1),
        (DP(), True),
        (DP(), 2.0),
        (DP(), "k"),
    ],
)
def test_what_no_group_is_made_of(definition: Any, size: Any) -> None:
    with pytest.raises(BadInput, match="Group: got"):
        Group(definition, size)


def test_a_group_says_what_it_is() -> None:
    found = Group(DP("add-remove"), 3)
    assert str(found) == "Group(DP(add-remove), 3)" and found == Group(DP("add-remove"), 3)
    assert found.adding and (found.group_size, found.one_step) == (3, DP("add-remove"))
    assert found.functions == () and found.made_of == (DP("add-remove"), 3)
