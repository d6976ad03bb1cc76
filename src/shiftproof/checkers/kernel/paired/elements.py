"""Elements of lists: known at a few indices, anything elsewhere.

A list is kept as variables: its length, and its element at each tracked index.  Tracked are the
places where answers of D and D′ differ, and two witnesses, of which nothing is assumed but that
they are two other indices.  An element that is read anywhere else is a stranger: anything, in
each run.  Lemma 2 of docs/theory.md says why that is enough.

Of a list that is alike the elements are the same in both runs: that is owed of all that is put
there, and nothing else of them is known but their sort.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..arithmetic import TRUE, ZERO, Condition, Polynomial, add, both
from .expressions import Mark, Meaningless, Num, Value
from .runs import WITNESSES, Run, State

#: What a tracked index of a list holds before an element is appended there.
ABSENT = Mark("no element yet")
#: Values like those of a list that is alike, by the mark that says their sort.
LIKE: dict[Value, Value] = {
    Mark("int"): Num(ZERO, "int"),
    Mark("float"): Num(ZERO, "float"),
    Mark("condition"): TRUE,
}


def element(run: Run, state: State, array: str, index: Polynomial) -> tuple[Value, Value]:
    """An element of a list in both runs."""
    if f"len({array})" not in state.left:
        raise Meaningless(f"{array!r} is no sequence")
    if f"range({array})" in state.left:
        return _member(run, state, array, index)
    if array in run.alike:
        return _stranger(run, state, array, index)
    if run.gaps and array == run.gaps.array and index in (ends := last_picked(run)):
        return _last_value(run, ends.index(index))
    place = place_of(run, state, index)
    if place is None:
        return _stranger(run, state, array, index)
    if run.tracked_names[place] in WITNESSES:
        state.visited.add(run.tracked[place])
    return element_at(run, state, array, place)


def place_of(run: Run, state: State, index: Polynomial) -> int | None:
    """Which tracked index this is, for sure and before all others; ``None`` if it may be any."""
    for k, place in enumerate(run.tracked):
        met = run.decide(state, run.unknowns.equal(index, place))
        if met is None:
            return None  # an earlier place may be this one, and then what is known there counts
        if met:
            return k
    return None


def element_at(run: Run, state: State, array: str, place: int) -> tuple[Value, Value]:
    """The element at a tracked index that is no earlier one, in both runs."""
    if array in run.alike:
        return _stranger(run, state, array, run.tracked[place])
    name = f"{array}[{run.tracked_names[place]}]"
    if state.left[name] == ABSENT:
        # Nothing is there, so it may be anything; who reads it has to show that nobody does.
        like = sort_of(run, state, array)
        return _anything(run, state, array, like), _anything(run, state, array, like)
    return state.left[name], state.right[name]


def sort_of(run: Run, state: State, array: str) -> Value:
    """A value like those that a list holds; ``ABSENT`` if none is known."""
    if array in run.alike:
        return LIKE.get(state.left[f"sort({array})"], ABSENT)
    held = (state.left[f"{array}[{name}]"] for name in run.tracked_names)
    return next((value for value in held if value != ABSENT), ABSENT)


def _stranger(run: Run, state: State, array: str, index: Polynomial) -> tuple[Value, Value]:
    key = (array, index)
    if key not in state.strangers:
        like = sort_of(run, state, array)
        if array in run.alike:
            found = _anything(run, state, array, like)
            state.strangers[key] = found, found
        else:
            state.strangers[key] = (
                _anything(run, state, array, like, index),
                _anything(run, state, array, like, index),
            )
    return state.strangers[key]


def _anything(
    run: Run, state: State, array: str, like: Value, index: Polynomial | None = None
) -> Value:
    whole = isinstance(like, Num) and like.kind == "int"
    found = run.unknowns.fresh(array, whole)
    (((name,), _),) = found
    if index is not None:
        state.standing[name] = index
    if isinstance(like, Num):
        return Num(found, like.kind)
    if not isinstance(like, Mark):
        return ("?", name, True)
    # Nothing of the list is tracked yet.  A whole number that is released is one that was foretold.
    foretold = any(held.startswith("outcome(") for held in state.left)
    return Num(found, "either" if foretold else "float")


def _member(run: Run, state: State, array: str, at: Polynomial) -> tuple[Num, Num]:
    """An index that ``top_k`` picked: the same in both runs, where there is one.

    Where it is about gaps, the last one may be another one in each run.
    """
    q, found = run.unknowns, run.unknowns.of(f"{array}[]", at, True)
    bound, length = state.left[f"range({array})"], state.left[f"len({array})"]
    assert isinstance(bound, Num) and isinstance(length, Num)
    if run.gaps and array == run.gaps.order:
        last = run.decide(state, q.equal(at, run.index("picks()")))
        if last is not False:
            ends = last_picked(run) if last else (q.fresh(array, True), q.fresh(array, True))
            there = run.settled(state, run.within(at, length.term))
            for end in ends:
                state.assume(q.implies(there, run.within(end, bound.term)))
            return Num(ends[0], "int"), Num(ends[1], "int")
    facts = [run.within(found, bound.term)]
    for k, place in enumerate(run.tracked):
        here = both((picked(run, k), q.equal(rank(run, k), at)))
        facts.append(q.implies(first_at(run, k), q.same(q.equal(found, place), here)))
    there = run.settled(state, run.within(at, length.term))
    for fact in facts:
        state.assume(q.implies(there, fact))
    return Num(found, "int"), Num(found, "int")


def moved_by(run: Run) -> Polynomial:
    """By how much the values move whose gaps stay the same: any number."""
    return run.unknowns.new("moved_by()", False)


def last_picked(run: Run) -> tuple[Polynomial, Polynomial]:
    """The index that ``top_k`` picks last, on D and on D′."""
    return run.index("last_picked(1)"), run.index("last_picked(2)")


def _last_value(run: Run, side: int) -> tuple[Num, Num]:
    """The value at one run's last index, in that run; in the other run it may be any number."""
    q, value = run.unknowns, run.unknowns.new("last_value()", False)
    if side:
        return Num(q.fresh("last_value", False), "float"), Num(add(value, moved_by(run)), "float")
    return Num(value, "float"), Num(q.fresh("last_value", False), "float")


