"""Sparse vectors with a noisy threshold, broken; and noisy maxima.

All answers move by up to 1. Right would be: threshold Laplace(2 / eps), drawn once, never
released; answers Laplace(4 * c / eps), c answers above, no values: eps / 2 + eps / 2.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import DP, Epsilon, Laplace, Nat, Public, Queries, mechanism, sample

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


# truth: 3/2 eps in the limit of many answers below: half the noise, right for monotonic answers
@mechanism(DP())
def noise_of_the_monotonic_case(
    q: Answers, t: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    answered = 0
    rho = sample(Laplace(2 / eps))
    for x in q:
        noise = sample(Laplace(2 * c / eps))
        if x + noise >= t + rho:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


# truth: rho / 2 has to move by 1, so rho by 2: 3/2 eps in the limit of many answers below
@mechanism(DP())
def halved_threshold_noise(
    q: Answers, t: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    answered = 0
    rho = sample(Laplace(2 / eps))
    for x in q:
        noise = sample(Laplace(4 * c / eps))
        if x + noise >= t + rho / 2:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


# truth: no bound: rho helps half of the answers below and hurts the others; grows with len(q)
@mechanism(DP())
def threshold_noise_of_both_signs(q: Answers, t: Public[float], eps: Epsilon) -> Iterator[bool]:
    sign = 1
    rho = sample(Laplace(2 / eps))
    for x in q:
        noise = sample(Laplace(4 / eps))
        if (sign == 1 and x + noise >= t + rho) or (sign == -1 and x + noise >= t - rho):
            yield True
            return
        yield False
        sign = -sign


# truth: no bound: y < t + rho is told by y and the answers below; grows with len(q)
@mechanism(DP())
def releases_what_it_compared(q: Answers, t: Public[float], eps: Epsilon) -> Iterator[float | None]:
    rho = sample(Laplace(2 / eps))
    for x in q:
        noise = sample(Laplace(4 / eps))
        if x + noise >= t + rho:
            yield x + noise
            return
        yield None


# truth: no bound: the noisy threshold is released after the answers below; grows with len(q)
@mechanism(DP())
def releases_the_threshold_at_last(
    q: Answers, t: Public[float], eps: Epsilon
) -> Iterator[float | bool]:
    rho = sample(Laplace(2 / eps))
    for x in q:
        noise = sample(Laplace(4 / eps))
        if x + noise >= t + rho:
            yield True
            return
        yield False
    yield t + rho


# truth: q = (0, 1) gives (False, True) with probability > 0, q' = (1, 0) never does: infinite
@mechanism(DP())
def threshold_noise_only(q: Answers, t: Public[float], eps: Epsilon) -> Iterator[bool]:
    rho = sample(Laplace(1 / eps))
    for x in q:
        if x >= t + rho:
            yield True
            return
        yield False


# truth: no bound: without a noisy threshold each answer below costs up to eps / 2: len(q) / 2 eps
@mechanism(DP())
def answer_noise_only(q: Answers, t: Public[float], eps: Epsilon) -> Iterator[bool]:
    for x in q:
        noise = sample(Laplace(2 / eps))
        if x + noise >= t:
            yield True
            return
        yield False


# truth: no bound: answers above are never counted; half below and half above grows with len(q)
@mechanism(DP())
def never_stops_answering(q: Answers, t: Public[float], eps: Epsilon) -> Iterator[bool]:
    rho = sample(Laplace(2 / eps))
    for x in q:
        noise = sample(Laplace(4 / eps))
        yield x + noise >= t + rho


# truth: (1 + c) / 2 eps in the limit: the noise of the answers does not grow with c
@mechanism(DP())
def noise_for_one_answer(
    q: Answers, t: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    answered = 0
    rho = sample(Laplace(2 / eps))
    for x in q:
        noise = sample(Laplace(4 / eps))
        if x + noise >= t + rho:
            yield True
            answered += 1
            if answered >= c:
                return
        else:
            yield False


# truth: (c + 1) / 2 eps in the limit: a new threshold after each answer, at the price of the first
@mechanism(DP())
def threshold_drawn_again(
    q: Answers, t: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    answered = 0
    rho = sample(Laplace(2 / eps))
    for x in q:
        noise = sample(Laplace(4 * c / eps))
        if x + noise >= t + rho:
            yield True
            answered += 1
            if answered >= c:
                return
            rho = sample(Laplace(2 / eps))
        else:
            yield False


# truth: 2 eps in the limit: the value has fresh noise of scale 1 / eps that nobody pays for
@mechanism(DP())
def value_for_free(q: Answers, t: Public[float], eps: Epsilon) -> Iterator[float | None]:
    rho = sample(Laplace(2 / eps))
    for x in q:
        noise = sample(Laplace(4 / eps))
        if x + noise >= t + rho:
            fresh = sample(Laplace(1 / eps))
            yield x + fresh
            return
        yield None


# truth: the maximum is below y with P(one is) ** len(q): exactly len(q) eps; one winner pays
@mechanism(DP())
def value_of_the_noisy_maximum(q: Answers, eps: Epsilon) -> Iterator[float]:
    assert len(q) >= 1
    best = 0
    for i, x in enumerate(q):
        noise = sample(Laplace(1 / eps))
        if i == 0 or x + noise > best:
            best = x + noise
    yield best


# truth: 2 eps in the limit of many answers: the winner is compared by 2, the noise hides 1
@mechanism(DP())
def winner_with_half_the_noise(q: Answers, eps: Epsilon) -> Iterator[int]:
    assert len(q) >= 1
    best = 0
    winner = 0
    for i, x in enumerate(q):
        noise = sample(Laplace(1 / eps))
        if i == 0 or x + noise > best:
            best = x + noise
            winner = i
    yield winner
