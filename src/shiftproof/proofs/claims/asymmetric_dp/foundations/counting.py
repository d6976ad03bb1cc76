"""Section 2.2: how large the error of a private count must be."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import sympy
import z3

from ...claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as, repaired
from ...ways.algebra import identical, together, valid
from ...ways.mechanisms import private

epsilon, t = sympy.symbols("ε t", positive=True)
alpha = 1 / (1 + sympy.Symbol("a", positive=True))  # every number between 0 and 1


@cache
def _laplace_moment(power: int) -> sympy.Expr:
    """E|λ|^p of Laplace noise for Δ = 1."""
    density = epsilon / 2 * sympy.exp(-epsilon * t)
    return sympy.simplify(2 * sympy.integrate(t**power * density, (t, 0, sympy.oo)))


@cache
def _geometric_moment(power: int) -> sympy.Expr:
    """E|λ|^p of two-sided geometric noise, with Pr[λ = k] = (1-α)/(1+α) α^|k|."""
    b = sympy.Symbol("b", positive=True)
    series = 1 / (1 - b)  # Σ b^k, as 0 < b < 1; each b d/db puts a factor k into it
    for _ in range(power):
        series = b * sympy.diff(series, b)
    return sympy.simplify((2 * (1 - b) / (1 + b) * series).subs(b, alpha))


# Theorem 3.


@printed("every ε-DP m has E|x - z| > √2/ε", by="SymPy, the Laplace mechanism")
def theorem_3_as_printed(numerator: Fraction | None = None) -> Finding:
    """Laplace noise is ε-DP (kernel); its E|λ| is integrated and compared."""
    least = (sympy.sqrt(2) if numerator is None else sympy.Rational(str(numerator))) / epsilon
    error = _laplace_moment(1)
    certified = private("laplace.laplace").holds
    beaten = certified and bool(sympy.simplify(error / least) <= 1)
    return Finding(not beaten, f"the Laplace mechanism has E|λ| = {error}; {least} is claimed")


@moreover("nor is the RMSE of every ε-DP m above √2/ε: Laplace has √2/ε", by="SymPy")
def theorem_3_for_rmse(power: int = 2) -> Finding:
    """So even for the RMSE, "more than" must be "at least"."""
    rmse = sympy.simplify(_laplace_moment(power) ** sympy.Rational(1, power))
    return identical(rmse, sympy.sqrt(2) / epsilon, f"RMSE of the Laplace mechanism = {rmse}")


@moreover("for integer counts the two-sided geometric RMSE is below √2/ε for all ε", by="SymPy")
def theorem_3_geometric_is_below(square: Fraction = Fraction(2)) -> Finding:
    """Its E λ² = 2α/(1-α)² = 1/(2 sinh²(ε/2)), with α = e^(-ε), against 2/ε².

    The quotient is (sinh(x)/x)² at x = ε/2, and sinh x - x is 0 at 0 and increasing.
    """
    x = sympy.Symbol("x", positive=True)
    as_sinh = _geometric_moment(2).subs(sympy.Symbol("a", positive=True), sympy.exp(2 * x) - 1)
    sinh = (sympy.exp(x) - sympy.exp(-x)) / 2
    gain = sympy.diff(sinh - x, x)
    start = sympy.limit(sympy.Rational(str(square)) / 2 * (sinh / x) ** 2, x, 0)
    return together(
        identical(as_sinh, 1 / (2 * sinh**2), "E λ² = 1/(2 sinh² x), x = ε/2"),
        identical(gain, 2 * sinh.subs(x, x / 2) ** 2, "(sinh x - x)' = 2 sinh²(x/2) > 0"),
        Finding(bool(start >= 1), f"(2/ε²)/(E λ²) = (sinh x/x)² is above {start}"),
        private("geometric.geometric"),
    )


@moreover("for counts in 0..n the constant n/2 errs by less than √2/ε if ε < 2√2/n", by="Z3")
def theorem_3_constant_is_below(limit: int = 8) -> Finding:
    """A constant is 0-DP, and its error is at most n/2; the squares are compared."""
    n, rate = z3.Reals("n ε")
    small = z3.And(n > 0, rate > 0, (rate * n) ** 2 < limit)
    return valid(z3.Implies(small, (n / 2) ** 2 * rate**2 < 2), "ε²n² < 8 gives (n/2)² < 2/ε²")


@moreover("for ε < 0, as typeset, no m is ε-DP, so nothing is said", by="Z3")
def theorem_3_negative_epsilon(most: Fraction = Fraction(1)) -> Finding:
    """S = 𝒵 has probability 1 on D and D', and 1 <= e^ε fails where e^ε < 1."""
    growth, whole = z3.Real("e^ε"), 1
    known = z3.And(growth > 0, growth < z3.RealVal(str(most)))
    return valid(z3.Implies(known, z3.Not(whole <= growth * whole)), "1 <= e^ε · 1 never holds")


