"""Prophecies: what shifts may know of the run to come, and how the run keeps to it.

A prophecy is the sequence of integers that a run releases or picks (or stores at, where the
index is a variable that is released too), and the set of indices that it picks with
``top_k``.  The proof takes it for an unknown constant: whatever it is, runs on D that fulfil
it must lead to runs on D' that fulfil it too.  An integer is compared with the prophecy
where it comes out, and not before.

The next integers stand in a path as variables of their own.  Of the set a path knows its
size, how many of its members were asked for, and from which index on none was asked for: so
each member is counted once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..dsl.language.evaluate import FORETOLD
from ..dsl.language.flow import ListNode
from ..dsl.language.syntax import Chosen, Expression, Outcome, Pick, Span, children
from ..dsl.relations.program import Program
from ..dsl.terms.formulas import FALSE, TRUE, Flag, Formula, at_least, equal
from ..dsl.terms.linear import Linear, Symbol, number, term
from ..dsl.terms.values import Mark, Num
from .alignment import Condition, Reason
from .elements import SIZE, TrackedElements, picked
from .paths import Path
from .run import Run

#: How the variables begin that keep account of the set of picked indices.
CHOSEN = "@chosen#"


def foreseen(shifts: Collection[Expression]) -> tuple[int, bool]:
    """How many integers the shifts look ahead, and whether they ask for picked indices."""
    parts = [part for shift in shifts for part in _parts(shift)]
    ahead = max((p.which + 1 for p in parts if isinstance(p, Outcome)), default=0)
    return ahead, any(isinstance(p, Chosen) for p in parts)


def _parts(e: Expression) -> Iterator[Expression]:
    yield e
    for child in children(e):
        yield from _parts(child)


def begin(run: Run, path: Path) -> None:
    """Put the prophecy into a path at the start of a run."""
    ahead, asks = foreseen(list(run.shifts.values()))
    for k in range(ahead):
        path.set(f"{FORETOLD}{k}", Num(run.inputs.outcome(k, at_start=True), "int"))
    if asks:
        path.set(CHOSEN + "count", Num(number(0), "int"))
        path.set(CHOSEN + "next", Num(number(0), "int"))
    if picks_many(run.program):
        path.set(CHOSEN + "open", Mark("open"))


def picks_many(program: Program) -> bool:
    """Whether the program picks indices with ``top_k``."""
    steps = [n.step for n in program.flow.nodes if isinstance(n, ListNode)]
    return any(isinstance(s, Pick) and s.count is not None for s in steps)


def fulfil(run: Run, path: Path, value: Linear) -> None:
    """An integer is released or picked on D: from here on the prophecy has come true."""
    if value.is_constant:
        path.history.append(int(value.constant))
    k = 0
    while (told := path.left.get(f"{FORETOLD}{k}")) is not None:
        assert isinstance(told, Num)
        if k == 0:
            path.assume(equal(told.term, value))
        later = path.left.get(f"{FORETOLD}{k + 1}")
        if not isinstance(later, Num):
            later = Num(run.inputs.outcome(len(path.history) + k, at_start=False), "int")
        path.set(f"{FORETOLD}{k}", later)
        k += 1


def settle(run: Run, path: Path, shift: Expression, span: Span) -> Iterator[Path]:
    """The path with everything settled that a shift asks about picked indices."""
    if run.inputs.picked is not None:
        yield path
        return
    items = [part.item for part in _parts(shift) if isinstance(part, Chosen)]
    yield from _asked(run, path, items, span)


def _asked(run: Run, path: Path, items: list[Expression], span: Span) -> Iterator[Path]:
    if not items:
        yield path
        return
    left, right = run.numbers(path, items[0])
    index = left.term
    reason = Reason(Condition.PROPHECY, "both runs ask for the same index", span)
    run.owe(path, equal(index, right.term), reason)
    count, first = path.left.get(CHOSEN + "count"), path.left.get(CHOSEN + "next")
    if index.key in path.asked or not isinstance(count, Num) or not isinstance(first, Num):
        yield from _asked(run, path, items[1:], span)
        return
    reason = Reason(Condition.PROPHECY, "indices are asked for in increasing order", span)
    run.owe(path, at_least(index, first.term), reason)
    for here, flag in list(_membership(run, path, index)):
        for fork, chosen in list(run.forks(here, flag)):
            fork.asked[index.key] = TRUE if chosen else FALSE
            total = count.term + number(int(chosen))
            fork.assume(at_least(term(SIZE), total))
            fork.set(CHOSEN + "count", Num(total, "int"))
            fork.set(CHOSEN + "next", Num(index + number(1), "int"))
            yield from _asked(run, fork, items[1:], span)


def _membership(run: Run, path: Path, index: Linear) -> Iterator[tuple[Path, Formula]]:
    """Whether an index is picked: what a tracked one says of itself, or an unknown flag."""
    assert isinstance(run.inputs.elements, TrackedElements)
    rest: Path | None = path
    for place in run.inputs.elements.tracked:
        after = None
        for fork, same in list(run.forks(rest, equal(index, term(place)))) if rest else ():
            if same:
                yield fork, picked(place)
            else:
                after = fork
        rest = after
    if rest is not None:
        yield rest, Flag(Symbol(f"picked #{next(run.fresh)}"))
