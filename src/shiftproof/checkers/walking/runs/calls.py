"""A call of another mechanism in two runs: what its claim asks, what it gives, what it costs.

The claim is taken for granted here; it has a certificate of its own.  By it the callee's answers
are, up to its budget, as likely in D' as in D: so both runs go on with the same answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from ....dsl.language.annotations import Arguments, asked
from ....dsl.language.calls import Call
from ....dsl.language.evaluate import Evaluator
from ....dsl.language.flow import CallNode
from ....dsl.language.syntax import Span
from ....dsl.privacy.inputs import DataSet
from ....dsl.relations.cases import Case, cases_of
from ....dsl.relations.inlining import distance_of, pair_facts, same_range
from ....dsl.relations.moves import Move
from ....dsl.relations.pairs import Rule
from ....dsl.relations.program import program_of
from ....dsl.terms.formulas import (
    FALSE,
    TRUE,
    Formula,
    at_least,
    choice,
    conjunction,
    disjunction,
    equal,
    negation,
)
from ....dsl.terms.functions import facts_of_functions
from ....dsl.terms.linear import DivisionByZero, Linear, number, term
from ....dsl.terms.substitution import Substitution
from ....dsl.terms.values import Mark, Num, NumberKind, describe
from .given_up import count
from .run import Run, Side
from .state import State

Terms = dict[str, Linear]


def call(run: Run, state: State, node: CallNode, look: Callable[[State, Span], None]) -> None:
    """One call, of whatever the callee is declared to be; ``look`` is told of a δ that is spent."""
    step, span = node.step, node.step.span
    _owe_declared(run, step)
    left, right = _arguments(run, state, step)
    public = {n: v for n, v in left.items() if step.callee.inputs[n].public}
    for name, value in public.items():
        detail = f"both runs give the same {name} to {step.callee.name}"
        run.owe(state, equal(value, right[name]), "same samples", detail, span)
    for values, side in ((left, "left"), (right, "right")):
        _owe_asked(run, state, step, values, side)
    here = Side(run, state, "left")
    lengths = {
        program_of(step).length_symbol(name).key: here.length(own) for name, own in step.sequences
    }
    put = Substitution({**public, **lengths})
    rate = _rate(run, state, step, put)
    same = _nothing_private_differs(run, step, left, right)
    cases = cases_of(step.callee.privacy, step.callee.inputs)
    related = disjunction(_related(run, step, case, put, left, right) for case in cases)
    detail = f"the private arguments of {step.callee.name} are its neighbours"
    run.owe(state, disjunction((same, related)), "preconditions and positivity", detail, span)
    decided = state.decide(same)
    equal_ = same if decided is None else TRUE if decided else FALSE
    delta = put.linear(step.callee.delta)
    state.learn(TRUE, facts_of_functions(delta))
    if delta != number(0):
        detail = f"the δ of {step.callee.name} is not negative"
        run.owe(state, at_least(delta, number(0)), "cost", detail, span)
        count(run, state, delta, choice(equal_, number(0), number(1)), span)
        look(state, span)
    if rate != number(0):
        alone = all(step.callee.inputs[p].public for p, _ in step.sequences)
        distance = distance_of(cases[0], left, right) if alone else number(1)
        state.charge(rate, choice(equal_, number(0), distance))
    _put_results(run, state, step)


def _owe_declared(run: Run, step: Call) -> None:
    """What the language asks of calls, looked at once more."""
    callee = step.callee
    parameters = [*(n for n, _ in step.values), *(n for n, _ in step.sequences)]
    may_be = callee.privacy.implies_part_of(run.program.privacy)
    if not may_be or sorted(parameters) != sorted(callee.inputs):
        raise run.program.refuse(step.span, "a call under another claim", "claim the same")
    for name, own in step.sequences:
        if type(callee.inputs[name]) is not type(run.program.inputs.get(own)):
            raise run.program.refuse(step.span, f"'{own}' for '{name}'", "use the same kind")
    if any(callee.inputs[n].array or isinstance(callee.inputs[n], DataSet) for n, _ in step.values):
        raise run.program.refuse(step.span, "a number for a sequence", "pass on a sequence")


def _arguments(run: Run, state: State, step: Call) -> tuple[Terms, Terms]:
    """The scalar arguments in both runs; numbers, and ints where the callee takes ints only."""
    left: Terms = {}
    right: Terms = {}
    for name, e in step.values:
        for value, side in zip(run.both(state, e), (left, right), strict=True):
            whole = step.callee.inputs[name].whole
            if not isinstance(value, Num) or (whole and value.kind != "int"):
                raise run.program.refuse(
                    e.span,
                    f"{describe(value)} for '{name}' of {step.callee.name}",
                    f"give {'an int' if whole else 'a number'}",
                )
            side[name] = value.term
    return left, right


def _kinds(step: Call) -> dict[str, NumberKind]:
    return {n: "int" if step.callee.inputs[n].whole else "float" for n, _ in step.values}


def _owe_asked(run: Run, state: State, step: Call, values: Terms, side: str) -> None:
    """One run meets the callee's preconditions, and what its kinds of parameters ask."""
    kinds = _kinds(step)
    given = {name: Num(value, kinds[name]) for name, value in values.items()}
    for e, words in asked(step.callee):
        evaluator = Evaluator(Arguments(step, given, Side(run, state, side)))
        claim = evaluator.condition(e)
        for owed in (*(duty.condition for duty in evaluator.duties), claim):
            detail = f"{step.callee.name}: {words}"
            run.owe(state, owed, "preconditions and positivity", detail, step.span)


