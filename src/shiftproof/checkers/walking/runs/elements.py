"""Elements of lists: known at a few indices, anything elsewhere.

A list is kept as variables: its length, and its element at each tracked index.  Tracked are
the places where answers of D and D' differ, and two witnesses, of which the check assumes
nothing but that they are two other indices.  An element that is read anywhere else is a
stranger: it may be anything, in each run.

That both runs release the same, or go the same way, is a statement about the runs, whatever the
check knows of them.  Where strangers decide it, it is owed only if the witnesses stand at their
indices.  That is enough: the check is made for every place of the witnesses, and among these is
one at which it is owed in full, as they stand at all indices that were read.  If these are more
than two, there is none; so it is owed of strangers that may be anything.  Everything else (costs,
invariants, what is foretold) is owed in full at every place: it is about what the check knows.

Of a list that is alike the elements are the same in both runs: that is owed of all that is put
there, and nothing else of them is known but their sort.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ....dsl.language.evaluate import FORETOLD
from ....dsl.language.flow import ListNode
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import (
    TRUE,
    Flag,
    Formula,
    above,
    at_least,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
    negation,
    within,
)
from ....dsl.terms.linear import Indexed, Linear, Symbol, number, term
from ....dsl.terms.substitution import symbols_of
from ....dsl.terms.values import Mark, Num, Value
from ..gaps import LAST_PICKED, LAST_TERMS, LAST_VALUE, MOVED_BY, Kept
from .state import State

#: What a tracked index of a list holds before an element is appended there.
ABSENT = Mark("no element yet")
#: Values like those of a list that is alike, by the mark that says their sort.
LIKE: dict[Value, Value] = {
    Mark("int"): Num(number(0), "int"),
    Mark("float"): Num(number(0), "float"),
    Mark("condition"): TRUE,
}


def length_name(array: str) -> str:
    """The variable that holds a list's length."""
    return f"{array}#len"


def range_name(array: str) -> str:
    """The variable that says below what the members of a list of picked indices lie."""
    return f"{array}#range"


def sort_name(array: str) -> str:
    """The variable that says of which sort the elements of a list are that is alike."""
    return f"{array}#sort"


def element_name(array: str, index: Linear) -> str:
    """The variable that holds a list's element at a tracked index."""
    return f"{array}#{index}"


def read_element(ground: Ground, state: State, array: str, index: Linear) -> tuple[Value, Value]:
    """An element in both runs."""
    if range_name(array) in state.left:
        return _member(ground, state, array, index)
    if array in ground.alike:
        return _stranger(ground, state, array, index)
    kept = ground.kept
    if kept is not None and array == kept.array and index in LAST_TERMS:
        return _last_value(ground, LAST_TERMS.index(index))
    place = ground.place_of(state, array, index)
    if place is None:
        return _stranger(ground, state, array, index)
    if place in map(term, WITNESSES):
        state.visited.add(str(place))
    return element_at(ground, state, array, place)


def element_at(ground: Ground, state: State, array: str, place: Linear) -> tuple[Value, Value]:
    """The element at a tracked index that is no earlier one, in both runs."""
    if array in ground.alike:
        return _stranger(ground, state, array, place)
    name = element_name(array, place)
    if state.left[name] == ABSENT:
        like = sort_of(ground, state, array)  # nothing is there, so it may be anything
        return _anything(ground, state, name, like), _anything(ground, state, name, like)
    return state.left[name], state.right[name]


def sort_of(ground: Ground, state: State, array: str) -> Value:
    """A value like those that a list holds; ``ABSENT`` if it holds none that is known."""
    if array in ground.alike:
        return LIKE.get(state.left[sort_name(array)], ABSENT)
    length = state.left[length_name(array)]
    assert isinstance(length, Num)
    held = (state.left[element_name(array, place)] for place in ground.places(length.term))
    return next((value for value in held if value != ABSENT), ABSENT)


def sort_mark(value: Value) -> Mark:
    """The mark that says the sort of a value."""
    if isinstance(value, Mark):
        return value
    return Mark(value.kind if isinstance(value, Num) else "condition")


def _stranger(ground: Ground, state: State, array: str, index: Linear) -> tuple[Value, Value]:
    name = element_name(array, index)
    if name not in state.strangers:
        like = sort_of(ground, state, array)
        if array in ground.alike:
            found = _anything(ground, state, name, like)
            state.strangers[name] = found, found
        else:
            state.strangers[name] = (
                _anything(ground, state, name, like, index),
                _anything(ground, state, f"{name}'", like, index),
            )
    return state.strangers[name]


def _anything(
    ground: Ground, state: State, name: str, like: Value, index: Linear | None = None
) -> Value:
    whole = isinstance(like, Num) and like.kind == "int"
    symbol = Symbol(ground.fresh(name), whole, private=True)
    if index is not None:
        state.standing[symbol.key] = index
    if isinstance(like, Formula):
        return Flag(symbol)
    if isinstance(like, Num):
        return Num(term(symbol), like.kind)
    # Nothing of the list is tracked yet.  A whole number that is released is one that was foretold.
    foretold = any(name.startswith(FORETOLD) for name in state.left)
    return Num(term(symbol), "either" if foretold else "float")


