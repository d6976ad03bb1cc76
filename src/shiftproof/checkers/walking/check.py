"""Checking a certificate: every obligation is generated anew from the program, and discharged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...dsl.errors import BadInput, LimitReached, Unsupported
from ...dsl.language.evaluate import Evaluator
from ...dsl.language.syntax import NOWHERE
from ...dsl.privacy.definitions import DPrivacy
from ...dsl.relations.cases import Case, cases_of
from ...dsl.relations.moves import Move
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import Formula, at_least
from ...dsl.terms.linear import number
from .counting.counter import EnumerationPart, check_enumeration
from .runs.discharge import Questioner, open_obligations
from .runs.elements import facts_of_witnesses
from .runs.run import Run, Side
from .runs.state import Ledger, Obligation, State
from .solvers import Name, Solver
from .sums.check import check_sums
from .sums.rows import SumsPart
from .vacuity import cases_to_compare, vacuity

#: How many heads a part may have, and how many invariants in all.
MOST_HEADS, MOST_INVARIANTS = 100, 200
#: The name of the part that proves the one-sided claims.
ONE_SIDED = "one-sided claims"


@dataclass(slots=True)
class Checked:
    """What came of a check: how many obligations were discharged, and what is in the way."""

    obligations: int = 0
    problems: list[str] = field(default_factory=list)


def nothing_compared(program: Program, solvers: Sequence[Name] = ("z3",)) -> BadInput | None:
    """Why a program's claim is about no two inputs that differ; ``None`` if it is about some.

    Raises:
        BadInput: an input kind has no meaning under the privacy definition.
        Unsupported: a precondition is none that a proof can use.
    """
    cases = [(case, common_facts(program, case)) for case in cases_to_compare(program)]
    found = (vacuity(program, cases, name) for name in solvers)
    return next((why for why in found if why is not None), None)


def check_finite(
    program: Program, sums: SumsPart | None, enumeration: EnumerationPart | None
) -> list[str]:
    """What is in the way of a proof by probabilities."""
    if program.calls and enumeration is None:
        return ["sums are of programs without calls"]
    try:
        found = _check_distances(program, ("z3",))
        if sums is not None:
            return [*found.problems, *check_sums(program, sums, ("z3",)).problems]
        assert enumeration is not None
        return [*found.problems, *check_enumeration(program, enumeration)[1]]
    except (BadInput, LimitReached, Unsupported) as error:
        return [str(error)]


def _check_distances(program: Program, solvers: Sequence[Name]) -> Checked:
    """The budget of a pair is not negative, not even that of an input with itself."""
    found = Checked()
    if not isinstance(program.privacy, DPrivacy):
        return found
    questioners = [Questioner(Solver(name)) for name in solvers]
    for case in cases_of(program.privacy, program.inputs):
        assert case.distance is not None
        common, apart = common_facts(program, case), at_least(case.distance, number(0))
        detail = "the distance is not negative"
        duty = Obligation(common, (), apart, "cost", detail, NOWHERE)
        found.obligations += 1
        for o, why in open_obligations([duty], questioners):
            found.problems.append(f"{program.name}: '{o.condition}': {o.detail}: {why}")
    return found


def same_case(program: Program) -> Case:
    """D' is D: what a run knows then, it knows of D alone."""
    private = (name for name, kind in program.inputs.items() if not kind.public)
    same = Move(number(0), number(0), present=(False, False))
    return Case(ONE_SIDED, program.inputs, dict.fromkeys(private, same))


def common_facts(program: Program, case: Case) -> tuple[Formula, ...]:
    """What holds throughout: kinds of parameters, preconditions, the relation, the witnesses."""
    state = State(program.flow.start)
    run = Run(program, case, {}, (), Ledger(), _Nobody())
    facts = list(program.parameter_facts())
    for precondition in program.preconditions:
        evaluator = Evaluator(Side(run, state, "left"))
        claim = evaluator.condition(precondition)
        # Outside these the call raises before anything is sampled.
        facts += [*(duty.condition for duty in evaluator.duties), claim]
    return (*facts, *state.facts, *case.facts, *facts_of_witnesses(program, case.places))


class _Nobody:
    """Suggests nothing."""

    def holds(self, obligation: Obligation) -> bool:
        """Not that anyone knew."""
        return False
