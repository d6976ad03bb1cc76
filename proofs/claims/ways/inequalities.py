"""Inequalities of one variable for logarithms, and what convexity adds."""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from ..claim import Finding, Undecided
from .logic import valid

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
