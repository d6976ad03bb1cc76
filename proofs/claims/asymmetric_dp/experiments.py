"""Section 6: what the experiments are said to show, as far as it follows without their data.

Of a count c below the threshold T, one update of Algorithm 3 or 4 says "safe" unless the noise
reaches T - c: the false-negative rate is e^(-ε (T - c)).
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ....mechanisms.incorrect_asymmetric import asymmetric_sparse_vector_two_looks
from ....mechanisms.stream_monitor import stream_monitor
from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as, repaired
from ..ways.balls import ball, below, shown
from ..ways.certificates import private
from ..ways.mechanisms import enclosed
from ..ways.ratios import ratio

_PAPER = Paper.ASYMMETRIC_DP
HUNDREDTH = Fraction(1, 100)


def _missed(count: int, threshold: int, epsilon: Fraction) -> arb:
    """The false-negative rate of one update, as the gallery's monitor has it."""
    return 1 - enclosed(stream_monitor, "safe", f=[count], T=threshold, eps=epsilon)


# Section 6.3.1.


@printed("FNR < .01 at ε = 1, T = 5 and count 0", by="exact likelihood, balls")
def one_update_at_count_0(count: int = 0) -> Finding:
    """The probability of "safe" is computed by the gallery's monitor, not by the formula."""
    rate = _missed(count, 5, Fraction(1))
    return Finding(below(rate, HUNDREDTH), f"FNR = {shown(rate)}")


@moreover("it is e^(-ε (T - c)) for T = 5 and each count c < 5", by="exact likelihood, balls")
def one_update_at_all_counts(slope: Fraction = Fraction(1)) -> Finding:
    """The enclosures of both sides overlap, and are narrower than 1e-9."""
    rates = [_missed(count, 5, Fraction(1)) for count in range(5)]
    formula = [(-ball(slope) * (5 - c)).exp() for c in range(5)]
    same = all(a.overlaps(b) and a.rad() < 1e-9 for a, b in zip(rates, formula, strict=True))
    return Finding(same, f"FNR at counts 0 to 4: {', '.join(map(shown, rates))}")


SECTION_6_3_1 = Claim(
    paper=_PAPER,
    name="Section 6.3.1, one location",
    states="at a true count of 0 the false-negative ratio is below .01 for ε = 1 and T = 5",
    verdict=Verdict.TRUE,
    reading="of one update; the false-negative ratio is Pr[not said to be safe | safe]",
    checks=(one_update_at_count_0, one_update_at_all_counts),
)


# Section 1.


def _small_at(threshold: int, share: Fraction) -> Finding:
    rates = [_missed(count, threshold, Fraction(1)) for count in range(threshold)]
    small = sum(below(rate, HUNDREDTH) for rate in rates)
    return Finding(small >= share * threshold, f"below .01 at {small} of {threshold} counts < T")


@read_as("FNR < .01 at ε = 1 for most counts below T = 10", by="exact likelihoods, balls")
def mostly_small_at_ten(share: Fraction = Fraction(1, 2)) -> Finding:
    """Each count below the threshold is one case."""
    return _small_at(10, share)


@read_as("FNR < .01 at ε = 1 for most counts below T = 5", by="exact likelihoods, balls")
def mostly_small_at_five(share: Fraction = Fraction(1, 2)) -> Finding:
    """Each count below the threshold is one case."""
    return _small_at(5, share)


INTRODUCTION = Claim(
    paper=_PAPER,
    name="Section 1, false negatives",
    states="in almost all cases the false-negative ratio is smaller than .01 at ε = 1",
    verdict=Verdict.AMBIGUOUS,
    reading='what a "case" is, is left open; of places it is true where most have no visitor',
    checks=(mostly_small_at_ten, mostly_small_at_five),
)


# Section 6.3.2.


def _cumulative(updates: int, count: int = 0) -> arb:
    """How likely a place with so many visitors is marked by then: a mark stays."""
    return 1 - (1 - _missed(count, 10, Fraction(1, 2))) ** updates


