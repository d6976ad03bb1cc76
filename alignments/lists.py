"""The steps of a paired run that concern lists: make one, store into it, read tracked elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..dsl.errors import LimitReached
from ..dsl.flow import ListNode
from ..dsl.formulas import (
    above,
    at_least,
    equal,
)
from ..dsl.syntax import Cell, Expression, MakeList, Name, Pick, Store, children, names_in
from ..dsl.terms import Linear, Symbol, number, term
from ..dsl.values import Mark, Num, Value, describe
from .elements import ABSENT, FILL, TrackedElements, element_name, length_name, range_name
from .obligations import Condition, Reason
from .paths import Path
from .picks import pick_indices
from .prophecy import fulfil
from .run import Run
from .tracking import owe_same, placed

#: The longest list of a recording.
LONGEST = 200


def list_step(run: Run, path: Path, node: ListNode) -> Iterator[Path]:
    """One statement about a list."""
    match node.step:
        case MakeList() as make:
            _make(run, path, make)
            forks: Iterable[Path] = (path,)
        case Store() as store:
            forks = _store(run, path, store)
        case Pick() as pick:
            forks = pick_indices(run, path, pick)
    for fork in forks:
        fork.node = node.after
        yield fork


def tracked_forks(run: Run, path: Path, expressions: Iterable[Expression]) -> Iterator[Path]:
    """The path once for each way in which what is read stands to the tracked indices."""
    elements = run.inputs.elements
    if not isinstance(elements, TrackedElements):
        yield path
        return
    reads = [cell for e in expressions for cell in _reads(e) if _is_list(path, cell.array)]
    yield from _forked(run, path, reads, elements)


def _forked(run: Run, path: Path, reads: list[Cell], elements: TrackedElements) -> Iterator[Path]:
    if not reads:
        yield path
        return
    known = {name.partition("#")[0] for name in path.left} | run.program.inputs.keys()
    if names_in(reads[0].index) <= known:  # else it stands in a helper, with names of its own
        indices = {i.key: i for i in run.numbers_quietly(path, reads[0].index)}
        for fork in placed(run, path, list(indices.values()), elements):
            yield from _forked(run, fork, reads[1:], elements)
    else:
        yield from _forked(run, path, reads[1:], elements)


def _reads(e: Expression) -> Iterator[Cell]:
    for child in children(e):
        yield from _reads(child)
    if isinstance(e, Cell):
        yield e


def _is_list(path: Path, array: str) -> bool:
    return length_name(array) in path.left and range_name(array) not in path.left


def _make(run: Run, path: Path, make: MakeList) -> None:
    span, name = make.span, make.target
    left: Value = ABSENT
    right: Value = ABSENT
    if make.fill is not None:
        left, right = run.evaluate(path, make.fill)
        if isinstance(left, Mark) or isinstance(right, Mark):
            advice = "fill it with a number or Boolean, as in [0.0] * n"
            raise run.program.refuse(span, f"a list of {describe(left)}", advice)
    length, other = (n.term for n in run.integers(path, make.length))
    owe_same(run, path, length, other, "both runs make a list of the same length", span)
    reason = Reason(Condition.DEFINEDNESS, "the length of a list is not negative", span)
    run.owe(path, at_least(length, number(0)), reason)
    path.forget(f"{name}#")
    path.set(length_name(name), Num(length, "int"))
    elements = run.inputs.elements
    if isinstance(elements, TrackedElements):
        places: Iterable[object] = elements.tracked
    else:
        _check_length(length)
        places = [FILL, *range(int(length.constant))]
    for place in places:
        path.set(element_name(name, place), left, right)
    _forget_reads(path, name)


def _check_length(length: Linear) -> None:
    if length.constant > LONGEST:
        raise LimitReached("list", f"a recorded list of more than {LONGEST} elements")


def _forget_reads(path: Path, array: str) -> None:
    for name in [n for n in path.loose if n.startswith(f"{array}#")]:
        del path.loose[name]


def _store(run: Run, path: Path, store: Store) -> Iterator[Path]:
    array, span = store.array, store.span
    if range_name(array) in path.left:
        raise run.program.refuse(span, f"a store into '{array}', which top_k made", "make a list")
    left, right = run.evaluate(path, store.value)
    length = path.left[length_name(array)]
    assert isinstance(length, Num)
    index = length.term if store.index is None else _index(run, path, store, length.term)
    elements = run.inputs.elements
    if isinstance(elements, TrackedElements):
        model = elements.model(path, array)
        if _kind(left) != _kind(right) or (model != ABSENT and _kind(left) != _kind(model)):
            raise run.program.refuse(
                span,
                f"{describe(left)} in a list of which the elements are {describe(model)}",
                "keep one type in a list, as in [0.0] * n for floats",
            )
        forks = list(placed(run, path, [index], elements))
        places: Iterable[Symbol] = elements.tracked
    else:
        _check_length(index)
        forks, places = [path], ()
        path.set(element_name(array, index), left, right)
    for fork in forks:
        _forget_reads(fork, array)
        for place in places:
            if fork.decide(equal(index, term(place))) is True:
                fork.set(element_name(array, place), left, right)
                break
        if store.index is None:
            fork.set(length_name(array), Num(index + number(1), "int"))
        yield fork


def _index(run: Run, path: Path, store: Store, length: Linear) -> Linear:
    """Where a value is stored: at the same index in both runs, and in range."""
    assert store.index is not None
    index, other = (n.term for n in run.integers(path, store.index))
    if isinstance(store.index, Name) and store.index.name in run.released:
        fulfil(run, path, index)  # the index is a result, and this is where it first shows
    owe_same(run, path, index, other, "both runs store at the same index", store.span)
    for claim in (at_least(index, number(0)), above(length, index)):
        detail = f"the index of {store.array} is in range"
        run.owe(path, claim, Reason(Condition.DEFINEDNESS, detail, store.span))
    return index


def _kind(value: Value) -> str:
    return value.kind if isinstance(value, Num) else "mark" if isinstance(value, Mark) else "flag"
