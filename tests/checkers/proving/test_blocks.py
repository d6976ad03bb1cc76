"""Finite noise in loops and beside other noise: proved for all sizes, and only what is true."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import Mechanism, Verdict, verify
from tests.programs.checkers.blocks import KEPT, LOST, rounds_that_count
from tests.sampling import every


def name(mechanism: Mechanism[..., Any]) -> str:
    return mechanism.function.__name__


@pytest.mark.parametrize("kept", every(3, KEPT), ids=name)
def test_what_is_kept_is_proved_for_all_sizes(kept: Mechanism[..., Any]) -> None:
    report = verify(kept, effort=0)
    assert report.verdict is Verdict.PROVED and report.sizes == "all", report.reasons
    assert report.certificate is not None


#: A loop that counts its rounds has more paths than the search for a counterexample follows.
FOLLOWED = [lost for lost in LOST if lost is not rounds_that_count]


@pytest.mark.parametrize("lost", every(2, FOLLOWED), ids=name)
def test_what_is_lost_is_refuted(lost: Mechanism[..., Any]) -> None:
    assert verify(lost).verdict is Verdict.REFUTED


@pytest.mark.parametrize("lost", LOST, ids=name)
def test_what_is_lost_has_no_proof(lost: Mechanism[..., Any]) -> None:
    report = verify(lost, effort=0)
    assert report.verdict in (Verdict.UNKNOWN, Verdict.UNSUPPORTED)
    # It is the search that finds none, and not the kernel or the guard that objects.
    assert not any(word in reason for reason in report.reasons for word in ("alarm", "fault"))
