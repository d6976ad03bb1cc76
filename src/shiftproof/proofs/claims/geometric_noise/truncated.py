"""Section 3: the truncated geometric mechanism is d-private and has an inverse."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy
import z3

from shiftproof.estimators.geometric_channel import TruncatedGeometric
from shiftproof.estimators.inversion import exact_determinant

from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, repaired, under
from ..ways.algebra import argument, identical, positive_between, together, valid
from ..ways.mechanisms import private

alpha = sympy.Symbol("alpha", positive=True)
d = sympy.Symbol("d", positive=True, integer=True)  # any distance from the diagonal
i, h, j = z3.Ints("i h j")


def _distance(a: Any, b: Any) -> Any:
    return z3.If(a >= b, a - b, b - a)


# Proposition 3.1.


@printed("G is ε·d-private on [0, n], for all n and ε", by="a certificate, checked again")
def truncated_is_private(name: str = "metric_privacy.truncated_geometric_response") -> Finding:
    """The gallery's mechanism clamps the noisy value to [0, n]: the reports 0 and n included."""
    return private(name)


@printed("G_ij <= e^(ε|i-h|) G_hj from |h-j| <= |h-i| + |i-j|", by="Z3, integers")
def triangle_on_the_line(most: int = 0) -> Finding:
    """G_ij = c_j α^|i-j| in every column, the ends too, so c_j cancels and exponents decide."""
    return valid(_distance(h, j) + most <= _distance(h, i) + _distance(i, j))


@moreover("ε cannot be smaller: G_00 / G_h0 = e^(εh)", by="SymPy")
def privacy_is_tight(power: int = 1) -> Finding:
    """Column 0 has the entries α^h/(1+α), so its ratio is α^-h = e^(εh) at distance h."""
    at = sympy.Symbol("h", positive=True, integer=True)
    ratio = (1 / (1 + alpha)) / (alpha**at / (1 + alpha))
    return identical(ratio, alpha ** (-at * power), f"G_00/G_h0 = {sympy.simplify(ratio)}")


PROPOSITION_3_1 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Proposition 3.1",
    states="if X = [0, n] and d is the difference of integers, G is d-private",
    verdict=Verdict.TRUE,
    reading="ε·d-private with α = e^-ε",
    checks=(truncated_is_private, triangle_on_the_line, privacy_is_tight),
)


@printed("α^|i-j| <= α^(|i-h|+|h-j|) by the triangle inequality", by="Z3, integers")
def triangle_as_printed(at_least: bool = False) -> Finding:
    """α < 1, so the inequality of powers is that of the exponents turned around."""
    exponents = _distance(i, j), _distance(i, h) + _distance(h, j)
    return valid(exponents[0] <= exponents[1] if at_least else exponents[0] >= exponents[1])


@printed("so G_ij <= α^|i-h| G_hj for all i, h, j", by="exactly, n = 2, α = 1/2")
def conclusion_as_printed(sign: int = 1) -> Finding:
    """All i, h, j for n = 2 and α = 1/2."""
    level = Fraction(1, 2)
    matrix = TruncatedGeometric(2, level).exact_matrix()
    for a in range(3):
        for b in range(3):
            for c in range(3):
                bound = level ** (sign * abs(a - b)) * matrix[b][c]
                if matrix[a][c] > bound:
                    return Finding(False, f"i, h, j = {a}, {b}, {c}: {matrix[a][c]} > {bound}")
    return Finding(True, "all i, h, j for n = 2, α = 1/2")


@repaired("G_ij = c_j α^|i-j| <= c_j α^(|h-j|-|i-h|) = e^(ε|i-h|) G_hj", by="Z3, integers")
def chain_mended(most: int = 0) -> Finding:
    """α^x falls in x, so |i-j| >= |h-j| - |i-h| is what is needed."""
    return valid(_distance(i, j) >= _distance(h, j) - _distance(i, h) + most)


PROPOSITION_3_1_PROOF = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Proposition 3.1, proof",
    states="G_ij <= (1-α)/(1+α) α^(|i-h|+|h-j|) = α^|i-h| G_hj by the triangle inequality",
    verdict=Verdict.FALSE,
    checks=(triangle_as_printed, conclusion_as_printed, chain_mended),
)


# Proposition 3.2.


@printed("G is invertible for 0 < α <= 1", by="the determinant, n = 2, at α = 1")
def invertible_at_every_level(level: Fraction = Fraction(1)) -> Finding:
    """The text allows α = 1 (ε = 0), where all rows of (5) are equal."""
    end = 1 / (1 + level)
    scales = (end, (1 - level) * end, end)
    matrix = [[scales[b] * level ** abs(a - b) for b in range(3)] for a in range(3)]
    found = exact_determinant(matrix)
    return Finding(found != 0, f"n = 2, α = {level}: det G = {found}")


