"""How much of a proved budget is needed: the least ε over the template of the alignment.

A smaller budget is tried only if the recordings of the search leave room for it, which for
most mechanisms they do not: one question, and the claim is known to be tight for these
shifts.  Otherwise it is proved, like any claim, or not reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ...alignments.alignment import Alignment
from ...dsl.errors import LimitReached
from ...dsl.language.syntax import Expression
from ...dsl.normalise import core_text
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.terms.allowance import allowed
from ...dsl.terms.linear import Linear, term
from ..kernel.arithmetic import Wrong
from ..trees.confirming import Confirming
from ..walking.certificate import Part
from ..walking.stated import stated_laws
from .prove import prove
from .search import Search
from .system import Solver
from .writing import Wording, part_of

#: The shares of a budget that are tried, smallest first.
SHARES = tuple(Fraction(*f) for f in ((0, 1), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4)))
#: If not even so much of the budget can be enough, nothing less is tried.
GATE = Fraction(99, 100)
#: How often more recordings are made before a smaller budget is believed to be possible.
LOOKS = 4
#: The work for all smaller budgets of a mechanism.
WORK = 8_000_000


def smaller_budgets(budget: Linear) -> tuple[Linear, ...]:
    """Budgets below one, most saving ones first: shares of it, and it without one of its terms."""
    shares = [budget.scaled(share) for share in SHARES]
    without = [budget - term(atom).scaled(k) for atom, k in budget.parts]
    return tuple(dict.fromkeys((*shares, *(without if len(budget.parts) > 1 else ()))))


@dataclass(frozen=True, slots=True)
class Proved:
    """What a proof of one case leaves behind: its search, its solver's answers, its shifts."""

    case: Case
    search: Search
    solver: Solver
    shifts: Mapping[int, Expression]


def least_budget(program: Program, cases: Sequence[Proved]) -> Linear:
    """The smallest budget that is proved in every case; the claimed one if no smaller one is."""
    if any(proved.case.budget is not None for proved in cases):
        return program.budget  # the budget of a pair is the definition's, not the mechanism's
    try:
        with allowed(WORK, "the search for a smaller budget"):
            return _least(program, cases)
    except LimitReached:
        return program.budget


def _least(program: Program, cases: Sequence[Proved]) -> Linear:
    gate = program.budget.scaled(GATE)
    for _ in range(LOOKS):
        if any(proved.search.fitting(gate) is None for proved in cases):
            return program.budget
        for proved in cases:
            proved.search.learn_more()
    fitting: list[tuple[Linear, Sequence[Mapping[int, Expression]]]] = []
    for budget in smaller_budgets(program.budget):
        found = [proved.search.fitting(budget) for proved in cases]
        if None not in found:
            fitting.append((budget, [shifts or {} for shifts in found]))
    # Quick answers first; the smallest budget that fits is worth a second look, unless it
    # can be divided in so many ways that the look would take longer than the proof.  Of the
    # shifts that fit any may have been chosen: those that proved the claim come before them.
    own = [proved.shifts for proved in cases]
    second = [(budget, fit) for budget, fits in fitting[:1] for fit in (own, fits)]
    for quick, tried in ((True, fitting), (False, second)):
        if not quick and len(program.budget.parts) > 1:
            break
        for budget, shifts in tried:
            claim = replace(program, budget=budget)
            parts = [_part(claim, p, s, quick) for p, s in zip(cases, shifts, strict=True)]
            if not any(part is None for part in parts) and _accepted(program, budget, parts):
                return budget
    return program.budget


def _accepted(program: Program, budget: Linear, parts: Sequence[Part | None]) -> bool:
    """Whether the kernel agrees."""
    try:
        said = Wording(program).linear(budget)
        kernel = Confirming(core_text(program), said, stated_laws(program))
        for part in parts:
            if part is not None:
                kernel.part(part)
    except Wrong:
        return False
    return True


def _part(
    claim: Program, proved: Proved, shifts: Mapping[int, Expression], quick: bool
) -> Part | None:
    """The proof of one case with these shifts, if there is one."""
    alignment = Alignment(shifts, "found")
    try:
        attempt = prove(claim, proved.case, alignment, proved.solver, quick=quick)
    except LimitReached:
        return None
    if attempt.proof is None:
        return None
    return part_of(claim, proved.case, alignment, [attempt.proof])
