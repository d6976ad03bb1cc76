"""The budget β(D, D') of a concrete pair of neighbours, in nats."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...dsl.errors import BadInput
from ...dsl.privacy.definitions.base import Function, PairSides
from ...dsl.relations.pairs import Rule, as_rule
from ...dsl.relations.program import Program, told_of_parameters
from ...dsl.terms.enclosures import is_plain, rational_ends
from ...dsl.terms.formulas import TRUE
from ...dsl.terms.linear import Linear, number
from ...dsl.terms.substitution import Substitution
from ...dsl.terms.values import NumberKind, exact

Given = Mapping[str, Any]
Amount = Fraction | float | None


def budget_of_pair(program: Program, public: Given, left: Given, right: Given) -> Fraction | float:
    """β of two inputs; of sequences the values of the user who differs count.

    Raises:
        BadInput: it is not defined for this pair.
    """
    one, two = _differing(program, left, right)
    sequences = {name: value for name, value in left.items() if isinstance(value, tuple)}
    found = _budget(program, {**sequences, **public}, one, two)
    if found is None:
        raise BadInput(f"{program.name}: {program.privacy} has no budget for {one} and {two}")
    return found


def budget_defined(program: Program, public: Given, one: Given, two: Given) -> bool:
    """Whether two values of a user have a budget, by the functions of the definition."""
    return not program.privacy.pair_budget or _budget(program, public, one, two) is not None


def _budget(program: Program, public: Given, one: Given, two: Given) -> Amount:
    def of(function: Function) -> Amount:
        return _number(program, function, public, one, two)

    def back(function: Function) -> Amount:
        return _number(program, function, public, two, one)

    def times(a: Amount, b: Amount) -> Amount:
        return None if a is None or b is None else a * b

    def smaller(a: Amount, b: Amount) -> Amount:
        return None if a is None or b is None else min(a, b)

    known = told_of_parameters(public)
    declared: Amount = _plain(Substitution(known).linear(program.budget))
    return program.privacy.budget_of_pair(PairSides(declared, of, back, times, smaller))


def _number(program: Program, function: Function, public: Given, one: Given, two: Given) -> Amount:
    """What a function of the definition gives; ``None`` where it has no meaning."""
    rule, sides = rule_on(program, function, public, one, two)
    found, duties = rule.number(*sides)
    return _plain(found) if all(duty == TRUE for duty in duties) else None


def rule_on(
    program: Program, function: Function, public: Given, one: Given, two: Given
) -> tuple[Rule, tuple[dict[str, Linear], dict[str, Linear], dict[str, NumberKind]]]:
    """A function of the definition, and the two sides that it is applied to."""
    rule = as_rule(function)
    given = {n: v for n, v in public.items() if not isinstance(v, tuple)}
    left, right = (
        {n: number(exact(v)) for n, v in {**given, **side}.items()} for side in (one, two)
    )
    kinds: dict[str, NumberKind] = {
        n: "int" if program.inputs[n].whole else "float" for n in rule.parameters
    }
    return rule, (left, right, kinds)


def _differing(program: Program, left: Given, right: Given) -> tuple[Given, Given]:
    """The values of the user who differs, or all there is to say of one user."""
    if not program.privacy.functions:
        return left, right
    places = (
        i
        for n, k in program.inputs.items()
        if not k.public and k.array
        for i, (a, b) in enumerate(zip(left[n], right[n], strict=True))
        if a != b
    )
    at = next(places, 0)
    one, two = (
        {n: v[at] if isinstance(v, tuple) else v for n, v in side.items()} for side in (left, right)
    )
    return one, two


def _plain(value: Linear) -> Fraction | float:
    """A term without unknowns as a number; a float where it has powers of e."""
    if value.is_constant:
        return Fraction(value.constant)
    if not is_plain(value):
        raise BadInput(f"the budget {value} depends on what these inputs leave open")
    return float(sum(rational_ends(value)) / 2)
