"""Definition 1, the examples of Appendix A, and what α is said to do to the rate.

F is α-fat if C and x̄ exist with F(x) >= C u^α for x_min < x < x̄, where u = x - x_min.  Powers
are compared by their logarithms, which are free variables: so for all exponents at once.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from ..claim import (
    Claim,
    Finding,
    Paper,
    Verdict,
    moreover,
    printed,
    read_as,
    restored,
    sound,
    under,
)
from ..ways.algebra import identical, together, valid

alpha, other, gap = z3.Reals("α α' γ")
log_u, log_two, log_c = z3.Reals("ln(u) ln(2) ln(C)")


# Definition 1: a scale of easiness.


@sound("an α-fat F on [-1, 1] is α'-fat for all α' >= α, C' = C / 2^(α'-α)", by="Z3")
def fatness_is_nested(least: int = 0) -> Finding:
    """u <= 2 on [-1, 1], so C u^α = C u^α' / u^(α'-α) >= C u^α' / 2^(α'-α)."""
    more = other - alpha
    known = z3.And(more >= least, log_u <= log_two)
    fat = log_c + alpha * log_u >= log_c - more * log_two + other * log_u
    return valid(z3.Implies(known, fat))


@sound("F(x) = u^α on [0, 1] is α-fat, and a-fat for no a < α", by="Z3")
def every_exponent_is_one(towards: int = -1) -> Finding:
    """Let a = α - γ.  For any C, all u with u^γ < C have u^α < C u^a; such u are at every x̄."""
    a = alpha + towards * gap
    small = gap * log_u < log_c
    return valid(z3.Implies(z3.And(gap > 0, small), alpha * log_u < log_c + a * log_u))


@moreover("stretched from a range of length 1 to [-1, 1], C becomes 2^(-α) C", by="SymPy")
def stretching(factor: Fraction = Fraction(1, 2)) -> Finding:
    """F(u/2) >= C (u/2)^α."""
    c, u, power = sympy.symbols("C u alpha", positive=True)
    half = sympy.Rational(factor.numerator, factor.denominator)
    return identical(c * (u / 2) ** power, half**power * c * u**power)


DEFINITION_1 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Definition 1",
    states="F on [-1, 1] is α-fat if universal constants C > 0 and x̄ > x_min exist with "
    "F(x) >= C (x - x_min)^α for all x_min < x < x̄; a smaller α is a fatter tail",
    verdict=Verdict.DEFINITION,
    reading="sound as a scale: fatness is inherited upwards in α, each α > 0 is the least of "
    "some F, and units change C only. Of what else the constants are independent is left open, see "
    "Section 5, after Theorem 1",
    checks=(fatness_is_nested, every_exponent_is_one, stretching),
)


# Section 1: what α does to the rate.


def _exponent(of: z3.ArithRef, inverse: bool) -> z3.ArithRef:
    return 1 / (2 * of) if inverse else of / 2


@read_as(
    "as a speed: the exponent 1/(2α) of N^(-1/(2α)) is smaller for smaller α",
    by="a counterexample, Z3",
)
def decrease_becomes_slower(inverse: bool = True) -> Finding:
    """The rate is that of Theorem 3 and Corollaries 1 and 2; its exponent grows as α falls."""
    known = z3.And(alpha > 0, alpha < other)
    return valid(z3.Implies(known, _exponent(alpha, inverse) < _exponent(other, inverse)))


@read_as("as an error rate: N^(-1/(2α)) itself is smaller for smaller α, N > 1", by="Z3")
def rate_becomes_smaller(inverse: bool = True) -> Finding:
    """In logarithms, with ln N > 0."""
    log_n = z3.Real("ln(N)")
    known = z3.And(alpha > 0, alpha < other, log_n > 0)
    rates = [-log_n * _exponent(each, inverse) for each in (alpha, other)]
    return valid(z3.Implies(known, rates[0] < rates[1]))


SECTION_1 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Section 1, role of α",
    states="the decreasing rate of the estimation error becomes smaller as α decreases",
    verdict=Verdict.AMBIGUOUS,
    reading="a speed or a bound; after Corollary 2 the text itself has 'the decreasing rate "
    "becomes faster as α decreases'",
    checks=(decrease_becomes_slower, rate_becomes_smaller),
)


# Appendix A.


@restored("C = min(1, (1 - x̄)^(β-1)) / (α B(α, β)), any x̄ < 1", by="Z3 and SymPy")
def beta_is_fat(with_one: bool = True) -> Finding:
    """On (0, x̄) the density's factor (1-t)^(β-1) is at least that minimum, its value at an end.

    Logarithms are compared: ln(1 - x̄) <= ln(1 - t) <= 0.  What is left to integrate up to x is
    t^(α-1) / B, which makes x^α / (α B).
    """
    beta, here, end = z3.Reals("β ln(1-t) ln(1-x̄)")
    known = z3.And(beta > 0, end <= here, here <= 0)
    at_end = (beta - 1) * end
    least = z3.If(at_end < 0, at_end, 0) if with_one else at_end
    t, x, power = sympy.symbols("t x alpha", positive=True)
    integral = sympy.integrate(t ** (power - 1), (t, 0, x))
    return together(
        valid(z3.Implies(known, (beta - 1) * here >= least), "the density is bounded from below"),
        identical(integral, x**power / power, "∫_0^x t^(α-1) dt = x^α / α"),
    )


EXAMPLE_1 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Example 1",
    states="Beta(α, β) on [0, 1] is α-fat with the same α, x̄ < 1 and "
    "C = min(1, (1 - x̄)^(β-1)) / (α B(α, β))",
    verdict=Verdict.RESTORED,
    reading="the constants are restored; for the same law on [-1, 1] C gets a factor 2^(-α)",
    checks=(beta_is_fat,),
)


@printed("1-fat with C = the smaller density at x_min and x̄, any x̄", by="Z3")
def truncated_normal_is_fat(both_ends: bool = True) -> Finding:
    """exp(-(x-μ)²/2σ²) is least on an interval where (x-μ)² is largest: at an end.

    A density of at least C above x_min makes F(x) >= C u.
    """
    low, high, x, mu = z3.Reals("x_min x̄ x μ")

    def square(of: z3.ArithRef) -> z3.ArithRef:
        return (of - mu) * (of - mu)

    ends = [square(low), square(high)]
    largest = z3.If(ends[0] < ends[1], ends[1], ends[0]) if both_ends else ends[0]
    return valid(z3.Implies(z3.And(low <= x, x <= high), square(x) <= largest))


EXAMPLE_2 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Example 2, normal",
    states="a normal law truncated to [-1, 1] is 1-fat",
    verdict=Verdict.TRUE,
    reading="C is read as the least density near the cut",
    checks=(truncated_normal_is_fat,),
)


@printed("the density 3/2 x² on [-1, 1], cut to x >= 0, is 1-fat", by="a counterexample, SymPy")
def every_cut_is_fat(power: int = 2) -> Finding:
    """A continuous F is 1-fat exactly if F(u)/u stays above some C > 0 as u falls to 0."""
    x, u = sympy.symbols("x u", positive=True)
    whole = sympy.integrate(x**power, (x, 0, 1))
    cut = sympy.integrate(x**power / whole, (x, 0, u))
    slope = sympy.limit(cut / u, u, 0)
    return Finding(bool(slope > 0), f"cut at 0: F(u) = {cut}, and F(u)/u falls to {slope}")


@under("the density is at least some c > 0 just above the cut: then C = c", by="Z3")
def dense_cut_is_fat(share: Fraction = Fraction(1)) -> Finding:
    """F(x) = u · (the mean density between), and a mean of what is at least c is at least c."""
    c, u, mean = z3.Reals("c u mean")
    known = z3.And(c > 0, u > 0, mean >= c)
    return valid(z3.Implies(known, mean * u >= z3.RealVal(str(share)) * c * u))


@moreover("density p u^(p-1) at the cut: 1-fat exactly if p <= 1", by="Z3")
def power_at_cut(least: int = 1) -> Finding:
    """F(u) = u^p on [0, 1].  C = 1 will do if p <= 1; else any C is
    refuted by u = C^(1/(p-1))/e, and by all below.
    """
    p = z3.Real("p")
    fat = z3.Implies(z3.And(p > 0, p <= least, log_u <= 0), p * log_u >= log_u)
    far = (p - 1) * (log_u + 1) <= log_c
    not_fat = z3.Implies(z3.And(p > least, far), p * log_u < log_c + log_u)
    return valid(z3.And(fat, not_fat))


EXAMPLE_2_GENERAL = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Example 2, any truncated distribution",
    states="more generally, any truncated distribution is 1-fat (also Section 1)",
    verdict=Verdict.TRUE_UNDER,
    reading="the law may have any density; the cut is its new minimum",
    checks=(every_cut_is_fat, dense_cut_is_fat, power_at_cut),
)

CLAIMS = (DEFINITION_1, SECTION_1, EXAMPLE_1, EXAMPLE_2, EXAMPLE_2_GENERAL)
