"""``argmax`` and ``top_k`` in two runs: first-order facts about pairs of elements.

An index is picked in both runs if on D' it still comes before every other one that it came
before on D; the proof shows that for the two witnesses, hence for all pairs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ..dsl.formulas import (
    Formula,
    above,
    at_least,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
)
from ..dsl.syntax import Pick, Span
from ..dsl.terms import Linear, Symbol, number, term
from ..dsl.values import Num, describe
from .elements import FILL, TrackedElements, element_name, length_name, range_name
from .obligations import Condition, Reason
from .paths import Path
from .prophecy import CHOSEN, fulfil
from .run import Run
from .tracking import owe_same, placed
from .witnesses import SIZE, picked, rank


def pick_indices(run: Run, path: Path, pick: Pick) -> Iterator[Path]:
    """The path on which both runs have picked the same."""
    return _argmax(run, path, pick) if pick.count is None else _top_k(run, path, pick)


def _element(run: Run, path: Path, array: str, index: Linear, span: Span) -> tuple[Linear, Linear]:
    """An element in both runs, as a number."""
    found = [side.cell(array, index, span) for side in run.sides(path)]
    left, right = found
    if isinstance(left, Num) and isinstance(right, Num):
        return left.term, right.term
    raise run.program.refuse(
        span, f"the largest of elements that are {describe(left)}", "use numbers"
    )


def _before(first: Linear, second: Linear, x: Linear, y: Linear) -> Formula:
    """Whether the element x at ``first`` comes before the element y at ``second``."""
    earlier = above(second, first)
    tie = conjunction((earlier, at_least(x, y)))
    return disjunction((above(x, y), tie))


def _argmax(run: Run, path: Path, pick: Pick) -> Iterator[Path]:
    length = _length(run, path, pick)
    reason = Reason(Condition.DEFINEDNESS, "argmax has something to choose from", pick.span)
    run.owe(path, above(length, number(0)), reason)
    if not isinstance(run.inputs.elements, TrackedElements):
        best = _recorded_order(run, path, pick, length)[:1]
        found = number(best[0] if best else 0)
        _owe_order(run, path, pick, best, length)
        fulfil(run, path, found)
        path.set(pick.target, Num(found, "int"))
        yield path
        return
    found = term(Symbol(f"{pick.target} #{next(run.fresh)}", True))
    path.assume(at_least(found, number(0)))
    path.assume(above(length, found))
    fulfil(run, path, found)
    tracked = run.inputs.elements.tracked
    for fork in list(placed(run, path, [found], run.inputs.elements)):
        here = [index for index in tracked if fork.decide(equal(found, term(index))) is True]
        for another in tracked:
            if here and another != here[0]:
                _owe_before(run, fork, pick, here[0], another, length)
        fork.set(pick.target, Num(found, "int"))
        yield fork


def _owe_before(run: Run, path: Path, pick: Pick, x: Symbol, y: Symbol, length: Linear) -> None:
    """One element comes before the other on D, where the other exists: so it must on D'."""
    there = _exists(run, y, length)
    left, right = _both_orders(run, path, pick, x, y)
    path.assume(implies(there, left))
    reason = Reason(Condition.PROPHECY, "both runs pick the same index", pick.span)
    run.owe(path, implies(there, right), reason)


def _exists(run: Run, index: Symbol, length: Linear) -> Formula:
    """A tracked index is one of the list's, and no earlier tracked one (places may coincide)."""
    assert isinstance(run.inputs.elements, TrackedElements)
    inside = (at_least(term(index), number(0)), above(length, term(index)))
    return conjunction((*inside, run.inputs.elements.apart(index)))


def _both_orders(run: Run, path: Path, pick: Pick, x: Symbol, y: Symbol) -> list[Formula]:
    """Whether the element at x comes before the one at y: on D, and on D'."""
    first, second = term(x), term(y)
    one, another = (_element(run, path, pick.array, i, pick.span) for i in (first, second))
    return [_before(first, second, one[k], another[k]) for k in (0, 1)]


