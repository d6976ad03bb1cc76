"""Where a polynomial changes its sign, decided by counting roots exactly."""

from __future__ import annotations

from typing import Any

import sympy

from ..claim import Finding


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
