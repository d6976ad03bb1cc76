"""Blocks: finite noise in the midst of other noise, of which only what comes out is left.

The rule, and what it owes, stand in ``kernel/sums/blocks.py``; here is what the search needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import add

from ....dsl.language.evaluate import View
from ....dsl.language.flow import BranchNode, EndNode, HeadNode, ReleaseNode
from ....dsl.language.machine import step
from ....dsl.language.syntax import Span
from ....dsl.terms.formulas import FALSE, Formula, above, conjunction, equal, implies, negation
from ....dsl.terms.linear import Linear, Symbol, number
from ....dsl.terms.substitution import symbols_of
from ....dsl.terms.values import Mark, Num, Value
from ..sums.paths import Conditions, Path, Runs, disjuncts, options_of
from ..sums.rows import counted
from .prophecy import fulfil
from .run import Run, Side
from .state import Condition, State
from .ways import Block, Output, Way

#: A way with the conditions under which it leads to an outcome, and how probably it does then.
Row = tuple[Way, Formula, Linear]
Held = tuple[list[Row], list[Row]]


class _Open(Exception):
    """A condition on what was before a block is not decided."""


def summed(run: Run, state: State, block: Block) -> Iterator[State]:
    """The path of two runs, once for each cell of what may come out of a block."""
    try:
        sides = [_Through(run, state, side, block).found() for side in ("left", "right")]
    except _Open as open_:
        for fork, _ in list(run.forks(state, *open_.args)):
            yield from summed(run, fork, block)
        return
    node = run.program.flow.nodes[state.node]
    for values, kind in list(run.outcomes([*sides[0]])):
        rows = [
            (right, row)
            for right, ways in enumerate(sides)
            for way in ways
            if way.kind == kind
            for row in _rows(way, values)
        ]
        for cell, held in _cells(run, state.copy(), rows, ([], [])):
            own, other = (reduce(add, (p for _, _, p in one), number(0)) for one in held)
            run.pay_for_sum(cell, own, other, node.span)
            yield _after(run, cell, block, kind[0], values, held)


def _rows(way: Way, values: Output) -> Iterator[Row]:
    """The ways to an outcome, by cases of uniform draws."""
    same = [
        equal(value.term, out.term)
        for value, out in zip(way.output, values, strict=True)
        if isinstance(value, Num) and isinstance(out, Num)
    ]
    for when, probability in counted(way.path, same):
        condition = conjunction(when)
        if condition != FALSE:
            yield way, condition, probability


def _cells(
    run: Run, state: State, rows: Sequence[tuple[int, Row]], held: Held
) -> Iterator[tuple[State, Held]]:
    """The path where some rows hold and no others, with those on D and those on D'."""
    if not rows:
        yield state, held
        return
    (right, row), *rest = rows
    here, there = held
    if right and not here:
        return  # on D nothing like this comes out
    more = (here, [*there, row]) if right else ([*here, row], there)
    for fork, holds in list(run.forks(state, row[1])):
        yield from _cells(run, fork, rest, more if holds else held)


def _after(run: Run, state: State, block: Block, at: int, values: Output, held: Held) -> State:
    """The path behind a block, with what came out, and with what is no matter of chance."""
    for name in block.assigned:
        state.left.pop(name, None)
        state.right.pop(name, None)
        sure = [{repr(v): v for way, _, _ in rows if (v := way.rest.get(name))} for rows in held]
        everywhere = all(name in way.rest for rows in held for way, _, _ in rows)
        if everywhere and all(len(found) == 1 for found in sure):
            left, right = (next(iter(found.values())) for found in sure)
            state.put(name, left, right)
    released = len(values) - len(block.left)
    for value in values[:released]:
        assert value is not None
        if isinstance(value, Num) and value.kind == "int":
            fulfil(run, state, value.term)
        for span in dict.fromkeys(way.span for way, _, _ in held[0]):
            run.release(state, value, value, span)
    for name, value in zip(block.left, values[released:], strict=True):
        if value is not None:
            state.put(name, value)
    state.node = at
    return state


