"""Section 2.1: data sets, differential privacy, sensitivity, Laplace noise and composition."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from fractions import Fraction
from itertools import product

import sympy
import z3

from .....dsl.privacy.policies import DataSet, Record
from ...claim import Claim, Finding, Paper, Verdict, meant, moreover, printed, read_as, sound, under
from ...ways.algebra import together, valid
from ...ways.mechanisms import private
from ...ways.small import Law, data_sets, replacements, worst_ratio

growth, weight, on, off = z3.Reals("e^ε w p p'")
y, f, g, scope = z3.Reals("y f(D) f(D') Δ")


# Table 1: what a data set is.


def _people_are_kept(collect: Callable[[DataSet], Collection[Record]]) -> Finding:
    """Whether every person counts once, and a replaced record leaves as many records."""
    for data in (d for n in (1, 2, 3) for d in data_sets(n, 1)):
        visitors, counted = sum(r[0] for r in data), sum(r[0] for r in collect(data))
        if visitors != counted:
            return Finding(False, f"D = {data}: {visitors} visitors, but the count is {counted}")
    for data, other in (pair for n in (1, 2, 3) for pair in replacements(n, 1)):
        if len(collect(data)) != len(collect(other)):
            return Finding(False, f"{data} → {other}: not as many records as before")
    return Finding(True, "so for all binary data sets of one attribute")


@read_as("D is a set: each person counts, and replacing a record keeps |D| (n <= 3)", by="cases")
def table_1_as_set(collect: Callable[[DataSet], Collection[Record]] = frozenset) -> Finding:
    """Of two people with equal records a set keeps one."""
    return _people_are_kept(collect)


@read_as("D is a family (r_1, .., r_n): the same (n <= 3)", by="all cases")
def table_1_as_family(collect: Callable[[DataSet], Collection[Record]] = tuple) -> Finding:
    """Two people with equal records stay two, so a count is one of people."""
    return _people_are_kept(collect)


TABLE_1 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Table 1",
    states="D is a set of records; a record is a set of attributes",
    verdict=Verdict.AMBIGUOUS,
    reading="a count must count each person, and neighbours have equally many records; a record "
    "is a tuple; the outputs are 𝒵, for which Definitions 1 and 10 print ℤ",
    checks=(table_1_as_set, table_1_as_family),
)


# Definition 1.


@sound("what is computed from the output of an (ε, δ)-DP m is (ε, δ)-DP", by="Z3")
def definition_1_survives_processing(most: Fraction = Fraction(1)) -> Finding:
    """w is the probability of an event given an output, p and p' its densities on D and D'.

    Termwise w (p - e^ε p') is at most its positive part.  The positive parts sum to the excess
    of one set S, that of all outputs with p > e^ε p'; the definition bounds it by δ.
    """
    known = z3.And(weight >= 0, weight <= z3.RealVal(str(most)), on >= 0, off >= 0, growth >= 1)
    excess = on - growth * off
    bound = z3.If(excess > 0, excess, 0)
    return valid(z3.Implies(known, weight * excess <= bound), "so for every output")


@moreover("releasing |D| is 0-DP, as neighbours have equally many records (n <= 3)", by="all cases")
def definition_1_makes_size_public(removal: bool = False) -> Finding:
    """A replacement leaves n as it is; if "differs" also meant one record more, n would tell."""
    pairs = [(d, o) for n in (1, 2, 3) for d, o in replacements(n, 1)]
    if removal:
        pairs += [(d, d[1:]) for n in (1, 2, 3) for d in data_sets(n, 1)]
    told = next(((d, o) for d, o in pairs if len(d) != len(o)), None)
    return Finding(told is None, f"{told} are told apart" if told else f"{len(pairs)} pairs")


DEFINITION_1 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 1",
    states="Pr[m(D) ∈ S] <= e^ε Pr[m(D') ∈ S] + δ for all S and all D, D' whose only one record "
    "differs",
    verdict=Verdict.DEFINITION,
    reading="a definition: what is checked makes it sound; S is measurable, and one record is "
    "replaced (Theorem 5 would fail if it were added or removed)",
    checks=(definition_1_survives_processing, definition_1_makes_size_public),
)


# Definition 2.


@sound("|f(D) - f(D')| <= Δ_f gives f + Lap(Δ_f / ε) a loss of at most ε", by="Z3")
def definition_2_bounds_the_loss(share: Fraction = Fraction(1)) -> Finding:
    """The loss at output y is (|y - f(D')| - |y - f(D)|) ε/Δ.

    For a vector the L1 norm adds such terms up, one for each entry, each at most |f - f'|.
    """
    moved, loss = z3.Abs(f - g), z3.Abs(y - g) - z3.Abs(y - f)
    return valid(loss <= z3.RealVal(str(share)) * moved, "| |y-f'| - |y-f| | <= |f-f'| for all y")


@moreover("over all D, D', as the formula stands alone, a count has Δ = n (n <= 4)", by="all cases")
def definition_2_needs_neighbours(neighbouring: bool = False) -> Finding:
    """The sup of how far the number of ones moves, over all pairs of n records."""
    found = {}
    for n in (1, 2, 3, 4):
        pairs = replacements(n, 1) if neighbouring else product(data_sets(n, 1), repeat=2)
        found[n] = max(abs(sum(r[0] for r in d) - sum(r[0] for r in o)) for d, o in pairs)
    return Finding(all(found[n] == n for n in found), f"Δ by n: {found}")


@moreover("with the L2 norm Lap(Δ_f / ε) noise on a vector is not ε-DP", by="an example, exactly")
def definition_2_needs_l1(entries: int = 2) -> Finding:
    """Each of d entries moves by 1: the loss at y = f(D) is more than ε iff its square is, as Δ².

    For d = 1 both norms are the same.
    """
    here, there = (0,) * entries, (1,) * entries
    loss = sum(abs(y - g) - abs(y - f) for y, f, g in zip(here, here, there, strict=True))
    squared_norm = sum((g - f) ** 2 for f, g in zip(here, there, strict=True))
    shown = f"d = {entries}: loss = {loss} ε/Δ, Δ² = {squared_norm}"
    return Finding(loss**2 > squared_norm, shown)


DEFINITION_2 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 2",
    states="Δ_f = sup |f(D) - f(D')|, where D and D' are neighbouring",
    verdict=Verdict.DEFINITION,
    reading="a definition; the sup is over neighbouring data sets, which only the text below the "
    "formula says, and the norm is L1 where f is a vector",
    checks=(
        definition_2_bounds_the_loss,
        definition_2_needs_neighbours,
        definition_2_needs_l1,
    ),
)


# Section 2.1.1.


def _mass(sign: int) -> Finding:
    """Whether ε/(2Δ) exp(± |λ| ε/Δ) has mass 1."""
    rate, end, noise = sympy.symbols("r t lambda", positive=True)  # r = ε/Δ
    inside = 2 * sympy.integrate(rate / 2 * sympy.exp(sign * rate * noise), (noise, 0, end))
    mass = sympy.limit(inside, end, sympy.oo)
    shown = f"within [-t, t] it has mass {sympy.simplify(inside)}, with r = ε/Δ"
    return Finding(mass == 1, f"{shown}; for t → ∞ {mass}")


@printed("(ε/2Δ) exp(|λ| ε/Δ) is a probability density", by="SymPy")
def section_2_1_1_as_printed(sign: int = 1) -> Finding:
    """The integral over [-t, t] is computed; it must tend to 1."""
    return _mass(sign)


@meant("(ε/2Δ) exp(-|λ| ε/Δ) is one, and f + λ is ε-DP", by="SymPy, Z3 and the kernel")
def section_2_1_1_repaired(sign: int = -1, moves: int = 1) -> Finding:
    """The mass is 1; the loss is at most ε as |y - f'| - |y - f| <= |f - f'| <= Δ.

    For Δ = 1 the certificate of the gallery's Laplace mechanism says the same.
    """
    loss = z3.Implies(z3.Abs(f - g) <= moves * scope, z3.Abs(y - g) - z3.Abs(y - f) <= scope)
    return together(_mass(sign), valid(loss, "the loss is at most ε"), private("laplace.laplace"))


SECTION_2_1_1 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 2.1.1, density",
    states="Lap_ε(f, D) = f(D) + λ with density (ε/2Δ_f) exp(|λ| ε/Δ_f) satisfies ε-DP",
    verdict=Verdict.MISPRINT,
    reading="a minus sign is missing",
    checks=(section_2_1_1_as_printed, section_2_1_1_repaired),
)


# Theorem 1.


def _pair_of_answers(bit: int, shared: bool) -> Law:
    """x ⊕ b and c for fair coins b and c, which are one coin if shared."""
    law: dict[Hashable, Fraction] = {}
    for b, c in product((0, 1), repeat=2):
        output = (bit ^ b, b if shared else c)
        law[output] = law.get(output, Fraction(0)) + Fraction(1, 4)
    return law


def _half(law: Law, which: int) -> Law:
    """The law of one of the two answers."""
    half: dict[Hashable, Fraction] = {}
    for output, probability in law.items():
        assert isinstance(output, tuple)
        half[output[which]] = half.get(output[which], Fraction(0)) + probability
    return half


@printed("(m_1, m_2) is (ε_1 + ε_2)-DP if m_i is ε_i-DP, whatever their coins", by="an example")
def theorem_1_as_printed(shared: bool = True) -> Finding:
    """One fair coin b: x ⊕ b and b say nothing of x each, so ε_1 = ε_2 = 0; together they do."""
    laws = [_pair_of_answers(bit, shared) for bit in (0, 1)]
    single = [worst_ratio(_half(a, i), _half(b, i)) for a, b in (laws, laws[::-1]) for i in (0, 1)]
    joint = worst_ratio(*laws)
    shown = "∞" if joint is None else joint
    return Finding(
        not (set(single) == {1} and joint != 1),
        f"ratios of the single answers: {', '.join(map(str, single))}; of the pair: {shown}",
    )


@under("the m_i have independent coins; m_2 may depend on the first answer", by="Z3, induction")
def theorem_1_with_independence(factor: Fraction = Fraction(1)) -> Finding:
    """The joint density is that of the first answers times that of the next, given them.

    One step of an induction over the number of answers; integrating the densities over S gives
    the statement (Fubini).
    """
    p, q, r, s, a, b = z3.Reals("p q r s e^ε_1 e^ε_2")
    known = z3.And(p >= 0, q >= 0, r >= 0, s >= 0, a >= 1, b >= 1, p <= a * q, r <= b * s)
    bound = z3.RealVal(str(factor)) * (a * b) * (q * s)
    return valid(z3.Implies(known, p * r <= bound), "p r <= e^(ε_1 + ε_2) q s")


THEOREM_1 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 1",
    states="m_i is ε_i-DP for i ∈ [k]: (m_1(x), .., m_k(x)) is Σ ε_i-DP",
    verdict=Verdict.TRUE_UNDER,
    reading="the text does not say whether the m_i draw noise of their own",
    checks=(theorem_1_as_printed, theorem_1_with_independence),
)

CLAIMS = (TABLE_1, DEFINITION_1, DEFINITION_2, SECTION_2_1_1, THEOREM_1)
