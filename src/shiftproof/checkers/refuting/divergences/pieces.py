"""Parts of what a mechanism gives on two inputs, and the Rényi divergence between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

from flint import arb, fmpq, fmpq_mat

from ....dsl.errors import LimitReached
from ...exact.affine import Affine
from ...exact.irrational import is_irrational, over
from ...exact.laws import Law, Normal
from ...exact.numbers import ZERO, Number, exactly, grain_of, is_zero, log, rational
from ...exact.paths import Finished
from ...exact.state import Condition
from .shifts import Unknown, of_shift

#: The probability of a path, with some more conditions.
Chance: TypeAlias = Callable[[Finished, Sequence[Condition]], Number]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the outputs, how likely on D and D', and how the noise in it is shifted.

    ``gaussian``: Σ d² / σ² of sums of Gaussian noise; ``None`` where nothing is possible on both.
    """

    left: Number
    right: Number
    shifts: tuple[tuple[Law, Fraction], ...] = ()
    gaussian: Fraction | None = Fraction(0)

    def divergence(self, order: Fraction) -> Number | None:
        """Within the piece; ``None`` if it is infinite."""
        if self.gaussian is None:
            return None
        total: Number = exactly(order * self.gaussian / 2)
        for law, shift in self.shifts:
            found = of_shift(law, shift, order)
            if found is None:
                return None
            total = total + found
        return total


def divergence(pieces: Sequence[Piece], order: Fraction) -> Number | None:
    """D_α between what is seen on D and on D', or a little less; ``None`` if it is infinite.

    Raises:
        Unknown: it is not computed for this order.
    """
    alone = len(pieces) == 1 and pieces[0].left == pieces[0].right == 1
    total: Number = ZERO
    for piece in pieces:
        p, q = piece.left, piece.right
        if is_zero(p):
            continue
        within = piece.divergence(order)
        if (is_zero(q) or within is None) and p > 0:
            return None
        if alone and within is not None:
            return within
        if not (p > 0 and q > 0) or within is None:
            if order == 1:
                raise Unknown
            continue  # a sum of terms that are not negative: it only becomes smaller
        if order == 1:
            total = total + arb(p) * (log(p) - log(q) + within)
        else:
            alpha = arb(rational(order))
            total = total + (alpha * log(p) + (1 - alpha) * log(q) + (alpha - 1) * within).exp()
    if order == 1:
        return total
    if not total > 0:
        raise Unknown
    return log(total) / arb(rational(order - 1))


# Shifts of noise: from ``c + F X`` on D and ``c' + F X`` on D' to the d with ``F d = c - c'``.


def blocks(path: Finished) -> list[tuple[list[int], list[int]]]:
    """The released numbers that share noise, and the draws in them."""
    blocks: list[tuple[list[int], set[int]]] = []
    for j, value in enumerate(path.releases):
        if isinstance(value, Affine):
            touched = [b for b in blocks if b[1] & value.parts.keys()]
            merged = (
                [i for b in touched for i in b[0]] + [j],
                set(value.parts).union(*(b[1] for b in touched)),
            )
            blocks = [b for b in blocks if b not in touched] + [merged]
    return [(rows, sorted(draws)) for rows, draws in blocks]


def _matrix(path: Finished, block: tuple[list[int], list[int]]) -> fmpq_mat:
    rows, draws = block
    values = [cast(Affine, path.releases[j]) for j in rows]
    return fmpq_mat([[rational(v.parts.get(d, 0)) for d in draws] for v in values])


def solvable(path: Finished, block: tuple[list[int], list[int]]) -> bool:
    """Whether releases tell the draws, or all noise in them is Gaussian, whose sums are, too."""
    _, draws = block
    laws = [path.laws[d] for d in draws]
    return _matrix(path, block).rank() == len(draws) or all(
        isinstance(law, Normal) and not law.lattice for law in laws
    )


def shifted(left: Sequence[Finished], right: Sequence[Finished], chance: Chance) -> Piece:
    """The piece of one path, on D and on D'."""
    p, q = (chance(side[0], ()) if side else ZERO for side in (left, right))
    if not left or not right:
        return Piece(p, q)
    one, two = left[0], right[0]
    shifts: list[tuple[Law, Fraction]] = []
    gaussian = Fraction(0)
    for block in blocks(one):
        rows, draws = block
        values = [(cast(Affine, one.releases[j]), cast(Affine, two.releases[j])) for j in rows]
        gaps = [Fraction(a.constant) - Fraction(b.constant) for a, b in values]
        matrix = _matrix(one, block)
        reduced, rank = fmpq_mat(
            [[*row, rational(gap)] for row, gap in zip(matrix.tolist(), gaps, strict=True)]
        ).rref()
        if rank > matrix.rank():
            return Piece(p, q, gaussian=None)  # no noise makes up for the gap
        laws = [one.laws[d] for d in draws]
        table = reduced.tolist()[:rank]
        if rank == len(draws):
            shifts += [(law, _fraction(row[-1])) for law, row in zip(laws, table, strict=True)]
        else:
            gaussian += _of_sums(table, [cast(Normal, law).variance for law in laws])
    return Piece(p, q, tuple(shifts), gaussian)


def _of_sums(table: Sequence[Sequence[fmpq]], variances: Sequence[Fraction]) -> Fraction:
    """gᵀ Σ⁻¹ g for sums of Gaussian noise with the gaps g and the covariance Σ = F V Fᵀ."""
    factors = fmpq_mat([list(row[:-1]) for row in table])
    gaps = fmpq_mat([[row[-1]] for row in table])
    n, grain = len(variances), grain_of(variances)
    sizes = [over(variance, grain) for variance in variances]
    if any(map(is_irrational, sizes)):
        raise LimitReached("POWERS", "sums of normal noise whose widths have no rational ratio")
    spread = fmpq_mat(
        [[rational(sizes[i]) if i == j else fmpq(0) for j in range(n)] for i in range(n)]
    )
    solved = (factors * spread * factors.transpose()).solve(gaps)
    return _fraction((gaps.transpose() * solved)[0, 0]) / grain


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
