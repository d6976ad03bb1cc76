"""One run on its way: what it computes with, and what is known of its noise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from flint import arb

from ...dsl.errors import LimitReached
from ...dsl.terms.linear import Rational, shortest
from .affine import Affine, Value
from .irrational import ends, is_irrational, over
from .laws import COUNTING, FEW, Law
from .numbers import Number
from .powers import Power

#: How many draws a run may make.
DRAWS = 1_000


class Condition(NamedTuple):
    """A number that depends on noise is at least zero, or above it."""

    subject: Affine
    strict: bool


class Fork(Exception):
    """A node cannot be evaluated before the path decides: the runs with each decision."""

    def __init__(self, runs: list[PathState]) -> None:
        self.runs = runs


class Visit(NamedTuple):
    """A moment at which a round begins: what is read from then on, and how much has happened."""

    number: int
    names: str
    weight: Fraction
    laws: int
    conditions: int
    releases: int
    factors: int
    visits: int


class Moment(NamedTuple):
    """A moment at which a round begins, by its number; ``nth`` on a path."""

    number: int
    before: Moment | None
    nth: int

    @staticmethod
    def all(last: Moment | None, first: int = 0) -> tuple[int, ...]:
        """The numbers of those from the one after so many, in their order."""
        found = []
        while last is not None and last.nth > first:
            found.append(last.number)
            last = last.before
        return tuple(reversed(found))


Key: TypeAlias = tuple[frozenset[tuple[int, Rational]], Rational, bool]


@dataclass(slots=True)
class PathState:
    """A run on its way; its probability so far is ``weight`` times all the ``factors``.

    ``rounds``: by loop, the moment at which its last round began; ``visits``: the last such moment.
    """

    node: int
    names: dict[str, Value]
    weight: Fraction = Fraction(1)
    laws: list[Law] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    known: dict[Key, bool] = field(default_factory=dict)
    bounds: list[tuple[Rational | float, Rational | float]] = field(default_factory=list)
    releases: list[Value] = field(default_factory=list)
    records: dict[str, Sequence[Value]] = field(default_factory=dict)
    factors: tuple[Power, ...] = ()
    picked: tuple[int, ...] | None = None
    coins: int = 0
    heads: dict[int, tuple[object, int]] = field(default_factory=dict)
    rounds: dict[int, Visit] = field(default_factory=dict)
    visits: Moment | None = None
    floors: dict[Key, Affine] = field(default_factory=dict)

    def copy(self) -> PathState:
        """A run that goes on by itself."""
        return PathState(
            self.node, dict(self.names), self.weight, list(self.laws), list(self.conditions),
            dict(self.known), list(self.bounds), list(self.releases), heads=dict(self.heads),
            coins=self.coins, factors=self.factors, rounds=dict(self.rounds), visits=self.visits,
            floors=dict(self.floors),
        )  # fmt: skip

    def parted(
        self,
        alternatives: Sequence[tuple[Condition, ...]],
        answers: Sequence[tuple[int, ...]] = (),
    ) -> Fork:
        """The run parts into those that meet these conditions, as far as they are possible.

        ``answers``: for each of them what ``argmax`` or ``top_k`` comes to, once it is evaluated.
        """
        runs = []
        for conditions, answer in itertools.zip_longest(alternatives, answers):
            other = self.copy()
            other.picked = answer
            if all(map(other.assume, conditions)):
                runs.append(other)
        return Fork(runs)

    def decided(self, condition: Condition) -> bool | None:
        """Whether a condition holds or fails on the whole path, as far as is easily seen."""
        subject, strict = condition
        low, high = self._range(subject)
        real = not self.whole(subject)
        if low > 0 or (low == 0 and (real or not strict)):
            return True
        if high < 0 or (high == 0 and (real or strict)):
            return False
        return self.known.get(_key(subject, strict))

    def assume(self, condition: Condition) -> bool:
        """Add a condition to the path; whether the path may still be possible."""
        seen = self.decided(condition)
        if seen is not None:
            return seen
        subject, strict = condition
        self.conditions.append(condition)
        negative = -subject
        self.known[_key(subject, False)] = True
        self.known[_key(negative, self.whole(subject))] = False
        if strict:
            self.known[_key(subject, True)] = True
            self.known[_key(negative, False)] = False
        if len(subject.parts) == 1:
            ((draw, factor),) = subject.parts.items()
            cut = shortest(over(-subject.constant, factor))
            low, high = self.bounds[draw]
            self.bounds[draw] = (max(low, cut), high) if factor > 0 else (low, min(high, cut))
        return True

    def _range(self, subject: Affine) -> tuple[Rational | float, Rational | float]:
        low: Rational | float = subject.constant
        high: Rational | float = subject.constant
        for draw, factor in subject.parts.items():
            one, two = self.bounds[draw] if factor > 0 else self.bounds[draw][::-1]
            low = _sum(low, factor, one, -math.inf)
            high = _sum(high, factor, two, math.inf)
        return low, high

    def whole(self, subject: Affine) -> bool:
        """Whether a number depends on integer draws only."""
        return all(self.laws[d].lattice for d in subject.parts)

    def new(self, law: Law) -> int:
        """Which draw it is that has this law."""
        if len(self.laws) == DRAWS:
            raise LimitReached("DRAWS", f"a run draws more than {DRAWS} times")
        self.laws.append(law)
        self.bounds.append(law.support)
        return len(self.laws) - 1

    def floor(self, subject: Affine) -> int | Affine:
        """The greatest integer that is no larger: one of a few, or one more unknown."""
        few = self._integers_below(subject)
        if few:
            cases = [(self._at_least(subject, k), self._below(subject, k)) for k in few]
            decided = [tuple(map(self.decided, case)) for case in cases]
            if (True, True) in decided:
                return few[decided.index((True, True))]
            raise self.parted([c for c, d in zip(cases, decided, strict=True) if False not in d])
        key = frozenset(subject.parts.items()), subject.constant, False
        if key not in self.floors:  # a node that forks is evaluated again
            self.floors[key] = unknown = Affine({self.new(COUNTING): 1}, 0, True)
            self.assume(self._at_least(subject, unknown))
            self.assume(self._below(subject, unknown))
        return self.floors[key]

    def _integers_below(self, subject: Affine) -> Sequence[int]:
        """What bounded noise may be rounded down to; nothing if that is too much."""
        low, high = self._range(subject)
        if isinstance(low, float) or isinstance(high, float):
            return ()
        found = range(math.floor(low), math.floor(high) + 1)
        return found if len(found) <= FEW else ()

    @staticmethod
    def _at_least(subject: Affine, integer: int | Affine) -> Condition:
        rest = subject - integer
        assert isinstance(rest, Affine)
        return Condition(rest, False)

    @staticmethod
    def _below(subject: Affine, integer: int | Affine) -> Condition:
        """It is below the next integer."""
        rest = integer - subject + 1
        assert isinstance(rest, Affine)
        return Condition(rest, True)

    def holds(self, subject: Affine, strict: bool) -> bool:
        """Whether a number is at least zero (or above it); forks where that is open."""
        condition = self.condition(subject, strict)
        found = self.decided(condition)
        if found is None:
            raise self.parted([(condition,), (self.condition(-subject, not strict),)])
        return found

    def condition(self, subject: Affine, strict: bool) -> Condition:
        """That a number is at least zero, or above it: for a real one that is the same."""
        return Condition(subject, strict and self.whole(subject))

    def vanishes(self, subject: Affine) -> bool:
        """Whether a number is zero; a real draw makes that an event of probability zero."""
        if not self.whole(subject):
            return False
        negative = -subject
        above, below = Condition(subject, False), Condition(negative, False)
        answers = self.decided(above), self.decided(below)
        if False in answers:
            return False
        if answers == (True, True):
            return True
        raise self.parted(
            [(above, below), (Condition(subject, True),), (Condition(negative, True),)]
        )


def _sum(
    so_far: Rational | float, factor: Rational, end: Rational | float, infinite: float
) -> Rational | float:
    """``so_far + factor · end``, without turning exact numbers into floats."""
    if isinstance(so_far, float) or isinstance(end, float):
        return infinite
    return so_far + factor * end


def _key(subject: Affine, strict: bool) -> Key:
    first = next(iter(subject.parts.values()))
    lead = first if first > 0 else -first
    if lead == 1:
        return frozenset(subject.parts.items()), subject.constant, strict
    parts = frozenset((d, shortest(over(f, lead))) for d, f in subject.parts.items())
    return parts, shortest(over(subject.constant, lead)), strict


# Conditions with numbers in them that are not rational, between two that have none:
# noise >= log(5) is likelier than noise >= 1.61, and less likely than noise >= 1.60.


def enclosed(
    conditions: Sequence[Condition], likely: Callable[[Sequence[Condition]], Number]
) -> Number:
    """How likely it is that all conditions hold, by what is computed of rational ones.

    The larger the constants, the more draws meet them.

    Raises:
        LimitReached: draws are added up whose factors have no rational ratio.
    """
    if all(subject.is_rational for subject, _ in conditions):
        return likely(conditions)
    both = [_between(*condition) for condition in conditions]
    least, most = likely([low for low, _ in both]), likely([high for _, high in both])
    return arb(least).union(arb(most))


def _between(subject: Affine, strict: bool) -> tuple[Condition, Condition]:
    lead = next((f for f in subject.parts.values() if is_irrational(f)), None)
    if lead is not None:
        lead = lead if lead > 0 else -lead
        parts = {d: shortest(over(f, lead)) for d, f in subject.parts.items()}
        if any(is_irrational(f) for f in parts.values()):
            raise LimitReached("POWERS", "noise with factors whose ratio is not rational")
        subject = Affine(parts, shortest(over(subject.constant, lead)), False)
    constant = subject.constant
    if not is_irrational(constant):
        return Condition(subject, strict), Condition(subject, strict)
    low, high = (Affine(subject.parts, shortest(end), False) for end in ends(constant))
    return Condition(low, strict), Condition(high, strict)
