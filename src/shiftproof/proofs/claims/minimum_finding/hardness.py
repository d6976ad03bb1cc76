"""Theorem 1: a user who lies alone stays hidden.

One record is -1 and the others are 1, or all are 1.  Two laws of a released estimate are compared
point by point: p and p' are their densities there, with respect to some common measure.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from ....mechanisms.randomized_response import warner
from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as
from ..ways.algebra import identical, together, valid
from ..ways.mechanisms import probability

growth, p, q, x, y = z3.Reals("e^ε p p' x̂ y")
densities = z3.And(p >= 0, q >= 0)


def _from(one: z3.ArithRef, place: int) -> z3.ArithRef:
    return z3.If(one < place, place - one, one - place)


def _number(value: Fraction | int) -> z3.ArithRef:
    return z3.RealVal(str(value))


@printed("fixed data: some F has err >= 2/(1+e^ε), for all N and ε", by="Z3")
def one_hides_among_many(share: Fraction = Fraction(2)) -> Finding:
    """The two data sets differ in one record, so p <= e^ε p' and p' <= e^ε p everywhere.

    Integrated, |x̂+1| p + |x̂-1| p' >= 2/(1+e^ε) (p + p') says that the two mean errors add up to
    4/(1+e^ε) or more.  LDP answers are DP (Appendix C.1), so it is true for these, however they
    interact.
    """
    close = z3.And(growth >= 1, densities, p <= growth * q, q <= growth * p)
    errors = _from(x, -1) * p + _from(x, 1) * q
    return valid(z3.Implies(close, (1 + growth) * errors >= _number(share) * (p + q)))


@printed("i.i.d. data: some F has err >= 2q/(1+q), q = (1 - (1-e^(-ε))/N)^N", by="Z3 and SymPy")
def many_differ(users: int = 6, chance: Fraction = Fraction(1)) -> Finding:
    """A record is -1 with probability 1/N, or else 1: against all at 1, B of them differ.

    B is Bin(N, 1/N), and p >= E e^(-εB) p' = q p'.  Integrated, |x̂+1| p + q |x̂-1| p' >= 2q p' says
    so: the mean errors e and e' have e + q e' >= 2q.  E e^(-εB) = q is the binomial theorem, here
    written out for N <= 6.
    """
    rare = z3.Real("q")
    close = z3.And(rare > 0, rare <= 1, densities, p >= rare * q)
    errors = _from(x, -1) * p + rare * _from(x, 1) * q
    shrunk = sympy.Symbol("a", positive=True)
    found = [valid(z3.Implies(close, errors >= 2 * rare * q), "e + q e' >= 2q")]
    for n in range(1, users + 1):
        hit = sympy.Rational(str(chance)) / n
        moment = sum(
            (sympy.binomial(n, b) * hit**b * (1 - hit) ** (n - b) * shrunk**b
             for b in range(n + 1)), sympy.Integer(0),
        )  # fmt: skip
        found.append(identical(moment, (1 - (1 - shrunk) / n) ** n, "E e^(-εB) = q"))
    return together(*found)


@moreover("q >= e^(-ε) for all N, so err >= 2/(1+e^ε) for i.i.d. data too", by="Z3, induction")
def differing_hides_no_less(more: int = 0) -> Finding:
    """Bernoulli's inequality (1-y)^k >= 1 - ky, with y = (1-e^(-ε))/N and k = N.

    2q/(1+q) grows with q.
    """
    power, k, low, high = z3.Reals("(1-y)^k k q q'")
    known = z3.And(y >= 0, y <= 1, k >= 0, power >= 1 - k * y)
    step = power * (1 - y) >= 1 - (k + 1 - more) * y
    grows = z3.Implies(z3.And(low > 0, low <= high), low * (1 + high) <= high * (1 + low))
    return together(valid(z3.Implies(known, step)), valid(grows))


@moreover("2/(1+e^ε) is attained for the two fixed data sets, e^ε = 2, 4, 8", by="exact laws")
def two_points_attain(far: int = 2) -> Finding:
    """Ask the one who may be at -1, by randomised response, and answer -1 or 1 accordingly.

    Whoever lies is off by 2; the gallery's response lies as often for either bit.
    """
    found, expected = [], []
    for bits in (1, 2, 3):
        lies = [probability(warner, 1 - bit, x=bit, eps=f"{bits} ln 2") for bit in (0, 1)]
        found.append(far * max(lies))
        expected.append(Fraction(2, 1 + 2**bits))
    return Finding(found == expected, "mean errors " + ", ".join(map(str, found)))


THEOREM_1 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Theorem 1",
    states="for fixed ε and any ε-LDP mechanism some F makes err = Ω(1) in N, in both settings",
    verdict=Verdict.TRUE,
    checks=(one_hides_among_many, many_differ, differing_hides_no_less, two_points_attain),
)


@read_as("each N by itself: F(x) = 1/N on [-1, 1), F(1) = 1 is not 1-fat, for N = 10", by="Z3")
def worst_case_is_fat(mass: Fraction = Fraction(1, 10)) -> Finding:
    """Up to x̄ = 1, where u < 2, F = 1/N is at least C u with C = 1/(2N)."""
    u = z3.Real("u")
    slope = mass / 2
    fat = valid(z3.Implies(z3.And(u > 0, u < 2), _number(mass) >= _number(slope) * u))
    is_fat = fat.holds and slope > 0
    return Finding(not is_fat, f"F >= {slope} u for 0 < u < 2" if is_fat else "no C > 0 will do")


@read_as("no C > 0, x̄ and α do for all N: for some N, F(x) < C u^α", by="Z3")
def no_constant_for_all(reach: Fraction = Fraction(1)) -> Finding:
    """At any u in reach C u^α is a number y > 0, and F(x) = 1/N < y for N = 1/y + 1 and more."""
    number = z3.Real("N")
    large = z3.And(y > 0, number >= _number(reach) / y + 1)
    return valid(z3.Implies(large, 1 / number < y))


@moreover("for a given N it is α-fat for every α, C = 2^(-α)/N", by="Z3")
def every_exponent_will_do(power: int = 1) -> Finding:
    """ln(1/N) >= ln C + α ln u as u <= 2."""
    log_n, log_u, log_two, alpha = z3.Reals("ln(N) ln(u) ln(2) α")
    log_c = -power * alpha * log_two - log_n
    known = z3.And(alpha > 0, log_u <= log_two, log_two > 0)
    return valid(z3.Implies(known, -log_n >= log_c + alpha * log_u))


AFTER_THEOREM_1 = Claim(
    paper=Paper.MINIMUM_FINDING,
    name="Section 5, after Theorem 1",
    states="the worst case distribution is not α-fat for any finite α",
    verdict=Verdict.AMBIGUOUS,
    reading="one record at -1 and the others at 1. Definition 1 has 'universal constants': "
    "whether they may depend on N, as F does, is not said",
    checks=(worst_case_is_fat, no_constant_for_all, every_exponent_will_do),
)

CLAIMS = (THEOREM_1, AFTER_THEOREM_1)
