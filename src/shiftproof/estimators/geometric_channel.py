"""The truncated geometric channel on [0, n]; nothing here builds its (n + 1) × (n + 1) matrix.

G = K diag(c) with K[i, j] = α^|i−j|, c_j = (1 − α)/(1 + α) inside and 1/(1 + α) at both ends.
K⁻¹ = T / (1 − α²), T tridiagonal: −α beside the diagonal, 1 + α² on it and 1 in its two corners.
So G⁻¹ = diag(1/c) K⁻¹ is tridiagonal, and T = L D Lᵀ with L bidiagonal (1 and −α) and
D = diag(1, …, 1, 1 − α²): a product with K is one recurrence up and one down.  On vectors without
negative entries both only add, so every entry comes out with a small relative error.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..dsl.errors import BadInput
from .channels import ExactMatrix, Floats, Rational, Solver, checked_level, checked_size, level_of


class TruncatedGeometric:
    """Two-sided geometric noise added to a value in [0, n], the sum clamped to [0, n].

    G[i, 0] = α^i/(1 + α), G[i, j] = (1 − α) α^|i−j|/(1 + α), G[i, n] = α^(n−i)/(1 + α).  It is
    ε-d-private for d(i, h) = |i − h| and ε = −ln α.  All methods cost O(n), but ``exact_matrix``.

    Args:
        n: the largest value, at least 1.
        alpha: α = e^{−ε}, 0 < α < 1; a ``Fraction`` keeps the exact methods exact (a float stands
            for the rational that it is).

    Raises:
        BadInput: one of them is out of range.

    Source: Kacem and Palamidessi, *Geometric Noise for Locally Private Counting Queries* (PLAS
    2018), equation (5) and Propositions 3.1 and 3.2.
    """

    def __init__(self, n: int, alpha: float | Fraction) -> None:
        self.n = checked_size("n", n, 1)
        self.alpha = checked_level(alpha)
        self._alpha = float(self.alpha)
        inner = (1 - self._alpha) / (1 + self._alpha)
        self._columns = np.full(self.n + 1, inner)
        self._columns[[0, -1]] = 1 / (1 + self._alpha)
        self._squared = (1 - self._alpha) * (1 + self._alpha)  # 1 − α², without cancellation
        self._diagonal = np.full(self.n + 1, 1 + self._alpha**2)
        self._diagonal[[0, -1]] = 1

    @classmethod
    def of_epsilon(cls, n: int, eps: float) -> TruncatedGeometric:
        """The channel on [0, n] that is ``eps``-d-private (nats per unit of distance)."""
        return cls(n, level_of(eps))

    @property
    def inputs(self) -> int:
        """How many true values there are: n + 1."""
        return self.n + 1

    @property
    def reports(self) -> int:
        """How many different reports there are: n + 1."""
        return self.n + 1

    def forward(self, p: Floats) -> Floats:
        """p G."""
        law: Floats = self._kernel(p) * self._columns
        return law

    def adjoint(self, v: Floats) -> Floats:
        """G v."""
        return self._kernel(v * self._columns)

    def inverse(self, q: Floats) -> Floats:
        """q G⁻¹; always possible, though entries grow like (1 − α)⁻² q."""
        return self._tridiagonal(q / self._columns) / self._squared

    def normal_solver(self, weights: Floats, diagonal: Floats) -> Solver:
        """What solves (G diag(weights) Gᵀ + diag(diagonal)) x = b.

        With B = T diag(√diagonal), W the scaled weights and t = b/√diagonal, the x sought is
        (Bᵀ z)/diagonal^(1/2) where W z = B e and e = t − Bᵀ z.  Interleaved as e_0, z_0, e_1, …
        these equations are banded; they are solved by elimination with pivoting, since W + B Bᵀ,
        to which they reduce, is too ill-conditioned to be formed.
        """
        lapack, size, a = _lapack(), self.n + 1, self._alpha
        root = np.sqrt(diagonal)
        scale = self._columns * self._squared
        band = np.zeros((10, 2 * size))  # entry (row, column) is band[6 + row − column, column]
        band[6, 0::2] = 1
        band[6, 1::2] = scale**2 * weights
        band[5, 1::2] = self._diagonal * root  # rows of e: e + Bᵀ z = t
        band[7, 1:-2:2] = -a * root[1:]
        band[3, 3::2] = -a * root[:-1]
        band[7, 0::2] = -self._diagonal * root  # rows of z: W z − B e = 0
        band[9, 0:-2:2] = a * root[:-1]
        band[5, 2::2] = a * root[1:]
        factor, pivots, failed = lapack.dgbtrf(band, 3, 3, overwrite_ab=True)
        if failed:
            raise np.linalg.LinAlgError("the banded system is singular up to rounding")

        def solve(b: Floats) -> Floats:
            right = np.zeros(2 * size)
            right[0::2] = b / root
            solution, _ = lapack.dgbtrs(factor, 3, 3, right, pivots, overwrite_b=True)
            return self._tridiagonal(solution[1::2])

        return solve

    def exact_matrix(self) -> ExactMatrix:
        """G in exact fractions; (n + 1)² of them."""
        a, n = Fraction(self.alpha), self.n
        powers = [Fraction(1)]
        for _ in range(n):
            powers.append(powers[-1] * a)
        c = self._exact_columns()
        return tuple(tuple(powers[abs(i - j)] * c[j] for j in range(n + 1)) for i in range(n + 1))

    def exact_inverse(self, q: Sequence[Rational]) -> tuple[Fraction, ...]:
        """q G⁻¹ in exact fractions, in O(n) of them.

        Raises:
            BadInput: ``q`` has not n + 1 entries.
        """
        if len(q) != self.n + 1:
            raise BadInput(f"q has {len(q)} entries; want one a report, {self.n + 1}")
        a, n = Fraction(self.alpha), self.n
        v = [Fraction(x) / c for x, c in zip(q, self._exact_columns(), strict=True)]
        found = []
        for i, x in enumerate(v):
            inside = 0 < i < n
            beside = (v[i - 1] if i else 0) + (v[i + 1] if i < n else 0)
            found.append(((1 + a * a if inside else 1) * x - a * beside) / (1 - a * a))
        return tuple(found)

    def exact_determinant(self) -> Fraction:
        """det G = (1 − α)^{2n−1}/(1 + α): the determinant of K is (1 − α²)^n, times all c_j.

        Source: the same paper, Proposition 3.2, which has it that G is invertible.
        """
        a = Fraction(self.alpha)
        return (1 - a) ** (2 * self.n - 1) / (1 + a)

    def _exact_columns(self) -> list[Fraction]:
        a = Fraction(self.alpha)
        end = 1 / (1 + a)
        return [end, *[(1 - a) * end] * (self.n - 1), end]

    def _kernel(self, v: Floats) -> Floats:
        """The product K v, or v K; K is symmetric."""
        pivots = np.ones(self.n + 1)
        pivots[-1] = self._squared
        product, _ = _lapack().dpttrs(pivots, np.full(self.n, -self._alpha), v)
        scaled: Floats = product * self._squared
        return scaled

    def _tridiagonal(self, v: Floats) -> Floats:
        """The product T v, or v T; T is symmetric."""
        product = self._diagonal * v
        product[1:] -= self._alpha * v[:-1]
        product[:-1] -= self._alpha * v[1:]
        return product


def _lapack() -> Any:
    import scipy.linalg.lapack  # it is slow to load

    return scipy.linalg.lapack
