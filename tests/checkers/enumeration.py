"""Exact probabilities of a discrete mechanism's outcomes.

All privacy parameters are whole multiples of ln 2.  They enter scales as in ``c / eps``, so
a run with eps = m learns every rate in bits, and α = 2^(-rate) is exact.  The function runs
on stand-ins for the draws, each decision splits the draws it depends on, and what a split
leaves out is added up: a rigorous bound on the mass of all outcomes that were not seen.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from types import FrameType
from typing import Any

from shiftproof import Bernoulli, Distribution, Mechanism
from shiftproof.dsl.language.runtime import drawing_from, recorded
from tests.checkers.stand_ins import Interval, Law, Signal, Undecided, Unknown, law_of

Outcome = tuple[tuple[str, Any], ...]
#: A run of more draws or more lines is left out; its mass is not lost, it counts as unseen.
DRAWS, LINES = 12, 3000
#: The most runs for one distribution.
RUNS = 2000


class _Stop(Signal):
    """A run that is left out: it draws too often, or does not end."""


class TooMany(Exception):
    """A distribution takes too many runs."""


class _Run:
    """A source that hands out stand-ins for the draws in a box of intervals."""

    def __init__(self, box: list[Interval]) -> None:
        self.box, self.laws = box, list[Law]()

    def draw(self, distribution: Distribution) -> Any:
        index = len(self.laws)
        if index == DRAWS:
            raise _Stop
        self.laws.append(law_of(distribution))
        if index == len(self.box):
            self.box.append(self.laws[index].support)
        low, high = self.box[index]
        coin = self.laws[index].kind is Bernoulli
        if low == high:
            return bool(low) if coin else int(low)
        if coin:
            raise Undecided(index, (1,))
        return Unknown(self.box, {index: 1}, 0, True)

    def mass(self) -> Fraction:
        return math.prod((law.mass(i) for law, i in zip(self.laws, self.box)), start=Fraction(1))

    def split(self, decision: Undecided, least: Fraction) -> list[list[Interval]]:
        """The boxes into which a decision cuts this one; they may leave out tails."""
        index = decision.draw
        low, high = self.box[index]
        if decision.cuts is None:
            pieces = self.laws[index].values((low, high), least)
        else:
            cuts = [cut for cut in decision.cuts if low < cut <= high]
            pieces = [(a, b - 1) for a, b in zip([low, *cuts], [*cuts, high + 1])]
        return [[*self.box[:index], piece, *self.box[index + 1 :]] for piece in pieces]

    def corner(self) -> list[int | bool]:
        """Draws from the box, as the real noise would be."""
        ends = (next((int(e) for e in ends if math.isfinite(e)), 0) for ends in self.box)
        return [bool(e) if law.kind is Bernoulli else e for law, e in zip(self.laws, ends)]


@dataclass
class Spread:
    """How likely each outcome is at least, and how much mass is in runs not seen."""

    masses: dict[Outcome, Fraction] = field(default_factory=dict)
    unseen: Fraction = Fraction(0)
    runs: int = 0


def spread(mechanism: Mechanism[..., Any], values: dict[str, Any], bits: int) -> Spread:
    """The distribution of a mechanism's outcomes on inputs that it has accepted.

    Of a draw whose every value is looked at, tails of 2^-bits are left out.

    Raises:
        TooMany: it takes more than ``RUNS`` runs.
    """
    found, least, function = Spread(), Fraction(1, 2**bits), mechanism.function
    todo: list[list[Interval]] = [[]]
    while todo:
        found.runs += 1
        if found.runs > RUNS:
            raise TooMany
        box = todo.pop()
        run = _Run(box)
        try:
            with drawing_from(run):
                outcome = _outcome(function, lambda: _released(function(**values)))
        except Undecided as decision:
            before, boxes = run.mass(), run.split(decision, least)
            kept = sum((_at(run, box).mass() for box in boxes), start=Fraction(0))
            found.unseen += before - kept
            todo += boxes
        except _Stop:
            found.unseen += run.mass()
        else:
            found.masses[outcome] = found.masses.get(outcome, Fraction(0)) + run.mass()
            if any(low < high for low, high in box):  # the stand-ins do what real noise does
                with recorded(run.corner()):
                    assert _outcome(function, lambda: mechanism.run(values)) == outcome, outcome
    assert sum(found.masses.values()) + found.unseen == 1
    return found


def _at(run: _Run, box: list[Interval]) -> _Run:
    other = _Run(box)
    other.laws = run.laws
    return other


def _outcome(function: Callable[..., Any], call: Callable[[], tuple[Any, ...]]) -> Outcome:
    """What a run releases, or that it raises; values of different kinds are different."""
    try:
        return tuple(map(_tagged, _bounded(function, call)))
    except Exception as error:
        return (("raises", type(error).__name__),)


def _tagged(value: Any) -> tuple[str, Any]:
    if isinstance(value, float | Fraction):
        return "real", Fraction(value)
    return type(value).__name__, value


def _released(result: Any) -> tuple[Any, ...]:
    if inspect.isgenerator(result):
        values = tuple(result)
    else:
        values = result if isinstance(result, tuple) else (result,)
    for value in values:
        if isinstance(value, Unknown):
            raise Undecided(min(value.parts), None)
    return values


@cache
def _may_hang(function: Callable[..., Any]) -> bool:
    return "while " in inspect.getsource(function)


def _bounded(function: Callable[..., Any], call: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
    """The call, stopped if it does not end by itself; watching it is slow."""
    if not _may_hang(function):
        return call()
    lines = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        if frame.f_code is not function.__code__:
            return None
        lines += 1
        if lines > LINES:
            raise _Stop
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        return call()
    finally:
        sys.settrace(before)
