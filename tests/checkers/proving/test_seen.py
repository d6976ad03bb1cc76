"""What recorded runs held at loop heads says nothing against what is true there."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import Mechanism
from shiftproof.checkers.proving import prove
from shiftproof.checkers.proving.aligned import findings_of
from shiftproof.checkers.proving.loops.invariants import Proposer, invariants, proposals
from shiftproof.checkers.proving.loops.seen import Point, Seen
from shiftproof.checkers.proving.loops.system import Invariants, System
from shiftproof.dsl.language.flow import HeadNode
from shiftproof.dsl.terms.formulas import Flag, above, at_least, disjunction, equal, negation
from shiftproof.dsl.terms.linear import Symbol, number, term
from tests.mechanisms.test_gallery import GALLERY
from tests.sampling import every

X, Y, B = Symbol("x"), Symbol("y"), Symbol("b")


@pytest.mark.parametrize(
    ("condition", "broken"),
    [
        (at_least(term(X), number(2)), True),
        (above(number(2), term(X)), False),
        (above(term(X), number(1)), True),
        (equal(term(X), number(1)), False),
        (negation(equal(term(X), number(1))), True),
        (Flag(B), False),
        (negation(Flag(B)), True),
        (at_least(term(Y), number(2)), False),
        (disjunction((at_least(term(X), number(2)), negation(Flag(B)))), True),
        (disjunction((at_least(term(X), number(2)), at_least(term(Y), number(2)))), False),
    ],
    ids=str,
)
def test_what_is_false_at_a_point(condition: Any, broken: bool) -> None:
    """What is not known there breaks nothing."""
    assert Point({"x": 1.0}, {"b": True}).breaks(condition) == broken


Kept = list[tuple[Seen, str, Any]]


def watched(mechanism: Mechanism[..., Any], patch: pytest.MonkeyPatch) -> tuple[Kept, list[bool]]:
    """What elimination keeps without a look at recorded states, beside these; and all proposals."""
    kept: Kept = []
    proposed: list[bool] = []

    def without(
        system: System, bounds: Any, propose: Proposer, known: Invariants, seen: Seen
    ) -> Invariants:
        found = invariants(system, bounds, propose, known)
        kept.extend((seen, name, f) for name, some in found.items() for f in some)
        for name in system.predicates:
            proposed.extend(seen.breaks(name, f) for f in proposals(system, name, bounds))
        return found

    patch.setattr(prove, "invariants", without)
    assert findings_of(mechanism.program)
    return kept, proposed


#: Those with loops, and noise that can be shifted.
LOOPED = [
    name
    for name, mechanism in sorted(GALLERY.items())
    if any(isinstance(node, HeadNode) for node in mechanism.program.flow.nodes)
    and all(node.step.distribution.shiftable for node in mechanism.program.flow.sites)
]


@pytest.mark.parametrize("name", every(18, LOOPED))
def test_what_holds_at_a_head_holds_in_all_that_was_seen(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state that is described wrongly would break some of it."""
    kept, _ = watched(GALLERY[name], monkeypatch)
    assert not [f for seen, head, f in kept if seen.breaks(head, f)]


@pytest.mark.parametrize("name", ["sparse_vector", "noisy_max", "top_k_by_peeling", "smart_sum"])
def test_much_of_what_is_proposed_is_not_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, proposed = watched(GALLERY[name], monkeypatch)
    assert sum(proposed) > len(proposed) / 2
