"""Sums of draws that are known by their intervals: what a program computes with in place of noise.

A comparison is decided for all draws of a box at once, or asks for a cut of one of them.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NoReturn

from tests.combinations import Combination, Exact

from .laws import Interval, Law, Unknowable


class Signal(BaseException):
    """Stops a run; no ``Exception``, so that no program can take it for one of its own."""


class Undecided(Signal):
    """What comes next depends on where in its interval a draw lies.

    ``cuts`` are where it is cut (the first values of new pieces, of integers); without any, all of
    its values are asked for.
    """

    def __init__(self, draw: int, cuts: tuple[Exact, ...]) -> None:
        self.draw, self.cuts = draw, cuts


class Box:
    """The draws of one run so far: their laws, and where each lies."""

    def __init__(self, pieces: tuple[Interval, ...]) -> None:
        self.pieces, self.laws = pieces, list[Law]()


class Sum(Combination):
    """A combination of the draws of a box."""

    __slots__ = ()

    def needs_value(self) -> NoReturn:
        for draw in self.parts:
            if self.box.laws[draw].continuous:
                raise Unknowable("an operation on continuous noise that is not linear")
        raise Undecided(min(self.parts), ())

    @property
    def continuous(self) -> bool:
        """Whether it has a density."""
        return any(self.box.laws[draw].continuous for draw in self.parts)

    def piece(self, draw: int) -> Interval:
        return self.box.pieces[draw]

    def is_zero(self) -> bool:
        if self.continuous:
            return False  # almost surely
        low, high = self.ends()
        if low > 0 or high < 0:
            return False
        if len(self.parts) > 1:
            raise Undecided(min(self.parts), ())
        ((draw, factor),) = self.parts.items()
        at = Fraction(-self.constant) / factor
        if at.denominator != 1:
            return False
        raise Undecided(draw, (int(at), int(at) + 1))

    def reaches_zero(self) -> bool:
        low, high = self.ends()
        if low >= 0:
            return True
        if high < 0 or (high == 0 and self.continuous):
            return False
        raise self.cut_at((0,))

    def cut_at(self, places: tuple[Exact, ...]) -> Undecided:
        """What to ask for to know between which of these places it lies."""
        if len(self.parts) > 1:
            return self.halved()
        ((draw, factor),) = self.parts.items()
        cuts = [(Fraction(place) - self.constant) / factor for place in places]
        if self.box.laws[draw].continuous:
            return Undecided(draw, tuple(sorted(cuts)))
        # The first integer that reaches the place, or that does not any more.
        return Undecided(
            draw, tuple(sorted(math.ceil(c) if factor > 0 else math.floor(c) + 1 for c in cuts))
        )

    def halved(self) -> Undecided:
        """A cut of the draw about which least is known."""

        def spread(draw: int) -> float:
            low, high = self.box.pieces[draw]
            law = self.box.laws[draw]
            if math.isinf(low) or math.isinf(high):
                return abs(self.parts[draw]) * float(law.values[0]) * 4
            return abs(float(self.parts[draw] * (high - low)))

        draw = max((d for d in self.parts), key=spread)
        return Undecided(draw, (self.box.laws[draw].middle(self.box.pieces[draw]),))
