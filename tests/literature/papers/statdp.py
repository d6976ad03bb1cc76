"""What StatDP (2018), DP-Sniper (2021), DP-Finder (2018) and others test for violations."""

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
    argmax,
    mechanism,
    sample,
)

Answers = Annotated[Sequence[float], Queries(sensitivity=1)]


@mechanism(DP())
def statdp_noisy_max(q: Answers, eps: Epsilon) -> int:
    """Source: StatDP (Ding, Wang, Wang, Zhang, Kifer, CCS 2018), Algorithm 5."""
    noisy = []
    for x in q:
        noise = sample(Laplace(2 / eps))
        noisy.append(x + noise)
    if len(noisy) == 0:
        return -1
    return argmax(noisy)


@mechanism(DP())
def statdp_sparse_vector(
    q: Answers, T: Public[float], N: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: StatDP (CCS 2018), Algorithm 11."""
    assert N >= 1
    eta1 = sample(Laplace(2 / eps))
    noisy_T = T + eta1
    c1 = 0
    for x in q:
        eta2 = sample(Laplace(4 * N / eps))
        if x + eta2 >= noisy_T:
            yield True
            c1 = c1 + 1
            if c1 >= N:
                break
        else:
            yield False


@mechanism(DP(), expect="refuted")
def statdp_isvt_1(q: Answers, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Source: StatDP (CCS 2018), iSVT 1: no noise on the answers."""
    eta1 = sample(Laplace(2 / eps))
    noisy_T = T + eta1
    for x in q:
        if x >= noisy_T:
            yield True
        else:
            yield False


@mechanism(DP(), expect="refuted")
def statdp_isvt_2(q: Answers, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """Source: StatDP (CCS 2018), iSVT 2: no bound on the positive answers."""
    eta1 = sample(Laplace(2 / eps))
    noisy_T = T + eta1
    for x in q:
        eta2 = sample(Laplace(2 / eps))
        if x + eta2 >= noisy_T:
            yield True
        else:
            yield False


@mechanism(DP(), expect="refuted")
def statdp_isvt_3(q: Answers, T: Public[float], N: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: StatDP (CCS 2018), iSVT 3: scales 4 / eps and 4 / (3 eps), whatever the bound."""
    assert N >= 1
    eta1 = sample(Laplace(4 / eps))
    noisy_T = T + eta1
    c1 = 0
    for x in q:
        eta2 = sample(Laplace(4 / (3 * eps)))
        if x + eta2 >= noisy_T:
            yield True
            c1 = c1 + 1
            if c1 >= N:
                break
        else:
            yield False


@mechanism(DP(), expect="refuted")
def statdp_isvt_4(
    q: Answers, T: Public[float], N: Public[Nat], eps: Epsilon
) -> Iterator[float | bool]:
    """Source: StatDP (CCS 2018), iSVT 4: the noisy answer itself is released."""
    assert N >= 1
    eta1 = sample(Laplace(2 / eps))
    noisy_T = T + eta1
    c1 = 0
    for x in q:
        eta2 = sample(Laplace(2 * N / eps))
        if x + eta2 >= noisy_T:
            yield x + eta2
            c1 = c1 + 1
            if c1 >= N:
                break
        else:
            yield False


@mechanism(DP(), budget=lambda eps: 20 * eps)
def sniper_laplace_parallel(q: Answers, eps: Epsilon) -> Iterator[float]:
    """Source: DP-Sniper (Bichsel, Steffen, Bogunovic, Vechev, 2021), LaplaceParallel, n = 20."""
    assert len(q) == 20
    for x in q:
        noise = sample(Laplace(1 / eps))
        yield x + noise


@mechanism(DP(), budget=lambda eps: 19 * eps, expect="refuted")
def sniper_laplace_parallel_of_nineteen(q: Answers, eps: Epsilon) -> Iterator[float]:
    """Source: DP-Sniper (S&P 2021), LaplaceParallel, n = 20, claimed for 19."""
    assert len(q) == 20
    for x in q:
        noise = sample(Laplace(1 / eps))
        yield x + noise


@mechanism(DP())
def sniper_svt_2(q: Answers, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    """Source: DP-Sniper (S&P 2021), SVT2: a fresh threshold after each positive answer, drawn
    where it is needed.
    """
    assert c >= 1
    rho = sample(Laplace(2 * c / eps))
    answered = 0
    for x in q:
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= T + rho:
            yield True
            answered += 1
            if answered >= c:
                return
            rho = sample(Laplace(2 * c / eps))
        else:
            yield False


@mechanism(DP(), expect="refuted")
def sniper_svt_2_threshold_forgotten(
    q: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    """Source: DP-Sniper (S&P 2021), SVT2 whose fresh thresholds have the noise of one."""
    assert c >= 2
    rho = sample(Laplace(2 / eps))
    answered = 0
    for x in q:
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= T + rho:
            yield True
            answered += 1
            if answered >= c:
                return
            rho = sample(Laplace(2 / eps))
        else:
            yield False


@mechanism(DP(), budget=lambda n, eps: n * eps)
def sniper_prefix_sum(q: Counts, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    """Source: DP-Sniper (S&P 2021), PrefixSum on neighbours that differ in all n entries."""
    assert len(q) == n
    total = 0.0
    for x in q:
        noise = sample(Laplace(1 / eps))
        total = total + x + noise
        yield total


@mechanism(DP(), expect="refuted")
def sniper_prefix_sum_for_one(q: Counts, eps: Epsilon) -> Iterator[float]:
    """Source: DP-Sniper (S&P 2021), PrefixSum on neighbours that differ in all entries, for eps."""
    total = 0.0
    for x in q:
        noise = sample(Laplace(1 / eps))
        total = total + x + noise
        yield total


@mechanism(DP(), expect="refuted")
def finder_sum_of_squares(q: Counts, eps: Epsilon) -> float:
    """Source: DP-Finder (Bichsel, Gehr, Drachsler-Cohen, Tsankov, Vechev, CCS 2018) tests sums of
    answers; here their squares, whose sensitivity is no constant.
    """
    total = 0
    for x in q:
        total += x * x
    noise = sample(Laplace(1 / eps))
    return total + noise


@mechanism(DP(), expect="refuted")
def noise_with_a_fixed_scale(q: Answers, eps: Epsilon) -> float:
    """Source: Kifer et al., Guidelines for Implementing and Auditing Differentially Private Systems
    (2020): a scale that does not know epsilon.
    """
    assert len(q) >= 1
    noise = sample(Laplace(2))
    return q[0] + noise


@mechanism(DP(), expect="refuted")
def same_noise_for_all(q: Answers, eps: Epsilon) -> Iterator[float]:
    """Source: Kifer et al. (2020): one draw of noise that is used for several answers."""
    noise = sample(Laplace(1 / eps))
    for x in q:
        yield x + noise


@mechanism(DP(), expect="refuted")
def number_of_answers_by_the_data(q: Counts, eps: Epsilon) -> Iterator[float]:
    """Source: Kifer et al. (2020): how much is released depends on the data."""
    for x in q:
        noise = sample(Laplace(1 / eps))
        if x == 0:
            return
        yield noise
