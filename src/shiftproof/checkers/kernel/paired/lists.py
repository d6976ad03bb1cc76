"""Lists in two runs: made, stored into, picked from by ``argmax`` and ``top_k``; what is foretold.

Foretold is the sequence of integers that a run releases or picks, or stores at under a variable
that it releases; and the set of indices that ``top_k`` picks.  It is an unknown constant of the
check: for each value of it, runs on D that come to it lead to runs on D′ that come to it.  So each
of these integers is the same in both runs, which is owed where it comes out, and only there is it
known to be what was foretold.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..arithmetic import (
    ONE,
    TRUE,
    ZERO,
    Condition,
    Polynomial,
    add,
    both,
    constant,
    either,
    times,
)
from ..language.steps import Make, Pick, Release, Store
from ..language.syntax import is_call
from .elements import (
    ABSENT,
    drop_list,
    element_at,
    first_at,
    forget_strangers,
    is_list,
    last_picked,
    moved_by,
    picked,
    place_of,
    placed,
    rank,
    sort_of,
)
from .expressions import Mark, Meaningless, Num, Value
from .powers import inverse
from .runs import ASKED, NEXT, OPEN, Gaps, Run, State, same_value
from .sides import Peek, Side

#: How many integers ahead a shift may look.
HORIZON = 8


def foretell(run: Run, state: State) -> None:
    """Put what shifts ask of the future into a path at the start of the program."""
    for e in run.shifts:
        for part in ast.walk(e):
            if is_call(part, "outcome"):
                assert isinstance(part, ast.Call)
                which = part.args[0] if part.args else ast.Constant(0)
                ahead = which.value if isinstance(which, ast.Constant) else None
                if type(ahead) is not int or not 0 <= ahead < HORIZON:
                    raise Meaningless(f"a shift that looks ahead by {ast.unparse(which)[:20]}")
                for k in range(ahead + 1):
                    told = run.unknowns.new(f"first_outcome({k})", True)
                    state.put(f"outcome({k})", Num(told, "int"))
            elif isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In):
                state.put(ASKED, Num(ZERO, "int"))
                state.put(NEXT, Num(ZERO, "int"))
    if any(isinstance(n, Pick) and n.size is not None for n in run.mechanism.nodes):
        state.put(OPEN, Mark("open"))


def fulfil(run: Run, state: State, value: Polynomial) -> None:
    """An integer comes out: it is the next one foretold, and the others move up."""
    told = {k: state.left.get(f"outcome({k})") for k in range(HORIZON + 1)}
    if isinstance(now := told[0], Num):
        state.assume(run.unknowns.equal(now.term, value))
    for k in range(HORIZON):
        # By its number, and not by its place among those that a head has kept.
        if told[k] is not None:
            later = told[k + 1] or Num(run.unknowns.fresh("outcome", True), "int")
            state.put(f"outcome({k})", later)


def settle(run: Run, state: State, shift: ast.expr) -> Iterator[State]:
    """The path once for each answer to what a shift asks of the picked indices."""
    asked = [
        part.left
        for part in ast.walk(shift)
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In)
    ]
    yield from _settled(run, state, asked)


def _settled(run: Run, state: State, items: list[ast.expr]) -> Iterator[State]:
    if not items:
        yield state
        return
    q = run.unknowns
    one, two = (Side(run, state, side).integer(items[0]) for side in (False, True))
    run.owe(state, q.equal(one, two), "prophecy", "both runs ask for the same index")
    count, first = state.left.get(ASKED), state.left.get(NEXT)
    if one in state.asked or not isinstance(count, Num) or not isinstance(first, Num):
        yield from _settled(run, state, items[1:])
        return
    run.owe(
        state, q.at_least(one, first.term), "prophecy", "indices are asked for in increasing order"
    )
    for here, member in list(_membership(run, state, one)):
        for fork, chosen in list(run.forks(here, member)):
            fork.asked[one] = both(()) if chosen else either(())
            total = add(count.term, constant(int(chosen)))
            fork.assume(q.at_least(run.index("picks()"), total))
            fork.put(ASKED, Num(total, "int"))
            fork.put(NEXT, Num(add(one, ONE), "int"))
            yield from _settled(run, fork, items[1:])


def _membership(run: Run, state: State, index: Polynomial) -> Iterator[tuple[State, Condition]]:
    """What says whether an index is picked: that of a tracked one, or an unknown one."""
    for fork in placed(run, state, [index]):
        place = place_of(run, fork, index)
        if place is not None:
            yield fork, picked(run, place)
        else:
            yield fork, run.unknowns.compare(">", run.unknowns.fresh("picked", False))


def reading(run: Run, state: State, expressions: Iterable[ast.expr]) -> Iterator[State]:
    """The path once for each way in which the elements that are read are tracked or not."""
    known = {name.removeprefix("len(").removesuffix(")") for name in state.left} | {*run.kinds}
    read = [
        (part.value.id, part.slice)
        for e in expressions
        for part in ast.walk(e)
        if isinstance(part, ast.Subscript)
        and isinstance(part.value, ast.Name)
        and {n.id for n in ast.walk(part.slice) if isinstance(n, ast.Name)} <= known
    ]
    own = [(name, place) for name, place in read if is_list(state, name)]
    places = [place for name, place in own if name not in run.alike]
    ranks = [place for name, place in read if run.gaps and name == run.gaps.order]
    for fork in _told_last(run, state, ranks):
        yield from _reading(run, fork, places)


def _told_last(run: Run, state: State, places: list[ast.expr]) -> Iterator[State]:
    """The path once for each answer to whether a rank that is read is the last one."""
    if not places:
        yield state
        return
    value = Peek(run, state, False).value(places[0])
    last = run.unknowns.equal(value.term, run.index("picks()")) if isinstance(value, Num) else TRUE
    for fork, _ in list(run.forks(state, last)):
        yield from _told_last(run, fork, places[1:])


def _reading(run: Run, state: State, places: list[ast.expr]) -> Iterator[State]:
    if not places:
        yield state
        return
    found = [Peek(run, state, side).value(places[0]) for side in (False, True)]
    indices = list(dict.fromkeys(value.term for value in found if isinstance(value, Num)))
    if run.gaps:  # what is at the last index that is picked is told apart by its name
        indices = [index for index in indices if index not in last_picked(run)]
    for fork in placed(run, state, indices):
        yield from _reading(run, fork, places[1:])


def make(run: Run, state: State, node: Make) -> None:
    """``a = [e] * n``."""
    q = run.unknowns
    left: Value = ABSENT
    right: Value = ABSENT
    if node.fill is not None:
        left, right = run_both(run, state, node.fill)
        if _sort(left) != _sort(right) or _sort(left) == "mark":
            # What is not tracked of a list is of the sort of what is, in both runs.
            raise Meaningless("a list of what is no number and no condition, or of other sorts")
    length = same_integer(run, state, node.length, "both runs make a list of the same length")
    why = "the length of a list is not negative"
    run.owe(state, q.compare(">=", length), "definedness and end", why)
    drop_list(run, state, node.target)
    state.drop(node.target)
    state.put(f"len({node.target})", Num(length, "int"))
    if node.target in run.alike:
        _put_alike(run, state, node.target, left, right)
    else:
        for name in run.tracked_names:
            state.put(f"{node.target}[{name}]", left, right)
    forget_strangers(state, node.target)


def store(run: Run, state: State, node: Store) -> Iterator[State]:
    """``a[i] = e``, or ``a.append(e)``."""
    array = node.array
    if not is_list(state, array):
        raise Meaningless(f"{array!r} is no list that can be stored into")
    left, right = run_both(run, state, node.value)
    like = sort_of(run, state, array)
    sorts = {_sort(left), _sort(right), *([] if like == ABSENT else [_sort(like)])}
    if len(sorts) > 1 or "mark" in sorts:
        raise Meaningless(f"elements of more than one kind in {array!r}")
    length = state.left[f"len({array})"]
    assert isinstance(length, Num)
    index = length.term if node.place is None else _index(run, state, node, length.term)
    alike = array in run.alike
    if alike:
        _put_alike(run, state, array, left, right)
    for fork in list(placed(run, state, [] if alike else [index])):
        forget_strangers(fork, array)
        if node.place is None:
            fork.put(f"len({array})", Num(add(index, ONE), "int"))
        place = None if alike else place_of(run, fork, index)
        if place is not None:
            fork.put(f"{array}[{run.tracked_names[place]}]", left, right)
        yield fork


def _put_alike(run: Run, state: State, array: str, left: Value, right: Value) -> None:
    """What is put into a list that is alike is the same in both runs; its sort is known."""
    if left != ABSENT:
        claim = same_value(run, left, right)
        run.owe(state, claim, "loop invariant", f"{array} has the same elements in both runs")
    state.put(f"sort({array})", left if left == ABSENT else Mark(_sort(left)))


def _index(run: Run, state: State, node: Store, length: Polynomial) -> Polynomial:
    """Where a value is stored: at one index in both runs, and in range."""
    assert node.place is not None
    index = same_integer(run, state, node.place, "both runs store at the same index")
    if isinstance(node.place, ast.Name) and node.place.id in released(run):
        fulfil(run, state, index)  # the index is a result, and this is where it first shows
    inside, why = run.within(index, length), f"an index of {node.array} is in range"
    run.owe(state, inside, "definedness and end", why)
    return index


def released(run: Run) -> set[str]:
    """The variables that are released as they are."""
    nodes = [n for n in run.mechanism.nodes if isinstance(n, Release)]
    return {e.id for n in nodes for e in n.values if isinstance(e, ast.Name)}


def _sort(value: Value) -> str:
    if isinstance(value, Num):
        return value.kind
    return "mark" if isinstance(value, Mark) else "condition"


# ``argmax`` and ``top_k`` in two runs.  An index that D picks comes before every index that D does
# not pick.  If it still does so on D′, then D′ picks it too.  That is owed for all pairs of
# tracked indices, two of which stand for any two.


def pick(run: Run, state: State, node: Pick) -> Iterator[State]:
    """The path on which both runs have picked the same."""
    length = Side(run, state, False).length(node.array)
    if f"range({node.array})" in state.left:
        raise Meaningless("a pick from what was picked")
    state.drop(node.target)
    yield from (_argmax if node.size is None else _top_k)(run, state, node, length)


def _argmax(run: Run, state: State, node: Pick, length: Polynomial) -> Iterator[State]:
    q = run.unknowns
    why = "argmax has something to choose from"
    run.owe(state, q.compare(">", length), "definedness and end", why)
    found = q.fresh(node.target, True)
    state.assume(run.within(found, length))
    fulfil(run, state, found)
    for fork in list(placed(run, state, [found])):
        here = place_of(run, fork, found)
        for k in range(len(run.tracked)):
            if here is not None and k != here:
                _owe_before(run, fork, node, here, k, length)
        drop_list(run, fork, node.target)
        fork.put(node.target, Num(found, "int"))
        yield fork


def _top_k(run: Run, state: State, node: Pick, length: Polynomial) -> Iterator[State]:
    q, places = run.unknowns, range(len(run.tracked))
    assert node.size is not None
    count = same_integer(run, state, node.size, "both runs pick the same number of indices")
    gaps = run.gaps if run.gaps and node.array == run.gaps.array else None
    alike = add(count, constant(-1)) if gaps else count
    enough = both((q.compare(">=", alike), q.at_least(length, count)))
    run.owe(state, enough, "definedness and end", "top_k finds enough values")
    if OPEN not in state.left:
        # What is foretold is one set of indices: there is no second one.
        raise Meaningless("top_k in a loop, or more than once")
    for name in (OPEN, ASKED, NEXT):
        state.drop(name)
    state.asked.clear()
    state.assume(q.equal(run.index("picks()"), alike))
    for k in places:
        state.assume(q.implies(picked(run, k), _exists(run, k, length)))
        state.assume(q.implies(picked(run, k), run.within(rank(run, k), alike)))
    forks = [state]
    for k in places:
        forks = [fork for here in forks for fork, _ in list(run.forks(here, picked(run, k)))]
    for fork in forks:
        if gaps:
            _keep_gaps(run, fork, gaps, alike, length)
        for x in places if not gaps else ():
            for y in range(x + 1, len(run.tracked)):
                _owe_pair(run, fork, node, x, y, length)
        drop_list(run, fork, node.target)
        fork.put(f"len({node.target})", Num(count, "int"))
        fork.put(f"range({node.target})", Num(length, "int"))
        yield fork


def _keep_gaps(run: Run, state: State, gaps: Gaps, alike: Polynomial, length: Polynomial) -> None:
    """All picks but the last are the same, and ahead by the same: Lemma 5.

    Up to here each draw was moved by one and the same unknown number, which no element tells
    that has no draw of its own: so all of them have one.
    """
    q, here = run.unknowns, Side(run, state, False)
    low, high, scale = (here.number(e).term for e in (gaps.low, gaps.high, gaps.scale))
    for k in range(len(run.tracked)):
        left, right = element_at(run, state, gaps.array, k)
        if not isinstance(left, Num) or not isinstance(right, Num):
            raise Meaningless("gaps of what are no numbers")
        apart = add(add(left.term, moved_by(run)), right.term, -1)
        inside = both((q.at_least(apart, low), q.at_least(high, apart)))
        claim = q.implies(_exists(run, k, length), inside)
        run.owe(state, claim, "cost", "a value with noise differs by as much as the shift says")
    for k, name in enumerate(run.tracked_names):
        left = state.left[f"{gaps.array}[{name}]"]
        if isinstance(left, Num):
            known = run.decide(state, picked(run, k))
            there = add(left.term, moved_by(run)) if known else q.fresh(gaps.array, False)
            state.put(f"{gaps.array}[{name}]", left, Num(there, left.kind))
    forget_strangers(state, gaps.array)
    run.charge(state, times(alike, add(high, low, -1)), inverse(here, scale))


def _owe_pair(run: Run, state: State, node: Pick, x: int, y: int, length: Polynomial) -> None:
    """What D′ owes of two indices, by which of them D picks."""
    chosen = (run.decide(state, picked(run, x)), run.decide(state, picked(run, y)))
    if chosen == (True, True):
        ranked = run.unknowns.above(rank(run, y), rank(run, x))
        left, right = _orders(run, state, node, x, y)
        state.assume(run.unknowns.same(ranked, left))
        claim = run.unknowns.same(ranked, right)
        run.owe(state, claim, "prophecy", "both runs pick in the same order")
    elif chosen == (True, False):
        _owe_before(run, state, node, x, y, length)
    elif chosen == (False, True):
        _owe_before(run, state, node, y, x, length)


def _owe_before(run: Run, state: State, node: Pick, x: int, y: int, length: Polynomial) -> None:
    """On D the element at x comes before the one at y, where there is one: so it must on D′."""
    there = _exists(run, y, length)
    left, right = _orders(run, state, node, x, y)
    state.assume(run.unknowns.implies(there, left))
    claim = run.unknowns.implies(there, right)
    run.owe(state, claim, "prophecy", "both runs pick the same index")


def _exists(run: Run, place: int, length: Polynomial) -> Condition:
    """A tracked index is one of the list's, and is counted once."""
    return both((run.within(run.tracked[place], length), first_at(run, place)))


