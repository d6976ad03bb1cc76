"""Identities, signs and inequalities of expressions, decided exactly: by SymPy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import sympy
import z3
from flint import arb, fmpq

from ..claim import Finding, Undecided


def identical(left: sympy.Expr, right: sympy.Expr, shown: str = "") -> Finding:
    """Whether two expressions are the same function of their symbols."""
    rest = sympy.simplify(sympy.expand(left - right))
    if rest == 0:
        return Finding(True, shown or f"{left} = {right}")
    values = {
        s: sympy.Rational(i + 2, i + 3) for i, s in enumerate(sorted(rest.free_symbols, key=str))
    }
    at = sympy.N(rest.subs(values), 30)
    if not at.is_number or abs(at) < sympy.Rational(1, 10**20):
        raise Undecided(f"{rest} is not seen to be 0, nor not to be")
    where = ", ".join(f"{symbol} = {value}" for symbol, value in values.items())
    return Finding(False, f"they differ by {sympy.N(at, 6)}" + (f" at {where}" if where else ""))


def positive_between(
    polynomial: sympy.Expr, symbol: sympy.Symbol, low: object, high: object
) -> Finding:
    """Whether a polynomial with rational coefficients is above 0 for all low < symbol < high.

    Its real roots are counted exactly (Sturm), so no value between is left out.
    """
    poly = sympy.Poly(polynomial, symbol, domain="QQ")
    a, b = sympy.Rational(low), sympy.Rational(high)
    inside = [root for root in sympy.real_roots(poly) if a < root < b] if poly.degree() > 0 else []
    middle = (a + b) / 2
    if not inside and poly.eval(middle) > 0:
        return Finding(True, f"{poly.as_expr()} > 0 for {a} < {symbol} < {b}: no root between")
    at = middle if not inside else _between(a, b, inside, poly)
    return Finding(False, f"{poly.as_expr()} = {poly.eval(at)} at {symbol} = {at}")


def _between(
    low: sympy.Rational, high: sympy.Rational, roots: Sequence[sympy.Expr], poly: sympy.Poly
) -> sympy.Rational:
    """A place where the polynomial is not above 0, if rational ones are among the middles."""
    ends = [low, *(sympy.nsimplify(sympy.N(root, 20), rational=True) for root in roots), high]
    middles = [(a + b) / 2 for a, b in pairwise(ends)]
    return min([*middles, *ends[1:-1]], key=poly.eval)


# A proof of several steps, each decided on its own.


def argument(shown: str, *steps: Finding) -> Finding:
    """Whether all steps hold.

    Args:
        shown: what they amount to, said instead of their details.
        steps: what the steps found.
    """
    found = together(*steps)
    return Finding(True, shown) if found.holds else found


# Several findings as one.


def together(*findings: Finding) -> Finding:
    """All of them hold; the detail is that of the first that does not."""
    for finding in findings:
        if not finding.holds:
            return finding
    return Finding(True, "; ".join(dict.fromkeys(finding.detail for finding in findings)))


# Moments of the asymmetric Laplace noise of a decreasing count, by SymPy.

#: ε; the P-sensitivity Δ; the noise λ, with the density (ε/Δ) e^(−ελ/Δ) above 0.
epsilon, width, noise = sympy.symbols("epsilon Delta lambda", positive=True)


@cache
def expected(value: sympy.Expr, low: sympy.Expr | int = 0) -> sympy.Expr:
    """E[value; λ > low], for a polynomial in λ."""
    density = epsilon / width * sympy.exp(-epsilon * noise / width)
    return sympy.simplify(sympy.integrate(sympy.expand(value * density), (noise, low, sympy.oo)))


@cache
def absolute_error(shift: sympy.Expr) -> sympy.Expr:
    """E|λ − shift| for a shift of at least 0: |λ − s| is s − λ, and 2 (λ − s) more above s."""
    return shift - expected(noise) + 2 * expected(noise - shift, shift)


def squared_error(shift: sympy.Expr) -> sympy.Expr:
    """E(λ − shift)²."""
    return expected(noise**2) - 2 * shift * expected(noise) + shift**2


@cache
def least_absolute_error() -> sympy.Expr:
    """min_s E|λ − s|: it is convex for s >= 0, so it is least where its slope is 0.

    For s < 0 it is E[λ] − s, which is more than at 0.
    """
    at = sympy.Symbol("s", positive=True)
    (best,) = sympy.solve(sympy.diff(absolute_error(at), at), at)
    return sympy.simplify(absolute_error(at).subs(at, best))


# Inequalities of one variable for logarithms, and what convexity adds.

_x = sympy.Symbol("x", positive=True)


def log_below_line(slope: Fraction = Fraction(1)) -> Finding:
    """Whether ln x <= slope (x - 1) for all x > 0, with equality only at x = 1.

    slope (x - 1) - ln x is strictly convex, so its only critical point, 1/slope, is its minimum.
    """
    rate = sympy.Rational(slope)
    gap = rate * (_x - 1) - sympy.log(_x)
    curved = sympy.simplify(sympy.diff(gap, _x, 2) * _x**2)
    lowest = sympy.solve(sympy.diff(gap, _x), _x)
    if len(lowest) != 1 or not curved.is_positive:
        raise Undecided(f"{gap} has not one critical point where it is convex")
    (at,) = lowest
    least = gap.subs(_x, at)
    holds = at == 1 and least == 0
    return Finding(holds, f"min of {gap} is {least}, at x = {at} only")


def convex(function: sympy.Expr, symbol: sympy.Symbol) -> Finding:
    """Whether a function of a positive symbol is strictly convex: its second derivative is > 0."""
    second = sympy.simplify(sympy.diff(function, symbol, 2))
    if second.is_positive is None:
        raise Undecided(f"the sign of {second} is not seen")
    return Finding(bool(second.is_positive), f"({function})'' = {second}")


def inner_pair_is_lower(factor: Fraction = Fraction(1)) -> Finding:
    """Whether h(a) + h(b) <= factor · (h(low) + h(high)) for convex h and all values that it has.

    Here low <= a, b <= high and a + b = low + high: a = λ high + (1-λ) low, b the other way round.
    Only these two instances of convexity are used; the values of h are variables.
    """
    share, at_a, at_b, at_low, at_high = z3.Reals("λ h(a) h(b) h(low) h(high)")
    convexity = z3.And(
        share >= 0, share <= 1,
        at_a <= share * at_high + (1 - share) * at_low,
        at_b <= share * at_low + (1 - share) * at_high,
    )  # fmt: skip
    bound = z3.RealVal(str(factor)) * (at_low + at_high)
    return valid(z3.Implies(convexity, at_a + at_b <= bound))


# Where a polynomial changes its sign, decided by counting roots exactly.


def stays_positive(fraction: Any, low: object, high: object) -> Finding:
    """Whether a rational function is positive for all low < x < high.

    Args:
        fraction: an element of a field of rational functions in one variable, over QQ.
        low: a rational number.
        high: another one, above it.
    """
    a, b = sympy.Rational(low), sympy.Rational(high)
    parts = _parts(fraction)
    roots, middle = sum(_inside(part, a, b) for part in parts), _at(parts, (a + b) / 2)
    if roots == 0 and middle > 0:
        return Finding(True, f"no change of sign between {a} and {b}")
    return Finding(False, f"{roots} roots between {a} and {b}, {middle} in the middle")


def turns_at(fraction: Any, root_of: Any) -> Finding:
    """Whether it is positive for 0 < x < r and negative for r < x < 1.

    Args:
        fraction: as above.
        root_of: a polynomial of which r is the only root between 0 and 1; of the same field.
    """
    zero, one = sympy.Rational(0), sympy.Rational(1)
    parts, (wanted, _) = _parts(fraction), _parts(root_of)
    inside = sum(_inside(part, zero, one) for part in parts)
    if not inside == _inside(wanted, zero, one) == 1:
        return Finding(False, f"{inside} roots between 0 and 1")
    shared = sympy.gcd(parts[0], wanted)
    ((low, high), _), *_ = wanted.intervals(inf=zero, sup=one, eps=sympy.Rational(1, 10**6))
    holds = _inside(shared, zero, one) == 1 and _at(parts, low) > 0 > _at(parts, high)
    return Finding(holds, f"one change of sign, between {float(low):.6f} and {float(high):.6f}")


def _parts(fraction: Any) -> tuple[sympy.Poly, sympy.Poly]:
    """Numerator and denominator; they have no common factor."""
    (symbol,) = fraction.field.symbols
    above, below = fraction.numer.as_expr(), fraction.denom.as_expr()
    return sympy.Poly(above, symbol, domain="QQ"), sympy.Poly(below, symbol, domain="QQ")


def _at(parts: tuple[sympy.Poly, sympy.Poly], value: sympy.Rational) -> sympy.Rational:
    return parts[0].eval(value) / parts[1].eval(value)


def _inside(poly: sympy.Poly, low: sympy.Rational, high: sympy.Rational) -> int:
    """How many different roots there are in low < x < high (Sturm)."""
    if poly.degree() <= 0:
        return 0
    at_ends = sum(1 for end in (low, high) if poly.eval(end) == 0)
    return int(poly.sqf_part().count_roots(low, high)) - at_ends


# Rigorous enclosures of real numbers (Arb): comparisons hold for every number in them.


def ball(value: Fraction | int) -> arb:
    """A rational number as a ball."""
    exact = Fraction(value)
    return arb(fmpq(exact.numerator, exact.denominator))


def below(number: arb, bound: Fraction | int | arb) -> bool:
    """Whether a number is below a bound.

    Raises:
        Undecided: the enclosures overlap.
    """
    other = bound if isinstance(bound, arb) else ball(bound)
    if number < other:
        return True
    if number >= other:
        return False
    raise Undecided(f"{number} may be below {other}, and may not")


def shown(number: arb, digits: int = 6) -> str:
    """A number to read; the digits shown are right, up to one in the last."""
    return str(number.str(digits, radius=False))


# Statements of first-order logic over numbers, decided by Z3.

#: What Z3 may spend on one statement: a resource count, so findings do not depend on the load.
LIMIT = 50_000_000


def valid(statement: z3.BoolRef, shown: str = "") -> Finding:
    """Whether a statement holds for all values of its variables.

    Args:
        statement: a formula; its free variables are meant universally.
        shown: what to say if it holds.

    Returns:
        A finding whose detail, if the statement is false, is the counterexample.

    Raises:
        Undecided: Z3 gave up; or the premises of an implication contradict each other, so that it
            holds but says nothing.
    """
    solver = _solver(z3.Not(statement))
    answer = solver.check()
    if answer == z3.unsat:
        for premises in _premises(statement):
            if _solver(premises).check() == z3.unsat:
                raise Undecided(f"no values have these premises: {premises}")
        return Finding(True, shown or "no counterexample exists")
    if answer == z3.unknown:
        raise Undecided(f"Z3 gave up: {solver.reason_unknown()}")
    return Finding(False, f"counterexample: {_shown(solver.model())}")


def _solver(formula: z3.BoolRef) -> z3.Solver:
    solver = z3.Solver()
    solver.set("rlimit", LIMIT)
    solver.add(formula)
    return solver


def _premises(statement: z3.ExprRef) -> Iterator[z3.ExprRef]:
    """The premises of a statement, and of each of its parts if it has several."""
    if z3.is_implies(statement):
        yield statement.arg(0)
    elif z3.is_and(statement):
        for part in statement.children():
            yield from _premises(part)


def _shown(model: z3.ModelRef) -> str:
    values = sorted((str(name), model[name]) for name in model.decls() if name.arity() == 0)
    return ", ".join(f"{name} = {value}" for name, value in values)
