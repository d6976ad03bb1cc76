"""Noisy maxima with gaps: proved as they stand, the wrong ones not; Lemma 5 by numbers."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from shiftproof import Mechanism, Verdict, verify
from shiftproof.checkers.walking.runs.known import moves_for_gaps
from tests.programs.checkers import broken_gap_mechanisms, gap_mechanisms
from tests.sampling import every

RIGHT = {n: m for n, m in vars(gap_mechanisms).items() if isinstance(m, Mechanism)}
WRONG = {n: m for n, m in vars(broken_gap_mechanisms).items() if isinstance(m, Mechanism)}
#: Where no counterexample is found: the index it compares with is one of many.
NOT_REFUTED = {"behind_the_first_of_all"}


@pytest.mark.parametrize("name", every(5, RIGHT))
def test_gaps_are_free(name: str) -> None:
    report = verify(RIGHT[name])
    assert report.verdict == Verdict.PROVED, report.reasons
    assert str(report.epsilon_upper) == "eps"


@pytest.mark.parametrize("name", every(5, WRONG))
def test_nothing_else_is(name: str) -> None:
    report = verify(WRONG[name])
    wanted = Verdict.UNKNOWN if name in NOT_REFUTED else Verdict.REFUTED
    assert report.verdict == wanted, report.reasons


# Lemma 5: the map, on numbers.

Values = list[tuple[Fraction, Fraction]]


def order_and_gaps(values: list[Fraction], k: int) -> tuple[list[int], list[Fraction]]:
    """Which ``k`` are the largest, and by how much each is ahead of the next one."""
    order = sorted(range(len(values)), key=lambda i: -values[i])
    return order[:k], [values[i] - values[j] for i, j in itertools.pairwise(order[: k + 1])]


def undone(v: list[Fraction], other: list[Fraction], moved: list[Fraction], k: int) -> Values:
    """Where the map comes from, by what the proof says; the pairs of noise and moved noise."""
    n = len(v)
    falls = [a - b for a, b in zip(v, other, strict=True)]
    there = [b + x for b, x in zip(other, moved, strict=True)]
    order = sorted(range(n), key=lambda i: -there[i])
    won, lost = order[:k], order[k:]
    least = min(falls[i] for i in won)
    behind = max(v[i] + moved[i] for i in lost) - max(there[i] for i in lost)
    x = list(moved)
    if behind <= least:
        for i in won:
            x[i] -= falls[i] - behind
    else:
        for i in (*won, lost[0]):
            x[i] -= falls[i] - least
    return list(zip(x, moved, strict=True))


def test_the_map_of_the_lemma() -> None:
    rng = random.Random(25)
    for _ in range(4_000):
        n = rng.randint(2, 5)
        k = rng.randint(1, n - 1)
        low, high = sorted(Fraction(rng.randint(-4, 4), 2) for _ in range(2))
        v = [Fraction(rng.randint(-6, 6), 2) for _ in range(n)]
        other = [a - (low + (high - low) * Fraction(rng.randint(0, 4), 4)) for a in v]
        x = [Fraction(rng.randint(0, 10**6), 10**5) for _ in range(n)]
        both = [(a + y, b + y) for a, b, y in zip(v, other, x, strict=True)]
        if len({left for left, _ in both}) < n:
            continue
        shifts = moves_for_gaps(both, k)
        moved = [y + d for y, d in zip(x, shifts, strict=True)]
        assert min(shifts) >= 0
        assert sum(shifts) <= k * (high - low)
        there = [b + y for b, y in zip(other, moved, strict=True)]
        assert order_and_gaps([left for left, _ in both], k) == order_and_gaps(there, k)
        assert undone(v, other, moved, k) == list(zip(x, moved, strict=True))


# And by probabilities: the density of an order with gaps, an integral over the largest loser.

Law = Callable[[np.ndarray], np.ndarray]


def laplace(b: float) -> tuple[Law, Law]:
    """Its density, and the probability of what is smaller."""
    return (
        lambda x: np.exp(-abs(x) / b) / (2 * b),
        lambda x: np.where(x < 0, np.exp(np.minimum(x, 0) / b) / 2, 1 - np.exp(-abs(x) / b) / 2),
    )


def exponential(b: float) -> tuple[Law, Law]:
    """The same of the exponential law."""
    return (
        lambda x: np.where(x >= 0, np.exp(-np.maximum(x, 0) / b) / b, 0.0),
        lambda x: np.where(x >= 0, 1 - np.exp(-np.maximum(x, 0) / b), 0.0),
    )


def density(
    law: tuple[Law, Law], q: tuple[float, ...], won: tuple[int, ...], gaps: tuple[float, ...]
) -> float:
    """Of the winners in their order, each ahead of the next one by so much."""
    f, below = law
    m = (np.arange(8_000) + 0.5) * 0.005 - 10.0 + min(q)
    lost = [i for i in range(len(q)) if i not in won]
    total = np.zeros_like(m)
    for first in lost:
        part = f(m - q[first])
        for i in lost:
            part = part * (below(m - q[i]) if i != first else 1.0)
        total += part
    for r, i in enumerate(won):
        total = total * f(m + sum(gaps[r:]) - q[i])
    return float(total.sum()) * 0.005


def worst(law: tuple[Law, Law], n: int, k: int, falls: tuple[float, ...]) -> float:
    """The largest log ratio of densities over neighbours, orders and gaps of a small grid."""
    found = -math.inf
    for offset in ((0.0,) * n, tuple(float(i) for i in range(n))):
        for moved in itertools.product(falls, repeat=n):
            other = tuple(a - d for a, d in zip(offset, moved, strict=True))
            for won in itertools.permutations(range(n), k):
                for gaps in itertools.product((0.1, 0.9, 2.1), repeat=k):
                    p, q = (density(law, side, won, gaps) for side in (offset, other))
                    if p > 1e-9:
                        found = max(found, math.inf if q == 0 else math.log(p / q))
    return found


@pytest.mark.parametrize("law", [laplace, exponential])
@pytest.mark.parametrize(("n", "k"), [(2, 1), (3, 1), (3, 2)])
@pytest.mark.parametrize("falls", [(-1.0, 0.0, 1.0), (0.0, 1.0), (-1.0, 0.0)])
def test_densities_fall_by_what_the_lemma_says(
    law: Callable[[float], tuple[Law, Law]], n: int, k: int, falls: tuple[float, ...]
) -> None:
    """At b = 1, by k times how far answers differ; half of that they do here, by few answers."""
    found = worst(law(1.0), n, k, falls)
    most = k * (max(falls) - min(falls))
    assert 0.45 * most < found <= most + 0.01
