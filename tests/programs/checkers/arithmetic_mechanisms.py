"""Sensitivities by name, signs and shares of scales, functions of noisy values; right and wrong."""

import math
from collections.abc import Iterator, Sequence
from math import log, sqrt
from typing import Annotated

from shiftproof import (
    DP,
    Count,
    Counts,
    Epsilon,
    Histogram,
    Laplace,
    Nat,
    Public,
    Queries,
    Query,
    Values,
    Vector,
    mechanism,
    sample,
)

Named = Annotated[Sequence[float], Queries(sensitivity="D")]


@mechanism(DP())
def noisy_max(f: Named, D: Public[float], eps: Epsilon) -> int:
    assert D > 0 and len(f) >= 1
    best = 0.0
    which = -1
    for i in range(len(f)):
        noise = sample(Laplace(2 * D / eps))
        if which == -1 or f[i] + noise > best:
            best = f[i] + noise
            which = i
    return which


@mechanism(DP(), expect="refuted")
def noisy_max_half_noise(f: Named, D: Public[float], eps: Epsilon) -> int:
    assert D > 0 and len(f) >= 1
    best = 0.0
    which = -1
    for i in range(len(f)):
        noise = sample(Laplace(D / eps))
        if which == -1 or f[i] + noise > best:
            best = f[i] + noise
            which = i
    return which


@mechanism(DP(), budget=lambda e1, e2, e3: e1 + e2 + e3)
def sparse_vector_with_answers(
    f: Named,
    T: Public[Vector],
    D: Public[float],
    c: Public[Nat],
    e1: Epsilon,
    e2: Epsilon,
    e3: Epsilon,
) -> Iterator[float | None]:
    assert c >= 1 and len(T) == len(f) and D > 0
    rho = sample(Laplace(D / e1))
    count = 0
    for i in range(len(f)):
        nu = sample(Laplace(2 * c * D / e2))
        if f[i] + nu >= T[i] + rho:
            fresh = sample(Laplace(c * D / e3))
            yield f[i] + fresh
            count += 1
            if count >= c:
                return
        else:
            yield None


@mechanism(DP())
def sparse_vector(
    f: Named, T: Public[float], D: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1 and D > 0
    rho = sample(Laplace(2 * D / eps))
    count = 0
    for q in f:
        nu = sample(Laplace(4 * c * D / eps))
        if q + nu >= T + rho:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP())
def signed_weight(f: Count, w: Public[float], eps: Epsilon) -> float:
    assert w != 0
    noise = sample(Laplace(abs(w) / eps))
    return w * f + noise


@mechanism(DP(), expect="refuted")
def signed_weight_half_noise(f: Count, w: Public[float], eps: Epsilon) -> float:
    assert w != 0
    noise = sample(Laplace(abs(w) / (2 * eps)))
    return w * f + noise


@mechanism(DP())
def weight_or_one(f: Count, w: Public[float], eps: Epsilon) -> float:
    noise = sample(Laplace(max(abs(w), 1) / eps))
    return w * f + noise


@mechanism(DP(), budget=lambda e1, e2: 1 / (1 / e1 + 1 / e2))
def harmonic(f: Count, e1: Epsilon, e2: Epsilon) -> float:
    noise = sample(Laplace(1 / e1 + 1 / e2))
    return f + noise


@mechanism(DP(), budget=lambda e1, e2: 1 / (1 / e1 + 1 / e2), expect="refuted")
def harmonic_by_one(f: Count, e1: Epsilon, e2: Epsilon) -> float:
    noise = sample(Laplace(1 / e1))
    return f + noise


@mechanism(DP())
def squared_weight(f: Count, w: Public[float], eps: Epsilon) -> float:
    assert w != 0
    noise = sample(Laplace(w * w / eps))
    return w * w * f + noise


@mechanism(DP(), expect="refuted")
def squared_weight_noise_for_one(f: Count, w: Public[float], eps: Epsilon) -> float:
    assert w > 0
    noise = sample(Laplace(w / eps))
    return w * w * f + noise


@mechanism(DP())
def two_shares(f: Count, theta: Public[float], eps: Epsilon) -> Iterator[float]:
    assert 0 < theta < 1
    a = sample(Laplace(1 / (theta * eps)))
    yield f + a
    b = sample(Laplace(1 / ((1 - theta) * eps)))
    yield f + b


@mechanism(DP(), expect="refuted")
def shares_over_one(f: Count, theta: Public[float], eps: Epsilon) -> Iterator[float]:
    assert 0 < theta < 1
    a = sample(Laplace(1 / (theta * eps)))
    yield f + a
    b = sample(Laplace(1 / eps))
    yield f + b


