"""A formula as a number that is right up to the rounding of a float.

Rational parts are computed exactly, the others in balls, more precisely until they are small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from ..dsl.errors import BadInput

if TYPE_CHECKING:
    from flint import arb

Value: TypeAlias = "Fraction | arb"
Answer = TypeVar("Answer", float, bool, int)

#: The precision of balls in bits, at first and at most; and what is enough for a float.
PRECISION, MOST_PRECISION, ENOUGH = 128, 2**18, 64
#: Larger powers are computed by way of logarithms.
SMALL_POWER = 64


class _Undecided(Exception):
    """More bits are needed."""


def value_of(formula: Any, given: Mapping[Any, Any]) -> float:
    """The number that a formula is, rounded.

    Args:
        formula: a SymPy expression in + * /, powers, roots, exp, log, floor, ceiling, and abs.
        given: what each symbol in it stands for: a Fraction, or a formula.

    Raises:
        BadInput: it is beyond the floats, divides by zero, or cannot be told from zero.
    """
    return _decided(formula, given, _rounded)


def is_positive(formula: Any, given: Mapping[Any, Any]) -> bool:
    """Whether a formula is above zero; arguments and errors as of :func:`value_of`."""
    return _decided(formula, given, _above_zero)


def whole_of(formula: Any) -> int:
    """The whole number that a floor or a ceiling is; no symbols.

    Errors as of :func:`value_of`.  SymPy would compute 2^n for n log 2, however large n is.
    """
    return _decided(formula, {}, _integer)


def _decided(formula: Any, given: Mapping[Any, Any], decide: Callable[[Value], Answer]) -> Answer:
    """What ``decide`` says of the value once the ball is small enough for it."""
    import flint

    precision = PRECISION
    while precision <= MOST_PRECISION:
        with flint.ctx.workprec(precision):
            try:
                return decide(_Evaluation(given).of(formula))
            except _Undecided:
                precision *= 2
    raise BadInput("a number is too close to zero, or to a jump, to be computed")


def _above_zero(value: Value) -> bool:
    if value > 0:
        return True
    if value <= 0:
        return False
    raise _Undecided


def _integer(value: Value) -> int:
    return int(cast("Fraction", value))


def _rounded(value: Value) -> float:
    if not isinstance(value, Fraction) and value.rel_accuracy_bits() < ENOUGH:
        raise _Undecided
    try:
        found = float(value if isinstance(value, Fraction) else value.mid())
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise BadInput("a number is beyond the floats")
    return found


class _Evaluation:
    def __init__(self, given: Mapping[Any, Any]) -> None:
        self._given = given
        self._known: dict[Any, Value] = {}

    def of(self, formula: Any) -> Value:
        """The value of a formula, each part once."""
        if isinstance(formula, Fraction):
            return formula
        if formula not in self._known:
            self._known[formula] = self._new(formula)
        return self._known[formula]

    def _new(self, formula: Any) -> Value:
        if formula.is_Symbol:
            return self.of(self._given[formula])
        if formula.is_Rational:
            return Fraction(int(formula.p), int(formula.q))
        values = [self.of(part) for part in formula.args]
        name = type(formula).__name__
        if name in ("Add", "Mul"):
            return reduce(partial(_combined, name), values)
        if name == "Pow":
            return _power(*values)
        if name == "Exp1":
            return _ball(Fraction(1)).exp()
        if name == "Pi":
            return _pi()
        return _function(name, *values)


def _pi() -> arb:
    from flint import arb

    return arb.pi()


def _combined(name: str, left: Value, right: Value) -> Value:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left + right if name == "Add" else left * right
    a, b = _ball(left), _ball(right)
    return a + b if name == "Add" else a * b


def _power(base: Value, power: Value) -> Value:
    """Powers with a rational exponent, which may be huge if the base is positive."""
    if not isinstance(power, Fraction):
        raise TypeError(power)
    if power < 0 and isinstance(base, Fraction) and not base:
        raise BadInput("something is divided by zero")
    small = abs(power) <= SMALL_POWER
    if small and power.denominator == 1 and isinstance(base, Fraction):
        return Fraction(base**power)
    ball = _ball(base)
    if power < 0 and ball.contains(0):
        raise _Undecided
    if small and power.denominator <= 2:
        root = ball.sqrt() if power.denominator == 2 else ball
        return root**power.numerator
    return (ball.log() * _ball(power)).exp()


def _function(name: str, value: Value) -> Value:
    if name == "Abs":
        return cast("Value", abs(value))
    if name in ("floor", "ceiling"):
        if isinstance(value, Fraction):
            return Fraction(math.floor(value) if name == "floor" else math.ceil(value))
        whole = (value.floor() if name == "floor" else value.ceil()).unique_fmpz()
        if whole is None:
            raise _Undecided
        return Fraction(int(whole))
    ball = _ball(value)
    if name == "exp":
        return ball.exp()
    if name == "log":
        return ball.log()
    raise TypeError(name)


def _ball(value: Value) -> arb:
    if not isinstance(value, Fraction):
        return value
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))
