"""Tails of a δ that are high powers of one number."""

from __future__ import annotations

import pytest

from shiftproof import Verdict, verify
from tests.dsl.making import made


@pytest.mark.parametrize("quarters", [9, 27, 53])
def test_a_tail_may_be_a_high_power(quarters: int) -> None:
    """It is written as one of exp(1 / 4), and has a tree for its sign."""
    text = f"""
from math import exp

@mechanism(DP(delta=lambda: exp(-({quarters} / 4)) / 2), budget=1)
def m(q: Annotated[int, IntegerQuery(sensitivity=1)]):
    noise = sample(Laplace(1))
    if q > 0 and q + noise > 1 + {quarters} / 4:
        return q + noise
    return None
"""
    report = verify(made(text), effort=0)
    assert report.verdict is Verdict.PROVED, report.reasons
