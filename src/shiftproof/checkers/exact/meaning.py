"""What expressions give in one run on concrete inputs whose noise is unknown.

An operation that is not defined ends the run (:class:`Failure`), and a comparison that the path
does not decide is asked of the run, which may fork.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ...dsl.errors import LimitReached
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
from .affine import Affine, Amount, Failure, Value, divide, exp, plain, real, sign_of
from .irrational import is_irrational, log_of, root_of
from .powers import Power
from .state import PathState


@dataclass(slots=True)
class Meaning(Domain[Value]):
    """What expressions give in ``run``, which is the run that is evaluated at the time."""

    run: PathState

    def operation(self, e: Expression, values: Sequence[Value]) -> Value:
        """An int where Python has one, a ``Fraction`` where it has a float; noise as it is."""
        match e:
            case Constant(value=constant, kind=kind):
                return int(constant) if kind == "int" else constant
            case BooleanConstant() | Label():
                return e.value
            case Name(name=name):
                return self.run.names[name]
            case Arithmetic(operator="//" | "%" as operator):
                return self._divided(operator, *values)
            case Arithmetic(operator=operator):
                return _arithmetic(operator, *values)
            case Comparison(operator=operator):
                return self._comparison(operator, *values)
            case Negation():
                return not values[0]
            case Cell(array=array):
                record = array.startswith(RECORD)
                cells = self.run.records[array] if record else self._sequence(array)
                return cells[place(values[0], cells)]
            case Builtin(function=function):
                return self._builtin(function, values)
            case Length(array=array):
                return len(self._sequence(array))
            case Whole(array=array):
                return self._sequence(array)
            case Counted(data=data, test=test):
                return sum(self._meets(record_name(data), r, test) for r in self._sequence(data))
        raise AssertionError(e)

    def bind(self, name: str, bound: Value) -> None:
        """Names inside expressions are no names of variables."""
        self.run.names[name] = bound

    def _sequence(self, array: str) -> tuple[Value, ...]:
        found = self.run.names[array]
        assert isinstance(found, tuple), array
        return found

    def _meets(self, name: str, record: Value, test: Expression) -> bool:
        assert isinstance(record, tuple)
        self.run.records[name] = record
        return bool(value(self, test))

    def connective(self, e: Connective, members: Sequence[Callable[[], Value]]) -> bool:
        """The members one by one, up to the one that decides."""
        return (any if e.operator == "or" else all)(member() for member in members)

    def conditional(
        self, e: Conditional, test: Value, yes: Callable[[], Value], no: Callable[[], Value]
    ) -> Value:
        """One arm."""
        return yes() if test else no()

    def _comparison(self, operator: str, left: Value, right: Value) -> bool:
        """A truth value; the run is asked, and may fork."""
        match operator:
            case "==" | "is":
                return self._same(left, right)
            case "!=" | "is not":
                return not self._same(left, right)
            case ">" | ">=":
                return self._at_least(left, right, operator == ">")
        return self._at_least(right, left, operator == "<")

    def _same(self, x: Value, y: Value) -> bool:
        if not any(isinstance(v, Affine | Power) or is_irrational(v) for v in (x, y)):
            return x == y and isinstance(x, bool) == isinstance(y, bool)
        if any(value is None or isinstance(value, str | bool) for value in (x, y)):
            return False
        gap = difference(x, y)  # type: ignore[arg-type]
        return self.run.vanishes(gap) if isinstance(gap, Affine) else sign_of(gap) == 0

    def _at_least(self, x: Value, y: Value, strict: bool) -> bool:
        found = at_least(x, y, strict)
        return self.run.holds(found, strict) if isinstance(found, Affine) else found

    def _builtin(self, function: str, arguments: Sequence[Value]) -> Value:
        """A number; which one is the larger is asked of the run."""
        values: list[Amount] = list(arguments)  # type: ignore[arg-type]
        first = values[0]
        if function == "exp":
            return exp(first)
        if function in ("log", "sqrt"):
            return _root_or_log(function, first)
        if function == "abs":
            return first if self._at_least(first, 0, False) else first * -1
        if function in ("min", "max"):
            for other in values[1:]:
                low, high = (other, first) if function == "min" else (first, other)
                first = other if self._at_least(high, low, True) else first
            return first
        if function == "index" or type(first) is int:
            return first
        if isinstance(first, Affine) and first.whole:
            return first
        if isinstance(first, Affine):
            return self._rounded(function, first)
        exact = real(first)
        return math.trunc(exact) if function == "int" else round(exact)

    def _rounded(self, function: str, noisy: Affine) -> int | Affine:
        """``int``, or ``round``, of a number with noise.

        Raises:
            LimitReached: noise may lie halfway between two integers.
        """
        if self.run.whole(noisy) and all(
            Fraction(x).denominator == 1 for x in (noisy.constant, *noisy.parts.values())
        ):
            return replace(noisy, whole=True)
        if function == "int":
            if self.run.holds(noisy, False):
                return self.run.floor(noisy)
            return -self.run.floor(-noisy)
        if self.run.whole(noisy):
            raise LimitReached("ROUNDED", "integer noise is rounded to the next even number")
        return self.run.floor(_affine(noisy + Fraction(1, 2)))

    def _divided(self, operator: str, left: Value, right: Value) -> Value:
        """``//`` and ``%``; of a number with noise, by one without."""
        if isinstance(left, str | tuple | None) or isinstance(right, str | tuple | None):
            raise Failure
        if right == 0:
            raise Failure
        divisor = real(right) if is_irrational(right) else plain(right)
        if not isinstance(left, Affine):
            a = real(left) if is_irrational(left) else plain(left)
            found = a // divisor if operator == "//" else a % divisor
            return found if type(a) is int and type(divisor) is int else Fraction(found)
        steps: Amount = self.run.floor(_affine(left / divisor))
        if not (left.whole and type(divisor) is int):
            steps = steps * Fraction(1)  # a float of Python
        return steps if operator == "//" else left - steps * divisor


