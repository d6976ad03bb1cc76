"""How much of a proved budget is needed: the least ε over the template of the alignment.

A smaller budget is tried only if the recordings of the search leave room for it, which for
most mechanisms they do not: one question, and the claim is known to be tight for these
shifts.  Otherwise it is proved, like any claim, or not reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from ....alignments.alignment import Alignment
from ....dsl.errors import LimitReached
from ....dsl.normalise import core_text
from ....dsl.relations.cases import Case
from ....dsl.relations.program import Program
from ....dsl.terms.allowance import allowed
from ....dsl.terms.formulas import at_least
from ....dsl.terms.linear import Linear, term
from ...kernel.arithmetic import Wrong
from ...trees.confirming import Confirming
from ...walking.certificate import Part
from ...walking.common import common_facts
from ...walking.stated import stated_laws
from ..loops.budget import spent
from ..loops.system import Solver
from ..recordings import budget_on, record
from ..search import Search
from ..writing import Wording, part_of
from .pricing import Priced, priced, together

#: The shares of a budget that are tried, smallest first.
SHARES = tuple(Fraction(*f) for f in ((0, 1), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4)))
#: If not even so much of the budget can be enough, nothing less is tried.
GATE = Fraction(99, 100)
#: How often more recordings are made before a smaller budget is believed to be possible.
LOOKS = 4
#: On how many examples it is looked whether a proof needs all of its budget.
AGAIN = 16
#: The work for all smaller budgets of a mechanism.
WORK = 16_000_000


def smaller_budgets(budget: Linear) -> tuple[Linear, ...]:
    """Budgets below one, most saving ones first: shares of it, and it without one of its terms."""
    shares = [budget.scaled(share) for share in SHARES]
    without = [budget - term(atom).scaled(k) for atom, k in budget.parts]
    return tuple(dict.fromkeys((*shares, *(without if len(budget.parts) > 1 else ()))))


@dataclass(frozen=True, slots=True)
class Proved:
    """What a proof of one case leaves behind: its search, its solver's answers, its alignment."""

    case: Case
    search: Search
    solver: Solver
    alignment: Alignment


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
    tried: list[list[Alignment]] = []
    if not any(_is_reached(program, gate, proved) for proved in cases):
        tried.append([proved.alignment for proved in cases])
    for budget in smaller_budgets(program.budget):
        found = [a for p in cases if (a := p.search.fitting(budget)) is not None]
        if len(found) == len(cases) and found not in tried:
            tried.append(found)
    least = program.budget
    with suppress(LimitReached):
        for alignments in tried:
            kept = _kept_by(program, cases, alignments)
            if kept is not None and _is_below(kept, least, program, cases):
                least = kept
    return least


def _is_reached(program: Program, budget: Linear, proved: Proved) -> bool:
    """Whether the shifts that proved the claim cost more than a budget on some recording."""
    for seed, known in enumerate(proved.search.recordings[:AGAIN]):
        run = record(program, known.example, proved.alignment.shifts, (), seed)
        if run is not None and run.cost is not None:
            over = run.cost - budget_on(program, budget, known.example)
            if over.is_constant and over.constant > 0:
                return True
    return False


def _kept_by(
    program: Program, cases: Sequence[Proved], alignments: Sequence[Alignment]
) -> Linear | None:
    """What alignments cost, case by case, if they are proved with little effort."""
    found: list[Priced] = []
    parts: list[Part] = []
    for proved, alignment in zip(cases, alignments, strict=True):
        arrived = proved.search.arrived(alignment)
        one = priced(program, proved.case, alignment, proved.solver, arrived=arrived)
        if one is None:
            return None
        found.append(one)
        parts.append(part_of(program, proved.case, alignment, [one.proof]))
    budget = spent(together(program, found))
    return budget if accepted(program, parts, budget) else None


def _is_below(budget: Linear, other: Linear, program: Program, cases: Sequence[Proved]) -> bool:
    """Whether a budget is smaller for all parameters."""
    below = at_least(other, budget)
    return budget != other and all(
        proved.solver.follows(common_facts(program, proved.case), below) for proved in cases
    )


def accepted(program: Program, parts: Iterable[Part], budget: Linear | None = None) -> bool:
    """Whether the kernel agrees to a proof; of so much, or else of what is claimed."""
    said = "" if budget is None else Wording(program).linear(budget)
    try:
        kernel = Confirming(core_text(program), said, stated_laws(program))
        for part in parts:
            kernel.part(part)
    except Wrong:
        return False
    return True