@cache
def least_moment(power: int) -> sympy.Expr:
    """The least E|λ|^p of noise whose density has ρ(s) <= e^(ε|s-t|) ρ(t) for all real s, t."""
    behind = sympy.integrate(sympy.exp(-epsilon * t), (t, 0, sympy.oo))
    tail = sympy.exp(-t / behind)
    return sympy.simplify(sympy.integrate(power * t ** (power - 1) * tail, (t, 0, sympy.oo)))


@repaired(
    "x real, densities within e^(ε|x-x'|): E|x-z| >= 1/ε and RMSE >= √2/ε, both attained by the "
    "Laplace mechanism",
    by="SymPy",
)
def theorem_3_repaired_for_reals(
    first: Fraction = Fraction(1), second: Fraction = Fraction(2)
) -> Finding:
    """The tail T(t) = Pr[λ > t] is at least ρ(t) ∫ e^(-εs) ds, as ρ(t + s) >= e^(-εs) ρ(t).

    So it cannot fall faster than T(0) e^(-εt), which bounds E[|λ|^p; λ > 0] = ∫ p t^(p-1) T(t) dt.
    Likewise below 0; both tails at 0 add up to 1.  Laplace noise has the same moments.
    """
    return together(
        identical(
            least_moment(1), sympy.Rational(first) / epsilon, f"least E|λ| = {least_moment(1)}"
        ),
        identical(
            least_moment(2), sympy.Rational(second) / epsilon**2, f"least E λ² = {least_moment(2)}"
        ),
        identical(least_moment(1), _laplace_moment(1), "Laplace attains it"),
        identical(least_moment(2), _laplace_moment(2), "and this too"),
    )


def _tail(power: int, start: Any, ratio: Any) -> Any:
    """(1-α)^p Σ_(j>=1) α^(j-1) ((u+j)^p - (u+j-1)^p), for p = 1 and 2."""
    return 1 if power == 1 else 1 + ratio + 2 * start * (1 - ratio)


def _tail_is_summed(power: int) -> Finding:
    """Whether the sum is right: the terms are α^i (1) and α^i (1 + 2u + 2i), with i = j - 1."""
    ratio, start = sympy.symbols("α u", positive=True)
    ones, linear = 1 / (1 - ratio), ratio * sympy.diff(1 / (1 - ratio), ratio)  # Σ α^i, Σ i α^i
    series = ones if power == 1 else (1 + 2 * start) * ones + 2 * linear
    return identical(
        series * (1 - ratio) ** power,
        sympy.sympify(_tail(power, start, ratio)),
        f"c(u) for p = {power} is summed",
    )


def _least_on_fibres(power: int, times: Fraction) -> Finding:
    """Whether (1-α)^p E|λ|^p >= 2α, or 2α/(1+α) for p = 1, on u + ℤ for all 0 <= u <= 1/2."""
    a, u, a0, a1, b0, b1 = z3.Reals("α u A_0 A_1 B_0 B_1")
    near = (1 - a) ** power * (u**power * a0 + (1 - u) ** power * b0)
    moment = near + _tail(power, u, a) * a1 + _tail(power, 1 - u, a) * b1
    fibre = z3.And(a > 0, a < 1, u >= 0, 2 * u <= 1, a0 >= 0, b0 >= 0, a0 + b0 == 1)
    slow = z3.And(a1 >= a * a0, b1 >= a * b0, b0 >= a * (b0 + a0 - a1))
    least = z3.RealVal(str(times)) * 2 * a
    bound = moment * (1 + a) >= least if power == 1 else moment >= least
    return valid(z3.Implies(z3.And(fibre, slow), bound), f"E|λ|^{power} is never less")