def picked(run: Run, place: int) -> Condition:
    """Whether ``top_k`` picks a tracked index: a number of its own says so by being positive."""
    q = run.unknowns
    return q.compare(">", q.new(f"picked({run.tracked_names[place]})", False))


def rank(run: Run, place: int) -> Polynomial:
    """At which rank ``top_k`` picks a tracked index, if it does."""
    return run.unknowns.new(f"rank({run.tracked_names[place]})", True)


def first_at(run: Run, place: int) -> Condition:
    """A tracked index is none of the earlier ones: two places where answers differ may coincide."""
    return both(run.apart(run.tracked[place], run.tracked[k]) for k in range(place))


def forget_strangers(state: State, array: str) -> None:
    """After a list changed, its elements may be others."""
    for key in [key for key in state.strangers if key[0] == array]:
        del state.strangers[key]


def placed(run: Run, state: State, indices: list[Polynomial]) -> Iterator[State]:
    """The path once for each tracked index that an index may be, and once for none."""
    if not indices:
        yield state
        return
    rest = [state]
    for place in run.tracked:
        after = []
        for here in rest:
            for fork, same in list(run.forks(here, run.unknowns.equal(indices[0], place))):
                if same:
                    yield from placed(run, fork, indices[1:])
                else:
                    after.append(fork)
        rest = after
    for here in rest:
        yield from placed(run, here, indices[1:])


def is_list(state: State, array: str) -> bool:
    """Whether this is a list with elements of its own."""
    return f"len({array})" in state.left and f"range({array})" not in state.left


def drop_list(run: Run, state: State, array: str) -> None:
    """A list under this name is no more."""
    for name in (
        *(f"{of}({array})" for of in ("len", "range", "sort")),
        *(f"{array}[{t}]" for t in run.tracked_names),
    ):
        state.drop(name)
