"""A hole in the walk that prover and kernel share: the guard, which has no part in it, objects.

That moved noise keeps its measure is nothing that single runs show; for that, the laws of random
programs are compared (``tests/random_programs``).
"""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import Verdict, verify
from shiftproof.checkers.proving.recorded import RecordedRun
from shiftproof.checkers.trees.confirming import Confirming
from shiftproof.checkers.walking.runs.run import Run
from tests.checkers.kernel.test_broken_provers import WRONG

#: What neither prover nor kernel owes any more, and the beginning of the name of what falls then.
FORGOTTEN = {
    "no_support": "support",
    "no_same_output": "same output",
    "no_same_samples": "same samples",
    "no_definedness": "definedness and end",
    "no_prophecy": "prophecy",
}
CASES = [(name, lost) for name in WRONG for bug, lost in FORGOTTEN.items() if name.startswith(bug)]


def forget(monkeypatch: pytest.MonkeyPatch, lost: str) -> None:
    """Take a condition for granted in every walk."""
    for walked in (Run, RecordedRun):
        owed = walked.owe

        def owe(
            self: Any, state: Any, claim: Any, condition: str, *said: Any, owed: Any = owed
        ) -> None:
            if condition == lost:
                state.assume(claim)
            else:
                owed(self, state, claim, condition, *said)

        monkeypatch.setattr(walked, "owe", owe)


@pytest.mark.parametrize(("name", "lost"), CASES, ids=[name for name, _ in CASES])
def test_the_guard_withdraws_the_proof(
    name: str, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget(monkeypatch, lost)
    monkeypatch.setattr(Confirming, "part", lambda self, part, claimed=(): part)
    report = verify(WRONG[name], effort=0)
    assert report.verdict is Verdict.UNKNOWN
    assert report.reasons[0].startswith("alarm: the guard: "), report.reasons


@pytest.mark.parametrize(("name", "lost"), CASES, ids=[name for name, _ in CASES])
def test_the_kernel_has_a_walk_of_its_own(
    name: str, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the prover's walk and the guards forget, it asks."""
    forget(monkeypatch, lost)
    report = verify(WRONG[name], effort=0)
    assert report.verdict is Verdict.UNKNOWN
    said = [reason for reason in report.reasons if "alarm: the kernel rejects" in reason]
    assert said and f": {lost}: " in said[0], report.reasons


def test_every_condition_has_a_case() -> None:
    assert {lost for _, lost in CASES} == set(FORGOTTEN.values())
