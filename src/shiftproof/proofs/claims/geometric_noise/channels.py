"""Section 2.5: the geometric mechanism on the integers, and truncated to [0, n]."""

from __future__ import annotations

from fractions import Fraction

import sympy

from shiftproof.estimators.geometric_channel import TruncatedGeometric

from ....mechanisms.metric_privacy import truncated_geometric_response
from ..claim import Claim, Finding, Paper, Verdict, meant, moreover, read_as, restored
from ..ways.algebra import argument, identical, positive_between, together
from ..ways.mechanisms import private, probability

ONE = sympy.Integer(1)
alpha = sympy.Symbol("alpha", positive=True)
beside, far = sympy.symbols("u v", positive=True)  # powers of α: only α · α^k = α^(k+1) is used


# Equation (4): a row of the form s r^|i-j|, j ∈ ℤ.


def _row_is_a_law(scale: sympy.Expr, ratio: sympy.Expr) -> Finding:
    """Whether s Σ_k r^|k| = 1 for all 0 < α < 1: first at α = 3/4, then as an identity."""
    at = {alpha: sympy.Rational(3, 4)}
    s, r = sympy.sympify(scale).subs(at), sympy.sympify(ratio).subs(at)
    if r >= 1:
        return Finding(False, f"at α = 3/4 the entries are {s} · ({r})^|i-j|: the sum diverges")
    total = s * (1 + r) / (1 - r)
    if total != 1:
        return Finding(
            False, f"at α = 3/4 the entries are {s} · ({r})^|i-j|: a row sums to {total}"
        )
    below_one = sympy.together(1 - ratio)
    converges = positive_between(sympy.numer(below_one) * sympy.denom(below_one), alpha, 0, 1)
    return together(converges, identical(scale * (1 + ratio) / (1 - ratio), sympy.Integer(1)))


@read_as("C_ij = (1-α) / α^|i-j| is a row of probabilities", by="geometric series")
def entries_divided_by_powers(
    scale: sympy.Expr = 1 - alpha, ratio: sympy.Expr = 1 / alpha
) -> Finding:
    """The sum over j ∈ ℤ of s r^|i-j| is s (1 + r)/(1 - r) if r < 1, and infinite otherwise."""
    return _row_is_a_law(scale, ratio)


@read_as("C_ij = ((1-α)/α)^|i-j|, the exponent at the fraction, is one", by="geometric series")
def powers_of_the_fraction(
    scale: sympy.Expr = ONE, ratio: sympy.Expr = (1 - alpha) / alpha
) -> Finding:
    """As above, with s = 1: already C_ii = 1 leaves nothing for the others."""
    return _row_is_a_law(scale, ratio)


@meant("C_ij = (1-α)/(1+α) α^|i-j| is one, for all 0 < α < 1", by="geometric series")
def geometric_law(
    scale: sympy.Expr = (1 - alpha) / (1 + alpha), ratio: sympy.Expr = alpha
) -> Finding:
    """r = α < 1, and s (1 + r)/(1 - r) is 1 identically."""
    return _row_is_a_law(scale, ratio)


@meant("and it is ε·d-private on the integers", by="a certificate, checked again")
def geometric_is_private(name: str = "metric_privacy.geometric_response") -> Finding:
    """The gallery's mechanism adds this noise; its proof is for all ε and all inputs."""
    return private(name)


EQUATION_4 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Equation (4)",
    states="C_ij = (1-α)/α ^|i-j|, j ∈ ℤ, is a mechanism",
    verdict=Verdict.MISPRINT,
    reading="in the text that we have, a transcription, the exponent stands beside the fraction: "
    "at its denominator or at the whole",
    checks=(
        entries_divided_by_powers, powers_of_the_fraction, geometric_law, geometric_is_private,
    ),
)  # fmt: skip


# Equation (5).


@restored("each row of G sums to 1, for all n >= 1, i and α", by="SymPy, induction over j")
def rows_sum_to_one(end: sympy.Expr = ONE) -> Finding:
    """(1+α) Σ_(l<=j) G_il is α^(i-j) up to j = i, then 1 + α - α^(j-i+1) up to j = n - 1.

    u is α^(i-j-1) before i, and v is α^(j-i+1) after it.  Column 0 starts the sum with α^i; at
    j = i both forms are 1; column n adds the missing α^(n-i).
    """
    inner = 1 - alpha
    return argument(
        "the sums are α^(i-j), then 1 + α - α^(j-i+1), at last 1 + α, over 1 + α",
        identical(end * beside, beside),  # j = 0, u = α^i
        identical(alpha * beside + inner * beside, beside),  # from j to j + 1 <= i
        identical(1 + alpha - far + inner * far, 1 + alpha - alpha * far),  # j >= i to j + 1 < n
        identical(1 + alpha - far + end * far, 1 + alpha),  # j = n - 1 to n > i, v = α^(n-i)
        identical(alpha + end, 1 + alpha),  # j = n - 1 to n = i
    )


@restored("G is C with the mass below 0 moved to 0, and that above n to n", by="SymPy, series")
def ends_gather_the_tails(scale: sympy.Expr = (1 - alpha) / (1 + alpha)) -> Finding:
    """Σ_(j<=0) C_ij = s α^i Σ_k α^k = s α^i / (1-α), with u = α^i; at n by symmetry."""
    return identical(scale * beside / (1 - alpha), beside / (1 + alpha), "α^i/(1+α) at j = 0")


@moreover("the gallery's truncated response has these probabilities (n = 3, α = 1/2)", by="exactly")
def gallery_has_this_law(n: int = 3, level: Fraction = Fraction(1, 2)) -> Finding:
    """Its exact probabilities at ε = ln 2, report by report, against the matrix (5)."""
    matrix = TruncatedGeometric(n, level).exact_matrix()
    for x in range(4):
        for report in range(4):
            found = probability(truncated_geometric_response, report, x=x, n=3, eps="ln 2")
            wanted = matrix[x][report] if report <= n and x <= n else Fraction(0)
            if found != wanted:
                return Finding(False, f"Pr[{report} | {x}] is {found}, G has {wanted}")
    return Finding(True, f"all 16 entries agree; row 0 is {', '.join(map(str, matrix[0]))}")


EQUATION_5 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Equation (5)",
    states="G_i0 = α^i/(1+α), G_ij = (1-α)/(1+α) α^|i-j| for 0 < j < n, G_in = α^|i-n|/(1+α): "
    "the geometric mechanism with the mass outside [0, n] remapped to 0 and n",
    verdict=Verdict.RESTORED,
    reading="n >= 1 (for n = 0 both ends are one column); C is (4) as repaired",
    checks=(rows_sum_to_one, ends_gather_the_tails, gallery_has_this_law),
)

CLAIMS = (EQUATION_4, EQUATION_5)
