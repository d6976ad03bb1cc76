"""Trees, totals that one record moves as a whole, and public factors that cancel."""

from collections.abc import Iterator

from shiftproof import (
    DP,
    Count,
    Epsilon,
    Exponential,
    Histogram,
    Laplace,
    Public,
    argmax,
    mechanism,
    sample,
)


@mechanism(DP("add-remove"))
def tree_of_four(h: Histogram, eps: Epsilon) -> Iterator[float]:
    assert len(h) == 4
    root = sample(Laplace(3 / eps))
    yield h[0] + h[1] + h[2] + h[3] + root
    for j in range(2):
        half = sample(Laplace(3 / eps))
        yield h[2 * j] + h[2 * j + 1] + half
    for n in h:
        leaf = sample(Laplace(3 / eps))
        yield n + leaf


@mechanism(DP("add-remove"), expect="refuted")
def tree_paid_for_two_levels(h: Histogram, eps: Epsilon) -> Iterator[float]:
    assert len(h) == 4
    root = sample(Laplace(2 / eps))
    yield h[0] + h[1] + h[2] + h[3] + root
    for j in range(2):
        half = sample(Laplace(2 / eps))
        yield h[2 * j] + h[2 * j + 1] + half
    for n in h:
        leaf = sample(Laplace(2 / eps))
        yield n + leaf


@mechanism(DP("add-remove"))
def median_by_bins(h: Histogram, eps: Epsilon) -> int:
    assert len(h) >= 1
    total = sum(h)
    below = 0
    score = [0.0] * len(h)
    for i in range(len(h)):
        above = total - below - h[i]
        noise = sample(Exponential(2 / eps))
        score[i] = noise - abs(below - above)
        below += h[i]
    return argmax(score)


@mechanism(DP())
def risk_in_tens(
    late: Count, missed: Count, w1: Public[float], w2: Public[float], eps: Epsilon
) -> int:
    assert w1 > 0 and w2 > 0
    noise = sample(Laplace((w1 + w2) / eps))
    score = w1 * late + w2 * missed + noise
    return 10 * round(score / 10)


@mechanism(DP())
def weighed_twice(late: Count, missed: Count, w: Public[float], eps: Epsilon) -> float:
    assert w > 0
    noise = sample(Laplace(5 / eps))
    score = 2 * late + 3 * missed + noise
    return w * (score / w) + 0.5 * score
