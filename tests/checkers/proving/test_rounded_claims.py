"""One-sided claims about logarithms and roots: no run on rounded numbers breaks one by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import verify
from tests.loading import source

TEXT = """
from math import log, sqrt
from shiftproof import DP, Count, Epsilon, Laplace, Public, ensure, mechanism, sample

@mechanism(DP())
def m(q: Count, x: Public[float], eps: Epsilon) -> float:
    assert x > 0
    noise = sample(Laplace(1 / eps))
    ensure(SAID)
    return q + noise
"""


def _outcome(tmp_path: Path, said: str) -> str:
    (claim,) = verify(source(tmp_path, TEXT.replace("SAID", said))["m"]).one_sided
    return claim.outcome


@pytest.mark.parametrize(
    "said",
    [
        "log(x) <= x - 1",
        "sqrt(x) * sqrt(x) == x",
        "sqrt(x) >= 0",
        "sqrt(x) <= x + 1 / 4",
        "log(1 + x) >= 0",
        "noise > 0 or sqrt(x + 1) <= 1 + x",
    ],
)
def test_what_is_true_is_not_broken(tmp_path: Path, said: str) -> None:
    assert _outcome(tmp_path, said) != "broken"


@pytest.mark.parametrize(
    "said", ["log(x) <= x - 2", "sqrt(x) <= 1", "sqrt(x) >= x", "noise > 0 or log(x + 1) >= x"]
)
def test_what_is_false_is(tmp_path: Path, said: str) -> None:
    assert _outcome(tmp_path, said) == "broken"
