"""Small public inputs and lengths, by a fixed seed; which of them are inputs, the worker says."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from ...dsl.inputs import DataSet, EpsilonInput, InputKind, LocationCounts, Queries
from ...dsl.inputs import Value as UserValue
from ...dsl.program import Program
from .records import Data
from .process import Process, packed

#: What is tried for privacy parameters, other numbers, and whole ones.
EPSILONS = (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3, 2))
NUMBERS = tuple(Fraction(n, 2) for n in (2, 0, 1, 4, -2, 3, 6))
WHOLE = (1, 2, 0, 3, 4, -1)
#: The lengths, again and again in this order.
LENGTHS = (2, 1, 3, 2, 0)
#: How many settings are tried at first, and at most; the largest literal that is tried as well.
FIRST, MOST, LARGEST = 60, 1_000, 10_000


@dataclass(frozen=True, slots=True)
class Setting:
    """The public inputs by name, and how long the private sequences are."""

    public: Mapping[str, Data]
    lengths: Mapping[str, int]


def settings(
    process: Process, program: Program, text: str, wanted: int, longest: int
) -> list[Setting]:
    """Settings that meet the preconditions, as Python reads them; fewer where few are found.

    Raises:
        Gone: the process does not answer.
    """
    tried = _candidates(program, text, longest)
    found: list[Setting] = []
    for batch in (FIRST, MOST):
        if found:
            break
        some = list(islice(tried, batch))
        request = {
            "do": "choose", "text": text, "name": program.name, "most": wanted,
            "settings": [packed(_call(program, s)) for s in some],
        }  # fmt: skip
        found = [some[k] for k in process.ask(request).get("chosen", ())]
    return found


def _call(program: Program, setting: Setting) -> dict[str, Any]:
    """Inputs of a call with these lengths: of what is private, preconditions see no more."""
    return {
        name: setting.public[name]
        if kind.public
        else (0,) * setting.lengths.get(name, 0)
        if kind.array
        else 0
        for name, kind in program.inputs.items()
    }


def _candidates(program: Program, text: str, longest: int) -> Iterator[Setting]:
    """An endless supply, without respect to the preconditions but to what kinds say."""
    chance = random.Random(5)
    literals = _literals(text)
    private = {n: k for n, k in program.inputs.items() if not k.public}
    sizes = {k.sensitivity for k in private.values() if isinstance(k, Queries)}
    bounds = {b for k in private.values() if isinstance(k, UserValue) for b in (k.low, k.high)}
    turn = 0
    while True:
        length = min(LENGTHS[turn % len(LENGTHS)], longest)
        turn += 1
        given: dict[str, Data] = {}
        for name, kind in program.inputs.items():
            if not kind.public:
                continue
            # Numbers that are near each other, or the same, show more than others.
            if not kind.array:
                least = 0 if name in sizes else None
                plenty = [Fraction(v) for v in (1, 2, 3)] if name in bounds else ()
                given[name] = _number(kind, chance, plenty or literals, least)
                continue
            size = _near(length, chance, longest)
            small = (0, 1) if kind.whole else literals
            given[name] = tuple(_number(kind, chance, small, None) for _ in range(size))
        lengths = {
            n: _near(length, chance, longest)
            for n, k in private.items()
            if k.array and not isinstance(k, DataSet)
        }
        for name, kind in private.items():
            if isinstance(kind, LocationCounts):
                places = given[kind.by]
                assert isinstance(places, tuple)
                lengths[name] = len(places)
        yield Setting(given, lengths)


def _near(length: int, chance: random.Random, longest: int) -> int:
    """Mostly the same length: preconditions often ask for it."""
    return length if chance.random() < 0.8 else chance.randrange(longest + 1)


def _number(
    kind: InputKind, chance: random.Random, literals: Sequence[Fraction | int], least: int | None
) -> int | Fraction:
    """A number of a kind: a small one, or one near a literal of the text."""
    if isinstance(kind, EpsilonInput):
        return chance.choice(EPSILONS)
    pool: Sequence[Fraction | int] = WHOLE if kind.whole else NUMBERS
    if literals and chance.random() < 0.5:
        pool = literals
    least = kind.minimum if least is None else least
    values = [v for v in pool if least is None or v >= least] or [1]
    value = chance.choice(values)
    return int(value) if kind.whole else Fraction(value)


def _literals(text: str) -> tuple[Fraction, ...]:
    """The numbers of a text, and those next to them."""
    found = {
        Fraction(repr(n.value))
        for n in ast.walk(ast.parse(text))
        if isinstance(n, ast.Constant) and type(n.value) in (int, float)
    }
    near = {n + d for n in found if abs(n) <= LARGEST for d in (-1, 0, 1)}
    return tuple(sorted(near))
