"""Channels: how a local mechanism turns a true value into a report.

A channel of m true values 0, …, m − 1 and r reports is the matrix C with C[i, j] = Pr[report j |
true value i].  Estimators never ask for the matrix, only for products with it, so that a channel
with structure costs O(m).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..dsl.errors import BadInput

Floats: TypeAlias = NDArray[np.float64]
Solver: TypeAlias = Callable[[Floats], Floats]
Rational: TypeAlias = Fraction | int
ExactMatrix: TypeAlias = tuple[tuple[Fraction, ...], ...]

#: How far the sum of a row, or of a distribution, may be from 1.
ROUNDING = 1e-9


class Channel(Protocol):
    """What an estimator asks of a channel C."""

    @property
    def inputs(self) -> int:
        """How many true values there are: the rows of C."""
        ...

    @property
    def reports(self) -> int:
        """How many different reports there are: the columns of C."""
        ...

    def forward(self, p: Floats) -> Floats:
        """p C: how reports are distributed if true values have the distribution ``p``."""
        ...

    def adjoint(self, v: Floats) -> Floats:
        """C v: of each true value, the expectation of ``v`` at its report."""
        ...

    def inverse(self, q: Floats) -> Floats:
        """q C⁻¹: the vector x with x C = q; its entries may be negative.

        Raises:
            BadInput: C is singular, or not square.
        """
        ...

    def normal_solver(self, weights: Floats, diagonal: Floats) -> Solver:
        """What solves (C diag(weights) Cᵀ + diag(diagonal)) x = b for x.

        Args:
            weights: one a report, not negative.
            diagonal: one a true value, positive.

        Raises:
            numpy.linalg.LinAlgError: rounding is too large to solve it.
        """
        ...


class MatrixChannel:
    """A channel that is given by its matrix; products cost O(m r).

    Args:
        matrix: ``matrix[i][j]`` = Pr[report j | true value i]; shape (m, r), rows sum to 1.

    Raises:
        BadInput: it is no such matrix.
    """

    def __init__(self, matrix: ArrayLike | Sequence[Sequence[Rational]]) -> None:
        self._matrix = checked_matrix(matrix)

    @property
    def inputs(self) -> int:
        """How many true values there are."""
        return len(self._matrix)

    @property
    def reports(self) -> int:
        """How many different reports there are."""
        return len(self._matrix[0])

    @property
    def matrix(self) -> Floats:
        """A copy of the matrix."""
        return self._matrix.copy()

    def forward(self, p: Floats) -> Floats:
        """p C."""
        return p @ self._matrix

    def adjoint(self, v: Floats) -> Floats:
        """C v."""
        return self._matrix @ v

    def inverse(self, q: Floats) -> Floats:
        """q C⁻¹.

        Raises:
            BadInput: C is not square, or singular up to rounding.
        """
        if self.inputs != self.reports:
            raise BadInput(
                f"the channel has {self.inputs} true values and {self.reports} reports; "
                "only a square matrix has an inverse"
            )
        condition = float(np.linalg.cond(self._matrix))
        if not condition * self.inputs * np.finfo(float).eps < 1:
            raise BadInput(
                "the channel's matrix is singular: different distributions give the same reports"
            )
        solution: Floats = np.asarray(np.linalg.solve(self._matrix.T, q), dtype=np.float64)
        return solution

    def normal_solver(self, weights: Floats, diagonal: Floats) -> Solver:
        """What solves (C diag(weights) Cᵀ + diag(diagonal)) x = b, in O(m³) and then O(m²)."""
        linalg = _linalg()
        scale = 1 / np.sqrt(diagonal)
        half = scale[:, None] * self._matrix * np.sqrt(weights)
        normal = half @ half.T
        normal[np.diag_indices_from(normal)] += 1  # so no eigenvalue is below 1
        try:
            factor = linalg.cho_factor(normal, lower=True, overwrite_a=True)
        except ValueError as error:  # of numbers that are not finite
            raise np.linalg.LinAlgError(str(error)) from None

        def solve(b: Floats) -> Floats:
            solved: Floats = scale * linalg.cho_solve(factor, scale * b, check_finite=False)
            return solved

        return solve


def checked_matrix(matrix: Any) -> Floats:
    """The matrix of a channel as floats, its rows scaled to sum to 1 exactly up to rounding.

    Raises:
        BadInput: it has no row or column, an entry is no probability, or a row does not sum to 1.
    """
    try:
        checked = np.array(matrix, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise BadInput("a channel is a matrix of probabilities: rows of equal length") from None
    if checked.ndim != 2 or not checked.size:
        raise BadInput(
            f"a channel is a matrix: want shape (true values, reports), got {checked.shape}"
        )
    outside = np.argwhere(~((checked >= 0) & (checked <= 1 + ROUNDING)))
    if len(outside):
        i, j = outside[0]
        raise BadInput(f"the channel's entry [{i}, {j}] is {checked[i, j]:g}; want a probability")
    sums = checked.sum(axis=1)
    wrong = np.flatnonzero(np.abs(sums - 1) > ROUNDING)
    if len(wrong):
        raise BadInput(f"the channel's row {wrong[0]} sums to {sums[wrong[0]]:.10g}; want 1")
    scaled: Floats = checked / sums[:, None]
    return scaled


def checked_level(alpha: Any) -> float | Fraction:
    """A privacy level α = e^{−ε}, exact if it was given so.

    Raises:
        BadInput: it is not strictly between 0 and 1 (at 0 nothing is private, at 1 every report is
            the same whatever the true value).
    """
    exact = Fraction(alpha) if isinstance(alpha, int | Fraction) else None
    try:
        level = float(alpha)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"alpha = {alpha!r}: want a number between 0 and 1") from None
    if not 0 < level < 1:
        raise BadInput(f"alpha = {alpha}: want 0 < alpha < 1 (alpha = e^-eps)")
    return level if exact is None else exact


def level_of(eps: Any) -> float:
    """α = e^{−ε}; ``eps`` is in nats.

    Raises:
        BadInput: ``eps`` is no number, not positive, or so small or large that α is 1 or 0.
    """
    try:
        level = float(np.exp(-float(eps)))
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"eps = {eps!r}: want a positive number") from None
    if not 0 < level < 1:
        raise BadInput(f"eps = {eps}: want a positive number, e^-eps between 0 and 1")
    return level


def checked_size(name: str, value: Any, least: int) -> int:
    """A whole number that is at least ``least``.

    Raises:
        BadInput: it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise BadInput(f"{name} = {value!r}: want a whole number, at least {least}")
    return int(value)


def _linalg() -> Any:
    import scipy.linalg  # it is slow to load

    return scipy.linalg
