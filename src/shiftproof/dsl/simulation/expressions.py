"""Expressions as functions of a group of runs: compiled once, evaluated for whole groups.

Python's evaluation order holds for every single run.  What a run may not come to (the right
side of ``and``) is evaluated for all runs only if that raises in none; else the group is split.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from ..errors import LimitReached
from ..language.syntax import (
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
    Let,
    Name,
    Negation,
    Whole,
    record_name,
)
from ..privacy.records import RECORD
from .group import Given
from .values import (
    Array,
    RowsFailed,
    Split,
    Value,
    apply,
    builtin,
    chosen,
    kind_of,
    operation_of,
    shared,
    stacked,
)


class Runs(Protocol):
    """A group of runs, as far as expressions see it."""

    #: Variables, local lists, and parameters that are no sequences.
    names: dict[str, Value]
    #: Parameters that are sequences or data sets.
    given: Mapping[str, Given]
    #: The record that a condition on records is evaluated for.
    records: dict[str, Sequence[int]]

    @property
    def size(self) -> int:
        """How many runs there are."""
        ...


Meaning = Callable[[Runs], Value]


def meaning(e: Expression) -> Meaning:
    """The function from groups of runs to values that an expression is."""
    match e:
        case Constant(value=value, kind=kind):
            constant = int(value) if kind == "int" else float(value)
            return lambda runs: constant
        case BooleanConstant(value=flag):
            return lambda runs: flag
        case Label(value=label):
            return lambda runs: label
        case Name(name=name):
            return lambda runs: runs.names[name]
        case Length(array=array):
            return lambda runs: length(runs, array)
        case Whole(array=array):
            return lambda runs: elements(runs, array)
        case Cell(array=array, index=index):
            return _cell(array, meaning(index))
        case Arithmetic(operator=operator, left=left, right=right):
            if left == Constant(left.span, Fraction(0), "int") and left.span == e.span:
                # How -x and +x are parsed, with one place; their zeros have other signs.
                minus = meaning(Constant(e.span, Fraction(-1), "int"))
                same = meaning(right)
                return _operation("*", minus, same) if operator == "-" else same
            return _operation(operator, meaning(left), meaning(right))
        case Comparison(operator=operator, left=left, right=right):
            return _operation(operator, meaning(left), meaning(right))
        case Connective(operator=operator, members=members):
            return _connective(operator == "or", [meaning(m) for m in members])
        case Negation(inner=inner):
            return _negation(meaning(inner))
        case Conditional(test=test, yes=yes, no=no):
            return _conditional(meaning(test), meaning(yes), meaning(no))
        case Builtin(function=function, arguments=arguments):
            parts = [meaning(a) for a in arguments]
            return lambda runs: builtin(function, [part(runs) for part in parts])
        case Let(names=names, values=values, body=body):
            return _let(names, [meaning(v) for v in values], meaning(body))
        case Counted(data=data, test=test):
            return _counted(data, meaning(test))
    raise AssertionError(e)


def length(runs: Runs, array: str) -> int:
    """How many elements a sequence has."""
    return len(elements(runs, array))


def elements(runs: Runs, array: str) -> list[Value]:
    """The elements of a local list, or of a sequence that is a parameter."""
    found = runs.names.get(array)
    if found is None:
        return runs.given[array].elements
    assert isinstance(found, list), array
    return found


def _operation(operator: str, left: Meaning, right: Meaning) -> Meaning:
    operate = operation_of(operator)
    return lambda runs: operate(left(runs), right(runs))


def _cell(array: str, index: Meaning) -> Meaning:
    if array.startswith(RECORD):
        return lambda runs: _element(list(runs.records[array]), index(runs), runs.size)

    def read(runs: Runs) -> Value:
        i, cells = index(runs), elements(runs, array)
        if isinstance(i, np.ndarray) and array not in runs.names:
            return runs.given[array].array.take(checked_index(i, len(cells)))
        return _element(cells, i, runs.size)

    return read


def _element(cells: list[Value], index: Value, size: int) -> Value:
    i = checked_index(index, len(cells))
    if not isinstance(i, np.ndarray):
        return cells[i]
    kinds = set(map(kind_of, cells))
    if len(kinds) > 1 or not kinds <= {"int", "float", "bool"}:
        return _element(cells, shared(i), size)
    found: Array = stacked(cells, size)[i, np.arange(size)]
    return found


def checked_index(i: Value, length: int) -> int | Array:
    """An index that is in range; a negative one counts from the end, as in Python.

    Raises:
        RowsFailed: it is not.
    """
    if isinstance(i, np.ndarray):
        wrong = (i < -length) | (i >= length)
        if i.dtype.kind != "i" or wrong.any():
            raise RowsFailed(wrong if i.dtype.kind == "i" else None)
    elif not isinstance(i, int) or not -length <= i < length:
        raise RowsFailed
    return i


def _connective(stop: bool, members: Sequence[Meaning]) -> Meaning:
    """``or`` if ``stop``, else ``and``: the first member that is ``stop`` decides."""

    def connect(runs: Runs) -> Value:
        found = members[0](runs)
        for member in members[1:]:
            if isinstance(found, np.ndarray):
                try:
                    more: Any = member(runs)
                except (RowsFailed, Split, LimitReached):
                    # Perhaps only in runs that do not come here.
                    if (found == stop).all():
                        return stop
                    if (found != stop).all():
                        found = member(runs)
                        continue
                    raise Split(found) from None
                found = np.logical_or(found, more) if stop else np.logical_and(found, more)
            elif bool(found) is stop:
                return stop
            else:
                found = member(runs)
        return found

    return connect


def _negation(inner: Meaning) -> Meaning:
    def deny(runs: Runs) -> Value:
        value = inner(runs)
        return np.logical_not(value) if isinstance(value, np.ndarray) else not value

    return deny


def _conditional(test: Meaning, yes: Meaning, no: Meaning) -> Meaning:
    def choose(runs: Runs) -> Value:
        decided = test(runs)
        if not isinstance(decided, np.ndarray):
            return yes(runs) if decided else no(runs)
        try:
            return chosen(decided, yes(runs), no(runs))
        except (RowsFailed, Split, LimitReached):
            if decided.all():
                return yes(runs)
            if not decided.any():
                return no(runs)
            raise Split(decided) from None

    return choose


def _let(names: tuple[str, ...], values: Sequence[Meaning], body: Meaning) -> Meaning:
    def bind(runs: Runs) -> Value:
        # The parser gives every bound name a name of its own, so nothing is hidden by it.
        for name, value in zip(names, values, strict=True):
            runs.names[name] = value(runs)
        return body(runs)

    return bind


def _counted(data: str, test: Meaning) -> Meaning:
    name = record_name(data)

    def count(runs: Runs) -> Value:
        total: Value = 0
        for record, times in runs.given[data].records.items():
            runs.records[name] = record
            total = apply("+", total, apply("*", test(runs), times))
        return total

    return count
