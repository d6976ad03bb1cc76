"""The mean squared error of q C⁻¹, exactly: to compare mechanisms by what they leave to learn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..dsl.errors import BadInput
from .channels import Rational
from .inversion import exact_inverse


def inversion_error(
    matrix: Sequence[Sequence[Rational]], prior: Sequence[Rational] | None = None
) -> Fraction:
    """N times the mean squared error of q C⁻¹ from N reports, summed over the true values.

    With y = π C a report j comes with probability y_j and adds row j of C⁻¹ to the estimate, so N
    times the variance of coordinate i is Σ_j y_j (C⁻¹)_ji² − π_i²; the estimate has no bias.  It is
    the same for every N.

    Args:
        matrix: C in ints and Fractions; square, rows sum to 1.
        prior: π, the distribution of the true values; by default uniform.

    Raises:
        BadInput: C is singular or no channel, the prior is no distribution, or one is not exact.

    Source: Kacem and Palamidessi (PLAS 2018), Conjecture 4.6: that among ε-d-private channels the
    truncated geometric one is best.  By this measure it is not: for three values and a uniform
    prior it has 2 (1 + α + α²)²/(3 (1 − α)³ (1 + α)), randomised response with the same level
    2 (1 + 2α)²/(3 (1 − α)²), which is less iff 5α³ + 6α² > 2 (ε < 0.72).
    """
    inverse = exact_inverse(matrix)
    size = len(inverse)
    for i, row in enumerate(matrix):
        if sum(row) != 1 or min(row) < 0:
            raise BadInput(f"row {i} of the matrix is no distribution")
    true = [Fraction(1, size)] * size if prior is None else _checked(prior, size)
    law = [sum((true[i] * matrix[i][j] for i in range(size)), Fraction()) for j in range(size)]
    squares = sum(
        (law[j] * sum(entry * entry for entry in inverse[j]) for j in range(size)), Fraction()
    )
    return squares - sum(share * share for share in true)


def _checked(prior: Sequence[Rational], size: int) -> list[Fraction]:
    if len(prior) != size or not all(isinstance(share, int | Fraction) for share in prior):
        raise BadInput(f"prior: want {size} ints or Fractions, one a true value")
    if sum(prior) != 1 or min(prior) < 0:
        raise BadInput("prior: want a distribution, exactly")
    return [Fraction(share) for share in prior]
