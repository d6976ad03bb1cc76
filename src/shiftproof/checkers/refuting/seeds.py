"""Where the search begins: small public inputs, and pairs that differ as far as they may.

Nothing here knows a mechanism: public inputs come from a small grid within the
preconditions, private ones from patterns that every kind of input has (all fall, all rise, one
against the rest, …), and only neighbours are kept.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from ...dsl.language.flow import SampleNode, expressions_of
from ...dsl.language.syntax import (
    Builtin,
    Comparison,
    Constant,
    Expression,
    Length,
    children,
    parts_of,
)
from ...dsl.privacy.inputs import (
    CountingQueries,
    DataSet,
    EpsilonInput,
    InputKind,
    LocationCounts,
    PublicIntVector,
    Queries,
    Secret,
    Value,
    WindowCounts,
)
from ...dsl.relations.neighbours import bounds, sensitivity
from ...dsl.relations.pairs import as_rule
from ...dsl.relations.program import Program
from ..exact.numbers import Base
from .inputs import Input, Inputs, Instance
from .relation import Relation

#: The ε that are tried, one after the other, in units of ln 2 or of 1.
EPSILONS = (Fraction(1), Fraction(4), Fraction(1, 4), Fraction(12))
#: What is tried where none of these meets the preconditions.
EXTREME = (Fraction(1, 50), Fraction(100))
#: The same where ε is an exponent: whole multiples of ln 2, of which halves are whole too.
EXPONENTS = (Fraction(2), Fraction(6), Fraction(1), Fraction(12), Fraction(1, 4))
#: How many settings of the public inputs there are for one length.
SETTINGS = 24

#: Small numbers of anything, and more of them where values are finite.
_NATURALS, _MORE = (1, 2, 3, 0), (4, 5)
_INTEGERS = (1, 0, 2, -1, 3)
_REALS = (Fraction(0), Fraction(20), Fraction(1), Fraction(-20), Fraction(1, 2))
#: From how many of the program's own constants answers start.
CONSTANTS = 4

Both = tuple[Input, Input]


def amounts_for(program: Program) -> tuple[Fraction, ...]:
    """The multiples of ln 2 that are tried first."""
    nodes = program.inlined.flow.nodes
    stairs = any(isinstance(n, SampleNode) and n.step.distribution.shape == "stairs" for n in nodes)
    powers = any(isinstance(e, Builtin) and e.function == "exp" for e in _expressions(program))
    return EXPONENTS if stairs or powers else EPSILONS


def epsilons(program: Program, amounts: Sequence[Fraction]) -> list[dict[str, Fraction]]:
    """The ε of each round; with several parameters, also one large and the others small."""
    names = program.epsilons()
    found = [dict.fromkeys(names, e) for e in amounts]
    if len(names) > 1:  # what one of them does not pay for shows where it is small
        low, high = (Fraction(2), Fraction(6)) if amounts is EXPONENTS else (Fraction(1, 8), 1)
        uneven = [{n: low if n == m else Fraction(high) for n in names} for m in names]
        found = [found[0], *uneven, *found[1:]]
    return found


def publics(program: Program, length: int, given: Inputs) -> Iterator[dict[str, Input]]:
    """Public inputs other than ε for sequences of a length, simplest first."""
    options: dict[str, Sequence[Input]] = {}
    for name, kind in program.inputs.items():
        if not kind.public or isinstance(kind, EpsilonInput):
            continue
        options[name] = (given[name],) if name in given else _public(program, kind, length)
    local = program.privacy.is_local or program.privacy.whole
    if local:  # preconditions order such integers: how many values there are, and of which kind
        for name in options.keys() - given.keys():
            if options[name][: len(_NATURALS)] == _NATURALS:
                options[name] = tuple(dict.fromkeys((*_NATURALS, *_MORE, *options[name])))
    ranked = [range(len(values)) for values in options.values()]
    # Where thresholds lie matters less than integers: answers lie on all sides of them.
    heavy = [1 if program.inputs[name].whole else 2 for name in options]

    def rank(choice: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        return sum(k * w for k, w in zip(choice, heavy, strict=True)), choice

    chosen = sorted(itertools.islice(itertools.product(*ranked), 4_000), key=rank)
    for choice in chosen[: 4 * SETTINGS if local else SETTINGS]:
        picks = zip(options.items(), choice, strict=True)
        yield {name: values[k] for (name, values), k in picks}


def _public(program: Program, kind: InputKind, length: int) -> Sequence[Input]:
    if isinstance(kind, PublicIntVector):
        rows = [tuple(range(length)), (0,) * length, tuple(i // 2 for i in range(length))]
        return list(dict.fromkeys([*rows, (1,) * length]))
    if kind.array:
        one = [(Fraction(v),) * length for v in (0, 20, 1, -20)]
        mixed = [tuple(Fraction(20 if (i + k) % 2 else -20) for i in range(length)) for k in (0, 1)]
        return list(dict.fromkeys([*one, *mixed]))
    near = [n for v in compared_with(program) for n in (v, v + 1, v - 1)]
    if kind.whole:
        least = 0 if kind.minimum == 0 else -math.inf
        whole = [int(n) for n in near if n.denominator == 1 and n >= least]
        return tuple(dict.fromkeys((*(_INTEGERS if least else _NATURALS), *whole)))
    return tuple(dict.fromkeys((*_REALS, *near)))


def long(program: Program, most: int) -> list[int]:
    """The lengths of sequences that tests of the program speak of, and one more, up to some."""
    tests = (test for test in _tests(program) if any(isinstance(e, Length) for e in test))
    found = {int(v) for v in _numbers(itertools.chain(*tests)) if v.denominator == 1}
    return sorted(n for n in found | {n + 1 for n in found} if 0 < n <= most)


def pairs(
    program: Program, relation: Relation, base: Base, public: Inputs, length: int
) -> Iterator[Instance]:
    """Neighbours with these public inputs."""
    if not relation.meets(base, public, length):
        return
    options = {n: _private(program, k, public, length) for n, k in relation.private.items()}
    together = _together(options)
    seen = set()
    for combination in together:
        left = {n: both[0] for n, both in combination.items()}
        right = {n: both[1] for n, both in combination.items()}
        key = f"{left}{right}"
        if left == right or key in seen:
            continue
        seen.add(key)
        instance = Instance(base, public, left, right)
        if relation.admits(instance):
            yield instance


def _together(options: Mapping[str, Sequence[Both]]) -> Iterator[dict[str, Both]]:
    """One option of each input; alike patterns first, then all combinations of the first ones."""
    names = list(options)
    for row in itertools.zip_longest(*options.values()):
        if None not in row:
            yield dict(zip(names, row, strict=True))
    if len(names) > 1:
        first = [values[:12] for values in options.values()]
        for row in itertools.islice(itertools.product(*first), 400):
            yield dict(zip(names, row, strict=True))


def _private(program: Program, kind: InputKind, public: Inputs, length: int) -> list[Both]:
    if isinstance(kind, DataSet):
        return _data_sets(program, kind)
    ruled = program.privacy.input_rule is not None
    if isinstance(kind, Value) and not (kind.array and ruled):
        return _values(kind, public, length, program.privacy.group_size)
    if isinstance(kind, Secret) and not ruled:
        return _anywhere(program, kind)
    moves = _moves(program, kind, public)
    patterns = _patterns(length if kind.array else 1, kind, public)
    tested = compared_with(program)
    below = (v - 1 for v in tested)
    starts = [Fraction(0), Fraction(1), *below, *constants(program), Fraction(5), *tested]
    if isinstance(kind, Value):
        low, high = bounds(kind, public)
        starts = [start for start in (low, *starts) if low <= start <= high]
        moves = [
            m for m in moves if max(m) <= high - low and not (kind.whole and (m[0] % 1 or m[1] % 1))
        ]
    found: list[Both] = []
    for start in dict.fromkeys(starts):
        for pattern in patterns:
            for up, down in moves:
                both = _sides(pattern, start, up, down, kind)
                found.append(both if kind.array else (both[0][0], both[1][0]))
    return list(dict.fromkeys(found))


def constants(program: Program) -> list[Fraction]:
    """Numbers just below those that the program itself compares with or returns."""
    found = (v - 1 for v in _numbers(_expressions(program)) if v not in (0, 1))
    return list(dict.fromkeys(found))[:CONSTANTS]


def compared_with(program: Program) -> list[Fraction]:
    """The numbers that stand in the program's own tests, other than 0 and 1."""
    found = _numbers(itertools.chain(*_tests(program)))
    return list(dict.fromkeys(v for v in found if v not in (0, 1)))[:CONSTANTS]


