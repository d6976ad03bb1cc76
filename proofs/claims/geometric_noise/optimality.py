"""Conjecture 4.6: by which measure the truncated geometric mechanism is best, and by which not."""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from ..claim import Claim, Finding, Paper, Verdict, moreover, read_as
from ..ways.algebra import identical
from ..ways.argument import argument
from ..ways.channels import is_d_private, kernel
from ..ways.inequalities import log_below_line
from ..ways.logic import valid
from .information import (
    columns_are_sums_of_rays,
    induction_closes,
    information_is_sublinear,
    most_information,
    peaks_are_columns,
    response_tells_less,
    splitting_gains,
    valleys_split,
)
from .squared_error import (
    closed_forms,
    least_at_high_eps,
    least_for_three_values,
    least_squared_error,
    least_total_variation,
    least_wasserstein,
    response_wins_beyond,
    two_values,
)
from .truncated import triangle_on_the_line

CONJECTURE_4_6 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Conjecture 4.6",
    states="the truncated geometric mechanism with α = e^-ε gives the best approximation of the "
    "original distribution among the ε-d-private mechanisms",
    verdict=Verdict.AMBIGUOUS,
    reading="a distance between π and its estimate from N reports, N → ∞, or, as the intuition "
    "has it, mutual information; d(i, h) = |i-h|",
    checks=(
        least_squared_error,
        least_total_variation,
        least_wasserstein,
        most_information,
        closed_forms,
        response_wins_beyond,
        least_for_three_values,
        least_at_high_eps,
        two_values,
        columns_are_sums_of_rays,
        information_is_sublinear,
        peaks_are_columns,
        valleys_split,
        splitting_gains,
        induction_closes,
        response_tells_less,
    ),
)


# The intuition behind it.


@read_as("each of its steps has the form at slope ε: λ_ij = q_j / Z_i", by="SymPy; ln x <= x - 1")
def arimoto_has_the_form(slope: int = 1) -> Finding:
    """Given the law q of the reports, a step takes the Q of least I + ε E|i-j|, row by row.

    With Q°_j = q_j α^|i-j| / Z_i a term Q (ln(Q/q) + εd) is Q ln(Q/Q°) - Q ln Z.  Summed over j
    that is KL(Q, Q°) - ln Z_i, which is least at Q° only, by ln x <= x - 1.
    """
    share, q, eps, norm, at = sympy.symbols("Q q epsilon Z d", positive=True)
    best = q * sympy.exp(-slope * eps * at) / norm
    cost = share * (sympy.log(share / q) + eps * at)
    split = share * sympy.log(share) - share * sympy.log(best) - share * sympy.log(norm)
    return argument(
        "Σ_j Q_j (ln(Q_j/q_j) + ε|i-j|) = KL(Q, Q°) - ln Z_i, least at Q°_j = q_j α^|i-j| / Z_i",
        log_below_line(),
        identical(sympy.expand_log(cost), sympy.expand_log(split)),
    )


@read_as("and so the channel that it finds is ε·d-private", by="a counterexample, exactly, n = 1")
def arimoto_at_slope(share: Fraction = Fraction(1, 10)) -> Finding:
    """It has Q_ij = q_j α^|i-j| / Z_i, Z_i = Σ_h q_h α^|i-h|: λ_ij differs from row to row.

    For α = 1/2 and q = (1/10, 9/10) it is the optimum for the prior π with π_i / Z_i = (K^-1 1)_i
    = 1/(1+α): the conditions Σ_i π_i α^|i-j| / Z_i = 1 hold for both j.
    """
    level, q = Fraction(1, 2), (share, 1 - share)
    powers = kernel(1, level)
    norms = [q[0] * row[0] + q[1] * row[1] for row in powers]
    prior = [norm / (1 + level) for norm in norms]
    conditions = [sum(prior[i] * powers[i][j] / norms[i] for i in (0, 1)) for j in (0, 1)]
    channel = [[q[j] * powers[i][j] / norms[i] for j in (0, 1)] for i in (0, 1)]
    optimal = conditions == [1, 1] and sum(prior) == 1
    ratio = max(max(row[j] for row in channel) / min(row[j] for row in channel) for j in (0, 1))
    shown = f"π_0 = {prior[0]}, optimal: {optimal}; the worst ratio is {ratio}, e^ε is 2"
    return Finding(not optimal or is_d_private(channel, level), shown)


@moreover("it is 2ε·d-private, for all n and priors", by="Z3")
def arimoto_at_half_slope(exponent: int = 2) -> Finding:
    """With e^(ε|i-h|) = S the triangle inequality gives α^|i-j| <= S α^|h-j| for all j.

    Summed with the q_j it gives Z_h <= S Z_i, and Q_ij <= S² Q_hj.
    """
    spread, here, there, norm, other = z3.Reals("S α^|i-j| α^|h-j| Z_i Z_h")
    known = z3.And(spread >= 1, here > 0, there > 0, norm > 0, other > 0,
                   here <= spread * there, other <= spread * norm)  # fmt: skip
    bound = z3.Implies(known, here * other <= spread**exponent * there * norm)
    return argument("Q_ij <= e^(2ε|i-h|) Q_hj", triangle_on_the_line(), valid(bound))


@moreover("no factor below 2 would do for all priors", by="SymPy, a limit")
def arimoto_factor_is_needed(exponent: int = 2) -> Finding:
    """n = 1: Q_00/Q_10 = Z_1 / (α Z_0) tends to α^-2 as q_0 → 0."""
    alpha, share = sympy.symbols("alpha q_0", positive=True)
    norms = share + (1 - share) * alpha, share * alpha + 1 - share
    ratio = sympy.limit(norms[1] / (alpha * norms[0]), share, 0)
    return identical(ratio, alpha**-exponent, f"the ratio tends to {ratio}")


ARIMOTO = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Conjecture 4.6, intuition",
    states="Arimoto's algorithm for the trade-off between mutual information and distortion "
    "produces a mechanism of the form λ_ij e^(-ε|i-j|), related to ε",
    verdict=Verdict.AMBIGUOUS,
    reading="of the form it is, but with free λ_ij so is every positive matrix; to support the "
    "conjecture the mechanism must be among those that are ε·d-private",
    checks=(
        arimoto_has_the_form, arimoto_at_slope, arimoto_at_half_slope, arimoto_factor_is_needed,
    ),
)  # fmt: skip

CLAIMS = (CONJECTURE_4_6, ARIMOTO)
