"""Unknown constants of a check: two indices that stand for any two, and what is foretold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...dsl.flow import ListNode
from ...dsl.formulas import Formula, above, at_least, equal, negation
from ...dsl.program import Program
from ...dsl.terms import Linear, Symbol, number, term

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