def _top_k(run: Run, path: Path, pick: Pick) -> Iterator[Path]:
    assert pick.count is not None
    span = pick.span
    length = _length(run, path, pick)
    count, other = (n.term for n in run.integers(path, pick.count))
    owe_same(run, path, count, other, "both runs pick the same number of indices", span)
    for claim in (at_least(count, number(0)), at_least(length, count)):
        run.owe(path, claim, Reason(Condition.DEFINEDNESS, "top_k finds enough values", span))
    target = pick.target
    if not isinstance(run.inputs.elements, TrackedElements):
        order = _recorded_order(run, path, pick, length)[: int(count.constant)]
        _owe_order(run, path, pick, order, length)
        path.picked = tuple(order)
        path.forget(f"{target}#")
        path.set(length_name(target), Num(number(len(order)), "int"))
        path.set(element_name(target, FILL), Num(number(0), "int"))
        for place, chosen in enumerate(order):
            path.set(element_name(target, place), Num(number(chosen), "int"))
        yield path
        return
    if CHOSEN + "open" not in path.left:
        raise run.program.refuse(span, "top_k in a loop, or more than once", "use argmax, or loops")
    path.forget(CHOSEN)
    path.asked.clear()
    path.assume(equal(term(SIZE), count))
    tracked = run.inputs.elements.tracked
    for index in tracked:
        path.assume(implies(picked(index), _exists(run, index, length)))
        path.assume(implies(picked(index), at_least(term(rank(index)), number(0))))
        path.assume(implies(picked(index), above(count, term(rank(index)))))
    for fork in list(_each_membership(run, path, tracked)):
        for one, another in itertools.combinations(tracked, 2):
            _owe_ranks(run, fork, pick, one, another, length)
        fork.forget(f"{target}#")
        fork.set(length_name(target), Num(count, "int"))
        fork.set(range_name(target), Num(length, "int"))
        yield fork


def _each_membership(run: Run, path: Path, indices: tuple[Symbol, ...]) -> Iterator[Path]:
    if not indices:
        yield path
        return
    for fork, _ in list(run.forks(path, picked(indices[0]))):
        yield from _each_membership(run, fork, indices[1:])


def _owe_ranks(run: Run, path: Path, pick: Pick, x: Symbol, y: Symbol, length: Linear) -> None:
    chosen = (path.decide(picked(x)), path.decide(picked(y)))
    if chosen == (True, True):
        ranked = above(term(rank(y)), term(rank(x)))
        left, right = _both_orders(run, path, pick, x, y)
        path.assume(iff(ranked, left))
        reason = Reason(Condition.PROPHECY, "both runs pick in the same order", pick.span)
        run.owe(path, iff(ranked, right), reason)
    elif chosen == (True, False):
        _owe_before(run, path, pick, x, y, length)
    elif chosen == (False, True):
        _owe_before(run, path, pick, y, x, length)


def _length(run: Run, path: Path, pick: Pick) -> Linear:
    left, _ = run.sides(path)
    return left.length(pick.array)


def _recorded_order(run: Run, path: Path, pick: Pick, length: Linear) -> list[int]:
    """The indices of a recorded list on D, largest element first."""
    values = [
        _element(run, path, pick.array, number(i), pick.span)[0].constant
        for i in range(int(length.constant))
    ]
    return sorted(range(len(values)), key=lambda i: (-values[i], i))


def _owe_order(run: Run, path: Path, pick: Pick, order: list[int], length: Linear) -> None:
    """On D' each picked index comes before the next one, and the last before all others."""
    reason = Reason(Condition.PROPHECY, "both runs pick the same index", pick.span)
    if len(order) > 1:
        reason = Reason(
            Condition.PROPHECY, "both runs pick the same indices, in the same order", pick.span
        )
    rest = [i for i in range(int(length.constant)) if i not in order]
    pairs = [*itertools.pairwise(order), *((i, j) for i in order[-1:] for j in rest)]
    for i, j in pairs:
        a, b = (_element(run, path, pick.array, number(n), pick.span)[1] for n in (i, j))
        run.owe(path, at_least(a, b) if i < j else above(a, b), reason)
