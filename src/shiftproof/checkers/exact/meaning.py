"""Expressions as functions of a run: compiled once, evaluated for every input and path.

The meaning is that of :mod:`dsl.evaluate`, for one run on concrete inputs: an operation that
is not defined ends the run (:class:`Failure`), and a comparison that the path does not decide
is asked of the run, which may fork.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

from ...dsl.language.syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Label,
    Length,
    Let,
    Name,
    Negation,
    Whole,
    record_name,
)
from ...dsl.privacy.records import RECORD
from ...dsl.terms.linear import Rational
from .affine import Affine, Amount, Scaled, add, divide, exp, multiply, plain, sign_of
from .numbers import Power

#: A released or computed value: a truth value, an atom, a number, or a list of these.
Value = bool | str | None | int | Fraction | Affine | Scaled | Power | tuple["Value", ...]


class Failure(Exception):
    """The run raises: an index out of range, a division by zero, a scale that is not positive."""


class Decider(Protocol):
    """What expressions need of the run that evaluates them."""

    names: dict[str, Value]
    records: dict[str, Sequence[int]]

    def holds(self, subject: Affine, strict: bool) -> bool:
        """Whether a number that depends on noise is at least zero (or above it)."""
        ...

    def vanishes(self, subject: Affine) -> bool:
        """Whether a number that depends on noise is zero."""
        ...


Meaning = Callable[[Decider], Value]


def meaning(e: Expression) -> Meaning:
    """The function from runs to values that an expression is."""
    match e:
        case Constant(value=value, kind=kind):
            constant = int(value) if kind == "int" else Fraction(value)
            return lambda run: constant
        case BooleanConstant(value=flag):
            return lambda run: flag
        case Label(value=label):
            return lambda run: label
        case Name(name=name):
            return lambda run: run.names[name]
        case Length(array=array):
            return lambda run: len(_sequence(run, array))
        case Whole(array=array):
            return lambda run: _sequence(run, array)
        case Cell(array=array, index=index):
            return _cell(array, meaning(index))
        case Arithmetic(operator=operator, left=left, right=right):
            return _arithmetic(operator, meaning(left), meaning(right))
        case Comparison(operator=operator, left=left, right=right):
            return _comparison(operator, meaning(left), meaning(right))
        case Connective(operator=operator, members=members):
            stop = operator == "or"
            parts = [meaning(member) for member in members]
            return lambda run: any(p(run) for p in parts) if stop else all(p(run) for p in parts)
        case Negation(inner=inner):
            denied = meaning(inner)
            return lambda run: not denied(run)
        case Conditional(test=test, yes=yes, no=no):
            choose, first, second = meaning(test), meaning(yes), meaning(no)
            return lambda run: first(run) if choose(run) else second(run)
        case Builtin(function=function, arguments=arguments):
            return _builtin(function, [meaning(a) for a in arguments])
        case Let(names=names, values=values, body=body):
            return _let(names, [meaning(v) for v in values], meaning(body))
        case Counted(data=data, test=test):
            return _counted(data, meaning(test))
    raise AssertionError(e)


def _sequence(run: Decider, array: str) -> tuple[Value, ...]:
    found = run.names[array]
    assert isinstance(found, tuple), array
    return found


def _cell(array: str, index: Meaning) -> Meaning:
    record = array.startswith(RECORD)

    def read(run: Decider) -> Value:
        values = run.records[array] if record else _sequence(run, array)
        i = plain(index(run))
        if not 0 <= i < len(values):
            raise Failure
        return values[int(i)]

    return read


def _let(names: tuple[str, ...], values: list[Meaning], body: Meaning) -> Meaning:
    def bind(run: Decider) -> Value:
        for name, value in zip(names, values, strict=True):
            run.names[name] = value(run)
        return body(run)

    return bind


def _counted(data: str, test: Meaning) -> Meaning:
    name = record_name(data)

    def count(run: Decider) -> Value:
        total = 0
        for record in _sequence(run, data):
            run.records[name] = record  # type: ignore[assignment]
            total += bool(test(run))
        return total

    return count


def _arithmetic(operator: str, left: Meaning, right: Meaning) -> Meaning:
    def combine(run: Decider) -> Value:
        x, y = left(run), right(run)
        if isinstance(x, str | None) or isinstance(y, str | None):
            raise Failure
        if operator == "+":
            return add(x, y)  # type: ignore[arg-type]
        if operator == "-":
            return add(x, y, -1)  # type: ignore[arg-type]
        if operator == "*":
            return multiply(x, y)  # type: ignore[arg-type]
        if operator == "/":
            if not isinstance(y, Affine) and sign_of(y) == 0:  # type: ignore[arg-type]
                raise Failure
            return divide(x, y)  # type: ignore[arg-type]
        a, b = plain(x), plain(y)
        if b == 0:
            raise Failure
        found = a // b if operator == "//" else a % b
        return found if type(a) is int and type(b) is int else Fraction(found)

    return combine


def _comparison(operator: str, left: Meaning, right: Meaning) -> Meaning:
    def compare(run: Decider) -> Value:
        x, y = left(run), right(run)
        if operator in ("is", "==") or operator in ("is not", "!="):
            same = _same(run, x, y)
            return same if operator in ("is", "==") else not same
        return at_least(run, x, y, False) if operator == ">=" else (
            at_least(run, x, y, True) if operator == ">" else
            at_least(run, y, x, operator == "<")
        )  # fmt: skip

    return compare


def _same(run: Decider, x: Value, y: Value) -> bool:
    if not isinstance(x, Affine | Scaled) and not isinstance(y, Affine | Scaled):
        return x == y and isinstance(x, bool) == isinstance(y, bool)
    if x is None or y is None or isinstance(x, str | bool) or isinstance(y, str | bool):
        return False
    gap = add(x, y, -1)  # type: ignore[arg-type]
    if isinstance(gap, Affine):
        return run.vanishes(gap)
    return sign_of(gap) == 0


def at_least(run: Decider, x: Value, y: Value, strict: bool) -> bool:
    """``x >= y``, or ``x > y``; what has no order raises, as in Python."""
    if isinstance(x, str | None) or isinstance(y, str | None):
        raise Failure
    if isinstance(x, int | Fraction) and isinstance(y, int | Fraction):
        return x > y if strict else x >= y
    gap = add(x, y, -1)  # type: ignore[arg-type]
    if isinstance(gap, Affine):
        return run.holds(gap, strict)
    sign = sign_of(gap)
    return sign > 0 if strict else sign >= 0


def _builtin(function: str, arguments: list[Meaning]) -> Meaning:
    def apply(run: Decider) -> Value:
        values: list[Amount] = [a(run) for a in arguments]  # type: ignore[misc]
        first = values[0]
        if function == "exp":
            return exp(first)
        if function == "abs":
            return first if at_least(run, first, 0, False) else multiply(first, -1)
        if function in ("min", "max"):
            for value in values[1:]:
                low, high = (value, first) if function == "min" else (first, value)
                first = value if at_least(run, high, low, True) else first
            return first
        if function == "index" or type(first) is int:
            return first
        if isinstance(first, Affine) and first.whole:
            return first
        exact = Fraction(plain(first))
        return math.trunc(exact) if function == "int" else round(exact)

    return apply


def in_units(value: Value) -> tuple[Rational, int]:
    """A number without noise, as a rational and the power of ε's unit that it is times.

    Raises:
        NotAffine: it depends on noise.
    """
    if isinstance(value, Scaled):
        return value.amount, value.power
    return plain(value), 0
