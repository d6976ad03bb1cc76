"""Sparse vectors of the literature in the ways in which people write them."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    DP,
    Counts,
    Epsilon,
    Laplace,
    Nat,
    Public,
    Queries,
    Vector,
    mechanism,
    sample,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]
Scaled = Annotated[Sequence[float], Queries(sensitivity="D")]


@mechanism(DP())
def svt_divided_by_sensitivity(
    q: Scaled, T: Public[float], c: Public[Nat], D: Public[float], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1; all is divided by the sensitivity first."""
    assert c >= 1 and D > 0
    rho = sample(Laplace(2 / eps))
    count = 0
    for x in q:
        nu = sample(Laplace(4 * c / eps))
        if x / D + nu >= T / D + rho:
            yield True
            count += 1
            if count == c:
                break
        else:
            yield False


@mechanism(DP())
def svt_with_spending(q: Answers, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1; the budget is an account that is spent."""
    assert c >= 1
    left = eps
    rho = sample(Laplace(2 / eps))
    left -= eps / 2
    for x in q:
        if left < eps / (2 * c):
            return
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= T + rho:
            yield True
            left -= eps / (2 * c)
        else:
            yield False


@mechanism(DP(), expect="refuted")
def svt_with_spending_half(
    q: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1; the account is charged half of the cost."""
    assert c >= 1
    left = eps
    rho = sample(Laplace(2 / eps))
    left -= eps / 2
    for x in q:
        if left < eps / (4 * c):
            return
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= T + rho:
            yield True
            left -= eps / (4 * c)
        else:
            yield False


@mechanism(DP())
def svt_with_a_budget_of_tokens(
    q: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[int]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1; indices are told, tokens counted down."""
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    tokens = c
    i = 0
    while tokens > 0 and i < len(q):
        nu = sample(Laplace(4 * c / eps))
        if q[i] + nu >= T + rho:
            yield i
            tokens -= 1
        i += 1


@mechanism(DP())
def svt_with_a_helper(q: Answers, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[str]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1; the test is a function."""
    assert c >= 1

    def above(x, noise, lift):
        return x + noise >= T + lift

    rho = sample(Laplace(2 / eps))
    count = 0
    for x in q:
        nu = sample(Laplace(4 * c / eps))
        if not above(x, nu, rho):
            yield "no"
            continue
        yield "yes"
        count += 1
        if count >= c:
            return


@mechanism(DP())
def svt_noise_on_the_difference(
    q: Answers, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1; the sign of one noisy difference."""
    assert c >= 1 and len(T) == len(q)
    rho = sample(Laplace(2 / eps))
    count = 0
    for i, x in enumerate(q):
        nu = sample(Laplace(4 * c / eps))
        difference = x - T[i] + nu - rho
        if difference < 0:
            yield False
        else:
            yield True
            count += 1
        if count >= c:
            break


@mechanism(DP())
def svt_noise_drawn_before(q: Answers, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Source: Dwork and Roth (2014), Algorithm 1; all noise is drawn before, into a list."""
    rho = sample(Laplace(2 / eps))
    noise = [0.0] * len(q)
    for i in range(len(q)):
        nu = sample(Laplace(4 / eps))
        noise[i] = nu
    for i in range(len(q)):
        if q[i] + noise[i] >= T + rho:
            yield True
            return
        yield False


@mechanism(DP())
def svt_answers_first_then_told(q: Answers, T: Public[float], eps: Epsilon) -> int | None:
    """Source: Dwork and Roth (2014), Algorithm 1; the index is kept, and told at the end."""
    rho = sample(Laplace(2 / eps))
    found = -1
    for i in range(len(q)):
        nu = sample(Laplace(4 / eps))
        if found < 0 and q[i] + nu >= T + rho:
            found = i
    if found >= 0:
        return found
    return None


@mechanism(DP())
def svt_numeric_as_an_average(
    q: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Source: Dwork and Roth (2014), Algorithm 3 with one threshold; noisy answers are added up and
    their average is released after each.
    """
    assert c >= 1
    rho = sample(Laplace(3 / eps))
    count = 0
    total = 0.0
    for x in q:
        nu = sample(Laplace(6 * c / eps))
        if x + nu >= T + rho:
            fresh = sample(Laplace(3 * c / eps))
            total += x + fresh
            count += 1
            yield total / count
            if count >= c:
                return


@mechanism(DP())
def svt_two_in_a_row(q: Answers, r: Answers, T: Public[float], eps: Epsilon) -> tuple[int, int]:
    """Source: Dwork and Roth (2014), Algorithm 1 twice and Theorem 3.16, half of eps each."""
    first = -1
    lift = sample(Laplace(4 / eps))
    for i in range(len(q)):
        noise = sample(Laplace(8 / eps))
        if q[i] + noise >= T + lift:
            first = i
            break
    second = -1
    again = sample(Laplace(4 / eps))
    for j in range(len(r)):
        noise = sample(Laplace(8 / eps))
        if r[j] + noise >= T + again:
            second = j
            break
    return first, second


@mechanism(DP(), expect="refuted")
def svt_two_in_a_row_for_one(
    q: Answers, r: Answers, T: Public[float], eps: Epsilon
) -> tuple[int, int]:
    """Source: Dwork and Roth (2014), Algorithm 1 twice, each for all of eps."""
    first = -1
    lift = sample(Laplace(2 / eps))
    for i in range(len(q)):
        noise = sample(Laplace(4 / eps))
        if q[i] + noise >= T + lift:
            first = i
            break
    second = -1
    again = sample(Laplace(2 / eps))
    for j in range(len(r)):
        noise = sample(Laplace(4 / eps))
        if r[j] + noise >= T + again:
            second = j
            break
    return first, second


@mechanism(DP("add-remove"))
def svt_until_the_count_is_reached(f: Counts, goal: Public[int], eps: Epsilon) -> int:
    """Source: Dwork and Roth (2014), Algorithm 1 for counts that grow: the first time at which a
    goal is reached.
    """
    lift = sample(Laplace(2 / eps))
    t = 0
    reached = False
    while t < len(f) and not reached:
        noise = sample(Laplace(2 / eps))
        if f[t] + noise >= goal + lift:
            reached = True
        else:
            t += 1
    return t


@mechanism(DP())
def svt_relative_threshold(
    q: Answers, share: Public[float], n: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: Dwork and Roth (2014), Algorithm 1; fractions of n records against a share."""
    assert n >= 1
    lift = sample(Laplace(2 / (n * eps)))
    for x in q:
        noise = sample(Laplace(4 / (n * eps)))
        if x / n + noise >= share + lift:
            yield True
            return
        yield False


@mechanism(DP(), expect="refuted")
def svt_relative_threshold_too_precise(
    q: Answers, share: Public[float], n: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: Dwork and Roth (2014), Algorithm 1; fractions with noise divided by n twice."""
    assert n >= 2
    lift = sample(Laplace(2 / (n * n * eps)))
    for x in q:
        noise = sample(Laplace(4 / (n * n * eps)))
        if x / n + noise >= share + lift:
            yield True
            return
        yield False


@mechanism(DP())
def svt_alternating(q: Answers, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Source: Dwork and Roth (2014), Algorithm 1 upwards and then downwards: until an answer is
    above, and from then on until one is below.
    """
    up = sample(Laplace(4 / eps))
    down = sample(Laplace(4 / eps))
    waiting = True
    for x in q:
        noise = sample(Laplace(8 / eps))
        if waiting:
            if x + noise >= T + up:
                waiting = False
            yield waiting
        else:
            if x + noise < T + down:
                yield True
                return
            yield False
