"""Noise of which only the order and the gaps are shown: the shift that says so.

For lists that ``top_k`` picks from, each of whose elements is a value with a draw of its own.
How far such a value moves says the relation.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from ..dsl.language.flow import ListNode, SampleNode
from ..dsl.language.statements import Pick, Store
from ..dsl.language.syntax import (
    NOWHERE,
    Arithmetic,
    Cell,
    Constant,
    Expression,
    Gaps,
    Name,
    names_in,
)
from ..dsl.relations.cases import Case
from ..dsl.relations.program import Program
from ..dsl.terms.linear import Linear, Symbol, number
from .taint import Taint

#: By how much a value is larger on D: at least, and at most.
Interval = tuple[Linear, Linear]


def shifts_for_gaps(
    program: Program, case: Case, taint: Taint, sites: Collection[SampleNode]
) -> dict[int, Expression]:
    """The shift of each draw in a list that keeps its gaps, for the first such list."""
    nodes = program.flow.nodes
    stores = {k: n.step for k, n in enumerate(nodes) if isinstance(n, ListNode)}
    for pick in stores.values():
        if not isinstance(pick, Pick) or pick.count is None:
            continue
        own = {k for k, s in stores.items() if isinstance(s, Store) and s.array == pick.array}
        draws = [n for n in sites if n.after in own]
        if len(draws) < len(own) or any(not n.step.distribution.keeps_gaps for n in draws):
            continue
        found = {
            _Moves(program, case, taint, draw).of(store.value)
            for draw in draws
            if isinstance(store := stores[draw.after], Store)
        }
        spread = found.pop() if len(found) == 1 else None
        shift = None if spread is None else _shift(spread)
        if shift is not None:
            return {draw.site: shift for draw in draws}
    return {}


class _Moves:
    """By how much the values move that are stored with a draw."""

    def __init__(self, program: Program, case: Case, taint: Taint, draw: SampleNode) -> None:
        self._program, self._case, self._taint = program, case, taint
        self._draw, self._at = draw.step.target, program.flow.nodes.index(draw)

    def of(self, e: Expression) -> Interval | None:
        """The interval of an expression; ``None`` if it is not known."""
        match e:
            case Arithmetic(operator="+" | "-" as sign, left=left, right=right):
                one, other = self.of(left), self.of(right)
                if one is None or other is None:
                    return None
                return _sum(one, other if sign == "+" else (-other[1], -other[0]))
            case Arithmetic(operator="*", left=Constant(value=factor), right=inner):
                found = self.of(inner)
                return None if found is None else _scaled(found, Fraction(factor))
            case Name(name=name) if name == self._draw:
                return number(0), number(0)
            case Name() | Cell() if self._taint.is_plain_private(e, self._at):
                return self._input(e)
        if self._taint.is_private(e, self._at) or self._draw in names_in(e):
            return None
        return number(0), number(0)

    def _input(self, e: Expression) -> Interval | None:
        """That of an answer; of a variable, that of the only input which it may come from."""
        moves = self._case.moves
        known = moves.get(e.array if isinstance(e, Cell) else e.name if isinstance(e, Name) else "")
        if known is None and len(moves) == 1:
            (known,) = moves.values()
        return None if known is None else (known.low, known.high)


def _sum(one: Interval, other: Interval) -> Interval:
    return one[0] + other[0], one[1] + other[1]


def _scaled(found: Interval, factor: Fraction) -> Interval:
    low, high = (end.scaled(factor) for end in found)
    return (low, high) if factor >= 0 else (high, low)


def _shift(spread: Interval) -> Expression | None:
    low, high = map(_written, spread)
    return None if low is None or high is None else Gaps(NOWHERE, low, high)


def _written(bound: Linear) -> Expression | None:
    """A bound as an expression, if it is made of parameters by sums."""
    found: Expression | None = None
    if bound.constant or not bound.parts:
        found = _constant(Fraction(bound.constant))
    for atom, factor in bound.parts:
        if not isinstance(atom, Symbol):
            return None
        part: Expression = Name(NOWHERE, atom.key)
        if factor != 1:
            part = Arithmetic(NOWHERE, "*", _constant(Fraction(factor)), part)
        found = part if found is None else Arithmetic(NOWHERE, "+", found, part)
    return found


def _constant(value: Fraction) -> Expression:
    return Constant(NOWHERE, value, "int" if value.denominator == 1 else "float")