def _orders(run: Run, state: State, node: Pick, x: int, y: int) -> list[Condition]:
    """Whether the element at x comes before the one at y: on D, and on D′."""
    q, found = run.unknowns, []
    if node.array in run.kinds:
        sides = [Side(run, state, side) for side in (False, True)]
        pairs = [[side.cell(node.array, run.tracked[k]) for side in sides] for k in (x, y)]
    else:
        pairs = [[*element_at(run, state, node.array, k)] for k in (x, y)]
    for one in zip(*pairs, strict=True):
        values = [value.term for value in one if isinstance(value, Num)]
        if len(values) < len(one):
            raise Meaningless("the largest of what are no numbers")
        tie = both((q.above(run.tracked[y], run.tracked[x]), q.at_least(*values)))
        found.append(either((q.above(*values), tie)))
    return found


def run_both(run: Run, state: State, e: ast.expr) -> tuple[Value, Value]:
    """An expression in both runs."""
    return Side(run, state, False).value(e), Side(run, state, True).value(e)


def same_integer(run: Run, state: State, e: ast.expr, why: str) -> Polynomial:
    """An int that is the same in both runs, which is owed."""
    one, two = (Side(run, state, side).integer(e) for side in (False, True))
    run.owe(state, run.unknowns.equal(one, two), "same samples", why)
    return one
