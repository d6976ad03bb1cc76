"""Sparse vectors with gaps, budgets that adapt, other noise, and other ways to stop."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    NegativeExponential,
    Public,
    Queries,
    Stream,
    Vector,
    mechanism,
    sample,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


@mechanism(DP())
def adaptive_gap_sparse_vector(
    q: Answers,
    T: Public[float],
    sigma: Public[float],
    k: Public[Nat],
    theta: Public[float],
    eps: Epsilon,
) -> Iterator[float | None]:
    """Source: Ding, Wang, Zhang and Kifer, Free Gap Information (VLDB 2019), Algorithm 2,
    Adaptive-SVT-with-Gap; costs are counted in halves of its eps_1 = (1 - theta) eps / k.
    """
    assert k >= 1 and 0 < theta and theta < 1 and sigma > 0
    lift = sample(Laplace(1 / (theta * eps)))
    noisy_T = T + lift
    halves = 0
    for i in range(len(q)):
        far = sample(Laplace(4 * k / ((1 - theta) * eps)))
        near = sample(Laplace(2 * k / ((1 - theta) * eps)))
        if q[i] + far - noisy_T >= sigma:
            yield q[i] + far - noisy_T
            halves += 1
        elif q[i] + near - noisy_T >= 0:
            yield q[i] + near - noisy_T
            halves += 2
        else:
            yield None
        if halves > 2 * k - 2:
            return


@mechanism(DP(), expect="refuted")
def adaptive_gap_sparse_vector_stops_late(
    q: Answers,
    T: Public[float],
    sigma: Public[float],
    k: Public[Nat],
    theta: Public[float],
    eps: Epsilon,
) -> Iterator[float | None]:
    """Source: Free Gap Information (VLDB 2019), Algorithm 2, stopped when all is spent twice."""
    assert k >= 1 and 0 < theta and theta < 1 and sigma > 0
    lift = sample(Laplace(1 / (theta * eps)))
    noisy_T = T + lift
    halves = 0
    for i in range(len(q)):
        far = sample(Laplace(4 * k / ((1 - theta) * eps)))
        near = sample(Laplace(2 * k / ((1 - theta) * eps)))
        if q[i] + far - noisy_T >= sigma:
            yield q[i] + far - noisy_T
            halves += 1
        elif q[i] + near - noisy_T >= 0:
            yield q[i] + near - noisy_T
            halves += 2
        else:
            yield None
        if halves > 4 * k:
            return


@mechanism(DP())
def gap_sparse_vector_with_measure(
    q: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Source: Free Gap Information (VLDB 2019), Section 6: the gap, and a measurement with the
    other half of the budget.
    """
    assert c >= 1
    lift = sample(Laplace(4 / eps))
    answered = 0
    for i in range(len(q)):
        noise = sample(Laplace(8 * c / eps))
        gap = q[i] + noise - T - lift
        if gap >= 0:
            fresh = sample(Laplace(2 * c / eps))
            yield gap
            yield q[i] + fresh
            answered += 1
            if answered >= c:
                return


@mechanism(DP())
def first_above_in_a_stream(
    s: Annotated[Iterable[float], Stream(sensitivity=1)], T: Public[float], eps: Epsilon
) -> Iterator[bool]:
    """Source: Dwork, Naor, Reingold, Rothblum and Vadhan (STOC 2009), the first sparse vector, for
    queries that are chosen on the way.
    """
    lift = sample(Laplace(2 / eps))
    for x in s:
        noise = sample(Laplace(4 / eps))
        if x + noise >= T + lift:
            yield True
            return
        yield False


@mechanism(DP(), expect="refuted")
def all_above_in_a_stream(
    s: Annotated[Iterable[float], Stream(sensitivity=1)], T: Public[float], eps: Epsilon
) -> Iterator[bool]:
    """Source: Dwork, Naor, Reingold, Rothblum and Vadhan (STOC 2009), without a stop."""
    lift = sample(Laplace(2 / eps))
    for x in s:
        noise = sample(Laplace(4 / eps))
        if x + noise >= T + lift:
            yield True
        else:
            yield False


