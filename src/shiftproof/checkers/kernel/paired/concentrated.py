"""What shifts cost in ρ: what is known before a draw costs the half of its square.

The Rényi divergences of order α are to be at most αρ, for all α > 1 (docs/theory.md, Lemma 6).
"""

from __future__ import annotations

import ast
from fractions import Fraction

from ..arithmetic import Polynomial, Wrong, both, scaled, times
from ..language.steps import Draw
from ..language.syntax import is_call
from .powers import inverse, squared
from .runs import Run, State
from .sides import Side

#: The laws of which the divergence of order α from what is shifted by d is at most α d² / (2 s²),
#: where s is their one parameter.
SPREAD = frozenset({"Gaussian", "DiscreteGaussian", "Laplace", "TwoSidedGeometric"})
HALF = Fraction(1, 2)


def check_shifts(run: Run) -> None:
    """Nothing is foretold to a shift: where ρ is claimed, or something is given up.

    So what a shift reads was drawn before, and there is one map from the runs on D.

    Raises:
        Wrong: a shift reads what comes later.
    """
    for e in run.shifts:
        read = {part.id for part in ast.walk(e) if isinstance(part, ast.Name)}
        if read & {"outcome", "gaps"}:
            raise Wrong("cost: a shift that is foretold, where ρ or δ is claimed")


def pay_zcdp(
    run: Run, state: State, node: Draw, parameters: list[Polynomial], moved: Polynomial
) -> None:
    """Charge the square of a shift that is known before the draw, or its size times a bound.

    Raises:
        Wrong: it is not known before, or no bound is said.
    """
    side = Side(run, state, False)
    largest, size = _bound(run, state, node), side.size(moved)
    if largest == size:
        unit = scaled(squared(side, inverse(side, parameters[0])), HALF)
        run.charge(state, times(moved, moved), unit)
        return
    inside = both(run.unknowns.at_least(largest, p) for p in (moved, scaled(moved, -1)))
    run.owe(state, inside, "cost", "the shift is as small as is said")
    half = scaled(squared(side, inverse(side, parameters[0])), HALF)
    run.charge(state, size, times(largest, half))


def pay_stated(
    run: Run,
    state: State,
    node: Draw,
    amounts: tuple[Polynomial, Polynomial],
    price: Polynomial,
    everywhere: bool,
) -> None:
    """The same of a law that states what a shift costs in ε.

    What is at most c in ε either way, on a support that no shift leaves, is c² / 2 in ρ; what is
    said of one way alone, or of some shifts alone, is as much as in ε.
    """
    q, (there, back) = run.unknowns, amounts
    if not everywhere or not is_call(run.shift_of(node.site), "predictable"):
        run.charge(state, Side(run, state, False).size(there), price)
        return
    largest = _bound(run, state, node)
    inside = both((q.equal(there, back), q.compare(">=", there), q.at_least(largest, there)))
    run.owe(state, inside, "cost", "the shift costs as much either way, and no more than is said")
    run.charge(state, there, scaled(times(largest, times(price, price)), HALF))


def _bound(run: Run, state: State, node: Draw) -> Polynomial:
    """What is said to be the largest size of a shift that does not read its draw."""
    match run.shifts[node.site]:
        case ast.Call(func=ast.Name(id="predictable"), args=[shift, most], keywords=[]):
            read = {n.id for e in (shift, most) for n in ast.walk(e) if isinstance(n, ast.Name)}
            if node.target not in read:
                return Side(run, state, False, shift=True).number(most).term
    raise Wrong(f"line {node.line}: cost: the shift of {node.target} is not predictable")
