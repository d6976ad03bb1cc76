"""The sparse vectors of ``correct_svt_*``, each broken in one small place.

A truth names a witness: answers on D -> D', the threshold (or none: the same limit holds as
T moves away), the output, and the loss, which is more than the claim.
"""

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


# truth: not private because c + 1 may pass: c = 1, far from T, FFFTT at +1 +1 +1 -1 -1: 1.25 eps
@mechanism(DP(), expect="refuted")
def svt_range_one_more(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    found = 0
    for i in range(len(f)):
        nu = sample(Laplace(4 * c / eps))
        if f[i] + nu >= T + rho:
            yield True
            found += 1
            if found > c:
                return
        else:
            yield False


# truth: not private because nothing stops it: c = 1, FFTTTT at +1 +1 -1 -1 -1 -1: 1.47 eps
@mechanism(DP(), expect="refuted")
def svt_while_no_limit(q: Counts, t: Public[float], n: Public[Nat], e: Epsilon) -> Iterator[bool]:
    assert n >= 1
    noise = sample(Laplace(2 / e))
    noisy_t = t + noise
    i = 0
    positives = 0
    while i < len(q):
        noise = sample(Laplace(4 * n / e))
        if q[i] + noise >= noisy_t:
            positives = positives + 1
            yield True
        else:
            yield False
        i = i + 1


# truth: not private because the answers have no noise: T = 0, [0, 1] -> [1, 0], FT is impossible
@mechanism(DP(), expect="refuted")
def svt_enumerate_exact_answers(
    f: Counts, thresholds: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert len(f) <= len(thresholds) and 1 <= c
    rho = sample(Laplace(2 / eps))
    hits = 0
    for i, x in enumerate(f):
        noise = sample(Laplace(4 * c / eps))
        if x >= thresholds[i] + rho:
            yield True
            hits += 1
            if hits == c:
                break
        else:
            yield False


# truth: not private because rho is left out: c = 1, all far above T, FFFFF at +1: 1.25 eps
@mechanism(DP("replacement"), expect="refuted")
def svt_zip_exact_threshold(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    hits = 0
    for answer, threshold in zip(f, T):
        eta = sample(Laplace(4 * c / eps))
        above = answer + eta >= threshold
        yield above
        hits += 1 if above else 0
        if hits >= c:
            break


# truth: not private because one nu serves all: T = 0, [0, 1] -> [1, 0], FT is impossible
@mechanism(DP(), expect="refuted")
def svt_early_continue_one_noise(
    f: Answers, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    bar = T + rho
    count = 0
    nu = sample(Laplace(4 * c / eps))
    for x in f:
        if x + nu < bar:
            yield False
            continue
        yield True
        count += 1
        if count < c:
            continue
        return


# truth: not private because it releases the noisy answer: c = 1, FFFF and a low value, 1.25 eps
@mechanism(DP(), expect="refuted")
def svt_conditional_yield_value(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[float | None]:
    assert c >= 1
    rho = sample(Laplace(2 / eps))
    seen = 0
    for i in range(len(f)):
        nu = sample(Laplace(4 * c / eps))
        noisy = f[i] + nu
        above = noisy >= T + rho
        yield noisy if above else None
        if above:
            seen += 1
        if seen >= c:
            break


# truth: not private because it looks at f, not at T: [0] -> [1], None is impossible on D'
@mechanism(DP(), expect="refuted")
def svt_some_positions_private(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[bool | None]:
    assert c >= 1 and len(T) == len(f)
    rho = sample(Laplace(2 / eps))
    hits = 0
    for i, bar in enumerate(T):
        if f[i] < 1:
            yield None
        elif hits < c:
            nu = sample(Laplace(4 * c / eps))
            above = bar + rho <= f[i] + nu
            if above:
                hits += 1
            yield above


# truth: not private because the scale fits add-remove only: c = 1, FT at +1 -1: 1.33 eps
@mechanism(DP(), expect="refuted")
def svt_third_for_monotone(
    f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(3 / eps))
    found = 0
    for x in f:
        nu = sample(Laplace(3 * c / (2 * eps)))
        if x + nu >= T + rho:
            yield True
            found += 1
            if found >= c:
                return
        else:
            yield False


# truth: not private because rho alone is paid: eps2 = 100 eps1, T = 0, [0, 1] -> [1, 0], FT
@mechanism(DP(), budget=lambda eps1: eps1, expect="refuted")
def svt_unpaid_answers(
    f: Counts, T: Public[float], c: Public[Nat], eps1: Epsilon, eps2: Epsilon
) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(1 / eps1))
    count = 0
    for x in f:
        nu = sample(Laplace(2 * c / eps2))
        if x + nu < T + rho:
            yield False
            continue
        yield True
        count += 1
        if count >= c:
            return


# truth: not private because it claims half: c = 1, FFT at +1 +1 -1: 1.5 eps > c eps
@mechanism(DP(), budget=lambda c, eps: c * eps, expect="refuted")
def svt_half_budget(f: Counts, T: Public[float], c: Public[Nat], eps: Epsilon) -> Iterator[bool]:
    assert c >= 1
    rho = sample(Laplace(1 / (c * eps)))
    left = c
    for x in f:
        nu = sample(Laplace(2 / eps))
        if T + rho <= x + nu:
            yield True
            left -= 1
            if left < 1:
                return
        else:
            yield False
