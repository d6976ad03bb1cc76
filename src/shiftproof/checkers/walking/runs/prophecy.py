"""What shifts may know of the run to come, and how the two runs are held to it.

Foretold is the sequence of integers that a run releases or picks, or stores at under a variable
that it releases; and the set of indices that ``top_k`` picks.  It is an unknown constant of the
check: for each value of it, runs on D that come to it lead to runs on D' that come to it.  So
each of these integers is the same in both runs, which is owed where it comes out, and only
there is it known to be what was foretold.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....dsl.language.evaluate import FORETOLD
from ....dsl.language.flow import ListNode
from ....dsl.language.statements import Pick
from ....dsl.language.syntax import Chosen, Expression, Foretold, Span, parts_of
from ....dsl.terms.formulas import FALSE, TRUE, Formula, at_least, equal
from ....dsl.terms.linear import Linear, number, term
from ....dsl.terms.values import Mark, Num
from .elements import SIZE, picked
from .run import Run
from .state import State

#: Variables that keep account of the picked indices: how many were asked for, from which
#: index on none was asked for, and that none is picked yet.
COUNT, NEXT, OPEN = "@chosen#count", "@chosen#next", "@chosen#open"


def begin(run: Run, state: State) -> None:
    """Put what is foretold into a path at the program's start."""
    parts = [part for shift in run.shifts.values() for part in parts_of(shift)]
    ahead = max((p.which + 1 for p in parts if isinstance(p, Foretold)), default=0)
    for k in range(ahead):
        state.put(f"{FORETOLD}{k}", Num(run.foretold(k), "int"))
    if any(isinstance(p, Chosen) for p in parts):
        state.put(COUNT, Num(number(0), "int"))
        state.put(NEXT, Num(number(0), "int"))
    steps = [n.step for n in run.program.flow.nodes if isinstance(n, ListNode)]
    if any(isinstance(s, Pick) and s.count is not None for s in steps):
        state.put(OPEN, Mark("open"))


def fulfil(run: Run, state: State, value: Linear) -> None:
    """An integer comes out: it is the next one foretold, and the others move up."""
    names = [n for n in state.left if n.startswith(FORETOLD)]
    told = [state.left[f"{FORETOLD}{k}"] for k in range(len(names))]
    last = Num(run.outcome(value, len(names)), "int")
    for k, now in enumerate(told):
        assert isinstance(now, Num)
        if k == 0:
            state.assume(equal(now.term, value))
        state.put(f"{FORETOLD}{k}", told[k + 1] if k + 1 < len(told) else last)


def settle(run: Run, state: State, shift: Expression, span: Span) -> Iterator[State]:
    """The path once for each answer to what a shift asks of the picked indices."""
    asked = [part.item for part in parts_of(shift) if isinstance(part, Chosen)]
    yield from _settled(run, state, asked, span)


def _settled(run: Run, state: State, items: list[Expression], span: Span) -> Iterator[State]:
    if not items:
        yield state
        return
    index, other = run.integers(state, items[0])
    run.owe(state, equal(index, other), "prophecy", "both runs ask for the same index", span)
    count, first = state.left.get(COUNT), state.left.get(NEXT)
    if index.key in state.asked or not isinstance(count, Num) or not isinstance(first, Num):
        yield from _settled(run, state, items[1:], span)
        return
    detail = "indices are asked for once each, in increasing order"
    run.owe(state, at_least(index, first.term), "prophecy", detail, span)
    for here, member in list(_membership(run, state, index)):
        for fork, chosen in list(run.forks(here, member)):
            fork.asked[index.key] = TRUE if chosen else FALSE
            total = count.term + number(int(chosen))
            fork.assume(at_least(term(SIZE), total))
            fork.put(COUNT, Num(total, "int"))
            fork.put(NEXT, Num(index + number(1), "int"))
            yield from _settled(run, fork, items[1:], span)


def _membership(run: Run, state: State, index: Linear) -> Iterator[tuple[State, Formula]]:
    """What says whether an index is picked: the flag of a tracked one, or an unknown one."""
    rest = [state]
    for place in run.tracked:
        after = []
        for here in rest:
            for fork, same in list(run.forks(here, equal(index, place))):
                if same:
                    yield fork, picked(place)
                else:
                    after.append(fork)
        rest = after
    for here in rest:
        yield here, run.is_picked(index)
