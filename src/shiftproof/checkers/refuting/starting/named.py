"""The numbers that a program and its claim speak of: where what it does, or owes, may change.

0 and 1 are tried anyhow, and are not among them.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from ....dsl.language.flow import AssignNode, HeadNode, expressions_of
from ....dsl.language.syntax import (
    Arithmetic,
    Builtin,
    Cell,
    Comparison,
    Constant,
    Counted,
    Expression,
    Length,
    Name,
    children,
    names_in,
    parts_of,
    record_name,
)
from ....dsl.relations.pairs import as_rule
from ....dsl.relations.program import Program
from ..inputs import Inputs

#: Up to which number one may count rounds.
MOST_ROUNDS = 10
#: Of how many numbers of one kind account is taken, those first that stand first.
CONSTANTS = 4


@dataclass(frozen=True)
class Named:
    """The numbers that stand in one program, in its preconditions and in its claim."""

    program: Program

    @cached_property
    def below(self) -> tuple[Fraction, ...]:
        """Just below any number that the program itself speaks of."""
        return _first(v - 1 for v in _numbers(self._steps))

    @cached_property
    def tested(self) -> tuple[Fraction, ...]:
        """What preconditions and the program's own tests compare with."""
        stated = (t for t in _tests(self.program.preconditions) if not _of_lengths(t))
        return _first(_numbers((*stated, *_tests(self._steps))))

    def reached(self, public: Inputs, length: int) -> tuple[Fraction, ...]:
        """What the program's tests compare with under public inputs, and what it sets out from."""
        known = {n: Fraction(v) for n, v in public.items() if isinstance(v, int | Fraction)}
        sides = (side for test in _tests(self._steps) for side in children(test))
        values = (_value(e, known, length) for e in (*sides, *self._assigned))
        return _first(v for v in values if v is not None)

    def ways(self, public: Inputs, length: int) -> tuple[bool, ...]:
        """How the program's tests of public numbers alone come out."""
        known = {n: Fraction(v) for n, v in public.items() if isinstance(v, int | Fraction)}
        found = []
        for test in _tests(self._steps):
            sides = [_value(side, known, length) for side in children(test)]
            if isinstance(test, Comparison) and test.operator in _RELATIONS and None not in sides:
                found.append(bool(_RELATIONS[test.operator](*sides)))
        return tuple(found)

    @cached_property
    def _assigned(self) -> tuple[Expression, ...]:
        nodes = self.program.inlined.flow.nodes
        return tuple(e for n in nodes if isinstance(n, AssignNode) for e in n.step.values)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """What lengths of sequences are compared with, and one more."""
        tests = filter(_of_lengths, _tests((*self.program.preconditions, *self._steps)))
        return _and_one_more(_numbers(tests))

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        """What may count rounds, or what they add up to, and one more: small whole numbers."""
        return _and_one_more(v for v in _numbers(self._steps) if v <= MOST_ROUNDS)

    @cached_property
    def most_rounds(self) -> int:
        """The largest whole number of a program with a loop that is counted out; 0 of others."""
        loops = any(isinstance(n, HeadNode) and n.counted for n in self.program.inlined.flow.nodes)
        whole = (int(v) for v in _numbers(self._steps) if v.denominator == 1)
        return max(whole, default=0) if loops else 0

    @cached_property
    def distances(self) -> tuple[Fraction, ...]:
        """The numbers in the functions of the privacy definition."""
        rules = (as_rule(f).condition for f in self.program.privacy.functions)
        return _first(abs(v) for v in _numbers(rules))

    def attributes(self, data: str, count: int) -> list[tuple[Fraction, ...]]:
        """For each attribute of a data set's records, what predicates compare it with."""
        found: list[list[Fraction]] = [[] for _ in range(count)]
        for predicate in _parts(self._steps):
            if not isinstance(predicate, Counted) or predicate.data != data:
                continue
            for test in _tests([predicate.test]):
                given = names_in(test) - {record_name(data)}
                named = [*_numbers([test]), *(_numbers(self._steps) if given else ())]
                named = [*_undone(test, named), *named]
                for k in _read(test, data, count):
                    found[k] += named
        return [_first(numbers) for numbers in found]

    @cached_property
    def _steps(self) -> tuple[Expression, ...]:
        """The expressions of the program's steps."""
        return tuple(itertools.chain(*map(expressions_of, self.program.inlined.flow.nodes)))


def _and_one_more(numbers: Iterable[Fraction]) -> tuple[int, ...]:
    found = {int(v) for v in numbers if v.denominator == 1}
    return tuple(sorted({n for k in found for n in (k, k + 1) if n > 0}))


def _first(numbers: Iterable[Fraction]) -> tuple[Fraction, ...]:
    return tuple(dict.fromkeys(numbers))[:CONSTANTS]


def _parts(expressions: Iterable[Expression]) -> Iterator[Expression]:
    return itertools.chain(*map(parts_of, expressions))


def _tests(expressions: Iterable[Expression]) -> Iterator[Expression]:
    return (e for e in _parts(expressions) if isinstance(e, Comparison))


def _of_lengths(test: Expression) -> bool:
    return any(isinstance(part, Length) for part in parts_of(test))


def _read(test: Expression, data: str, count: int) -> Iterable[int]:
    """The attributes that a test may read; one with a computed index may read any."""
    read = (part for part in parts_of(test) if isinstance(part, Cell))
    indices = [cell.index for cell in read if cell.array == record_name(data)]
    fixed = [int(i.value) % count for i in indices if isinstance(i, Constant)]
    return set(fixed) if len(fixed) == len(indices) else range(count)


def _undone(test: Expression, named: Sequence[Fraction]) -> Iterator[Fraction]:
    """What a rounded quotient brings to the numbers: with ``r[0] // 10`` tested, 10 times each."""
    parts = (e for e in parts_of(test) if isinstance(e, Arithmetic) and e.operator == "//")
    for divisor in (_value(e.right, {}, None) for e in parts):
        yield from (divisor * v for v in named if divisor and v != divisor)


def _numbers(expressions: Iterable[Expression]) -> Iterator[Fraction]:
    """Those that are written, 3 / 4 as one, other than 0, 1 and fixed places in sequences."""
    for e in expressions:
        value = _value(e, {}, None)
        if value is None and not (isinstance(e, Cell) and isinstance(e.index, Constant)):
            yield from _numbers(children(e))
        elif value not in (None, 0, 1):
            yield value


def _value(e: Expression, known: Mapping[str, Fraction], length: int | None) -> Fraction | None:
    """What an expression is, if it is made of known numbers and lengths."""
    match e:
        case Constant(value=value):
            return value
        case Name(name=name):
            return known.get(name)
        case Length() if length is not None:
            return Fraction(length)
        case Builtin(function="int", arguments=(inner,)):
            number = _value(inner, known, length)
            return None if number is None else Fraction(math.trunc(number))
        case Arithmetic(operator=sign) if sign in _OPERATIONS:
            left, right = (_value(side, known, length) for side in (e.left, e.right))
            if left is None or right is None or (sign in "//%" and right == 0):
                return None
            return Fraction(_OPERATIONS[sign](left, right))
    return None


#: What comparisons are, and what of arithmetic is computed here.
_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction | int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
