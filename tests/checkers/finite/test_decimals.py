"""Decimals end in a verdict, and what is not proved shows no ε."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import Mechanism, verify
from shiftproof.workspace.targets import resolve
from tests.places import PROGRAMS

VERDICTS = {
    "a_little_less": "unknown",
    "a_third": "refuted",
    "a_little_more": "proved",
    "threshold_drawn_again": "unknown",
}
FOUND = resolve(str(PROGRAMS / "checkers" / "many_decimals.py"))


@pytest.mark.parametrize("mechanism", FOUND, ids=[m.function.__name__ for m in FOUND])
def test_as_expected(mechanism: Mechanism[..., Any]) -> None:
    report = verify(mechanism)
    assert str(report.verdict) == VERDICTS[report.mechanism]
    assert (report.epsilon_upper is None) == (str(report.verdict) != "proved")
