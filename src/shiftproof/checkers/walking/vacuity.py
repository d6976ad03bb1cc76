"""Whether a claim compares anything: are two different inputs neighbours?

A claim about pairs of which there are none, or only of an input with itself, is true of every
mechanism.  So it is asked of every case, with all that a proof may use, whether D' is D.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...dsl.errors import BadInput
from ...dsl.language.syntax import NOWHERE
from ...dsl.privacy.inputs import DataSet
from ...dsl.privacy.records import AFTER, BEFORE, attribute
from ...dsl.relations.cases import Case
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import (
    FALSE,
    TRUE,
    Formula,
    above,
    at_least,
    conjunction,
    disjunction,
    equal,
    implies,
)
from ...dsl.terms.linear import Linear, Symbol, number, term
from .runs.discharge import Questioner, products_of
from .runs.state import Condition, Obligation
from .solvers import Solver


def vacuity(program: Program, cases: Sequence[tuple[Case, tuple[Formula, ...]]]) -> BadInput | None:
    """Why a program's claim is about no two inputs that differ; ``None`` if it is about some.

    Args:
        program: the mechanism.
        cases: those of its relation, each with what holds throughout.
    """
    questioner = Questioner(Solver())  # what it does not settle counts as about some
    if not all(_same(program, case, common, questioner) for case, common in cases):
        return None
    if cases and all(_follows(_public(common), FALSE, questioner) for _, common in cases):
        first = program.preconditions[:1]
        return BadInput(
            f"{program.name}: its preconditions contradict each other; it can never be called",
            program.location(first[0].span) if first else None,
        )
    return BadInput(
        f"{program.name}: no two different inputs are neighbours under {program.privacy}, as far "
        "as its preconditions allow them; the same would hold of any mechanism: protect more "
        "values, or let inputs differ by more"
    )


def _same(
    program: Program, case: Case, common: tuple[Formula, ...], questioner: Questioner
) -> bool:
    """Whether the two inputs of every pair in a case are one."""
    claim = conjunction(_equal(program, case, name) for name in case.moves)
    if claim == TRUE or _follows(common, claim, questioner):
        return True
    # What is said of parameters alone may contradict itself by their products only.
    return any(any(products_of(f)) for f in _public(common)) and _follows(
        _public(common), FALSE, questioner
    )


def _follows(facts: tuple[Formula, ...], claim: Formula, questioner: Questioner) -> bool:
    condition: Condition = "preconditions and positivity"
    return questioner.holds(Obligation(facts, (), claim, condition, "D′ is D", NOWHERE))


def _public(facts: tuple[Formula, ...]) -> tuple[Formula, ...]:
    return tuple(fact for fact in facts if fact.fixed)


def _equal(program: Program, case: Case, name: str) -> Formula:
    """One private input is the same in D and in D', wherever one looks."""
    kind, move = case.inputs[name], case.moves[name]
    if isinstance(kind, DataSet):
        if not all(move.present):
            return FALSE  # only one of the two has the record
        return conjunction(
            equal(*(attribute(side + name, number(k)) for side in (BEFORE, AFTER)))
            for k in range(kind.attributes)
        )
    if kind.array:
        known, same = _somewhere(program, case, name)
        return implies(known, same)
    pair = case.scalar(name)
    # Of scalars a rule says something together with an element only.
    beside = [n for n in case.moves if case.rule is not None and case.inputs[n].array]
    known = disjunction(_somewhere(program, case, n)[0] for n in beside) if beside else TRUE
    return implies(conjunction((known, *pair.facts)), equal(pair.left, pair.right))


def _somewhere(program: Program, case: Case, array: str) -> tuple[Formula, Formula]:
    """What is known of one element, at any place, and that it is the same."""
    place = term(Symbol(f"somewhere({array})", True))
    length: Linear = term(program.length_symbol(array))
    pair = case.cell(array, place)
    inside = (at_least(place, number(0)), above(length, place))
    return conjunction((*inside, *pair.facts)), equal(pair.left, pair.right)
