"""The sparse-vector family written in other ways gives the same verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Mechanism, Verdict, verify
from tests.loading import everything

FOLDER = Path(__file__).parent.parent / "rewrites"
CORRECT = dict(everything(FOLDER, "correct_*.py"))
INCORRECT = dict(everything(FOLDER, "incorrect*.py"))


@pytest.mark.parametrize("mechanism", CORRECT.values(), ids=CORRECT.keys())
def test_correct_rewrites_are_proved(mechanism: Mechanism) -> None:
    """Renamed, reordered, with other loops and other constants: still proved, and replayed."""
    report = verify(mechanism, replays=10)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.sizes == "all"
    assert report.epsilon_upper


@pytest.mark.parametrize("mechanism", INCORRECT.values(), ids=INCORRECT.keys())
def test_incorrect_rewrites_are_not(mechanism: Mechanism) -> None:
    """One small fault, in the same style: not proved, and marked as expected to fall."""
    report = verify(mechanism)
    assert report.verdict not in (Verdict.PROVED, Verdict.BOUNDED), report.alignment
    assert report.expected == "refuted"
    assert report.as_expected
