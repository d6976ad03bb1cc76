"""Noise on whole numbers, bounded noise, stairs and mixtures for one answer."""

from math import exp
from typing import Annotated

from shiftproof import (
    ADP,
    DP,
    Bernoulli,
    Count,
    DiscreteLaplace,
    Epsilon,
    Exponential,
    Laplace,
    Logistic,
    Nat,
    OneSidedGeometric,
    Policy,
    Public,
    Query,
    Staircase,
    TwoSidedGeometric,
    Uniform,
    mechanism,
    sample,
)

Answer = Annotated[float, Query(sensitivity="D")]
ones = Policy(sensitive={1})


@mechanism(DP())
def ghosh_geometric(f: Count, eps: Epsilon) -> int:
    """Source: Ghosh, Roughgarden and Sundararajan (STOC 2009), Definition 2.1."""
    noise = sample(TwoSidedGeometric(1 / eps))
    return f + noise


@mechanism(DP())
def ghosh_truncated(f: Count, n: Public[Nat], eps: Epsilon) -> int:
    """Source: Ghosh, Roughgarden and Sundararajan (STOC 2009), the truncated mechanism."""
    noise = sample(TwoSidedGeometric(1 / eps))
    return min(max(f + noise, 0), n)


@mechanism(DP(), expect="refuted")
def ghosh_small_noise(f: Count, eps: Epsilon) -> int:
    """Source: Ghosh, Roughgarden and Sundararajan (STOC 2009), with alpha squared."""
    noise = sample(TwoSidedGeometric(1 / (2 * eps)))
    return f + noise


@mechanism(DP())
def discrete_laplace_of_a_sum(f: Count, g: Count, eps: Epsilon) -> int:
    """Source: Canonne, Kamath and Steinke (NeurIPS 2020), discrete Laplace of sensitivity 5."""
    noise = sample(DiscreteLaplace(5 / eps))
    return 3 * f + 2 * g + noise


@mechanism(DP(), expect="refuted")
def discrete_laplace_of_the_larger_part(f: Count, g: Count, eps: Epsilon) -> int:
    """Source: Canonne, Kamath and Steinke (NeurIPS 2020), the sensitivity of one part of a sum."""
    noise = sample(DiscreteLaplace(3 / eps))
    return 3 * f + 2 * g + noise


@mechanism(DP(), expect="refuted")
def one_sided_geometric_both_ways(f: Count, eps: Epsilon) -> int:
    """Source: Asymmetric Differential Privacy, Definition 15 on the integers, under DP."""
    noise = sample(OneSidedGeometric(1 / eps))
    return f + noise


@mechanism(ADP(ones))
def one_sided_geometric_one_way(f: Count, eps: Epsilon) -> int:
    """Source: Asymmetric Differential Privacy, Definition 15 on the integers."""
    noise = sample(OneSidedGeometric(1 / eps))
    return f + noise


@mechanism(DP())
def difference_of_geometrics(f: Count, eps: Epsilon) -> int:
    """Source: Inusah and Kozubowski, A Discrete Analogue of the Laplace Distribution (2006): the
    difference of two geometric variables is discrete Laplace.
    """
    plus = sample(OneSidedGeometric(1 / eps))
    minus = sample(OneSidedGeometric(1 / eps))
    return f + plus - minus


@mechanism(DP())
def difference_of_exponentials(f: Answer, D: Public[float], eps: Epsilon) -> float:
    """Source: Kotz, Kozubowski and Podgorski (2001): Laplace noise as a difference of two
    exponential ones; used to share the noise among parties.
    """
    assert D > 0
    plus = sample(Exponential(D / eps))
    minus = sample(Exponential(D / eps))
    return f + plus - minus


@mechanism(DP())
def exponential_with_a_sign(f: Answer, D: Public[float], eps: Epsilon) -> float:
    """Source: Laplace noise as an exponential size with a fair sign; Devroye (1986), Chapter IX."""
    assert D > 0
    size = sample(Exponential(D / eps))
    sign = sample(Bernoulli(1 / 2))
    return f + size if sign else f - size


@mechanism(DP(), expect="refuted")
def exponential_with_a_loaded_sign(f: Answer, D: Public[float], eps: Epsilon) -> float:
    """Source: Devroye (1986), Chapter IX, with a sign that is mostly positive.

    Where the signs part, the density falls by 9 at once.
    """
    assert D > 0
    size = sample(Exponential(D / eps))
    sign = sample(Bernoulli(9 / 10))
    return f + size if sign else f - size


@mechanism(DP())
def geng_staircase(f: Answer, D: Public[float], gamma: Public[float], eps: Epsilon) -> float:
    """Source: Geng and Viswanath, The Optimal Noise-Adding Mechanism (2016), Algorithm 1."""
    assert D > 0 and 0 < gamma < 1
    noise = sample(Staircase(1 / eps, D, gamma))
    return f + noise


