"""Terms of Rocq, and what expressions of the core language are as such terms."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from ....dsl.errors import Unsupported
from .layout import closes

#: Whole numbers, real numbers, truth values; a whole number or None; lists; what else is released.
Sort: TypeAlias = Literal[
    "Z", "R", "bool", "option Z", "array Z", "array R", "array bool", "None", "mark"
]

_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_TESTS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=", ast.Is: "=",
    ast.NotEq: "<>", ast.IsNot: "<>",
}  # fmt: skip
_TURNED = {">": "<", ">=": "<="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "<>", "<>": "="}
#: What takes two numbers, for each sort.
_FUNCTIONS = {"abs": ("Z.abs", "Rabs"), "min": ("Z.min", "Rmin"), "max": ("Z.max", "Rmax")}


class NoTheorem(Unsupported):
    """What is outside of the generator: there may be a proof, but no theorem is made of it."""

    def __init__(self, what: str) -> None:
        super().__init__(what, None, "its certificate can be checked by `shiftproof check`")


@dataclass(frozen=True, slots=True)
class Term:
    """An operation on terms, or a word by itself.

    ``op``: ``word`` (``text`` applied to the parts), ``number``, one of ``+ - * / neg``, a test
    (``< <= = <>`` with both parts of one sort), ``and or not if true false``, ``fun`` of ``text``.
    """

    sort: Sort
    op: str
    parts: tuple[Term, ...] = ()
    text: str = ""
    value: Fraction = Fraction(0)

    def put(self, name: str, given: Term) -> Term:
        """With a term in the place of a name."""
        if self.op == "word" and self.text == name and not self.parts:
            return given
        return replace(self, parts=tuple(part.put(name, given) for part in self.parts))

    def reads(self, name: str) -> bool:
        """Whether it mentions a name."""
        return (self.op == "word" and self.text == name) or any(p.reads(name) for p in self.parts)


def word(text: str, sort: Sort, *parts: Term) -> Term:
    """A name, or a function applied."""
    return Term(sort, "word", parts, text)


def number(value: Fraction | int, sort: Sort) -> Term:
    """A literal."""
    return Term(sort, "number", value=Fraction(value))


def real(term: Term) -> Term:
    """The same number, as a real one."""
    if term.sort == "R":
        return term
    if term.sort != "Z":
        raise NoTheorem("a truth value or None in the place of a number")
    return replace(term, sort="R") if term.op == "number" else word("IZR", "R", term)


def alike(*terms: Term) -> tuple[Term, ...]:
    """Numbers, all whole or all real."""
    whole = all(t.sort == "Z" for t in terms)
    return terms if whole else tuple(map(real, terms))


def of_sort(term: Term, sort: Sort) -> Term:
    """A term in the place of another one of this sort."""
    if term.sort == sort:
        return term
    if sort == "R":
        return real(term)
    if sort == "option Z" and term.sort == "None":
        return word("None", sort)
    if sort == "option Z" and term.sort == "Z":
        return word("Some", sort, term)
    if sort == "Z" and term.sort == "option Z":
        return word("number_of", sort, term)
    raise NoTheorem("a variable that is a number here and something else there")


def negated(test: Term) -> Term:
    """The opposite of a test."""
    match test.op:
        case "not":
            return test.parts[0]
        case "true" | "false":
            return replace(test, op="false" if test.op == "true" else "true")
        case "and" | "or":
            op = "or" if test.op == "and" else "and"
            return Term("bool", op, tuple(map(negated, test.parts)))
        case op if op in _OPPOSITE and test.parts[0].sort != "bool":
            return comparison(_OPPOSITE[op], *test.parts)
    return Term("bool", "not", (test,))


def comparison(op: str, left: Term, right: Term) -> Term:
    """A test; of what is greater and what is less it says that this is less."""
    if op in _TURNED:
        op, left, right = _TURNED[op], right, left
    return Term("bool", op, (left, right))


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads expressions of the core language, on one side of a pair of runs.

    Attributes:
        variable: what a variable or scalar input is on this side.
        cell: what an element of an input is.
        length: the length of an input.
        count: how many records of a data set meet a test.
        special: what has a meaning of its own, before all else.
        other: a reader for the other side, where both are spoken of.
        let: what the names of a helper stand for.
    """

    variable: Callable[[str], Term]
    cell: Callable[[str, Term], Term]
    length: Callable[[str], Term]
    count: Callable[[Reader, ast.expr, str], Term]
    special: Callable[[ast.expr], Term | None] = lambda e: None
    other: Callable[[], Reader] | None = None
    let: Mapping[str, Term] | None = None

    def of(self, e: ast.expr) -> Term:
        """The term of an expression.

        Raises:
            NoTheorem: it is none of those that theorems are made of.
        """
        found = self.special(e)
        if found is not None:
            return found
        match e:
            case ast.Constant(value=bool() as value):
                return Term("bool", "true" if value else "false")
            case ast.Constant(value=int() as value):
                return number(value, "Z")
            case ast.Constant(value=float() as value):
                return number(Fraction(repr(value)), "R")
            case ast.Constant(value=None):
                return word("VNone", "None")
            case ast.Constant(value=str() as value) if value.isascii() and '"' not in value:
                return word(f'(VLabel "{value}")', "mark")
            case ast.Name(id=name):
                return self.let[name] if self.let and name in self.let else self.variable(name)
            case ast.Subscript(value=ast.Name(id=array), slice=place):
                return self.cell(array, self._whole(place))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                term = self._number(inner)
                if term.op == "number":
                    return replace(term, value=-term.value)
                return Term(term.sort, "neg", (term,))
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return negated(self.test(inner))
            case ast.BinOp(op=op, left=left, right=right):
                return self._arithmetic(op, self._number(left), self._number(right))
            case ast.BoolOp(op=op, values=members):
                parts = tuple(map(self.test, members))
                return Term("bool", "and" if isinstance(op, ast.And) else "or", parts)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _TESTS:
                return self._compared(_TESTS[type(op)], self.of(left), self.of(right))
            case ast.IfExp(test=test, body=yes, orelse=no):
                return chosen(self.test(test), self.of(yes), self.of(no))
            case ast.Call(func=ast.Lambda(args=parameters, body=body), args=values, keywords=[]):
                names = [p.arg for p in parameters.args]
                bound = dict(zip(names, map(self.of, values), strict=True))
                return replace(self, let={**(self.let or {}), **bound}).of(body)
            case ast.Call(func=ast.Name(id=name), args=values, keywords=[]):
                return self._called(name, values, e)
        raise NoTheorem(f"'{ast.unparse(e)[:60]}'")

    def test(self, e: ast.expr) -> Term:
        """The term of a condition."""
        term = self.of(e)
        if term.sort != "bool":
            raise NoTheorem(f"'{ast.unparse(e)[:60]}' as a condition")
        return term

    def _number(self, e: ast.expr) -> Term:
        term = self.of(e)
        if term.sort == "option Z":
            return word("number_of", "Z", term)
        if term.sort not in ("Z", "R"):
            raise NoTheorem(f"'{ast.unparse(e)[:60]}' as a number")
        return term

    def _whole(self, e: ast.expr) -> Term:
        return of_sort(self._number(e), "Z")

    def _arithmetic(self, op: ast.operator, left: Term, right: Term) -> Term:
        if isinstance(op, ast.Div):
            return Term("R", "/", (real(left), real(right)))
        if type(op) in _ARITHMETIC:
            parts = alike(left, right)
            return Term(parts[0].sort, _ARITHMETIC[type(op)], parts)
        if left.sort == right.sort == "Z" and isinstance(op, ast.FloorDiv | ast.Mod):
            name = "Z.div" if isinstance(op, ast.FloorDiv) else "Z.modulo"
            return word(name, "Z", left, right)
        raise NoTheorem(f"the operator {type(op).__name__} of real numbers")

    def _compared(self, op: str, left: Term, right: Term) -> Term:
        if {left.sort, right.sort} & {"None", "option Z"}:
            return _compared_with_none(op, left, right)
        if "mark" in (left.sort, right.sort):
            if op not in ("=", "<>") or left.sort != right.sort or left.parts or right.parts:
                raise NoTheorem("a comparison with None or a label")
            return Term("bool", "true" if (left.text == right.text) == (op == "=") else "false")
        if left.sort == right.sort == "bool":
            same = Term("bool", "=", (left, right))
            return same if op == "=" else Term("bool", "not", (same,))
        return comparison(op, *alike(left, right))

    def _called(self, name: str, values: list[ast.expr], e: ast.expr) -> Term:
        match name, values:
            case "len", [ast.Name(id=array)]:
                return self.length(array)
            case "count", [test, ast.Name(id=data)]:
                return self.count(self, test, data)
            case "index", [inner]:
                return self._whole(inner)
            case "other", [inner] if self.other is not None:
                return self.other().of(inner)
            case (("exp" | "sqrt"), [inner]):
                return word(name, "R", real(self._number(inner)))
            case "log", [inner]:
                return word("ln", "R", real(self._number(inner)))
            case (("abs" | "min" | "max"), _):
                first, *rest = alike(*map(self._number, values))
                named = _FUNCTIONS[name][first.sort == "R"]
                if name == "abs":
                    return word(named, first.sort, first)
                for one in rest:
                    first = word(named, first.sort, first, one)
                return first
        raise NoTheorem(f"'{ast.unparse(e)[:60]}'")


