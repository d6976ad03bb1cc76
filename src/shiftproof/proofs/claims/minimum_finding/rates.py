"""Theorem 2, Corollaries 1 and 2: from the terms of the error to rates.

γ = tanh(ε/2L) is the share of a signal that an answer with ε/L leaves.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, restored
from ..ways.algebra import identical, together, valid

eps, rounds, users, level, c, alpha = sympy.symbols("epsilon L N h_N C alpha", positive=True)


@restored("τ = κ (L/ε) √(h_N/N), h = ητ: the first term is O((L²h_N/ε²N)^(1/2α))", by="SymPy")
def first_term(power: int = 1) -> Finding:
    """((1+η)τ/C)^(1/α) is that rate times a number without N, L, ε and h_N."""
    kappa, eta = sympy.symbols("kappa eta", positive=True)
    chosen = kappa * (rounds / eps) ** power * sympy.sqrt(level / users)
    term = ((1 + eta) * chosen / c) ** (1 / alpha)
    rate = (rounds**2 * level / (eps**2 * users)) ** (1 / (2 * alpha))
    return identical(term, ((1 + eta) * kappa / c) ** (1 / alpha) * rate, "a multiple of the rate")


@restored("and exp(-2Nh²γ²) <= exp(-c h_N), c = 2(ηκ/3)², if ε <= 2L", by="SymPy and Z3")
def last_term(share: Fraction = Fraction(2, 3)) -> Finding:
    """tanh x >= x - x³/3 >= 2x/3 for 0 <= x = ε/2L <= 1.

    x - tanh x is 0 at 0 and has the derivative tanh² x >= 0; tanh x - x + x³/3 is 0 at 0 and has
    x² - tanh² x, which is thus not below 0.
    """
    x, kappa, eta = sympy.symbols("x kappa eta", positive=True)
    z = z3.Real("x")
    slopes = (sympy.diff(x - sympy.tanh(x), x), sympy.diff(sympy.tanh(x) - x + x**3 / 3, x))
    part = sympy.Rational(share.numerator, share.denominator)
    h = eta * kappa * (rounds / eps) * sympy.sqrt(level / users)
    exponent = 2 * users * h**2 * (part * eps / (2 * rounds)) ** 2
    bound = z - z * z * z / 3 >= z3.RealVal(str(share)) * z
    return together(
        identical(slopes[0], sympy.tanh(x) ** 2, "(x - tanh x)' = tanh² x"),
        identical(slopes[1], x**2 - sympy.tanh(x) ** 2, "(tanh x - x + x³/3)' = x² - tanh² x"),
        valid(z3.Implies(z3.And(z >= 0, z <= 1), bound), "x - x³/3 >= 2x/3"),
        identical(exponent, 2 * (eta * kappa / 3) ** 2 * level, "2Nh²(ε/3L)² = 2(ηκ/3)² h_N"),
    )


@restored("i.i.d. too: E U_(k)^m <= m! (k/N)^m", by="Z3, induction over m")
def moments_are_powers(factor: Fraction = Fraction(1)) -> Finding:
    """One moment more multiplies by (k+m) / (N+1+m), see Theorem 5.

    For 1/α between whole numbers, E U^s <= (E U^m)^(s/m) with m = ⌈s⌉; and k = ⌈(τ+h)N⌉ is at
    most 2(τ+h)N if (τ+h)N >= 1.
    """
    k, n, m = z3.Reals("k N m")
    known = z3.And(k >= 1, k <= n, m >= 0)
    more = (k + m) * n <= z3.RealVal(str(factor)) * (m + 1) * k * (n + 1 + m)
    return valid(z3.Implies(known, more))


@moreover("for ε → ∞ at fixed L and N, exp(-2Nh²γ²) tends to 1: it needs ε = O(L)", by="SymPy")
def large_epsilon(power: int = 1) -> Finding:
    """h shrinks with τ like 1/ε, while γ <= 1."""
    h = (rounds / eps) ** power * sympy.sqrt(level / users)
    exponent = 2 * users * h**2 * sympy.tanh(eps / (2 * rounds)) ** 2
    limit = sympy.limit(exponent, eps, sympy.oo)
    return Finding(limit == 0, f"the exponent tends to {limit}")


THEOREM_2 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Theorem 2, error",
    states="F α-fat, τ ≍ (L/ε) √(h_N/N) → 0: "
    "err = O((L²h_N/ε²N)^(1/2α) + 2^(-L) + L exp(-c h_N)), in both settings",
    verdict=Verdict.RESTORED,
    reading="restored from Corollaries 1 and 2; ε = O(L), as Section 6.1 grants for large ε",
    checks=(first_term, last_term, moments_are_powers, large_epsilon),
    argument="The terms are those of Theorems 4 and 5, for N so large that τ+h <= C (x̄ - x_min)^α. "
    "In the i.i.d. setting a law that is fat up to F = p only adds 2 Pr[Bin(N, p) < k], which "
    "falls exponentially in N as k/N → 0.",
)


# Corollaries 1 and 2.

log_n, known_alpha = sympy.symbols("ln_N alpha_0", positive=True)


def _vanishes(term: sympy.Expr, text: str) -> Finding:
    limit = sympy.limit(term, log_n, sympy.oo)
    return Finding(limit == 0, text if limit == 0 else f"{term} tends to {limit}")


def _below_all_powers(log_term: sympy.Expr, text: str) -> Finding:
    """Whether a term N^s → 0 for all s: its logarithm falls faster than any multiple of ln N."""
    slope = sympy.limit(log_term / log_n, log_n, sympy.oo)
    return Finding(slope == -sympy.oo, text if slope == -sympy.oo else f"about N^({slope})")


@restored("L = log₂N / 2α_0, h_N = b ln N: each term is O((ln³N/ε²N)^(1/2α))", by="SymPy and Z3")
def known_fatness(share: Fraction = Fraction(1), power: int = 3) -> Finding:
    """L²h_N is a multiple of ln³N; 2^(-L) = N^(-1/2α_0) <= N^(-1/2α) for α >= α_0.

    With cb = 1/2α_0 + η the last term is at most a multiple of ln N · N^(-η) times N^(-1/2α).
    """
    part = sympy.Rational(share.numerator, share.denominator)
    b, eta = sympy.symbols("b eta", positive=True)
    halvings = part * log_n / (2 * known_alpha * sympy.log(2))
    square = sympy.diff(halvings**2 * b * log_n / log_n**power, log_n)
    z_known, z_alpha = z3.Reals("α_0 α")
    fat = z3.And(z_known > 0, z_known <= z_alpha)
    fine = z3.RealVal(str(share)) / (2 * z_known) >= 1 / (2 * z_alpha)
    last = log_n * sympy.exp(-(1 / (2 * known_alpha) + eta) * log_n + log_n / (2 * known_alpha))
    return together(
        identical(square, sympy.Integer(0), "L²h_N / ln³N is constant"),
        valid(z3.Implies(fat, fine), "2^(-L) <= N^(-1/2α)"),
        _vanishes(sympy.powsimp(sympy.expand(last)), "L exp(-c h_N) N^(1/2α) → 0"),
        _vanishes(halvings * sympy.sqrt(log_n) * sympy.exp(-log_n / 2), "τ → 0"),
    )


COROLLARY_1 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Corollary 1",
    states="α >= α_0 known, L = log₂N / 2α_0, h_N ≍ ln N: err = O((ln³N / ε²N)^(1/2α))",
    verdict=Verdict.RESTORED,
    reading="restored; the constant before ln N is large enough",
    checks=(known_fatness,),
)


@restored("L = a ln²N, h_N = b ln²N: each term is O((ln⁶N/ε²N)^(1/2α)), any α", by="SymPy")
def unknown_fatness(growth: int = 2) -> Finding:
    """2^(-L) and exp(-c h_N), with c in b, are below any power of N."""
    a, b = sympy.symbols("a b", positive=True)
    halvings, tests = a * log_n**growth, b * log_n**growth
    square = sympy.diff(halvings**2 * tests / log_n**6, log_n)
    return together(
        _below_all_powers(-halvings * sympy.log(2), "2^(-L) N^s → 0 for all s"),
        _below_all_powers(sympy.log(halvings) - tests, "L exp(-c h_N) N^s → 0 for all s"),
        identical(square, sympy.Integer(0), "L²h_N / ln⁶N is constant"),
        _vanishes(halvings * sympy.sqrt(tests) * sympy.exp(-log_n / 2), "τ → 0"),
    )


COROLLARY_2 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Corollary 2",
    states="α unknown, L ≍ h_N ≍ ln²N: err = O((ln⁶N / ε²N)^(1/2α))",
    verdict=Verdict.RESTORED,
    reading="restored",
    checks=(unknown_fatness,),
)

# Section 5, after Theorem 3.


@printed("their quotients are powers of ln N, (ln³N)^(1/2α) and (ln⁶N)^(1/2α)", by="SymPy")
def rates_match(power: int = 2) -> Finding:
    """The rates of Corollaries 1 and 2 over that of Theorem 3, (1/(ε²N))^(1/2α)."""
    lower = (1 / (eps**power * users)) ** (1 / (2 * alpha))
    found = []
    for logs in (3, 6):
        upper = (log_n**logs / (eps**2 * users)) ** (1 / (2 * alpha))
        left_over = (log_n**logs) ** (1 / (2 * alpha))
        found.append(identical(sympy.powsimp(upper / lower), left_over, f"(ln^{logs} N)^(1/2α)"))
    return together(*found)


@moreover("asked once each, as Definition 2 has it: ln²N for ln³N and ln⁴N for ln⁶N", by="SymPy")
def asking_once_matches(power: int = 1) -> Finding:
    """With N/L users a round and all of ε, τ = κ √(L h_N/N) / ε.

    The first term is then O((L h_N/ε²N)^(1/2α)), with the same L and h_N.  As γ = tanh(ε/2) is
    at least ε/3 for ε <= 2, with h = ητ the last one is L exp(-c h_N) again, see Theorem 2.
    """
    kappa, eta = sympy.symbols("kappa eta", positive=True)
    h = eta * kappa * sympy.sqrt(rounds**power * level / users) / eps
    exponent = 2 * (users / rounds) * h**2 * (eps / 3) ** 2
    found = [identical(exponent, 2 * (eta * kappa / 3) ** 2 * level, "2(N/L)h²(ε/3)² = c h_N")]
    for halvings, tests, logs in ((log_n, log_n, 2), (log_n**2, log_n**2, 4)):
        chosen = kappa * sympy.sqrt(halvings**power * tests / users) / eps
        rate = (log_n**logs / (eps**2 * users)) ** (1 / (2 * alpha))
        multiple = (kappa / c) ** (1 / alpha)
        found.append(identical((chosen / c) ** (1 / alpha), multiple * rate, f"ln^{logs} N"))
    return together(*found)


AFTER_THEOREM_3 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Section 5, after Theorem 3",
    states="the lower bound matches the upper bounds of Corollaries 1 and 2 up to log factors",
    verdict=Verdict.TRUE,
    reading="as formulas. Algorithm 2 asks everybody in every round, so it is not of the class "
    "that Theorem 3 is proved for; the search that asks each user once is",
    checks=(rates_match, asking_once_matches),
)

CLAIMS = (THEOREM_2, COROLLARY_1, COROLLARY_2, AFTER_THEOREM_3)
