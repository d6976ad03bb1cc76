"""k-ary randomised response, without its matrix."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .channels import (
    ExactMatrix,
    Floats,
    Solver,
    checked_level,
    checked_size,
    level_of,
)


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
