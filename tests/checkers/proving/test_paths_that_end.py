"""Paths that end where something is false: what is owed was said, and nothing after it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Verdict, verify
from tests.loading import source

HEAD = """from shiftproof import *

@mechanism(DP())
def m(x: Count, eps: Epsilon) -> float:
"""


@pytest.mark.parametrize(
    "body",
    [
        "k = sample(Laplace(0 / eps))\n    align(k, 1 + x - other(x))\n    return x + k",
        "k = sample(Laplace(0 / eps))\n    return x + k",
        "k = sample(Exponential(-1 / eps))\n    align(k, other(x) - x)\n    return x + k",
        "k = sample(TwoSidedGeometric(0 / eps))\n    align(k, other(x) - x)\n    return x + k",
        "k = sample(Bernoulli(2))\n    return x if k else 0",
        "for i in range(3):\n        k = sample(Laplace(0 / eps))\n        yield x + k",
    ],
)
def test_it_is_said_that_it_raises(body: str, tmp_path: Path) -> None:
    (mechanism,) = source(tmp_path, f"{HEAD}    {body}\n").values()
    report = verify(mechanism)
    assert report.verdict is Verdict.UNSUPPORTED and not report.fault
    assert "raises an exception" in report.reasons[0], report.reasons


TWO_SEQUENCES = """from collections.abc import Sequence
from typing import Annotated
from shiftproof import *

@mechanism(LDP())
def two(xs: Annotated[Sequence[float], Values(0, 1)],
        ys: Annotated[Sequence[float], Values(0, 1)], eps: Epsilon) -> float:
    s = 0.0
    for x in xs:
        s += x
    for y in ys:
        s = s - y
    n = sample(Laplace(1 / eps))
    return s + n
"""


def test_where_no_run_can_end_the_claim_is_refuted_all_the_same(tmp_path: Path) -> None:
    """The sums fall together by 2: what is owed is false, and no end is left to be paid for."""
    (mechanism,) = source(tmp_path, TWO_SEQUENCES).values()
    report = verify(mechanism)
    assert report.verdict is Verdict.REFUTED and not report.fault, report.reasons
