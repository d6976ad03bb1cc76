"""Expressions as functions of a run's variables, for runs on concrete inputs.

Values are Python's, with an exact fraction or a :class:`Ratio` for a float; a list is a tuple.
Compiled once for all runs of one choice of sizes; the most common operations take short cuts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from ...dsl.syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Expression,
    Label,
    Length,
    Let,
    Name,
    Negation,
    Span,
    Whole,
)
from .crowd import Crowd
from .ratios import Declined, Frame, Ratio
from .values import Meaning, Value, Variables


class Failure(Exception):
    """The run raises, here and for this reason."""

    def __init__(self, span: Span, reason: str) -> None:
        self.span = span
        self.reason = reason
        super().__init__(reason)


class Meanings:
    """The functions of one program's expressions; ``slots`` says where variables stand.

    Inputs of the ``crowd`` are read from there.
    """

    def __init__(self, frame: Frame, slots: dict[str, int], crowd: Crowd | None = None) -> None:
        self._frame = frame
        self._slots = slots
        self._crowd = crowd

    def slot(self, name: str) -> int:
        """Where a variable stands."""
        return self._slots.setdefault(name, len(self._slots))

    def of(self, e: Expression) -> Meaning:
        """The function that an expression is."""
        match e:
            case Constant(value=value, kind=kind):
                constant = int(value) if kind == "int" else Fraction(value)
                return lambda run: constant
            case BooleanConstant(value=flag):
                return lambda run: flag
            case Label(value=label):
                return lambda run: label
            case Name(name=name) | Whole(array=name):
                return self.whole(name)
            case Length(array=name):
                return self._length(name)
            case Cell(array=name, index=index):
                if self._crowd is not None and name in self._crowd.names:
                    return self._private_cell(self._crowd, name, self.of(index), e.span)
                return self._cell(self.slot(name), self.of(index), e.span)
            case Arithmetic():
                return self._arithmetic(e)
            case Comparison():
                return self._comparison(e)
            case Connective(operator=operator, members=members):
                stop, parts = operator == "or", [self.condition(m) for m in members]
                if stop:
                    return lambda run: any(p(run) for p in parts)
                return lambda run: all(p(run) for p in parts)
            case Negation(inner=inner):
                denied = self.condition(inner)
                return lambda run: not denied(run)
            case Conditional(test=test, yes=yes, no=no):
                choose, first, second = self.condition(test), self.of(yes), self.of(no)
                return lambda run: first(run) if choose(run) else second(run)
            case Builtin():
                return self._builtin(e)
            case Let(names=names, values=values, body=body):
                return self._let([self.slot(n) for n in names], [self.of(v) for v in values], body)
        raise Declined(f"{type(e).__name__} is not enumerated")

    def whole(self, name: str) -> Meaning:
        """All that a name stands for."""
        if self._crowd is not None and name in self._crowd.names:
            return self._crowd.reader(name)
        place = self.slot(name)
        return lambda run: run[place]

    def _length(self, name: str) -> Meaning:
        if self._crowd is not None and name in self._crowd.names:
            length = self._crowd.length(name)
            return lambda run: length
        place = self.slot(name)
        return lambda run: len(run[place])  # type: ignore[arg-type]

    def condition(self, e: Expression) -> Callable[[Variables], bool]:
        """The function of an expression that decides something."""
        inner = self.of(e)

        def decide(run: Variables) -> bool:
            found = inner(run)
            if found is True or found is False:
                return found
            raise Declined("a value that is no Boolean is used as a condition")

        surely = isinstance(e, Comparison | Connective | Negation | BooleanConstant)
        return inner if surely else decide  # type: ignore[return-value]

    def _let(self, places: list[int], values: list[Meaning], body: Expression) -> Meaning:
        inner = self.of(body)

        def bind(run: Variables) -> Value:
            found = [v(run) for v in values]
            for place, value in zip(places, found, strict=True):
                run[place] = value
            return inner(run)

        return bind

    def _cell(self, place: int, index: Meaning, span: Span) -> Meaning:
        def read(run: Variables) -> Value:
            i, values = index(run), run[place]
            if type(i) is not int:
                raise Declined("an index that is no int")
            if 0 <= i < len(values):  # type: ignore[arg-type]
                return values[i]  # type: ignore[index]
            raise Failure(span, f"the index {i} is out of range")

        return read

    def _private_cell(self, crowd: Crowd, name: str, index: Meaning, span: Span) -> Meaning:
        length = crowd.length(name)

        def read(run: Variables) -> Value:
            i = index(run)
            if type(i) is not int:
                raise Declined("an index that is no int")
            if 0 <= i < length:
                return crowd.read(name, i)
            raise Failure(span, f"the index {i} is out of range")

        return read

    def _arithmetic(self, e: Arithmetic) -> Meaning:
        left, right, span = self.of(e.left), self.of(e.right), e.span
        frame = self._frame

        def plus(run: Variables) -> Value:
            x, y = left(run), right(run)
            if type(x) is int and type(y) is int:
                return x + y
            x, y = numeric(x), numeric(y)
            if isinstance(x, Ratio) or isinstance(y, Ratio):
                return frame.add(x, y)
            return signed(x + y, SignedZero in (type(x), type(y)))

        def minus(run: Variables) -> Value:
            x, y = left(run), right(run)
            if type(x) is int and type(y) is int:
                return x - y
            x, y = numeric(x), numeric(y)
            if isinstance(x, Ratio) or isinstance(y, Ratio):
                return frame.subtract(x, y)
            negated = type(x) is int and x == 0  # so the parser writes -y
            return signed(x - y, negated or SignedZero in (type(x), type(y)))

        def times(run: Variables) -> Value:
            x, y = left(run), right(run)
            if type(x) is int and type(y) is int:
                return x * y
            x, y = numeric(x), numeric(y)
            if isinstance(x, Ratio) or isinstance(y, Ratio):
                return signed(frame.multiply(x, y), True)
            return signed(x * y, x < 0 or y < 0 or SignedZero in (type(x), type(y)))

        def over(run: Variables) -> Value:
            x, y = numeric(left(run)), numeric(right(run))
            if y == 0:
                raise Failure(span, "it divides by zero")
            if isinstance(x, Ratio) or isinstance(y, Ratio):
                return signed(frame.divide(x, y), True)
            return signed(Fraction(x) / y, x < 0 or y < 0 or type(x) is SignedZero)

        def whole(run: Variables) -> Value:
            x, y = numeric(left(run)), numeric(right(run))
            if isinstance(x, Ratio) or isinstance(y, Ratio):
                raise Declined(f"'{e.operator}' of a real parameter")
            if y == 0:
                raise Failure(span, "it divides by zero")
            found = x // y if e.operator == "//" else x % y
            if type(x) is int and type(y) is int:
                return found
            return signed(Fraction(found), x < 0 or y < 0 or type(x) is SignedZero)

        return {"+": plus, "-": minus, "*": times, "/": over}.get(e.operator, whole)

    def _comparison(self, e: Comparison) -> Meaning:
        left, right, operator = self.of(e.left), self.of(e.right), e.operator
        if operator in ("is", "is not", "==", "!="):
            wanted = operator in ("is", "==")
            return lambda run: self._same(left(run), right(run)) is wanted
        if operator in ("<", "<="):
            left, right = right, left
        strict = operator in ("<", ">")

        def above(run: Variables) -> Value:
            x, y = left(run), right(run)
            return x > y if type(x) is int and type(y) is int else self.at_least(x, y, True)

        def not_below(run: Variables) -> Value:
            x, y = left(run), right(run)
            return x >= y if type(x) is int and type(y) is int else self.at_least(x, y, False)

        return above if strict else not_below

    def at_least(self, x: Value, y: Value, strict: bool) -> bool:
        """``x >= y``, or ``x > y``, if that is the same for all parameters."""
        a, b = numeric(x), numeric(y)
        if not isinstance(a, Ratio) and not isinstance(b, Ratio):
            return a > b if strict else a >= b
        found = self._frame.sign_of(self._frame.subtract(a, b), strict)
        if found is None:
            raise Declined("a real parameter is compared with something")
        return found

    def _same(self, x: Value, y: Value) -> bool:
        if type(x) is int and type(y) is int:
            return x == y
        if isinstance(x, str | None) or isinstance(y, str | None):
            return x is y if x is None or y is None else x == y
        if isinstance(x, bool) and isinstance(y, bool):
            return x is y
        a, b = numeric(x), numeric(y)
        if not isinstance(a, Ratio) and not isinstance(b, Ratio):
            return a == b
        gap = self._frame.subtract(a, b)
        if gap == 0:
            return True
        if any(self._frame.sign_of(gap, strict) is strict for strict in (True, False)):
            return False
        raise Declined("a real parameter is compared with something")

    def _builtin(self, e: Builtin) -> Meaning:
        arguments, function = [self.of(a) for a in e.arguments], e.function

        def extreme(run: Variables) -> Value:
            first, *more = [numeric(a(run)) for a in arguments]
            for value in more:
                low, high = (value, first) if function == "min" else (first, value)
                if self.at_least(high, low, True):
                    first = value
            return first

        def single(run: Variables) -> Value:
            x = numeric(arguments[0](run))
            if function == "exp":
                return self._frame.exponential(x)
            if type(x) is int:
                return abs(x) if function == "abs" else x
            if function == "index":
                raise Declined("a float stands where an int is needed")
            if isinstance(x, Ratio):
                raise Declined(f"'{function}' of a real parameter")
            if function == "abs":
                return abs(Fraction(x))
            exact = Fraction(x)
            return math.trunc(exact) if function == "int" else round(exact)

        if function not in ("min", "max", "exp", "abs", "int", "round", "index"):
            raise Declined(f"'{function}' is not enumerated")
        return extreme if function in ("min", "max") else single


def numeric(x: Value) -> int | Fraction | Ratio:
    """A value as a number."""
    if type(x) is int or isinstance(x, Fraction | Ratio):
        return x
    raise Declined("a value that is no number is used as one")


class SignedZero(Fraction):
    """A float that is zero, perhaps with a minus sign: as a number it is zero.

    Python tells -0.0 from 0.0 when it is released, and nowhere else.
    """


_ZERO = SignedZero()


def signed(found: int | Fraction | Ratio, perhaps: bool) -> Fraction | Ratio:
    """A float result; a zero may have a minus sign if ``perhaps`` says so."""
    if isinstance(found, Ratio):
        return found
    return _ZERO if perhaps and not found else Fraction(found)
