"""The guard notices wrong proofs by itself: what it looks at, it shares with no prover."""

from __future__ import annotations

import pytest

from shiftproof import Mechanism
from shiftproof.checkers.guarding import recorded
from shiftproof.checkers.guarding.hold import Looked, guarded
from shiftproof.checkers.walking.runs.noise import shift_of
from shiftproof.dsl.normalise import read_normalised
from tests.programs.checkers.withdrawn_proofs import HEAD, WRONG, Wrong


@pytest.fixture(autouse=True)
def no_obligations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the runs of the text speak, not the prover's conditions."""
    monkeypatch.setattr(recorded, "_broken", lambda run: None)


def normal(text: str) -> str:
    """As a normalised text has it: what is imported by name, no strings that stand alone."""
    names = "ADP DP LDP OneSidedDP UtilityOptimizedLDP Policy Count LocationCounts IntegerValue"
    names += " IntVector Public Nat Epsilon Laplace Bernoulli TwoSidedGeometric mechanism sample"
    return HEAD.replace("*", ", ".join(names.split())) + text


def looked(wrong: Wrong) -> Looked:
    mechanism = read_normalised(normal(wrong.meaning or wrong.text))
    assert isinstance(mechanism, Mechanism)
    program = mechanism.program
    shifts = (
        {n.site: shift_of(t) for n, t in zip(program.flow.sites, wrong.shifts, strict=True)}
        if not wrong.summed
        else None
    )
    return guarded(program, normal(wrong.text), [] if shifts is None else [shifts])


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_proof_is_noticed(name: str) -> None:
    found = looked(WRONG[name])
    assert WRONG[name].says in found.alarm, found
    assert "; D and D' are " in found.alarm
