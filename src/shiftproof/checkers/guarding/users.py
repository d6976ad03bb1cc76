"""Values of users, and inputs that a rule of the user's own relates: neighbours on a grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from ...dsl.errors import BadInput
from ...dsl.privacy.inputs import (
    CountingQueries,
    DataSet,
    InputKind,
    Value,
    WindowCounts,
    of_users,
)
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import TRUE
from ...dsl.terms.values import exact
from .allowances import budget_defined, rule_on

Plain: TypeAlias = bool | int | Fraction
Data: TypeAlias = Plain | tuple[Plain, ...] | tuple[tuple[int, ...], ...]
#: The values of one user, by input.
User: TypeAlias = dict[str, Plain]

#: The integers of a range, if they are at most so many.
FEW = 6
#: Numbers without a range.
WHOLE = (0, 1, -1, 2)
REAL = (Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(2))


@dataclass(frozen=True, slots=True)
class Sides:
    """Some of the private inputs, in D and in D'.

    ``gone``: whether D has a record more than D', or fewer; ``None`` where that is not said.
    """

    left: Mapping[str, Data]
    right: Mapping[str, Data]
    said: str
    gone: bool | None = None


def users(
    program: Program, public: Mapping[str, Data], lengths: Mapping[str, int]
) -> Iterator[Sides]:
    """Neighbouring values of users, and such as stay the same.

    Single values are those of one user.  Of sequences the values at one place are, and one place
    differs.  Whether a single value belongs to one of these users is not said: one of the two
    differs; and a definition that speaks of all values at once has no neighbours then.
    """
    kinds = {n: k for n, k in program.inputs.items() if not k.public and of_users(k)}
    grids = {n: grid(program, k, public) for n, k in kinds.items()}
    single = [n for n, k in kinds.items() if not k.array]
    rows = [n for n, k in kinds.items() if k.array]
    if single and rows and program.privacy.functions:
        return
    for left, right in _together(
        list(_ones(program, public, {n: grids[n] for n in single})) if single else [({}, {})],
        lambda: _rows(program, public, {n: grids[n] for n in rows}, lengths),
    ):
        yield Sides(left, right, f"{_said(left)} and {_said(right)}")


def _together(
    ones: Sequence[tuple[User, User]], rows: Callable[[], Iterator[tuple[Any, Any]]]
) -> Iterator[tuple[dict[str, Data], dict[str, Data]]]:
    """One user's values and those of many, of which one differs at most."""
    for one, two in ones:
        for left, right in rows():
            if one == two or left == right:
                yield {**one, **left}, {**two, **right}


def _ones(
    program: Program, public: Mapping[str, Data], grids: Mapping[str, Sequence[Plain]]
) -> Iterator[tuple[User, User]]:
    """One user's values in D and in D'."""
    everyone = [dict(zip(grids, values, strict=True)) for values in product(*grids.values())]
    for one in everyone:
        for two in everyone:
            if one == two or may_become(program, public, one, two):
                yield one, two


def _rows(
    program: Program,
    public: Mapping[str, Data],
    grids: Mapping[str, Sequence[Plain]],
    lengths: Mapping[str, int],
) -> Iterator[tuple[dict[str, Data], dict[str, Data]]]:
    """The values of many users; they have one in each sequence."""
    names = list(grids)
    changes = list(_ones(program, public, grids)) if names else []
    for columns in product(*(product(grids[n], repeat=lengths[n]) for n in names)):
        left = dict(zip(names, columns, strict=True))
        yield dict(left), dict(left)
        for place in range(min((len(c) for c in columns), default=0)):
            own = {n: left[n][place] for n in names}
            for one, two in changes:
                if one == own and one != two:
                    yield (
                        dict(left),
                        {n: (*c[:place], two[n], *c[place + 1 :]) for n, c in left.items()},
                    )


