"""Sections 2.1 to 2.4: ε-DP, ε-LDP, ε·d-privacy, and a mechanism as a stochastic matrix.

The bounds are printed for single reports y; that they hold for events, add up and reach from
neighbour to neighbour is what makes the definitions sound.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from ..claim import Claim, Finding, Paper, Verdict, meant, moreover, printed, sound
from ..ways.algebra import valid

growth, second_growth, power = z3.Reals("e^ε e^ε' e^(kε)")
p, q, p_of_set, q_of_set = z3.Reals("p(y) q(y) p(S) q(S)")


# Equation (1).


@sound("(1) for all y bounds every event S", by="Z3, induction over S")
def events_follow_from_reports(slack: Fraction = Fraction(0)) -> Finding:
    """One more report y joins S: both sides grow by its probabilities.

    The reports are discrete, so an infinite S is the limit of finite ones.
    """
    known = z3.And(growth >= 1, q >= 0, q_of_set >= 0, p_of_set <= growth * q_of_set,
                   p <= growth * q + z3.RealVal(str(slack)))  # fmt: skip
    return valid(z3.Implies(known, p_of_set + p <= growth * (q_of_set + q)))


@moreover("an ε-DP and an ε'-DP answer together are (ε + ε')-DP, as Section 1 has it", by="Z3")
def budgets_add(share: Fraction = Fraction(1)) -> Finding:
    """The probability of a pair of reports is a product; e^(ε+ε') is a product, too."""
    second_p, second_q = z3.Reals("p'(y) q'(y)")
    known = z3.And(growth >= 1, second_growth >= 1, p >= 0, q >= 0, second_p >= 0, second_q >= 0,
                   p <= growth * q, second_p <= second_growth * second_q)  # fmt: skip
    whole = z3.RealVal(str(share)) * growth * second_growth
    return valid(z3.Implies(known, p * second_p <= whole * q * second_q))


EQUATION_1 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Equation (1)",
    states="K is ε-DP if P[K(D) = y] <= e^ε P[K(D') = y] for all D ~ D' and all y",
    verdict=Verdict.DEFINITION,
    reading="a definition, sound if it bounds all events; domains are discrete, as Section 2 says",
    checks=(events_follow_from_reports, budgets_add),
)


# Equation (2).


@moreover("LDP of each user's report is DP of the collection, as Section 1 has it", by="Z3")
def collection_is_private(changed: int = 1) -> Finding:
    """One record changes, so one factor of the probability of the n reports does."""
    rest = z3.Real("product of the other reports")
    known, left, right = z3.And(growth >= 1, rest >= 0), rest, growth * rest
    for user in range(changed):
        mine, other = z3.Reals(f"p_{user} q_{user}")
        known = z3.And(known, mine >= 0, other >= 0, mine <= growth * other)
        left, right = left * mine, right * other
    return valid(z3.Implies(known, left <= right))


@moreover("in a continuous domain (2) at single y says nothing of S", by="SymPy, integrals")
def single_numbers_say_nothing(second: int = 2) -> Finding:
    """Y = x + U, U uniform on [0, 1]: each y has probability 0 under x and x'.

    For x = 0 and x' = 2 the event S = [0, 1] has probabilities 1 and 0, which no ε allows.
    """
    noise, at = sympy.symbols("u y", real=True)
    density = sympy.Piecewise((1, (noise >= 0) & (noise <= 1)), (0, True))
    at_a_number = sympy.integrate(density, (noise, at, at))
    on_first = sympy.integrate(density, (noise, 0, 1))
    on_second = sympy.integrate(density, (noise, 0 - second, 1 - second))
    shown = f"Pr[Y = y] = {at_a_number}; Pr[Y in [0, 1]] = {on_first} at 0, {on_second} at {second}"
    return Finding(at_a_number == 0 and on_first > 0 and on_second == 0, shown)


EQUATION_2 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Equation (2)",
    states="K is ε-LDP if P[K(x) = y] <= e^ε P[K(x') = y] for all x, x' and every measurable S",
    verdict=Verdict.DEFINITION,
    reading="S does not occur in the inequality: it is meant for all y; the domain is discrete. "
    'The text calls the notion "LPD" in places',
    checks=(events_follow_from_reports, collection_is_private, single_numbers_say_nothing),
)


# Equation (3).


