"""The estimate q C⁻¹: unbiased, cheap, often no distribution; and its mean squared error."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..dsl.errors import BadInput
from .channels import (
    Channel,
    ExactMatrix,
    Floats,
    Rational,
    Solver,
    checked_level,
    checked_size,
    distribution_of,
    frequencies_of,
    level_of,
)

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


# The mean squared error of q C⁻¹, exactly: to compare mechanisms by what they leave to learn.


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


# k-ary randomised response, without its matrix.


class RandomisedResponse:
    """The true one of k values with probability h = 1/(1 + (k − 1) α), each other one with α h.

    It is ε-LDP, ε = −ln α.  Over the values 0, …, k − 1 with distance |i − h| it is ε-d-private
    with the same ε, and no smaller one.  All methods cost O(k), but ``exact_matrix``.

    Args:
        k: how many values there are, at least 2.
        alpha: α = e^{−ε}, 0 < α < 1; a ``Fraction`` keeps ``exact_matrix`` exact.

    Raises:
        BadInput: one of them is out of range.
    """

    def __init__(self, k: int, alpha: float | Fraction) -> None:
        self.k = checked_size("k", k, 2)
        self.alpha = checked_level(alpha)
        a = float(self.alpha)
        self._other = a / (1 + (self.k - 1) * a)
        self._excess = (1 - a) / (1 + (self.k - 1) * a)  # C = excess · I + other · 1 1ᵀ

    @classmethod
    def of_epsilon(cls, k: int, eps: float) -> RandomisedResponse:
        """The channel of ``k`` values that is ``eps``-LDP (nats)."""
        return cls(k, level_of(eps))

    @property
    def inputs(self) -> int:
        """How many true values there are: k."""
        return self.k

    @property
    def reports(self) -> int:
        """How many different reports there are: k."""
        return self.k

    def forward(self, p: Floats) -> Floats:
        """p C."""
        law: Floats = self._excess * p + self._other * p.sum()
        return law

    def adjoint(self, v: Floats) -> Floats:
        """C v; the matrix is symmetric."""
        return self.forward(v)

    def inverse(self, q: Floats) -> Floats:
        """q C⁻¹; rows sum to 1, so the entries of the result sum to those of ``q``."""
        x: Floats = (q - self._other * q.sum()) / self._excess
        return x

    def normal_solver(self, weights: Floats, diagonal: Floats) -> Solver:
        """What solves (C diag(weights) Cᵀ + diag(diagonal)) x = b.

        The matrix is a diagonal one plus U S Uᵀ with two columns U = [weights, 1]: Woodbury.
        """
        plain = self._excess**2 * weights + diagonal
        u = np.column_stack([weights, np.ones(self.k)])
        cross = self._excess * self._other
        s = np.array([[0.0, cross], [cross, self._other**2 * weights.sum()]])
        divided = u / plain[:, None]
        core = np.linalg.solve(np.eye(2) + s @ (u.T @ divided), s)

        def solve(b: Floats) -> Floats:
            x = b / plain
            return x - divided @ (core @ (u.T @ x))

        return solve

    def exact_matrix(self) -> ExactMatrix:
        """C in exact fractions; k² of them."""
        a = Fraction(self.alpha)
        truth = 1 / (1 + (self.k - 1) * a)
        values = range(self.k)
        return tuple(tuple(truth if i == j else a * truth for j in values) for i in values)
