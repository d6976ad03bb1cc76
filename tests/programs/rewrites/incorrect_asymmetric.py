"""The mechanisms of ``correct_asymmetric``, each broken in one small place.

A truth names a witness, as in ``incorrect_svt``; counts of ones fall, so D is above D'.
"""

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


def reaches(answer: float, bar: float) -> bool:
    if answer < bar:
        return False
    else:
        return True


# truth: not private because c + 1 answers go out: c = 1, T = 0, [1, 1] -> [0, 0], (2, 2): 2 eps
@mechanism(ADP(visited), expect="refuted")
def asymmetric_one_more(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(Exponential(c / eps))
        if f[i] + noise >= T[i]:
            yield f[i] + noise
            answered += 1
            if answered > c:
                return
        else:
            yield None


# truth: not private because the scale shrinks: k = 2, T = 0, [1, 1] -> [0, 0], (2, 2): 1.5 eps
@mechanism(ADP(visited), expect="refuted")
def asymmetric_shrinking_scale(
    visits: Counts, bars: Public[Vector], k: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert k >= 1
    remaining = k
    for x, bar in zip(visits, bars):
        fuzz = sample(Exponential(remaining / eps))
        noisy = x + fuzz
        above = noisy >= bar
        yield noisy if above else None
        if above:
            remaining -= 1
        if remaining <= 0:
            return


# truth: not private because refusals are counted: c = 1, T = 0, [1, 1] -> [0, 0], (2, 2): 2 eps
@shiftproof.mechanism(ADP(Policy({1})), expect="refuted")
def asymmetric_while_wrong_branch(
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
        else:
            answered += 1
        yield answer


# truth: not private because refusals say how much: c = 1, T = 9, [1, 1] -> [0, 0], (2, 2): 2 eps
@mechanism(ADP(visited), budget=lambda eps, c: c * eps, expect="refuted")
def asymmetric_noisy_refusal(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | str]:
    answered = 0
    for x in f:
        if answered == c:
            break
        noise = sample(Exponential(1 / eps))
        if x + noise < T:
            yield x + noise
            continue
        answered += 1
        yield x + noise


# truth: not private because ones rise where 0 is sensitive: c = 1, low T, None None at +1: 2 eps
@mechanism(ADP(Policy(sensitive={0})), expect="refuted")
def asymmetric_other_policy(
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


# truth: not private because it releases the noise: T = 0, [1] -> [0], (0,) is impossible on D'
@mechanism(ADP(visited), expect="refuted")
def asymmetric_noise_alone(
    f: Counts, T: Public[int], c: Public[Nat], eps: Epsilon
) -> Iterator[int | None]:
    assert c >= 1
    answered = 0
    for x in f:
        k = sample(OneSidedGeometric(c / eps))
        if x + k > T:
            yield k
            answered += 1
            if answered >= c:
                return
        else:
            yield None


# truth: not private because refusals of rising counts leak: c = 1, T = 0, None None at +1: 2 eps
@mechanism(ADP(visited), expect="refuted")
def asymmetric_of_zeros_flipped(
    absent: Zeros, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1 and len(absent) == len(T)
    remaining = c
    for i in range(len(absent)):
        noise = sample(NegativeExponential(c / eps))
        noisy = absent[i] + noise
        if noisy < T[i]:
            yield None
            continue
        yield noisy
        remaining -= 1
        if remaining <= 0:
            return


# truth: not private because both noises take all of eps: c = 1, T = 2, [1] -> [0], (2,): 2 eps
@mechanism(ADP(visited), expect="refuted")
def asymmetric_fresh_answer_unpaid(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1
    count, scale = 0, c / eps
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
