"""Integrals over draws: a function for each draw, and linear conditions that tie them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...dsl.terms import Rational, shortest
from .affine import Affine
from .numbers import Number
from .pieces import Piecewise


class OnBoundary(Exception):
    """A released value lies where the density may jump: ask next to it."""


@dataclass(frozen=True, slots=True)
class Tie:
    """``constant + Σ factor · draw`` is at least zero, or above it.

    ``exposed``: the constant moves with a released real value.
    """

    parts: Mapping[int, Rational]
    constant: Rational
    strict: bool
    exposed: bool = False

    @classmethod
    def of(cls, subject: Affine, strict: bool, released: Mapping[int, Rational]) -> Tie:
        """The condition on a number, with the released values put in."""
        parts = {d: f for d, f in subject.parts.items() if d >= 0}
        constant = subject.constant
        for d, f in subject.parts.items():
            if d < 0:
                constant = constant + f * released[d]
        return cls(parts, shortest(constant), strict, len(parts) < len(subject.parts))

    def met(self) -> bool:
        """Whether it holds, once no draw is left in it."""
        if self.exposed and self.constant == 0:
            raise OnBoundary
        return self.constant > 0 if self.strict else self.constant >= 0

    def bound(self, draw: int) -> tuple[bool, Affine]:
        """As a bound of one of its draws: whether from below, and the bound."""
        factor = self.parts[draw]
        inverse = shortest(Fraction(-1) / factor)
        rest = {d: shortest(f * inverse) for d, f in self.parts.items() if d != draw}
        return factor > 0, Affine(rest, shortest(self.constant * inverse), False)


@dataclass(frozen=True, slots=True)
class Problem:
    """``weight · ∫ Π functions`` over the draws that meet all the ties."""

    weight: Number
    functions: Mapping[int, Piecewise]
    ties: tuple[Tie, ...]


def first_whole(end: Rational, strict: bool) -> int:
    """The least integer at or above an end (or above it)."""
    return math.floor(end) + 1 if strict else math.ceil(end)


def last_whole(end: Rational, strict: bool) -> int:
    """The greatest integer at or below an end (or below it)."""
    return math.ceil(end) - 1 if strict else math.floor(end)


def neighbours(ties: Sequence[Tie]) -> dict[int, set[int]]:
    """To which others each draw is tied."""
    found: dict[int, set[int]] = {}
    for tie in ties:
        for draw in tie.parts:
            found.setdefault(draw, set()).update(d for d in tie.parts if d != draw)
    return found
