"""Counters that never stop, memories that may be seen, and repetition until something is good."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Bernoulli,
    Counts,
    DiscreteUniform,
    Epsilon,
    Histogram,
    IntegerValues,
    Laplace,
    Nat,
    Public,
    Queries,
    TwoSidedGeometric,
    WindowCounts,
    mechanism,
    sample,
)

One = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
Window = Annotated[Sequence[int], WindowCounts(3)]


@mechanism(DP("add-remove"))
def binary_counter_of_seven(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Chan, Shi and Song (TISSEC 2011), Binary Counting Mechanism, for seven steps: the
    partial sum of the lowest bit of the time takes the lower ones in.
    """
    assert len(f) <= 7
    sums = [0] * 3
    noisy = [0.0] * 3
    for t in range(1, len(f) + 1):
        level = 0 if t % 2 == 1 else 1 if t % 4 == 2 else 2
        total = f[t - 1]
        for j in range(level):
            total += sums[j]
            sums[j] = 0
            noisy[j] = 0.0
        noise = sample(Laplace(3 / eps))
        sums[level] = total
        noisy[level] = total + noise
        answer = 0.0
        for j in range(3):
            answer += noisy[j]
        yield answer


@mechanism(DP("add-remove"), expect="refuted")
def binary_counter_of_seven_one_level(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Chan, Shi and Song (TISSEC 2011), Binary Counting, each level for all of eps."""
    assert len(f) <= 7
    sums = [0] * 3
    noisy = [0.0] * 3
    for t in range(1, len(f) + 1):
        level = 0 if t % 2 == 1 else 1 if t % 4 == 2 else 2
        total = f[t - 1]
        for j in range(level):
            total += sums[j]
            sums[j] = 0
            noisy[j] = 0.0
        noise = sample(Laplace(1 / eps))
        sums[level] = total
        noisy[level] = total + noise
        answer = 0.0
        for j in range(3):
            answer += noisy[j]
        yield answer


@mechanism(DP())
def binary_counter_of_three(a: One, eps: Epsilon) -> tuple[float, float, float]:
    """Source: Dwork, Naor, Pitassi and Rothblum, Differential Privacy under Continual Observation
    (STOC 2010), the tree counter for three steps, written out.
    """
    assert len(a) == 3
    n1 = sample(Laplace(2 / eps))
    n12 = sample(Laplace(2 / eps))
    n3 = sample(Laplace(2 / eps))
    first = a[0] + n1
    pair = a[0] + a[1] + n12
    return first, pair, pair + a[2] + n3


@mechanism(DP(), expect="refuted")
def binary_counter_of_three_fresh(a: One, eps: Epsilon) -> tuple[float, float, float]:
    """Source: Dwork, Naor, Pitassi and Rothblum (STOC 2010), with a fresh exact sum at the end."""
    assert len(a) == 3
    n1 = sample(Laplace(2 / eps))
    n12 = sample(Laplace(2 / eps))
    n3 = sample(Laplace(2 / eps))
    return a[0] + n1, a[0] + a[1] + n12, a[0] + a[1] + a[2] + n3


@mechanism(DP("add-remove"))
def counter_with_public_resets(f: Histogram, W: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Bolot et al., Private Decayed Predicate Sums on Streams (ICDT 2013), windows that
    start afresh: each step counts once, released when the window is full.
    """
    assert W >= 1
    total = 0
    for t in range(len(f)):
        total += f[t]
        if (t + 1) % W == 0:
            noise = sample(Laplace(1 / eps))
            yield total + noise
            total = 0


@mechanism(DP("add-remove"), expect="refuted")
def counter_that_forgets_to_reset(f: Histogram, W: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: Bolot et al. (ICDT 2013), windows that are released but not reset."""
    assert W >= 1
    total = 0
    for t in range(len(f)):
        total += f[t]
        if (t + 1) % W == 0:
            noise = sample(Laplace(1 / eps))
            yield total + noise


@mechanism(DP("add-remove"))
def decayed_sum(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Bolot et al. (ICDT 2013), an exponentially decayed sum of noisy steps."""
    running = 0.0
    for x in f:
        noise = sample(Laplace(1 / eps))
        running = running / 2 + x + noise
        yield running


@mechanism(DP("add-remove"))
def decayed_sum_fresh_noise(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Bolot et al. (ICDT 2013), an exponentially decayed sum with fresh noise for each
    release: a step counts 1, 1/2, 1/4 and so on, less than 2 in all.
    """
    running = 0.0
    for x in f:
        noise = sample(Laplace(2 / eps))
        running = running / 2 + x
        yield running + noise


@mechanism(DP("add-remove"), expect="refuted")
def decayed_sum_fresh_noise_of_one(f: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Bolot et al. (ICDT 2013), a decayed sum with fresh noise for its first step only."""
    running = 0.0
    for x in f:
        noise = sample(Laplace(1 / eps))
        running = running / 2 + x
        yield running + noise


@mechanism(DP("add-remove"))
def window_of_differences(f: Window, T: Public[float], eps: Epsilon) -> Iterator[float]:
    """Source: Kellaris et al. (VLDB 2014), the first part of Budget Distribution: how far the
    window is from what was released last, with half of the uniform budget.
    """
    last = 0.0
    for x in f:
        near = sample(Laplace(6 / eps))
        if abs(x - last) + near > T:
            noise = sample(Laplace(6 / eps))
            last = x + noise
        yield last


@mechanism(DP("add-remove"), expect="refuted")
def window_of_differences_exact(f: Window, T: Public[float], eps: Epsilon) -> Iterator[float]:
    """Source: Kellaris et al. (VLDB 2014), Budget Distribution with an exact difference."""
    last = 0.0
    for x in f:
        noise = sample(Laplace(3 / eps))
        if abs(x - last) > T:
            last = x + noise
        yield last


@mechanism(LDP())
def pan_private_bits(
    seen: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon
) -> Iterator[bool]:
    """Source: Dwork, Naor, Pitassi, Rothblum and Yekhanin, Pan-Private Streaming Algorithms (ICS
    2010), the state of the density estimator: 1/2 for who was not seen, 1/2 + eps / 4 else.
    """
    assert eps <= 1 / 2
    for x in seen:
        bit = sample(Bernoulli(1 / 2 + eps / 4 * x))
        yield bit


@mechanism(LDP(), expect="refuted")
def pan_private_bits_too_sure(
    seen: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon
) -> Iterator[bool]:
    """Source: Dwork et al., Pan-Private Streaming Algorithms (ICS 2010), with 1/2 + eps."""
    assert eps <= 1 / 4
    for x in seen:
        bit = sample(Bernoulli(1 / 2 + eps * x))
        yield bit


@mechanism(DP(), budget=lambda eps: 3 * eps)
def best_of_random_repetitions(f: Counts, eps: Epsilon) -> tuple[int, float]:
    """Source: Liu and Talwar, Private Selection from Private Candidates (STOC 2019), Theorem 3.2:
    a random candidate is measured, again and again, until a coin says stop; the best is released.
    """
    assert len(f) >= 1
    i = sample(DiscreteUniform(0, len(f) - 1))
    noise = sample(Laplace(1 / eps))
    best = f[i] + noise
    which = i
    stop = sample(Bernoulli(1 / 10))
    while not stop:
        i = sample(DiscreteUniform(0, len(f) - 1))
        noise = sample(Laplace(1 / eps))
        if f[i] + noise > best:
            best = f[i] + noise
            which = i
        stop = sample(Bernoulli(1 / 10))
    return which, best


@mechanism(DP(), expect="refuted")
def best_of_ten_repetitions_for_one(f: Counts, eps: Epsilon) -> float:
    """Source: Liu and Talwar (STOC 2019), a fixed number of repetitions at the price of one."""
    assert len(f) == 1
    best = 0.0
    for r in range(10):
        noise = sample(Laplace(1 / eps))
        if r == 0 or f[0] + noise > best:
            best = f[0] + noise
    return best


@mechanism(DP())
def first_good_repetition(f: Counts, T: Public[float], eps: Epsilon) -> int:
    """Source: Liu and Talwar (STOC 2019), Section 3, a known threshold, for candidates that are
    compared once each: sparse vector over them.
    """
    lift = sample(Laplace(2 / eps))
    for i in range(len(f)):
        noise = sample(Laplace(4 / eps))
        if f[i] + noise >= T + lift:
            return i
    return len(f)


@mechanism(DP("add-remove"))
def sketch_of_two_rows(a: Histogram, eps: Epsilon) -> Iterator[float]:
    """Source: Mir, Muthukrishnan, Nikolov and Wright, Pan-Private Algorithms via Statistics on
    Sketches (PODS 2011): a table whose rows are hashed twice, the second time by cell parity.
    """
    even = 0
    odd = 0
    for i in range(len(a)):
        noise = sample(Laplace(2 / eps))
        yield a[i] + noise
        if i % 2 == 0:
            even += a[i]
        else:
            odd += a[i]
    e = sample(Laplace(2 / eps))
    yield even + e
    o = sample(Laplace(2 / eps))
    yield odd + o


@mechanism(DP("add-remove"))
def step_function_of_a_stream(f: Histogram, eps: Epsilon) -> Iterator[int]:
    """Source: Fan and Xiong, FAST (CIKM 2012), fixed-rate sampling: every second step, the step
    between is answered as before.
    """
    last = 0
    for t in range(len(f)):
        if t % 2 == 0:
            noise = sample(TwoSidedGeometric(1 / eps))
            last = f[t] + noise
        yield last
