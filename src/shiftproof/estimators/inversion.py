"""The estimate q C⁻¹: unbiased, cheap, and often no distribution."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..dsl.errors import BadInput
from .channels import Channel, ExactMatrix, Floats, Rational
from .counts import distribution_of, frequencies_of

#: Entries of q C⁻¹ above −``BELOW`` times the largest one count as 0: rounding.
BELOW = 1e-12


def invert(counts: ArrayLike, channel: Channel) -> Floats:
    """Solve x C = q, q being the shares of the reports.

    Returns:
        x, shape (``channel.inputs``,).  It sums to 1; entries may be negative.

    Raises:
        BadInput: the channel is singular or not square, or the counts do not fit it.
    """
    shares, _ = frequencies_of(counts, channel)
    return channel.inverse(shares)


def is_distribution(x: Floats) -> bool:
    """Whether no entry is negative; those that are so by rounding only do not count."""
    return bool(x.min() >= -BELOW * np.abs(x).max())


def inverse_distance(p: ArrayLike, counts: ArrayLike, channel: Channel) -> float | None:
    """How far ``p`` is from q C⁻¹, if that is a distribution, and so the maximum likelihood.

    Returns:
        The largest difference of an entry, or ``None`` if q C⁻¹ has a negative entry: then the
        maximum is another distribution, on the boundary.

    Raises:
        BadInput: as for :func:`invert`, or ``p`` is no distribution.

    Source: Kacem and Palamidessi (PLAS 2018), Proposition 4.5: Σ_j q_j ln(r_j/q_j) ≤ 0 for every
    distribution r of reports (Gibbs), with equality only at r = q.
    """
    x = invert(counts, channel)
    if not is_distribution(x):
        return None
    return float(np.abs(distribution_of(p, channel) - x).max())


def exact_inverse(matrix: Sequence[Sequence[Rational]]) -> ExactMatrix:
    """C⁻¹ in exact fractions.

    Raises:
        BadInput: the matrix is not square, is singular, or has an entry that is no int or Fraction.
    """
    return rows_of(_inverted(rational_matrix(matrix)))


def exact_determinant(matrix: Sequence[Sequence[Rational]]) -> Fraction:
    """The determinant of C as an exact fraction; 0 if C is singular.

    Raises:
        BadInput: the matrix is not square, or has an entry that is no int or Fraction.
    """
    determinant = rational_matrix(matrix).det()
    return Fraction(int(determinant.p), int(determinant.q))


def rational_matrix(matrix: Sequence[Sequence[Rational]]) -> Any:
    """A square matrix of FLINT's rationals."""
    from flint import fmpq, fmpq_mat  # heavy

    rows = [list(row) for row in matrix]
    if not rows or any(len(row) != len(rows) for row in rows):
        raise BadInput("want a square matrix: as many reports as true values")
    for row in rows:
        for entry in row:
            if not isinstance(entry, int | Fraction):
                raise BadInput(f"the entry {entry!r} is not exact; want int or Fraction")
    return fmpq_mat([[fmpq(e.numerator, e.denominator) for e in row] for row in rows])


def rows_of(matrix: Any) -> ExactMatrix:
    """The same matrix in Python's fractions."""
    return tuple(tuple(Fraction(int(e.p), int(e.q)) for e in row) for row in matrix.tolist())


def _inverted(matrix: Any) -> Any:
    try:
        return matrix.inv()
    except ZeroDivisionError:
        raise BadInput("the matrix is singular: it has no inverse") from None