def _tests(program: Program) -> Iterator[tuple[Expression, ...]]:
    """The program's comparisons, each with all that is in it."""
    return (parts_of(e) for e in _expressions(program) if isinstance(e, Comparison))


def _numbers(expressions: Iterable[Expression]) -> Iterator[Fraction]:
    """Those that are written."""
    return (e.value for e in expressions if isinstance(e, Constant))


def _expressions(program: Program) -> Iterator[Expression]:
    """Every expression of the flow, and every part of one."""
    for node in program.inlined.flow.nodes:
        todo = [*expressions_of(node)]
        while todo:
            e = todo.pop()
            todo += children(e)
            yield e


def _moves(program: Program, kind: InputKind, public: Inputs) -> list[tuple[Fraction, Fraction]]:
    """By how much answers fall and rise at most; those of a group by a multiple."""
    found = [(Fraction(1), Fraction(1))]
    if isinstance(kind, Queries):
        most = sensitivity(kind, public)
        found = [(most, most), (most / 2, most / 2)]
    elif program.privacy.input_rule is not None:
        steps = (1, Fraction(1, 2), 2)
        found = [(Fraction(a), Fraction(b)) for a in steps for b in steps]
    sizes = dict.fromkeys((program.privacy.group_size, 1))
    return [(k * up, k * down) for k in sizes for up, down in found]


