"""What a claim says of the laws of neighbours, for counting again.

A set of inputs is a whole number: input i is its i-th bit.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ....dsl.privacy.inputs import IntegerValue, IntegerValues, Value
from ....dsl.relations.cases import MOVE, PLACE, Case
from ....dsl.relations.moves import bounds_of
from ....dsl.relations.pairs import as_rule
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import FALSE, TRUE, Formula
from ....dsl.terms.linear import Linear, number
from ....dsl.terms.substitution import Substitution
from ....dsl.terms.values import NumberKind, exact
from .numbers import Numbers, Quotient, outcome_text
from .runs import Law
from .signs import Signs
from .sizes import Sizes
from .values import Open, Wrong

#: How many comparisons are made.
COMPARISONS = 40_000_000


class Exceeded(Open):
    """An inequality is not shown: the inputs, the outcome, its probabilities and the factor.

    ``facts``: what is known of the parameters, as polynomials that are at least zero (or above).
    """

    def __init__(
        self,
        why: str,
        left: Input,
        right: Input,
        outcome: str,
        numbers: tuple[Quotient, Quotient, Quotient],
        signs: Signs,
    ) -> None:
        super().__init__(why)
        self.left, self.right, self.outcome = left, right, outcome
        self.p, self.q, self.factor = numbers
        self.facts = tuple(signs.facts)


class Comparing:
    """The comparisons at one choice of sizes."""

    def __init__(self, program: Program, sizes: Sizes, numbers: Numbers, signs: Signs) -> None:
        self._program = program
        self._sizes = sizes
        self._numbers = numbers
        self._signs = signs

    def all(self, inputs: Sequence[Input], laws: Sequence[Law]) -> tuple[int, int]:
        """Compare all neighbours: how many pairs, and how many different comparisons.

        Raises:
            Wrong: an inequality is not shown.
        """
        outcomes = self._owed(inputs, laws)
        at_sizes = Substitution({n: number(v) for n, v in self._sizes.items()})
        for divisor in self._program.divisors:
            value = self._numbers.of(at_sizes.linear(divisor))
            if not any(self._signs.holds(v, True) for v in (value, self._numbers.negative(value))):
                raise Wrong("the budget may divide by zero")
        neighbours: dict[Quotient, list[int]] = {}
        for budget, near in Pairs(self._program, self._sizes, inputs).all().items():
            known = neighbours.setdefault(self._numbers.exponential(budget), [0] * len(inputs))
            for i, found in enumerate(near):
                known[i] |= found
        # In the order in which they are made: that tells which one is found not to hold.
        done: dict[tuple[Quotient, Quotient, Quotient], None] = {}
        left = COMPARISONS
        for outcome in sorted(outcomes):
            column = [law.get(outcome, self._numbers.zero) for law in laws]
            for factor, near in neighbours.items():
                for p, others in self._met(column, near):
                    left -= len(others)
                    if left < 0:
                        raise Wrong("there are too many comparisons")
                    done.update(dict.fromkeys((p, q, factor) for q in others))
        for p, q, factor in done:
            if not self._signs.at_most(p, factor, q, self._numbers):
                raise self._exceeded(inputs, laws, neighbours[factor], outcomes, (p, q, factor))
        pairs = [0] * len(inputs)
        for near in neighbours.values():
            pairs = [a | b for a, b in zip(pairs, near, strict=True)]
        return sum(found.bit_count() for found in pairs), len(done)

    def _exceeded(
        self,
        inputs: Sequence[Input],
        laws: Sequence[Law],
        near: Sequence[int],
        outcomes: set[tuple[str, ...]],
        numbers: tuple[Quotient, Quotient, Quotient],
    ) -> Exceeded:
        """The first pair of inputs, and the outcome, with a comparison that is not shown."""
        p, q, factor = numbers
        i, j, outcome = next(
            (i, j, outcome)
            for i, law in enumerate(laws)
            for outcome in sorted(outcomes & law.keys())
            if law[outcome] is p
            for j in bits(near[i])
            if laws[j].get(outcome, self._numbers.zero) is q
        )
        why = f"{p.text} is not shown to be at most {factor.text} times {q.text}"
        return Exceeded(why, inputs[i], inputs[j], outcome_text(outcome), numbers, self._signs)

    def _met(
        self, column: Sequence[Quotient], near: Sequence[int]
    ) -> Iterator[tuple[Quotient, list[Quotient]]]:
        """Each positive probability of an outcome, with those that neighbours give it."""
        having: dict[Quotient, int] = {}
        reached: dict[Quotient, int] = {}
        for i, p in enumerate(column):
            having[p] = having.get(p, 0) | 1 << i
            reached[p] = reached.get(p, 0) | near[i]
        for p, inputs in reached.items():
            if p is self._numbers.zero:
                continue
            if inputs.bit_count() < len(having):
                yield p, list(dict.fromkeys(column[j] for j in bits(inputs)))
            else:
                yield p, [q for q, those in having.items() if those & inputs]

    def _owed(self, inputs: Sequence[Input], laws: Sequence[Law]) -> set[tuple[str, ...]]:
        """Of which outcomes the inequality is owed; what is owed of the others is checked here."""
        claim = self._program.privacy.output_claim
        outcomes = {z for law in laws for z in law}
        if claim is None:
            return outcomes
        protected = set[tuple[str, ...]]()
        for outcome in outcomes:
            if len(outcome) != 1:
                raise Wrong("utility-optimised LDP of more than one output")
            if self._said(claim.protected, _read(outcome[0])):
                protected.add(outcome)
                continue
            sources = [one for one, law in zip(inputs, laws, strict=True) if outcome in law]
            values = [v for one in sources for v in one.values()]
            if len(values) != 1:
                raise self._told(inputs, laws, outcome, "has several sources")
            if type(values[0]) is not int or self._said(claim.sensitive, _int(values[0])):
                raise self._told(inputs, laws, outcome, "its source is sensitive")
        return protected

    def _told(
        self, inputs: Sequence[Input], laws: Sequence[Law], outcome: tuple[str, ...], why: str
    ) -> Open:
        """An outcome that is not protected tells more than it may, and of which inputs."""
        why = f"the output {outcome[0]} is not protected and {why}"
        given = [law.get(outcome, self._numbers.zero) for law in laws]
        i = next(i for i, p in enumerate(given) if p is not self._numbers.zero)
        j = next((j for j, p in enumerate(given) if p is not given[i]), None)
        if j is None:
            return Open(why)
        numbers = given[i], given[j], self._numbers.one
        return Exceeded(why, inputs[i], inputs[j], outcome_text(outcome), numbers, self._signs)

    def _said(self, function: Any, value: tuple[Linear, NumberKind]) -> bool:
        rule = as_rule(function)
        first, *more = rule.parameters
        values = {first: value[0], **{n: number(self._sizes[n]) for n in more if n in self._sizes}}
        if set(values) != set(rule.parameters):
            raise Wrong(f"'{function.__name__}' depends on more than public integers")
        kinds: dict[str, NumberKind] = dict.fromkeys(more, "int")
        kinds[first] = value[1]
        *duties, found = rule.facts(values, values, kinds)
        if any(duty != TRUE for duty in duties) or found not in (TRUE, FALSE):
            raise Wrong(f"'{function.__name__}' is not decided by the value alone")
        return found == TRUE


def bits(inputs: int) -> Iterator[int]:
    """The members of a set of inputs."""
    while inputs:
        last = inputs & -inputs
        yield last.bit_length() - 1
        inputs ^= last


def _int(value: int) -> tuple[Linear, NumberKind]:
    """An int as a rule takes it."""
    return number(value), "int"


def _read(text: str) -> tuple[Linear, NumberKind]:
    """The number that an outcome shows."""
    try:
        if "." not in text and "/" not in text:
            return number(int(text)), "int"
        return number(Fraction(text)), "float"
    except ValueError:
        raise Wrong(f"the output {text} is no plain number") from None


# Which inputs are neighbours, for counting again: from the facts of the relation's cases.
#
# What a case says of symbols is evaluated on concrete values, one place of a sequence at a time.

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
        if program.privacy.output_claim is not None:
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
        if (apart and case.pairing is not None) or (joint and (apart or uneven)):
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