@repaired(
    "x an integer without bounds, α = e^(-ε): E|x-z| >= 2α/(1-α²) and RMSE >= √(2α)/(1-α), "
    "whatever real z is released; both are attained by two-sided geometric noise",
    by="Z3, SymPy and the kernel",
)
def theorem_3_repaired_for_integers(
    first: Fraction = Fraction(1), second: Fraction = Fraction(1)
) -> Finding:
    """On a fibre u + ℤ, 0 <= u <= 1/2 (the rest by symmetry), let A_j = Pr[λ >= u + j].

    Each value is at most 1/α times as likely as the next: summed, A_(j+1) >= α A_j, so
    A_j >= α^(j-1) A_1.  So E[|λ|^p; λ > 0] = u^p A_0 + Σ_j ((u+j)^p - (u+j-1)^p) A_j is at least
    u^p A_0 + c(u) A_1.  Below 0 likewise with B_j = Pr[λ <= u - 1 - j].  The steps down, from
    u + j to u + j - 1, give B_0 >= α (B_0 + A_0 - A_1).  What is left are six numbers, for Z3.
    """
    return together(
        _tail_is_summed(1),
        _tail_is_summed(2),
        _least_on_fibres(1, first),
        _least_on_fibres(2, second),
        identical(_geometric_moment(1), 2 * alpha / (1 - alpha**2), "the noise has it"),
        identical(_geometric_moment(2), 2 * alpha / (1 - alpha) ** 2, "and the second"),
        private("geometric.geometric"),
    )


THEOREM_3 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 3",
    states="let ε < 0: every ε-DP mechanism has E_z|x - z| > √2/ε, x the true count",
    verdict=Verdict.FALSE,
    reading="ε > 0 is meant (Table 1 has ε ∈ R+), Δ_f = 1; the error is the largest over x",
    checks=(
        theorem_3_as_printed,
        theorem_3_for_rmse,
        theorem_3_geometric_is_below,
        theorem_3_constant_is_below,
        theorem_3_negative_epsilon,
        theorem_3_repaired_for_reals,
        theorem_3_repaired_for_integers,
    ),
    argument="The bounds are computed for noise λ = z - x of one law.  For any m on the integers "
    "average the laws of m(x) - x over x = 0..N.  The average has μ_N(B) <= e^ε μ_N(B+1) + "
    "1/(N+1), and the same for B-1; its moment is at most the largest one of m.  So the μ_N are "
    "tight; a limit μ has μ(B) <= e^ε μ(B±1), and no larger moment.  On almost all fibres mod 1 "
    "the conditional laws keep this.  For real x average over an interval likewise.",
)


# Section 2.2, the sentence after Theorem 3.


@read_as("E|x - z| of the Laplace mechanism is √2/ε", by="SymPy")
def section_2_2_absolute(power: int = 1) -> Finding:
    """The error is defined as E_z|x - z|; the moment of Laplace noise is integrated."""
    error = sympy.simplify(_laplace_moment(power) ** sympy.Rational(1, power))
    return identical(error, sympy.sqrt(2) / epsilon, f"it is {error}")


@read_as("its RMSE is √2/ε, and least where x is real and densities within e^(ε|x-x'|)", by="SymPy")
def section_2_2_squared(power: int = 2) -> Finding:
    """Laplace noise has the least second moment of all such noise, see Theorem 3."""
    error = sympy.simplify(_laplace_moment(power) ** sympy.Rational(1, power))
    return together(
        identical(error, sympy.sqrt(2) / epsilon, f"RMSE = {error}"),
        identical(least_moment(2), _laplace_moment(2), f"least E λ² = {least_moment(2)}"),
    )


SECTION_2_2 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 2.2, optimality",
    states="the Laplace mechanism has error √2/ε, which means optimal on the counting query",
    verdict=Verdict.AMBIGUOUS,
    reading="the text defines the error as E|x - z|, and the figure is an RMSE; for integer counts "
    "geometric noise has less of either, see Theorem 3",
    checks=(section_2_2_absolute, section_2_2_squared),
)

CLAIMS = (THEOREM_3, SECTION_2_2)
