"""Blocks: finite noise in the midst of other noise, of which only what comes out is left.

A draw whose shift is ``summed(x, …)`` is not moved.  A *block* is a stretch of steps with such
draws that do nothing else but compute; it ends before any other step, or with a release.  There
runs go by their law: with which probability they come to that step, with these values of x, …,
or with this release.  What comes out is one draw, the same in both runs, of a law that each run
has of its own; it costs a price r if P[D] ≤ exp(r) · P[D′].  Of all else that was assigned on the
way, what is the same on all ways to what came out is kept, and the rest is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain
from typing import Any

from ..arithmetic import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Condition,
    Polynomial,
    Wrong,
    add,
    below_power_of_e,
    both,
    names_of,
    spend,
    times,
)
from ..claim.policies import Case, Kind
from ..language.steps import End, Head, Mechanism, Node, Release
from ..language.syntax import expression
from ..paired.elements import drop_list
from ..paired.expressions import Mark, Meaningless, Num, Value
from ..paired.lists import fulfil
from ..paired.runs import Ask, State, mentioned
from ..paired.sides import Said, Side
from ..paired.walk import Part
from .cleared import SumRun
from .rows import STEP, Alone, Course, Row, Rows, Undecided
from .stretch import Block, Blocks

#: What stands in an outcome for a variable that has no value.
UNSET = "unset"
#: The rows that hold on D, and those on D′.
Held = tuple[list[Row], list[Row]]


class BlockPart(Part):
    """A proof of one case in which some draws are summed: a walk that takes blocks in one step."""

    run: SumRun

    def __init__(
        self,
        mechanism: Mechanism,
        kinds: dict[str, Kind],
        case: Case,
        part: dict[str, Any],
        ask: Ask,
    ) -> None:
        super().__init__(mechanism, kinds, case, part, ask, SumRun)
        self._texts: Sequence[str] = part["prices"]
        self._prices: list[tuple[Polynomial, Polynomial]] = []
        self._known: dict[int, Block | None] = {}

    def _assume_common(self) -> None:
        super()._assume_common()
        said = Said(self.run)
        for text in self._texts:
            price = said.number(expression(text)).term
            self._prices.append((price, said.exponential(price)))

    def _is_most(self, most: Polynomial, amount: Polynomial) -> Condition:
        # Of logarithms it is known what they are of: the powers of e are compared.
        logarithms = self.run.unknowns.logarithms.keys()
        if logarithms.isdisjoint(names_of(most) | names_of(amount)):
            return super()._is_most(most, amount)
        said, plain = Said(self.run), tuple(part for part in most if not part[0])
        low = below_power_of_e(plain, 0)
        least = said.exponential(most if low is None else add(most, plain, -1))
        least = least if low is None else times(least, low)
        return self.run.unknowns.at_least(least, said.exponential(amount))

    def _steps_from(self, state: State) -> list[State]:
        block = self._block_at(state.at)
        if block is None:
            return super()._steps_from(state)
        self.run.line = self.mechanism.nodes[state.at].line
        return list(self._summed(state, block))

    def _block_at(self, at: int) -> Block | None:
        """The block that begins with a step, if one does."""
        if at not in self._known:
            self._known[at] = Blocks(self.mechanism, self.run.shifts).at(at)
        return self._known[at]

    def _summed(self, state: State, block: Block) -> Iterator[State]:
        """The path, once for each cell of what may come out of a block."""
        sides = [_BlockRows(self.run, side, state, block) for side in (False, True)]
        sides[1].numbers = sides[0].numbers
        try:
            here, there = (list(side.all()) for side in sides)
        except _Open as open_:
            for fork, _ in list(self.run.forks(state, *open_.args)):
                yield from self._summed(fork, block)
            return
        for at, of in dict.fromkeys((row.at, row.of) for row in here):
            rows = [
                (right, row)
                for right, found in ((False, here), (True, there))
                for row in found
                if (row.at, row.of) == (at, of)
            ]
            values = [
                Num(sides[0].any_number(place, v), v) if isinstance(v, str) and v != UNSET else v
                for place, v in enumerate(of)
            ]
            for cell, held in self._cells(state.copy(), rows, ([], [])):
                own, other = (reduce(add, (row.probability for row in one), ZERO) for one in held)
                self._pay(cell, own, other)
                yield self._after(cell, block, at, values, held)

    def _cells(
        self, state: State, rows: Sequence[tuple[bool, Row]], held: Held
    ) -> Iterator[tuple[State, Held]]:
        """The path where some rows hold and no others, with those on D and those on D′."""
        if not rows:
            yield state, held
            return
        (right, row), *rest = rows
        if right and not held[0]:
            return  # on D nothing like this comes out
        for fork, holds in list(self.run.forks(state, both(row.when))):
            here, there = held
            more = ([*here, row], there) if not right else (here, [*there, row])
            yield from self._cells(fork, rest, more if holds else held)

    def _pay(self, state: State, own: Polynomial, other: Polynomial) -> None:
        """Charge the first price at which exp(price) · other is at least own; if it is it, that.

        Of ρ none is less than nothing: exp((α - 1) · price) is at most exp(α · (α - 1) · charged).
        """
        run, q = self.run, self.run.unknowns
        if run.cleared(q.equal(own, other)) == TRUE:
            return
        scaled = [(price, times(factor, other)) for price, factor in self._prices]
        exact = (p for p, most in scaled if run.cleared(q.equal(own, most)) == TRUE)
        enough = (p for p, most in scaled if run.refuted([*state.facts, q.above(own, most)]))
        for price in chain(exact, enough):
            if run.zcdp and run.refuted([*state.facts, q.negated(self._is_most(ZERO, price))]):
                return
            if run.zcdp:
                run.owe(
                    state, self._is_most(price, ZERO), "cost", "what a sum costs is of one sign"
                )
            run.charge(state, ONE, price)
            return
        run.show(state, FALSE, "cost: no price covers what comes out of a sum")

    def _after(
        self, state: State, block: Block, at: int, values: Sequence[Value | str], held: Held
    ) -> State:
        """The path behind a block, with what came out, and with what is no matter of chance."""
        for name in block.assigned:
            drop_list(self.run, state, name)
            state.drop(name)
            sure = [{row.rest.get(name) for row in rows} for rows in held]
            left, right = (found.pop() if len(found) == 1 else None for found in sure)
            if left is not None and right is not None:
                state.put(name, left, right)
        released = len(values) - len(block.left)
        for value in values[:released]:
            if isinstance(value, Num) and value.kind == "int":
                fulfil(self.run, state, value.term)
        for name, value in zip(block.left, values[released:], strict=True):
            if not isinstance(value, str):
                state.put(name, value)
        state.at = at
        return state


class _Open(Exception):
    """A condition on what was before a block is not decided."""


class _BlockRows(Rows):
    """The rows of a block from a path of two runs on, in one of them."""

    def __init__(self, run: SumRun, right: bool, base: State, block: Block) -> None:
        super().__init__(run, right)
        self._base, self._block = base, block
        self.given = base.facts
        self.numbers: dict[tuple[int, str], Polynomial] = {}

    def start(self) -> Course:
        path = Course(self._base.at)
        vars(path).update(vars(self._base.copy()))
        return path

    def forks(self, path: Course, test: Condition) -> Iterator[Course]:
        if not self._is_drawn(test, path.draws):
            raise _Open(next(f for f in _comparisons_in(test) if self.run.decide(path, f) is None))
        return super().forks(path, test)

    def is_possible(self, row: Row) -> bool:
        return True  # the path is split by the rows

    def words(self, path: Course) -> Alone:
        return _Within(self.run, path, self.right, self._base)

    def any_number(self, place: int, kind: str) -> Polynomial:
        # Each time that runs come to a block something else comes out of it.
        if (place, kind) not in self.numbers:
            self.numbers[place, kind] = self.run.unknowns.fresh("summed", kind == "int")
        return self.numbers[place, kind]

    def step(self, path: Course, node: Node) -> list[Course]:
        if path.at in self._block.rounds and isinstance(node, Head):
            return self._looped(path, node)
        inside = path.at in self._block.inside or isinstance(node, Release)
        if inside and not path.output:  # a release is the last thing
            return list(super().step(path, node))
        words, held = self.words(path), path.right if self.right else path.left
        found = [held.get(name, UNSET) for name in self._block.left]
        if any(isinstance(v, Num) and v.kind == "either" for v in found):
            raise Meaningless("what is left of a sum is an int or a float, as the case may be")
        path.output += [v if isinstance(v, Num | Mark | str) else words.settled(v) for v in found]
        path.over = True
        if isinstance(node, End):  # one end is like another
            nodes = self.run.mechanism.nodes
            path.at = next(k for k, n in enumerate(nodes) if isinstance(n, End))
        return [path]

    def _looped(self, path: Course, node: Head) -> list[Course]:
        """Behind a loop whose rounds are alike: again and again is a geometric series."""
        if not self._goes_on(path, node):
            return [path.to(node.exit)]
        exits, again = self._round(path.copy(), node)
        words, total = self.words(path), ZERO
        for when, chance in again:
            if any(self._is_drawn(f, path.draws) for f in when):
                raise Wrong(f"line {node.line}: a loop whose end depends on a draw before it")
            held = [words.settled(f) for f in when]
            total = add(total, chance if FALSE not in held else ZERO)
        ends = add(ONE, total, -1)
        words.owe(self.run.unknowns.compare(">", ends), "the loop ends")
        for one in exits:
            one.chances = [*path.chances, words.inverse(ends), *one.chances]
        return exits

    def _round(
        self, path: Course, head: Head
    ) -> tuple[list[Course], list[tuple[tuple[Condition, ...], Polynomial]]]:
        """Where one round leaves the loop, and when, and how probably, it begins anew."""
        at, before = path.at, [*path.facts]
        nodes, inside = self.run.mechanism.nodes, self._block.rounds[at]
        path.chances, path.at, known = [], head.body, len(path.draws)
        exits, waiting = list[Course](), [path]
        again: list[tuple[tuple[Condition, ...], Polynomial]] = []
        while waiting:
            spend(STEP)
            here = waiting.pop()
            if here.at not in inside:
                exits.append(here)
                continue
            try:
                if here.at != at:
                    waiting.extend(reversed(self.step(here, nodes[here.at])))
                elif self._goes_on(here, head):
                    when = [f for f in here.facts if f not in before]
                    drawn = here.draws[known:]
                    again += self.counted(when, reduce(times, here.chances, ONE), drawn)
                else:
                    exits.append(here.to(head.exit))
            except Undecided as open_:
                waiting.extend(reversed(list(self.forks(here, *open_.args))))
            except Meaningless as error:
                self.run.show(here, FALSE, str(error))
        return exits, again

    def _goes_on(self, path: Course, head: Head) -> bool:
        words = self.words(path)
        return words.settled(words.condition(head.test)) == TRUE

    def rest(self, path: Course) -> dict[str, Value]:
        """What else was assigned, if no draw that is counted is in it."""
        held, block = path.right if self.right else path.left, self._block
        names = block.assigned & held.keys() - {*block.left}
        return {n: held[n] for n in names if not self._is_drawn(held[n], path.draws)}

    def _is_drawn(self, value: Value, draws: Sequence[str]) -> bool:
        """Whether a draw that is counted is in a value, or in what it is made of."""
        return bool(self.run.unknowns.within(mentioned(value)).intersection(draws))


def _comparisons_in(f: Condition) -> Iterator[Condition]:
    """The comparisons and Booleans that a condition is made of."""
    if f[0] not in ("and", "or"):
        yield f
    else:
        yield from (member for part in f[1] for member in _comparisons_in(part))


class _Within(Alone):
    """Expressions in one run of a block; of inputs and lists it knows what the path knows."""

    def __init__(self, run: SumRun, path: Course, right: bool, base: State) -> None:
        super().__init__(run, path, right)
        self._base = base

    def cell(self, array: str, index: Polynomial) -> Value:
        value = Side(self.run, self._base, self._right).cell(array, self.plain(index))
        for fact in self._base.facts:
            self.state.assume(fact)
        return value
