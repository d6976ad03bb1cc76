"""Lists in two runs: made, stored into, and picked from by ``argmax`` and ``top_k``."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from ....dsl.language.evaluate import Evaluator
from ....dsl.language.flow import ListNode
from ....dsl.language.statements import MakeList, Pick, Store
from ....dsl.language.syntax import Cell, Expression, Name, names_in, parts_of
from ....dsl.terms.formulas import (
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
from ....dsl.terms.linear import Linear, Symbol, number, term
from ....dsl.terms.values import Mark, Num, Value, describe
from ..gaps import LAST_TERMS, MOVED_BY, Kept
from .elements import (
    ABSENT,
    SIZE,
    apart,
    element_at,
    element_name,
    forget_strangers,
    length_name,
    picked,
    range_name,
    rank,
    sort_of,
)
from .heads import placed
from .prophecy import COUNT, NEXT, OPEN, fulfil
from .run import Run, Side
from .state import State

# Statements about lists, in two runs: make one, store into one, read tracked elements.


def list_step(run: Run, state: State, node: ListNode) -> Iterator[State]:
    """One statement about a list."""
    match node.step:
        case MakeList() as make:
            _make(run, state, make)
            yield state
        case Store() as store:
            yield from _store(run, state, store)
        case Pick() as pick:
            yield from pick_indices(run, state, pick)


def reading(run: Run, state: State, expressions: Iterable[Expression]) -> Iterator[State]:
    """The path once for each way in which the elements that are read are tracked or not."""
    known = {name.partition("#")[0] for name in state.left} | run.program.inputs.keys()
    cells = [part for e in expressions for part in parts_of(e) if isinstance(part, Cell)]
    cells = [c for c in cells if names_in(c.index) <= known]
    kept = run.ground.kept
    ranks = [c.index for c in cells if kept is not None and c.array == kept.order]
    for fork in _told_last(run, state, ranks):
        own = [c for c in cells if c.array not in run.ground.alike and _is_list(state, c.array)]
        yield from _reading(run, fork, own)


def _told_last(run: Run, state: State, ranks: list[Expression]) -> Iterator[State]:
    """The path once for each answer to whether a rank that is read is the last one."""
    if not ranks:
        yield state
        return
    value = Evaluator(Side(run, state, "left")).value(ranks[0])
    last = equal(value.term, term(SIZE)) if isinstance(value, Num) else TRUE
    for fork, _ in list(run.forks(state, last)):
        yield from _told_last(run, fork, ranks[1:])


def _reading(run: Run, state: State, cells: list[Cell]) -> Iterator[State]:
    if not cells:
        yield state
        return
    indices = {index.key: index for index in _looked_at(run, state, cells[0].index)}
    for fork in placed(run, state, list(indices.values())):
        yield from _reading(run, fork, cells[1:])


def _looked_at(run: Run, state: State, index: Expression) -> Iterator[Linear]:
    """An index in both runs, just to see where it stands: it is evaluated again where it counts."""
    for side in ("left", "right"):
        value = Evaluator(Side(run, state, side)).value(index)
        # What is at the last index that is picked is told apart by its name.
        if isinstance(value, Num) and (run.ground.kept is None or value.term not in LAST_TERMS):
            yield value.term


def _is_list(state: State, array: str) -> bool:
    return length_name(array) in state.left and range_name(array) not in state.left


def _make(run: Run, state: State, make: MakeList) -> None:
    span, name = make.span, make.target
    left: Value = ABSENT
    right: Value = ABSENT
    if make.fill is not None:
        left, right = run.both(state, make.fill)
        if isinstance(left, Mark) or isinstance(right, Mark):
            advice = "fill it with a number or Boolean, as in [0.0] * n"
            raise run.program.refuse(span, f"a list of {describe(left)}", advice)
    length, other = run.integers(state, make.length)
    detail = "both runs make a list of the same length"
    run.owe(state, equal(length, other), "same samples", detail, span)
    detail = "the length of a list is not negative"
    run.owe(state, at_least(length, number(0)), "definedness and end", detail, span)
    state.forget(f"{name}#")
    state.put(length_name(name), Num(length, "int"))
    run.stored(state, name, left, right, span)
    for place in () if name in run.ground.alike else run.ground.places(length):
        state.put(element_name(name, place), left, right)
    forget_strangers(state, name)


def _store(run: Run, state: State, store: Store) -> Iterator[State]:
    array, span = store.array, store.span
    if range_name(array) in state.left:
        raise run.program.refuse(span, f"a store into '{array}', which top_k made", "make a list")
    left, right = run.both(state, store.value)
    like = sort_of(run.ground, state, array)
    if isinstance(left, Mark) or isinstance(right, Mark):
        # What is no number has no strangers: whether an element is None is not left open.
        wrong = left if isinstance(left, Mark) else right
        others = "" if like == ABSENT else f" of which the elements are {describe(like)}"
        raise run.program.refuse(
            span,
            f"{describe(wrong)} in a list{others}",
            "keep one type in a list, as in [0.0] * n for floats",
        )
    length = state.left[length_name(array)]
    assert isinstance(length, Num)
    index = length.term if store.index is None else _index(run, state, store, length.term)
    if _sort(left) != _sort(right) or (like != ABSENT and _sort(left) != _sort(like)):
        raise run.program.refuse(
            span,
            f"{describe(left)} in a list of which the elements are {describe(like)}",
            "keep one type in a list, as in [0.0] * n for floats",
        )
    run.stored(state, array, left, right, span)
    alike = array in run.ground.alike
    for fork in list(placed(run, state, [] if alike else [index])):
        forget_strangers(fork, array)
        if store.index is None:
            fork.put(length_name(array), Num(index + number(1), "int"))
        place = None if alike else run.ground.place_of(fork, array, index)
        if place is not None:
            fork.put(element_name(array, place), left, right)
        yield fork


def _index(run: Run, state: State, store: Store, length: Linear) -> Linear:
    """Where a value is stored: at one index in both runs, and in range."""
    assert store.index is not None
    index, other = run.integers(state, store.index)
    detail = "both runs store at the same index"
    run.owe(state, equal(index, other), "same samples", detail, store.span)
    if isinstance(store.index, Name) and store.index.name in run.released:
        fulfil(run, state, index)  # the index is a result, and this is where it first shows
    for claim in (at_least(index, number(0)), above(length, index)):
        detail = f"the index of {store.array} is in range"
        run.owe(state, claim, "definedness and end", detail, store.span)
    return index


def _sort(value: Value) -> str:
    return value.kind if isinstance(value, Num) else "mark" if isinstance(value, Mark) else "flag"


# ``argmax`` and ``top_k`` in two runs: what they pick is the same.
#
# An index that D picks comes before every index that D does not pick.  If it still does so on
# D', then D' picks it too.  That is owed for all pairs of tracked indices, two of which stand
# for any two.


def pick_indices(run: Run, state: State, pick: Pick) -> Iterator[State]:
    """The path on which both runs have picked the same."""
    length = state.left.get(length_name(pick.array))
    if not isinstance(length, Num) or range_name(pick.array) in state.left:
        known = term(run.program.length_symbol(pick.array))
    else:
        known = length.term
    step = _argmax if pick.count is None else _top_k
    return step(run, state, pick, known)


def _argmax(run: Run, state: State, pick: Pick, length: Linear) -> Iterator[State]:
    how_many(run, state, pick, length)
    found = term(Symbol(run.fresh(pick.target), True))
    state.assume(at_least(found, number(0)))
    state.assume(above(length, found))
    fulfil(run, state, found)
    for fork in list(placed(run, state, [found])):
        here = run.ground.place_of(fork, pick.array, found)
        for another in run.tracked:
            if here is not None and another != here:
                _owe_before(run, fork, pick, here, another, length)
        fork.put(pick.target, Num(found, "int"))
        yield fork


def how_many(run: Run, state: State, pick: Pick, length: Linear) -> Linear:
    """How many indices ``top_k`` picks: the same number in both runs, and no more than there are;
    one for ``argmax``.
    """
    if pick.count is None:
        detail = "argmax has something to choose from"
        run.owe(state, above(length, number(0)), "definedness and end", detail, pick.span)
        return number(1)
    count, other = run.integers(state, pick.count)
    detail = "both runs pick the same number of indices"
    run.owe(state, equal(count, other), "same samples", detail, pick.span)
    least = number(0 if kept_from(run, pick) is None else 1)
    for claim in (at_least(count, least), at_least(length, count)):
        run.owe(state, claim, "definedness and end", "top_k finds enough values", pick.span)
    return count


def kept_from(run: Run, pick: Pick) -> Kept | None:
    """What is kept where the list picked from is one of which the gaps are."""
    kept = run.ground.kept
    return kept if kept is not None and kept.array == pick.array else None


def _top_k(run: Run, state: State, pick: Pick, length: Linear) -> Iterator[State]:
    span, target = pick.span, pick.target
    count, kept = how_many(run, state, pick, length), kept_from(run, pick)
    alike = count if kept is None else count - number(1)
    if OPEN not in state.left:
        # What is foretold is one set of indices: there is no second one.
        raise run.program.refuse(span, "top_k in a loop, or more than once", "use argmax, or loops")
    for name in (OPEN, COUNT, NEXT):
        state.forget(name)
    state.asked.clear()
    state.assume(equal(term(SIZE), alike))
    for index in run.tracked:
        state.assume(implies(picked(index), _exists(run, index, length)))
        state.assume(implies(picked(index), at_least(rank(index), number(0))))
        state.assume(implies(picked(index), above(alike, rank(index))))
    forks = [state]
    for index in run.tracked:
        forks = [fork for here in forks for fork, _ in list(run.forks(here, picked(index)))]
    for fork in forks:
        if kept is not None:
            _keep_gaps(run, fork, pick, kept, length)
            charge_gaps(run, fork, kept, alike)
        for one, another in itertools.combinations(run.tracked if kept is None else (), 2):
            _owe_pair(run, fork, pick, one, another, length)
        fork.forget(f"{target}#")
        fork.put(length_name(target), Num(count, "int"))
        fork.put(range_name(target), Num(length, "int"))
        yield fork


def _keep_gaps(run: Run, state: State, pick: Pick, kept: Kept, length: Linear) -> None:
    """All picks but the last are the same, and ahead by the same."""
    moved_by = term(MOVED_BY)
    for index in run.tracked:
        left, right = number_at(run, state, pick, index)
        inside = differing(run, state, kept, left + moved_by - right)
        detail = "a value with noise differs by as much as the shift says"
        claim = implies(_exists(run, index, length), inside)
        run.owe(state, claim, "cost", detail, pick.span)
    for index in run.tracked:
        name = element_name(kept.array, index)
        left_value = state.left[name]
        if isinstance(left_value, Num):
            other = left_value.term + moved_by
            if not state.decide(picked(index)):
                other = term(Symbol(run.fresh(kept.array), private=True))
            state.put(name, left_value, Num(other, left_value.kind))
    forget_strangers(state, kept.array)


def differing(run: Run, state: State, kept: Kept, apart: Linear) -> Formula:
    """A value differs by as much as the shift says, or less."""
    low, high = (run.numbers(state, e)[0] for e in (kept.low, kept.high))
    return conjunction((at_least(apart, low), at_least(high, apart)))


def charge_gaps(run: Run, state: State, kept: Kept, alike: Linear) -> None:
    """What it costs to keep the gaps of so many picks."""
    low, high = (run.numbers(state, e)[0] for e in (kept.low, kept.high))
    step = kept.draw.step
    law = step.distribution(*(run.numbers(state, e)[0] for e in step.arguments))
    state.charge(law.charges(number(1))[0].rate, alike * (high - low))


def _owe_pair(run: Run, state: State, pick: Pick, x: Linear, y: Linear, length: Linear) -> None:
    """What D' owes of two indices, by which of them D picks."""
    chosen = (state.decide(picked(x)), state.decide(picked(y)))
    if chosen == (True, True):
        ranked = above(rank(y), rank(x))
        left, right = _both_orders(run, state, pick, x, y)
        state.assume(iff(ranked, left))
        detail = "both runs pick in the same order"
        run.owe(state, iff(ranked, right), "prophecy", detail, pick.span)
    elif chosen == (True, False):
        _owe_before(run, state, pick, x, y, length)
    elif chosen == (False, True):
        _owe_before(run, state, pick, y, x, length)