@mechanism(DP(), expect="refuted")
def geng_staircase_narrow_steps(
    f: Answer, D: Public[float], gamma: Public[float], eps: Epsilon
) -> float:
    """Source: Geng and Viswanath (2016), stairs of half the sensitivity."""
    assert D > 0 and 0 < gamma < 1
    noise = sample(Staircase(1 / eps, D / 2, gamma))
    return f + noise


@mechanism(DP())
def staircase_from_its_parts(f: Count, eps: Epsilon) -> float:
    """Source: Geng and Viswanath (2016), Algorithm 1: a sign, a geometric step, a place in it, for
    steps that fall at their ends.
    """
    step = sample(OneSidedGeometric(1 / eps))
    place = sample(Uniform(0, 1))
    sign = sample(Bernoulli(1 / 2))
    return f + step + place if sign else f - step - place


@mechanism(DP())
def logistic_noise(f: Answer, D: Public[float], eps: Epsilon) -> float:
    """Source: logistic noise has log-density slope at most 1 / scale; Johnson et al. (1995)."""
    assert D > 0
    noise = sample(Logistic(D / eps))
    return f + noise


@mechanism(DP(), expect="refuted")
def uniform_noise(f: Answer, D: Public[float], eps: Epsilon) -> float:
    """Source: diffprivlib, Uniform mechanism, which is private with delta > 0 only."""
    assert D > 0
    noise = sample(Uniform(-D / eps, D / eps))
    return f + noise


@mechanism(DP())
def mixture_of_laplace_and_a_coin(f: Count, p: Public[float], eps: Epsilon) -> float:
    """Source: mixtures of private mechanisms are private; Kifer and Lin (2012), convexity."""
    assert 0 < p < 1
    precise = sample(Bernoulli(p))
    fine = sample(Laplace(1 / eps))
    coarse = sample(Laplace(10 / eps))
    return f + fine if precise else f + coarse


@mechanism(DP(), expect="refuted")
def mixture_with_the_truth(f: Count, p: Public[float], eps: Epsilon) -> float:
    """Source: Dwork and Roth (2014), Section 2.3: the truth with a small probability."""
    assert 0 < p < 1
    reckless = sample(Bernoulli(p))
    noise = sample(Laplace(1 / eps))
    return f if reckless else f + noise


@mechanism(DP())
def laplace_with_atoms(f: Count, n: Public[Nat], eps: Epsilon) -> float:
    """Source: Laplace noise clamped into the range of answers; diffprivlib LaplaceTruncated."""
    noise = sample(Laplace(1 / eps))
    return min(max(f + noise, 0.0), 1.0 * n)


@mechanism(DP())
def folded_laplace(f: Count, eps: Epsilon) -> float:
    """Source: diffprivlib, LaplaceFolded, for answers that are not negative: one fold at zero."""
    noise = sample(Laplace(1 / eps))
    return abs(f + noise)


@mechanism(DP())
def folded_geometric(f: Count, eps: Epsilon) -> int:
    """Source: diffprivlib, GeometricFolded: one fold at zero."""
    noise = sample(TwoSidedGeometric(1 / eps))
    return abs(f + noise)


@mechanism(DP(), expect="refuted")
def noise_folded_before(f: Count, eps: Epsilon) -> float:
    """Source: diffprivlib, LaplaceFolded, folding the noise instead of the noisy answer."""
    noise = sample(Laplace(1 / eps))
    return f + abs(noise)


@mechanism(DP())
def bounded_laplace(
    f: Annotated[float, Query(sensitivity=1)], n: Public[float], eps: Epsilon
) -> float:
    """Source: Holohan, Antonatos, Braghin and Mac Aonghusa, The Bounded Laplace Mechanism (2020),
    drawn again until it is in the range, with a scale of 2 / eps, which always is enough.
    """
    assert n >= 1
    inside = min(max(f, 0.0), n)
    noise = sample(Laplace(2 / eps))
    while inside + noise < 0 or inside + noise > n:
        noise = sample(Laplace(2 / eps))
    return inside + noise


@mechanism(DP(), expect="refuted")
def bounded_laplace_plain_scale(
    f: Annotated[float, Query(sensitivity=1)], n: Public[float], eps: Epsilon
) -> float:
    """Source: Holohan et al. (2020), with the scale of the Laplace mechanism."""
    assert n >= 2
    inside = min(max(f, 0.0), n)
    noise = sample(Laplace(1 / eps))
    while inside + noise < 0 or inside + noise > n:
        noise = sample(Laplace(1 / eps))
    return inside + noise


@mechanism(DP())
def geometric_by_coins(f: Count, eps: Epsilon) -> int:
    """Source: Balcer and Vadhan, Differential Privacy on Finite Computers (2019), geometric noise
    made of coins: a sign, and steps while a coin shows heads.
    """
    zero = sample(Bernoulli((1 - exp(-eps)) / (1 + exp(-eps))))
    if zero:
        return f
    sign = sample(Bernoulli(1 / 2))
    size = 1
    more = sample(Bernoulli(exp(-eps)))
    while more:
        size += 1
        more = sample(Bernoulli(exp(-eps)))
    return f + size if sign else f - size