@under("0 < α < 1, that is ε > 0: G is invertible for all n", by="SymPy, the inverse")
def tridiagonal_inverse(middle: sympy.Expr = 1 + alpha**2) -> Finding:
    """G = K diag(c), K_ij = α^|i-j|, and T K = (1-α²) I for the tridiagonal T.

    T has -α beside the diagonal, 1 + α² on it, but 1 in both corners.  Entry by entry, for all n:
    at distance d from the diagonal, on it, and the same in row 0; row n is its mirror image.
    """
    at = [alpha ** (d + k) for k in (-1, 0, 1)]
    return argument(
        "T K = (1 - α²) I, and 1 - α² > 0 for 0 < α < 1",
        identical(-alpha * at[0] + middle * at[1] - alpha * at[2], sympy.Integer(0)),
        identical(-alpha * alpha + middle - alpha * alpha, 1 - alpha**2),
        identical(at[1] - alpha * at[0], sympy.Integer(0)),
        identical(1 - alpha * alpha, 1 - alpha**2),
        positive_between(1 - alpha**2, alpha, 0, 1),
    )


@moreover("det G = (1-α)^(2n-1) / (1+α) for all n >= 1", by="SymPy, induction over n")
def determinant(odd: int = 1) -> Finding:
    """Row 0 of K less α times row 1 is (1-α², 0, .., 0): K_0j = α K_1j for j >= 1.

    So n such steps give det K = (1-α²)^n, and diag(c) gives (1-α)^(n-1) / (1+α)^(n+1).  The
    formula is compared with elimination for n <= 6 at α = 1/3.
    """
    n = sympy.Symbol("n", positive=True, integer=True)
    product = ((1 - alpha) * (1 + alpha)) ** n * (1 - alpha) ** (n - 1) / (1 + alpha) ** (n + 1)
    closed = (1 - alpha) ** (2 * n - odd) / (1 + alpha)
    ratio = sympy.powsimp(sympy.expand_power_base(product / closed, force=True), force=True)
    for size in range(1, 7):
        channel = TruncatedGeometric(size, Fraction(1, 3))
        if exact_determinant(channel.exact_matrix()) != channel.exact_determinant():
            return Finding(False, f"n = {size}, α = 1/3: elimination finds another determinant")
    return argument(
        "(1-α²)^n · (1-α)^(n-1) / (1+α)^(n+1) = (1-α)^(2n-1) / (1+α)",
        identical(alpha**d - alpha * alpha ** (d - 1), sympy.Integer(0)),
        identical(sympy.simplify(ratio), sympy.Integer(1)),
    )


PROPOSITION_3_2 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Proposition 3.2",
    states="the matrix G is invertible",
    verdict=Verdict.TRUE_UNDER,
    reading='Section 2.5 notes "0 < α <= 1", and ε is non-negative in Section 2.1',
    checks=(invertible_at_every_level, tridiagonal_inverse, determinant),
)


@printed("a noise that is likeliest at 0 has independent rows when clamped to [0, n]",
         by="a determinant, n = 3")  # fmt: skip
def largest_on_the_diagonal(second: int = 7, beyond: int = 0) -> Finding:
    """Noise of weights 25, 20, 7 at the distances 0, 1, 2: even falling, singular on [0, 3].

    The highest entry of each column is on the diagonal, in the first and the last one, too.
    """
    weights = (25, 20, second)
    total = 25 + 2 * (20 + second + beyond)
    ends = [Fraction(sum(weights[k:]) + beyond, total) for k in range(4)]
    matrix = [
        [ends[i], *(Fraction(weights[abs(i - j)], total) for j in (1, 2)), ends[3 - i]]
        for i in range(4)
    ]
    found = exact_determinant(matrix)
    largest = all(matrix[j][j] > matrix[i][j] for i in range(4) for j in range(4) if i != j)
    shown = f"weights {', '.join(map(str, weights))} of {total}, {beyond} beyond: det = {found}"
    return Finding(not largest or found != 0, shown)


@repaired("it is the geometric form that makes them so: T K = (1-α²) I", by="SymPy")
def geometric_form(middle: sympy.Expr = 1 + alpha**2) -> Finding:
    """See Proposition 3.2; with 16 for 7, and 64 beyond, the example is geometric, α = 4/5."""
    return together(tridiagonal_inverse(middle=middle),
                    largest_on_the_diagonal(second=16, beyond=64))  # fmt: skip


PROPOSITION_3_2_PROOF = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Proposition 3.2, proof",
    states="the highest elements of C are on the diagonal, hence the rows are independent; those "
    "of G still are, as G_00 and G_nn are still the highest of their columns",
    verdict=Verdict.FALSE,
    reading="as an inference that uses nothing else of C. The rows of C, shifts of one sequence "
    "on ℤ, are independent for every noise; what fails is the step to G",
    checks=(largest_on_the_diagonal, geometric_form),
)

CLAIMS = (PROPOSITION_3_1, PROPOSITION_3_1_PROOF, PROPOSITION_3_2, PROPOSITION_3_2_PROOF)
