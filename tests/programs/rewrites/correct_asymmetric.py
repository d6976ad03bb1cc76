"""Algorithm 2 under a policy, repaired, in many styles: the threshold needs no noise."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import shiftproof
from shiftproof import (
    ADP,
    CountingQueries,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    NegativeExponential,
    OneSidedGeometric,
    Policy,
    Public,
    Vector,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})
Zeros = Annotated[Sequence[int], CountingQueries(counted={0})]

# Counts of ones only fall. A released one moves its noise up by at most 1, the others by 0.


def reaches(answer: float, bar: float) -> bool:
    if answer < bar:
        return False
    else:
        return True


# truth: private because c * 1 / (c/eps) = eps
@mechanism(ADP(visited))
def asymmetric(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: private because c * 1 / (c/eps) = eps
@mechanism(ADP(visited))
def asymmetric_countdown(
    visits: Counts, bars: Public[Vector], k: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert k >= 1
    remaining = k
    for x, bar in zip(visits, bars):
        fuzz = sample(Exponential(k / eps))
        noisy = x + fuzz
        above = noisy >= bar
        yield noisy if above else None
        if above:
            remaining -= 1
        if remaining <= 0:
            return


# truth: private because c * 1 / (c/eps) = eps
@shiftproof.mechanism(ADP(Policy({1})))
def asymmetric_while(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1
    i, answered, scale = 0, 0, c / eps
    while i < len(f) and not answered >= c:
        answer = None
        noise = shiftproof.sample(shiftproof.Exponential(scale))
        noisy = noise + f[i]
        i += 1
        if reaches(noisy, T):
            answer = noisy
            answered += 1
        yield answer


# truth: private because c * 1 / (1/eps) = c eps
@mechanism(ADP(visited), budget=lambda eps, c: c * eps)
def asymmetric_budget_per_answer(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | str]:
    answered = 0
    for x in f:
        if answered == c:
            break
        noise = sample(Exponential(1 / eps))
        if x + noise < T:
            yield "below"
            continue
        answered += 1
        yield x + noise


# truth: private because c * 1 / (c/eps) = eps (Boolean answers)
@mechanism(ADP(visited))
def asymmetric_test(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    left = c
    for x in f:
        noise = sample(Exponential(c / eps))
        above = T <= x + noise
        yield above
        left -= 1 if above else 0
        if left <= 0:
            return


# truth: private because c * 1 / (c/eps) = eps (two-sided noise)
@mechanism(ADP(visited))
def asymmetric_two_sided(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert 1 <= c and len(T) == len(f)
    answered = 0
    for i, x in enumerate(f):
        noise = sample(Laplace(c / eps))
        if not x + noise >= T[i]:
            yield None
            continue
        yield x + noise
        answered += 1
        if answered < c:
            continue
        break


# truth: private because shifts are whole and upwards: c * 1 / (c/eps) = eps
@mechanism(ADP(visited))
def asymmetric_geometric_svt(
    f: Counts, T: Public[int], c: Public[Nat], eps: Epsilon
) -> Iterator[int | None]:
    assert c >= 1
    answered = 0
    for x in f:
        k = sample(OneSidedGeometric(c / eps))
        if x + k > T:
            yield x + k
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: private because counts of zeros only rise: c * 1 / (c/eps) = eps
@mechanism(ADP(visited))
def asymmetric_of_zeros(
    absent: Zeros, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(absent) == len(T)
    remaining = c
    for i in range(len(absent)):
        noise = sample(NegativeExponential(c / eps))
        noisy = absent[i] + noise
        if noisy > T[i]:
            yield None
            continue
        yield noisy
        remaining -= 1
        if remaining <= 0:
            return


# truth: private because c * 1 / (2c/eps) + c * 1 / (2c/eps) = eps (test, then a fresh answer)
@mechanism(ADP(visited))
def asymmetric_fresh_answer(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1
    count, scale = 0, 2 * c / eps
    for i in range(len(f) - 1, -1, -1):
        test = sample(Exponential(scale))
        if f[i] + test < T:
            yield None
        else:
            fresh = sample(Exponential(scale))
            yield fresh + f[i]
            count += 1
        if count >= c:
            return


# truth: private because counts of twos only fall: c * 1 / (3c/(3 eps)) = eps
@mechanism(ADP(Policy(sensitive={2}, universe=(0, 1, 2))))
def asymmetric_of_twos(
    f: Annotated[Sequence[int], CountingQueries({2})],
    T: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[float | None]:
    assert c >= 1

    def shifted(x: float, noise: float) -> float:
        total = x
        total += noise
        return total - T

    answered = 0
    for x in f:
        noise = sample(Exponential(3 * c / (3 * eps)))
        gap = shifted(x, noise)
        yield gap if 0 <= gap else None
        answered = answered + 1 if 0 <= gap else answered
        if answered == c:
            return
