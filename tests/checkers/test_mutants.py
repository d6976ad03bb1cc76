"""One small fault in a correct mechanism: never proved, unless it is shown here to be private.

By default a sample of the mutants with a fixed seed; SHIFTPROOF_FULL=1 takes all of them.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

import shiftproof.mechanisms
from shiftproof import (
    BadInput,
    Mechanism,
    Report,
    Unsupported,
    Verdict,
    describe,
    refute,
    verify,
)
from tests.checkers.mutation import OPERATORS, Mutant, mutants
from tests.loading import load, source
from tests.mechanisms.test_gallery import BOUNDED, CORRECT
from tests.programs.checkers.private_mutants import PRIVATE, arguments
from tests.sampling import every

GALLERY = Path(str(shiftproof.mechanisms.__file__)).parent
#: Files about claims of ρ, or with a δ: of these there are broken siblings in checkers/relaxed,
#: because which mutants keep such a claim is not worked out.
RELAXED = ("approximate", "concentrated", "partition_selection")
ALL = [
    mutant
    for path in sorted(GALLERY.glob("*.py"))
    if not path.name.startswith(("incorrect_", "__", *RELAXED))
    for mutant in mutants(path)
]
ARGUMENTS = arguments(m.key for m in ALL)
CONTROL = "scale doubled"
#: How many mutants of each operator the sample takes, and the seed that chooses them.
SAMPLED, SEED = 1, 42


def chosen() -> list[Mutant]:
    """All mutants, or some of every operator, the same ones each time."""
    if os.environ.get("SHIFTPROOF_FULL"):
        return ALL
    groups = [[m for m in ALL if m.operator == operator] for operator in OPERATORS]
    draw = random.Random(SEED)
    return [m for group in groups for m in draw.sample(group, min(SAMPLED, len(group)))]


def private() -> list[Mutant]:
    """Those that are shown to be private, or some of them."""
    found = [m for m in ALL if m.key in ARGUMENTS]
    if os.environ.get("SHIFTPROOF_FULL"):
        return found
    return random.Random(SEED).sample(found, min(20, len(found)))


def verified(mutant: Mutant, folder: Path, replays: int = 0, effort: int = 1500) -> Report | None:
    """The verdict; nothing if the file is refused before."""
    try:
        mechanism: Mechanism = source(folder, mutant.source)[mutant.mechanism]
    except (BadInput, Unsupported, SyntaxError):
        return None
    return verify(mechanism, replays=replays, effort=effort)


@pytest.mark.parametrize(
    "mutant", every(16, chosen()), ids=lambda m: "; ".join(m.key).replace("→", "->")
)
def test_a_mutant_is_proved_only_if_it_is_private(mutant: Mutant, tmp_path: Path) -> None:
    """No crash either: what ``verify`` raises fails the test.

    It is about privacy alone: that a one-sided claim fell would not do.
    """
    report = verified(mutant, tmp_path)
    verdict = Verdict.UNSUPPORTED if report is None else report.verdict
    if report is not None and verdict in (Verdict.PROVED, Verdict.BOUNDED):
        assert mutant.key in ARGUMENTS, (report.alignment, mutant.source)
        replayed = verified(mutant, tmp_path, replays=5)
        assert replayed is not None and replayed.verdict is verdict, replayed
    if mutant.operator == CONTROL:
        assert verdict is Verdict.PROVED, report
    if mutant.key in ARGUMENTS:
        assert verdict is not Verdict.REFUTED, report


@pytest.mark.parametrize(
    "mutant", every(16, private()), ids=lambda m: "; ".join(m.key).replace("→", "->")
)
def test_a_private_mutant_is_not_refuted(mutant: Mutant, tmp_path: Path) -> None:
    """The search looks at each, proved or not."""
    try:
        found = refute(source(tmp_path, mutant.source)[mutant.mechanism], effort=800)
    except Unsupported:
        return
    assert found is None, (describe(found), mutant.source)


def test_there_are_many_mutants_and_all_differ() -> None:
    assert len(ALL) >= 2500
    assert len({m.key for m in ALL}) == len(ALL)
    assert len({m.source for m in ALL}) > len(ALL) * 9 // 10
    assert {m.operator for m in ALL} == set(OPERATORS)
    relaxed = {name for p in GALLERY.glob("*.py") if p.name.startswith(RELAXED) for name in load(p)}
    assert {m.mechanism for m in ALL} | relaxed == CORRECT | BOUNDED


def test_every_argument_is_about_a_mutant() -> None:
    """None is left over from a mechanism that has changed; who is named has such a mutant."""
    keys = [m.key for m in ALL]
    for argument, rows in PRIVATE.items():
        for row in rows:
            about = {name for name, _, _ in arguments(keys, {argument: [row]})}
            named = {name for name in row[2].split() if not name.startswith("-")}
            assert about >= named and about, (argument, row)


def test_every_private_mutant_has_one_argument() -> None:
    assert all(len(found) == 1 for found in ARGUMENTS.values())
    assert len(ARGUMENTS) < len(ALL) // 2, "some row speaks of too much"
