"""The seven sparse vectors of Lyu, Su and Li, Understanding the Sparse Vector Technique (2017)."""

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

Answers = Annotated[Sequence[float], Queries(sensitivity="D")]


@mechanism(DP())
def lyu_1(
    q: Answers, T: Public[Vector], c: Public[Nat], D: Public[float], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 1."""
    assert c >= 1 and D > 0 and len(T) == len(q)
    rho = sample(Laplace(D / (eps / 2)))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(2 * c * D / (eps / 2)))
        if q[i] + nu >= T[i] + rho:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP())
def lyu_2(
    q: Answers, T: Public[float], c: Public[Nat], D: Public[float], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 2, that of Dwork and Roth (2014)."""
    assert c >= 1 and D > 0
    rho = sample(Laplace(c * D / (eps / 2)))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(2 * c * D / (eps / 2)))
        if q[i] + nu >= T + rho:
            yield True
            rho = sample(Laplace(c * D / (eps / 2)))
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP(), expect="refuted")
def lyu_3(
    q: Answers, T: Public[float], c: Public[Nat], D: Public[float], eps: Epsilon
) -> Iterator[float | None]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 3, from lecture notes of Roth (2011)."""
    assert c >= 1 and D > 0
    rho = sample(Laplace(D / (eps / 2)))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(c * D / (eps / 2)))
        if q[i] + nu >= T + rho:
            yield q[i] + nu
            count += 1
            if count >= c:
                return
        else:
            yield None


@mechanism(DP(), budget=lambda c, eps: (1 + 6 * c) / 4 * eps)
def lyu_4(
    q: Answers, T: Public[float], c: Public[Nat], D: Public[float], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 4 of Lee and Clifton (2014), with the budget
    that their analysis gives it.
    """
    assert c >= 1 and D > 0
    rho = sample(Laplace(D / (eps / 4)))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(D / (3 * eps / 4)))
        if q[i] + nu >= T + rho:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP("add-remove"), budget=lambda c, eps: (1 + 3 * c) / 4 * eps)
def lyu_4_monotone(q: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 4 for monotonic queries."""
    assert c >= 1
    rho = sample(Laplace(1 / (eps / 4)))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(1 / (3 * eps / 4)))
        if q[i] + nu >= T + rho:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP(), expect="refuted")
def lyu_4_as_printed(
    q: Answers, T: Public[float], c: Public[Nat], D: Public[float], eps: Epsilon
) -> Iterator[bool]:
    """Source: Lee and Clifton (KDD 2014), as Lyu, Su and Li (VLDB 2017) print it, Algorithm 4."""
    assert c >= 1 and D > 0
    rho = sample(Laplace(D / (eps / 4)))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(D / (3 * eps / 4)))
        if q[i] + nu >= T + rho:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP(), expect="refuted")
def lyu_5(q: Answers, T: Public[float], D: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Source: Stoddard, Chen and Machanavajjhala (2014), Algorithm 5 of Lyu, Su and Li."""
    assert D > 0
    rho = sample(Laplace(D / (eps / 2)))
    for i in range(len(q)):
        if q[i] >= T + rho:
            yield True
        else:
            yield False


@mechanism(DP(), expect="refuted")
def lyu_6(q: Answers, T: Public[Vector], D: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Source: Chen, Xiao, Zhang and Xu (2015), Algorithm 6 of Lyu, Su and Li (VLDB 2017)."""
    assert D > 0 and len(T) == len(q)
    rho = sample(Laplace(D / (eps / 2)))
    for i in range(len(q)):
        nu = sample(Laplace(D / (eps / 2)))
        if q[i] + nu >= T[i] + rho:
            yield True
        else:
            yield False


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2)
def lyu_7(
    q: Answers,
    T: Public[Vector],
    c: Public[Nat],
    D: Public[float],
    eps1: Epsilon,
    eps2: Epsilon,
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 7 with epsilon_3 = 0."""
    assert c >= 1 and D > 0 and len(T) == len(q)
    rho = sample(Laplace(D / eps1))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(2 * c * D / eps2))
        if q[i] + nu >= T[i] + rho:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP(), budget=lambda eps1, eps2, eps3: eps1 + eps2 + eps3)
def lyu_7_numeric(
    q: Answers,
    T: Public[Vector],
    c: Public[Nat],
    D: Public[float],
    eps1: Epsilon,
    eps2: Epsilon,
    eps3: Epsilon,
) -> Iterator[float | bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 7."""
    assert c >= 1 and D > 0 and len(T) == len(q)
    rho = sample(Laplace(D / eps1))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(2 * c * D / eps2))
        if q[i] + nu >= T[i] + rho:
            fresh = sample(Laplace(c * D / eps3))
            yield q[i] + fresh
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP("add-remove"), budget=lambda eps1, eps2: eps1 + eps2)
def lyu_7_monotone(
    q: Counts, T: Public[Vector], c: Public[Nat], eps1: Epsilon, eps2: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 7 for monotonic queries."""
    assert c >= 1 and len(T) == len(q)
    rho = sample(Laplace(1 / eps1))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(c / eps2))
        if q[i] + nu >= T[i] + rho:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2, expect="refuted")
def lyu_7_monotone_scale_for_all(
    q: Counts, T: Public[Vector], c: Public[Nat], eps1: Epsilon, eps2: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 7, the monotonic scale for other queries."""
    assert c >= 1 and len(T) == len(q)
    rho = sample(Laplace(1 / eps1))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(c / eps2))
        if q[i] + nu >= T[i] + rho:
            yield True
            count += 1
            if count >= c:
                return
        else:
            yield False


@mechanism(DP(), budget=lambda eps1, eps2: eps1 + eps2, expect="refuted")
def lyu_7_one_more_answer(
    q: Counts, T: Public[Vector], c: Public[Nat], eps1: Epsilon, eps2: Epsilon
) -> Iterator[bool]:
    """Source: Lyu, Su and Li (VLDB 2017), Algorithm 7, stopped one answer too late."""
    assert c >= 1 and len(T) == len(q)
    rho = sample(Laplace(1 / eps1))
    count = 0
    for i in range(len(q)):
        nu = sample(Laplace(2 * c / eps2))
        if q[i] + nu >= T[i] + rho:
            yield True
            count += 1
            if count > c:
                return
        else:
            yield False