def _compared_with_none(op: str, left: Term, right: Term) -> Term:
    """Whether two are the same, of which one is None, or may be."""
    one, other = (right, left) if right.sort == "option Z" else (left, right)
    match one.sort, other.sort:
        case "option Z", "None":
            same = word("is_none", "bool", one)
        case "option Z", "Z":
            equal = comparison("=", word("number_of", "Z", one), other)
            same = Term("bool", "and", (negated(word("is_none", "bool", one)), equal))
        case "option Z", _:
            raise NoTheorem("a comparison of what may be None")
        case _:
            same = Term("bool", "true" if one.sort == other.sort else "false")
    if op not in ("=", "<>"):
        raise NoTheorem("an order of what may be None")
    return same if op == "=" else negated(same)


def chosen(test: Term, yes: Term, no: Term) -> Term:
    """``yes if test else no``."""
    if test.op in ("true", "false"):
        return yes if test.op == "true" else no
    if yes.sort != no.sort:
        yes, no = alike(yes, no)
    return yes if yes == no else Term(yes.sort, "if", (test, yes, no))


# How terms are written.

_LEVELS = {"+": 50, "-": 50, "*": 40, "/": 40, "and": 40, "or": 50}


def text(term: Term, scope: Sort = "R") -> str:
    """A term where this is the scope of numbers."""
    match term.op:
        case "number":
            return _literal(term, scope)
        case "word":
            parts = [_argument(p) for p in term.parts]
            return " ".join([term.text, *parts]) if parts else term.text
        case "true" | "false":
            return term.op
        case "fun":
            return f"fun {term.text} => {text(term.parts[0], 'bool')}"
        case "not":
            return f"negb {_argument(term.parts[0])}"
        case "if":
            test, yes, no = term.parts
            arms = f"then {text(yes, scope)} else {text(no, scope)}"
            asked = text(test, scope)
            asked = f"({asked})%R" if scope == "Z" and _of_reals(test) else asked
            return f"if {asked} {arms}"
        case "and" | "or":
            sign = " && " if term.op == "and" else " || "
            return sign.join(_inside(p, "bool", 30) for p in term.parts)
        case "<" | "<=" | "=" | "<>":
            return _tested(term)
    inner = _operation(term)
    return inner if term.sort == scope else f"({inner})%{term.sort}"