@read_as("at ε = .5, T = 10, count 0, in one update", by="exact likelihood, balls")
def in_one_update(count: int = 0) -> Finding:
    """A place without visitors, the best case, that has had no alarm yet."""
    rate = _cumulative(1, count)
    return Finding(below(rate, HUNDREDTH), f"FNR = {shown(rate)}")


@read_as(
    "at ε = .5, T = 10, count 0, of what is seen after 5 updates", by="exact likelihood, balls"
)
def after_five_updates(updates: int = 5) -> Finding:
    """In Algorithm 4 a marked place stays marked: not to be missed takes 5 draws of noise."""
    return Finding(
        below(_cumulative(updates), HUNDREDTH),
        f"after {updates} updates FNR = {shown(_cumulative(updates))}",
    )


SECTION_6_3_2 = Claim(
    paper=_PAPER,
    name="Section 6.3.2, false negatives",
    states="with T = 10, ε in {.5, 1, 2} and 5 updates the false-negative ratio is at most .01",
    verdict=Verdict.AMBIGUOUS,
    reading="places with visitors only make it larger; the published plot has .0102 at ε = .5",
    checks=(in_one_update, after_five_updates),
)


# Section 6.2.


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
def more_accurate_everywhere(items: int = 20, k: int = 1) -> Finding:
    """All counts are equal, so the k largest noises are released: their excess is not measured
    again.  In units of (k/ε)^2 the error is that of the largest of exponential draws, less 1.
    The free-gap algorithm measures what it selects with Laplace noise of scale 2k/ε: 8, or less
    with the gaps.  Both scale alike, so one number decides for all ε.
    """
    error = _largest_of(items, k)
    shown_error = f"{items} equal counts, k = {k}: {float(error):.3f} (k/ε)^2"
    return Finding(error <= 8, f"{shown_error} against at most 8 (k/ε)^2")


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


@printed("the ratio of mean squared errors is about ten (8 to 12) at k = 100", by="least squares")
def ten_times(advantage: Fraction = Fraction(1)) -> Finding:
    """For counts far apart, where the asymmetric algorithm is at its best: its error is 1 (k/ε)^2.

    What is found for all k below is taken at k = 100, with noise for answers that move either
    way, as the paper has it (its gaps have variance 4 v).
    """
    ratio = advantage * Fraction(8 * (1 + 4 * 100), 100 * (1 + 4))
    return Finding(8 <= ratio <= 12, f"the ratio is {float(ratio):.2f}")


@repaired("it is 8 (1 + s k) / (k (1 + s)), s = 4, or 1 for monotone counts", by="least squares")
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
    verdict=Verdict.FALSE,
    reading="mean squared error after debiasing, the free-gap algorithm with the best linear "
    "combination of gaps and measurements; measured ratios on data are in docs/experiments.md",
    checks=(ten_times, ratio_where_selection_is_certain),
)


@printed("its accuracy is limited by the random threshold, below 1", by="exact sums")
def limited_by_the_threshold(k: int = 100, offset: int = 0) -> Finding:
    """With the i-th largest count for a threshold at most k of i candidates can be right; even
    without noise the share of the top k among those released first is k/i on average.
    """
    shares = [Fraction(min(k, i), i) for i in range(k, 2 * k + 1 - offset)]
    mean = sum(shares, Fraction(0)) / len(shares)
    return Finding(mean < 1, f"E[k/i] = {float(mean):.4f} for i uniform in [{k}, {2 * k - offset}]")


SECTION_6_2_1 = Claim(
    paper=_PAPER,
    name="Section 6.2.1, accuracy",
    states="for k = 100 the accuracy of the top k is nearly 1 at ε = .5 on every data set, and that "
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
    "i uniform in [k, 2k]",
    checks=(limited_by_the_threshold,),
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
    reading="by the public code they show a variant with two looks at each count",
    checks=(the_code_is_private, algorithm_2_is_private),
)

CLAIMS = (
    INTRODUCTION,
    SECTION_6_2,
    SECTION_6_2_1,
    SECTION_6_2_2,
    SECTION_6_2_2_CODE,
    SECTION_6_2_3,
    SECTION_6_3_1,
    SECTION_6_3_2,
)
