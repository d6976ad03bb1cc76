"""A call of another mechanism in the paired run: by its claim, not by its body.

What a mechanism with budget β releases is as likely on D as on D', up to e^β, where its private
arguments are related by its claim and everything else is equal.  So both runs get the same
results, the call costs β where a private argument differs, and nothing else is known of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..dsl.language.annotations import Arguments, asked
from ..dsl.language.calls import Call
from ..dsl.language.evaluate import Evaluator
from ..dsl.language.flow import CallNode
from ..dsl.relations.cases import Case
from ..dsl.relations.inlining import distance_of, pair_facts, same_range
from ..dsl.relations.moves import Move
from ..dsl.relations.pairs import Rule
from ..dsl.relations.program import Program, program_of
from ..dsl.terms.formulas import (
    FALSE,
    TRUE,
    Formula,
    at_least,
    choice,
    conjunction,
    disjunction,
    equal,
    negation,
    truth,
)
from ..dsl.terms.linear import DivisionByZero, Linear, NonLinear, number, term
from ..dsl.terms.substitution import Substitution
from ..dsl.terms.values import Mark, Num, NumberKind, describe
from .alignment import Condition, Reason
from .draws import pieces
from .paths import Path
from .run import Run


@dataclass(frozen=True, slots=True)
class Given:
    """The scalar arguments of a call in D and in D', by parameter of the callee."""

    step: Call
    left: Mapping[str, Linear]
    right: Mapping[str, Linear]

    @property
    def callee(self) -> Program:
        """The mechanism that is called."""
        return program_of(self.step)

    @property
    def public(self) -> dict[str, Linear]:
        """The public scalar arguments; they are the same in both runs."""
        return {n: v for n, v in self.left.items() if self.callee.inputs[n].public}

    @property
    def private(self) -> tuple[str, ...]:
        """The private scalar parameters."""
        return tuple(n for n in self.left if not self.callee.inputs[n].public)

    @property
    def passed_on(self) -> dict[str, str]:
        """The private sequences, by parameter, as the caller calls them."""
        return {p: own for p, own in self.step.sequences if not self.callee.inputs[p].public}

    def numbers(self, side: Mapping[str, Linear]) -> dict[str, Num]:
        """The arguments of one run as the callee has them: where it says float, they are."""
        return {n: Num(v, self.kinds[n]) for n, v in side.items()}

    @property
    def kinds(self) -> dict[str, NumberKind]:
        """The Python types of the scalar parameters."""
        return {n: "int" if self.callee.inputs[n].whole else "float" for n in self.left}


def call_step(run: Run, path: Path, node: CallNode) -> Iterator[Path]:
    """Owe what the callee asks, charge what it costs, and go on with the same results."""
    step = node.step
    given = _given(run, path, step)
    _owe_arguments(run, path, given)
    rate = _rate(run, path, given)
    if rate is None:
        return  # the budget divides by zero; that it must not has been said
    for piece, apart in list(_by_pieces(run, path, given, given.private)):
        same = _same(run, apart)
        detail = f"the private arguments of {given.callee.name} are neighbours as it says"
        reason = Reason(Condition.PRECONDITIONS, detail, step.span)
        run.owe(piece, disjunction((same, _neighbours(run, apart))), reason)
        for paid in _paid(run, piece, rate, same, _distance(given.callee, apart)):
            _keep_results(run, paid, step)
            # A callee may run for ever, and what was released so far can be seen.
            run.observer.at_call(paid, step.span)
            paid.node = node.after
            yield paid


def _given(run: Run, path: Path, step: Call) -> Given:
    found: tuple[dict[str, Linear], dict[str, Linear]] = {}, {}
    for name, e in step.values:
        for value, side in zip(run.evaluate(path, e), found, strict=True):
            whole = step.callee.inputs[name].whole
            if not isinstance(value, Num) or (whole and value.kind != "int"):
                wanted = "an int" if whole else "a number"
                raise run.program.refuse(
                    e.span,
                    f"{describe(value)} for '{name}' of {step.callee.name}",
                    f"give {wanted}",
                )
            side[name] = value.term
    return Given(step, *found)


def _owe_arguments(run: Run, path: Path, given: Given) -> None:
    """What is public is the same in both runs, and both meet what the callee asks."""
    span, name = given.step.span, given.callee.name
    for parameter, value in given.public.items():
        detail = f"both runs call {name} with the same {parameter}"
        claim = equal(value, given.right[parameter])
        run.owe(path, claim, Reason(Condition.SAME_SAMPLES, detail, span))
    for side, view in zip((given.left, given.right), run.sides(path), strict=True):
        evaluator = Evaluator(Arguments(given.step, given.numbers(side), view))
        for e, words in asked(given.callee):
            claim = evaluator.condition(e)
            for owed in (*(duty.condition for duty in evaluator.duties), claim):
                reason = Reason(Condition.PRECONDITIONS, f"{name}: {words}", span)
                run.owe(path, owed, reason)
            evaluator.duties.clear()


