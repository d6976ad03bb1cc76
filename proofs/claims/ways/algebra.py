"""Identities and signs of expressions, decided by SymPy exactly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import sympy

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
