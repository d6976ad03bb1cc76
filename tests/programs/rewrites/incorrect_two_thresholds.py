"""The interleaved sparse vectors of ``correct_two_thresholds``, each broken in one small place.

A truth names a witness, as in ``incorrect_svt``.
"""

from collections.abc import Iterator

from shiftproof import (
    ADP,
    DP,
    Counts,
    Epsilon,
    Exponential,
    Laplace,
    Nat,
    NegativeExponential,
    Policy,
    Public,
    Vector,
    mechanism,
    sample,
)

visited = Policy(sensitive={1})


# truth: not private because g has no noise: c = 1, lower = 0, g [1, 0] -> [0, 1], None then False
@mechanism(DP(), expect="refuted")
def two_thresholds_exact_answers(
    f: Counts,
    g: Counts,
    upper: Public[float],
    lower: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[bool | None]:
    assert c >= 1 and len(f) == len(g)
    rho = sample(Laplace(4 / eps))
    sigma = sample(Laplace(4 / eps))
    high, low = c, c
    for i in range(len(f)):
        if high > 0:
            nu = sample(Laplace(8 * c / eps))
            if f[i] + nu >= upper + rho:
                yield True
                high -= 1
            else:
                yield None
        if low > 0:
            mu = sample(Laplace(8 * c / eps))
            if g[i] <= lower + sigma:
                yield False
                low -= 1
            else:
                yield None


# truth: not private because rho serves both: c = 1, high f at +1, low g at -1, 6 dots: 1.5 eps
@mechanism(DP(), expect="refuted")
def two_thresholds_one_noise(
    f: Counts,
    g: Counts,
    upper: Public[float],
    lower: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[str]:
    assert c >= 1
    rho = sample(Laplace(4 / eps))
    sigma = sample(Laplace(4 / eps))
    remaining = c
    for x, y in zip(f, g):
        nu = sample(Laplace(4 * c / eps))
        if x + nu >= upper + rho:
            yield "high"
            remaining -= 1
            if remaining <= 0:
                return
        else:
            yield "."
        nu = sample(Laplace(4 * c / eps))
        if y + nu > lower + rho:
            yield "."
            continue
        yield "low"
        remaining -= 1
        if remaining <= 0:
            return


# truth: not private because the middle says its value: c = 1, far bars, five low values: 1.25 eps
@mechanism(DP(), expect="refuted")
def band_with_values(
    f: Counts,
    upper: Public[float],
    lower: Public[float],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[float]:
    assert c >= 1
    rho = sample(Laplace(4 / eps))
    sigma = sample(Laplace(4 / eps))
    outside = 0
    for x in f:
        nu = sample(Laplace(4 * c / eps))
        noisy = x + nu
        if noisy >= upper + rho:
            yield 1
            outside += 1
        elif noisy <= lower + sigma:
            yield -1
            outside += 1
        else:
            yield noisy
        if outside >= c:
            break


# truth: not private because g falls too: g [1] -> [0], lower = 5, 0.5 cannot come from 0
@mechanism(ADP(visited), expect="refuted")
def two_thresholds_both_falling(
    f: Counts,
    g: Counts,
    upper: Public[Vector],
    lower: Public[Vector],
    c: Public[Nat],
    eps: Epsilon,
) -> Iterator[float | None]:
    assert c >= 1
    assert len(f) == len(g) and len(upper) == len(f) and len(lower) == len(g)
    scale = 2 * c / eps
    high, low = 0, 0
    for i in range(len(f)):
        up = sample(Exponential(scale))
        noisy = f[i] + up
        if noisy >= upper[i]:
            yield noisy
            high += 1
            if high >= c:
                return
        else:
            yield None
        down = sample(NegativeExponential(scale))
        noisy = g[i] + down
        if noisy <= lower[i]:
            yield noisy
            low += 1
            if low >= c:
                return
        else:
            yield None
