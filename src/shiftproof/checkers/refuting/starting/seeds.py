"""Where the search begins: small public inputs, and pairs that differ as far as they may.

Nothing here knows a mechanism: public inputs come from a small grid within the
preconditions, private ones from patterns that every kind of input has (all fall, all rise, one
against the rest, …), and only neighbours are kept.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from ....dsl.language.flow import SampleNode, expressions_of
from ....dsl.language.syntax import Builtin, parts_of
from ....dsl.privacy.inputs import (
    DataSet,
    DeltaInput,
    EpsilonInput,
    InputKind,
    PublicIntVector,
    Secret,
    Value,
)
from ....dsl.relations.neighbours import bounds
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import Formula, Junction, Sign
from ...exact.numbers import Base
from ..inputs import Input, Inputs, Instance
from ..relation import Relation
from .named import Named
from .patterns import level, patterns, sides, steps
from .records import Both, anywhere, data_sets, values

_A = TypeVar("_A")
_B = TypeVar("_B")

#: The ε that are tried, one after the other, in units of ln 2 or of 1.
EPSILONS = (Fraction(1), Fraction(4), Fraction(1, 4), Fraction(12))
#: What is tried where none of these meets the preconditions.
EXTREME = (Fraction(1, 50), Fraction(100))
#: The same where ε is an exponent: whole multiples of ln 2, of which halves are whole too.
EXPONENTS = (Fraction(2), Fraction(6), Fraction(1), Fraction(12), Fraction(1, 4))
#: The δ that are tried; a logarithm of 1 / δ that lacks a factor shows where it is large.
DELTAS = tuple(Fraction(1, k) for k in (10, 4, 1_000, 1_000_000))
#: The ρ that are tried: of half the squares, ε = sqrt(2 ρ) is rational.
RHOS = tuple(Fraction(*v) for v in ((1, 2), (2, 1), (1, 8), (1, 1), (1, 72)))
#: How many pairs of each of several inputs are tried with all of the others.
TOGETHER = 12
#: How many more patterns there are of answers from one number on than from the next one.
LATER = 2
#: How many settings of the public inputs there are for one length.
SETTINGS = 24

#: Small numbers of anything, and more of them where values are finite.
_NATURALS, _MORE = (1, 2, 3, 0), (4, 5)
_INTEGERS = (1, 0, 2, -1, 3)
_REALS = (Fraction(0), Fraction(20), Fraction(1), Fraction(-20), Fraction(1, 2))


def amounts_for(program: Program) -> tuple[Fraction, ...]:
    """The multiples of ln 2 that are tried first."""
    nodes = program.inlined.flow.nodes
    stairs = any(isinstance(n, SampleNode) and n.step.distribution.shape == "stairs" for n in nodes)
    parts = itertools.chain(*(parts_of(e) for node in nodes for e in expressions_of(node)))
    powers = any(isinstance(e, Builtin) and e.function == "exp" for e in parts)
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


def edges(program: Program) -> list[Fraction]:
    """The ε, in nats, from which on or up to which the preconditions hold, where they say so."""
    names = program.epsilons()
    empty = {name: () for name, kind in program.inputs.items() if kind.array}
    stated = [f for condition in program.stated(empty) for f in _members(condition)]
    found = [
        Fraction(-f.subject.constant) / k
        for f in stated
        if isinstance(f, Sign) and len(names) == 1
        for atom, k in f.subject.parts
        if len(f.subject.parts) == 1 and atom.key == names[0]
    ]
    return [edge for edge in dict.fromkeys(found) if edge > 0]


def _members(condition: Formula) -> tuple[Formula, ...]:
    return condition.members if isinstance(condition, Junction) else (condition,)


@dataclass(frozen=True)
class Seeds:
    """The public inputs and the pairs of neighbours that a search in one program begins with."""

    program: Program

    @cached_property
    def relation(self) -> Relation:
        """The neighbour relation."""
        return Relation(self.program)

    @cached_property
    def named(self) -> Named:
        """The numbers that the program speaks of."""
        return Named(self.program)

    @cached_property
    def _data_sets(self) -> dict[str, list[Both]]:
        kinds = self.relation.private.items()
        return {n: data_sets(self.named, n, k) for n, k in kinds if isinstance(k, DataSet)}

    def publics(self, length: int, given: Inputs) -> Iterator[dict[str, Input]]:
        """Public inputs other than ε for sequences of a length, simplest first."""
        inputs, privacy = self.program.inputs, self.program.privacy
        options: dict[str, Sequence[Input]] = {}
        for name, kind in inputs.items():
            if kind.public and not isinstance(kind, EpsilonInput):
                own = name in given
                options[name] = (given[name],) if own else self._public(kind, length)
        local = privacy.is_local or privacy.whole
        if local:  # preconditions order such integers: how many values there are, of which kind
            for name in options.keys() - given.keys():
                if options[name][: len(_NATURALS)] == _NATURALS:
                    options[name] = tuple(dict.fromkeys((*_NATURALS, *_MORE, *options[name])))
        ranked = [range(len(values)) for values in options.values()]
        # Where thresholds lie matters less than integers: answers lie on all sides of them.
        heavy = [1 if inputs[name].whole else 2 for name in options]

        def rank(choice: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
            return sum(k * w for k, w in zip(choice, heavy, strict=True)), choice

        ranks = sorted(itertools.islice(itertools.product(*ranked), 4_000), key=rank)
        found = [
            {name: values[k] for (name, values), k in zip(options.items(), choice, strict=True)}
            for choice in ranks
        ]
        # Of what the program tests of public inputs alone, each answer once before any twice.
        ways: dict[object, dict[str, Input]] = {}
        for setting in found:
            ways.setdefault(self.named.ways(setting, length), setting)
        first = list(ways.values()) if len(ways) > 1 else []
        rest = [setting for setting in found if setting not in first]
        yield from [*first, *rest][: 4 * SETTINGS if local else SETTINGS]

    def _public(self, kind: InputKind, length: int) -> Sequence[Input]:
        if isinstance(kind, PublicIntVector):
            rows = [tuple(range(length)), (0,) * length, tuple(i // 2 for i in range(length))]
            return list(dict.fromkeys([*rows, (1,) * length]))
        if isinstance(kind, DeltaInput):
            return DELTAS
        near = [n for v in self.named.tested for n in (v, v + 1, v - 1)]
        if kind.array:
            ends = [tuple(Fraction(s if i % 2 else -s) for i in range(length)) for s in (-20, 20)]
            one = [(Fraction(v),) * length for v in (0, 20, 1, -20)]
            return list(dict.fromkeys([*one, *ends, *((v,) * length for v in near)]))
        if kind.whole:
            least = 0 if kind.minimum == 0 else -math.inf
            whole = [int(n) for n in near if n.denominator == 1 and n >= least]
            return tuple(dict.fromkeys((*(_INTEGERS if least else _NATURALS), *whole)))
        return tuple(dict.fromkeys((*_REALS, *near)))

    def pairs(self, base: Base, public: Inputs, length: int) -> Iterator[Instance]:
        """Neighbours with these public inputs."""
        if not self.relation.meets(base, public, length):
            return
        private = self.relation.private.items()
        options = {n: self._private(n, kind, public, length) for n, kind in private}
        seen = set()
        for combination in _together(options):
            left = {n: both[0] for n, both in combination.items()}
            right = {n: both[1] for n, both in combination.items()}
            key = f"{left}{right}"
            if left == right or key in seen:
                continue
            seen.add(key)
            instance = Instance(base, public, left, right)
            if self.relation.admits(instance):
                yield instance

    def _private(self, name: str, kind: InputKind, public: Inputs, length: int) -> list[Both]:
        if isinstance(kind, DataSet):
            return self._data_sets[name]
        ruled = self.program.privacy.input_rule is not None
        if isinstance(kind, Value) and not (kind.array and ruled):
            return values(self.named, kind, public, length)
        if isinstance(kind, Secret) and not ruled:
            return anywhere(self.named, kind)
        moves = steps(self.named, kind, public)
        tested = dict.fromkeys((*self.named.tested, *self.named.reached(public, length)))
        around = (n for v in tested for n in (v - 1, v))
        starts = [Fraction(0), Fraction(1), *around, *self.named.below, Fraction(5)]
        if isinstance(kind, Value):
            low, high = bounds(kind, public)
            starts = [start for start in (low, *starts) if low <= start <= high]
            moves = [m for m in moves if max(m) <= high - low]
            if kind.whole:
                moves = [m for m in moves if not any(step % 1 for step in m)]
        found: list[Both] = []
        plain = patterns(length if kind.array else 1, kind, public)
        mixed = [pattern for pattern in plain if {1, -1} <= {*pattern}]
        shapes = [*((sides, p) for p in plain), *((level, p) for p in mixed)]
        for start, (shape, pattern) in _in_turn(list(dict.fromkeys(starts)), shapes):
            for up, down in moves:
                left, right = shape(pattern, start, up, down, kind)
                found.append((left, right) if kind.array else (left[0], right[0]))
                if shape is level:
                    found.append((right, left))
        return list(dict.fromkeys(found))


def _in_turn(starts: Sequence[_A], shapes: Sequence[_B]) -> list[tuple[_A, _B]]:
    """All pairs, those of what comes early in both first."""
    ranked = itertools.product(enumerate(starts), enumerate(shapes))
    in_turn = sorted(ranked, key=lambda pair: (LATER * pair[0][0] + pair[1][0], pair[1][0]))
    return [(start, shape) for (_, start), (_, shape) in in_turn]


def _together(options: Mapping[str, Sequence[Both]]) -> Iterator[dict[str, Both]]:
    """One option of each input; alike patterns first, then all combinations of the first ones."""
    names = list(options)
    for row in itertools.zip_longest(*options.values()):
        if None not in row:
            yield dict(zip(names, row, strict=True))
    if len(names) > 1:
        first = [[*values[:TOGETHER], *_still(values)] for values in options.values()]
        for row in itertools.islice(itertools.product(*first), 400):
            yield dict(zip(names, row, strict=True))


def _still(options: Sequence[Both]) -> list[Both]:
    """Options that do not move, while another input does."""
    return [both for both in options[TOGETHER:] if both[0] == both[1]][:4]
