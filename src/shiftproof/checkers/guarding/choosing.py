"""Small public inputs and lengths, by a fixed seed; which of them are inputs, the worker says."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice
from typing import Any

from ...dsl.privacy.inputs import (
    CountingQueries,
    DataSet,
    DeltaInput,
    EpsilonInput,
    InputKind,
    LocationCounts,
    Secret,
    WindowCounts,
)
from ...dsl.privacy.inputs import Value as UserValue
from ...dsl.relations.program import Program
from ..walking.stated import laws_for_the_guard
from .live import Process, packed
from .records import Data

#: What is tried for privacy parameters, other numbers, and whole ones.
EPSILONS = (Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3, 2))
DELTAS = (Fraction(1, 4), Fraction(1, 10), Fraction(1, 1000))
NUMBERS = tuple(Fraction(n, 2) for n in (2, 0, 1, 4, -2, 3, 6))
WHOLE = (1, 2, 0, 3, 4, -1)
#: The lengths, again and again in this order.
LENGTHS = (2, 1, 3, 2, 0)
#: How many settings are tried at first, and then.
FIRST, THEN = 60, 1_000
#: With how many kinds of people, or of changes of a user's values, neighbours are looked for.
MOST_PEOPLE = 50_000
#: The largest literals that are tried as well; whole numbers are often rounds of a loop.
LARGEST, MOST_ROUNDS = 10_000, 20


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
    for batch in (FIRST, THEN):
        if found:
            break
        some = list(islice(tried, batch))
        request = {
            "do": "choose", "text": text, "name": program.name,
            "laws": laws_for_the_guard(program), "most": wanted,
            "settings": [packed(_call(program, s)) for s in some],
        }  # fmt: skip
        found = [some[k] for k in process.ask(request)["chosen"]]
    return [s for s in found if _few(program, s)]


def _few(program: Program, setting: Setting) -> bool:
    """Whether what one person, and what one user, may be is soon gone through."""
    policy = program.privacy.policy_of_values
    values = 3 if policy is None else len(policy.universe)
    people = users = 1
    for name, kind in program.inputs.items():
        size = setting.lengths.get(name, 1)
        if isinstance(kind, DataSet):
            people *= values**kind.attributes
        elif isinstance(kind, WindowCounts):
            people *= values * (kind.steps(setting.public) + size)
        elif isinstance(kind, CountingQueries):
            people *= values**size
        elif isinstance(kind, UserValue | Secret):
            users *= 6
    return people <= MOST_PEOPLE and users**2 <= MOST_PEOPLE


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
    least_of = {n: least for k in private.values() for n, (_, least) in k.named.items()}
    for turn in count():
        length = min(LENGTHS[turn % len(LENGTHS)], longest)
        # Now and then all numbers are the same: some mistakes show nowhere else.
        alike = [chance.choice(literals or NUMBERS)] if turn % 3 == 1 else []
        given: dict[str, Data] = {}
        for name, kind in program.inputs.items():
            least = least_of.get(name, kind.minimum)
            if kind.public and kind.array:
                pool: Sequence[Fraction | int] = alike or ((0, 1) if kind.whole else literals)
                size = _near(length, chance, longest)
                given[name] = tuple(_number(kind, chance, pool, least) for _ in range(size))
            elif kind.public:
                given[name] = _number(kind, chance, alike or literals, least, always=bool(alike))
        yield Setting(
            given,
            {
                n: len(given[k.by])  # type: ignore[arg-type]
                if isinstance(k, LocationCounts)
                else _near(length, chance, longest)
                for n, k in private.items()
                if k.array and not isinstance(k, DataSet)
            },
        )


def _near(length: int, chance: random.Random, longest: int) -> int:
    """Mostly the same length: preconditions often ask for it."""
    return length if chance.random() < 0.8 else chance.randrange(longest + 1)


def _number(
    kind: InputKind,
    chance: random.Random,
    suggested: Sequence[Fraction | int],
    least: int | None,
    *,
    always: bool = False,
) -> int | Fraction:
    """A number of a kind: a small one, or, half of the time or always, one that is suggested."""
    if isinstance(kind, EpsilonInput):
        return chance.choice(EPSILONS)
    if isinstance(kind, DeltaInput):
        return chance.choice(DELTAS)
    usual: Sequence[Fraction | int] = WHOLE if kind.whole else NUMBERS
    pool = suggested if suggested and (always or chance.random() < 0.5) else usual
    most = MOST_ROUNDS if kind.whole else LARGEST
    values = [v for v in pool if v <= most and (least is None or v >= least)] or [1]
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
