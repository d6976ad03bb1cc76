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
from .enumeration_values import Wrong

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


#: The pairs with one budget: of each input the set of its neighbours, as bits of a number.
Near = list[int]


@dataclass(frozen=True)
class Pairs:
    """The ordered pairs of neighbours among inputs, with their budgets."""

    program: Program
    sizes: Mapping[str, int]
    inputs: Sequence[Input]

    def all(self) -> dict[Linear, Near]:
        """Every pair; one that several cases cover may have several budgets."""
        program, found = self.program, dict[Linear, Near]()
        if isinstance(program.privacy, UtilityOptimizedLDP):
            everything = (1 << len(self.inputs)) - 1
            found[self._at_sizes({}).linear(program.budget)] = [everything] * len(self.inputs)
        else:
            for case in program.cases:
                self._of(case, found)
        # No input is its own neighbour.
        return {
            budget: [those & ~(1 << i) for i, those in enumerate(near)]
            for budget, near in found.items()
        }

    def _add(self, found: dict[Linear, Near], i: int, others: int, budget: Linear) -> None:
        found.setdefault(budget, [0] * len(self.inputs))[i] |= others

    def _of(self, case: Case, found: dict[Linear, Near]) -> None:
        arrays = [n for n in case.moves if case.inputs[n].array]
        if not arrays:
            for (i, left), (j, right) in itertools.product(enumerate(self.inputs), repeat=2):
                budget = self._budget(case, left, right)
                if budget is not None:
                    self._add(found, i, 1 << j, budget)
        elif case.rule is not None:
            self._ruled(case, arrays, found)
        else:
            if len(case.moves) > 1 and case.pairing is not None and case.pairing.speaks:
                raise Wrong("a relation of pairs over a sequence and another private input")
            places = {tuple(one.values()): k for k, one in enumerate(self.inputs)}
            for i, j, budget in self._single(case, places):
                self._add(found, i, 1 << j, budget)

    def _ruled(self, case: Case, arrays: Sequence[str], found: dict[Linear, Near]) -> None:
        """A rule at every index: what may stand there in D', by what stands there in D."""
        lengths = {len(self.inputs[0][n]) for n in arrays}
        if len(lengths) != 1:
            raise Wrong("a rule over sequences of several lengths")
        (length,) = lengths
        near = [(1 << len(self.inputs)) - 1] * len(self.inputs)
        follows: dict[tuple[Any, Any], bool] = {}
        for k in range(length):
            # Numbers stand at every index.
            elements = [_element(one, k) for one in self.inputs]
            keys = [tuple(element.values()) for element in elements]
            having: dict[Any, int] = {}
            for i, key in enumerate(keys):
                having[key] = having.get(key, 0) | 1 << i
            shown = dict(zip(keys, elements, strict=True))
            allowed: dict[Any, int] = {}
            for a in having:
                for b in having:
                    if (a, b) not in follows:
                        follows[a, b] = self._budget(case, shown[a], shown[b]) is not None
                    if follows[a, b]:
                        allowed[a] = allowed.get(a, 0) | having[b]
            near = [those & allowed.get(a, 0) for those, a in zip(near, keys, strict=True)]
        budget = self._at_sizes({}).linear(self.program.budget)
        for i, those in enumerate(near):
            self._add(found, i, those, budget)

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
