"""G has the largest mutual information I(X; Y) of all ε-d-private mechanisms on [0, n].

A proof for all n, ε and priors π.  I is a sum over the columns v of C of
φ(v) = Σ_i π_i v_i ln v_i - (π·v) ln(π·v).  Let z·g_j = φ(g_j) for the columns g_j of K, K_ij =
α^|i-j|.  If φ(v) <= z·v for all columns v that an ε-d-private mechanism can have, then
I(C) <= Σ_v z·v = z·1 = Σ_j c_j z·g_j = I(G).  A ray v has heights e_i with v_i = α^e_i.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy
import z3
from flint import arb, fmpq

from shiftproof.estimators.channels import ExactMatrix
from shiftproof.estimators.geometric_channel import TruncatedGeometric
from shiftproof.estimators.randomised_response import RandomisedResponse

from ..claim import Finding, Undecided, moreover, read_as
from ..ways.algebra import identical
from ..ways.argument import argument
from ..ways.inequalities import convex, inner_pair_is_lower
from ..ways.logic import valid
from .channels import rows_sum_to_one
from .truncated import tridiagonal_inverse

LEVEL = Fraction(4, 5)
RESPONSE = RandomisedResponse(3, LEVEL).exact_matrix()


@moreover("step 1: each column of an ε-d-private C is a sum of rays, v_(i+1) = v_i α^±1", by="Z3")
def columns_are_sums_of_rays(private: bool = True) -> Finding:
    """Induction over n: extend each ray of the sum by α with weight λ and by 1/α with 1-λ.

    All rays have the same λ, so the new entry is λ α v_n + (1-λ) v_n/α.  It is v_(n+1) for a λ in
    [0, 1] as α v_n <= v_(n+1) <= v_n/α.
    """
    alpha, last, new, share = z3.Reals("α v_n v_(n+1) λ")
    known = z3.And(alpha > 0, alpha < 1, last > 0,
                   new * alpha == last * (share * alpha * alpha + 1 - share))  # fmt: skip
    if private:
        known = z3.And(known, new >= alpha * last, new * alpha <= last)
    return valid(z3.Implies(known, z3.And(share >= 0, share <= 1)))


@moreover("step 2: φ(tv) = t φ(v) and φ is convex, so rays are the worst", by="SymPy, Hessian")
def information_is_sublinear(factor: int = 1) -> Finding:
    """φ(v) = Σ_i π_i v_i ln(v_i / (π·v)) is a sum of a ln(a/b) with linear a and b.

    That is homogeneous, and convex: its Hessian has determinant 0 and positive trace.
    """
    a, b, t = sympy.symbols("a b t", positive=True)
    term = a * sympy.log(a / b)
    hessian = sympy.hessian(term, (a, b))
    scaled = term.subs({a: t * a, b: t * b}, simultaneous=True)
    if not sympy.simplify(hessian.trace()).is_positive:
        raise Undecided("the sign of the trace is not seen")
    return argument(
        "Hessian of a ln(a/b): determinant 0, trace > 0",
        identical(scaled, t**factor * term),
        identical(hessian.det(), sympy.Integer(0)),
    )


@moreover("step 3: a ray without a valley is a multiple of some g_j", by="Z3, for all n")
def peaks_are_columns(valleys_allowed: bool = False) -> Finding:
    """Once it falls it never rises again, so with j its peak e_i = e_j + |i-j|, step by step."""
    before, after = z3.Ints("step_k step_(k+1)")
    k, peak, height, top = z3.Ints("k j e_k e_j")
    is_step = z3.And(z3.Or(before == 1, before == -1), z3.Or(after == 1, after == -1))
    no_valley = z3.BoolVal(True) if valleys_allowed else z3.Not(z3.And(before == -1, after == 1))
    stays_down = z3.Implies(z3.And(is_step, no_valley, before == -1), after == -1)
    distance, next_distance = (_size(at - peak) for at in (k, k + 1))
    step = z3.If(k < peak, 1, -1)  # rises before the peak, falls behind it
    follows = z3.Implies(height == top + distance, height - step == top + next_distance)
    return valid(z3.And(stays_down, follows))


def _size(number: Any) -> Any:
    return z3.If(number >= 0, number, -number)


@moreover("step 4: a ray v with a valley m has v + v_m g_m = u + w, rays with fewer valleys",
          by="Z3, for all n")  # fmt: skip
def valleys_split(right_goes: int = -1) -> Finding:
    """u is v up to m and falls from there; w rises up to m and is v from there.

    A valley of u or w is one of v, and not m.  On the left u = v and w = v_m g_m, on the right the
    other way round.  As heights change by 1 a step, e_i <= e_m + |i-m|: so v >= v_m g_m, v is the
    larger one of u and w, and v_m g_m the smaller one.
    """
    step = z3.Function("step", z3.IntSort(), z3.IntSort())
    k, m, height, low = z3.Ints("k m e_k e_m")
    known = z3.And([z3.Or(step(at) == 1, step(at) == -1) for at in (k - 1, k, m - 1, m)])
    known = z3.And(known, step(m - 1) == -1, step(m) == 1)

    def of_u(at: Any) -> Any:
        return z3.If(at < m, step(at), right_goes)

    def of_w(at: Any) -> Any:
        return z3.If(at < m, 1, step(at))

    def is_valley(steps: Any) -> Any:
        return z3.And(steps(k - 1) == -1, steps(k) == 1)

    fewer = z3.Implies(z3.Or(is_valley(of_u), is_valley(of_w)), z3.And(is_valley(step), k != m))
    change = z3.Int("change")
    one_step = z3.And(z3.Or(change == 1, change == -1), height <= low + _size(k - m))
    away = z3.If(k >= m, 1, -1)
    below = z3.Implies(one_step, height + change <= low + _size(k + away - m))
    return argument("fewer valleys, v >= v_m g_m", valid(z3.Implies(known, fewer)), valid(below))


@moreover("step 5: φ(u) + φ(w) >= φ(v) + φ(v_m g_m)", by="SymPy and Z3: x ln x is convex")
def splitting_gains(factor: Fraction = Fraction(1)) -> Finding:
    """Entry by entry u and w are v and v_m g_m in some order, so the first parts of φ are equal.

    For the second, π·u and π·w lie between π·v_m g_m and π·v and have the same sum: of a convex
    function the inner pair has the smaller sum, and it counts negatively.
    """
    x = sympy.Symbol("x", positive=True)
    return argument("h = x ln x: h(π·u) + h(π·w) <= h(π·v) + h(π·v_m g_m)",
                    convex(x * sympy.log(x), x), inner_pair_is_lower(factor=factor))  # fmt: skip


@moreover("step 6: so φ(v) <= z·v for all rays, by induction over the valleys", by="Z3")
def induction_closes(gain: int = 1) -> Finding:
    """z exists as K has an inverse; z·v_m g_m = φ(v_m g_m); z·u + z·w = z·v + z·v_m g_m.

    Σ_j c_j g_j = 1 as the rows of G sum to 1.
    """
    u, w, v, g = z3.Reals("φ(u) φ(w) φ(v) φ(g)")
    zu, zw, zv, zg = z3.Reals("z·u z·w z·v z·g")
    known = z3.And(u <= zu, w <= zw, g == zg, zu + zw == zv + zg, gain * (u + w) >= gain * (v + g))
    return argument("φ(v) <= z·v", tridiagonal_inverse(), rows_sum_to_one(),
                    valid(z3.Implies(known, v <= zv)))  # fmt: skip


@read_as("no ε-d-private mechanism tells more: I(X; Y) is largest for G, for all n, ε and π",
         by="the six steps below")  # fmt: skip
def most_information(factor: Fraction = Fraction(1)) -> Finding:
    """By steps 3 to 6 φ(v) <= z·v for all rays, by 1 and 2 for all columns.

    So I(C) <= z·1 = I(G).
    """
    return argument(
        "φ(v) <= z·v for all columns v of ε-d-private mechanisms, with equality for G",
        columns_are_sums_of_rays(), information_is_sublinear(), peaks_are_columns(),
        valleys_split(), splitting_gains(factor=factor), induction_closes(),
    )  # fmt: skip


def _information(matrix: ExactMatrix) -> Any:
    """I(X; Y) in nats under the uniform prior, as a ball."""
    size, total = len(matrix), arb(0)
    for column in zip(*matrix, strict=True):
        mean = sum(column, Fraction()) / size
        for entry in column:
            if entry:
                ratio, weight = entry / mean, entry / size
                logarithm = arb(fmpq(ratio.numerator, ratio.denominator)).log()
                total += arb(fmpq(weight.numerator, weight.denominator)) * logarithm
    return total


@moreover("n = 2, α = 4/5, uniform π: G tells more than the response with less error", by="balls")
def response_tells_less(other: ExactMatrix = RESPONSE) -> Finding:
    """The two measures disagree; mutual information is that of a single report."""
    ours, theirs = _information(TruncatedGeometric(2, LEVEL).exact_matrix()), _information(other)
    if not (ours > theirs or ours < theirs):
        raise Undecided("the enclosures overlap")
    return Finding(bool(ours > theirs), f"I in nats: G {ours.str(6)}, response {theirs.str(6)}")
