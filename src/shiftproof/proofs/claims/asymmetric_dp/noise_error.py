"""Section 1: whether the error of a count falls from √2/ε to 1/ε, and which error that is.

An error is that of the noise, |x − z| = |λ − s|, where s is what an estimator subtracts.  The
noise has the scale Δ/ε, and Δ = 1.
"""

from __future__ import annotations

import sympy

from ..claim import Claim, Finding, Paper, Verdict, moreover, read_as
from ..ways.algebra import absolute_error, epsilon, expected, noise, squared_error, together, width

BEFORE, AFTER = sympy.sqrt(2), sympy.S(1)
MEAN = expected(noise)
MEDIAN = sympy.log(2) * width / epsilon


def _falls(usual: sympy.Expr, own: sympy.Expr, before: sympy.Expr, after: sympy.Expr) -> Finding:
    """Whether errors of the Laplace noise and of aLap's are these multiples of 1/ε."""
    first, second = (sympy.simplify(error.subs(width, 1) * epsilon) for error in (usual, own))
    shown = f"from {first}/ε = {first.evalf(4)}/ε to {second}/ε = {second.evalf(4)}/ε"
    return Finding((first, second) == (before, after), shown)


@read_as("E|x − z|, z as it is released", by="SymPy")
def error_absolute(before: sympy.Expr = BEFORE, after: sympy.Expr = AFTER) -> Finding:
    """Both as integrals; nothing is gained.  |λ| of Laplace noise has the law of λ of aLap."""
    return _falls(expected(noise), absolute_error(sympy.S(0)), before, after)


@read_as("E|x − z|, less the mean of the noise", by="SymPy")
def error_absolute_centred(before: sympy.Expr = BEFORE, after: sympy.Expr = AFTER) -> Finding:
    """The same of the estimator aLap − 1/ε."""
    return _falls(expected(noise), absolute_error(MEAN), before, after)


@read_as("the root of E(x − z)², z as it is released", by="SymPy")
def error_squared(before: sympy.Expr = BEFORE, after: sympy.Expr = AFTER) -> Finding:
    """Both as integrals; the bias of aLap takes away what its variance gains."""
    usual, own = squared_error(sympy.S(0)), squared_error(sympy.S(0))
    return _falls(sympy.sqrt(usual), sympy.sqrt(own), before, after)


@read_as("the root of E(x − z)², less the mean of the noise", by="SymPy")
def error_squared_centred(before: sympy.Expr = BEFORE, after: sympy.Expr = AFTER) -> Finding:
    """The same of the estimator aLap − 1/ε: its error is the standard deviation."""
    usual, own = squared_error(sympy.S(0)), squared_error(MEAN)
    return _falls(sympy.sqrt(usual), sympy.sqrt(own), before, after)


@moreover("E|x − z| is least, ln 2/ε, less the median ln 2/ε of the noise", by="SymPy")
def error_absolute_least(shift: sympy.Expr = MEDIAN) -> Finding:
    """E|λ − s| is convex in s >= 0, so it is least where its slope is 0.

    For s < 0 it is 1/ε − s, which is more than at 0.
    """
    at = sympy.Symbol("s", positive=True)
    slope = sympy.diff(absolute_error(at), at)
    flat = sympy.simplify(slope.subs(at, shift)) == 0
    convex = sympy.simplify(sympy.diff(slope, at)).is_positive is True
    value = sympy.simplify(absolute_error(at).subs(at, shift).subs(width, 1))
    shown = f"E|λ − s| = {value} at s = {shift.subs(width, 1)}; its slope is {slope.subs(width, 1)}"
    return together(Finding(flat, shown), Finding(convex, shown))


ERROR = Claim(
    paper=Paper.ASYMMETRIC_DP,
    name="Section 1, error 1/ε",
    states="the Euclidean distance error falls from √2/ε, that of Laplace, to 1/ε with ADP",
    verdict=Verdict.AMBIGUOUS,
    reading="Section 1 defines it as E|x − z|; the figures are standard deviations; Δ = 1",
    checks=(
        error_absolute,
        error_absolute_centred,
        error_squared,
        error_squared_centred,
        error_absolute_least,
    ),
)

CLAIMS = (ERROR,)
