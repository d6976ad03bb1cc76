"""The unknowns of a pair of neighbours: answers on D, by how much they differ, and where."""

from __future__ import annotations

from ..privacy.inputs import InputKind
from ..terms.formulas import Formula, at_least
from ..terms.linear import Indexed, Linear, Symbol, term

#: How the symbols begin that stand for differences, and for places where answers differ.
MOVE, PLACE, CHANGE = "move of ", "place", "change"
#: And for what the differences add up to before an index, where they do.
MOVED_BEFORE = "moved before "


def answer_of(name: str, whole: bool, index: Linear | None) -> Linear:
    """An answer on D, or a difference; of a sequence at an index."""
    if index is None:
        return term(Symbol(name, whole, private=True))
    return term(Indexed(name + "[{}]", index, whole, private=True))


def moved_before(name: str, index: Linear) -> Linear:
    """What the sizes, or squares, of differences add up to before an index."""
    return answer_of(MOVED_BEFORE + name, False, index)


def place_of(name: str, k: int) -> Linear:
    """Where answers differ: the k-th such place."""
    return term(Symbol(f"{PLACE}{k}({name})", True))


def change_of(name: str, kind: InputKind, k: int = 1) -> Linear:
    """By how much the answer there, or the value of the one user who differs, is larger in D."""
    return term(Symbol(f"{CHANGE}{k}({name})", kind.whole, private=True))


def value_at(name: str, kind: InputKind) -> Linear:
    """The value of the one user who differs, in D."""
    return term(Symbol(f"value1({name})", kind.whole, private=True))


def within(x: Linear, low: Linear, high: Linear) -> list[Formula]:
    """Both bounds of a number."""
    return [at_least(x, low), at_least(high, x)]
