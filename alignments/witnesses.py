"""Unknown constants of a proof: two indices that stand for any two, and the prophecy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..dsl.flow import ListNode
from ..dsl.formulas import Formula, above, at_least, equal, negation
from ..dsl.program import Program
from ..dsl.substitution import symbols_of
from ..dsl.terms import Symbol, number, term

#: Two indices, any two: what is proved of their elements holds for all pairs.
WITNESSES = (Symbol("any index", True), Symbol("another index", True))
#: Whether a witness is among the indices that ``top_k`` picks, and at which rank.
PICKED = tuple(above(term(Symbol(f"{w} is picked")), number(0)) for w in WITNESSES)
RANKS = tuple(Symbol(f"rank of {w}", True) for w in WITNESSES)
#: How many indices ``top_k`` picks.
SIZE = Symbol("number of picked indices", True)
#: How many integers ahead a shift may look.
HORIZON = 4


def constants() -> tuple[Symbol, ...]:
    """The unknown constants that stand for any two indices and for a prophecy."""
    flags = (symbol for picked in PICKED for symbol in symbols_of(picked))
    return (*WITNESSES, *flags, *RANKS, SIZE, *map(first_outcome, range(HORIZON)))


def first_outcome(k: int) -> Symbol:
    """The k-th integer that a run is going to release or pick, seen from its start."""
    return Symbol(f"outcome {k}", True)


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
