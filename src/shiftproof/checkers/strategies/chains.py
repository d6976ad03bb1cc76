"""Groups: pairs of neighbours, one after the other, as one pair at the ends of a chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from ...dsl.privacy.inputs import DataSet, InputKind, Queries, Value
from .numbers import moved
from .ruled import Sides


def chained(
    pairs: st.SearchStrategy[Sides], kinds: Mapping[str, InputKind], size: int
) -> st.SearchStrategy[Sides]:
    """Ends of chains of at most so many steps, each of which these pairs are."""
    return st.lists(pairs, min_size=1, max_size=size).map(lambda steps: _ends(steps, kinds))


def _ends(steps: Sequence[Sides], kinds: Mapping[str, InputKind]) -> Sides:
    """The first pair, in which what the others change changes as well."""
    (left, right), *others = steps
    for one, two in others:
        both = {n: _joined(k, left[n], right[n], one[n], two[n]) for n, k in kinds.items()}
        left, right = ({n: sides[k] for n, sides in both.items()} for k in (0, 1))
    return left, right


def _joined(kind: InputKind, left: Any, right: Any, one: Any, two: Any) -> tuple[Any, Any]:
    if isinstance(kind, DataSet):
        return (*left, *one), (*right, *two)  # of other people
    if kind.array:
        rows = zip(left, right, one, two, strict=True)
        cells = [_number(kind, *row) for row in rows]
        return tuple(a for a, _ in cells), tuple(b for _, b in cells)
    return _number(kind, left, right, one, two)


def _number(kind: InputKind, left: Any, right: Any, one: Any, two: Any) -> tuple[Any, Any]:
    if isinstance(kind, Queries):
        return left, moved(right, Fraction(one) - Fraction(two))
    if isinstance(kind, Value):
        return left, right if one == two else two
    return left + one, right + two  # counts of other people