class _Through(Runs):
    """All ways through a block from a path of two runs on, in one of them."""

    def __init__(self, run: Run, base: State, side: str, block: Block) -> None:
        super().__init__(run.program)
        self.run, self.base, self.side, self.block = run, base, side, block

    def found(self) -> list[Way]:
        """Each of them; what they owe is owed of the path."""
        nodes = self.program.flow.nodes
        end = next(k for k, node in enumerate(nodes) if isinstance(node, EndNode))
        found = [
            self._way(told, output, end if isinstance(nodes[after], EndNode) else after, at)
            for path, at in self.followed(self.base.node)
            for released, after in self._released(path, at)
            for told, output in self._told(released)
        ]
        for duty in self.duties:
            claim = implies(conjunction(duty.when), duty.claim)
            span = nodes[self.base.node].span
            kind: Condition = (
                "preconditions and positivity" if duty.of_noise else "definedness and end"
            )
            self.run.owe(self.base, claim, kind, duty.why, span)
        return found

    def _released(self, path: Path, at: int) -> Iterable[tuple[Path, int]]:
        """A release is the last thing."""
        node = self.program.flow.nodes[at]
        return step(self, path, node) if isinstance(node, ReleaseNode) else ((path, at),)

    def _told(self, path: Path) -> list[tuple[Path, Output]]:
        """What comes out of a path, by cases in which conditions are settled."""
        held = self._held(path)
        told: list[tuple[Path, Output]] = [(path, path.output)]
        for name in self.block.left:
            value = held.get(name)
            told = [
                (found, (*output, seen))
                for before, output in told
                for when, seen in ([((), None)] if value is None else options_of(value))
                if (found := self.under(before, when)) is not None
            ]
        return told

    def _held(self, path: Path) -> dict[str, Value]:
        return {**(self.base.left if self.side == "left" else self.base.right), **path.held}

    def _way(self, path: Path, output: Output, at: int, end: int) -> Way:
        drawn = {symbol for symbol, _, _ in path.uniforms}
        held, names = self._held(path), self.block.assigned - {*self.block.left}
        rest = {n: held[n] for n in names if n in held and drawn.isdisjoint(_symbols(held[n]))}
        return Way(at, output, rest, path, self.program.flow.nodes[end].span)

    def is_over(self, path: Path, place: int) -> bool:
        """At another step."""
        return place not in self.block.inside

    def under(self, path: Path, more: Conditions) -> Path | None:
        """The path where more conditions hold; of what was before, the two runs have to know."""
        drawn = {symbol for symbol, _, _ in path.uniforms}
        left = []
        for f in more:
            decided = self.base.decide(f)
            if decided is None and drawn.isdisjoint(symbols_of(f)):
                raise _Open(f)
            if decided is False:
                return None
            left += [f] if decided is None else []
        return path.under(tuple(left))

    def ways(
        self, state: Path, node: BranchNode | HeadNode, test: Value
    ) -> Iterator[tuple[Path, bool]]:
        """Those that the two runs leave open."""
        if not isinstance(test, Formula):
            yield from super().ways(state, node, test)
            return
        for holds, outcome in ((True, test), (False, negation(test))):
            for way in self._where(state, outcome):
                yield way, holds

    def _where(self, path: Path, condition: Formula) -> Iterator[Path]:
        """A path where a condition holds, by cases."""
        for more in disjuncts(condition):
            found = self.under(path, more)
            if found is not None:
                yield found

    # Loops whose rounds are alike.

    def after(self, path: Path, place: int) -> Iterator[tuple[Path, int]]:
        """The ways on from a node; behind a loop, how probable they are in the end."""
        node = self.program.flow.nodes[place]
        if not isinstance(node, HeadNode):
            yield from super().after(path, place)
            return
        for begun, to in super().after(path, place):
            if to == node.exit:
                yield begun, to
                continue
            exits, again = self._round(replace(begun, probability=number(1)), place)
            for known, chance in self._repeated(begun, again):
                ends = number(1) - chance
                self.owe(known.when, above(ends, number(0)), "the loop ends")
                if ends == number(0):
                    continue  # what is owed is false, and nothing comes out
                for out, end in exits:
                    found = self.under(out, known.when)
                    if found is not None:
                        chance = begun.probability * found.probability / ends
                        yield replace(found, probability=chance), end

    def _round(self, path: Path, head: int) -> tuple[list[tuple[Path, int]], list[Path]]:
        """Where one round leaves a loop, and the ways on which another one begins."""
        node, inside = self.program.flow.nodes[head], self.block.rounds[head]
        assert isinstance(node, HeadNode)
        exits: list[tuple[Path, int]] = []
        again: list[Path] = []
        waiting = [(path, node.body)]
        while waiting:
            here, place = waiting.pop()
            self.count()
            if place not in inside:
                exits.append((here, place))
            elif place != head:
                waiting += reversed([*super().after(here, place)])
            else:
                for after, to in super().after(here, place):
                    if to == node.body:
                        again.append(after)
                    else:
                        exits.append((after, to))
        return exits, again

    def _repeated(self, path: Path, again: Sequence[Path]) -> list[tuple[Path, Linear]]:
        """The path by cases of how probable it is that another round begins."""
        known, before = [(path, number(0))], {f.key for f in path.when}
        drawn = {symbol for symbol, _, _ in path.uniforms}
        for one in again:
            when = tuple(f for f in one.when if f.key not in before)
            own = replace(
                one,
                when=when,
                uniforms=one.uniforms[len(path.uniforms) :],
            )
            for conditions, chance in counted(own, ()):
                fits = conjunction(conditions)
                if not drawn.isdisjoint(symbols_of(fits)):
                    span = self.program.flow.nodes[self.base.node].span
                    raise self.program.refuse(
                        span, "a loop whose end depends on a draw before it", "draw in the loop"
                    )
                known = [
                    (case, total + chance if holds else total)
                    for now, total in known
                    for holds in (True, False)
                    for case in self._where(now, fits if holds else negation(fits))
                ]
        return known

    def view(self, state: Path) -> View:
        """What the run knows, and what was assigned on the way."""
        return _Within(self, state)


def _symbols(value: Value) -> Iterator[Symbol]:
    if not isinstance(value, Mark):
        yield from symbols_of(value.term if isinstance(value, Num) else value)


class _Within(Side):
    """Expressions in one run of a block."""

    def __init__(self, through: _Through, path: Path) -> None:
        super().__init__(through.run, through.base, through.side)
        self._held, self._drawn = path.held, {symbol for symbol, _, _ in path.uniforms}

    def variable(self, name: str, span: Span) -> Value:
        """What was assigned in the block counts."""
        return self._held[name] if name in self._held else super().variable(name, span)

    def wraps(self, subject: Linear) -> bool:
        """Of a draw in the block."""
        return not self._drawn.isdisjoint(symbols_of(subject))
