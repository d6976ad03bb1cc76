"""Section 5.1: the asymmetric Laplace mechanism aLap, its density, its moments, its privacy.

Δ is the P-sensitivity of f, above 0.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from ....dsl.privacy.policies import Policy, monotonicity, p_sensitivity
from ..claim import Claim, Finding, Paper, Verdict, meant, moreover, printed, restored, under
from ..ways.algebra import epsilon, expected, identical, noise, together, valid, width
from ..ways.mechanisms import private, verified
from ..ways.variants import decision_if_increasing, decision_if_neither

MEAN = expected(noise)
VARIANCE_OF_NOISE = expected(noise**2) - MEAN**2


# Definition 15.


def _masses(sign: int) -> list[sympy.Expr]:
    """The integrals of the three densities; the last has exp(sign · ε|λ|/Δ)."""
    rate = epsilon / width
    one_side = sympy.integrate(rate * sympy.exp(-rate * noise), (noise, 0, sympy.oo))
    upper_half = sympy.integrate(rate / 2 * sympy.exp(sign * rate * noise), (noise, 0, sympy.oo))
    return [one_side, one_side, 2 * upper_half]


def _are_densities(sign: int) -> Finding:
    masses = _masses(sign)
    shown = f"integrals: decreasing {masses[0]}, increasing {masses[1]}, neither {masses[2]}"
    return Finding(masses == [1, 1, 1], shown)


@printed("all three are densities", by="SymPy")
def definition_15_as_printed(sign: int = +1) -> Finding:
    """A density integrates to 1.

    The second case is the mirror image of the first; the third is twice its upper half, and with
    exp(+ε|λ|/Δ) that grows.
    """
    return _are_densities(sign)


@meant("they are, with exp(−ε|λ|/Δ) in the third case", by="SymPy")
def definition_15_repaired(sign: int = -1) -> Finding:
    """The same integrals with the sign that the text below the definition means."""
    return _are_densities(sign)


DEFINITION_15 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Definition 15",
    states="the density of λ is (ε/Δ) exp(−ελ/Δ) on λ >= 0 if f is decreasing, "
    "(ε/Δ) exp(ελ/Δ) on λ <= 0 if increasing, else (ε/2Δ) exp(|λ|ε/Δ)",
    verdict=Verdict.MISPRINT,
    reading="Δ > 0 is the P-sensitivity",
    checks=(definition_15_as_printed, definition_15_repaired),
)


# What is said below it of the moments.


@printed("Var(λ) = 1/ε² for a monotonic count", by="SymPy")
def variance_as_printed(sensitivity: object = 1) -> Finding:
    """Both cases have the variance of the exponential law, for they are mirror images."""
    variance = VARIANCE_OF_NOISE.subs(width, sensitivity)
    return identical(variance, 1 / epsilon**2, "Var(λ) = 1/ε²")


@moreover("Var(λ) = Δ²/ε², half of that of the Laplace noise, for every Δ", by="SymPy")
def variance_in_general(share: Fraction = Fraction(1, 2)) -> Finding:
    """The Laplace noise has mean 0, so its variance is the second moment of |λ|."""
    second = expected(noise**2)
    return together(
        identical(VARIANCE_OF_NOISE, (width / epsilon) ** 2, "Var(λ) = Δ²/ε²"),
        identical(VARIANCE_OF_NOISE, sympy.Rational(share) * second, f"E[λ²] = {second}"),
    )


VARIANCE = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 5.1, variance",
    states="when P-sensitivity is monotonic, the variance is 1/ε², smaller than that of Laplace",
    verdict=Verdict.TRUE,
    reading="of the noise λ; Definition 15 is about a counting query, so Δ = 1, as the proof of "
    "Theorem 11 says",
    checks=(variance_as_printed, variance_in_general),
)

#: The noise of an increasing count is minus that of a decreasing one.
DIRECTIONS = {"decreasing": 1, "increasing": -1}


def _biases(shifts: dict[str, sympy.Expr], sensitivity: object) -> Finding:
    """Whether aLap − shift has the mean f, for each direction."""
    found = []
    for direction, shift in shifts.items():
        bias = sympy.simplify((DIRECTIONS[direction] * MEAN - shift).subs(width, sensitivity))
        found.append(Finding(bias == 0, f"if {direction}: bias {bias}"))
    return together(*found)


@printed("E[aLap(f, D) − 1/ε] = f(D) for monotonic f", by="SymPy")
def estimator_as_printed(directions: tuple[str, ...] = ("decreasing", "increasing")) -> Finding:
    """The bias is E[λ] − 1/ε, at Δ = 1; the noise of an increasing count has the mean −1/ε."""
    return _biases(dict.fromkeys(directions, 1 / epsilon), 1)


@under("f is decreasing: E[aLap(f, D) − 1/ε] = f(D)", by="SymPy")
def estimator_if_decreasing(direction: str = "decreasing") -> Finding:
    """As above, of the one case."""
    return _biases({direction: 1 / epsilon}, 1)


@moreover("it is aLap − Δ/ε for decreasing f, aLap + Δ/ε for increasing f", by="SymPy")
def estimator_of_each(increasing: int = -1) -> Finding:
    """The same bias for every Δ, with the mean of each case taken away."""
    mean = width / epsilon
    return _biases({"decreasing": mean, "increasing": increasing * mean}, width)


ESTIMATOR = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 5.1, estimator",
    states="the estimator for the asymmetric Laplace mechanism is aLap_ε(f, D) − 1/ε",
    verdict=Verdict.TRUE_UNDER,
    reading="an unbiased estimator of f(D) is meant; Δ = 1",
    checks=(estimator_as_printed, estimator_if_decreasing, estimator_of_each),
)


# Theorem 10.

start, shift, drop, eps, most = z3.Reals("λ λ' f(D)−f(D') ε Δ")


def _magnitude(value: z3.ArithRef) -> z3.ArithRef:
    return z3.If(value >= 0, value, -value)


@restored("Pr[aLap(f, D) ∈ S] <= e^ε Pr[aLap(f, D') ∈ S], all three cases, all Δ", by="Z3")
def theorem_10(budget: Fraction = Fraction(1)) -> Finding:
    """A ratio of at most e^ε of the densities at every z gives it for every S by integrating.

    The noise that leads to z is λ on D and λ' = λ + f(D) − f(D') on D'.  The log of the ratio is
    (|λ'| − |λ|) ε/Δ, if λ' is in the support where λ is; the inequality is multiplied by Δ.
    """
    known = z3.And(eps > 0, most > 0, shift == start + drop)
    paid = eps * (_magnitude(shift) - _magnitude(start)) <= z3.RealVal(str(budget)) * eps * most
    cases = {
        "decreasing": (z3.And(drop >= 0, drop <= most, start >= 0), shift >= 0),
        "increasing": (z3.And(-drop >= 0, -drop <= most, start <= 0), shift <= 0),
        "neither": (_magnitude(drop) <= most, z3.BoolVal(True)),
    }
    return together(*(
        valid(z3.Implies(z3.And(known, moves), z3.And(inside, paid)), f"{case}: |λ'| <= |λ| + Δ")
        for case, (moves, inside) in cases.items()
    ))  # fmt: skip


@moreover("the three mechanisms at Δ = 1, as programs", by="certificates of the gallery")
def theorem_10_by_certificates(
    cases: tuple[str, ...] = (
        "asymmetric_laplace.asymmetric_laplace_decreasing",
        "asymmetric_laplace.asymmetric_laplace_increasing",
        "asymmetric_laplace.asymmetric_laplace",
    ),
) -> Finding:
    """Each certificate is an alignment whose obligations the kernel finds valid again."""
    return together(*map(private, cases))


@moreover(
    'the step "the Laplace mechanism is ε-DP" of its proof needs Δ_{f,P} = Δ_f', by="enumeration"
)
def theorem_10_proof(values: tuple[int, ...] = (0, 1, 2)) -> Finding:
    """For f = the sum of values 0, 1, 2 of which 1 is sensitive: neither, Δ_{f,P} = 1, Δ_f = 2.

    So Lap(Δ_{f,P}/ε) is 2ε-DP and not ε-DP; Theorem 10 holds by its ratio, as above.  With the
    values 0 and 1 alone, f is a count and there is no gap.
    """
    some, all_values = Policy({1}, values), Policy.everything(values)

    def total(data: tuple[tuple[int, ...], ...]) -> int:
        return sum(map(sum, data))

    own, usual = (p_sensitivity(total, policy, 2, 1) for policy in (some, all_values))
    direction = monotonicity(total, some, 2, 1)
    shown = f"{direction or 'neither'}, Δ_{{f,P}} = {own}, Δ_f = {usual} (two records)"
    return Finding(direction is None and own < usual, shown)


THEOREM_10 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Theorem 10",
    states="aLap satisfies (P, ε)-ADP",
    verdict=Verdict.RESTORED,
    reading="with the density of the third case repaired",
    checks=(theorem_10, theorem_10_by_certificates, theorem_10_proof),
)


# Section 5.1.1.


@printed("1{aLap(f, D) < T} is (P, ε)-ADP", by="a certificate of the gallery, verify")
def section_5_1_1(decreasing: str = "threshold_decision.threshold_decision") -> Finding:
    """The decision as a program, for a decreasing and an increasing f and for neither."""
    return together(
        private(decreasing), verified(decision_if_increasing), verified(decision_if_neither)
    )


SECTION_5_1_1 = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 5.1.1",
    states="by using aLap_ε(f, D) for f(D), the question whether f(D) < T satisfies (P, ε)-ADP",
    verdict=Verdict.TRUE,
    reading="post-processing of aLap; Δ = 1",
    checks=(section_5_1_1,),
)

CLAIMS = (DEFINITION_15, VARIANCE, ESTIMATOR, THEOREM_10, SECTION_5_1_1)
