"""Sections 3.3.3 and 3.3.4: composition, and alignments under (P, ε)-ADP."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy
import z3

from ...claim import Claim, Finding, Paper, Verdict, moreover, printed, under
from ...ways.algebra import identical, valid
from ...ways.mechanisms import private, refuted
from ...ways.small import Law, mixed, within

# Theorem 6: composition.


def _pair(bit: int, shared: Fraction) -> Law:
    """(x ⊕ b, b') for fair coins b and b', which are one coin with a probability."""
    half = Fraction(1, 2)
    same: Law = {(bit ^ b, b): half for b in (0, 1)}
    apart: Law = dict.fromkeys(product((0, 1), repeat=2), half * half)
    return mixed({"same": (shared, same), "apart": (1 - shared, apart)})


@printed("M is (P, Σ ε_i)-ADP however the m_i draw their noise", by="a counterexample, exactly")
def one_coin_for_two(shared: Fraction = Fraction(1)) -> Finding:
    """x ⊕ b and b with one coin b: each is (P, 0)-ADP, and together they are x."""
    one, zero = (_pair(bit, shared) for bit in (1, 0))
    alone = all(_part(one, i) == _part(zero, i) for i in (0, 1))
    holds = within(one, zero, Fraction(1))
    text = "the same law on 1 and 0" if holds else "(x ⊕ b, b) = (1, 0) never comes of 0"
    return Finding(not alone or holds, f"each alone (P, 0)-ADP: {alone}; {text}")


def _part(law: Law, index: int) -> dict[int, Fraction]:
    part: dict[int, Fraction] = {}
    for each, chance in law.items():
        assert isinstance(each, tuple)
        part[each[index]] = part.get(each[index], Fraction(0)) + chance
    return part


@under("the m_i draw independently; each may depend on the answers before it", by="Z3, induction")
def independent_costs_add_up(spent: Fraction = Fraction(1)) -> Finding:
    """Of the densities f_1(z_1) and f_2(z_2 | z_1), each is at most e^(ε_i) times that on D'.

    So is their product, at each (z_1, z_2), for the sum; and, integrated, over each set.  The first
    stands for all before, the second for the next one.
    """
    first, first_other, second, second_other = z3.Reals("f_1 f_1' f_2 f_2'")
    e1, e2 = z3.Reals("e^ε_1 e^ε_2")
    positive = z3.And(
        *(x >= 0 for x in (first, first_other, second, second_other)), e1 >= 1, e2 >= 1
    )
    owed = z3.And(first <= e1 * first_other, second <= e2 * second_other)
    claim = first * second * z3.RealVal(str(spent)) <= e1 * e2 * first_other * second_other
    return valid(z3.Implies(z3.And(positive, owed), claim))


SUBSETS_OF_BITS = ((), (0,), (1,), (0, 1))


@moreover(
    "the printed proof compares S × ... × S only, which does not decide", by="exact probabilities"
)
def cubes_do_not_decide(off_diagonal: Fraction = Fraction(1, 2)) -> Finding:
    """Two laws of (z_1, z_2): all S × S are ordered, and (0, 1) has probability .5 against 0."""
    rest = (1 - off_diagonal) / 2
    one: Law = {(0, 0): rest, (1, 1): rest, (0, 1): off_diagonal}
    zero: Law = {(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)}
    cubes = all(_mass(one, chosen) <= _mass(zero, chosen) for chosen in SUBSETS_OF_BITS)
    apart = not within(one, zero, Fraction(1))
    shown = f"Pr[S × S] at most as large for all S; (0, 1): {off_diagonal}, 0"
    return Finding(cubes and apart, shown)


def _mass(law: Law, chosen: tuple[int, ...]) -> Fraction:
    wanted = set(product(chosen, repeat=2))
    return sum((chance for each, chance in law.items() if each in wanted), Fraction(0))


THEOREM_6 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 6",
    states="if m_1, ..., m_j satisfy (P, ε_1), ..., (P, ε_j)-ADP, the sequential mechanism M "
    "satisfies (P, Σ ε_i)-ADP",
    verdict=Verdict.TRUE_UNDER,
    reading="independence is neither said nor excluded",
    checks=(one_coin_for_two, independent_costs_add_up, cubes_do_not_decide),
    argument="Sets S_1 × ... × S_j would do for the proof: their finite disjoint unions are an "
    "algebra, and the inequality carries over to what it generates.",
)


# Theorem 7: alignments.


@printed("an acyclic alignment keeps volumes (three noise variables)", by="SymPy")
def volumes_are_kept(stretch: int = 1) -> Finding:
    """λ'_j = λ_j + ψ_j(earlier λ): the Jacobian is triangular with ones, whatever the ψ_j are.

    Nor do two noise vectors go to one: the first λ is what λ' says, then the second, and so on.
    """
    noise = sympy.symbols("lambda1:4")
    second, third = sympy.Function("psi2")(noise[0]), sympy.Function("psi3")(*noise[:2])
    moved = sympy.Matrix(
        [noise[0] + sympy.Symbol("c"), stretch * noise[1] + second, noise[2] + third]
    )
    return identical(moved.jacobian(noise).det(), sympy.Integer(1), "the determinant is 1")


@printed("the density falls by at most e^cost along it, so Pr on D is at most e^ε Pr on D'",
         by="Z3, induction")  # fmt: skip
def density_falls_by_the_cost(factor: Fraction = Fraction(1)) -> Finding:
    """One noise variable more multiplies f(H) / f(φ(H)) by at most e^(|λ - λ'| / α), by (3).

    With volumes kept, integrating over S_{D:z} gives Pr[z on D] <= e^ε Pr[z on D'] for the z of one
    alignment, and these are countably many, by (5).  All of it is about one pair D, D': so what it
    is asked of all D' ∈ N_P(D), it gives for them.
    """
    rest, rest_moved, this, this_moved = z3.Reals("f f' f_j f_j'")
    cost, more = z3.Reals("e^cost e^(|λ-λ'|/α)")
    positive = z3.And(*(x >= 0 for x in (rest, rest_moved, this, this_moved)), cost >= 1, more >= 1)
    owed = z3.And(rest <= cost * rest_moved, this <= more * this_moved)
    claim = rest * this * z3.RealVal(str(factor)) <= cost * more * rest_moved * this_moved
    return valid(z3.Implies(z3.And(positive, owed), claim))


@moreover("it may not leave the support of the noise: f(D) = 0, f(D') = 1, λ' = λ - 1 costs ε, and "
          "Pr[f + λ < 1] is 1 - e^(-ε) on D, 0 on D'", by="a certificate")  # fmt: skip
def support_is_not_left(
    certificate: str = "incorrect_threshold_decision.threshold_decision_wrong_direction",
) -> Finding:
    """The decision f + λ < 1 on a count that neighbours raise, with exponential noise."""
    return refuted(certificate)


@moreover("an alignment in the direction of the policy does it: aLap", by="a certificate")
def alignment_of_alap(
    certificate: str = "asymmetric_laplace.asymmetric_laplace_decreasing",
) -> Finding:
    """λ' = λ + f(D) - f(D') stays in the support, since the count can only fall."""
    return private(certificate)


THEOREM_7 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 7",
    states="conditions (1)-(5) of Theorem 2, asked for all D and D' ∈ N_P(D), imply (P, ε)-ADP",
    verdict=Verdict.TRUE,
    reading="the f_i are densities, their domain is their support, and S_{D:z} holds noise vectors "
    "of the support only; the cost is the largest over these (Definition 6)",
    checks=(
        volumes_are_kept,
        density_falls_by_the_cost,
        support_is_not_left,
        alignment_of_alap,
    ),
)

CLAIMS = (THEOREM_6, THEOREM_7)
