"""Private integers under ``Related``; and what is no rule is bad input, not a crash."""

from __future__ import annotations

from shiftproof import Verdict, verify
from tests.loading import load
from tests.places import PROGRAMS

KNOWN = load(PROGRAMS / "checkers" / "related_integers.py")


def test_a_private_integer_is_a_number() -> None:
    assert verify(KNOWN["good_integer"]).verdict is Verdict.PROVED
    assert verify(KNOWN["bad_integer"]).verdict is Verdict.REFUTED


def test_no_rule_is_bad_input() -> None:
    report = verify(KNOWN["no_rule"])
    assert report.verdict is Verdict.UNSUPPORTED
    assert "a function defined with def is needed" in report.reasons[0]
