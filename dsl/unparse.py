"""Expressions as the text that a person would write."""

from __future__ import annotations

from fractions import Fraction

from .syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Chosen,
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
    Other,
    Outcome,
)

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
    """The expression as source text."""
    return _text(e, 0)


def _text(e: Expression, around: int) -> str:
    match e:
        case Constant(value=value, kind=kind):
            shown = _number(value, kind)
            return _wrapped(shown, 6 if "/" in shown else 9, around)
        case BooleanConstant(value=flag):
            return str(flag)
        case Label(value=label):
            return repr(label)
        case Name(name=name):
            return name.split("@")[0]
        case Cell(array=array, index=index):
            return f"{array.partition('@')[0]}[{_text(index, 0)}]"
        case Length(array=array):
            return f"len({array})"
        case Arithmetic(operator=op, left=left, right=right):
            strength = _STRENGTH[op]
            if op == "-" and isinstance(left, Constant) and left.value == 0:
                return _wrapped(f"-{_text(right, 7)}", strength, around)
            shown = f"{_text(left, strength)} {op} {_text(right, strength + 1)}"
            return _wrapped(shown, strength, around)
        case Comparison(operator=op, left=left, right=right):
            return _wrapped(f"{_text(left, 5)} {op} {_text(right, 5)}", 4, around)
        case Connective(operator=word, members=members):
            strength = _STRENGTH[word]
            return _wrapped(
                f" {word} ".join(_text(m, strength + 1) for m in members), strength, around
            )
        case Negation(inner=inner):
            return _wrapped(f"not {_text(inner, 3)}", 3, around)
        case Conditional(test=test, yes=yes, no=no):
            return _wrapped(f"{_text(yes, 1)} if {_text(test, 1)} else {_text(no, 0)}", 0.5, around)
        case Builtin(function=function, arguments=arguments):
            if function == "index":
                return _text(arguments[0], around)
            return f"{function}({', '.join(map(unparse, arguments))})"
        case Other(inner=inner):
            return f"other({_text(inner, 0)})"
        case Counted(data=data, test=test):
            return f"count({_text(test, 0)}, {data})"
        case Outcome(which=which):
            return f"outcome({which or ''})"
        case Chosen(item=item):
            return _wrapped(f"{_text(item, 5)} in outcome()", 4, around)
        case Let(names=names, values=values, body=body):
            bound = ", ".join(
                f"{n.split('@')[0]} = {unparse(v)}" for n, v in zip(names, values, strict=True)
            )
            return f"({_text(body, 0)} where {bound})"
    raise AssertionError(e)


def _wrapped(text: str, strength: float, around: float) -> str:
    return f"({text})" if strength < around else text


def _number(value: Fraction, kind: str) -> str:
    if kind == "int" and value.denominator == 1:
        return str(value)
    as_float = float(value)
    return repr(as_float) if Fraction(repr(as_float)) == value else str(value)