def _rate(run: Run, state: State, step: Call, put: Substitution) -> Linear:
    """The callee's budget for these arguments: over the caller's parameters, and not negative."""
    callee, span = step.callee, step.span
    try:
        divisors = [put.linear(d) for d in callee.divisors]
        rate = put.linear(callee.budget)
    except DivisionByZero:
        divisors, rate = [number(0)], number(0)
    if not rate.fixed:
        raise run.program.refuse(
            span,
            f"a budget of {callee.name} that varies while the mechanism runs",
            "build it from constants and public scalar parameters that are never assigned",
        )
    for divisor in divisors:
        detail = f"the budget of {callee.name} divides by what is not zero"
        claim = negation(equal(divisor, number(0)))
        run.owe(state, claim, "preconditions and positivity", detail, span)
    state.learn(TRUE, facts_of_functions(rate))
    detail = f"the budget of {callee.name} is not negative"
    run.owe(state, at_least(rate, number(0)), "cost", detail, span)
    if run.program.privacy.zcdp and not callee.privacy.zcdp and callee.privacy.is_symmetric:
        return (rate * rate).scaled(Fraction(1, 2))  # an ε both ways
    return rate


def _nothing_private_differs(run: Run, step: Call, left: Terms, right: Terms) -> Formula:
    inputs = step.callee.inputs
    for name, own in step.sequences:
        if not inputs[name].public and not run.unchanged(own):
            return FALSE
    return conjunction(equal(left[n], right[n]) for n, _ in step.values if not inputs[n].public)


def _related(
    run: Run, step: Call, case: Case, put: Substitution, left: Terms, right: Terms
) -> Formula:
    """Whether the arguments are a pair of which the callee's proof of a case speaks."""
    if case.rule is not None:
        return _meets_rule(run, step, case.rule, left, right)
    passed = [p for p, _ in step.sequences if not step.callee.inputs[p].public]
    claims = pair_facts(case, left, right, alone=not passed)
    for name, move in case.moves.items():
        move = replace(
            move,
            low=put.linear(move.low),
            high=put.linear(move.high),
            width=put.linear(move.width),
        )
        if name in left:
            if move.where == "anywhere":
                continue
            if move.where != "everywhere":
                return FALSE
            difference = left[name] - right[name]
            claims += [at_least(difference, move.low), at_least(move.high, difference)]
        elif not _moves_alike(run, step, name, move):
            return FALSE
    return conjunction(claims)


def _moves_alike(run: Run, step: Call, name: str, move: Move) -> bool:
    """Whether a sequence that is passed on moves here just as the callee's case says.

    Of the move, the caller's terms stand for what the callee names.
    """
    passed = dict(step.sequences)
    own = run.move_of(passed[name])
    kinds = step.callee.inputs[name], run.program.inputs[passed[name]]
    return own is None or (
        (own.low, own.high) == (move.low, move.high)
        and (own.where, own.norm) == (move.where, move.norm)
        and (own.width, own.opposed) == (move.width, move.opposed)
        and (own.mixed, own.along) == (move.mixed, tuple(passed.get(n, "?") for n in move.along))
        and (own.present, own.policy, own.whole) == (move.present, move.policy, move.whole)
        and same_range(*kinds)
        and own.by == (passed.get(move.by, "?") if move.by else "")
        and all(getattr(kinds[0], f, None) == getattr(kinds[1], f, None) for f in _OF_ANSWERS)
    )


#: What the facts about a sequence's elements are made of, beside its move.
_OF_ANSWERS = ("whole", "minimum", "attributes")


def _meets_rule(run: Run, step: Call, rule: Rule, left: Terms, right: Terms) -> Formula:
    """Whether a relation of the user's own holds of the arguments.

    It speaks of all elements at once: with sequences among them, it is known of the inputs only.
    """
    private = [(p, own) for p, own in step.sequences if not step.callee.inputs[p].public]
    if not private:
        return conjunction(rule.facts(left, right, _kinds(step)))
    if any(parameter != own for parameter, own in private) or run.rule is None:
        return FALSE
    for name in left:
        kind = run.program.inputs.get(name)
        if step.callee.inputs[name].public and name not in rule.parameters:
            continue
        if step.callee.inputs[name].public:
            if kind is None or not kind.public or kind.array:
                return FALSE
            if left[name] != term(run.program.parameter_symbol(name)):
                return FALSE
            continue
        if kind is None or kind.public or kind.array:
            return FALSE
        pair = run.scalar(name)
        if (pair.left, pair.right) != (left[name], right[name]):
            return FALSE
    return TRUE


def _put_results(run: Run, state: State, step: Call) -> None:
    """Both runs have the same results, about which nothing is known but their types."""
    if step.targets is None:
        return
    for target, kind in zip(step.targets, step.callee.results, strict=True):
        state.put(target, kind if isinstance(kind, Mark) else run.answer(target, kind))
