"""What holds throughout a walk, and whether a claim is about anything."""

from __future__ import annotations

from ...dsl.errors import BadInput
from ...dsl.language.evaluate import Evaluator
from ...dsl.relations.cases import Case, cases_of
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import Formula
from ...dsl.terms.functions import facts_of_functions
from .runs.elements import facts_of_witnesses
from .runs.run import Run, Side
from .runs.state import Ledger, Obligation, State
from .vacuity import vacuity


def nothing_compared(program: Program) -> BadInput | None:
    """Why a program's claim is about no two inputs that differ; ``None`` if it is about some.

    Raises:
        BadInput: an input kind has no meaning under the privacy definition.
        Unsupported: a precondition is none that a proof can use.
    """
    relation = cases_of(program.privacy.of_inputs, program.inputs)
    cases = [(case, common_facts(program, case)) for case in relation]
    return vacuity(program, cases)


def common_facts(program: Program, case: Case) -> tuple[Formula, ...]:
    """What holds throughout: kinds of parameters, preconditions, the relation, the witnesses."""
    state = State(program.flow.start)
    run = Run(program, case, {}, (), Ledger(), Nobody())
    facts = [*program.parameter_facts(), *facts_of_functions(program.budget, program.delta)]
    for precondition in program.preconditions:
        evaluator = Evaluator(Side(run, state, "left"))
        claim = evaluator.condition(precondition)
        # Outside these the call raises before anything is sampled.
        facts += [*(duty.condition for duty in evaluator.duties), claim]
    return (*facts, *state.facts, *case.facts, *facts_of_witnesses(program, case.places))


class Nobody:
    """Suggests nothing."""

    def holds(self, obligation: Obligation) -> bool:
        """Not that anyone knew."""
        return False