def _rate(run: Run, path: Path, given: Given) -> Linear | None:
    """What the callee's budget is for these arguments; ``None`` if it divides by zero."""
    span, name = given.step.span, given.callee.name
    put = Substitution(given.public)
    reason = Reason(Condition.PRECONDITIONS, f"the budget of {name} is defined", span)
    try:
        for divisor in given.callee.divisors:
            run.owe(path, negation(equal(put.linear(divisor), number(0))), reason)
        rate = put.linear(given.callee.budget)
    except DivisionByZero:
        run.owe(path, FALSE, reason)
        return None
    except NonLinear:
        rate = None
    if rate is None or not rate.fixed:
        raise run.program.refuse(
            span,
            f"a budget of {name} that varies while the mechanism runs",
            "build it from constants and public scalar parameters that are never assigned",
        )
    detail = f"the budget of {name} is not negative"
    run.owe(path, at_least(rate, number(0)), Reason(Condition.COST, detail, span))
    return rate


def _by_pieces(
    run: Run, path: Path, given: Given, private: tuple[str, ...]
) -> Iterator[tuple[Path, Given]]:
    """The path on each piece of the differences, with these as plain combinations there."""
    if not private:
        yield path, given
        return
    name = private[0]
    for piece, difference in pieces(run, path, given.left[name] - given.right[name]):
        right = {**given.right, name: given.left[name] - difference}
        yield from _by_pieces(run, piece, replace(given, right=right), private[1:])


def _same(run: Run, given: Given) -> Formula:
    """Whether all private arguments are the same in D and in D'."""
    sequences = (truth(run.inputs.unchanged(own)) for own in given.passed_on.values())
    scalars = (equal(given.left[n], given.right[n]) for n in given.private)
    return conjunction((*sequences, *scalars))


def _neighbours(run: Run, given: Given) -> Formula:
    """Whether the private arguments are neighbours in one of the callee's cases."""
    return disjunction(_in_case(run, given, case) for case in given.callee.cases)


def _in_case(run: Run, given: Given, case: Case) -> Formula:
    """Whether everything that the callee's proof of a case assumes holds of the arguments."""
    if case.rule is not None:
        return _by_rule(run, given, case.rule)
    claims = pair_facts(case, given.left, given.right, alone=not given.passed_on)
    put = Substitution(given.public)
    for name, own in given.passed_on.items():
        if not same_range(given.callee.inputs[name], run.program.inputs[own]):
            return FALSE
        claims.append(truth(run.inputs.moves_as(own, _moved(case.moves[name], given, put))))
    for name in given.private:
        move, difference = case.moves[name], given.left[name] - given.right[name]
        if move.where == "anywhere":
            continue
        if move.where != "everywhere":
            return FALSE
        claims.append(at_least(difference, put.linear(move.low)))
        claims.append(at_least(put.linear(move.high), difference))
    return conjunction(claims)


def _moved(move: Move, given: Given, put: Substitution) -> Move:
    """How an argument is to move, in the names of the caller."""
    passed = dict(given.step.sequences)
    by = passed[move.by] if move.by else ""
    along = tuple(passed.get(name, "?") for name in move.along)
    return replace(move, low=put.linear(move.low), high=put.linear(move.high), by=by, along=along)


def _by_rule(run: Run, given: Given, rule: Rule) -> Formula:
    """Whether a rule of the user's own holds; with sequences, only of the same inputs."""
    if not given.passed_on:
        return conjunction(rule.facts(given.left, given.right, given.kinds))
    own = [parameter == name for parameter, name in given.passed_on.items()]
    for name in rule.parameters:
        if given.callee.inputs[name].public:
            kind = run.program.inputs.get(name)
            if kind is None or not kind.public or kind.array:
                return FALSE
            own.append(given.left[name] == term(run.program.parameter_symbol(name)))
    for name in given.private:
        if name not in run.program.inputs or run.program.inputs[name].array:
            return FALSE
        pair = run.inputs.scalar(name)
        own.append(pair.left == given.left[name] and pair.right == given.right[name])
    return truth(all(own))


def _distance(callee: Program, given: Given) -> Linear:
    """What the callee's budget is multiplied by for these arguments."""
    return number(1) if given.passed_on else distance_of(callee.cases[0], given.left, given.right)


def _paid(run: Run, path: Path, rate: Linear, same: Formula, distance: Linear) -> Iterator[Path]:
    """The budget, or its multiple by the distance of the arguments, is spent where they differ."""
    if not run.split:
        path.charge(rate, choice(same, number(0), distance))
        yield path
        return
    for fork, equals in list(run.forks(path, same)):
        if equals:
            yield fork
            continue
        for piece, amount in list(pieces(run, fork, distance)):
            piece.charge(rate, amount)
            yield piece


def _keep_results(run: Run, path: Path, step: Call) -> None:
    """What the callee returned, the same in both runs; what it released is out already."""
    if step.targets is None:
        path.outputs.append((step.span, TRUE, TRUE))
        return
    for target, kind in zip(step.targets, step.callee.results, strict=True):
        path.set(target, kind if isinstance(kind, Mark) else run.inputs.result(target, kind))
