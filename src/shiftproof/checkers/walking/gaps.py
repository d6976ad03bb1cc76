"""The gaps of ``top_k``: which list they are of, and how its noise is moved without being shown.

The lemma, and what the text owes before the kernel takes it, stand in ``kernel/paired/gaps.py``;
here is only as much as the search needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...dsl.language.flow import Flow, ListNode, SampleNode
from ...dsl.language.statements import Pick, Store
from ...dsl.language.syntax import Chosen, Expression, Foretold, Gaps, parts_of
from ...dsl.terms.linear import Symbol, term

#: By how much the values move whose gaps stay the same.
MOVED_BY = Symbol("moved_by()", private=True)
#: The index that ``top_k`` picks last, on D and on D', and the value there on D.
LAST_PICKED = (Symbol("last_picked(1)", True), Symbol("last_picked(2)", True))
LAST_VALUE = Symbol("last_value()", private=True)
LAST_TERMS = tuple(map(term, LAST_PICKED))


@dataclass(frozen=True, slots=True)
class Kept:
    """A list of which gaps are kept, the list of its picks, and one of the draws in it."""

    array: str
    order: str
    low: Expression
    high: Expression
    draw: SampleNode


def foretold_in(shifts: Iterable[Expression]) -> bool:
    """Whether a shift reads what comes later: what is picked or released, or gaps that stay."""
    parts = (part for shift in shifts for part in parts_of(shift))
    return any(isinstance(part, Foretold | Chosen | Gaps) for part in parts)


def stored_in(flow: Flow) -> Iterator[tuple[SampleNode, Store]]:
    """The draws that are stored right after they were drawn."""
    for node in flow.sites:
        after = flow.nodes[node.after]
        if isinstance(after, ListNode) and isinstance(after.step, Store):
            yield node, after.step


def picks_of(flow: Flow, array: str) -> list[Pick]:
    """The picks from a list."""
    steps = [n.step for n in flow.nodes if isinstance(n, ListNode)]
    return [s for s in steps if isinstance(s, Pick) and s.array == array]


def kept_by(flow: Flow, shifts: Mapping[int, Expression]) -> Kept | None:
    """The list of which a shift says that its gaps are kept."""
    for node, store in stored_in(flow):
        shift = shifts.get(node.site)
        if isinstance(shift, Gaps):
            for pick in picks_of(flow, store.array):
                return Kept(store.array, pick.target, shift.low, shift.high, node)
    return None
