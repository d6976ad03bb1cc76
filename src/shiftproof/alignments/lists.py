"""The steps of a paired run that concern lists: make one, store into it, read tracked elements."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from ..dsl.errors import LimitReached
from ..dsl.language.flow import ListNode
from ..dsl.language.syntax import (
    Cell,
    Expression,
    MakeList,
    Name,
    Pick,
    Span,
    Store,
    children,
    names_in,
)
from ..dsl.terms.formulas import (
    Formula,
    above,
    at_least,
    conjunction,
    disjunction,
    equal,
    iff,
    implies,
)
from ..dsl.terms.linear import Linear, Symbol, number, term
from ..dsl.terms.values import Mark, Num, Value, describe
from .alignment import Condition, Reason
from .elements import (
    ABSENT,
    FILL,
    SIZE,
    TrackedElements,
    element_name,
    length_name,
    picked,
    range_name,
    rank,
)
from .paths import Path
from .prophecy import CHOSEN, fulfil
from .run import Run

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


# ``argmax`` and ``top_k`` in two runs: first-order facts about pairs of elements.
#
# An index is picked in both runs if on D' it still comes before every other one that it came
# before on D; the proof shows that for the two witnesses, hence for all pairs.


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


# Where an index stands among the tracked ones, and what two runs owe of an index.


def placed(
    run: Run, path: Path, indices: list[Linear], elements: TrackedElements
) -> Iterator[Path]:
    """The path once for each tracked index that the first index may be, and once for none."""
    if not indices:
        yield path
        return
    rest: Path | None = path
    for place in elements.tracked:
        after = None
        same = equal(indices[0], term(place))
        for fork, here in list(run.forks(rest, same)) if rest is not None else ():
            if here:
                yield from placed(run, fork, indices[1:], elements)
            else:
                after = fork
        rest = after
    if rest is not None:
        yield from placed(run, rest, indices[1:], elements)


def owe_same(run: Run, path: Path, left: Linear, right: Linear, detail: str, span: Span) -> None:
    """Both runs have the same number here: it decides what is sampled and where values go."""
    run.owe(path, equal(left, right), Reason(Condition.SAME_SAMPLES, detail, span))
