"""Section 5.1, the Remark: the lower bound of the error under ADP, and whether aLap is optimal."""

from __future__ import annotations

from fractions import Fraction

import sympy
from flint import arb

from ..claim import Claim, Finding, Paper, Verdict, moreover, read_as
from ..ways.algebra import identical
from ..ways.balls import ball, below, shown
from ..ways.exponential import epsilon
from ..ways.several import together
from .least_error import (
    LEAST_ABSOLUTE,
    LEAST_FOR_COUNTS,
    LEAST_FOR_REALS,
    MEDIAN,
    VARIANCE_OF_NOISE,
    attained_for_counts,
    floor_is_geometric,
    geometric_noise_is_enough,
    least_absolute_for_reals,
    least_for_counts,
    least_for_reals,
    linear_programme_agrees,
)

#: Half the error of the Laplace mechanism, times ε: what the Remark says is the least.
HALF = sympy.sqrt(2) / 2


def _is(least: sympy.Expr, said: sympy.Expr) -> Finding:
    """Whether the least error is what is said, for all ε; both are shown at ε = 1 too."""
    least_at_1, said_at_1 = (str(sympy.N(error.subs(epsilon, 1), 4)) for error in (least, said))
    shown = f"the least is {least} ({least_at_1} at ε = 1), said is {said} ({said_at_1})"
    return Finding(identical(least, said).holds, shown)


@read_as("E|x − z|, real answers", by="SymPy")
def figure_for_absolute(said: sympy.Expr = HALF / epsilon) -> Finding:
    """The least is what is proved below; aLap − ln 2/ε is private as a post-processing of aLap."""
    return _is(LEAST_ABSOLUTE, said)


@read_as("the root of E(x − z)², real answers", by="SymPy")
def figure_for_squares(said: sympy.Expr = HALF / epsilon) -> Finding:
    """The least is what is proved below."""
    return _is(LEAST_FOR_REALS, said)


@read_as("the root of E(x − z)², counts", by="SymPy")
def figure_for_counts(said: sympy.Expr = HALF / epsilon) -> Finding:
    """The least is what is proved below."""
    return _is(LEAST_FOR_COUNTS, said)


@moreover("√2/(2ε) is not even a bound for E|x − z|, nor for counts if ε >= 3", by="balls, SymPy")
def figure_is_no_bound(start: Fraction = Fraction(3)) -> Finding:
    """ln 2 < √2/2, and aLap − ln 2/ε has the error ln 2/ε for counts too.

    2 sinh(ε/2) > √2 ε at the start and from there on: the difference has the slope cosh(ε/2) − √2,
    which is positive at the start and grows.
    """
    root, half = arb(2).sqrt(), ball(start) / 2
    absolute = below(arb.const_log2(), root / 2)
    ahead = below(root * 2 * half, 2 * half.sinh()) and below(root, half.cosh())
    shown_at = (
        f"ε = {start}: 2 sinh(ε/2) = {shown(2 * half.sinh())}, √2 ε = {shown(2 * half * root)}"
    )
    return Finding(absolute and ahead, shown_at)


@moreover("it is a bound, not reached, for the root of E(x − z)² and real answers", by="balls")
def figure_is_loose_for_squares(share: Fraction = Fraction(1, 2)) -> Finding:
    """√2/2 < 1, and the least error is 1/ε."""
    said = arb(2).sqrt() * ball(share)
    return Finding(below(said, 1), f"{shown(said)}/ε against 1/ε")


REMARK_BOUND = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Remark, lower bound",
    states="the lower bound of the error of a count under ADP is half of that under DP, √2/(2ε)",
    verdict=Verdict.FALSE,
    reading="the least error over all mechanisms, for the worst x of an unbounded range; one-step "
    "neighbours lower a count by 1, or a real answer by x − x' at a cost of ε(x − x')",
    checks=(
        figure_for_absolute,
        figure_for_squares,
        figure_for_counts,
        geometric_noise_is_enough,
        least_for_counts,
        linear_programme_agrees,
        attained_for_counts,
        least_for_reals,
        least_absolute_for_reals,
        figure_is_no_bound,
        figure_is_loose_for_squares,
    ),
    argument="That the volume of the sensitivity hull is halved halves a bound up to a constant "
    "only, and that constant is not 1 here.",
)


# Whether aLap is optimal.


def _misses(own: sympy.Expr, least: sympy.Expr) -> Finding:
    same = identical(own, least).holds
    return Finding(not same, f"its error is {own}, the least {least}")


@read_as("real answers, the root of E(x − z)², less the mean", by="SymPy")
def misses_for_squares(least: sympy.Expr = LEAST_FOR_REALS) -> Finding:
    """Its standard deviation against the least error, which is proved at the lower bound."""
    return _misses(sympy.sqrt(VARIANCE_OF_NOISE), least)


@read_as("real answers, E|x − z|, less the median", by="SymPy")
def misses_for_absolute(least: sympy.Expr = MEDIAN) -> Finding:
    """min_s E|λ − s| against the least error, which is proved at the lower bound."""
    return _misses(LEAST_ABSOLUTE, least)


@read_as("counts, the root of E(x − z)², less the mean", by="SymPy")
def misses_for_counts(least: sympy.Expr = LEAST_FOR_COUNTS) -> Finding:
    """1/ε > 1/(2 sinh(ε/2)): with u = ε/2, sinh u − u is 0 at 0, its slope 2 sinh²(u/2) above."""
    u = sympy.Symbol("u", positive=True)
    slope = sympy.diff(1 / least.subs(epsilon, 2 * u) / 2 - u, u)
    above = identical(slope, 2 * sympy.sinh(u / 2) ** 2)
    return Finding(above.holds, f"its error is 1/ε, the least {least}")


@read_as("counts, the best estimator of what aLap releases", by="SymPy")
def misses_when_rounded(unit: int = 1) -> Finding:
    """For a count f, ⌊f + λ⌋ = f + ⌊λ⌋ and ⌊λ⌋ has the law of G: it attains the least error."""
    same = floor_is_geometric(sympy.S(unit), sympy.exp(-epsilon))
    return Finding(not same.holds, f"⌊aLap⌋ − α/(1 − α) has the error of G: {same.detail}")


@moreover("every (P, ε)-ADP release about a count is a post-processing of aLap's", by="Z3, SymPy")
def every_release_is_post_processing(budget: Fraction = Fraction(1)) -> Finding:
    """It is one of the count + G, and that is ⌊aLap⌋."""
    return together(
        geometric_noise_is_enough(budget=budget),
        floor_is_geometric(sympy.S(1), sympy.exp(-epsilon)),
    )


REMARK_OPTIMALITY = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Remark, optimality",
    states="the asymmetric Laplace mechanism does not reach the optimum",
    verdict=Verdict.AMBIGUOUS,
    reading="its error, less a constant, against the least error over all mechanisms; Δ = 1",
    checks=(
        misses_for_squares,
        misses_for_absolute,
        misses_for_counts,
        misses_when_rounded,
        every_release_is_post_processing,
    ),
    argument="What is not optimal for counts is the estimator: rounding down first mends it.",
)

CLAIMS = (REMARK_BOUND, REMARK_OPTIMALITY)
