"""Narrow windows in which a number comes on D only: found whatever their width, by fresh runs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from shiftproof import audit
from shiftproof.checkers.auditing.scoring.intervals import windows_of

LOW, HIGH = 3.0, 3.2


def planted(x: float, share: float, rng: np.random.Generator, size: int) -> Any:
    """Laplace noise outside of a window, in which so many runs on 0 and none on 1 are."""
    values = x + rng.laplace(scale=2, size=size)
    while (inside := (values >= LOW) & (values < HIGH)).any():
        values[inside] = x + rng.laplace(scale=2, size=int(inside.sum()))
    if x == 0:
        put = rng.random(size) < share
        values[put] = rng.uniform(LOW, HIGH, size=int(put.sum()))
    return values


@pytest.mark.parametrize(("share", "samples"), [(0.005, 500_000), (0.002, 2_200_000)])
def test_planted_windows_are_found(share: float, samples: int) -> None:
    found = audit(
        lambda x, rng, size: planted(x, share, rng, size), epsilon=0.6, pairs=[(0.0, 1.0)],
        samples=samples, seed=1, judge="ideal",
    )  # fmt: skip
    assert found.verdict == "violation found"


def test_the_ends_are_those_of_the_window() -> None:
    rng = np.random.default_rng(5)
    left, right = (planted(x, 0.01, rng, 100_000) for x in (0.0, 1.0))
    ends = windows_of(left, right)
    assert any(abs(end - LOW) < 0.05 for end in ends) and any(abs(e - HIGH) < 0.05 for e in ends)


def test_a_single_number_is_a_window() -> None:
    rng = np.random.default_rng(6)
    left, right = rng.normal(size=(2, 20_000))
    left[:100] = 0.5
    ends = windows_of(left, right)
    assert any(one <= 0.5 <= other < one + 0.001 for one, other in pairwise(ends))


def test_noise_has_no_windows() -> None:
    """The best of all intervals by chance is not enough."""
    rng = np.random.default_rng(7)
    for _ in range(60):
        left, right = rng.normal(size=(2, 5_000))
        assert not len(windows_of(left, right))
    for _ in range(20):
        left, right = rng.geometric(0.3, size=(2, 5_000)).astype(float)
        assert not len(windows_of(left, right))
    assert not len(windows_of(np.array([np.nan]), np.array([1.0])))
