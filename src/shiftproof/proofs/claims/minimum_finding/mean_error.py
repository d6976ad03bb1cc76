"""Theorems 4 and 5: the mean error of Algorithm 2, term by term.

γ = tanh(ε/2L) is the share of a signal that an answer with ε/L leaves, u = x - x_min.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from ..claim import Claim, Finding, Paper, Verdict, moreover, restored
from ..ways.algebra import ball, below, identical, shown, together, valid
from ..ways.searches import halved, high, largest_excess, low, middle, next_high, next_low

least, quantile, estimate = z3.Reals("x_min F*(τ+h) x̂")
tau, excess = z3.Reals("τ h")
width = high - low


# Theorem 4.


@restored(
    "error <= F*(τ+h) - x_min + 2^(2-t) in every run, t the first mistake", by="Z3, induction"
)
def mistakes_of_the_minimum(allowed: int = 1) -> Finding:
    """A mistake is to go left with nobody below M, or right with M above F*(τ+h).

    Without one x_min <= r and l <= F*(τ+h).  At the first, in round t, the interval is 2^(2-t)
    long, and x̂ will be in it; if there is none, x̂ is the middle of the last.  Lemma 1 with
    F*(τ+h) on one side and x_min on the other.
    """
    left = z3.Bool("left")
    near = z3.And(least <= high, low <= quantile, least <= quantile)
    mistake = z3.If(left, least >= middle, middle > quantile)
    still = z3.And(least <= next_high, next_low <= quantile)
    inside = z3.And(low <= estimate, estimate <= high)
    off = z3.If(estimate < least, least - estimate, estimate - least)
    gap = quantile - least
    return together(
        valid(z3.Implies(z3.And(near, halved(left), z3.Not(mistake)), still), "it stays near"),
        valid(z3.Implies(z3.And(near, inside), off <= gap + allowed * width), "a mistake"),
        valid(
            z3.Implies(z3.And(near, low < high, estimate == middle), off <= gap + width / 2),
            "no mistake",
        ),
    )


@restored("Σ_t 2^(2-t) Pr[mistake in t] <= 4L exp(-2Nh²γ²) if 0 < h < τ", by="Z3 and SymPy")
def mistakes_are_rare(times: Fraction = Fraction(1)) -> Finding:
    """Either mistake needs φ̂ to be off by h or more to one side, see Lemma 2.

    To go left with φ = 0 needs φ̂ >= τ, to go right with φ >= τ + h needs φ̂ < τ.  Which one is
    possible is settled by M; the answers of a round are drawn anew.  The weights add up to
    4 (1 - 2^(-L)) <= 4L.
    """
    t, rounds = sympy.symbols("t L", integer=True, positive=True)
    share, guess = z3.Reals("φ φ̂")
    left = z3.And(share == 0, guess >= tau)
    right = z3.And(share >= tau + excess, guess < tau)
    far = z3.If(guess > share, guess - share, share - guess) >= z3.RealVal(str(times)) * excess
    weights = sympy.summation(2 ** (2 - t), (t, 1, rounds))
    power = z3.Real("2^(-L)")
    number = z3.Real("L")
    return together(
        valid(z3.Implies(z3.And(excess > 0, excess < tau, z3.Or(left, right)), far), "off by h"),
        identical(weights, 4 - 4 * 2 ** (-rounds), "Σ_t 2^(2-t) = 4 (1 - 2^(-L))"),
        valid(z3.Implies(z3.And(power > 0, number >= 1), 4 - 4 * power <= 4 * number), "<= 4L"),
    )


@restored("F*(τ+h) - x_min <= ((τ+h)/C)^(1/α) if τ+h <= C (x̄ - x_min)^α", by="Z3")
def quantile_is_near(more: Fraction = Fraction(1)) -> Finding:
    """There F >= C u^α = τ + h, and F*(τ+h) <= x iff F(x) >= τ+h.  In logarithms.

    At u = x̄ - x_min itself F, continuous from the right, is no less than its limit from below.
    """
    log_f, log_c, log_u, log_share = z3.Reals("ln(F) ln(C) ln(u) ln(τ+h)")
    alpha = z3.Real("α")
    known = z3.And(alpha > 0, alpha * log_u == log_share - log_c, log_f >= log_c + alpha * log_u)
    return valid(z3.Implies(known, log_f >= z3.RealVal(str(more)) * log_share))


@moreover(
    "E|x̂ - x_min| <= F*(τ+h) - x_min + 2^(-L) + 4L exp(-2Nh²γ²) for all fixed data of N = 40, "
    "with L = 2, e^(ε/L) = 9, τ = 2/5, h = 3/8",
    by="exact mean errors of all data sets, rigorous balls",
)
def exact_errors(users: int = 40, tail: int = 4) -> Finding:
    """γ = 4/5.  12341 ways to spread the users over the four intervals, at their worst places."""
    share, h = Fraction(2, 5), Fraction(3, 8)
    found = largest_excess(users, 9, share, share + h)
    power = 2 * users * h**2 * Fraction(4, 5) ** 2
    allowed = ball(Fraction(1, 4)) + 2 * tail * (-ball(power)).exp()
    text = (
        f"the worst mean error beyond the quantile is {shown(ball(found), 8)} of {shown(allowed)}"
    )
    return Finding(below(ball(found), allowed), text)


THEOREM_4 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Theorem 4",
    states="fixed data, F α-fat, 0 < h < τ, τ+h <= C (x̄ - x_min)^α: "
    "err <= ((τ+h)/C)^(1/α) + 2^(-L) + 4L exp(-2Nh²γ²), γ = tanh(ε/2L)",
    verdict=Verdict.RESTORED,
    reading="restored, as its constants are lost",
    checks=(mistakes_of_the_minimum, mistakes_are_rare, quantile_is_near, exact_errors),
)


# Theorem 5.


@restored("E U_(k)^(1/α) = k^((1/α)) / (N+1)^((1/α)), U_(k) the k-th of N uniform", by="SymPy")
def uniform_moments(shift: int = 1) -> Finding:
    """x_(k) is F*(U_(k)), so u <= (U_(k)/C)^(1/α), see Theorem 4.  U_(k) is Beta(k, N-k+1).

    Given the data, its quantile at τ+h is x_(k), and by the steps of Theorem 4 the error is at
    most x_(k) - x_min and the same other terms; x_min may be below all data there.
    """
    k, rest, power = sympy.symbols("k m s", positive=True)
    users = k + rest - 1
    moment = (sympy.beta(k + power, rest) / sympy.beta(k, rest)).rewrite(sympy.gamma)
    rise = sympy.rf(k, power) / sympy.rf(users + shift, power)
    ratio = sympy.gammasimp(moment / rise.rewrite(sympy.gamma))
    return identical(ratio, sympy.Integer(1), "the two are the same for all k, N and α")


@restored("U_(k) is that, for N <= 6", by="polynomials in u and 1/α, exactly")
def order_statistics(shift: int = 0) -> Finding:
    """Pr[U_(k) > u] = Pr[Bin(N, u) < k], and E U^s is the integral of s u^(s-1) Pr[U > u]."""
    s = sympy.Symbol("s", positive=True)
    for users in range(1, 7):
        for k in range(1, users + 1):
            moment = sum(
                (s * sympy.binomial(users, j) * sympy.factorial(users - j)
                 / sympy.prod([s + j + i for i in range(users - j + 1)]) for j in range(k)),
                sympy.Integer(0),
            )  # fmt: skip
            product = sympy.prod([(i + shift) / (i + shift + s) for i in range(k, users + 1)])
            if sympy.cancel(moment - product) != 0:
                return Finding(False, f"N = {users}, k = {k}: {sympy.factor(moment)}")
    return Finding(True, "E U_(k)^s = Π_{i=k..N} i / (i + s) for the 21 pairs k <= N <= 6")


@moreover("fat up to F = p < 1 only, a term 2 Pr[Bin(N, p) < k] is needed besides", by="SymPy")
def beyond_the_tail(reach: Fraction = Fraction(1, 4)) -> Finding:
    """N = k = 1: F = 2u up to a reach of 1/4, and all else at u = 2; C = 2, α = 1, p = 1/2.

    Where U_(k) > p the error is still at most 2, and that is when fewer than k values are in it.
    """
    u, end = sympy.Symbol("u"), sympy.Rational(reach.numerator, reach.denominator)
    inside = 2 * end
    mean = sympy.integrate(2 * u, (u, 0, end)) + 2 * (1 - inside)
    first = sympy.Rational(1, 2) / 2
    needed = bool(mean > first) and bool(mean <= first + 2 * (1 - inside))
    return Finding(
        needed, f"the mean is {mean}; the first term {first}, the other {2 * (1 - inside)}"
    )


THEOREM_5 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Theorem 5",
    states="i.i.d. data, F α-fat: the first term of Theorem 4 becomes "
    "C^(-1/α) k^((1/α)) / (N+1)^((1/α)), k = ⌈(τ+h)N⌉, with rising factorials "
    "x^((s)) = Γ(x+s)/Γ(x)",
    verdict=Verdict.RESTORED,
    reading="restored: the other terms allow φ̂ to be off by h, so the rank is that of τ+h. "
    "F(x) >= C u^α is meant up to F = 1, or else the lost condition (9) must make a further term "
    "small",
    checks=(uniform_moments, order_statistics, beyond_the_tail),
    argument="With δ for F*(τ) as in Lemma 1 the rank is ⌈τN⌉, and E δ is added; with mistakes as "
    "in Theorem 4 it is ⌈(τ+h)N⌉ and there is no δ. Given the data the questions depend on answers "
    "only, so no uniform bound of the empirical distribution is needed.",
)

CLAIMS = (THEOREM_4, THEOREM_5)
