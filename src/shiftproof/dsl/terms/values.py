"""What an expression can mean: a number with its Python type, a condition, or an atom."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from .formulas import FALSE, TRUE, Formula, Truth, equal, iff, truth
from .linear import Linear, number

#: The Python type of a number; ``either`` when the paths that lead here disagree.
NumberKind = Literal["int", "float", "either"]


@dataclass(frozen=True, slots=True)
class Num:
    """A number: its value as a term, and whether Python has an ``int`` or a ``float``."""

    term: Linear
    kind: NumberKind


@dataclass(frozen=True, slots=True)
class Mark:
    """An atom that stands for itself: ``None`` or a string."""

    value: str | None


Value = Num | Formula | Mark

#: A number's or Boolean's type, or an atom itself; ``several`` where ways disagree.
Kind = Literal["int", "float", "bool", "several"] | Mark


def same_value(left: Value, right: Value) -> Formula:
    """The condition under which two released values are the same, type included."""
    if isinstance(left, Num) and isinstance(right, Num):
        if left.kind != right.kind or left.kind == "either":
            return FALSE
        return equal(left.term, right.term)
    if isinstance(left, Formula) and isinstance(right, Formula):
        return iff(left, right)
    return truth(isinstance(left, Mark) and left == right)


def joined_kind(left: NumberKind, right: NumberKind) -> NumberKind:
    """The type of a value that comes from one of two places."""
    return left if left == right else "either"


def describe(value: Value) -> str:
    """The value's type in words, for messages."""
    if isinstance(value, Num):
        return {"int": "an int", "float": "a float", "either": "an int or a float"}[value.kind]
    if isinstance(value, Mark):
        return "None" if value.value is None else f"the string {value.value!r}"
    return "a Boolean"


def as_python(value: Value) -> int | Fraction | bool | str | None:
    """A fully evaluated value as a Python object: exact numbers, ints for ints."""
    if isinstance(value, Mark):
        return value.value
    if isinstance(value, Formula):
        assert isinstance(value, Truth), value
        return value.value
    assert value.term.is_constant, value
    constant = value.term.constant
    return int(constant) if value.kind == "int" else Fraction(constant)


def exact(value: int | float | Fraction) -> Fraction:
    """A number as the decimal that Python prints for it: ``0.1`` is one tenth."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def from_python(value: int | float | Fraction | bool | str | None) -> Value:
    """A Python object as a value."""
    if value is None or isinstance(value, str):
        return Mark(value)
    if isinstance(value, bool):
        return TRUE if value else FALSE
    return Num(number(exact(value)), "int" if isinstance(value, int) else "float")
