"""Statements about lists, in two runs: make one, store into one, read tracked elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...dsl.evaluate import Evaluator
from ...dsl.flow import ListNode
from ...dsl.formulas import above, at_least, equal
from ...dsl.syntax import Cell, Expression, MakeList, Name, Pick, Store, names_in
from ...dsl.terms import Linear, number
from ...dsl.values import Mark, Num, Value, describe
from .elements import (
    ABSENT,
    element_name,
    forget_strangers,
    length_name,
    range_name,
    sort_of,
)
from .picks import pick_indices
from .placing import placed
from .prophecy import fulfil, parts_of
from .run import Run, Side
from .state import State


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
    cells = [
        part
        for e in expressions
        for part in parts_of(e)
        if isinstance(part, Cell) and _is_list(state, part.array)
    ]
    yield from _reading(run, state, [c for c in cells if names_in(c.index) <= known])


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
        if isinstance(value, Num):
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
            raise run.program.refuse(span, f"a list of {describe(left)}", "fill it with numbers")
    length, other = run.integers(state, make.length)
    detail = "both runs make a list of the same length"
    run.owe(state, equal(length, other), "same samples", detail, span)
    detail = "the length of a list is not negative"
    run.owe(state, at_least(length, number(0)), "definedness and end", detail, span)
    state.drop(f"{name}#")
    state.put(length_name(name), Num(length, "int"))
    for place in run.tracked:
        state.put(element_name(name, place), left, right)
    forget_strangers(state, name)


def _store(run: Run, state: State, store: Store) -> Iterator[State]:
    array, span = store.array, store.span
    if range_name(array) in state.left:
        raise run.program.refuse(span, f"a store into '{array}', which top_k made", "make a list")
    left, right = run.both(state, store.value)
    if isinstance(left, Mark) or isinstance(right, Mark):
        # What is no number has no strangers: whether an element is None is not left open.
        raise run.program.refuse(span, f"{describe(left)} in a list", "keep numbers in lists")
    length = state.left[length_name(array)]
    assert isinstance(length, Num)
    index = length.term if store.index is None else _index(run, state, store, length.term)
    like = sort_of(run.ground, state, array)
    if _sort(left) != _sort(right) or (like != ABSENT and _sort(left) != _sort(like)):
        raise run.program.refuse(span, f"{describe(left)} in a list of others", "keep one type")
    for fork in list(placed(run, state, [index])):
        forget_strangers(fork, array)
        for place in run.tracked:
            if fork.decide(equal(index, place)) is True:
                fork.put(element_name(array, place), left, right)
                break
        if store.index is None:
            fork.put(length_name(array), Num(index + number(1), "int"))
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
