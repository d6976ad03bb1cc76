"""Moments of the asymmetric Laplace noise of a decreasing count, by SymPy."""

from __future__ import annotations

from functools import cache

import sympy

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
