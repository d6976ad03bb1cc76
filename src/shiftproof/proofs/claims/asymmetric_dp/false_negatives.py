"""Section 6.3, and what Section 1 says of it: how often a safe place is not said to be safe.

Of a count c below the threshold T, one update of Algorithm 3 or 4 says "safe" unless the noise
reaches T - c: the false-negative rate is e^(-ε (T - c)).
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ....mechanisms.stream_monitor import stream_monitor
from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as
from ..ways.algebra import ball, below, shown
from ..ways.mechanisms import enclosed

_PAPER = Paper.ASYMMETRIC_DP
HUNDREDTH = Fraction(1, 100)


def _missed(count: int, threshold: int, epsilon: Fraction) -> arb:
    """The false-negative rate of one update, as the gallery's monitor has it."""
    return 1 - enclosed(stream_monitor, "safe", f=[count], W=1, T=threshold, eps=epsilon)


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


@read_as("FNR < .01 at ε = 1 and count 0, T = 5 and T = 10", by="exact likelihoods, balls")
def small_without_visitors(count: int = 0) -> Finding:
    """Each place is one case, and most locations are not visited (Section 6.1, Figure 1)."""
    rates = [_missed(count, threshold, Fraction(1)) for threshold in (5, 10)]
    small = all(below(rate, HUNDREDTH) for rate in rates)
    return Finding(small, f"FNR at T = 5 and 10: {', '.join(map(shown, rates))}")


@read_as("FNR < .01 at ε = 1 and 9 of 10 counts below T, T = 5 and 10", by="exact likelihoods")
def small_at_most_counts(share: Fraction = Fraction(9, 10)) -> Finding:
    """Each count below the threshold is one case."""
    found = {
        t: sum(below(_missed(c, t, Fraction(1)), HUNDREDTH) for c in range(t)) for t in (5, 10)
    }
    said = "; ".join(f"T = {t}: at {small} of {t} counts" for t, small in found.items())
    return Finding(all(small >= share * t for t, small in found.items()), said)


INTRODUCTION = Claim(
    paper=_PAPER,
    name="Section 1, false negatives",
    states="in almost all cases the false-negative ratio is smaller than .01 at ε = 1",
    verdict=Verdict.AMBIGUOUS,
    reading='what a "case" is, is left open: a place, or a count below the threshold',
    checks=(small_without_visitors, small_at_most_counts),
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

CLAIMS = (INTRODUCTION, SECTION_6_3_1, SECTION_6_3_2)
