"""What an expression means in one run: a number, a condition, or a mark that stands for itself.

Python's order of evaluation is kept: what an operation needs (a divisor that is not zero, an index
in range) is owed where it is reached, and only there.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import NamedTuple

from ..arithmetic import (
    FALSE,
    TRUE,
    ZERO,
    Condition,
    Polynomial,
    Wrong,
    add,
    both,
    constant,
    either,
    scaled,
    times,
    value_of,
)
from ..language.syntax import shown
from .powers import Registry, exponential, inverse, logarithm, root, without_squares


class Num(NamedTuple):
    """A number, and what Python has: ``int``, ``float``, or ``either`` where ways disagree."""

    term: Polynomial
    kind: str


class Mark(NamedTuple):
    """``None`` or a string."""

    mark: str | None


Value = Num | Mark | Condition


class Meaningless(Wrong):
    """A step that no run can take: that none comes to it has to be shown."""


class Evaluator(ABC):
    """Evaluates expressions; who inherits says what names, cells and further words mean."""

    def __init__(self, unknowns: Registry) -> None:
        self.unknowns = unknowns
        self._bound: dict[str, Value] = {}
        self._reached: list[Condition] = []

    @abstractmethod
    def variable(self, name: str) -> Value:
        """The value of a variable or scalar input."""

    @abstractmethod
    def cell(self, array: str, index: Polynomial) -> Value:
        """An element, at an index that is in range."""

    @abstractmethod
    def length(self, array: str) -> Polynomial:
        """How long a list or an input is."""

    @abstractmethod
    def owe(self, claim: Condition, why: str) -> None:
        """The claim must hold here."""

    @abstractmethod
    def define(self, fact: Condition) -> None:
        """A fact that is true by the definition of an unknown."""

    def is_unit(self, name: str) -> bool:
        """Whether an unknown is never zero, so that its inverse may cancel it."""
        return False

    def throughout(self, claim: Condition) -> bool:
        """Whether a condition is known to hold on all paths."""
        return claim == TRUE

    def settled(self, test: Condition) -> Condition:
        """A test, as plainly true or false where that is known."""
        return test

    def word(self, word: str, e: ast.Call) -> Value:
        """A call of a word that not everybody knows."""
        raise Meaningless(f"{shown(e)!r} means nothing here")

    def special(self, e: ast.expr) -> Value | None:
        """An expression that means something in particular, before all else."""
        return None

    def inverse(self, p: Polynomial) -> Polynomial:
        """``1 / p`` of a polynomial that is not zero."""
        return inverse(self, p)

    def exponential(self, power: Polynomial) -> Polynomial:
        """e to a power."""
        return exponential(self, power)

    def value(self, e: ast.expr) -> Value:
        """What an expression means.

        Raises:
            Meaningless: nothing.
        """
        found = self.special(e)
        if found is not None:
            return found
        match e:
            case ast.Constant(value=value):
                return _literal(value)
            case ast.Name(id=name):
                return self._bound[name] if name in self._bound else self.variable(name)
            case ast.Subscript(value=ast.Name(id=array), slice=place):
                index = self.integer(place)
                self._owe(
                    self.unknowns.compare(">=", index), f"an index of {array} is not negative"
                )
                below = self.unknowns.above(self.length(array), index)
                self._owe(below, f"an index of {array} is below its length")
                return self.cell(array, index)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                number = self.number(inner)
                return Num(scaled(number.term, -1), number.kind)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self.unknowns.negated(self.condition(inner))
            case ast.BinOp(op=op, left=left, right=right):
                return self._arithmetic(op, self.number(left), self.number(right), e)
            case ast.BoolOp(op=op, values=members):
                return self._connective(isinstance(op, ast.And), members)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(op, self.value(left), self.value(right), e)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return self._conditional(self.condition(test), yes, no, e)
            case ast.Call(func=ast.Lambda(args=parameters, body=body), args=values, keywords=[]):
                return self._let([p.arg for p in parameters.args], values, body)
            case ast.Call(func=ast.Name(id=word), keywords=[]):
                return self._called(word, e)
        raise Meaningless(f"{shown(e)!r} is no expression of the core language")

    def condition(self, e: ast.expr) -> Condition:
        """An expression that is a condition."""
        value = self.value(e)
        if isinstance(value, Num | Mark):
            raise Meaningless(f"{shown(e)!r} is no condition")
        return value

    def number(self, e: ast.expr) -> Num:
        """An expression that is a number."""
        value = self.value(e)
        if isinstance(value, Num):
            return value
        raise Meaningless(f"{shown(e)!r} is no number")

    def integer(self, e: ast.expr) -> Polynomial:
        """An expression that is an int."""
        value = self.number(e)
        if value.kind == "int":
            return value.term
        raise Meaningless(f"{shown(e)!r} is no int")

    def _owe(self, claim: Condition, why: str) -> None:
        claim = self.unknowns.implies(both(self._reached), claim)
        if claim != TRUE:
            self.owe(claim, why)

    def _under(self, condition: Condition, e: ast.expr) -> Value:
        self._reached.append(condition)
        try:
            return self.value(e)
        finally:
            self._reached.pop()

    def _let(self, names: list[str], values: list[ast.expr], body: ast.expr) -> Value:
        found = [self.value(v) for v in values]
        if len(found) != len(names):
            raise Meaningless("a helper with more or fewer values than parameters")
        outside = self._bound
        self._bound = {**outside, **dict(zip(names, found, strict=True))}
        try:
            return self.value(body)
        finally:
            self._bound = outside

    def _connective(self, conjunction: bool, members: list[ast.expr]) -> Condition:
        found: list[Condition] = []
        for member in members:
            so_far = both(found if conjunction else map(self.unknowns.negated, found))
            if so_far == FALSE:
                break  # Python never comes to the rest
            value = self._under(so_far, member)
            if isinstance(value, Num | Mark):
                raise Meaningless(f"{shown(member)!r} is no condition")
            found.append(value)
        return both(found) if conjunction else either(found)

    def _conditional(self, test: Condition, yes: ast.expr, no: ast.expr, e: ast.expr) -> Value:
        if test in (TRUE, FALSE):
            return self.value(yes if test == TRUE else no)
        other = self.unknowns.negated(test)
        one, two = self._under(test, yes), self._under(other, no)
        if isinstance(one, Num) and isinstance(two, Num):
            kind = one.kind if one.kind == two.kind else "either"
            return Num(self.choice(test, one.term, two.term), kind)
        if one == two:
            return one
        if isinstance(one, Num | Mark) or isinstance(two, Num | Mark):
            raise Meaningless(f"the arms of {shown(e)!r} are of two kinds")
        return either((both((test, one)), both((other, two))))

    def choice(self, test: Condition, yes: Polynomial, no: Polynomial) -> Polynomial:
        """``yes if test else no``: an unknown of which that is known."""
        if yes == no or test in (TRUE, FALSE):
            return no if test == FALSE else yes
        q = self.unknowns
        whole = q.is_whole(yes) and q.is_whole(no)
        found = q.of("if", (test, yes, no), whole)
        chosen = both((test, q.equal(found, yes))), both((q.negated(test), q.equal(found, no)))
        self.define(either(chosen))
        return found

    def size(self, p: Polynomial) -> Polynomial:
        """``abs(p)``."""
        return self.choice(self.settled(self.unknowns.compare(">=", p)), p, scaled(p, -1))

    def _compared(self, op: ast.cmpop, left: Value, right: Value, e: ast.expr) -> Condition:
        q, equal = self.unknowns, isinstance(op, ast.Eq | ast.Is)
        if isinstance(left, Num) and isinstance(right, Num):
            a, b = left.term, right.term
            match op:
                case ast.Eq():
                    return q.equal(a, b)
                case ast.NotEq():
                    return q.negated(q.equal(a, b))
                case ast.Lt() | ast.LtE():
                    a, b = b, a
            if isinstance(op, ast.Lt | ast.Gt):
                return q.above(a, b)
            if isinstance(op, ast.LtE | ast.GtE):
                return q.at_least(a, b)
        elif isinstance(left, Mark) or isinstance(right, Mark):
            if isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
                return TRUE if (left == right) == equal else FALSE
        elif not (isinstance(left, Num) or isinstance(right, Num)) and isinstance(
            op, ast.Eq | ast.NotEq
        ):
            same = q.same(left, right)
            return same if equal else q.negated(same)
        raise Meaningless(f"{shown(e)!r} compares what cannot be compared")

    def _called(self, word: str, e: ast.Call) -> Value:
        match word, e.args:
            case "len", [ast.Name(id=array)]:
                return Num(self.length(array), "int")
            case "index", [inner]:
                return Num(self.integer(inner), "int")
            case "abs", [inner]:
                number = self.number(inner)
                return Num(self.size(number.term), number.kind)
            case (("min" | "max"), [_, _, *_]):
                first, *rest = map(self.number, e.args)
                for one in rest:
                    low, high = (one, first) if word == "min" else (first, one)
                    test = self.unknowns.above(high.term, low.term)
                    kind = first.kind if first.kind == one.kind else "either"
                    first = Num(self.choice(test, one.term, first.term), kind)
                return first
            case (("int" | "round"), [inner]):
                number = self.number(inner)
                if number.kind == "int":
                    return number
                return Num(self._function(word, (number.term,), True), "int")
            case (("log" | "sqrt"), [inner]):
                term = self.number(inner).term
                self._owe(self.unknowns.compare(">" if word == "log" else ">=", term), f"a {word}")
                return Num((root if word == "sqrt" else logarithm)(self, term), "float")
            case "exp", [inner]:
                return Num(self.exponential(self.number(inner).term), "float")
        return self.word(word, e)

    def _arithmetic(self, op: ast.operator, left: Num, right: Num, e: ast.expr) -> Num:
        x, y, kinds = left.term, right.term, {left.kind, right.kind}
        kind = "float" if "float" in kinds else "int" if kinds == {"int"} else "either"
        match op:
            case ast.Add():
                return Num(add(x, y), kind)
            case ast.Sub():
                return Num(add(x, y, -1), kind)
            case ast.Mult():
                return Num(without_squares(self, times(x, y)), kind)
            case ast.Div() | ast.FloorDiv() | ast.Mod():
                zero = self.unknowns.compare("=", y)
                self._owe(self.unknowns.negated(zero), "a divisor is not zero")
                if isinstance(op, ast.Div):
                    share = ZERO if zero == TRUE else times(x, self.inverse(y))
                    return Num(without_squares(self, share), "float")
                word = "//" if isinstance(op, ast.FloorDiv) else "%"
                whole = word == "//" or (self.unknowns.is_whole(x) and self.unknowns.is_whole(y))
                return Num(ZERO if zero == TRUE else self._function(word, (x, y), whole), kind)
        raise Meaningless(f"{shown(e)!r} is no arithmetic of the core language")

    def _function(self, word: str, terms: tuple[Polynomial, ...], whole: bool) -> Polynomial:
        """A function into which no proof looks: of the same it gives the same."""
        known = [value_of(p) for p in terms]
        numbers = [Fraction(k) for k in known if k is not None]
        if len(numbers) < len(terms):
            # No unknown begins with a stroke but inverses.
            return self.unknowns.of({"//": "floor", "%": "rest"}.get(word, word), terms, whole)
        match word:
            case "//":
                return constant(numbers[0] // numbers[1])
            case "%":
                return constant(numbers[0] % numbers[1])
            case "round":
                return constant(round(numbers[0]))
        return constant(int(numbers[0]))


def _literal(value: object) -> Value:
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, int):
        return Num(constant(value), "int")
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return Num(constant(Fraction(repr(value))), "float")
    if value is None or isinstance(value, str):
        return Mark(value)
    raise Meaningless("a constant of another kind")
