"""A budget with many digits is as much work as one with few, and is decided to the last of them.

More digits than a polynomial can have powers end in a verdict, and what is not proved shows no ε.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from shiftproof import Mechanism, Verdict, verify
from shiftproof.dsl.terms.linear import number
from tests.programs.checkers import many_decimals
from tests.programs.checkers.inferred_mechanisms import most_likely_of_four, three_to_one

#: ln 3 and ln 13 lie between these.
NEAR = {
    three_to_one: (Fraction("1.098612"), Fraction("1.098613")),
    most_likely_of_four: (Fraction("2.564949"), Fraction("2.564950")),
}


@pytest.mark.parametrize("mechanism", NEAR, ids=lambda m: m.function.__name__)
def test_one_part_in_a_million_decides(mechanism: Mechanism[..., Any]) -> None:
    for amount, verdict in zip(NEAR[mechanism], (Verdict.REFUTED, Verdict.PROVED), strict=True):
        report = verify(mechanism.claiming(number(amount)))
        assert report.verdict is verdict, report


@pytest.mark.parametrize(
    ("mechanism", "verdict"),
    [
        (many_decimals.a_little_less, Verdict.REFUTED),
        (many_decimals.a_third, Verdict.REFUTED),
        (many_decimals.a_little_more, Verdict.PROVED),
        (many_decimals.threshold_drawn_again, Verdict.PROVED),
    ],
    ids=lambda case: case.function.__name__ if isinstance(case, Mechanism) else "",
)
def test_too_many_decimals_end(mechanism: Mechanism[..., Any], verdict: Verdict) -> None:
    report = verify(mechanism)
    assert report.verdict is verdict, report
    assert (report.epsilon_upper is None) == (verdict is not Verdict.PROVED)
