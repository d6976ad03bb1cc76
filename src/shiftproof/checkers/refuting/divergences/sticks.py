"""Events of many noisy numbers at once: where they are more than e^ε times as likely on D as on D'.

Of normal noise that is shifted, the logarithm of the ratio of densities is normal itself (Balle and
Wang, "Improving the Gaussian Mechanism", 2018).  Of noise that falls evenly on both sides, only
what lies beyond both middles is looked at: a number there says as much for D as one on the other
side says against it, and so of several numbers only their balance counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_poly

from ....dsl.errors import LimitReached
from ...exact.irrational import ball
from ...exact.laws import Law, Normal
from ...exact.numbers import ZERO, Number, rational
from .pieces import Piece
from .shifts import Unknown

#: How many balances of several kinds of noise are looked at together.
BALANCES = 4_000


@dataclass(frozen=True, slots=True)
class Side:
    """An event of one piece with its probabilities on D and on D'."""

    left: Number
    right: Number
    words: str


#: A logarithm of the ratio of likelihoods, and how likely it is on D and on D'.
_Loss = tuple[arb, arb, arb]


def side_of(piece: Piece, epsilon: Number, charge: Callable[[int], None]) -> Side | None:
    """The event that shows the most of a piece, if one shows anything.

    ``charge``: is told how much is computed, in cases of an integral.

    Raises:
        Unknown: it is not known of this noise.
        LimitReached: there are too many balances.
    """
    p, q = arb(piece.left), arb(piece.right)
    if not p > 0:
        return None
    square, others = _square(piece), _others(piece.shifts)
    if square is None or others is None or not q > 0:
        return Side(p, ZERO if square is None or others is None else q, "any noisy numbers")
    losses = _losses(others, charge)
    left = right = arb(0)
    for loss, here, there in losses:
        one, two = _beyond(square, arb(epsilon) - loss - (p / q).log())
        left, right = left + p * here * one, right + q * there * two
    if not left > 0:
        return None
    seen = ", of noise that is not normal by how many are beyond either middle" if others else ""
    return Side(left, right, f"noisy numbers that are more than e^ε times as likely on D{seen}")


def is_whole(piece: Piece) -> bool:
    """Whether no event shows more of a piece, as all its noise is normal."""
    return all(isinstance(law, Normal) for law, shift in piece.shifts if shift)


def _beyond(square: arb, least: arb) -> tuple[arb, arb]:
    """That the normal part of the logarithm is above ``least``, on D and on D'."""
    if square == 0:
        both = arb(1) if least < 0 else arb(0)
        return both, both
    a, two = square.sqrt(), arb(2).sqrt()
    return ((least / a - a / 2) / two).erfc() / 2, ((least / a + a / 2) / two).erfc() / 2


def _square(piece: Piece) -> arb | None:
    """Σ d² / σ² of all normal noise; ``None`` where it cannot be moved so far."""
    if piece.gaussian is None:
        return None
    total = ball(piece.gaussian)
    for law, shift in piece.shifts:
        if isinstance(law, Normal) and shift:
            if law.lattice:
                raise Unknown
            total += rational(shift * shift) / ball(law.variance)
    return total


def _others(shifts: Iterable[tuple[Law, Fraction]]) -> Counter[tuple[Law, Fraction]] | None:
    """How often which other noise is shifted by how much; ``None`` where it cannot be."""
    found: Counter[tuple[Law, Fraction]] = Counter()
    for law, shift in shifts:
        if isinstance(law, Normal) or not shift:
            continue
        if law.lattice and shift.denominator != 1:
            return None
        if law.rate is None or not law.support[0] < 0 < law.support[1]:
            raise Unknown
        found[law, abs(shift)] += 1
    return found


def _losses(shifts: Counter[tuple[Law, Fraction]], charge: Callable[[int], None]) -> list[_Loss]:
    """The balances of all noise that is not normal."""
    found: list[_Loss] = [(arb(0), arb(1), arb(1))]
    for (law, shift), times in shifts.items():
        own = _balances(law, shift, times)
        charge(times + len(found) * len(own) // 10)
        if len(found) * len(own) > BALANCES:
            raise LimitReached("CELLS", f"noise with more than {BALANCES} balances")
        found = [(x + y, p * r, q * s) for x, p, q in found for y, r, s in own]
    return found


def _balances(law: Law, shift: Fraction, times: int) -> list[_Loss]:
    """Of so many draws, how many more are beyond the middle of D than before that of D'.

    A draw on D is beyond the farther middle with the probability ``near``, before the nearer one
    with the probability ``far``, and on D' the other way round; between them no more is seen.
    """
    assert law.rate is not None
    cost = ball(law.rate * shift)
    fall = (-ball(law.rate)).exp()
    near = 1 / (1 + fall) if law.lattice else arb(1) / 2
    far = near * (-cost).exp()
    between = 1 - near - far
    here = arb_poly([far, between, near]) ** times
    there = arb_poly([near, between, far]) ** times
    return [(cost * (k - times), here[k], there[k]) for k in range(2 * times + 1)]
