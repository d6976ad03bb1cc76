"""Public factors, states and thresholds as people write them, right ones and wrong ones."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Count,
    Counts,
    Epsilon,
    Exponential,
    Histogram,
    Laplace,
    Nat,
    Private,
    Public,
    Queries,
    TwoSidedGeometric,
    Value,
    Values,
    Vector,
    align,
    argmax,
    mechanism,
    other,
    sample,
)


@mechanism(DP())
def mean(f: Count, n: Public[Nat], eps: Epsilon) -> float:
    assert n >= 1
    noise = sample(Laplace(1 / eps))
    return (f + noise) / n


@mechanism(DP())
def mean_then_noise(f: Count, n: Public[Nat], eps: Epsilon) -> float:
    assert n >= 1
    noise = sample(Laplace(1 / (n * eps)))
    return f / n + noise


@mechanism(DP(), expect="refuted")
def mean_with_little_noise(f: Count, n: Public[Nat], eps: Epsilon) -> float:
    assert n >= 1
    noise = sample(Laplace(1 / (2 * n * eps)))
    return f / n + noise


@mechanism(DP())
def mean_of_a_vector(f: Count, x: Public[Vector], eps: Epsilon) -> float:
    assert len(x) >= 1
    noise = sample(Laplace(1 / (len(x) * eps)))
    return f / len(x) + noise


@mechanism(DP())
def weighted(f: Count, w: Public[float], eps: Epsilon) -> float:
    assert w > 0
    noise = sample(Laplace(w / eps))
    return w * f + noise


@mechanism(DP(), expect="refuted")
def weighted_with_noise_for_one(f: Count, w: Public[float], eps: Epsilon) -> float:
    assert w > 0
    noise = sample(Laplace(1 / eps))
    return w * f + noise


@mechanism(DP())
def weighted_as_annotated(f: Count, w: Public[float], eps: Epsilon) -> float:
    assert w > 0
    noise = sample(Laplace(w / eps))
    align(noise, w * (f - other(f)))
    return w * f + noise


@mechanism(DP())
def two_weighted(f: Count, g: Count, a: Public[float], b: Public[float], eps: Epsilon) -> float:
    assert a > 0 and b > 0
    noise = sample(Laplace((a + b) / eps))
    return a * f + b * g + noise


@mechanism(DP(), expect="refuted")
def two_weighted_by_the_first(
    f: Count, g: Count, a: Public[float], b: Public[float], eps: Epsilon
) -> float:
    assert a > 0 and b > 0
    noise = sample(Laplace(a / eps))
    return a * f + b * g + noise


@mechanism(DP())
def weights(f: Counts, w: Public[Vector], eps: Epsilon) -> Iterator[float]:
    assert len(w) == len(f) and len(f) >= 1
    for i in range(len(f)):
        noise = sample(Laplace(len(f) / eps))
        yield w[i] * (f[i] + noise)


@mechanism(DP())
def coefficients(f: Count, g: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(5 / eps))
    return 2 * f + 3 * g + noise


@mechanism(DP(), expect="refuted")
def coefficients_too_large(f: Count, g: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(4 / eps))
    return 2 * f + 3 * g + noise


@mechanism(LDP())
def rescaled(
    x: Annotated[float, Value("lo", "hi")], lo: Public[float], hi: Public[float], eps: Epsilon
) -> float:
    assert lo < hi
    noise = sample(Laplace(1 / eps))
    return (x - lo) / (hi - lo) + noise


@mechanism(LDP())
def clipped(x: Private[float], lo: Public[float], hi: Public[float], eps: Epsilon) -> float:
    assert lo < hi
    y = min(max(x, lo), hi)
    noise = sample(Laplace((hi - lo) / eps))
    return y + noise


@mechanism(DP())
def shares_of_eps(
    f: Counts, T: Public[float], theta: Public[float], eps: Epsilon
) -> Iterator[bool]:
    assert 0 < theta and theta < 1
    lift = sample(Laplace(1 / (theta * eps)))
    for q in f:
        noise = sample(Laplace(2 / ((1 - theta) * eps)))
        if q + noise >= T + lift:
            yield True
            return
        yield False


@mechanism(DP())
def noisy_max(
    f: Annotated[Sequence[float], Queries(sensitivity="D")], D: Public[float], eps: Epsilon
) -> int:
    assert D > 0 and len(f) >= 1
    best = 0.0
    which = -1
    for i in range(len(f)):
        noise = sample(Exponential(2 * D / eps))
        if which == -1 or f[i] + noise > best:
            best = f[i] + noise
            which = i
    return which


@mechanism(DP(), budget=lambda eps: 2 * eps)
def noisy_mean(f: Count, n: Count, eps: Epsilon) -> float:
    a = sample(Laplace(1 / eps))
    b = sample(Laplace(1 / eps))
    return (f + a) / max(n + b, 1.0)


@mechanism(DP(), expect="refuted")
def exact_count_below(f: Count, n: Count, eps: Epsilon) -> float:
    a = sample(Laplace(1 / eps))
    return (f + a) / (n + 1)


@mechanism(DP())
def rounded(f: Count, eps: Epsilon) -> int:
    noise = sample(Laplace(1 / eps))
    return round(f + noise)


@mechanism(DP())
def squared(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return (f + noise) ** 2


@mechanism(DP())
def in_bins(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return (f + noise) // 10


@mechanism(DP(), expect="refuted")
def private_factor(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f * noise


@mechanism(DP(), expect="refuted")
def private_product(f: Count, g: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(2 / eps))
    return f * g + noise


@mechanism(DP())
def last_one(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Laplace(1 / eps))
    return f[-1] + noise


@mechanism(DP())
def between(f: Count, a: Public[float], b: Public[float], eps: Epsilon) -> bool:
    noise = sample(Laplace(1 / eps))
    return a <= f + noise and f + noise < b


@mechanism(DP())
def two_thresholds(
    f: Counts, low: Public[float], high: Public[float], eps: Epsilon
) -> Iterator[int]:
    assert low <= high
    lift = sample(Laplace(2 / eps))
    for q in f:
        noise = sample(Laplace(4 / eps))
        if q + noise >= high + lift:
            yield 2
            return
        elif q + noise >= low + lift:
            yield 1
            return
        else:
            yield 0


@mechanism(DP())
def while_some_are_left(
    f: Counts, T: Public[float], n: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert n >= 1
    lift = sample(Laplace(2 / eps))
    accepted = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 * n / eps))
        if accepted < n and f[i] + noise >= T + lift:
            accepted += 1
            yield True
        else:
            yield False


@mechanism(DP(), expect="refuted")
def while_all_are_left(f: Counts, T: Public[float], n: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert n >= 1
    lift = sample(Laplace(2 / eps))
    accepted = 0
    for i in range(len(f)):
        noise = sample(Laplace(4 / eps))
        if accepted < 40 * n and f[i] + noise >= T + lift:
            accepted += 1
            yield True
        else:
            yield False


@mechanism(DP())
def in_one_state(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    state = 0
    lift = sample(Laplace(2 / eps))
    for q in f:
        noise = sample(Laplace(4 / eps))
        if state == 0:
            if q + noise >= T + lift:
                state = 1
                yield True
            else:
                yield False
        else:
            yield False


@mechanism(DP())
def until_done(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    lift = sample(Laplace(2 / eps))
    done = False
    for q in f:
        noise = sample(Laplace(4 / eps))
        if not done and q + noise >= T + lift:
            done = True
            yield True
        else:
            yield False


@mechanism(DP())
def largest_of_three(f: Count, g: Count, h: Count, eps: Epsilon) -> int:
    n1 = sample(Laplace(2 / eps))
    n2 = sample(Laplace(2 / eps))
    n3 = sample(Laplace(2 / eps))
    a = [f + n1, g + n2, h + n3]
    return argmax(a)


@mechanism(DP(), budget=lambda eps: 2 * eps)
def larger_of_two(f: Count, g: Count, eps: Epsilon) -> float:
    a = sample(Laplace(1 / eps))
    b = sample(Laplace(1 / eps))
    return max(f + a, g + b)


@mechanism(DP())
def first_candidate(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    first = sample(Laplace(2 / eps))
    best = f[0] + first
    which = 0
    for i in range(1, len(f)):
        noise = sample(Laplace(2 / eps))
        if f[i] + noise > best:
            best = f[i] + noise
            which = i
    return which


@mechanism(DP("add-remove"))
def vote(f: Histogram, eps: Epsilon) -> Iterator[float]:
    for q in f:
        noise = sample(Laplace(1 / eps))
        yield q + noise


@mechanism(LDP())
def noise_of_a_width(
    x: Annotated[float, Value("lo", "hi")], lo: Public[float], hi: Public[float], eps: Epsilon
) -> float:
    assert lo < hi
    noise = sample(Laplace(1 / eps))
    return x + (hi - lo) * noise


Ranged = Annotated[Sequence[float], Values("lo", "hi")]


@mechanism(LDP())
def mean_of_a_range(
    x: Ranged, lo: Public[float], hi: Public[float], n: Public[Nat], eps: Epsilon
) -> float:
    assert lo < hi and n >= 1
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace((hi - lo) / (n * eps)))
    return total / n + noise


@mechanism(LDP())
def mean_of_what_is_clipped(
    x: Ranged,
    lo: Public[float],
    hi: Public[float],
    a: Public[float],
    b: Public[float],
    n: Public[Nat],
    eps: Epsilon,
) -> float:
    assert lo < hi and a < b and n >= 1
    total = 0.0
    for v in x:
        total += min(max(v, a), b)
    noise = sample(Laplace((b - a) / (n * eps)))
    return total / n + noise


@mechanism(LDP(), expect="refuted")
def mean_of_what_is_clipped_above_only(
    x: Ranged,
    lo: Public[float],
    hi: Public[float],
    a: Public[float],
    b: Public[float],
    n: Public[Nat],
    eps: Epsilon,
) -> float:
    assert lo < hi and a < b and n >= 1
    total = 0.0
    for v in x:
        total += min(v, b)
    noise = sample(Laplace((b - a) / (n * eps)))
    return total / n + noise


@mechanism(LDP(), expect="refuted")
def mean_of_fewer(x: Ranged, lo: Public[float], hi: Public[float], eps: Epsilon) -> float:
    assert lo < hi and len(x) >= 3
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace((hi - lo) / (len(x) * eps)))
    return total / (len(x) - 1) + noise
