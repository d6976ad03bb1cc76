"""Outcomes of a draw that are given up: nothing is owed of them, and δ pays for them.

What is given up is said of the draw on D, by what is known before it is drawn; its probability is
counted, and owed to be within δ, before it is taken for granted that the draw is another one
(docs/theory.md, Lemma 7).
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..arithmetic import ONE, ZERO, Condition, Polynomial, Wrong, add, both, scaled, times
from ..language.steps import Draw
from ..language.syntax import is_call
from .concentrated import HALF, check_shifts
from .expressions import Meaningless, Num
from .laws import FALLING, FLAT, LAWS, NORMAL
from .powers import inverse, squared, tangents
from .runs import Run, State
from .sides import Public, Side


class Bad(NamedTuple):
    """Draws that are given up ``where`` something holds: those past ``end``, up- or downwards."""

    where: Condition
    upwards: bool
    strict: bool
    end: Polynomial

    def holds(self, run: Run, drawn: Polynomial) -> Condition:
        """Whether a draw is one of them."""
        more, less = (drawn, self.end) if self.upwards else (self.end, drawn)
        compare = run.unknowns.above if self.strict else run.unknowns.at_least
        return both((self.where, compare(more, less)))


def given_up(run: Run, state: State, node: Draw, parameters: list[Polynomial]) -> list[Bad]:
    """What is given up of a draw that is about to be made; it is counted, and owed.

    Raises:
        Wrong: it depends on more than is known before the draw, or its law has no tails here.
    """
    found, e = [], run.shifts[node.site]
    while is_call(e, "unless"):
        match e:
            case ast.Call(args=[test, inner], keywords=[]):
                found.append(_bad(run, state, node, test))
                e = inner
            case _:
                raise Wrong(f"line {node.line}: cost: what is given up is said otherwise")
    for bad in found:
        give_up(run, state, bad.where, _tail(run, state, node, bad, parameters))
    return found


def give_up(run: Run, state: State, where: Condition, probability: Polynomial) -> None:
    """Count a probability where something holds; what was counted so far is within its bounds.

    Raises:
        Wrong: something is foretold to a shift, so that what is given up would depend on it.
    """
    check_shifts(run)
    amount = Side(run, state, False).choice(run.settled(state, where), ONE, ZERO)
    run.charge(state, amount, probability, of_delta=True)
    run.owe_delta(state)


def _bad(run: Run, state: State, node: Draw, test: ast.expr) -> Bad:
    where, compared = [], test
    match test:
        case ast.BoolOp(op=ast.And(), values=[*first, last]):
            where, compared = first, last
    match compared:
        case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[end]) if (
            name == node.target and isinstance(op, ast.Gt | ast.GtE | ast.Lt | ast.LtE)
        ):
            # It has no value yet, so nothing of this can read it.
            side = Side(run, state, False, shift=True)
            conditions = both([side.condition(e) for e in where])
            strict, upwards = isinstance(op, ast.Gt | ast.Lt), isinstance(op, ast.Gt | ast.GtE)
            return Bad(conditions, upwards, strict, of_parameters(run, end))
    raise Wrong(
        f"line {node.line}: cost: no draws of {node.target} are told by {ast.unparse(test)[:60]}"
    )


def of_parameters(run: Run, e: ast.expr) -> Polynomial:
    """A number that is made of public inputs.

    Raises:
        Wrong: it is made of something else.
    """
    try:
        return Public(run).number(e).term
    except Meaningless as error:
        what = f"{ast.unparse(e)[:60]} is not made of public inputs"
        raise Wrong(f"cost: {what}: {error}") from None


def _tail(run: Run, state: State, node: Draw, bad: Bad, parameters: list[Polynomial]) -> Polynomial:
    """An upper bound on the probability of draws past an end."""
    side, law = Side(run, state, False), LAWS.get(node.law)
    if law is None or node.law in run.mechanism.laws:
        raise Wrong(f"line {node.line}: cost: no tail of {node.law} is known")
    # From now on upwards, and including the end: a draw downwards is one of the mirrored law.
    sign, end = (law.sign, bad.end) if bad.upwards else (-law.sign, scaled(bad.end, -1))
    if law.whole and bad.strict and run.unknowns.is_whole(bad.end):
        end = add(end, ONE)
    if node.law in FALLING:
        rate = inverse(side, parameters[0])
        if sign < 0:  # towards the end of the support: all but what is further inside
            inside = add(end, ONE, -1) if law.whole else end
            found = add(ONE, side.exponential(times(inside, rate)), -1)
        else:
            found = side.exponential(scaled(times(end, rate), -1))
            if not sign:
                half = add(ONE, side.exponential(scaled(rate, -1)))
                found = times(found, inverse(side, half)) if law.whole else scaled(found, HALF)
    elif node.law in FLAT:
        low, high = parameters if bad.upwards else [scaled(p, -1) for p in reversed(parameters)]
        ends = add(high, ONE) if law.whole else high
        found = times(add(ends, end, -1), inverse(side, add(ends, low, -1)))
    elif node.law in NORMAL:
        owe_amount(run, state, end, "the tail begins beyond zero")
        steps = times(squared(side, end), squared(side, inverse(side, parameters[0])))
        found = side.exponential(scaled(steps, -HALF))
        found = found if law.whole else scaled(found, HALF)
    else:
        raise Wrong(f"line {node.line}: cost: no tail of {node.law} is known")
    # Where a formula says less than nothing, it is none.
    run.owe(state, run.unknowns.compare(">=", found), "cost", "the tail has a probability")
    return found


def owe_amount(run: Run, state: State, amount: Polynomial, why: str) -> None:
    """An amount of public inputs is not negative, as tangents tell of powers and logarithms."""

    def shows(claim: Condition) -> bool:
        return run.refuted([*state.facts, run.unknowns.negated(claim)], plain=True)

    claim, helped = run.unknowns.compare(">=", amount), False
    for fact in tangents(Public(run), amount, shows):
        state.assume(fact)
        helped = True
    if not (helped and shows(claim)):
        run.owe(state, claim, "cost", why)


def pay_capped(
    run: Run, state: State, node: Draw, parameters: list[Polynomial], moved: Polynomial
) -> None:
    """Charge ε of normal noise that is no further out, where its shift goes, than is said.

    There a shift d costs at most |d| (2 end + |d|) / (2 sigma²).

    Raises:
        Wrong: nothing is said.
    """
    q, side, drawn = run.unknowns, Side(run, state, False), state.left[node.target]
    match run.shift_of(node.site):
        case ast.Call(func=ast.Name(id="capped"), args=[_, end, most], keywords=[]) if isinstance(
            drawn, Num
        ):
            last, largest = side.number(end).term, side.number(most).term
        case _:
            raise Wrong(f"line {node.line}: cost: no ε is known of {node.law}")
    for sign in (1, -1):
        there, out = scaled(moved, sign), scaled(drawn.term, sign)
        run.owe(state, q.at_least(largest, there), "cost", "the shift is as small as is said")
        claim = q.implies(q.compare(">", there), q.at_least(last, out))
        run.owe(state, claim, "cost", "the noise is no further out than is said")
    half = scaled(squared(side, inverse(side, parameters[0])), HALF)
    run.charge(state, side.size(moved), times(half, add(scaled(last, 2), largest)))
