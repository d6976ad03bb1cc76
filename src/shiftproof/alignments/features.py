"""What a shift is a combination of: differences of private values, and how far these can move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from ..dsl.language.syntax import NOWHERE, Arithmetic, Constant, Expression, Name, Other
from ..dsl.language.unparse import unparse
from ..dsl.privacy.inputs import Queries
from ..dsl.relations.cases import Case
from ..dsl.relations.program import Program
from ..dsl.terms.linear import Linear, Symbol, number
from .simplifying import ONE, over, times


def difference(e: Expression) -> Expression:
    """By how much an expression is larger on D."""
    return Arithmetic(NOWHERE, "-", e, Other(NOWHERE, e))


def farthest(
    program: Program, case: Case, among: Iterable[str] | None = None
) -> Iterator[Expression]:
    """How far private answers can move, as expressions: constants and named sensitivities.

    ``among``: of these inputs; else of all.
    """
    seen: set[str] = set()
    for name in case.moves if among is None else among:
        move = case.moves[name]
        for bound in (move.high, move.low):
            size = bound if bound.constant >= 0 else -bound
            e = _as_expression(program, name, size)
            if e is not None and str(size) not in seen:
                seen.add(str(size))
                yield e


def moves_both_ways(case: Case) -> bool:
    """Whether some answer may be larger on D, or smaller."""
    ends = [(move.low, move.high) for move in case.moves.values()]
    return not ends or any(number(0) not in pair for pair in ends)


def _as_expression(program: Program, name: str, size: Linear) -> Expression | None:
    if size.is_constant:
        value = Fraction(size.constant)
        if value == 0:
            return None
        return Constant(NOWHERE, value, "int" if value.denominator == 1 else "float")
    kind = program.inputs[name]
    if isinstance(kind, Queries) and isinstance(kind.sensitivity, str):
        return Name(NOWHERE, Symbol(kind.sensitivity).key)
    return None


def scaled(bounds: Sequence[Expression], factors: Iterable[Expression]) -> list[Expression]:
    """Bounds of answers, and of their multiples that meet the noise, each once."""
    found = {unparse(b): b for b in bounds}
    for factor in factors:
        found.update((unparse(e), e) for e in (multiple(factor, b) for b in bounds))
    return list(found.values())


def multiple(factor: Expression, bound: Expression) -> Expression:
    """A bound times a public factor: the D-th part of D is 1."""
    if isinstance(factor, Arithmetic) and factor.operator == "/" and factor.left == ONE:
        return over(bound, factor.right)
    return times(factor, bound)