def _member(ground: Ground, state: State, array: str, at: Linear) -> tuple[Num, Num]:
    """An index that ``top_k`` picked: the same in both runs, where there is one.

    Where it is about gaps, the last one may be another one in each run.
    """
    found = term(Indexed(array + "[{}]", at, True, private=False))
    bound, length = state.left[range_name(array)], state.left[length_name(array)]
    assert isinstance(bound, Num) and isinstance(length, Num)
    there = within(at, length.term)
    if ground.kept is not None and array == ground.kept.order:
        last = state.decide(equal(at, term(SIZE)))
        if last is not False:
            open_ = [term(Symbol(ground.fresh(array), True)) for _ in LAST_TERMS]
            one, other = LAST_TERMS if last else open_
            state.learn(there, [within(one, bound.term), within(other, bound.term)])
            return Num(one, "int"), Num(other, "int")
    facts = [within(found, bound.term)]
    for index in ground.tracked:
        here = conjunction((picked(index), equal(rank(index), at)))
        facts.append(implies(apart(ground, index), iff(equal(found, index), here)))
    state.learn(there, facts)
    return Num(found, "int"), Num(found, "int")


def _last_value(ground: Ground, side: int) -> tuple[Num, Num]:
    """The value at one run's last index, in that run; in the other run it may be any number."""
    value, any_other = term(LAST_VALUE), term(Symbol(ground.fresh("last_value"), private=True))
    found = (any_other, value + term(MOVED_BY)) if side else (value, any_other)
    return Num(found[0], "float"), Num(found[1], "float")


def apart(ground: Ground, index: Linear) -> Formula:
    """A tracked index is none of the earlier ones: two places where answers differ may coincide."""
    earlier = ground.tracked[: ground.tracked.index(index)]
    return conjunction(negation(equal(index, place)) for place in earlier)


def forget_strangers(state: State, array: str) -> None:
    """After a list changed, its elements may be others."""
    for name in [n for n in state.strangers if n.startswith(f"{array}#")]:
        del state.strangers[name]


def witnessed(tracked: tuple[Linear, ...], state: State, claim: Formula) -> Formula:
    """The claim where the witnesses stand at all indices of strangers that it speaks of.

    If they can: the path may have read elements at more indices than there are witnesses.
    """
    read = {
        str(index): index
        for symbol in symbols_of(claim)
        if (index := state.standing.get(symbol.key)) is not None
    }
    visited = {*map(str, state.standing.values()), *state.visited}
    if not read or len(visited) > len(WITNESSES):
        return claim
    there = (disjunction(equal(index, place) for place in tracked) for index in read.values())
    return implies(conjunction(there), claim)


# What a walk through a program stands on: the indices that it tracks, and names not yet used.


@dataclass(frozen=True, slots=True)
class Ground:
    """The indices of lists at which a walk knows elements, and the names that it makes."""

    tracked: tuple[Linear, ...]
    kept: Kept | None = None
    alike: frozenset[str] = frozenset()
    serial: Iterator[int] = field(default_factory=itertools.count)

    @classmethod
    def around(cls, places: Iterable[Symbol], kept: Kept | None, alike: frozenset[str]) -> Ground:
        """Tracked are the places where answers of D and D' differ, and the witnesses."""
        tracked = tuple(map(term, (*places, *WITNESSES)))
        return cls(tracked, kept, alike - ({kept.array} if kept else set()))

    def places(self, length: Linear) -> Iterable[Linear]:
        """The indices at which elements of a new list are known."""
        return self.tracked

    def place_of(self, state: State, array: str, index: Linear) -> Linear | None:
        """The known place of a list at which an index stands; ``None`` if it may be any other."""
        for place in self.tracked:
            met = state.decide(equal(index, place))
            if met is None:
                break  # an earlier place may be this one, and then what is known there counts
            if met:
                return place
        return None

    def fresh(self, name: str) -> str:
        """A name that no other symbol of this walk has."""
        return f"{name}#{next(self.serial)}"


# Unknown constants of a check: two indices that stand for any two, and what is foretold.

#: Two different indices of which nothing is assumed: what holds for them holds for any two.
WITNESSES = (Symbol("witness(1)", True), Symbol("witness(2)", True))
#: How many indices ``top_k`` picks.
SIZE = Symbol("picks()", True)
#: How many integers ahead a shift may look.
HORIZON = 8


def first_outcome(k: int) -> Symbol:
    """The k-th integer that a run is going to release or pick, seen from its start."""
    return Symbol(f"first_outcome({k})", True)


def picked(index: Linear) -> Formula:
    """Whether ``top_k`` picks a tracked index: a number of its own says so by being positive."""
    return above(term(Symbol(f"picked({index})")), number(0))


def rank(index: Linear) -> Linear:
    """At which rank ``top_k`` picks a tracked index, if it does."""
    return term(Symbol(f"rank({index})", True))


def unknown_constants(places: Iterable[Symbol]) -> dict[str, Symbol]:
    """All of them, by the name that a certificate calls them."""
    found = [*WITNESSES, SIZE, *map(first_outcome, range(HORIZON))]
    found += [MOVED_BY, *LAST_PICKED, LAST_VALUE]
    for index in (*places, *WITNESSES):
        found += [Symbol(f"picked({index})"), Symbol(f"rank({index})", True)]
    return {symbol.key: symbol for symbol in found}


def facts_of_witnesses(program: Program, places: Iterable[Symbol]) -> Iterator[Formula]:
    """Witnesses are indices, two of them, and none is a place where an answer differs."""
    if not any(isinstance(node, ListNode) for node in program.flow.nodes):
        return
    first, second = map(term, WITNESSES)
    for natural in (first, second, term(SIZE)):
        yield at_least(natural, number(0))
    yield negation(equal(first, second))
    for place in places:
        for witness in (first, second):
            yield negation(equal(witness, term(place)))