def _of_reals(test: Term) -> bool:
    """Whether it compares real numbers."""
    return test.sort == "bool" and any(p.sort == "R" or _of_reals(p) for p in test.parts)


def _operation(term: Term) -> str:
    level = _LEVELS.get(term.op, 35)
    if term.op == "neg":
        return f"- {_inside(term.parts[0], term.sort, 20)}"
    left, right = term.parts
    return f"{_inside(left, term.sort, level)} {term.op} {_inside(right, term.sort, level - 1)}"


def _tested(term: Term) -> str:
    left, right = term.parts
    if left.sort == "bool":
        return f"Bool.eqb {_argument(left)} {_argument(right)}"
    shown = "=" if term.op == "<>" else term.op
    inner = f"({_inside(left, left.sort, 60)} {shown}? {_inside(right, left.sort, 60)})"
    inner = inner if left.sort == "R" else f"{inner}%Z"
    return f"negb {inner}" if term.op == "<>" else inner


def _inside(term: Term, scope: Sort, level: int) -> str:
    shown = text(term, scope)
    own = _LEVELS.get(term.op, 35 if term.op == "neg" else 100 if term.op == "if" else 0)
    if term.op == "not" or (term.op == "<>" and scope == "bool"):
        own = 10
    if term.op == "number" and (term.value < 0 or term.value.denominator > 1):
        own = 35
    is_closed = shown.startswith("(") and own and term.sort != scope and term.op in _LEVELS
    return f"({shown})" if own > level and not is_closed else shown


def _argument(term: Term) -> str:
    """A term as an argument of a function, whatever the scope is there."""
    if term.op == "number":
        shown = _literal(term, term.sort)
        plain = term.value >= 0 and term.value.denominator == 1
        return f"{shown if plain else f'({shown})'}%{term.sort}"
    shown = text(term, "bool")
    return shown if (shown.startswith("(") and closes(shown)) or " " not in shown else f"({shown})"


def _literal(term: Term, scope: Sort) -> str:
    value = term.value
    shown = str(abs(value.numerator))
    if value.denominator > 1:
        shown = f"{shown} / {value.denominator}"
    shown = f"- {shown}" if value < 0 else shown
    if scope == term.sort:
        return shown
    return f"({shown})%{term.sort}" if " " in shown else f"{shown}%{term.sort}"


# Conditions as propositions.


def proposition(test: Term) -> str:
    """What a condition says."""
    match test.op:
        case "true" | "false":
            return "True" if test.op == "true" else "False"
        case "not":
            return f"~ {closed(proposition(test.parts[0]))}"
        case "and" | "or":
            sign = " /\\ " if test.op == "and" else " \\/ "
            return sign.join(closed(proposition(p)) for p in test.parts)
        case "<" | "<=" | "=" | "<>" if test.parts[0].sort != "bool":
            left, right = test.parts
            inner = f"{_inside(left, left.sort, 60)} {test.op} {_inside(right, left.sort, 60)}"
            return inner if left.sort == "R" else f"({inner})%Z"
        case "if":
            test_, yes, no = test.parts
            held, other = proposition(test_), proposition(negated(test_))
            arms = f"({closed(held)} -> {closed(proposition(yes))})"
            return f"{arms} /\\ ({closed(other)} -> {closed(proposition(no))})"
    return f"{text(test, 'bool')} = true"


def closed(shown: str) -> str:
    """A proposition beside others."""
    return f"({shown})" if " /\\ " in shown or " \\/ " in shown or "->" in shown else shown
