"""Channels on [0, n] as matrices, one row an input, with entries that are numbers or expressions.

α may be anything that can be added, multiplied and divided: a ``Fraction``, a symbol of SymPy, a
rational function.  A column of an ε-d-private channel lies in the cone of all v >= 0 with
α v_i <= v_(i+1) <= v_i / α.  Its extreme rays take one of the two ends at each step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, TypeAlias

Vector: TypeAlias = list[Any]
Matrix: TypeAlias = list[Vector]


def kernel(n: int, alpha: Any) -> Matrix:
    """K with K_ij = α^|i-j|."""
    return [[alpha ** abs(i - j) for j in range(n + 1)] for i in range(n + 1)]


def column_scales(n: int, alpha: Any) -> Vector:
    """The c_j of G_ij = α^|i-j| c_j, equation (5) of the geometric-noise paper; n >= 1."""
    end = 1 / (1 + alpha)
    return [end, *[(1 - alpha) * end] * (n - 1), end]


def kernel_inverse(n: int, alpha: Any) -> Matrix:
    """The inverse of K; it is tridiagonal."""
    scale = 1 / (1 - alpha**2)
    found = [[0 * alpha for _ in range(n + 1)] for _ in range(n + 1)]
    for i in range(n + 1):
        found[i][i] = scale if i in (0, n) else (1 + alpha**2) * scale
        for beside in (i - 1, i + 1):
            if 0 <= beside <= n:
                found[i][beside] = -alpha * scale
    return found


def response(n: int, alpha: Any) -> Matrix:
    """Randomised response: the true value is 1/α times as likely as each other one."""
    true = 1 / (1 + n * alpha)
    return [[true if i == j else alpha * true for j in range(n + 1)] for i in range(n + 1)]


def dot(left: Sequence[Any], right: Sequence[Any]) -> Any:
    """The inner product."""
    first, *rest = (a * b for a, b in zip(left, right, strict=True))
    return sum(rest, first)


def times(matrix: Sequence[Sequence[Any]], vector: Sequence[Any]) -> Vector:
    """The product of a matrix and a column."""
    return [dot(row, vector) for row in matrix]


def steps(n: int) -> Iterator[tuple[int, ...]]:
    """The shapes of the extreme rays: at each step 1 where they rise, -1 where they fall."""
    return product((1, -1), repeat=n)


def valleys(shape: Sequence[int]) -> tuple[int, ...]:
    """The places where a ray of this shape has fallen and rises again."""
    return tuple(i for i, pair in enumerate(pairwise(shape), start=1) if pair == (-1, 1))


def mirrored(shape: Sequence[int]) -> tuple[int, ...]:
    """The shape of the ray that is read from n to 0."""
    return tuple(-step for step in reversed(shape))


def heights(shape: Sequence[int]) -> tuple[int, ...]:
    """The exponents of α along the ray of this shape; the least is 0."""
    found = [0]
    for step in shape:
        found.append(found[-1] - step)
    return tuple(height - min(found) for height in found)


def ray(shape: Sequence[int], alpha: Any) -> Vector:
    """The extreme ray of this shape, its largest entry 1."""
    return [alpha**height for height in heights(shape)]


def is_d_private(matrix: Sequence[Sequence[Fraction]], alpha: Fraction) -> bool:
    """Whether C_ij <= α^-|i-h| C_hj for all i, h and j."""
    inputs, reports = range(len(matrix)), range(len(matrix[0]))
    return all(
        matrix[i][j] * alpha ** abs(i - h) <= matrix[h][j]
        for i in inputs for h in inputs for j in reports
    )  # fmt: skip
