"""Conjecture 4.6: by which measure the truncated geometric mechanism is best, and by which not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy
import z3
from flint import arb, fmpq

from ....estimators.channels import ExactMatrix
from ....estimators.geometric_channel import TruncatedGeometric
from ....estimators.inversion import RandomisedResponse
from ..claim import Claim, Finding, Paper, Undecided, Verdict, moreover, read_as
from ..ways.algebra import argument, convex, identical, inner_pair_is_lower, log_below_line, valid
from ..ways.small import is_d_private, kernel
from .channels import rows_sum_to_one
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
from .truncated import triangle_on_the_line, tridiagonal_inverse

# G has the largest mutual information I(X; Y) of all ε-d-private mechanisms on [0, n].

LEVEL = Fraction(4, 5)
RESPONSE = RandomisedResponse(3, LEVEL).exact_matrix()


@moreover("step 1: each column of an ε-d-private C is a sum of rays, v_(i+1) = v_i α^±1", by="Z3")
def columns_are_sums_of_rays(private: bool = True) -> Finding:
    """Induction over n: extend each ray of the sum by α with weight λ and by 1/α with 1-λ.

    All rays have the same λ, so the new entry is λ α v_n + (1-λ) v_n/α.  It is v_(n+1) for a λ in
    [0, 1] as α v_n <= v_(n+1) <= v_n/α.
    """
    alpha, last, new, share = z3.Reals("α v_n v_(n+1) λ")
    known = z3.And(alpha > 0, alpha < 1, last > 0,
                   new * alpha == last * (share * alpha * alpha + 1 - share))  # fmt: skip
    if private:
        known = z3.And(known, new >= alpha * last, new * alpha <= last)
    return valid(z3.Implies(known, z3.And(share >= 0, share <= 1)))


@moreover("step 2: φ(tv) = t φ(v) and φ is convex, so rays are the worst", by="SymPy, Hessian")
def information_is_sublinear(factor: int = 1) -> Finding:
    """φ(v) = Σ_i π_i v_i ln(v_i / (π·v)) is a sum of a ln(a/b) with linear a and b.

    That is homogeneous, and convex: its Hessian has determinant 0 and positive trace.
    """
    a, b, t = sympy.symbols("a b t", positive=True)
    term = a * sympy.log(a / b)
    hessian = sympy.hessian(term, (a, b))
    scaled = term.subs({a: t * a, b: t * b}, simultaneous=True)
    if not sympy.simplify(hessian.trace()).is_positive:
        raise Undecided("the sign of the trace is not seen")
    return argument(
        "Hessian of a ln(a/b): determinant 0, trace > 0",
        identical(scaled, t**factor * term),
        identical(hessian.det(), sympy.Integer(0)),
    )


@moreover("step 3: a ray without a valley is a multiple of some g_j", by="Z3, for all n")
def peaks_are_columns(valleys_allowed: bool = False) -> Finding:
    """Once it falls it never rises again, so with j its peak e_i = e_j + |i-j|, step by step."""
    before, after = z3.Ints("step_k step_(k+1)")
    k, peak, height, top = z3.Ints("k j e_k e_j")
    is_step = z3.And(z3.Or(before == 1, before == -1), z3.Or(after == 1, after == -1))
    no_valley = z3.BoolVal(True) if valleys_allowed else z3.Not(z3.And(before == -1, after == 1))
    stays_down = z3.Implies(z3.And(is_step, no_valley, before == -1), after == -1)
    distance, next_distance = (_size(at - peak) for at in (k, k + 1))
    step = z3.If(k < peak, 1, -1)  # rises before the peak, falls behind it
    follows = z3.Implies(height == top + distance, height - step == top + next_distance)
    return valid(z3.And(stays_down, follows))


def _size(number: Any) -> Any:
    return z3.If(number >= 0, number, -number)


@moreover("step 4: a ray v with a valley m has v + v_m g_m = u + w, rays with fewer valleys",
          by="Z3, for all n")  # fmt: skip
def valleys_split(right_goes: int = -1) -> Finding:
    """u is v up to m and falls from there; w rises up to m and is v from there.

    A valley of u or w is one of v, and not m.  On the left u = v and w = v_m g_m, on the right the
    other way round.  As heights change by 1 a step, e_i <= e_m + |i-m|: so v >= v_m g_m, v is the
    larger one of u and w, and v_m g_m the smaller one.
    """
    step = z3.Function("step", z3.IntSort(), z3.IntSort())
    k, m, height, low = z3.Ints("k m e_k e_m")
    known = z3.And([z3.Or(step(at) == 1, step(at) == -1) for at in (k - 1, k, m - 1, m)])
    known = z3.And(known, step(m - 1) == -1, step(m) == 1)

    def of_u(at: Any) -> Any:
        return z3.If(at < m, step(at), right_goes)

    def of_w(at: Any) -> Any:
        return z3.If(at < m, 1, step(at))

    def is_valley(steps: Any) -> Any:
        return z3.And(steps(k - 1) == -1, steps(k) == 1)

    fewer = z3.Implies(z3.Or(is_valley(of_u), is_valley(of_w)), z3.And(is_valley(step), k != m))
    change = z3.Int("change")
    one_step = z3.And(z3.Or(change == 1, change == -1), height <= low + _size(k - m))
    away = z3.If(k >= m, 1, -1)
    below = z3.Implies(one_step, height + change <= low + _size(k + away - m))
    return argument("fewer valleys, v >= v_m g_m", valid(z3.Implies(known, fewer)), valid(below))


@moreover("step 5: φ(u) + φ(w) >= φ(v) + φ(v_m g_m)", by="SymPy and Z3: x ln x is convex")
def splitting_gains(factor: Fraction = Fraction(1)) -> Finding:
    """Entry by entry u and w are v and v_m g_m in some order, so the first parts of φ are equal.

    For the second, π·u and π·w lie between π·v_m g_m and π·v and have the same sum: of a convex
    function the inner pair has the smaller sum, and it counts negatively.
    """
    x = sympy.Symbol("x", positive=True)
    return argument("h = x ln x: h(π·u) + h(π·w) <= h(π·v) + h(π·v_m g_m)",
                    convex(x * sympy.log(x), x), inner_pair_is_lower(factor=factor))  # fmt: skip


@moreover("step 6: so φ(v) <= z·v for all rays, by induction over the valleys", by="Z3")
def induction_closes(gain: int = 1) -> Finding:
    """z exists as K has an inverse; z·v_m g_m = φ(v_m g_m); z·u + z·w = z·v + z·v_m g_m.

    Σ_j c_j g_j = 1 as the rows of G sum to 1.
    """
    u, w, v, g = z3.Reals("φ(u) φ(w) φ(v) φ(g)")
    zu, zw, zv, zg = z3.Reals("z·u z·w z·v z·g")
    known = z3.And(u <= zu, w <= zw, g == zg, zu + zw == zv + zg, gain * (u + w) >= gain * (v + g))
    return argument("φ(v) <= z·v", tridiagonal_inverse(), rows_sum_to_one(),
                    valid(z3.Implies(known, v <= zv)))  # fmt: skip


@read_as("no ε-d-private mechanism tells more: I(X; Y) is largest for G, for all n, ε and π",
         by="the six steps below")  # fmt: skip
def most_information(factor: Fraction = Fraction(1)) -> Finding:
    """By steps 3 to 6 φ(v) <= z·v for all rays, by 1 and 2 for all columns.

    So I(C) <= z·1 = I(G).
    """
    return argument(
        "φ(v) <= z·v for all columns v of ε-d-private mechanisms, with equality for G",
        columns_are_sums_of_rays(), information_is_sublinear(), peaks_are_columns(),
        valleys_split(), splitting_gains(factor=factor), induction_closes(),
    )  # fmt: skip


def _information(matrix: ExactMatrix) -> Any:
    """I(X; Y) in nats under the uniform prior, as a ball."""
    size, total = len(matrix), arb(0)
    for column in zip(*matrix, strict=True):
        mean = sum(column, Fraction()) / size
        for entry in column:
            if entry:
                ratio, weight = entry / mean, entry / size
                logarithm = arb(fmpq(ratio.numerator, ratio.denominator)).log()
                total += arb(fmpq(weight.numerator, weight.denominator)) * logarithm
    return total


@moreover("n = 2, α = 4/5, uniform π: G tells more than the response with less error", by="balls")
def response_tells_less(other: ExactMatrix = RESPONSE) -> Finding:
    """The two measures disagree; mutual information is that of a single report."""
    ours, theirs = _information(TruncatedGeometric(2, LEVEL).exact_matrix()), _information(other)
    if not (ours > theirs or ours < theirs):
        raise Undecided("the enclosures overlap")
    return Finding(bool(ours > theirs), f"I in nats: G {ours.str(6)}, response {theirs.str(6)}")


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
