"""Section 2.1.3: randomness alignments, and what a bounded cost shows."""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from ...claim import Claim, Finding, Paper, Verdict, moreover, printed, read_as, sound
from ...ways.algebra import together, valid

Noise, Output = z3.DeclareSort("noise"), z3.DeclareSort("output")
H, K = z3.Consts("H K", Noise)
z = z3.Const("z", Output)
m, m_of_other, m_of_third = (z3.Function(n, Noise, Output) for n in ("m(D)", "m(D')", "m(D'')"))
possible, possible_there = (z3.Function(n, Noise, z3.BoolSort()) for n in ("supp", "supp'"))
aligned, aligned_on = (z3.Function(n, Noise, Noise) for n in ("φ", "φ'"))
local = z3.Function("φ_z", Output, Noise, Noise)

# Definition 3.


@sound("if φ keeps to the support, D' can have every output that D can have", by="Z3")
def definition_3_carries_outputs(kept: bool = True) -> Finding:
    """For all mechanisms, noise and φ; H with m_H(D) = z gives φ(H) with m_φ(H)(D') = z."""
    moves = z3.ForAll([H], z3.Implies(possible(H), m(H) == m_of_other(aligned(H))))
    stays = z3.ForAll([H], z3.Implies(possible(H), possible_there(aligned(H))))
    can = z3.And(possible(K), m(K) == z)
    can_there = z3.Exists([H], z3.And(possible_there(H), m_of_other(H) == z))
    known = z3.And(moves, stays, can) if kept else z3.And(moves, can)
    return valid(z3.Implies(known, can_there), "φ(H) is possible on D' and gives z")


@moreover("alignments compose along D, D', D''", by="Z3")
def definition_3_composes(second: bool = True) -> Finding:
    """φ' after φ aligns D with D''."""
    first = z3.ForAll([H], m(H) == m_of_other(aligned(H)))
    then = z3.ForAll([H], m_of_other(H) == m_of_third(aligned_on(H)))
    both = m(K) == m_of_third(aligned_on(aligned(K)))
    return valid(z3.Implies(z3.And(first, then) if second else first, both), "φ' ∘ φ aligns")


DEFINITION_3 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 3",
    states="φ_{D,D'} is a randomness alignment: m_H(D) = m_φ(H)(D') for all H",
    verdict=Verdict.DEFINITION,
    reading="a definition; H is a noise vector of positive density, and so must φ(H) be",
    checks=(definition_3_carries_outputs, definition_3_composes),
)


# Definition 4.


@sound("local alignments for all z make one alignment, H ↦ φ_{m_H(D)}(H)", by="Z3")
def definition_4_glues(into: bool = True) -> Finding:
    """The S_{D:z} are disjoint and hold every H, so exactly one of the φ_z is for H."""
    there = m_of_other(local(z, H)) == z if into else z3.BoolVal(True)
    each = z3.ForAll([z, H], z3.Implies(m(H) == z, there))
    glued = m_of_other(local(m(K), K)) == m(K)
    return valid(z3.Implies(each, glued), "each H keeps its output")


@moreover("an alignment maps S_{D:z} to S_{D':z} for every z", by="Z3")
def definition_4_restricts(starts_there: bool = True) -> Finding:
    """So nothing is lost by asking for the local ones."""
    whole = z3.ForAll([H], m(H) == m_of_other(aligned(H)))
    known = z3.And(whole, m(K) == z) if starts_there else whole
    return valid(z3.Implies(known, m_of_other(aligned(K)) == z), "φ(H) ∈ S_{D':z}")


DEFINITION_4 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 4",
    states="φ_{D,D',z}: S_{D:z} → S_{D':z} is a local alignment: m_H(D) = m_φ(H)(D') on "
    "S_{D:z} = {H | m_H(D) = z}",
    verdict=Verdict.DEFINITION,
    reading="a definition; its brackets are typeset m_φ(H)(D') with (H) outside of the index, and "
    "S_{D:z} holds noise of positive density only",
    checks=(definition_4_glues, definition_4_restricts),
)


# Definition 5.


@sound("an acyclic φ is injective, for any number of variables", by="Z3, induction")
def definition_5_is_injective(first_known: bool = True) -> Finding:
    """One step along π: equal λ' mean equal earlier λ, so the same ψ was added to λ_π(j)."""
    earlier = z3.DeclareSort("earlier")
    a, b = z3.Consts("a b", earlier)
    psi = z3.Function("ψ", earlier, z3.RealSort())
    x, y = z3.Reals("λ_j μ_j")
    same = x + psi(a) == y + psi(b)
    known = z3.And(a == b, same) if first_known else same
    return valid(z3.Implies(known, x == y), "equal λ' come from equal λ")


@moreover("it keeps volume: the Jacobian is 1 (n <= 4)", by="SymPy")
def definition_5_keeps_volume(cyclic: bool = False) -> Finding:
    """The determinant for ψ's that are left open; given the earlier ones each step is a shift.

    For all n: nothing but λ'_π(n) depends on λ_π(n), so expanding along the last column leaves
    the determinant for n - 1.
    """
    found = {}
    for n in (1, 2, 3, 4):
        noise = sympy.symbols(f"lambda1:{n + 1}", real=True)
        known = [noise if cyclic else noise[:j] for j in range(n)]
        moved = [noise[j] + sympy.Function(f"psi{j}")(*known[j], 0) for j in range(n)]
        found[n] = sympy.Matrix(moved).jacobian(noise).det(method="berkowitz")
    return Finding(all(det == 1 for det in found.values()), f"determinants by n: {found}")


