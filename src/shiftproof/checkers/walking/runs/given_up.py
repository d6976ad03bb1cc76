"""Outcomes of a draw that are given up, and normal noise of which an ε is known up to an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ....dsl.language.evaluate import Evaluator
from ....dsl.language.flow import SampleNode
from ....dsl.language.syntax import (
    Capped,
    Comparison,
    Connective,
    Expression,
    Name,
    Span,
    Unless,
)
from ....dsl.noise import Charge, Distribution
from ....dsl.terms.formulas import (
    TRUE,
    Formula,
    above,
    at_least,
    choice,
    conjunction,
    implies,
)
from ....dsl.terms.functions import tangents
from ....dsl.terms.linear import Linear, Opaque, number, term
from ....dsl.terms.values import Num
from .run import Run, Side
from .state import State

#: How the rate of a probability is told from that of a cost.
GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True)
class Bad:
    """Draws that are given up ``where`` something holds: those past ``end``, up- or downwards."""

    where: Formula
    upwards: bool
    strict: bool
    end: Linear

    def holds(self, drawn: Linear) -> Formula:
        """Whether a draw is one of them."""
        more, less = (drawn, self.end) if self.upwards else (self.end, drawn)
        return conjunction((self.where, (above if self.strict else at_least)(more, less)))


def rate_of_delta(probability: Linear) -> Linear:
    """The rate at which a probability is counted."""
    return term(Opaque(GIVEN_UP, (probability,), False))


def probability_at(rate: Linear) -> Linear | None:
    """The probability that a rate counts; ``None`` of a rate of costs."""
    atom = rate.parts[0][0] if len(rate.parts) == 1 else None
    is_delta = isinstance(atom, Opaque) and atom.operation == GIVEN_UP
    return atom.arguments[0] if is_delta and isinstance(atom, Opaque) else None


def bare(shift: Expression) -> Expression:
    """The shift of what is not given up."""
    while isinstance(shift, Unless):
        shift = shift.shift
    return shift


def given_up(run: Run, state: State, node: SampleNode, law: Distribution) -> Sequence[Bad]:
    """What is given up of a draw that is about to be made, and counted."""
    found: list[Bad] = []
    shift = run.shifts[node.site]
    while isinstance(shift, Unless):
        found.append(_bad(run, state, node, shift.test))
        shift = shift.shift
    for bad in found:
        tail = law.tail(bad.end, upwards=bad.upwards, strict=bad.strict)
        if tail is None:
            raise run.program.refuse(
                node.step.span,
                f"outcomes of {type(law).__name__} that are given up",
                "use noise of which the tails are known",
            )
        detail = "the tail has a probability"
        run.owe(state, at_least(tail, number(0)), "cost", detail, node.step.span)
        if law.spread and not law.cost[0]:
            far = bad.end if bad.upwards else -bad.end
            if not far.is_constant:
                known = [fact for fact in (*run.common, *state.facts) if fact.fixed]
                state.learn(TRUE, [*known, *tangents(far, known)])
            detail = "the tail begins beyond zero"
            run.owe(state, at_least(far, number(0)), "cost", detail, node.step.span)
        count(run, state, tail, choice(bad.where, number(1), number(0)), node.step.span)
    return found


def count(run: Run, state: State, probability: Linear, times: Linear, span: Span) -> None:
    """Count a probability that is given up so often; nothing may be foretold to any shift then."""
    check_known(run, span)
    state.charge(rate_of_delta(probability), times)


def check_known(run: Run, span: Span) -> None:
    """Where ρ or δ is claimed, nothing is foretold.

    Raises:
        Unsupported: something is.
    """
    if run.foretells:
        why = "neither ρ nor δ is known of it: let it be known before the draw"
        raise run.program.refuse(span, "a shift that is foretold", why)


def _bad(run: Run, state: State, node: SampleNode, test: Expression) -> Bad:
    first: tuple[Expression, ...] = ()
    last = test
    if isinstance(test, Connective) and test.operator == "and":
        first, last = test.members[:-1], test.members[-1]
    if not (
        isinstance(last, Comparison)
        and last.operator in ("<", "<=", ">", ">=")
        and last.left == Name(last.left.span, node.step.target)
    ):
        raise run.program.refuse(
            node.step.span, "a draw that is given up otherwise", "compare it with a number"
        )
    evaluator = Evaluator(Side(run, state, "left"), Side(run, state, "right"))
    where = conjunction(evaluator.condition(e) for e in first)
    end = evaluator.number(last.right)
    run.owe_duties(state, evaluator)
    return Bad(where, last.operator[0] == ">", "=" not in last.operator, end.term)


def capped_charges(
    run: Run, state: State, node: SampleNode, law: Distribution, drawn: Linear, moved: Linear
) -> tuple[Charge, ...]:
    """What a shift of normal noise costs in ε where the noise is no further out than is said."""
    shift, span = bare(run.shifts[node.site]), node.step.span
    if not isinstance(shift, Capped):
        raise run.program.refuse(
            span,
            f"{type(law).__name__} noise in a claim of ε",
            "no ε bounds its likelihoods: claim ρ, as in ZCDP(), or a δ",
            "never",
        )
    last, most = run.shift(state, shift.end), run.shift(state, shift.most)
    assert isinstance(last, Num) and isinstance(most, Num)
    zero, sigma = number(0), law.term()
    rate = (last.term.scaled(2) + most.term) / sigma / sigma
    charges = []
    for sign in (1, -1):
        there, out = moved.scaled(sign), drawn.scaled(sign)
        detail = "the shift is as small, and the noise no further out, than is said"
        run.owe(state, at_least(most.term, there), "cost", detail, span)
        claim = implies(above(there, zero), at_least(last.term, out))
        run.owe(state, claim, "cost", detail, span)
        when = (at_least if sign == 1 else above)(there, zero)
        charges.append(Charge(when, there, rate.scaled(_HALF)))
    return tuple(charges)


_HALF = Fraction(1, 2)
