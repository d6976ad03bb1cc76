"""Which inputs are neighbours, for counting again: from the facts of the relation's cases.

What a case says of symbols is evaluated on concrete values, one place of a sequence at a time.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...dsl.formulas import FALSE, TRUE, Formula
from ...dsl.inputs import IntegerValue, IntegerValues, Value
from ...dsl.privacy import UtilityOptimizedLDP
from ...dsl.program import Program
from ...dsl.relations import MOVE, PLACE, Case
from ...dsl.substitution import Substitution
from ...dsl.terms import Linear, number
from ...dsl.values import exact
from .enumeration_runs import Wrong

#: How many private inputs there may be.
INPUTS = 2_100

Input = dict[str, Any]


def inputs_of(program: Program, sizes: Mapping[str, int]) -> list[Input]:
    """Every private input of these sizes."""
    columns: dict[str, list[Any]] = {}
    count = 1
    for name, kind in program.inputs.items():
        if kind.public:
            continue
        if not isinstance(kind, IntegerValue | IntegerValues):
            raise Wrong(f"'{name}' does not take finitely many values")
        bounds = [
            Fraction(sizes[b]) if isinstance(b, str) else exact(b) for b in (kind.low, kind.high)
        ]
        values = list(range(math.ceil(bounds[0]), math.floor(bounds[1]) + 1))
        length = sizes[f"len({name})"] if kind.array else 1
        count *= len(values) ** length
        if count > INPUTS:
            raise Wrong(f"there are more than {INPUTS} private inputs")
        columns[name] = list(itertools.product(values, repeat=length)) if kind.array else values
    return [dict(zip(columns, row, strict=True)) for row in itertools.product(*columns.values())]


@dataclass(frozen=True)
class Pairs:
    """The ordered pairs of neighbours among inputs, as places in the list, with their budgets."""

    program: Program
    sizes: Mapping[str, int]
    inputs: Sequence[Input]

    def all(self) -> Iterator[tuple[int, int, Linear]]:
        """Every pair; one that several cases cover comes several times."""
        program = self.program
        if isinstance(program.privacy, UtilityOptimizedLDP):
            budget = self._at_sizes({}).linear(program.budget)
            for i, j in itertools.permutations(range(len(self.inputs)), 2):
                yield i, j, budget
            return
        for case in program.cases:
            yield from ((i, j, budget) for i, j, budget in self._of(case) if i != j)

    def _of(self, case: Case) -> Iterator[tuple[int, int, Linear]]:
        arrays = [n for n in case.moves if case.inputs[n].array]
        if not arrays:
            for (i, left), (j, right) in itertools.product(enumerate(self.inputs), repeat=2):
                found = self._budget(case, left, right)
                if found is not None:
                    yield i, j, found
            return
        places = {self._key(one): k for k, one in enumerate(self.inputs)}
        if case.rule is not None:
            yield from self._ruled(case, arrays, places)
            return
        if len(case.moves) > 1 and case.pairing is not None and case.pairing.speaks:
            raise Wrong("a relation of pairs over a sequence and another private input")
        yield from self._single(case, places)

    def _key(self, one: Input) -> tuple[Any, ...]:
        return tuple(one.values())

    def _ruled(
        self, case: Case, arrays: Sequence[str], places: Mapping[tuple[Any, ...], int]
    ) -> Iterator[tuple[int, int, Linear]]:
        """A rule at every index: what may stand there in D', by what stands there in D."""
        names = list(self.inputs[0])
        lengths = {len(self.inputs[0][n]) for n in arrays}
        if len(lengths) != 1:
            raise Wrong("a rule over sequences of several lengths")
        (length,) = lengths
        budget = self._at_sizes({}).linear(self.program.budget)
        if len(names) > len(arrays):
            # Numbers stand at every index; few enough to look at all pairs.
            for (i, left), (j, right) in itertools.product(enumerate(self.inputs), repeat=2):
                if all(
                    self._budget(case, _element(left, k), _element(right, k)) is not None
                    for k in range(length)
                ):
                    yield i, j, budget
            return
        values = [dict.fromkeys(v for one in self.inputs for v in one[n]) for n in names]
        elements = list(itertools.product(*values))
        follows = {
            a: [
                b
                for b in elements
                if self._budget(
                    case, dict(zip(names, a, strict=True)), dict(zip(names, b, strict=True))
                )
                is not None
            ]
            for a in elements
        }
        for i, left in enumerate(self.inputs):
            rows = zip(*(left[n] for n in names), strict=True)
            for others in itertools.product(*(follows[row] for row in rows)):
                columns = tuple(zip(*others, strict=True)) if others else ((),) * len(names)
                yield i, places[columns], budget

    def _single(
        self, case: Case, places: Mapping[tuple[Any, ...], int]
    ) -> Iterator[tuple[int, int, Linear]]:
        """Of every private input at most one number changes, each on its own."""
        changes: dict[str, dict[Any, list[tuple[Any, Linear]]]] = {}
        for name in case.moves:
            kind = self.program.inputs[name]
            assert isinstance(kind, Value)
            values = dict.fromkeys(
                v for one in self.inputs for v in (one[name] if kind.array else (one[name],))
            )
            changes[name] = {a: [] for a in values}
            for a, b in itertools.product(values, repeat=2):
                unchanged = self._unchanged(case)
                found = self._budget(case, {**unchanged, name: a}, {**unchanged, name: b})
                if found is not None:
                    changes[name][a].append((b, found))
        budget = self._at_sizes({}).linear(self.program.budget)
        for i, left in enumerate(self.inputs):
            ways: list[list[tuple[Any, Linear | None]]] = []
            for name, value in left.items():
                if not isinstance(value, tuple):
                    ways.append([(b, found) for b, found in changes[name][value]])
                    continue
                way: list[tuple[Any, Linear | None]] = [(value, None)]
                for k, a in enumerate(value):
                    way += [
                        ((*value[:k], b, *value[k + 1 :]), found)
                        for b, found in changes[name][a]
                        if b != a
                    ]
                ways.append(way)
            for right in itertools.product(*ways):
                key = tuple(value for value, _ in right)
                if places[key] == i:
                    continue
                own = right[0][1] if len(right) == 1 else budget
                assert own is not None
                yield i, places[key], own

    def _unchanged(self, case: Case) -> Input:
        """One element of each input; that stays the same in D'."""
        first: Input = {}
        for name in case.moves:
            value = next((one[name] for one in self.inputs if one[name] != ()), 0)
            first[name] = value[0] if isinstance(value, tuple) else value
        return first

    def _at_sizes(self, more: Mapping[str, Linear]) -> Substitution:
        return Substitution({**{n: number(v) for n, v in self.sizes.items()}, **more})

    def _budget(self, case: Case, left: Input, right: Input) -> Linear | None:
        """The budget of two inputs if the case covers them; of sequences, the values at place 0."""
        told: dict[str, Linear] = {}
        for name in case.moves:
            a, b = number(left[name]), number(right[name])
            at = f"{name}[0]" if case.inputs[name].array else name
            told |= {at: a, MOVE + at: a - b, f"value1({name})": a, f"change1({name})": a - b}
            told[f"{PLACE}1({name})"] = number(0)
        values = self._at_sizes(told)
        facts: list[Formula] = list(case.facts)
        for name in case.moves:
            array = case.inputs[name].array
            pair = case.cell(name, number(0)) if array else case.scalar(name)
            facts += pair.facts
            sides = values.linear(pair.left), values.linear(pair.right)
            if sides != (number(left[name]), number(right[name])):
                return None  # it is not so that this moves here
        found = [values.formula(fact) for fact in facts]
        if FALSE in found:
            return None
        if any(fact != TRUE for fact in found):
            raise Wrong(f"{self.program.privacy} depends on real parameters")
        own = self.program.budget if case.budget is None else case.budget
        if case.distance is not None:
            own = own * values.linear(case.distance)
        return values.linear(own)


def _element(one: Input, k: int) -> Input:
    """What stands at one index; numbers stand at every one."""
    return {n: v[k] if isinstance(v, tuple) else v for n, v in one.items()}
