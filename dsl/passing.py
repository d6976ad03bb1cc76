"""What a case of a relation assumes of arguments that are passed on to another mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .formulas import FALSE, Formula
from .inputs import InputKind, Value
from .records import kept, replaced
from .relations import Case
from .terms import Linear, number


def pair_facts(
    case: Case, left: Mapping[str, Linear], right: Mapping[str, Linear], *, alone: bool
) -> list[Formula]:
    """What a case assumes of two scalar arguments, besides how far they may move.

    ``alone``: there are no private sequences among the arguments.  A definition that speaks of
    all private values at once says nothing of the arguments otherwise: then it is not met.
    """
    found: list[Formula] = []
    for name, move in case.moves.items():
        if isinstance(case.inputs[name], Value) and move.policy is not None and name in left:
            found += kept(left[name], right[name], move.policy)
    found += _replaced(case, left, right)
    if case.pairing is not None and case.pairing.speaks:
        found += case.pairing.neighbours(left, right) if alone else (FALSE,)
        for allowance in case.pairing.allowances(left, right) if alone else ():
            found += allowance.when
    return found


def _replaced(
    case: Case, left: Mapping[str, Linear], right: Mapping[str, Linear]
) -> Iterator[Formula]:
    """Under a definition that replaces whole records: a value of this one is sensitive.

    Where a part of the record is passed on in a sequence, that part is not known here; then one
    of the scalar arguments has to be sensitive, or none of the record to differ.
    """
    for move in case.moves.values():
        scalars = [(left[n], right[n]) for n in move.along if n in left]
        if move.whole is not None and scalars:
            yield replaced(scalars, move.whole)
            return


def distance_of(case: Case, left: Mapping[str, Linear], right: Mapping[str, Linear]) -> Linear:
    """What a budget is multiplied by for these arguments; 1 unless a distance is declared."""
    if case.pairing is None or not case.pairing.speaks:
        return number(1)
    (allowance,) = case.pairing.allowances(left, right)
    return number(1) if allowance.distance is None else allowance.distance


def same_range(one: InputKind, two: InputKind) -> bool:
    """Whether two kinds of sequences hold users' values of the same range, if they do at all."""
    if not isinstance(one, Value) and not isinstance(two, Value):
        return True
    return isinstance(one, Value) and one == two and one.constant
