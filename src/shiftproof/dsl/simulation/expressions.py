"""Expressions as functions of a group of runs: a domain of the machine whose values are functions.

So an expression is compiled once, in the order that the machine says, and evaluated for whole
groups.  What a run may not come to (the right side of ``and``) is evaluated for all runs only if
that raises in none; else the group is split.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from ..errors import LimitReached
from ..language.machine import Domain, value
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
    return value(_FUNCTIONS, e)


class _Functions(Domain[Meaning]):
    def operation(self, e: Expression, values: Sequence[Meaning]) -> Meaning:
        """A function that evaluates the parts of the expression, and then it."""
        match e:
            case Constant(value=number, kind=kind):
                constant = int(number) if kind == "int" else float(number)
                return lambda runs: constant
            case BooleanConstant() | Label():
                return lambda runs: e.value
            case Name(name=name):
                return lambda runs: runs.names[name]
            case Length(array=array):
                return lambda runs: len(_elements(runs, array))
            case Whole(array=array):
                return lambda runs: _elements(runs, array)
            case Cell(array=array):
                return _cell(array, *values)
            case Arithmetic(left=Constant(value=0, kind="int", span=e.span)):
                # How -x and +x are parsed, with one place; their zeros have other signs.
                minus = self.operation(Constant(e.span, Fraction(-1), "int"), ())
                return _operation("*", minus, values[1]) if e.operator == "-" else values[1]
            case Arithmetic() | Comparison():
                return _operation(e.operator, *values)
            case Negation():
                return _negation(*values)
            case Builtin(function=function):
                return lambda runs: builtin(function, [part(runs) for part in values])
            case Counted(data=data, test=test):
                return _counted(data, meaning(test))
        raise AssertionError(e)

    def connective(self, e: Connective, members: Sequence[Callable[[], Meaning]]) -> Meaning:
        """The first member that is true decides an ``or``, the first that is false an ``and``."""
        return _connective(e.operator == "or", [member() for member in members])

    def conditional(
        self,
        e: Conditional,
        test: Meaning,
        yes: Callable[[], Meaning],
        no: Callable[[], Meaning],
    ) -> Meaning:
        """Both arms, if that raises in none of the runs."""
        return _conditional(test, yes(), no())

    def let(
        self, e: Let, values: Sequence[Callable[[], Meaning]], body: Callable[[], Meaning]
    ) -> Meaning:
        """Names inside expressions are variables of their own."""
        named = [(name, value()) for name, value in zip(e.names, values, strict=True)]
        inner = body()

        def evaluate(runs: Runs) -> Value:
            for name, meaning in named:
                runs.names[name] = meaning(runs)
            return inner(runs)

        return evaluate


_FUNCTIONS = _Functions()


def _elements(runs: Runs, array: str) -> tuple[Value, ...]:
    """The elements of a local list, or of a sequence that is a parameter."""
    found = runs.names.get(array)
    if found is None:
        return runs.given[array].elements
    assert isinstance(found, tuple), array
    return found


def _operation(operator: str, left: Meaning, right: Meaning) -> Meaning:
    operate = operation_of(operator)
    return lambda runs: operate(left(runs), right(runs))


def _cell(array: str, index: Meaning) -> Meaning:
    if array.startswith(RECORD):
        return lambda runs: _element(runs.records[array], index(runs), runs.size)

    def read(runs: Runs) -> Value:
        i, cells = index(runs), _elements(runs, array)
        if isinstance(i, np.ndarray) and array not in runs.names:
            return runs.given[array].array.take(checked_index(i, len(cells)))
        return _element(cells, i, runs.size)

    return read


def _element(cells: Sequence[Value], index: Value, size: int) -> Value:
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


def _counted(data: str, test: Meaning) -> Meaning:
    name = record_name(data)

    def count(runs: Runs) -> Value:
        total: Value = 0
        for record, times in runs.given[data].records.items():
            runs.records[name] = record
            total = apply("+", total, apply("*", test(runs), times))
        return total

    return count
