"""Spacer's invariants: from its answer to plain lists, which cross processes, and to formulas."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..dsl.formulas import (
    Formula,
    above,
    at_least,
    choice,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    negation,
    truth,
)
from ..dsl.terms import Linear, number

#: A part of an answer: an operator with its arguments, or a leaf with its value.
Told = list[Any]


class Untellable(Exception):
    """The answer has a part that has no counterpart here."""


def definitions(answer: Any) -> dict[str, Told]:
    """The predicates that an answer defines, by name, each over its arguments in order.

    before:  (forall (A B) (= (P0 A B) (<= A B)))
    after:   {"P0": ["<=", ["var", 0], ["var", 1]]}
    """
    import z3

    found: dict[str, Told] = {}
    waiting = [answer]
    while waiting:
        part = waiting.pop()
        if z3.is_quantifier(part):
            if part.is_forall():
                _define(part, found)
        elif z3.is_and(part):
            waiting += part.children()
        elif z3.is_eq(part) and z3.is_app(part.arg(0)) and part.arg(0).num_args() == 0:
            found[part.arg(0).decl().name()] = _told(part.arg(1), {})
    return found


def _define(quantified: Any, found: dict[str, Told]) -> None:
    import z3

    body = quantified.body()
    if not z3.is_eq(body):
        return
    head = body.arg(0)
    # The arguments are distinct bound variables, not always in the order of the quantifier.
    places = {z3.get_var_index(a): k for k, a in enumerate(head.children()) if z3.is_var(a)}
    found[head.decl().name()] = _told(body.arg(1), places)


def _told(part: Any, places: dict[int, int]) -> Told:
    import z3

    if z3.is_var(part):
        return ["var", places.get(z3.get_var_index(part), -1)]
    if z3.is_rational_value(part) or z3.is_int_value(part):
        return ["number", str(part.as_fraction()) if z3.is_rational_value(part) else str(part)]
    if not z3.is_app(part):
        return ["?"]
    return [part.decl().name(), *(_told(child, places) for child in part.children())]


def formula_from(told: Told, arguments: Sequence[Linear | Formula]) -> Formula:
    """A condition over the arguments of its predicate.

    Raises:
        Untellable: it uses what has no counterpart.
    """
    found = _meaning(told, arguments)
    if isinstance(found, Formula):
        return found
    raise Untellable(told[0])


def _meaning(told: Told, arguments: Sequence[Linear | Formula]) -> Linear | Formula:
    operator, *parts = told
    if operator == "var":
        if not 0 <= parts[0] < len(arguments):
            raise Untellable("a variable that is no argument")
        return arguments[parts[0]]
    if operator == "number":
        return number(Fraction(parts[0]))
    values = [_meaning(part, arguments) for part in parts]
    conditions = [v for v in values if isinstance(v, Formula)]
    numbers = [v for v in values if isinstance(v, Linear)]
    if len(conditions) == len(values):
        return _of_conditions(operator, conditions)
    if len(numbers) == len(values):
        return _of_numbers(operator, numbers)
    if operator == "if" and len(numbers) == 2 and isinstance(values[0], Formula):
        return choice(values[0], *numbers)
    raise Untellable(operator)


def _of_conditions(operator: str, parts: list[Formula]) -> Formula:
    match operator, parts:
        case "true" | "false", []:
            return truth(operator == "true")
        case "and", _:
            return conjunction(parts)
        case "or", _:
            return disjunction(parts)
        case "not", [inner]:
            return negation(inner)
        case "=>", [premise, conclusion]:
            return implies(premise, conclusion)
        case "=", [left, right]:
            return iff(left, right)
    raise Untellable(operator)


def _of_numbers(operator: str, parts: list[Linear]) -> Linear | Formula:
    match operator, parts:
        case "+", _:
            return sum(parts[1:], parts[0])
        case "-", [inner]:
            return -inner
        case "-", [left, right]:
            return left - right
        case "to_real", [inner]:
            return inner
        case "*", [left, right] if left.is_constant or right.is_constant:
            return left * right
        case "<=", [left, right]:
            return at_least(right, left)
        case ">=", [left, right]:
            return at_least(left, right)
        case "<", [left, right]:
            return above(right, left)
        case ">", [left, right]:
            return above(left, right)
        case "=", [left, right]:
            return equal(left, right)
    raise Untellable(operator)
