"""One draw in two runs: its distribution, how it is moved for D′, and what that costs."""

from __future__ import annotations

import ast

from ..arithmetic import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Condition,
    Polynomial,
    Wrong,
    add,
    both,
    constant,
    either,
    scaled,
    times,
)
from ..language.stated import Stated
from ..language.steps import Draw
from ..language.syntax import is_call
from .concentrated import HALF, SPREAD, pay_stated, pay_zcdp
from .elements import drop_list, moved_by
from .expressions import Num
from .given_up import Bad, given_up, pay_capped
from .laws import FALLING, FLAT, LAWS, NORMAL, Law
from .powers import inverse, log_odds
from .runs import Run, State
from .sides import Side


def draw(run: Run, state: State, node: Draw) -> bool:
    """Draw on D, and move the draw for D′ by the alignment's shift.

    Returns:
        Whether there is such a distribution; if plainly not, that was owed, and the path ends.
    """
    said = run.mechanism.laws.get(node.law)
    law = Law(len(said.parameters), said.lattice == "integers") if said else LAWS.get(node.law)
    if law is None or len(node.arguments) != law.arity:
        raise Wrong(f"line {node.line}: {node.law} has no alignment")
    parameters = _parameters(run, state, node)
    if said:
        exists = _Stated(run, state, said, parameters).condition(said.exists)
    else:
        exists = _well_formed(run, node.law, parameters)
    run.owe(state, exists, "preconditions and positivity", f"the parameters of {node.law}")
    if exists == FALSE:
        return False
    # What is bound to the name before the draw is no longer there when the shift is read.
    drop_list(run, state, node.target)
    state.drop(node.target)
    bad = given_up(run, state, node, parameters)
    shift = run.shift_of(node.site)
    if bad and (is_call(shift, "gaps") or node.law == "Bernoulli"):
        raise Wrong(f"line {node.line}: cost: nothing of this noise is given up")
    if is_call(shift, "gaps"):
        drawn = run.unknowns.fresh(node.target, False)
        state.put(node.target, Num(drawn, "float"), Num(add(drawn, moved_by(run)), "float"))
    elif node.law == "Bernoulli":
        _flip(run, state, node, parameters[0], shift)
    else:
        _move(run, state, node, law, parameters, bad)
    return True


def _parameters(run: Run, state: State, node: Draw) -> list[Polynomial]:
    """Those of the distribution, which are the same in both runs."""
    found = []
    for e in node.arguments:
        one, two = (Side(run, state, side).number(e).term for side in (False, True))
        claim = run.unknowns.equal(one, two)
        run.owe(state, claim, "same samples", "both runs draw from the same distribution")
        found.append(one)
    return found


def _well_formed(run: Run, law: str, parameters: list[Polynomial]) -> Condition:
    q = run.unknowns
    if law in FALLING or law in NORMAL:
        return q.compare(">", parameters[0])
    if law == "Uniform":
        return q.above(parameters[1], parameters[0])
    if law == "DiscreteUniform":
        return (
            q.at_least(parameters[1], parameters[0]) if all(map(q.is_whole, parameters)) else FALSE
        )
    inside = (q.compare(">", parameters[-1]), q.above(ONE, parameters[-1]))
    return both((*(q.compare(">", p) for p in parameters[:-1]), *inside))


class _Stated(Side):
    """What a law that is stated says of its parameters, a draw and a shift."""

    def __init__(
        self, run: Run, state: State, law: Stated, parameters: list[Polynomial], **more: Polynomial
    ) -> None:
        super().__init__(run, state, False)
        self._given = {**dict(zip(law.parameters, parameters, strict=True)), **more}

    def variable(self, name: str) -> Num:
        return Num(self._given[name], "float")


def _support(
    run: Run, state: State, node: Draw, parameters: list[Polynomial], x: Polynomial
) -> Condition:
    q = run.unknowns
    if said := run.mechanism.laws.get(node.law):
        return _Stated(run, state, said, parameters, x=x).condition(said.support)
    if node.law in FLAT:
        return both((q.at_least(x, parameters[0]), q.at_least(parameters[1], x)))
    sign = LAWS[node.law].sign
    return q.compare(">=", scaled(x, sign)) if sign else TRUE


def _move(
    run: Run, state: State, node: Draw, law: Law, parameters: list[Polynomial], bad: list[Bad]
) -> None:
    q, kind = run.unknowns, "int" if law.whole else "float"
    drawn = q.fresh(node.target, law.whole)
    state.left[node.target] = Num(drawn, kind)
    state.assume(_support(run, state, node, parameters, drawn))
    for one in bad:
        state.assume(q.negated(one.holds(run, drawn)))
    shift = _bare(run.shift_of(node.site))
    moved = Side(run, state, False, shift=True).number(shift).term
    if law.whole and not q.is_whole(moved):
        run.owe(state, FALSE, "support", "the shift is an integer")
    if node.target in _names(shift):
        if not law.whole:
            _check_pieces(shift, node.target)
        _owe_one_to_one(run, state, node, law, parameters, bad, add(drawn, moved))
    landed = add(drawn, moved)
    inside = _support(run, state, node, parameters, landed)
    run.owe(state, inside, "support", "the shifted noise is in the support")
    _pay(run, state, node, parameters, moved)
    state.right[node.target] = Num(landed, kind)


