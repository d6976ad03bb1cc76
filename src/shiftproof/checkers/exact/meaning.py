"""What expressions give in one run on concrete inputs whose noise is unknown.

An operation that is not defined ends the run (:class:`Failure`), and a comparison that the path
does not decide is asked of the run, which may fork.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

from ...dsl.language.machine import Domain, value
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


class Meaning(Domain[Value]):
    """What expressions give in ``run``, which is the run that is evaluated at the time."""

    def __init__(self, run: Decider) -> None:
        self.run = run

    def operation(self, e: Expression, values: Sequence[Value]) -> Value:
        """An int where Python has one, a ``Fraction`` where it has a float; noise as it is."""
        match e:
            case Constant(value=constant, kind=kind):
                return int(constant) if kind == "int" else constant
            case BooleanConstant() | Label():
                return e.value
            case Name(name=name):
                return self.run.names[name]
            case Arithmetic(operator=operator):
                return _arithmetic(operator, *values)
            case Comparison(operator=operator):
                return _comparison(self.run, operator, *values)
            case Negation():
                return not values[0]
            case Cell(array=array):
                record = array.startswith(RECORD)
                cells = self.run.records[array] if record else self._sequence(array)
                i = plain(values[0])
                if not 0 <= i < len(cells):
                    raise Failure
                return cells[int(i)]
            case Builtin(function=function):
                return _builtin(self.run, function, values)
            case Length(array=array):
                return len(self._sequence(array))
            case Whole(array=array):
                return self._sequence(array)
            case Counted():
                return self._counted(e)
        raise AssertionError(e)

    def bind(self, name: str, bound: Value) -> None:
        """Names inside expressions are no names of variables."""
        self.run.names[name] = bound

    def _sequence(self, array: str) -> tuple[Value, ...]:
        found = self.run.names[array]
        assert isinstance(found, tuple), array
        return found

    def connective(self, e: Connective, members: Sequence[Callable[[], Value]]) -> bool:
        """The members one by one, up to the one that decides."""
        return (any if e.operator == "or" else all)(member() for member in members)

    def conditional(
        self, e: Conditional, test: Value, yes: Callable[[], Value], no: Callable[[], Value]
    ) -> Value:
        """One arm."""
        return yes() if test else no()

    def _counted(self, e: Counted) -> int:
        total = 0
        for record in self._sequence(e.data):
            self.run.records[record_name(e.data)] = record  # type: ignore[assignment]
            total += bool(value(self, e.test))
        return total


def _arithmetic(operator: str, left: Value, right: Value) -> Value:
    """A number; that of strings fails, as in Python."""
    if isinstance(left, str | tuple | None) or isinstance(right, str | tuple | None):
        raise Failure
    match operator:
        case "+":
            return add(left, right)
        case "-":
            return add(left, right, -1)
        case "*":
            return multiply(left, right)
        case "/":
            if not isinstance(right, Affine) and sign_of(right) == 0:
                raise Failure
            return divide(left, right)
    a, b = plain(left), plain(right)
    if b == 0:
        raise Failure
    found = a // b if operator == "//" else a % b
    return found if type(a) is int and type(b) is int else Fraction(found)


def _comparison(run: Decider, operator: str, left: Value, right: Value) -> bool:
    """A truth value; the run is asked, and may fork."""
    match operator:
        case "==" | "is":
            return _same(run, left, right)
        case "!=" | "is not":
            return not _same(run, left, right)
        case ">" | ">=":
            return at_least(run, left, right, operator == ">")
    return at_least(run, right, left, operator == "<")


def _builtin(run: Decider, function: str, arguments: Sequence[Value]) -> Value:
    """A number; which one is the larger is asked of the run."""
    values: list[Amount] = list(arguments)  # type: ignore[arg-type]
    first = values[0]
    if function == "exp":
        return exp(first)
    if function == "abs":
        return first if at_least(run, first, 0, False) else multiply(first, -1)
    if function in ("min", "max"):
        for other in values[1:]:
            low, high = (other, first) if function == "min" else (first, other)
            first = other if at_least(run, high, low, True) else first
        return first
    if function == "index" or type(first) is int:
        return first
    if isinstance(first, Affine) and first.whole:
        return first
    exact = Fraction(plain(first))
    return math.trunc(exact) if function == "int" else round(exact)


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


def in_units(value: Value) -> tuple[Rational, int]:
    """A number without noise, as a rational and the power of ε's unit that it is times.

    Raises:
        NotAffine: it depends on noise.
    """
    if isinstance(value, Scaled):
        return value.amount, value.power
    return plain(value), 0