def _root_or_log(function: str, x: Amount) -> Fraction:
    """Of a number without noise."""
    exact = real(x)
    if exact < 0 or (exact == 0 and function == "log"):
        raise Failure
    return root_of(exact) if function == "sqrt" else log_of(exact)


def _arithmetic(operator: str, left: Value, right: Value) -> Value:
    """A number; that of strings fails, as in Python."""
    if isinstance(left, str | tuple | None) or isinstance(right, str | tuple | None):
        raise Failure
    match operator:
        case "+":
            found = left + right
            return _homogeneous(found) if isinstance(found, Power) else found
        case "-":
            return difference(left, right)
        case "*":
            return left * right
        case "/":
            if right == 0:
                raise Failure
            return divide(left, right)
    raise AssertionError(operator)


def _affine(value: Amount) -> Affine:
    assert isinstance(value, Affine)
    return value


def difference(left: Amount, right: Amount) -> Amount:
    """``left - right``."""
    found = left - right
    return _homogeneous(found) if isinstance(found, Power) else found


def _homogeneous(value: Power) -> Power:
    """A sum, unless a multiple of ln 2 was added to another number: that may enter no law."""
    if value.of == "ln 2":
        value.multiple()
    return value


def at_least(x: Value, y: Value, strict: bool) -> bool | Affine:
    """``x >= y``, or ``x > y``, or ``x - y`` where that depends on noise.

    Raises:
        Failure: they have no order.
    """
    if isinstance(x, str | tuple | None) or isinstance(y, str | tuple | None):
        raise Failure
    if isinstance(x, int | Fraction) and isinstance(y, int | Fraction):
        return x > y if strict else x >= y
    gap = difference(x, y)
    if isinstance(gap, Affine):
        return gap
    sign = sign_of(gap)
    return sign > 0 if strict else sign >= 0


def place(index: Value, cells: Sequence[object]) -> int:
    """Where an index is in a list.

    Raises:
        Failure: it is out of range.
    """
    i = plain(index)
    if not 0 <= i < len(cells):
        raise Failure
    return int(i)