def _sides(
    pattern: Sequence[int], start: Fraction, up: Fraction, down: Fraction, kind: InputKind
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Answers that fall (1), rise (-1) or stay (0); low ones as low as they can be."""
    left, right = [], []
    for sign in pattern:
        fall = up if sign > 0 else -down if sign < 0 else Fraction(0)
        left.append(start + max(fall, Fraction(0)))
        right.append(start + max(-fall, Fraction(0)))
    if kind.whole:
        return tuple(map(int, left)), tuple(map(int, right))
    return tuple(left), tuple(right)


def _patterns(n: int, kind: InputKind, public: Inputs) -> list[tuple[int, ...]]:
    """Which answers fall and which rise."""
    if isinstance(kind, LocationCounts):
        return _at_places(n, cast(Any, public[kind.by]))
    one, two = (1,), (-1,)
    found = [one * n, two * n]
    if n == 1:
        found.append((0,))  # while another input moves
    for k in range(1, n):
        found += [two * k + one * (n - k), one * k + two * (n - k)]
    found += [(0,) * k + s + (0,) * (n - k - 1) for k in range(n) for s in (one, two)]
    if n > 2:
        found += [tuple(s if i % 2 else -s for i in range(n)) for s in (1, -1)]
        found += [(0,) * k + s * (n - k) for k in range(1, n) for s in (one, two)]
        found += [s * k + (0,) * (n - k) for k in range(1, n) for s in (one, two)]
    if isinstance(kind, WindowCounts):
        w = kind.width
        runs = [tuple(int(s <= t < s + w) for t in range(n)) for s in range(1 - w, n)]
        found = [*runs, *(tuple(-v for v in run) for run in runs), *found]
    if isinstance(kind, CountingQueries) and kind.one_hot and n > 1:
        swaps = itertools.permutations(range(n), 2)
        found += [tuple((i == a) - (i == b) for i in range(n)) for a, b in swaps]
    return list(dict.fromkeys(found))


def _at_places(n: int, places: Sequence[int]) -> list[tuple[int, ...]]:
    found = []
    for place in dict.fromkeys(places[:n]):
        here = tuple(int(p == place) for p in places[:n])
        found += [here, tuple(-v for v in here)]
        found += [tuple(int(i == k) * s for i in range(n)) for k in range(n) for s in (1, -1)]
    for a, b in itertools.permutations(dict.fromkeys(places[:n]), 2):
        found.append(tuple((p == a) - (p == b) for p in places[:n]))
    return list(dict.fromkeys(found))


def _values(kind: Value, public: Inputs, users: int, group: int) -> list[Both]:
    """One user's value, far apart first; with several users the others' are at either end."""
    low, high = bounds(kind, public)
    points: list[Any] = [low, high, (low + high) / 2, (3 * low + high) / 4, (low + 3 * high) / 4]
    if kind.whole:
        first, last = math.ceil(low), math.floor(high)
        points = [*range(first, min(first + 12, last + 1)), *([last] if last >= first else [])]
    if not points:
        return []
    ends = [(points[0], max(points)), (max(points), points[0])]
    near = sorted(itertools.permutations(dict.fromkeys(points), 2), key=max)
    moved = list(dict.fromkeys([*ends, *near])) if kind.whole else [*ends, *near]
    alone = [(v, v) for v in dict.fromkeys(points)]  # while another input moves
    if not kind.array:
        return [*moved, *alone]
    found: list[Both] = []
    for fill, k in itertools.product(dict.fromkeys((points[0], max(points))), range(users)):
        rows = [(fill,) * k, (fill,) * (users - k - 1)]
        found += [((*rows[0], a, *rows[1]), (*rows[0], b, *rows[1])) for a, b in moved]
        if group > 1 and k < group:  # those of several users
            found += [((a,) * (k + 1) + rows[1], (b,) * (k + 1) + rows[1]) for a, b in moved]
    return sorted(found, key=lambda both: moved.index(_moved_one(both)) // 2)


def _moved_one(both: Both) -> tuple[Any, Any]:
    left, right = cast(Any, both)
    return next(((a, b) for a, b in zip(left, right, strict=True) if a != b), (left[0], right[0]))


def _anywhere(program: Program, kind: Secret) -> list[Both]:
    """Two numbers, at distances of which the privacy definition speaks first."""
    named: list[Fraction] = []
    todo = [as_rule(f).condition for f in program.privacy.functions]
    while todo:
        e = todo.pop()
        todo += children(e)
        if isinstance(e, Constant) and e.value > 0:
            named += [e.value, e.value - 1]
    gaps = dict.fromkeys([*named, *map(Fraction, (1, 2, 3, 5, 10))])
    starts = dict.fromkeys([Fraction(0), *constants(program), Fraction(1)])
    found: list[Both] = []
    for start, gap in itertools.product(starts, gaps):
        if gap and not (kind.whole and (start.denominator > 1 or gap.denominator > 1)):
            a: Any = int(start) if kind.whole else start
            b: Any = int(start + gap) if kind.whole else start + gap
            found += [(a, b), (b, a)]
    return found


def _data_sets(program: Program, kind: DataSet) -> list[Both]:
    """No, one or two other records, and one that changes, comes or goes."""
    policy = program.privacy.policy_of_values
    universe = (0, 1, 2) if policy is None else policy.universe
    records = list(itertools.islice(itertools.product(universe, repeat=kind.attributes), 27))
    found: list[Both] = []
    for others in [(), *((r,) for r in records[:9])]:
        for one in records:
            for k in dict.fromkeys((program.privacy.group_size, 1)):
                more = (*(one,) * k, *others)
                found += [(more, others), (others, more)]
                found += [(more, (*(two,) * k, *others)) for two in records if two != one]
    return found