DEFINITION_5 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 5",
    states="φ is acyclic: in some order π, λ'_π(1) = λ_π(1) + const and λ'_π(j) = λ_π(j) + "
    "ψ_j(λ_π(1), .., λ_π(j-1)), with ψ_j piecewise differentiable",
    verdict=Verdict.DEFINITION,
    reading="a definition; π and const depend on D, D' and z only",
    checks=(definition_5_is_injective, definition_5_keeps_volume),
)


# Definition 6.

loss, spent, more, scale = z3.Reals("loss cost |λ-λ'| α")


def _losses_add_up(times: Fraction) -> Finding:
    """Σ log f_i(λ_i)/f_i(λ'_i) <= cost, by one step over the number of variables."""
    step = z3.Real("log f(λ)/f(λ')")
    known = z3.And(
        scale > 0, more >= 0, loss <= spent, step <= z3.RealVal(str(times)) * more / scale
    )
    return valid(z3.Implies(known, loss + step <= spent + more / scale), "loss <= cost at every H")


@read_as("the cost is the largest over H ∈ S_{D:z}: no H has a larger loss", by="Z3, induction")
def definition_6_as_sup(times: Fraction = Fraction(1)) -> Finding:
    """The logarithm of the ratio of the densities of H and φ(H) is at most Σ |λ_i - λ'_i|/α_i."""
    return _losses_add_up(times)


@read_as("the cost is the number Σ |λ_i - λ'_i|/α_i at some H of S_{D:z}", by="SymPy, an example")
def definition_6_at_one_h(slope: int = 1) -> Finding:
    """m releases f λ_1 + λ_2, with f ∈ {0, slope} and λ_i ~ Lap(1).

    λ'_2 = λ_2 + (f - f') λ_1 aligns it at the cost |(f - f') λ_1|: nothing where λ_1 = 0.
    Then m would be 0-DP; the densities of the output 0 are compared.
    """
    first = sympy.Symbol("λ_1", positive=True)  # where it is negative, the same by symmetry
    law = sympy.exp(-first) / 2
    here, there = (
        2 * sympy.integrate(law * law.subs(first, f * first), (first, 0, sympy.oo))
        for f in (0, slope)
    )
    shown = f"no cost at λ_1 = 0, yet the densities of the output 0 are {here} and {there}"
    return Finding(bool(here == there), shown)


DEFINITION_6 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 6",
    states="cost(φ_{D,D',z}) = Σ_i |λ_i - λ'_i| / α_i",
    verdict=Verdict.AMBIGUOUS,
    reading="the right side depends on H, the left side does not; a cost of at most ε should show "
    "a loss of at most ε",
    checks=(definition_6_as_sup, definition_6_at_one_h),
)


# Theorem 2.


@printed("conditions (1) to (5) give Pr[m(D) ∈ S] <= e^ε Pr[m(D') ∈ S] for all S", by="Z3, SymPy")
def theorem_2_holds(
    times: Fraction = Fraction(1), cyclic: bool = False, into: bool = True
) -> Finding:
    """The conditions' parts, put together.

    Countably many alignments split S into countably many parts with one φ each (5).  On a part,
    Pr[m(D) ∈ part] is the integral of the density over its H, finitely many variables each (1,
    2).  There the density is at most e^ε times that at φ(H) (3, 4), φ is injective and keeps
    volume, and it ends where m(D') lies in the part.  So the integral is at most e^ε Pr[m(D') ∈
    part]; the parts add up.
    """
    return together(
        _losses_add_up(times),
        definition_5_is_injective(),
        definition_5_keeps_volume(cyclic=cyclic),
        definition_4_glues(into=into),
    )


@moreover("not so if φ may leave the support: f(D) = 0, f(D') = 1, λ ~ Exp(ε)", by="SymPy")
def theorem_2_needs_the_support(moved: int = 1) -> Finding:
    """λ' = λ - 1 costs ε.  But the event m < 1 has a probability on D and none on D'."""
    epsilon, noise = sympy.symbols("ε λ", positive=True)
    density = epsilon * sympy.exp(-epsilon * noise)

    def below(answer: int) -> sympy.Expr:
        return sympy.simplify(sympy.integrate(density, (noise, 0, max(1 - answer, 0))))

    here, there = below(0), below(moved)
    broken = here != 0 and there == 0
    return Finding(broken, f"Pr[m(D) < 1] = {here}, Pr[m(D') < 1] = {there}")


THEOREM_2 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 2",
    states="m terminates, the output tells the number of variables, they are independent with "
    "log f_i(x)/f_i(y) <= |x - y|/α_i, acyclic local alignments of cost <= ε exist and are "
    "countable: m is ε-DP",
    verdict=Verdict.TRUE,
    reading="the f_i are densities, their domain is where they are positive, and H and φ(H) lie "
    "in it; the cost is the largest over H (Definition 6: at some H only, it would not do); "
    "alignments of one formula count as one in (5), and the outputs that share it are measurable",
    checks=(theorem_2_holds, theorem_2_needs_the_support),
)

CLAIMS = (DEFINITION_3, DEFINITION_4, DEFINITION_5, DEFINITION_6, THEOREM_2)
