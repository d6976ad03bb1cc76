"""Expressions as the text that a person would write, and what a normalised text says."""

from __future__ import annotations

import ast
import io
import tokenize
from fractions import Fraction
from functools import lru_cache

from ..errors import BadInput
from ..privacy.records import RECORD
from .syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Capped,
    Cell,
    Chosen,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Counted,
    Expression,
    Foretold,
    Gaps,
    Label,
    Length,
    Let,
    Name,
    Negation,
    Other,
    Predictable,
    Summed,
    Unless,
    Whole,
)

#: Python has it in identifiers; what a program calls a name with it in it is not read.
MARK = "\N{MIDDLE DOT}"

_STRENGTH = {
    "or": 1,
    "and": 2,
    "not": 3,
    "compare": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "//": 6,
    "%": 6,
}


def unparse(e: Expression) -> str:
    """The expression as source text, for people: names are those of the source."""
    return _Text(exact=False).of(e, 0)


def exact_text(e: Expression) -> str:
    """The expression as text that says all of it, with the names of the core text."""
    return _Text(exact=True).of(e, 0)


def identifier(name: str) -> str:
    """A name of the program as a Python identifier: a counter without a name is ``i·1``."""
    return name.replace("@", MARK)


class _Text:
    """Writes expressions; ``exact``: names as they are, and nothing that has no way back."""

    def __init__(self, *, exact: bool) -> None:
        self._exact = exact

    def _name(self, name: str) -> str:
        if self._exact:
            return "record" if name.startswith(RECORD) else identifier(name)
        return name.partition("@")[0]

    def of(self, e: Expression, around: float) -> str:
        """The text; in brackets if what is around binds more strongly."""
        match e:
            case Constant(value=value, kind=kind):
                shown = _number(value, kind)
                return _wrapped(shown, 6 if "/" in shown else 9, around)
            case BooleanConstant(value=flag):
                return str(flag)
            case Label(value=label):
                return repr(label)
            case Name(name=name):
                return self._name(name)
            case Cell(array=array, index=index):
                return f"{self._name(array)}[{self.of(index, 0)}]"
            case Length(array=array):
                return f"len({self._name(array)})"
            case Whole(array=array):
                return self._name(array)
            case Arithmetic(operator=op, left=left, right=right):
                strength = _STRENGTH[op]
                if op == "-" and isinstance(left, Constant) and left.value == 0:
                    return _wrapped(f"-{self.of(right, 7)}", strength, around)
                shown = f"{self.of(left, strength)} {op} {self.of(right, strength + 1)}"
                return _wrapped(shown, strength, around)
            case Comparison(operator=op, left=left, right=right):
                return _wrapped(f"{self.of(left, 5)} {op} {self.of(right, 5)}", 4, around)
            case Connective(operator=word, members=members):
                strength = _STRENGTH[word]
                return _wrapped(
                    f" {word} ".join(self.of(m, strength + 1) for m in members), strength, around
                )
            case Negation(inner=inner):
                return _wrapped(f"not {self.of(inner, 3)}", 3, around)
            case Conditional(test=test, yes=yes, no=no):
                return _wrapped(
                    f"{self.of(yes, 1)} if {self.of(test, 1)} else {self.of(no, 0)}", 0.5, around
                )
            case Builtin(function=function, arguments=arguments):
                whole = (
                    isinstance(arguments[0], Length) or getattr(arguments[0], "kind", "") == "int"
                )
                if function == "index" and (whole or not self._exact):
                    return self.of(arguments[0], around)
                return f"{function}({', '.join(self.of(a, 0) for a in arguments)})"
            case Other(inner=inner):
                return f"other({self.of(inner, 0)})"
            case Counted(data=data, test=test):
                return f"count({self.of(test, 0)}, {data})"
            case Foretold(which=which):
                return f"outcome({which or ''})"
            case Chosen(item=item):
                return _wrapped(f"{self.of(item, 5)} in outcome()", 4, around)
            case Gaps(low=low, high=high):
                return f"gaps({self.of(low, 0)}, {self.of(high, 0)})"
            case Unless(test=test, shift=shift):
                return f"unless({self.of(test, 0)}, {self.of(shift, 0)})"
            case Capped(shift=shift, end=end, most=most):
                return f"capped({', '.join(self.of(part, 0) for part in (shift, end, most))})"
            case Predictable(shift=shift, most=most):
                return f"predictable({self.of(shift, 0)}, {self.of(most, 0)})"
            case Summed(left=left):
                return f"summed({', '.join(self.of(name, 0) for name in left)})"
            case Let(names=names, values=values, body=body) if self._exact:
                given = ", ".join(self.of(v, 0) for v in values)
                return f"(lambda {', '.join(map(identifier, names))}: {self.of(body, 0)})({given})"
            case Let(names=names, values=values, body=body):
                bound = ", ".join(
                    f"{n.split('@')[0]} = {unparse(v)}" for n, v in zip(names, values, strict=True)
                )
                return f"({self.of(body, 0)} where {bound})"
        raise AssertionError(e)


def _wrapped(text: str, strength: float, around: float) -> str:
    return f"({text})" if strength < around else text


def _number(value: Fraction, kind: str) -> str:
    if kind == "int" and value.denominator == 1:
        return str(value)
    try:
        as_float = repr(float(value))
    except OverflowError:
        return str(value)
    return as_float if Fraction(as_float) == value else str(value)


# What a normalised text says, whichever version of Python wrote it down.
#
# ``ast.unparse`` differs in brackets and blanks from one version of Python to the next, and new
# versions add fields to nodes; what is compared here is the tree without what is empty.


@lru_cache(maxsize=256)
def structure(text: str) -> str:
    """A text's syntax tree as text; two normalised texts with the same one say the same.

    Raises:
        BadInput: the text does not parse, or holds a comment, which says what no tree says.
    """
    try:
        tree = ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, ValueError, MemoryError, RecursionError, tokenize.TokenError):
        raise BadInput("the text does not parse") from None
    if any(token.type == tokenize.COMMENT for token in tokens):
        raise BadInput("the text holds a comment; a normalised one has none")
    try:
        return _dump(tree)
    except RecursionError:
        raise BadInput("the text nests too deep") from None


def _dump(node: object) -> str:
    if isinstance(node, ast.AST):
        fields = ((name, getattr(node, name, None)) for name in node._fields)
        kept = [f"{name}={_dump(value)}" for name, value in fields if value not in (None, [])]
        return f"{type(node).__name__}({','.join(kept)})"
    if isinstance(node, list):
        return f"[{','.join(map(_dump, node))}]"
    return repr(node)
