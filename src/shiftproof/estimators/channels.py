"""Channels: how a local mechanism turns a true value into a report; reports and their counts.

A channel of m true values 0, …, m − 1 and r reports is the matrix C with C[i, j] = Pr[report j |
true value i].  Estimators never ask for the matrix, only for products with it, so that a channel
with structure costs O(m).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
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


# Reports, their counts, and distributions: what estimators take, checked.


def count_reports(reports: ArrayLike | Iterable[int], channel: Channel) -> NDArray[np.int64]:
    """How often each report came.

    Args:
        reports: whole numbers in 0, …, ``channel.reports`` − 1, one a user.
        channel: what they went through.

    Returns:
        The counts, shape (``channel.reports``,).

    Raises:
        BadInput: there is none, or one of them is no such number.
    """
    values: Any = reports if isinstance(reports, np.ndarray) else _listed(reports)
    if values.ndim != 1 or not values.size:
        raise BadInput(f"want a list of at least one report, got shape {values.shape}")
    if values.dtype.kind not in "iu":
        raise BadInput(
            f"reports are whole numbers; these are {values.dtype} (counts? pass counts=)"
        )
    least, most = int(values.min()), int(values.max())
    if least < 0 or most >= channel.reports:
        wrong = least if least < 0 else most
        raise BadInput(f"there is a report {wrong}; want 0 to {channel.reports - 1}")
    return np.bincount(values.astype(np.int64, copy=False), minlength=channel.reports)


def frequencies_of(counts: ArrayLike, channel: Channel) -> tuple[Floats, float]:
    """The share of each report, and how many reports there are.

    Args:
        counts: one a report; not negative, not all 0.  Fractions of a report are allowed, so a
            distribution of reports will do.
        channel: what the reports went through.

    Raises:
        BadInput: they are no such counts, or one is of a report that the channel never makes.
    """
    checked = _floats(counts, "counts", channel.reports, "report")
    total = float(checked.sum())
    if not 0 < total < math.inf:
        raise BadInput(f"the counts sum to {total:g}; want at least one report, finitely many")
    uniform = np.full(channel.inputs, 1 / channel.inputs)
    never = np.flatnonzero((checked > 0) & ~(channel.forward(uniform) > 0))
    if len(never):
        raise BadInput(f"report {never[0]} came, but the channel never makes it")
    return checked / total, total


def distribution_of(p: ArrayLike, channel: Channel, name: str = "p") -> Floats:
    """A distribution over the true values, its sum 1 up to rounding.

    Raises:
        BadInput: it has not one entry a true value, or is no distribution.
    """
    checked = _floats(p, name, channel.inputs, "true value")
    total = float(checked.sum())
    if not abs(total - 1) <= ROUNDING * max(1, math.sqrt(channel.inputs)):
        raise BadInput(f"{name} sums to {total:.10g}; want a distribution, with sum 1")
    return checked / total


def _floats(values: Any, name: str, size: int, each: str) -> Floats:
    try:
        checked = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"{name}: want a list of numbers") from None
    if checked.shape != (size,):
        got = f"{checked.size}" if checked.ndim == 1 else f"shape {checked.shape}"
        more = " (raw reports? pass reports=)" if name == "counts" else ""
        raise BadInput(f"{name}: got {got}; want {size} numbers, one a {each}{more}")
    wrong = np.flatnonzero(~((checked >= 0) & (checked < math.inf)))
    if len(wrong):
        raise BadInput(f"{name}[{wrong[0]}] = {checked[wrong[0]]:g}; want a number ≥ 0, finite")
    return checked


def _listed(reports: Any) -> NDArray[Any]:
    try:
        return np.asarray(reports if hasattr(reports, "__len__") else list(reports))
    except (TypeError, ValueError, OverflowError):
        raise BadInput("want a list of reports, whole numbers") from None
