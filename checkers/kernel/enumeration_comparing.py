"""What a claim says of the laws of neighbours, for counting again.

A set of inputs is a whole number: input i is its i-th bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from ...dsl.formulas import FALSE, TRUE
from ...dsl.privacy import UtilityOptimizedLDP
from ...dsl.program import Program
from ...dsl.rules import rule_of
from ...dsl.substitution import Substitution
from ...dsl.terms import Linear, number
from ...dsl.values import NumberKind
from .enumeration_limits import Sizes
from .enumeration_numbers import Numbers, Quotient
from .enumeration_pairs import Input, Pairs
from .enumeration_runs import Law
from .enumeration_signs import Signs
from .enumeration_text import outcome_text
from .enumeration_values import Open, Wrong

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
        done: set[tuple[Quotient, Quotient, Quotient]] = set()
        left = COMPARISONS
        for outcome in outcomes:
            column = [law.get(outcome, self._numbers.zero) for law in laws]
            for factor, near in neighbours.items():
                for p, others in self._met(column, near):
                    left -= len(others)
                    if left < 0:
                        raise Wrong("there are too many comparisons")
                    done.update((p, q, factor) for q in others)
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
    ) -> Iterator[tuple[Quotient, set[Quotient]]]:
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
                yield p, {column[j] for j in bits(inputs)}
            else:
                yield p, {q for q, those in having.items() if those & inputs}

    def _owed(self, inputs: Sequence[Input], laws: Sequence[Law]) -> set[tuple[str, ...]]:
        """Of which outcomes the inequality is owed; what is owed of the others is checked here."""
        privacy = self._program.privacy
        outcomes = {z for law in laws for z in law}
        if not isinstance(privacy, UtilityOptimizedLDP):
            return outcomes
        protected = set[tuple[str, ...]]()
        for outcome in outcomes:
            if len(outcome) != 1:
                raise Wrong("utility-optimised LDP of more than one output")
            if self._said(privacy.protected, _read(outcome[0])):
                protected.add(outcome)
                continue
            sources = [one for one, law in zip(inputs, laws, strict=True) if outcome in law]
            values = [v for one in sources for v in one.values()]
            if len(values) != 1:
                raise self._told(inputs, laws, outcome, "has several sources")
            if type(values[0]) is not int or self._said(privacy.sensitive, _int(values[0])):
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
        rule = rule_of(function)
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
