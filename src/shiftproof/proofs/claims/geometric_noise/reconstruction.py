"""Section 4 after its first theorem: fixed points, the limit of many reports, and the inverse.

D(i) is as in :mod:`.convergence`: a step of the procedure is p_i ← p_i D(i).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy
import z3

from shiftproof.estimators.geometric_channel import TruncatedGeometric

from ..claim import Claim, Finding, Paper, Verdict, moreover, printed, repaired
from ..ways.algebra import argument, identical, log_below_line, together, valid
from .channels import rows_sum_to_one
from .convergence import mass_only_where_reports_are, slopes_decide
from .truncated import tridiagonal_inverse

ONE = sympy.Integer(1)
alpha = sympy.Symbol("alpha", positive=True)


# Lemma 4.3.


def _slopes(p: tuple[Fraction, ...], q: tuple[Fraction, ...], level: Fraction) -> list[Fraction]:
    values = range(len(p))
    law = [sum((p[h] * level ** abs(h - j) for h in values), Fraction()) for j in values]
    return [sum((q[j] * level ** abs(i - j) / law[j] for j in values), Fraction()) for i in values]


def _unique() -> Finding:
    """Whether ℓ has one maximum only: see where it is used."""
    gap, beyond = sympy.symbols("g e", positive=True, integer=True)
    power = z3.Real("α^g")
    return argument(
        "one maximum only",
        log_below_line(),
        identical(alpha ** (gap + beyond) - alpha**gap * alpha**beyond, sympy.Integer(0)),
        valid(z3.Implies(z3.And(power > 0, power < 1), 1 - power * power > 0)),
    )


@printed("p' is a fixed point only if p' = p*", by="a counterexample, exactly")
def fixed_points_are_one(other: tuple[Fraction, ...] = (Fraction(1), Fraction(0))) -> Finding:
    """n = 1, α = 1/4, q = (2/3, 1/3): p* = (7/9, 2/9); the point mass at 0 is fixed, too.

    So is every point mass for every q: its share of each report is all of it.
    """
    q, level = (Fraction(2, 3), Fraction(1, 3)), Fraction(1, 4)
    best = TruncatedGeometric(1, level).exact_inverse(q)
    slopes = _slopes(other, q, level)
    fixed = all(share == 0 or slope == 1 for share, slope in zip(other, slopes, strict=True))
    shown, at_best = (", ".join(map(str, p)) for p in (other, best))
    return Finding(not fixed or other == best, f"({shown}) is fixed: {fixed}; p* is ({at_best})")


@repaired("p* is the only p' with D(i) <= 1 for all i (and then D(i) = 1 where p'_i > 0)",
          by="Kuhn and Tucker; determinants of K")  # fmt: skip
def slopes_and_uniqueness(slope: Fraction = Fraction(1)) -> Finding:
    """D <= 1 says which p' are maxima of ℓ.

    ln is strictly below its tangents, so two maxima have the same (pK)_j where q_j > 0, and both
    have mass only there: they are equal if K, cut to the set S of these j, has an inverse.  With
    a gap g >= 1 from the first to the second of S, row one less α^g times row two is
    (1 - α^(2g), 0, .., 0): so det K_S is the product of all 1 - α^(2g) > 0.
    """
    return together(slopes_decide(slope=slope), mass_only_where_reports_are(), _unique())


@repaired("at most one fixed point is positive everywhere, qG^-1", by="SymPy, the inverse of K")
def positive_fixed_point(end: sympy.Expr = 1 / (1 + alpha)) -> Finding:
    """Then D(i) = 1 for all i, that is K r = 1 with r_j = q_j/(pK)_j.

    K^-1 = T/(1-α²), so r_j is 1/(1-α²) times the sum of row j of T: 1 - α in the corners and
    1 + α² - 2α inside.  These are the c_j of G = K diag(c): q_j = c_j (pK)_j = (pG)_j.
    """
    return argument(
        "K r = 1 has the solution r = c only",
        tridiagonal_inverse(),
        identical((1 - alpha) / (1 - alpha**2), end),
        identical((1 + alpha**2 - 2 * alpha) / (1 - alpha**2), (1 - alpha) * end),
    )


LEMMA_4_3 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Lemma 4.3",
    states="p* is the unique fixed point of the transformation that generates the sequence",
    verdict=Verdict.FALSE,
    checks=(fixed_points_are_one, slopes_and_uniqueness, positive_fixed_point),
)


# Theorem 4.4.


@printed("Σ_j (√q_j - √(p*G)_j)² <= Σ_j (q_j - (πG)_j)² / (πG)_j, for all N", by="ln x <= x - 1")
def misfit_is_bounded(slope: Fraction = Fraction(1)) -> Finding:
    """p* is at least as likely as π, so KL(q, p*G) <= KL(q, πG).

    Left: with x = √(r/q) a term q ln(q/r) = -2q ln x is at least 2q (1 - x).  Right: with
    x = q/r it is at most q (q/r - 1).  Summed, Σ q = Σ r turns these into the two sums.
    """
    root_q, root_r = sympy.symbols("a b", positive=True)  # √q and √r
    q, r = root_q**2, root_r**2
    return argument(
        "KL is at least Σ(√q - √r)² and at most Σ(q - r)²/r",
        log_below_line(slope),
        identical(2 * q * (1 - root_r / root_q) + (r - q), (root_q - root_r) ** 2),
        identical(q * (q / r - 1) + (r - q), (q - r) ** 2 / r),
    )


@printed("p*G → πG gives p* → π", by="SymPy, the inverse")
def inverse_carries_over(middle: sympy.Expr = 1 + alpha**2) -> Finding:
    """G has an inverse for 0 < α < 1, and it is linear, so continuous."""
    return tridiagonal_inverse(middle=middle)


THEOREM_4_4 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Theorem 4.4",
    states="lim p = π and lim p* = π as N → ∞",
    verdict=Verdict.TRUE,
    reading="almost surely; p* is the limit of the procedure for the q of N reports",
    checks=(misfit_is_bounded, inverse_carries_over),
    argument="By the strong law of large numbers, a theorem that is used here, p → π and q → πG, "
    "whose entries are positive.  So the right side of the bound tends to 0, hence p*G → πG.  "
    "The printed proof leans on Lemma 4.3, which is false; this one does not.",
)


# Proposition 4.5.


@printed("if r = qG^-1 is a distribution, p* = r", by="SymPy; ln x <= x - 1")
def inverse_is_the_maximum(end: sympy.Expr = ONE) -> Finding:
    """(rG)_j = q_j, which is positive as G is, so D(i) = Σ_j q_j G_ij/(rG)_j = Σ_j G_ij = 1.

    So r is a maximum of ℓ, it is the only one, and p* is one by Theorem 4.2.
    """
    return argument(
        "D(i) = Σ_j G_ij = 1 for all i",
        rows_sum_to_one(end=end),
        slopes_decide(),
        mass_only_where_reports_are(),
        _unique(),
    )


@moreover("so it is for the q of N = 6 reports, n = 2, α = 1/4: D = 1 at r", by="exactly, all 28")
def inverse_in_small_cases(level: Fraction = Fraction(1, 4)) -> Finding:
    """Each q with a distribution qG^-1: the step leaves it as it is, and each D(i) is 1.

    Where qG^-1 is none, the maximum is on the boundary; both cases occur.
    """
    channel, seen, inside = TruncatedGeometric(2, Fraction(1, 4)), 0, 0
    for counts in product(range(7), repeat=3):
        if sum(counts) != 6:
            continue
        q = tuple(Fraction(count, 6) for count in counts)
        r, seen = channel.exact_inverse(q), seen + 1
        if min(r) < 0:
            continue
        inside += 1
        if _slopes(r, q, level) != [1, 1, 1]:
            return Finding(False, f"q = {counts}/6: D = {_slopes(r, q, level)}")
    return Finding(
        0 < inside < seen, f"qG^-1 is a distribution for {inside} of {seen}, D = 1 in all"
    )


PROPOSITION_4_5 = Claim(
    paper=Paper.GEOMETRIC_NOISE,
    name="Proposition 4.5",
    states="if r = qG^-1 is a probability distribution, then p* = r",
    verdict=Verdict.TRUE,
    reading="the printed proof shows that r is a fixed point, which by Lemma 4.3 as it stands "
    "does not suffice",
    checks=(inverse_is_the_maximum, inverse_in_small_cases),
)

CLAIMS = (LEMMA_4_3, THEOREM_4_4, PROPOSITION_4_5)
