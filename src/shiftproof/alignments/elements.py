"""Elements of lists, as two runs in step know them.

A recording knows every element.  A proof tracks those at a few indices: where the answers
of D and D' differ, and at two *witnesses*, indices of which the proof assumes nothing, so
that what it shows for them holds for any two indices.  An element that is read anywhere
else may be anything in either run; what is owed of it is owed only where a witness stands
at its index, and that is enough, because the proof is made for every place of the witnesses.
(By induction over the run: for each claim, put the witnesses at the indices that the path has
read.  If these are more than there are witnesses, there is no such place; so the claim is owed of
elements that may be anything.)  That goes for claims about what the runs do, which are the same
claims wherever the witnesses stand; costs and invariants are owed in full.

A list is kept in a path as variables: its length, and one for each index that is known.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Protocol

from ..dsl.language.flow import ListNode
from ..dsl.relations.program import Program
from ..dsl.terms.formulas import (
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
)
from ..dsl.terms.linear import Indexed, Linear, Symbol, number, term
from ..dsl.terms.substitution import symbols_of
from ..dsl.terms.values import Mark, Num, Value
from .paths import Path

#: An element in D and in D'.
Both = tuple[Value, Value]


def length_name(array: str) -> str:
    """The variable that holds a list's length."""
    return f"{array}#len"


def range_name(array: str) -> str:
    """The variable that says below what the indices lie that a list of picked ones holds."""
    return f"{array}#range"


#: Stands for the value that a recorded list was filled with.
FILL = "fill"
#: What a tracked index of a list holds before an element is appended there.
ABSENT = Mark("no element yet")


def element_name(array: str, index: object) -> str:
    """The variable that holds a list's element at a known index."""
    return f"{array}#{index}"


class Elements(Protocol):
    """What is known of the elements of lists."""

    def read(self, path: Path, array: str, index: Linear) -> Both | None:
        """An element in both runs; ``None`` if not even its type is known."""
        ...

    def witnessed(self, path: Path, claim: Formula) -> Formula:
        """What is owed for a claim, given what it reads."""
        ...


class RecordedElements:
    """Every element is known."""

    def read(self, path: Path, array: str, index: Linear) -> Both | None:
        """The element; out of range, which is a failed duty already, one of its type."""
        name = element_name(array, index)
        if name not in path.left:
            name = element_name(array, FILL)
        return (path.left[name], path.right[name]) if name in path.left else None

    def witnessed(self, path: Path, claim: Formula) -> Formula:
        """The claim itself."""
        return claim


class TrackedElements:
    """The elements at some ``places`` and at two witnesses are known."""

    def __init__(self, places: tuple[Symbol, ...]) -> None:
        self.tracked = (*places, *WITNESSES)
        self._fresh = itertools.count(1)

    def read(self, path: Path, array: str, index: Linear) -> Both:
        """The element that is tracked at this index, or an unknown one."""
        if range_name(array) in path.left:
            found = self._member(path, array, index)
            return found, found
        for place in self.tracked:
            if path.decide(equal(index, term(place))) is True:
                name = element_name(array, place)
                if path.left[name] == ABSENT:
                    break  # cannot be, but that is for the solver to find
                if place in WITNESSES:
                    path.visited.add(str(place))
                return path.left[name], path.right[name]
        return self._loose(path, array, index)

    def model(self, path: Path, array: str) -> Value:
        """A value of the type that the elements have, as far as one is there."""
        found = [path.left[element_name(array, place)] for place in self.tracked]
        return next((v for v in found if v != ABSENT), ABSENT)

    def _loose(self, path: Path, array: str, index: Linear) -> Both:
        name = element_name(array, index)
        if name not in path.loose:
            model = self.model(path, array)
            if model == ABSENT:
                model = Num(number(0), "float")
            serial = next(self._fresh)
            path.loose[name] = (
                self._unknown(path, f"{name}#{serial}", model, index),
                self._unknown(path, f"{name}#{serial}'", model, index),
            )
        return path.loose[name]

    @staticmethod
    def _unknown(path: Path, name: str, model: Value, index: Linear) -> Value:
        whole = isinstance(model, Num) and model.kind == "int"
        symbol = Symbol(name, whole, private=True)
        path.required[symbol.key] = index
        return Num(term(symbol), model.kind) if isinstance(model, Num) else Flag(symbol)

    def _member(self, path: Path, array: str, at: Linear) -> Num:
        """An index that ``top_k`` picked: the same in both runs."""
        found = term(Indexed(array + "[{}]", at, True, private=False))
        bound = path.left[range_name(array)]
        assert isinstance(bound, Num)
        path.assume(at_least(found, number(0)))
        path.assume(above(bound.term, found))
        for index in self.tracked:
            here = conjunction((picked(index), equal(term(rank(index)), at)))
            path.assume(implies(self.apart(index), iff(equal(found, term(index)), here)))
        return Num(found, "int")

    def apart(self, index: Symbol) -> Formula:
        """A tracked index is no earlier one; two places where answers differ may coincide."""
        earlier = self.tracked[: self.tracked.index(index)]
        return conjunction(negation(equal(term(index), term(place))) for place in earlier)

    def witnessed(self, path: Path, claim: Formula) -> Formula:
        """The claim, where witnesses stand at all indices at which unknown elements were read."""
        if not path.required:
            return claim
        read = {
            str(index): index
            for symbol in symbols_of(claim)
            if (index := path.required.get(symbol.key)) is not None
        }
        visited = {*map(str, path.required.values()), *path.visited}
        if not read or len(visited) > len(WITNESSES):
            return claim
        at_witnesses = (
            disjunction(equal(index, term(place)) for place in self.tracked)
            for index in read.values()
        )
        return implies(conjunction(at_witnesses), claim)


# Unknown constants of a proof: two indices that stand for any two, and the prophecy.

#: Two indices, any two: what is proved of their elements holds for all pairs.
WITNESSES = (Symbol("witness(1)", True), Symbol("witness(2)", True))
#: How many indices ``top_k`` picks.
SIZE = Symbol("picks()", True)
#: How many integers ahead a shift may look.
HORIZON = 8


def picked(index: Symbol) -> Formula:
    """Whether a tracked index is among those that ``top_k`` picks."""
    return above(term(_mark(index)), number(0))


def rank(index: Symbol) -> Symbol:
    """At which rank a tracked index is picked, if it is."""
    return Symbol(f"rank({index})", True)


def _mark(index: Symbol) -> Symbol:
    return Symbol(f"picked({index})")


def about_picks(places: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """What is said of picked indices that says nothing of others."""
    return (*WITNESSES, *map(rank, (*places, *WITNESSES)), SIZE)


def constants(places: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """The unknown constants that stand for any two indices and for a prophecy."""
    tracked = (*places, *WITNESSES)
    marks, ranks = map(_mark, tracked), map(rank, tracked)
    return (*WITNESSES, *marks, *ranks, SIZE, *map(first_outcome, range(HORIZON)))


def first_outcome(k: int) -> Symbol:
    """The k-th integer that a run is going to release or pick, seen from its start."""
    return Symbol(f"first_outcome({k})", True)


def facts(program: Program, places: Iterable[Symbol]) -> Iterator[Formula]:
    """The witnesses are two indices, and neither is a place where an answer differs."""
    if not any(isinstance(node, ListNode) for node in program.flow.nodes):
        return
    first, second = map(term, WITNESSES)
    for natural in (first, second, term(SIZE)):
        yield at_least(natural, number(0))
    yield negation(equal(first, second))
    for place in places:
        for witness in (first, second):
            yield negation(equal(witness, term(place)))