def _bare(shift: ast.expr) -> ast.expr:
    """A shift without what is said of its size."""
    match shift:
        case ast.Call(func=ast.Name(id="predictable" | "capped"), args=[inner, *_], keywords=[]):
            return inner
    return shift


def _owe_one_to_one(
    run: Run,
    state: State,
    node: Draw,
    law: Law,
    parameters: list[Polynomial],
    bad: list[Bad],
    landed: Polynomial,
) -> None:
    """A different draw after the same history is moved to a different one."""
    q, drawn, there = run.unknowns, state.left[node.target], state.copy()
    assert isinstance(drawn, Num)
    twin = q.fresh(node.target, law.whole)
    there.left[node.target] = Num(twin, drawn.kind)
    there.assume(_support(run, there, node, parameters, twin))
    there.assume(q.negated(q.equal(drawn.term, twin)))
    for one in bad:
        there.assume(q.negated(one.holds(run, twin)))
    shift = _bare(run.shift_of(node.site))
    moved = Side(run, there, False, shift=True).number(shift).term
    claim = q.negated(q.equal(landed, add(twin, moved)))
    run.owe(there, claim, "measure", "different draws have different shifted draws")


def _check_pieces(e: ast.AST, target: str) -> None:
    """On the reals a draw may decide its shift, and not be part of it."""
    if isinstance(e, ast.Name) and e.id == target:
        raise Wrong(f"measure: the shift of {target} depends on it other than by a test")
    parts = [e.body, e.orelse] if isinstance(e, ast.IfExp) else ast.iter_child_nodes(e)
    for part in parts:
        _check_pieces(part, target)


def _names(e: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(e) if isinstance(n, ast.Name)}


def _pay(
    run: Run, state: State, node: Draw, parameters: list[Polynomial], moved: Polynomial
) -> None:
    """What the shift costs: an upper bound on log g(x) - log g(x + shift)."""
    if node.law in FLAT or not moved:
        return
    if run.zcdp and node.law in SPREAD:
        pay_zcdp(run, state, node, parameters, moved)
        return
    if node.law in NORMAL:
        pay_capped(run, state, node, parameters, moved)
        return
    if law := run.mechanism.laws.get(node.law):
        ways = [_Stated(run, state, law, parameters, d=scaled(moved, k)) for k in (1, -1)]
        (amount, back), price = (
            (w.number(law.amount).term for w in ways),
            ways[0].number(law.rate).term,
        )
        both_ways = add(amount, back)
        # What a shift takes its way back gives at most: no law makes them less than nothing.
        for cost in (price, both_ways):
            run.owe(state, run.unknowns.compare(">=", cost), "cost", "the stated cost is one")
        if run.zcdp:  # no ρ is stated
            everywhere = isinstance(law.support, ast.Constant) and law.support.value is True
            pay_stated(run, state, node, (amount, back), price, everywhere)
        else:
            run.charge(state, amount, price)
        return
    side = Side(run, state, False)
    price, sign = inverse(side, parameters[0]), LAWS[node.law].sign
    amount = scaled(moved, sign) if sign else side.size(moved)
    if node.law == "Staircase":
        q, step = run.unknowns, parameters[1]
        beyond = add(times(amount, inverse(side, step)), ONE)
        for steps in (2, 1, 0):
            near = run.settled(state, q.at_least(scaled(step, steps), amount))
            beyond = side.choice(near, constant(steps), beyond)
        amount = beyond
    # What costs d / b in ε either way costs no more in ρ, at each order α > 1.
    run.charge(state, side.size(amount) if run.zcdp and sign else amount, price)


def _flip(run: Run, state: State, node: Draw, p: Polynomial, shift: ast.expr) -> None:
    """A coin: it is flipped where the shift holds, which must not depend on the coin."""
    q = run.unknowns
    (((name,), _),) = q.fresh(node.target, False)
    bit: Condition = ("?", name, True)
    if node.target in _names(shift):
        ways = []
        for value in (TRUE, FALSE):
            there = state.copy()
            there.left[node.target] = value
            ways.append(Side(run, there, False, shift=True).condition(shift))
            for fact in there.facts:
                state.assume(fact)
        run.owe(state, q.same(*ways), "measure", "the flip does not depend on its coin")
    state.left[node.target] = bit
    flip = Side(run, state, False, shift=True).condition(shift)
    off, still = q.negated(bit), q.negated(flip)
    if flip != FALSE:
        side, turned = Side(run, state, False), run.settled(state, flip)
        odds = log_odds(side, p)
        if run.zcdp:  # a flip does not read its bit, so it is known before
            run.charge(state, side.choice(turned, ONE, ZERO), scaled(times(odds, odds), HALF))
        else:
            on_off = side.choice(bit, ONE, constant(-1))
            run.charge(state, side.choice(turned, on_off, ZERO), odds)
    state.right[node.target] = either((both((bit, still)), both((off, flip))))
