"""Noisy values that are kept in a list, and what is computed from it: it costs nothing more."""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Exponential,
    Histogram,
    Laplace,
    Policy,
    Public,
    mechanism,
    sample,
)


@mechanism(DP("add-remove"))
def added_up(h: Histogram, eps: Epsilon) -> float:
    a = []
    for i in range(len(h)):
        noise = sample(Laplace(1 / eps))
        a.append(h[i] + noise)
    return sum(a)


@mechanism(DP("add-remove"))
def shares(h: Histogram, eps: Epsilon) -> Iterator[float]:
    a = []
    for i in range(len(h)):
        noise = sample(Laplace(1 / eps))
        a.append(max(0.0, h[i] + noise))
    total = 0.0
    for v in a:
        total += v
    if total >= 1:
        for v in a:
            yield v / total


@mechanism(DP("add-remove"))
def above_the_least(h: Histogram, eps: Epsilon) -> Iterator[float]:
    a = []
    for i in range(len(h)):
        noise = sample(Laplace(1 / eps))
        a.append(h[i] + noise)
    low = 0.0
    for v in a:
        if v < low:
            low = v
    for i in range(len(a)):
        yield a[i] - low


@mechanism(DP("add-remove"))
def cumulative(h: Histogram, eps: Epsilon) -> Iterator[float]:
    a = []
    for i in range(len(h)):
        noise = sample(Laplace(1 / eps))
        a.append(h[i] + noise)
    b = [0.0] * len(a)
    run = 0.0
    for i in range(len(a)):
        run += a[i]
        b[i] = run
    for v in b:
        yield v


@mechanism(DP())
def never_falling(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    a = [0.0] * len(f)
    for i in range(len(f)):
        noise = sample(Laplace(len(f) / eps))
        a[i] = f[i] + noise
    for i in range(1, len(a)):
        if a[i] < a[i - 1]:
            a[i] = a[i - 1]
    for v in a:
        yield v


@mechanism(ADP(Policy({1})))
def the_largest_one_sided(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool | float]:
    a = []
    for x in f:
        noise = sample(Exponential(len(f) / eps))
        a.append(x + noise)
    best = 0.0
    for v in a:
        if v > best:
            best = v
    yield best
    for v in a:
        yield v >= T


@mechanism(DP("add-remove"))
def sorted_by_noise(h: Histogram, eps: Epsilon) -> Iterator[float]:
    a = []
    for i in range(len(h)):
        noise = sample(Laplace(1 / eps))
        a.append(h[i] + noise)
    for i in range(len(a)):
        for j in range(len(a) - 1):
            if a[j] > a[j + 1]:
                v = a[j]
                a[j] = a[j + 1]
                a[j + 1] = v
    for v in a:
        yield v


@mechanism(DP("add-remove"), expect="refuted")
def adds_what_has_no_noise(h: Histogram, eps: Epsilon) -> float:
    a = [0.0] * len(h)
    for i in range(len(h)):
        noise = sample(Laplace(1 / eps))
        a[i] = h[i] + noise
    for i in range(1, len(a)):
        a[i] = a[i - 1] + h[i]
    return a[len(a) - 1] - a[0] if len(a) > 0 else 0.0
