"""What a privacy definition says of two values, and rules that a user defines.

A definition may limit the neighbours by a rule, and make the budget depend on the pair.  All of it
is written in the language, and was read with the mechanism (``dsl/reading/rules.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import BadInput, Unsupported
from ..language.evaluate import Evaluator, View
from ..language.source import Source
from ..language.syntax import Expression, Other, Span, parts_of
from ..language.unparse import unparse
from ..privacy.definitions import Privacy
from ..privacy.definitions.base import Function, PairSides
from ..privacy.inputs import InputKind
from ..terms.formulas import (
    TRUE,
    Formula,
    above,
    choice,
    conjunction,
    disjunction,
    first_choice,
    negation,
)
from ..terms.linear import Linear, Symbol, number, term
from ..terms.values import Num, NumberKind, exact

#: Into how many pieces the budget of a pair may fall.
MOST_PIECES = 32


@dataclass(frozen=True, slots=True)
class Allowance:
    """The budget of one pair, or of all pairs that meet ``when``.

    ``budget`` is over public parameters (``None``: the mechanism's own), and is multiplied by
    ``distance``, which depends on the pair.
    """

    when: tuple[Formula, ...] = ()
    budget: Linear | None = None
    distance: Linear | None = None

    def of(self, declared: Linear) -> Linear:
        """The budget, where the mechanism declares this one."""
        own = declared if self.budget is None else self.budget
        return own if self.distance is None else own * self.distance


@dataclass(frozen=True, slots=True)
class Pairing:
    """A privacy definition's functions, applied to the values of a mechanism's inputs.

    Raises:
        BadInput: one of them has other parameters than the definition says.
    """

    privacy: Privacy
    inputs: Mapping[str, InputKind]

    def __post_init__(self) -> None:
        for function in self.privacy.functions if self.privacy.speaks else ():
            self._check(function)
        for function in self.privacy.output_claim or ():
            self._check_of_one(function)

    def _check_of_one(self, function: Function) -> None:
        rule = as_rule(function)
        public = {n for n, k in self.inputs.items() if k.public and not k.array}
        if not rule.parameters or set(rule.parameters[1:]) - public:
            raise BadInput(
                f"{self.privacy}: '{function.__name__}' has the parameters "
                f"{', '.join(rule.parameters) or 'none'}; one value is needed, and public scalar "
                "parameters may follow"
            )
        if _speaks_of_two(rule.condition):
            raise BadInput(
                f"{self.privacy}: '{function.__name__}' is about one value, not other(…)"
            )

    def neighbours(
        self, left: Mapping[str, Linear], right: Mapping[str, Linear]
    ) -> tuple[Formula, ...]:
        """What makes two inputs neighbours, besides lying in their ranges."""
        if self.privacy.edge_rule is None:
            return ()
        rule = as_rule(self.privacy.edge_rule)
        return rule.edge(
            self._all(left), self._all(right), number_kinds(self.inputs, rule.parameters)
        )

    def allowances(
        self, left: Mapping[str, Linear], right: Mapping[str, Linear]
    ) -> tuple[Allowance, ...]:
        """The budget of the pair, piece by piece; what defines it is among the conditions.

        Raises:
            BadInput: it is no number, or falls into too many pieces.
        """
        duties: list[Formula] = []

        def said(one: Mapping[str, Linear], two: Mapping[str, Linear]) -> Callable[..., Allowance]:
            def of(function: Function) -> Allowance:
                rule = as_rule(function)
                kinds = number_kinds(self.inputs, rule.parameters)
                found, defined = rule.number(self._all(one), self._all(two), kinds)
                duties.extend(defined)
                return Allowance(budget=found)

            return of

        def times(declared: Allowance, factor: Allowance) -> Allowance:
            return Allowance(budget=declared.budget, distance=factor.budget)

        def smaller(one: Allowance, two: Allowance) -> Allowance:
            assert one.budget is not None and two.budget is not None
            return Allowance(budget=choice(above(one.budget, two.budget), two.budget, one.budget))

        sides = PairSides(Allowance(), said(left, right), said(right, left), times, smaller)
        stated = self.privacy.budget_of_pair(sides)
        if stated.budget is None:
            return (Allowance(tuple(duties), distance=stated.distance),)
        pieces = tuple(_pieces(stated.budget))
        for _, budget in pieces:
            if not budget.fixed:
                raise BadInput(
                    f"{self.privacy}: the budget {budget} of a pair; it must be built from public "
                    "parameters, and the values may only choose between such budgets (for a "
                    "budget that is proportional to a distance use DPrivacy)"
                )
        return tuple(Allowance((*duties, *when), budget) for when, budget in pieces)

    def _all(self, private: Mapping[str, Linear]) -> dict[str, Linear]:
        """The values with those of the public parameters, which are symbols."""
        public = {
            n: term(Symbol(n, k.whole, fixed=True))
            for n, k in self.inputs.items()
            if k.public and not k.array
        }
        return {**public, **private}

    def _check(self, function: Function) -> None:
        rule = as_rule(function)
        asked = rule.parameters
        if self.privacy.of_one_value and _speaks_of_two(rule.condition):
            raise BadInput(
                f"{self.privacy}: '{function.__name__}' is the budget of one value; other(...) is "
                "for ContextAwareLDP"
            )
        private = [n for n, k in self.inputs.items() if not k.public]
        public = [n for n, k in self.inputs.items() if k.public and not k.array]
        with_public = self.privacy.pair_budget == "budget"
        allowed = {*private, *(public if with_public else ())}
        if not set(private) <= set(asked) or not set(asked) <= allowed:
            raise BadInput(
                f"{self.privacy}: '{function.__name__}' has the parameters "
                f"{', '.join(asked) or 'none'}; the private inputs are needed, which are "
                f"{', '.join(private) or 'none'}"
                + (", and public scalar ones may be" if with_public else "")
            )


def number_kinds(inputs: Mapping[str, InputKind], names: Iterable[str]) -> dict[str, NumberKind]:
    """What kind of number each of these inputs is, or is a sequence of."""
    return {n: "int" if inputs[n].whole else "float" for n in names}


def _speaks_of_two(e: Expression) -> bool:
    return any(isinstance(part, Other) for part in parts_of(e))


def _pieces(value: Linear) -> Iterator[tuple[tuple[Formula, ...], Linear]]:
    """A term as plain combinations, each with when it is the one."""
    open_: list[tuple[tuple[Formula, ...], Linear]] = [((), value)]
    found = 0
    while open_:
        when, rest = open_.pop()
        atom = first_choice(rest)
        if atom is None:
            yield when, rest
            found += 1
            if found > MOST_PIECES:
                raise BadInput(f"the budget of a pair falls into more than {MOST_PIECES} pieces")
            continue
        factor = dict(rest.parts)[atom]
        others = rest - term(atom).scaled(factor)
        open_.append(((*when, negation(atom.test)), others + atom.no.scaled(factor)))
        open_.append(((*when, atom.test), others + atom.yes.scaled(factor)))


Numbers = Mapping[str, Any]


def differing(
    inputs: Mapping[str, InputKind], left: Numbers, right: Numbers
) -> tuple[dict[str, Linear], dict[str, Linear]]:
    """Of two concrete inputs the private values that a definition speaks of.

    Of many users' values that is the one that differs (the first one, if none does).
    """
    found: tuple[dict[str, Linear], dict[str, Linear]] = ({}, {})
    for name, kind in inputs.items():
        if kind.public:
            continue
        one, two = left[name], right[name]
        if kind.array:
            at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), 0)
            one, two = (one[at], two[at]) if one and two else (Fraction(0), Fraction(0))
        for side, value in zip(found, (one, two), strict=True):
            side[name] = number(exact(value))
    return found


def allowed(
    privacy: Privacy,
    inputs: Mapping[str, InputKind],
    budget: Linear,
    left: Numbers,
    right: Numbers,
) -> Linear:
    """The budget of two concrete neighbours, over public parameters.

    Raises:
        BadInput: it depends on what these leave open.
    """
    if not privacy.speaks:
        return budget
    pieces = Pairing(privacy, inputs).allowances(*differing(inputs, left, right))
    return budget_of_pieces(pieces, budget)


def budget_of_pieces(pieces: Sequence[Allowance], budget: Linear) -> Linear:
    """The budget of the pieces as one term over public parameters."""
    total: Linear | None = None
    for piece in reversed(pieces):
        own = piece.of(budget)
        total = own if total is None else choice(conjunction(piece.when), own, total)
    assert total is not None
    return total


# Neighbour relations that a user defines: a rule in the language, read like a helper.


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """What a rule says of the values in D and D': a condition (or number) over its parameters.

    A definition that was read has these in the place of its functions.
    """

    source: Source
    parameters: tuple[str, ...]
    condition: Expression

    def __str__(self) -> str:
        return unparse(self.condition)

    @property
    def __name__(self) -> str:
        return self.source.tree.name

    def __call__(self, *_: object) -> Any:
        """What was read is not executed."""
        raise TypeError(f"the rule '{self.__name__}' was read; it is not called")

    def facts(
        self,
        left: Mapping[str, Linear],
        right: Mapping[str, Linear],
        kinds: Mapping[str, NumberKind],
    ) -> tuple[Formula, ...]:
        """The condition on these values, and that it is defined."""
        evaluator = self._on(left, right, kinds)
        claim = evaluator.condition(self.condition)
        return (*(duty.condition for duty in evaluator.duties), claim)

    def edge(
        self,
        left: Mapping[str, Linear],
        right: Mapping[str, Linear],
        kinds: Mapping[str, NumberKind],
    ) -> tuple[Formula, ...]:
        """That it is defined both ways, and holds in one of them."""
        ways = [self.facts(*sides, kinds) for sides in ((left, right), (right, left))]
        return (*ways[0][:-1], *ways[1][:-1], disjunction(way[-1] for way in ways))

    def holds(
        self,
        left: Numbers,
        right: Numbers,
        kinds: Mapping[str, NumberKind],
        *,
        either_way: bool = False,
        reading: Callable[[Any], Fraction] = Fraction,
    ) -> bool:
        """Whether the condition is defined, and met, by plain numbers; or by them in reverse."""
        one, two = ({n: number(reading(v)) for n, v in side.items()} for side in (left, right))
        said = self.edge if either_way else self.facts
        return all(fact == TRUE for fact in said(one, two, kinds))

    def number(
        self,
        left: Mapping[str, Linear],
        right: Mapping[str, Linear],
        kinds: Mapping[str, NumberKind],
    ) -> tuple[Linear, tuple[Formula, ...]]:
        """The number that a function of two inputs gives, and when it is defined."""
        evaluator = self._on(left, right, kinds)
        found = evaluator.number(self.condition)
        return found.term, tuple(duty.condition for duty in evaluator.duties)

    def _on(
        self,
        left: Mapping[str, Linear],
        right: Mapping[str, Linear],
        kinds: Mapping[str, NumberKind],
    ) -> Evaluator:
        return Evaluator(_Values(self.source, left, kinds), _Values(self.source, right, kinds))


def as_rule(function: Function) -> Rule:
    """A function of a definition that was read.

    Raises:
        BadInput: it is none.
    """
    if not isinstance(function, Rule):
        raise BadInput(f"{function!r} stands where a function defined with def is needed")
    return function


@dataclass(frozen=True, slots=True)
class _Values(View):
    """The values of a rule's parameters in one of the two inputs."""

    source: Source
    values: Mapping[str, Linear]
    kinds: Mapping[str, NumberKind]

    def variable(self, name: str, span: Span) -> Num:
        return Num(self.values[name], self.kinds[name])

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        return self.source.refuse(span, message, advice)
