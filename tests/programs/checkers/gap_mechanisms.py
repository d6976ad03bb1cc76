"""Noisy maxima and top-k lists that show by how much the first are ahead, right ones."""

from collections.abc import Iterator
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    Policy,
    Public,
    Queries,
    TwoSidedGeometric,
    Vector,
    mechanism,
    sample,
    top_k,
)

visited = Policy(sensitive={1})
Falling = Annotated[list[float], Queries(sensitivity=1, direction="decreasing")]
Scaled = Annotated[list[float], Queries(sensitivity="s")]
OneDiffers = Annotated[list[float], Queries(sensitivity=1, differing="one")]


@mechanism(DP())
def noisy_max_with_gap(q: Counts, eps: Epsilon) -> Iterator[int | float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    yield order[0]
    yield noisy[order[0]] - noisy[order[1]]


@mechanism(DP())
def top_k_with_gaps(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    assert 1 <= k < len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 * k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k + 1)
    for r in range(k):
        yield order[r]
        yield noisy[order[r]] - noisy[order[r + 1]]


@mechanism(DP())
def last_gap(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    assert 1 <= k < len(f)
    noisy = []
    for x in f:
        noise = sample(Laplace(2 * k / eps))
        noisy.append(x + noise)
    order = top_k(noisy, k + 1)
    for r in range(k):
        yield order[r]
    yield noisy[order[k - 1]] - noisy[order[k]]


@mechanism(DP())
def gap_of_first_and_last(f: Counts, k: Public[Nat], eps: Epsilon) -> tuple[float, float]:
    assert 1 <= k < len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 * k / eps))
        noisy[i] = noise + f[i]
    order = top_k(noisy, k + 1)
    ahead = noisy[order[0]] - noisy[order[k]]
    return ahead, 2 * ahead


@mechanism(DP())
def falling_with_gaps(f: Falling, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    assert 1 <= k < len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k + 1)
    for r in range(k):
        yield order[r]
        yield noisy[order[r]] - noisy[order[r + 1]]


@mechanism(DP("add-remove"))
def record_comes_or_goes(f: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(f) >= 2
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP())
def named_sensitivity(f: Scaled, s: Public[float], eps: Epsilon) -> tuple[int, float]:
    assert len(f) >= 2 and s > 0
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 * s / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP())
def one_differs(f: OneDiffers, eps: Epsilon) -> tuple[int, float]:
    assert len(f) >= 2
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP())
def exponential_gap(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(2 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(ADP(visited))
def asymmetric_noisy_max_with_gap(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Exponential(1 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(ADP(visited))
def asymmetric_top_k_with_gaps(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    assert 1 <= k < len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential(k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k + 1)
    for r in range(k):
        yield order[r]
        yield noisy[order[r]] - noisy[order[r + 1]]


@mechanism(ADP(visited))
def asymmetric_laplace_gap(q: Counts, eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(1 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(ADP(visited))
def all_picks_paid_for(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    assert 1 <= k < len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Exponential((k + 1) / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k + 1)
    for r in range(k + 1):
        yield order[r]
    yield noisy[order[0]] - noisy[order[1]]


@mechanism(DP())
def gap_of_integers(q: Counts, eps: Epsilon) -> tuple[int, int]:
    assert len(q) >= 2
    noisy = [0] * len(q)
    for i in range(len(q)):
        noise = sample(TwoSidedGeometric(4 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP())
def measured_as_well(q: Counts, eps: Epsilon) -> Iterator[int | float]:
    assert len(q) >= 2
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        noisy[i] = q[i] + noise
    order = top_k(noisy, 2)
    yield order[0]
    yield noisy[order[0]] - noisy[order[1]]
    fresh = sample(Laplace(2 / eps))
    yield q[order[0]] + fresh


@mechanism(DP())
def with_public_bonuses(q: Counts, bonus: Public[Vector], eps: Epsilon) -> tuple[int, float]:
    assert len(q) >= 2 and len(bonus) == len(q)
    noisy = [0.0] * len(q)
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        noisy[i] = 2 * q[i] + bonus[i] + noise
    order = top_k(noisy, 2)
    return order[0], noisy[order[0]] - noisy[order[1]]


@mechanism(DP())
def first_gap_of_those_paid_for(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    assert 2 <= k < len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 * k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k)
    yield noisy[order[0]] - noisy[order[1]]
    for r in range(k):
        yield order[r]


@mechanism(DP())
def first_gap_alone(f: Counts, k: Public[Nat], eps: Epsilon) -> Iterator[int | float]:
    assert 2 <= k < len(f)
    noisy = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(2 * k / eps))
        noisy[i] = f[i] + noise
    order = top_k(noisy, k + 1)
    yield noisy[order[0]] - noisy[order[1]]
    for r in range(k):
        yield order[r]


@mechanism(DP())
def two_paid_for(q: Counts, eps: Epsilon) -> tuple[int, int, float]:
    assert len(q) >= 2
    noisy = []
    for x in q:
        noise = sample(Laplace(4 / eps))
        noisy.append(x + noise)
    order = top_k(noisy, 2)
    return order[0], order[1], noisy[order[0]] - noisy[order[1]]