@mechanism(DP())
def mean_of_a_query(
    f: Annotated[float, Query(sensitivity="D")], n: Public[Nat], D: Public[float], eps: Epsilon
) -> float:
    assert D > 0 and n > 0
    noise = sample(Laplace(D / (n * eps)))
    return f / n + noise


@mechanism(DP())
def all_answers(f: Named, D: Public[float], eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1 and D > 0
    for i in range(len(f)):
        noise = sample(Laplace(len(f) * D / eps))
        yield f[i] + noise


@mechanism(DP())
def mean_by_a_loop(x: Annotated[Sequence[float], Values(0, 10)], eps: Epsilon) -> float:
    assert len(x) >= 1
    total = 0.0
    for v in x:
        total += v
    noise = sample(Laplace(10 / (len(x) * eps)))
    return total / len(x) + noise


@mechanism(DP())
def logarithm(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return math.log(max(f + noise, 1.0))


@mechanism(DP())
def root(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return sqrt(abs(f + noise))


@mechanism(DP())
def half_power(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return max(f + noise, 0.0) ** 0.5


@mechanism(DP("add-remove"))
def sum_of_a_histogram(f: Histogram, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return sum(f) + noise


@mechanism(DP())
def sum_of_counts(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    noise = sample(Laplace(len(f) / eps))
    return sum(f) + noise


@mechanism(DP(), expect="refuted")
def sum_with_noise_for_one(f: Counts, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return sum(f) + noise


@mechanism(DP())
def mean_of_values(x: Annotated[Sequence[float], Values(0, 10)], eps: Epsilon) -> float:
    assert len(x) > 0
    noise = sample(Laplace(10 / (len(x) * eps)))
    return sum(x) / len(x) + noise


@mechanism(DP())
def list_of_maxima(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    out = []
    for q in f:
        noise = sample(Laplace(len(f) / eps))
        out.append(q + noise)
    for v in out:
        yield max(0.0, v)


@mechanism(DP())
def rounded_down(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    y = math.floor(f + noise)
    return y


@mechanism(DP("add-remove"), expect="refuted")
def twice_the_sum_noise_for_one(f: Histogram, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return sum(f) + sum(f) + noise


@mechanism(DP("add-remove"))
def twice_the_sum(f: Histogram, eps: Epsilon) -> float:
    noise = sample(Laplace(2 / eps))
    return sum(f) + sum(f) + noise


@mechanism(DP("add-remove"), expect="refuted")
def private_sum_below(f: Histogram, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return (f[0] + noise) / max(1, sum(f)) if len(f) > 0 else 0.0


@mechanism(DP(), expect="refuted")
def private_root(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return sqrt(f * 1.0) * 0 + f + f + noise


@mechanism(DP())
def tested_logarithm(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    y = f + noise
    if y > 0:
        return log(y)
    return 0.0


@mechanism(DP())
def standard_deviation(f: Count, g: Count, eps: Epsilon) -> float:
    a = sample(Laplace(2 / eps))
    b = sample(Laplace(2 / eps))
    m = f + a
    s = g + b
    return math.sqrt(max(0.0, s - m * m))


@mechanism(DP())
def both_roundings(f: Count, eps: Epsilon) -> int:
    noise = sample(Laplace(1 / eps))
    return math.ceil(f + noise) + math.floor(f + noise)


@mechanism(DP())
def threshold_of_a_logarithm(f: Count, T: Public[float], eps: Epsilon) -> bool:
    assert T > 0
    noise = sample(Laplace(1 / eps))
    return log(max(f + noise, 1.0)) > T


@mechanism(DP())
def no_negative_n(f: Count, n: Public[Nat], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    if n < 0:
        return 0.0
    return f + noise


@mechanism(DP())
def no_n_of_zero(f: Count, n: Public[int], eps: Epsilon) -> float:
    assert n >= 1
    noise = sample(Laplace(1 / eps))
    if n == 0:
        return 0.0
    return (f + noise) / n


@mechanism(DP())
def no_empty_sequence(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    if len(f) == 0:
        yield 0.0
        return
    for q in f:
        noise = sample(Laplace(len(f) / eps))
        yield q + noise


@mechanism(DP())
def no_epsilon_of_zero(f: Count, eps: Epsilon) -> float:
    if eps <= 0:
        return 0.0
    noise = sample(Laplace(1 / eps))
    return f + noise


@mechanism(DP())
def largest_answer(f: Named, D: Public[float], eps: Epsilon) -> float:
    assert D > 0
    best = 0.0
    for q in f:
        best = max(best, q)
    noise = sample(Laplace(D / eps))
    return best + noise


@mechanism(DP(), expect="refuted")
def largest_half_noise(f: Counts, eps: Epsilon) -> float:
    best = 0
    for q in f:
        best = max(best, q)
    noise = sample(Laplace(1 / (2 * eps)))
    return best + noise


@mechanism(DP(), expect="refuted")
def exact_argmax(f: Counts, eps: Epsilon) -> int:
    assert len(f) >= 1
    best = f[0]
    which = 0
    for i in range(len(f)):
        if f[i] > best:
            best = f[i]
            which = i
    return which


@mechanism(DP())
def range_of_counts(f: Counts, eps: Epsilon) -> float:
    assert len(f) >= 1
    lo = f[0]
    hi = f[0]
    for q in f:
        lo = min(lo, q)
        hi = max(hi, q)
    noise = sample(Laplace(2 / eps))
    return hi - lo + noise


@mechanism(DP(), expect="refuted")
def sparse_vector_noise_for_one(
    f: Named, T: Public[float], D: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1 and D > 0
    rho = sample(Laplace(2 * D / eps))
    count = 0
    for q in f:
        nu = sample(Laplace(4 * D / eps))
        if q + nu >= T + rho:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP(), expect="refuted")
def sparse_vector_one_too_many(
    f: Named, T: Public[float], D: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1 and D > 0
    rho = sample(Laplace(2 * D / eps))
    count = 0
    for q in f:
        nu = sample(Laplace(4 * c * D / eps))
        if q + nu >= T + rho:
            yield True
            count += 1
            if count > c:
                return
        else:
            yield False


@mechanism(DP(), expect="refuted")
def weight_of_one_sign(f: Count, w: Public[float], eps: Epsilon) -> float:
    assert w != 0
    noise = sample(Laplace(max(w, -w / 2) / eps))
    return w * f + noise


@mechanism(DP(), expect="refuted")
def weight_or_one_of_one_sign(f: Count, w: Public[float], eps: Epsilon) -> float:
    noise = sample(Laplace(max(w, 1) / eps))
    return w * f + noise


@mechanism(DP(), budget=lambda e1, e2: 1 / (1 / e1 + 1 / e2), expect="refuted")
def harmonic_too_small(f: Count, e1: Epsilon, e2: Epsilon) -> float:
    noise = sample(Laplace(1 / e1 + 1 / (2 * e2)))
    return f + noise


@mechanism(DP(), expect="refuted")
def shares_of_squares(f: Count, theta: Public[float], eps: Epsilon) -> Iterator[float]:
    assert 0 < theta < 1
    a = sample(Laplace(1 / (theta * eps)))
    yield f + a
    b = sample(Laplace(1 / ((1 - theta * theta) * eps)))
    yield f + b


@mechanism(DP(), expect="refuted")
def mean_half_noise(x: Annotated[Sequence[float], Values(0, 10)], eps: Epsilon) -> float:
    assert len(x) >= 1
    noise = sample(Laplace(5 / (len(x) * eps)))
    return sum(x) / len(x) + noise


@mechanism(DP(), expect="refuted")
def noise_for_all_but_one(f: Named, D: Public[float], eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2 and D > 0
    for i in range(len(f)):
        noise = sample(Laplace((len(f) - 1) * D / eps))
        yield f[i] + noise


@mechanism(DP(), expect="refuted")
def fourth_power_noise_for_square(f: Count, w: Public[float], eps: Epsilon) -> float:
    assert w != 0
    noise = sample(Laplace(w * w / eps))
    return w * w * w * w * f + noise


@mechanism(DP(), expect="refuted")
def maximum_with_an_answer(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    out = []
    for q in f:
        noise = sample(Laplace(len(f) / eps))
        out.append(q + noise)
    i = 0
    for v in out:
        yield max(v, f[i] + 0.0)
        i += 1
        if i >= len(f):
            return


@mechanism(DP(), expect="refuted")
def list_without_noise(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    out = []
    raw = []
    for q in f:
        noise = sample(Laplace(len(f) / eps))
        out.append(q + noise)
        raw.append(q + 0.0)
    for v in raw:
        yield max(0.0, v)


@mechanism(DP(), expect="refuted")
def few_without_noise(f: Count, n: Public[Nat], eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    if n < 0:
        return 0.0
    if n < 1:
        return f + 0.0
    return f + noise


@mechanism(DP(), expect="refuted")
def largest_named_half_noise(f: Named, D: Public[float], eps: Epsilon) -> float:
    assert D > 0
    best = 0.0
    for q in f:
        best = max(best, q)
    noise = sample(Laplace(D / (2 * eps)))
    return best + noise
