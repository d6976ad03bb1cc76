"""A distribution that there is not ends a path: that it exists is owed, and nothing after it."""

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
