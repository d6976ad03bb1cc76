"""Provers with one bug each, seeded by replacing a function.

The prover walks as the kernel does: its bugs are in its own kind of run, or on while it walks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from shiftproof.checkers.proving import aligned, prove
from shiftproof.checkers.proving.loops import budget, invariants
from shiftproof.checkers.proving.loops.budget import Bounds
from shiftproof.checkers.proving.loops.horn import Query
from shiftproof.checkers.proving.loops.seen import Seen
from shiftproof.checkers.proving.loops.system import Invariants, PairedRun, System, SystemBuilder
from shiftproof.checkers.proving.recorded import RecordedRun
from shiftproof.checkers.walking.runs.run import Run
from shiftproof.checkers.walking.runs.state import Condition, State
from shiftproof.dsl.language.syntax import Span
from shiftproof.dsl.relations.cases import Pair
from shiftproof.dsl.terms.formulas import Formula
from shiftproof.dsl.terms.linear import Linear

HALF = Fraction(1, 2)
Breaking = Callable[[pytest.MonkeyPatch], None]


def without_guards(patch: pytest.MonkeyPatch) -> None:
    """No recorded runs that would show what went wrong."""
    patch.setattr(aligned, "vacuous", lambda *_: ())
    patch.setattr(Seen, "breaks", lambda *_: False)


def without(condition: Condition) -> Breaking:
    """A prover that never asks for one of the conditions."""

    def breaking(patch: pytest.MonkeyPatch) -> None:
        def owing(
            self: Run, state: State, claim: Formula, asked: Condition, detail: str, span: Span
        ) -> None:
            if asked != condition:
                Run.owe(self, state, claim, asked, detail, span)

        def written(
            self: RecordedRun,
            state: State,
            claim: Formula,
            asked: Condition,
            detail: str,
            span: Span,
        ) -> None:
            if asked != condition:
                recording(self, state, claim, asked, detail, span)

        recording = RecordedRun.owe
        patch.setattr(PairedRun, "owe", owing)
        patch.setattr(RecordedRun, "owe", written)

    return breaking


def assuming(patch: pytest.MonkeyPatch) -> None:
    """What is owed inside loops is taken for granted and not reported."""

    def owing(
        self: Run, state: State, claim: Formula, asked: Condition, detail: str, span: Span
    ) -> None:
        if any("@" in name for name in state.left):
            state.assume(claim)
        else:
            Run.owe(self, state, claim, asked, detail, span)

    patch.setattr(PairedRun, "owe", owing)


def charging(factor: Fraction | int) -> Breaking:
    """A prover to which shifts cost this many times what they cost."""

    def breaking(patch: pytest.MonkeyPatch) -> None:
        charge = State.charge

        def charging(self: State, rate: Linear, amount: Linear) -> None:
            charge(self, rate, amount.scaled(factor))

        def while_in(owner: type, name: str) -> None:
            walk = getattr(owner, name)

            def walking(*args: Any, **named: Any) -> None:
                with pytest.MonkeyPatch.context() as inner:
                    inner.setattr(State, "charge", charging)
                    walk(*args, **named)

            patch.setattr(owner, name, walking)

        while_in(SystemBuilder, "_run")
        while_in(RecordedRun, "explore")

    return breaking


def keeping_proposals(patch: pytest.MonkeyPatch) -> None:
    """Elimination eliminates nothing, and nobody asks again what the proof rests on."""
    patch.setattr(invariants._Step, "eliminate", lambda *_: False)
    patch.setattr(prove, "needed_invariants", lambda system, queries, known: known)


def weakening(keep: Callable[[tuple[Formula, ...]], tuple[Formula, ...]]) -> Breaking:
    """Some of the invariants that the proof rests on are not written down."""

    def breaking(patch: pytest.MonkeyPatch) -> None:
        needed = prove.needed_invariants

        def fewer(system: System, queries: list[Query], known: Invariants) -> Invariants | None:
            found = needed(system, queries, known)
            return found and {name: keep(formulas) for name, formulas in found.items()}

        patch.setattr(prove, "needed_invariants", fewer)

    return breaking


def second_pass_free(patch: pytest.MonkeyPatch) -> None:
    """An answer that is read at another index than before no longer differs."""
    cell = Run.cell
    first: dict[str, str] = {}

    def reading(self: Run, array: str, index: Linear) -> Pair:
        pair = cell(self, array, index)
        if first.setdefault(array, index.key) != index.key:
            return Pair(pair.left, pair.left, ())
        return pair

    patch.setattr(PairedRun, "cell", reading)


def forgetting_a_rate(patch: pytest.MonkeyPatch) -> None:
    """Of several rates the last one is not within the sum, nor bounded."""
    original = prove.allotments

    def allotted(
        ends: Any, budget: Linear, facts: Any, solver: Any, *others: Any
    ) -> Iterator[Bounds]:
        last = max((str(rate) for end in ends for rate in end.costs), default="")
        fewer = [
            replace(end, costs={r: c for r, c in end.costs.items() if str(r) != last})
            for end in ends
        ]
        yield from original(fewer, budget, facts, solver, *others)

    patch.setattr(prove, "allotments", allotted)


def never_over_budget(patch: pytest.MonkeyPatch) -> None:
    """Whatever the bounds come to, it is said to be within the budget."""

    class Agreeable:
        def follows(self, facts: object, claim: object) -> bool:
            return True

    original = budget.allotments
    patch.setattr(
        prove, "allotments", lambda ends, most, facts, solver, *others: original(
            ends, most, facts, Agreeable(), *others  # type: ignore[arg-type]
        ),
    )  # fmt: skip


def the_other_way(patch: pytest.MonkeyPatch) -> None:
    """Private numbers of D and D' are mixed up."""
    scalar = Run.scalar

    def swapped(self: Run, name: str) -> Pair:
        pair = scalar(self, name)
        return Pair(pair.right, pair.left, pair.facts)

    patch.setattr(PairedRun, "scalar", swapped)


def too_near(patch: pytest.MonkeyPatch) -> None:
    """Private numbers differ by half of what they may."""
    scalar = Run.scalar

    def halved(self: Run, name: str) -> Pair:
        pair = scalar(self, name)
        difference = (pair.left - pair.right).scaled(HALF)
        return Pair(pair.left, pair.left - difference, pair.facts)

    patch.setattr(PairedRun, "scalar", halved)


#: By the beginning of the names of the mechanisms that it gets wrong.
BROKEN: dict[str, Breaking] = {
    "no_support": without("support"),
    "no_measure": without("measure"),
    "costs_of_the_wrong_sign": charging(-1),
    "costs_halved": charging(HALF),
    "proposals_kept": keeping_proposals,
    "assumed_in_the_loop": assuming,
    "a_second_pass_is_free": second_pass_free,
    "no_same_output": without("same output"),
    "no_same_samples": without("same samples"),
    "no_definedness": without("definedness and end"),
    "no_prophecy": without("prophecy"),
    "a_rate_forgotten": forgetting_a_rate,
    "budgets_always_met": never_over_budget,
    "neighbours_the_wrong_way": the_other_way,
    "neighbours_too_near": too_near,
}