@mechanism(DP())
def first_above_with_one_sided_noise(q: Answers, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1 with c = 1; exponential noise on both sides,
    as the shifts of its proof are never negative.
    """
    lift = sample(Exponential(2 / eps))
    for i in range(len(q)):
        noise = sample(Exponential(4 / eps))
        if q[i] + noise >= T + lift:
            yield True
            return
        yield False


@mechanism(DP(), expect="refuted")
def first_above_with_noise_the_other_way(
    q: Answers, T: Public[float], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1 with c = 1, noise that only lowers."""
    lift = sample(NegativeExponential(2 / eps))
    for i in range(len(q)):
        noise = sample(NegativeExponential(4 / eps))
        if q[i] + noise >= T + lift:
            yield True
            return
        yield False


@mechanism(DP())
def first_below(q: Answers, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Source: Dwork and Roth (2014), Algorithm 1 turned over: the first answer below."""
    lift = sample(Laplace(2 / eps))
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        if q[i] + noise < T + lift:
            yield True
            return
        yield False


@mechanism(DP())
def index_of_the_first_above(q: Answers, T: Public[float], eps: Epsilon) -> int:
    """Source: OpenDP, make_above_threshold: the index alone, and -1 if there is none."""
    lift = sample(Laplace(2 / eps))
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        if q[i] + noise >= T + lift:
            return i
    return -1


@mechanism(DP())
def thresholds_on_the_counts(
    q: Answers, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1, thresholds subtracted first."""
    assert c >= 1 and len(T) == len(q)
    rho = sample(Laplace(2 / eps))
    left = c
    for x, t in zip(q, T):
        nu = sample(Laplace(4 * c / eps))
        above = x - t + nu >= rho
        yield above
        if above:
            left -= 1
        if left == 0:
            return


@mechanism(DP())
def retraversal(
    q: Answers, T: Public[float], c: Public[Nat], rounds: Public[Nat], eps: Epsilon
) -> Iterator[int]:
    """Source: Lyu, Su and Li (VLDB 2017), Section 5, SVT-ReTr: the list is gone through again,
    with the same noisy threshold, until c answers are selected; at most so many rounds.
    """
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    chosen = [False] * len(q)
    count = 0
    for r in range(rounds):
        for i in range(len(q)):
            if not chosen[i]:
                nu = sample(Laplace(4 * c / eps))
                if q[i] + nu >= T + rho:
                    yield i
                    chosen[i] = True
                    count += 1
                    if count >= c:
                        return


@mechanism(DP())
def increasing_threshold_for_free(
    q: Answers, T: Public[float], step: Public[float], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Section 5, a threshold that public steps raise."""
    lift = sample(Laplace(2 / eps))
    t = T
    for x in q:
        noise = sample(Laplace(4 / eps))
        if x + noise >= t + lift:
            yield True
            return
        yield False
        t += step


@mechanism(DP())
def guess_or_answer(
    q: Answers, guess: Public[Vector], T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Source: Roth and Roughgarden, Interactive Privacy via the Median Mechanism (2010); Hardt and
    Rothblum, Private Multiplicative Weights (2010): a public guess is kept while it is good.
    """
    assert c >= 1 and len(guess) == len(q)
    lift = sample(Laplace(3 / eps))
    updates = 0
    for i in range(len(q)):
        noise = sample(Laplace(6 * c / eps))
        if abs(q[i] - guess[i]) + noise >= T + lift:
            fresh = sample(Laplace(3 * c / eps))
            yield q[i] + fresh
            updates += 1
            if updates >= c:
                return
        else:
            yield guess[i]


@mechanism(DP(), expect="refuted")
def guess_or_answer_exactly_tested(
    q: Answers, guess: Public[Vector], T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Source: Hardt and Rothblum (FOCS 2010), where the test of the guess is exact."""
    assert c >= 1 and len(guess) == len(q)
    updates = 0
    for i in range(len(q)):
        fresh = sample(Laplace(c / eps))
        if abs(q[i] - guess[i]) >= T:
            yield q[i] + fresh
            updates += 1
            if updates >= c:
                return
        else:
            yield guess[i]
