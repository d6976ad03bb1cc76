"""Invariants by elimination: whatever is kept holds on every rule, however wild the proposals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
import z3

from shiftproof.alignments.alignment import Alignment, annotated_shifts
from shiftproof.checkers.proving.loops.budget import Bounds, allotments
from shiftproof.checkers.proving.loops.cases import proposals_by_case
from shiftproof.checkers.proving.loops.heads import StateVariable, cost_symbol
from shiftproof.checkers.proving.loops.invariants import (
    Invariants,
    Proposer,
    invariants,
    proposals,
    strengthened,
)
from shiftproof.checkers.proving.loops.system import Rule, Solver, System, SystemBuilder
from shiftproof.checkers.proving.search import Search
from shiftproof.checkers.walking.common import common_facts
from shiftproof.dsl.mechanism import Mechanism
from shiftproof.dsl.relations.cases import cases_of
from shiftproof.dsl.terms.formulas import (
    FALSE,
    Formula,
    above,
    at_least,
    conjunction,
    disjunction,
    equal,
    negation,
)
from shiftproof.dsl.terms.linear import Linear, Symbol, number, term
from shiftproof.dsl.terms.smt import Writer
from shiftproof.dsl.terms.substitution import Substitution
from shiftproof.mechanisms.asymmetric_sparse_vector import asymmetric_sparse_vector
from shiftproof.mechanisms.location_monitor import location_monitor
from shiftproof.mechanisms.noisy_max import asymmetric_noisy_argmax, asymmetric_noisy_max
from shiftproof.mechanisms.sparse_vector import sparse_vector
from tests.programs.checkers import annotated_mechanisms, broken_conditions, related_mechanisms
from tests.sampling import every, slow

MECHANISMS = {
    f"{m.function.__module__.rpartition(chr(46))[2]}.{m.function.__name__}": m
    for m in (
        annotated_mechanisms.sparse_vector,
        annotated_mechanisms.asymmetric,
        asymmetric_noisy_max,
        asymmetric_sparse_vector,
        sparse_vector,
        asymmetric_noisy_argmax,
        location_monitor,
        broken_conditions.cost_of_every_round,
        broken_conditions.same_samples_at_a_loop,
        related_mechanisms.good_histogram_adp,
        related_mechanisms.bad_histogram_adp_twice,
    )
}
LONG = {m for m in MECHANISMS if m.endswith(("asymmetric_noisy_argmax", "location_monitor"))}
SOME = [*every(4, sorted(MECHANISMS.keys() - LONG)), *map(slow, sorted(LONG))]


def follows(facts: list[Formula], claim: Formula) -> bool:
    """Asked of a fresh solver, without the product's own questions."""
    writer = Writer()
    texts = [writer.formula(f) for f in (*facts, negation(claim))]
    declared = "".join(f"(declare-const {n} {sort})" for n, sort in writer.sorts.items())
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(declared + "".join(f"(assert {t})" for t in texts))
    return solver.check() == z3.unsat


def put_in(system: System, rule: Rule, claim: Formula) -> Formula:
    """The claim about the rule's target, for what the rule puts in."""
    numbers: dict[str, Linear] = {}
    flags: dict[str, Formula] = {}
    for v, argument in zip(system.predicates[rule.target], rule.arguments, strict=True):
        if isinstance(argument, Linear):
            numbers[v.symbol.key] = argument
        else:
            flags[v.symbol.key] = argument
    return Substitution(numbers, flags).formula(claim)


def assert_inductive(system: System, known: Invariants) -> None:
    for rule in system.rules:
        facts = [*rule.facts, *known.get(rule.source or "", ())]
        for claim in known[rule.target]:
            assert follows(facts, put_in(system, rule, claim)), (rule, claim)


def systems(mechanism: Mechanism) -> Iterator[tuple[System, Bounds]]:
    program = mechanism.program
    for case in cases_of(program.privacy, program.inputs):
        solver = Solver()
        facts = common_facts(program, case)
        alignment = Alignment(annotated_shifts(program), "annotated")
        if len(alignment.shifts) < len(program.flow.sites):
            alignment = next(Search(program, case, facts).candidates(), alignment)
        if len(alignment.shifts) == len(program.flow.sites):
            system = SystemBuilder(program, case, alignment, solver).build()
            for bounds in allotments(system.ends, program.budget, facts, solver):
                yield system, bounds
                break


