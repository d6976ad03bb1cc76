"""Putting expressions in for names, and simplifying what comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from operator import add, mul, sub, truediv

from ..dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    BooleanConstant,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Expression,
    Let,
    Name,
    Negation,
    rebuilt,
)
from ..dsl.language.unparse import unparse
from ..dsl.terms.linear import DivisionByZero, Linear, Symbol, number, term

ZERO = Constant(NOWHERE, Fraction(0), "int")
ONE = Constant(NOWHERE, Fraction(1), "int")


def times(factor: Expression, e: Expression) -> Expression:
    """A product, with constants multiplied out."""
    if isinstance(e, Constant) and not isinstance(factor, Constant):
        factor, e = e, factor
    return _arithmetic("*", factor, e)


def over(e: Expression, divisor: Expression) -> Expression:
    """A quotient, where constants and what is equal are divided out."""
    if same_text(e, (divisor,)):
        return ONE
    if isinstance(divisor, Constant) and divisor.value != 0:
        inverse = 1 / Fraction(divisor.value)
        whole = inverse.denominator == 1 and divisor.kind == "int"
        return times(Constant(NOWHERE, inverse, "int" if whole else "float"), e)
    return Arithmetic(NOWHERE, "/", e, divisor)


def rewrite(e: Expression, known: Mapping[str, Expression]) -> Expression:
    """The expression with names replaced, calls written out, and constant parts folded."""

    def again(part: Expression) -> Expression:
        return rewrite(part, known)

    match e:
        case Name(name=name):
            return known.get(name, e)
        case Arithmetic(operator=op, left=left, right=right):
            return _arithmetic(op, again(left), again(right))
        case Comparison(operator=op, left=left, right=right):
            return _comparison(op, again(left), again(right))
        case Connective(operator=word, members=members):
            return _connective(word, tuple(map(again, members)))
        case Conditional(test=test, yes=yes, no=no):
            first, second = again(yes), again(no)
            return first if first == second else Conditional(e.span, again(test), first, second)
        case Let(names=names, values=values, body=body):
            bound = dict(zip(names, map(again, values), strict=True))
            return rewrite(body, {**known, **bound})
    return rebuilt(e, expression=again)


def _arithmetic(op: str, left: Expression, right: Expression) -> Expression:
    if op == "*" and isinstance(left, Constant):
        if left.value == 0:
            return ZERO
        if left.value == 1:
            return right
        if left.value == -1 and isinstance(right, Arithmetic) and right.operator == "-":
            return Arithmetic(NOWHERE, "-", right.right, right.left)
        if isinstance(right, Constant):
            kind = "int" if (left.kind, right.kind) == ("int", "int") else "float"
            return Constant(NOWHERE, left.value * right.value, kind)  # type: ignore[arg-type]
    if op == "+" and isinstance(left, Constant) and left.value == 0:
        return right
    if op in "+-" and isinstance(right, Constant) and right.value == 0:
        return left
    return Arithmetic(NOWHERE, op, left, right)


def _comparison(op: str, left: Expression, right: Expression) -> Expression:
    if op == ">=" and isinstance(left, Constant) and isinstance(right, Constant):
        return BooleanConstant(NOWHERE, left.value >= right.value)
    return Comparison(NOWHERE, op, left, right)


def _connective(word: str, members: tuple[Expression, ...]) -> Expression:
    decisive = word == "or"
    kept: list[Expression] = []
    for member in members:
        if isinstance(member, BooleanConstant):
            if member.value == decisive:
                return BooleanConstant(NOWHERE, decisive)
        else:
            kept.append(member)
    if not kept:
        return BooleanConstant(NOWHERE, not decisive)
    return kept[0] if len(kept) == 1 else Connective(NOWHERE, word, tuple(kept))  # type: ignore[arg-type]


def added(first: Expression, *rest: Expression) -> Expression:
    """A sum; numbers are added up."""
    for e in rest:
        if isinstance(first, Constant) and isinstance(e, Constant):
            kind = "int" if (first.kind, e.kind) == ("int", "int") else "float"
            first = Constant(NOWHERE, first.value + e.value, kind)  # type: ignore[arg-type]
        else:
            first = Arithmetic(NOWHERE, "+", first, e)
    return first


def both(members: tuple[Expression, ...]) -> Expression:
    """All of some conditions."""
    return _connective("and", members)


def negated(test: Expression) -> Expression:
    """The negation of a condition."""
    return test.inner if isinstance(test, Negation) else Negation(NOWHERE, test)


def worth(e: Expression) -> str:
    """A text that expressions share which are the same number: ``2``, and ``2 / w / (1 / w)``."""
    try:
        return str(_term_of(e))
    except DivisionByZero:
        return unparse(e)


def _term_of(e: Expression) -> Linear:
    match e:
        case Constant(value=value):
            return number(value)
        case Arithmetic(operator="+" | "-" | "*" | "/" as op, left=left, right=right):
            return _OPERATIONS[op](_term_of(left), _term_of(right))
    return term(Symbol(unparse(e)))


_OPERATIONS: dict[str, Callable[[Linear, Linear], Linear]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": truediv,
}


def same_text(e: Expression, others: Iterable[Expression]) -> bool:
    """Whether one of the others reads the same."""
    return any(unparse(e) == unparse(o) for o in others)