def number_at(run: Run, state: State, pick: Pick, index: Linear) -> tuple[Linear, Linear]:
    """What is compared at a known index; what is owed of it is owed if it is no earlier one."""
    if pick.array in run.program.inputs or range_name(pick.array) in state.left:
        sides = (Side(run, state, side) for side in ("left", "right"))
        left, right = (side.cell(pick.array, index, pick.span) for side in sides)
    else:
        left, right = element_at(run.ground, state, pick.array, index)
    if isinstance(left, Num) and isinstance(right, Num):
        return left.term, right.term
    raise run.program.refuse(
        pick.span, f"the largest of elements that are {describe(left)}", "use numbers"
    )


def _comes_before(first: Linear, second: Linear, x: Linear, y: Linear) -> Formula:
    """Whether the element x at ``first`` is picked before the element y at ``second``."""
    tie = conjunction((above(second, first), at_least(x, y)))
    return disjunction((above(x, y), tie))


def _both_orders(run: Run, state: State, pick: Pick, x: Linear, y: Linear) -> list[Formula]:
    """Whether the element at x comes before the one at y: on D, and on D'."""
    one, another = (number_at(run, state, pick, index) for index in (x, y))
    return [_comes_before(x, y, one[k], another[k]) for k in (0, 1)]


def _exists(run: Run, index: Linear, length: Linear) -> Formula:
    """A tracked index is one of the list's, and is counted once."""
    inside = (at_least(index, number(0)), above(length, index))
    return conjunction((*inside, apart(run.ground, index)))


def _owe_before(run: Run, state: State, pick: Pick, x: Linear, y: Linear, length: Linear) -> None:
    """On D the element at x comes before the one at y, where there is one: so it must on D'."""
    there = _exists(run, y, length)
    left, right = _both_orders(run, state, pick, x, y)
    state.assume(implies(there, left))
    detail = "both runs pick the same index"
    run.owe(state, implies(there, right), "prophecy", detail, pick.span)