@sound("on [0, n] neighbours suffice: (3) for |i - h| = 1 gives it for all i, h", by="Z3")
def neighbours_suffice(extra: int = 0) -> Finding:
    """Induction over k = |i - h|: one step more multiplies the bound by e^ε.

    The powers of e^ε are variables: only that e^((k+1)ε) is e^ε times e^(kε) is used.
    """
    start, here, after = z3.Reals("P[K(i)=y] P[K(h)=y] P[K(h+1)=y]")
    known = z3.And(growth >= 1, power >= 1, start >= 0, here >= 0, after >= 0,
                   start <= power * here, here <= growth ** (1 + extra) * after)  # fmt: skip
    return valid(z3.Implies(known, start <= growth * power * after))


@moreover("with d(x, x') = 1 for all x ≠ x' it is ε-LDP, and weaker for d >= 1", by="Z3")
def discrete_metric_gives_ldp(distances_are_at_least_one: bool = True) -> Finding:
    """(2) implies (3) if different values are at least 1 apart: then e^(εd) >= e^ε."""
    stretched = z3.Real("e^(εd)")
    known = z3.And(growth >= 1, stretched >= 1, q >= 0, p >= 0, p <= growth * q)
    if distances_are_at_least_one:
        known = z3.And(known, stretched >= growth)
    return valid(z3.Implies(known, p <= stretched * q))


EQUATION_3 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Equation (3)",
    states="K is ε·d-private if P[K(x) = y] <= e^(ε d(x,x')) P[K(x') = y] for all x, x' and y",
    verdict=Verdict.DEFINITION,
    reading="a definition; here X = [0, n] with d(i, h) = |i - h|",
    checks=(events_follow_from_reports, neighbours_suffice, discrete_metric_gives_ldp),
)


# Section 2.4.


@printed("C_ij >= 0 (i, j in [0, 1]) and Σ_j C_ij >= 0 (i in [0, 1]) make C stochastic", by="Z3")
def printed_conditions_suffice(last: int = 1, sums_are_one: bool = False) -> Finding:
    """All matrices for n = 2: is there one with these properties whose rows are no laws?"""
    c = [[z3.Real(f"C_{i}{j}") for j in range(3)] for i in range(3)]
    sums = [z3.Sum(row) for row in c]
    known = [c[i][j] >= 0 for i in range(last + 1) for j in range(last + 1)]
    known += [s == 1 if sums_are_one else s >= 0 for s in sums[: last + 1]]
    laws = z3.And([s == 1 for s in sums] + [entry >= 0 for row in c for entry in row])
    return valid(z3.Implies(z3.And(known), laws))


@printed("C_ij is the probability of the value i given the report j", by="exactly, n = 1")
def entries_condition_on_reports(prior: Fraction = Fraction(1, 4)) -> Finding:
    """Randomised response C = (2/3, 1/3; 1/3, 2/3) under the prior (1/4, 3/4), by Bayes."""
    priors = (prior, 1 - prior)
    c = ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3)))
    law = [sum((priors[i] * c[i][j] for i in (0, 1)), Fraction()) for j in (0, 1)]
    given = [[priors[i] * c[i][j] / law[j] for j in (0, 1)] for i in (0, 1)]
    same = all(given[i][j] == c[i][j] for i in (0, 1) for j in (0, 1))
    return Finding(same, f"Pr[value 0 | report 0] = {given[0][0]}, C_00 = {c[0][0]}")


@meant("C_ij = Pr[j | i] >= 0, Σ_j C_ij = 1 for all i in [0, n]: πC is a law for all π", by="Z3")
def rows_give_laws(row_sum: Fraction = Fraction(1)) -> Finding:
    """Induction over the rows: with row i the mass of πC grows by π_i times the row's sum."""
    mass, prior_mass, share = z3.Reals("mass Σπ π_i")
    added = share * z3.RealVal(str(row_sum))
    known = z3.And(mass == prior_mass, share >= 0)
    return valid(z3.Implies(known, z3.And(mass + added == prior_mass + share, added >= 0)))


SECTION_2_4 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Section 2.4",
    states="C_ij, the conditional probability of i given j, forms a stochastic matrix: C_ij >= 0 "
    "for i, j in [0, 1] and Σ_j C_ij >= 0 for i in [0, 1]",
    verdict=Verdict.MISPRINT,
    reading="as in the text that we have, a transcription. [0, 1] are the integers from 0 to 1, as "
    "[0, n] is before; rows are inputs",
    checks=(printed_conditions_suffice, entries_condition_on_reports, rows_give_laws),
)

CLAIMS = (EQUATION_1, EQUATION_2, EQUATION_3, SECTION_2_4)
