"""Unknown constants of a proof: two indices that stand for any two, and the prophecy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..dsl.flow import ListNode
from ..dsl.formulas import Formula, above, at_least, equal, negation
from ..dsl.program import Program
from ..dsl.terms import Symbol, number, term

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