def only(*claims: Formula) -> Proposer:
    """Proposes these at every head."""
    return lambda system, head, bounds: iter(claims)


@pytest.mark.parametrize("propose", [proposals, proposals_by_case])
@pytest.mark.parametrize("name", SOME)
def test_what_is_kept_is_inductive_on_every_rule(name: str, propose: Proposer) -> None:
    for system, bounds in systems(MECHANISMS[name]):
        known = invariants(system, bounds, propose)
        assert set(known) == set(system.predicates)
        assert_inductive(system, known)


@pytest.mark.parametrize("name", SOME)
def test_what_is_known_already_is_kept_and_asked_again(name: str) -> None:
    for system, bounds in systems(MECHANISMS[name]):
        first = invariants(system, bounds)
        second = invariants(system, bounds, proposals_by_case, first)
        assert_inductive(system, second)
        assert all(set(first[head]) <= set(second[head]) for head in first)


def test_the_cost_of_the_sparse_vector_is_bounded() -> None:
    ((system, bounds),) = systems(asymmetric_sparse_vector)
    known = invariants(system, bounds)
    ((rate, bound),) = bounds.items()
    (claims,) = known.values()
    within = at_least(bound, term(cost_symbol(rate)))
    assert follows([*system.rules[0].facts, *claims], within)


@pytest.mark.parametrize("propose", [proposals, proposals_by_case])
@pytest.mark.parametrize("name", SOME)
def test_wild_proposals_do_no_harm(name: str, propose: Proposer) -> None:
    def wild(system: System, head: str, bounds: Bounds) -> Iterator[Formula]:
        yield from propose(system, head, bounds)
        for v in system.predicates[head]:
            if not v.boolean:
                for bound in (-3, 0, 1, 7):
                    yield at_least(number(bound), term(v.symbol))
                    yield above(term(v.symbol), number(bound))
                    yield equal(term(v.symbol), number(bound))

    for system, bounds in systems(MECHANISMS[name]):
        assert_inductive(system, invariants(system, bounds, wild))


def counting(step: Fraction | int = 1) -> System:
    """``i = 0; while i < n: i += step``, as a system."""
    i, n = Symbol("i", True), Symbol("n", True, fixed=True)
    positive = at_least(term(n), number(0))
    return System(
        constants=(),
        predicates={"head": (StateVariable(i),)},
        rules=[
            Rule(None, (positive,), "head", (number(0),)),
            Rule(
                "head",
                (positive, above(term(n), term(i))),
                "head",
                (term(i) + number(step),),
            ),
        ],
    )


def test_a_counter_stays_between_its_start_and_its_limit() -> None:
    i, n = term(Symbol("i", True)), term(Symbol("n", True, fixed=True))
    system = counting()
    known = invariants(system, {})["head"]
    within = conjunction((at_least(i, number(0)), at_least(n, i)))
    assert follows([*known, at_least(n, number(0))], within)
    assert not follows(list(known), FALSE)


def test_wrong_proposals_are_dropped() -> None:
    i = term(Symbol("i", True))
    right, wrong_at_once, wrong_later, wrong_together = (
        at_least(i, number(0)),
        above(i, number(0)),
        at_least(number(2), i),
        equal(i, number(0)),
    )
    claims = (right, wrong_at_once, wrong_later, wrong_together)
    assert invariants(counting(), {}, only(*claims)) == {"head": (right,)}


def test_what_needs_a_dropped_proposal_goes_with_it() -> None:
    i = term(Symbol("i", True))
    # With steps of two, "below 5" would need "not 4 yet", which the third round breaks.
    claims = (at_least(number(5), i), at_least(number(3), i), at_least(i, number(0)))
    assert invariants(counting(2), {}, only(*claims)) == {"head": claims[2:]}


def test_what_is_known_stays_and_is_said_once() -> None:
    """What no step breaks is handed on from round to round; what only weakens it is left out."""
    i = term(Symbol("i", True))
    right, wrong = at_least(i, number(0)), at_least(number(2), i)
    weaker = disjunction((right, wrong))
    known = {"head": (right,)}
    assert invariants(counting(), {}, only(right, wrong, weaker), known) == {"head": (right,)}


def test_invariants_become_facts_of_the_rules_that_leave() -> None:
    claim = at_least(term(Symbol("i", True)), number(0))
    first, second = strengthened(counting(), {"head": (claim,)}).rules
    assert claim not in first.facts
    assert second.facts[-1] == claim
