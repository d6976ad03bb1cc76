"""``argmax`` and ``top_k`` in two runs: first-order facts about pairs of elements.

An index is picked in both runs if on D' it still comes before every other one that it came
before on D; the proof shows that for the two witnesses, hence for all pairs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ..dsl.formulas import (
    TRUE,
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
from .witnesses import PICKED, RANKS, SIZE, WITNESSES


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
    for fork in list(placed(run, path, [found], run.inputs.elements)):
        for k, witness in enumerate(WITNESSES):
            if fork.decide(equal(found, term(witness))) is True:
                _owe_before(run, fork, pick, witness, WITNESSES[1 - k], length, TRUE)
        fork.set(pick.target, Num(found, "int"))
        yield fork


def _owe_before(
    run: Run, path: Path, pick: Pick, x: Symbol, y: Symbol, length: Linear, where: Formula
) -> None:
    """One element comes before the other on D, where the other exists: so it must on D'."""
    first, second = term(x), term(y)
    there = conjunction((where, above(length, second)))
    here, other = (_element(run, path, pick.array, i, pick.span) for i in (first, second))
    left = _before(first, second, here[0], other[0])
    right = _before(first, second, here[1], other[1])
    path.assume(implies(there, left))
    reason = Reason(Condition.PROPHECY, "both runs pick the same index", pick.span)
    run.owe(path, implies(there, right), reason)


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
        for rank, index in enumerate(order):
            path.set(element_name(target, rank), Num(number(index), "int"))
        yield path
        return
    if CHOSEN + "open" not in path.left:
        raise run.program.refuse(span, "top_k in a loop, or more than once", "use argmax, or loops")
    path.forget(CHOSEN)
    path.asked.clear()
    path.assume(equal(term(SIZE), count))
    for picked, witness, place in zip(PICKED, WITNESSES, RANKS, strict=True):
        path.assume(implies(picked, above(length, term(witness))))
        path.assume(implies(picked, at_least(term(place), number(0))))
        path.assume(implies(picked, above(count, term(place))))
    for fork in list(_each_membership(run, path)):
        _owe_ranks(run, fork, pick, length)
        fork.forget(f"{target}#")
        fork.set(length_name(target), Num(count, "int"))
        fork.set(range_name(target), Num(length, "int"))
        yield fork


def _each_membership(run: Run, path: Path) -> Iterator[Path]:
    for one, _ in list(run.forks(path, PICKED[0])):
        for both, _ in list(run.forks(one, PICKED[1])):
            yield both


def _owe_ranks(run: Run, path: Path, pick: Pick, length: Linear) -> None:
    x, y = WITNESSES
    chosen = tuple(path.decide(picked) for picked in PICKED)
    if chosen == (True, True):
        first, second = term(x), term(y)
        here, other = (_element(run, path, pick.array, i, pick.span) for i in (first, second))
        ranked = above(term(RANKS[1]), term(RANKS[0]))
        left = _before(first, second, here[0], other[0])
        right = _before(first, second, here[1], other[1])
        path.assume(iff(ranked, left))
        reason = Reason(Condition.PROPHECY, "both runs pick in the same order", pick.span)
        run.owe(path, iff(ranked, right), reason)
    elif chosen == (True, False):
        _owe_before(run, path, pick, x, y, length, TRUE)
    elif chosen == (False, True):
        _owe_before(run, path, pick, y, x, length, TRUE)


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
    reason = Reason(Condition.PROPHECY, "both runs pick the same indices", pick.span)
    rest = [i for i in range(int(length.constant)) if i not in order]
    pairs = [*itertools.pairwise(order), *((i, j) for i in order[-1:] for j in rest)]
    for i, j in pairs:
        a, b = (_element(run, path, pick.array, number(n), pick.span)[1] for n in (i, j))
        run.owe(path, at_least(a, b) if i < j else above(a, b), reason)
