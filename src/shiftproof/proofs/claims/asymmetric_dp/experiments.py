"""Section 6.2: what the top-k experiments are said to show, as far as it follows without data."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from ....mechanisms.incorrect_asymmetric import asymmetric_sparse_vector_two_looks
from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as, repaired
from ..ways.algebra import ball, below, shown
from ..ways.mechanisms import private
from ..ways.small import ratio

_PAPER = Paper.ASYMMETRIC_DP


def _largest_of(items: int, k: int) -> Fraction:
    """The mean of E[(X - 1)^2] over the k largest X of ``items`` exponential draws of mean 1.

    The j-th largest is a sum of independent exponentials of mean 1/i, i = j, …, items (Rényi).
    """
    total = Fraction(0)
    for j in range(1, k + 1):
        mean = sum((Fraction(1, i) for i in range(j, items + 1)), Fraction(0))
        variance = sum((Fraction(1, i * i) for i in range(j, items + 1)), Fraction(0))
        total += (mean - 1) ** 2 + variance
    return total / k


@printed("smaller mean squared error on every data set, for every k and ε", by="exact moments")
def more_accurate_everywhere(items: int = 400, k: int = 1) -> Finding:
    """All counts are equal, so the k largest noises are released: their excess is not measured
    again.  In units of (k/ε)^2 the error is that of the largest of exponential draws, less 1.
    The free-gap algorithm measures what it selects with fresh Laplace noise of scale 2k/ε: 8, and
    as the paper's code has it, 4k/ε: 32.  All scale alike, so one number decides for all ε.
    """
    error = _largest_of(items, k)
    shown_error = f"{items} equal counts, k = {k}: {float(error):.3f} (k/ε)^2"
    return Finding(error < 32, f"{shown_error} against 32 (k/ε)^2 as coded, and 8 as published")


@repaired("it is 1 (k/ε)^2 where the selection is certain", by="exact moments")
def more_accurate_where_selection_is_certain(scale: Fraction = Fraction(1)) -> Finding:
    """If counts are far apart, no noise is selected: each of the k is one exponential draw."""
    error = scale**2 * _largest_of(1, 1)
    return Finding(error == 1, f"{error} (k/ε)^2 after debiasing")


SECTION_6_2_3 = Claim(
    paper=_PAPER,
    name="Section 6.2.3, for any data set",
    states="the asymmetric algorithms answer top-k more accurately for any data set, k and ε",
    verdict=Verdict.FALSE,
    reading="mean squared error of the debiased values; on real data see docs/experiments.md",
    checks=(more_accurate_everywhere, more_accurate_where_selection_is_certain),
)


def _free_gap_error(k: int, spread: int) -> Fraction:
    """The mean squared error of the free-gap algorithm in (k/ε)^2, if the selection is certain.

    The k values are measured with Laplace noise of scale 2k/ε, of variance v = 8 (k/ε)^2, and the
    gaps between the noisy ones come for free, their noise of variance ``spread`` v each. The best
    linear combination is computed by least squares, exactly.
    """
    import sympy

    gaps = sympy.Matrix(k - 1, k, lambda i, j: int(j == i) - int(j == i + 1))
    of_gaps = gaps.T * (spread * gaps * gaps.T).inv() * gaps if k > 1 else sympy.zeros(1)
    error = 8 * (sympy.eye(k) + of_gaps).inv().trace() / k
    return Fraction(int(error.p), int(error.q))


def _about_ten(ratio: Fraction) -> Finding:
    return Finding(8 <= ratio <= 12, f"the ratio is {float(ratio):.2f}")


@read_as("the free-gap algorithm as Ding et al. have it, for replacement", by="least squares")
def ten_times(advantage: Fraction = Fraction(1)) -> Finding:
    """The asymmetric algorithm has the error 1 (k/ε)^2; of the other, what is found for all k
    below is taken with noise for answers that move either way: it selects with variance 4 v.
    """
    return _about_ten(advantage * Fraction(8 * (1 + 4 * 100), 100 * (1 + 4)))


@read_as("the free-gap algorithm and estimates as in one version of the code", by="least squares")
def ten_times_as_coded(taken_off: int = 1) -> Finding:
    """It measures with twice the noise that is needed, v = 32 (k/ε)^2, and selects with the same.
    It takes 1/ε off the asymmetric values, not k/ε: their error is 1 + (1 - 1/k)^2.
    """
    bias = 1 - Fraction(taken_off, 100)
    return _about_ten(Fraction(32 * (1 + 100), 100 * (1 + 1)) / (1 + bias**2))


@moreover("it is 8 (1 + s k) / (k (1 + s)), s = 4, or 1 for monotone counts", by="least squares")
def ratio_where_selection_is_certain(measured: int = 8) -> Finding:
    """Gaps say everything but the common level: the level's error is v, that of the k - 1 other
    directions is v s / (1 + s). The formula is compared with exact least squares for k <= 6.
    """
    cases = [(k, s) for k in range(1, 7) for s in (1, 4)]
    same = all(
        _free_gap_error(k, s) == Fraction(measured * (1 + s * k), k * (1 + s)) for k, s in cases
    )
    values = [Fraction(measured * (1 + s * 100), 100 * (1 + s)) for s in (4, 1)]
    return Finding(same, "at k = 100: " + ", ".join(f"{float(v):.2f}" for v in values))


SECTION_6_2 = Claim(
    paper=_PAPER,
    name="Section 6.2, ten times",
    states="the histogram of the top k is about ten times more accurate than by free gaps",
    verdict=Verdict.AMBIGUOUS,
    reading="8 to 12 in mean squared error, at k = 100, for counts so far apart that the selection "
    "is certain, with the best linear combination of gaps and measurements; what is measured on "
    "data, 0.17 to 7.7 if the free-gap algorithm has the noise it needs, is in docs/experiments.md",
    checks=(ten_times, ten_times_as_coded, ratio_where_selection_is_certain),
)


def _mean_share(k: int, last: int) -> Fraction:
    """The mean of k/i, i uniform in [k, last]."""
    return sum((Fraction(k, i) for i in range(k, last + 1)), Fraction(0)) / (last + 1 - k)


@printed("its accuracy is limited by the random threshold, below 1", by="exact sums")
def limited_by_the_threshold(k: int = 100, offset: int = 0) -> Finding:
    """With the i-th largest count for a threshold at most k of i candidates can be right: the
    share of the top k among those released first is k/i on average, without noise.  Noise only
    lifts: it adds candidates and takes none away, so with it the share is no larger.
    """
    mean = _mean_share(k, 2 * k - offset)
    return Finding(mean < 1, f"E[k/i] = {float(mean):.4f} for i uniform in [{k}, {2 * k - offset}]")


@moreover("a threshold that is raised by k/ε, the mean of the noise, lifts the limit", by="Arb")
def raised_above_the_limit(k: int = 100, raised: int = 1) -> Finding:
    """k counts are far above, k others are equal; ε is any.

    If the threshold is one of the upper counts, a share e^(-1) of these passes, and nothing else;
    if one of the lower, all of the upper pass, and each of the lower with probability e^(-1).
    Whoever passes is answered in random order, so with b of the lower ones k/(k + b) are right.
    """
    passes = (-arb(raised)).exp()
    mixed = sum(
        (
            arb(math.comb(k, b)) * passes**b * (1 - passes) ** (k - b) * k / (k + b)
            for b in range(k + 1)
        ),
        arb(0),
    )
    share = (passes + k * mixed) / (k + 1)
    limit = ball(_mean_share(k, 2 * k))
    return Finding(below(limit, share), f"accuracy {shown(share)}, E[k/i] = {shown(limit)}")


SECTION_6_2_1 = Claim(
    paper=_PAPER,
    name="Section 6.2.1, accuracy",
    states="for k = 100 the accuracy is nearly 1 at ε = .5 on every data set, and that "
    "of the free-gap algorithm is below 1 at ε = 1",
    verdict=Verdict.NOT_CHECKED,
    argument="A statement about three data sets that are not here. On public ones it was measured "
    "otherwise: at ε = .5 the accuracy is .93 (T10I4D100K), .74 (BMS-WebView-1) and .54 (retail), "
    "see docs/experiments.md.",
)

SECTION_6_2_2 = Claim(
    paper=_PAPER,
    name="Section 6.2.2, maximum accuracy",
    states="the sparse vector needs a threshold, so its maximum accuracy is limited",
    verdict=Verdict.TRUE,
    reading="items come in random order, c = k, and the threshold is the i-th largest count, "
    "i uniform in [k, 2k], which is not raised",
    checks=(limited_by_the_threshold, raised_above_the_limit),
)


@printed("what the code runs is (P, ε)-ADP", by="exact densities")
def the_code_is_private(margin: Fraction = Fraction(2)) -> Finding:
    """One count that falls from 1 to 0 at T = 1, c = 1, ε = 2 ln 2, and one released value, 2.

    It can come from either look; below the margin only from the second one, for which the first
    must have come out right as well: both noises have to move.
    """
    look = asymmetric_sparse_vector_two_looks
    left, right = {"f": (1,)}, {"f": (0,)}
    found = ratio(look, (Fraction(2),), left, right, eps=Fraction(2), T=(1,), margin=margin, c=1)
    shown_ratio = f"ε = 2 ln 2, T = 1, margin {margin}, f: 1 → 0, value 2: ratio {found}"
    return Finding(found is not None and found <= 4, f"{shown_ratio}, allowed 4")


@repaired("Algorithm 2, stopping after c values, is", by="a certificate of the gallery")
def algorithm_2_is_private(
    name: str = "asymmetric_sparse_vector.asymmetric_sparse_vector",
) -> Finding:
    """For all lengths and all c."""
    return private(name)


SECTION_6_2_2_CODE = Claim(
    paper=_PAPER,
    name="Section 6.2.2, figures",
    states="the figures show the asymmetric sparse vector technique, which is (P, ε)-ADP",
    verdict=Verdict.FALSE,
    reading="by the public code they show a variant with two looks at each count; that its newest "
    "version adds k/ε to thresholds costs nothing",
    checks=(the_code_is_private, algorithm_2_is_private),
)

CLAIMS = (SECTION_6_2, SECTION_6_2_1, SECTION_6_2_2, SECTION_6_2_2_CODE, SECTION_6_2_3)