def may_become(program: Program, public: Mapping[str, Data], one: User, two: User) -> bool:
    """Whether D may have the one and D' the other of two different values of a user.

    Source: docs/language.md, the table of claims.
    """
    privacy = program.privacy
    change, policy = privacy.record_change, privacy.policy_of_values
    if change is not None and policy is not None:
        if change.whole:
            return any(v in policy.sensitive for v in one.values())
        return all(one[n] == two[n] or one[n] in policy.sensitive for n in one)
    if privacy.edge_rule is not None:
        rule = privacy.edge_rule
        ways = [holds(program, rule, *sides, public) for sides in ((one, two), (two, one))]
        return None not in ways and True in ways
    defined = privacy.is_local or change is not None
    return defined and budget_defined(program, public, one, two)


def holds(
    program: Program,
    function: Callable[..., Any],
    left: Mapping[str, Plain],
    right: Mapping[str, Plain],
    public: Mapping[str, Data],
) -> bool | None:
    """What a rule says of two inputs; ``None`` where it has no meaning."""
    rule, sides = rule_on(program, function, public, left, right)
    *duties, claim = rule.facts(*sides)
    return claim == TRUE if all(duty == TRUE for duty in duties) else None


def grid(program: Program, kind: InputKind, public: Mapping[str, Data]) -> list[Plain]:
    """Some of the values that one number of an input may have; of a small range all integers."""
    if isinstance(kind, Value):
        low, high = (exact(public[b] if isinstance(b, str) else b) for b in (kind.low, kind.high))  # type: ignore[arg-type]
        values = _between(low, high, kind.whole)
        policy = program.privacy.policy_of_values
        return values if policy is None else [v for v in policy.universe if low <= v <= high]
    numbers: Sequence[Plain] = WHOLE if kind.whole else REAL
    counts = isinstance(kind, CountingQueries | WindowCounts)
    return [v for v in numbers if v >= 0 or not counts]


def _between(low: Fraction, high: Fraction, whole: bool) -> list[Plain]:
    if not whole:
        return list(dict.fromkeys(v for v in (low, high, (low + high) / 2) if low <= high))
    first, last = math.ceil(low), math.floor(high)
    if last - first < FEW:
        return list(range(first, last + 1))
    return [first, first + 1, (first + last) // 2, last - 1, last]


def related(
    program: Program, public: Mapping[str, Data], lengths: Mapping[str, int]
) -> Iterator[Sides]:
    """Inputs that the user's own rule relates at every index, on a grid.

    Sequences of different lengths have no neighbours; of empty ones the rule says nothing.
    """
    rule = program.privacy.input_rule
    assert rule is not None
    kinds = {n: k for n, k in program.inputs.items() if not k.public}
    if any(isinstance(k, DataSet) for k in kinds.values()):
        raise BadInput(f"{program.privacy}: a rule speaks of numbers, not of records")
    grids = {n: grid(program, k, public) for n, k in kinds.items()}
    single = [n for n, k in kinds.items() if not k.array]
    rows = [n for n, k in kinds.items() if k.array]
    sizes = {lengths[n] for n in rows}
    if len(sizes) > 1:
        return
    size = sizes.pop() if sizes else 0
    columns = list(product(*(grids[n] for n in rows)))
    for one, two in product(product(*(grids[n] for n in single)), repeat=2):
        left, right = (dict(zip(single, side, strict=True)) for side in (one, two))
        near = [
            (a, b)
            for a, b in product(columns, repeat=2)
            if holds(program, rule, _row(left, rows, a), _row(right, rows, b), public)
        ]
        for chosen in product(near, repeat=size) if rows else [()] if near else []:
            sides: list[dict[str, Data]] = [dict(left), dict(right)]
            for k, side in enumerate(sides):
                for m, name in enumerate(rows):
                    side[name] = tuple(pair[k][m] for pair in chosen)
            yield Sides(sides[0], sides[1], f"{_said(sides[0])} and {_said(sides[1])}")


def _row(
    single: Mapping[str, Plain], rows: Sequence[str], values: Sequence[Plain]
) -> dict[str, Plain]:
    return {**single, **dict(zip(rows, values, strict=True))}


def _said(values: Mapping[str, Data]) -> str:
    def shown(value: object) -> str:
        return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)

    return " ".join(f"{name}: {shown(value)}" for name, value in values.items())
