"""What expressions of the core language are on concrete values, in Python's order of evaluation.

An int is an int, a float a ``Quotient``, a condition a ``Bit`` (which no int is), and ``None`` and
strings are themselves; a list is a tuple.  Each expression becomes a function of the variables and
the private inputs of a run, by name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from typing import Any

from ..arithmetic import MOST_BITS, Wrong, spend
from ..language.syntax import shown
from .quotients import Numbers, Quotient


class Bit(Enum):
    """A condition that is false or true."""

    NO = False
    YES = True


#: Stands for an element of which nothing may be told; it is no number, condition or mark.
HIDDEN = object()


class Raises(Wrong):
    """Python raises an error here, whatever the parameters are."""


#: Gives a value from variables, and from private inputs.
Concrete = Callable[[Mapping[str, Any], Mapping[str, Any]], Any]


class Meaning:
    """Reads expressions: names are variables, or else private inputs.

    ``whole`` are texts that stand for a variable each, as ``other(f[any])`` in a relation.
    """

    def __init__(
        self,
        numbers: Numbers,
        private: frozenset[str] = frozenset(),
        whole: frozenset[str] = frozenset(),
    ) -> None:
        self.numbers, self.private, self.whole = numbers, private, whole

    def of(self, e: ast.expr) -> Concrete:
        """The function that an expression is.

        Raises:
            Wrong: it is none of the core language.
        """
        of, numbers = self.of, self.numbers
        if self.whole and (text := ast.unparse(e)) in self.whole:
            return lambda v, p: v[text]
        match e:
            case ast.Constant(value=bool() as on):
                bit = Bit(on)
                return lambda v, p: bit
            case ast.Constant(value=float() as real) if real - real == 0:
                number = numbers.plain(Fraction(repr(real)))
                return lambda v, p: number
            case ast.Constant(value=int() | str() | None as same):
                return lambda v, p: same
            case ast.Name(id=name):
                return self._name(name)
            case ast.Subscript(value=ast.Name(id=array), slice=place):
                cells, index = self._name(array), of(place)
                return lambda v, p: _cell(cells(v, p), index(v, p))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return of(ast.BinOp(ast.Constant(0), ast.Sub(), inner))
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                test = of(inner)
                return lambda v, p: Bit(not is_true(test(v, p)))
            case ast.BinOp(op=op, left=left, right=right):
                one, two, how = of(left), of(right), type(op)
                return lambda v, p: self._computed(how, one(v, p), two(v, p))
            case ast.BoolOp(op=op, values=members):
                tests, stop = list(map(of, members)), isinstance(op, ast.Or)
                return lambda v, p: Bit(any(is_true(t(v, p)) is stop for t in tests) is stop)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                one, two, how_so = of(left), of(right), type(op)
                return lambda v, p: Bit(self.compared(how_so, one(v, p), two(v, p)))
            case ast.IfExp(test=test_, body=yes, orelse=no):
                test, one, two = of(test_), of(yes), of(no)
                return lambda v, p: (one if is_true(test(v, p)) else two)(v, p)
            case ast.Call(func=ast.Lambda(args=a, body=body), args=values, keywords=[]):
                names, given, inside = [x.arg for x in a.args], list(map(of, values)), of(body)
                if len(names) != len(given):
                    raise Wrong("a helper with more or fewer values than parameters")
                return lambda v, p: inside(
                    {**v, **dict(zip(names, [g(v, p) for g in given], strict=True))}, p
                )
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=array)], keywords=[]):
                cells = self._name(array)
                return lambda v, p: len(cells_of(cells(v, p)))
            case ast.Call(func=ast.Name(id=word), args=[_, *_] as values, keywords=[]):
                given = list(map(of, values))
                return lambda v, p: self._called(word, [g(v, p) for g in given])
        raise Wrong(f"{shown(e)!r} is not counted")

    def _name(self, name: str) -> Concrete:
        if name in self.private:
            return lambda v, p: p[name]
        return lambda v, p: v[name]

    def real(self, value: Any) -> Quotient:
        """A number as a quotient."""
        if type(value) is int:
            return self.numbers.plain(value)
        if isinstance(value, Quotient):
            return value
        raise Wrong("a value that is no number")

    def compared(self, op: type[ast.cmpop], a: Any, b: Any) -> bool:
        """Whether a comparison holds, for all parameters."""
        if type(a) is int and type(b) is int and op in _OF_INTS:
            return _OF_INTS[op](a, b)
        equal = op in (ast.Eq, ast.Is)
        if isinstance(a, int | Quotient) and isinstance(b, int | Quotient):
            a, b = self.real(a), self.real(b)
            if op in (ast.Eq, ast.NotEq):
                return self.numbers.is_equal(a, b) is equal
            if op in (ast.Lt, ast.LtE):
                a, b = b, a
            if op in (ast.Lt, ast.Gt, ast.LtE, ast.GtE):
                return self.numbers.is_at_least(a, b, op in (ast.Lt, ast.Gt))
        elif op in (ast.Eq, ast.NotEq) and isinstance(a, Bit) and isinstance(b, Bit):
            return (a is b) is equal
        elif a is HIDDEN or b is HIDDEN:
            raise Wrong("a private element, where none is known")
        elif op in (ast.Eq, ast.NotEq, ast.Is, ast.IsNot) and (_is_mark(a) or _is_mark(b)):
            return (type(a) is type(b) and a == b) is equal
        raise Wrong("what cannot be compared is compared")

    def _computed(self, op: type[ast.operator], a: Any, b: Any) -> Any:
        spend(1)
        if type(a) is int and type(b) is int and op is not ast.Div:
            if op in (ast.FloorDiv, ast.Mod) and b == 0:
                raise Raises("a division by zero")
            found = _ON_INTS[op](a, b)
            if found.bit_length() > MOST_BITS:
                raise Wrong(f"an integer of more than {MOST_BITS} bits")
            return found
        q, one, two = self.numbers, self.real(a), self.real(b)
        match op:
            case ast.Add:
                return q.plus(one, two)
            case ast.Sub:
                return q.minus(one, two)
            case ast.Mult:
                return q.by(one, two)
        if two is q.zero:
            raise Raises("a division by zero")
        if op is ast.Div:
            return q.by(one, q.inverse(two))
        x, y = one.value, two.value
        if x is None or y is None:
            raise Wrong("a division with a remainder, of parameters")
        return q.plain(x // y if op is ast.FloorDiv else x % y)

    def _called(self, word: str, given: list[Any]) -> Any:
        match word, given:
            case "index", [int() as value]:
                return value
            case "abs", [value]:
                small = self.compared(ast.Lt, value, 0)
                return self._computed(ast.Sub, 0, value) if small else value
            case "min" | "max", [first, _, *_]:
                for one in given[1:]:
                    low, high = (one, first) if word == "min" else (first, one)
                    first = one if self.compared(ast.Lt, low, high) else first
                return first
            case "int" | "round", [value]:
                exact = self.real(value).value
                if exact is None:
                    raise Wrong("a parameter is rounded")
                return int(exact) if word == "int" else round(exact)
            case "exp", [value]:
                return self.numbers.exponential(self.real(value))
        raise Wrong(f"{word!r} is not counted")


def is_true(value: Any) -> bool:
    """The truth of a condition."""
    if isinstance(value, Bit):
        return value is Bit.YES
    raise Wrong("a condition that is none")


def cells_of(value: Any) -> tuple[Any, ...]:
    """The elements of a list."""
    if type(value) is tuple:
        return value
    raise Wrong("a list that is none")


def _cell(cells: Any, index: Any) -> Any:
    if type(index) is not int or not 0 <= index < len(cells_of(cells)):
        raise Raises("an index out of range")
    return cells[index]


def _is_mark(value: Any) -> bool:
    return value is None or isinstance(value, str)


_OF_INTS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: int.__eq__, ast.NotEq: int.__ne__, ast.Lt: int.__lt__,
    ast.LtE: int.__le__, ast.Gt: int.__gt__, ast.GtE: int.__ge__,
}  # fmt: skip
_ON_INTS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: int.__add__, ast.Sub: int.__sub__, ast.Mult: int.__mul__,
    ast.FloorDiv: int.__floordiv__, ast.Mod: int.__mod__,
}  # fmt: skip
