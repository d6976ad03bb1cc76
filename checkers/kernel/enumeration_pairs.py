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
from ...dsl.named import bounds_of
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
            self._by_place(case, arrays, found)

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

    def _by_place(self, case: Case, arrays: Sequence[str], found: dict[Linear, Near]) -> None:
        """Of all sequences the numbers at one place change, and the single numbers do."""
        apart = len({self.program.inputs[n].array for n in case.moves}) > 1
        uneven = len({len(self.inputs[0][n]) for n in arrays}) > 1
        joint = any(len(move.along) > 1 for move in case.moves.values())
        if (apart and case.pairing is not None and case.pairing.speaks) or (
            joint and (apart or uneven)
        ):
            raise Wrong("a relation of pairs over a sequence and another private input")
        domains = {n: self._domain(n) for n in case.moves}
        places = {tuple(one.values()): k for k, one in enumerate(self.inputs)}
        known: dict[tuple[Any, ...], list[tuple[Input, Linear]]] = {}
        for i, left in enumerate(self.inputs):
            for k in range(max(1, *(len(left[n]) for n in arrays))):
                # What a sequence does not have is any number, the same in both.
                here = {n: _at(v, k, domains[n]) for n, v in left.items()}
                key = tuple(here.values())
                if key not in known:
                    known[key] = list(self._changes(case, here, domains))
                for changed, budget in known[key]:
                    right = {n: _put(v, k, changed[n]) for n, v in left.items()}
                    j = places.get(tuple(right.values()))
                    if j is not None and j != i:
                        self._add(found, i, 1 << j, budget)

    def _changes(
        self, case: Case, here: Input, domains: Mapping[str, Sequence[int]]
    ) -> Iterator[tuple[Input, Linear]]:
        """What the numbers at one place may become, and the budget of that."""
        for values in itertools.product(*(domains[n] for n in here)):
            changed: Input = dict(zip(here, values, strict=True))
            budget = self._budget(case, here, changed)
            if budget is not None:
                yield changed, budget

    def _domain(self, name: str) -> list[int]:
        """All values of an input at these sizes."""
        kind = self.program.inputs[name]
        assert isinstance(kind, Value)
        low, high = (self._at_sizes({}).linear(b) for b in bounds_of(kind, self.program.inputs))
        return list(range(math.ceil(low.constant), math.floor(high.constant) + 1)) or [0]

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


def _at(value: Any, k: int, domain: Sequence[int]) -> Any:
    """The number at one place; a single one stands at every place."""
    if not isinstance(value, tuple):
        return value
    return value[k] if k < len(value) else domain[0]


def _put(value: Any, k: int, new: Any) -> Any:
    """The input with another number at one place."""
    if not isinstance(value, tuple):
        return new
    return (*value[:k], new, *value[k + 1 :]) if k < len(value) else value
