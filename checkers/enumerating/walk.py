"""The laws of a program's output on all private inputs: every outcome with its probability.

All runs go forward together, draw by draw.  Runs that stand at the same place, with equal
variables that are still needed and equal releases, go on as one, on whatever inputs they run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ...dsl.flow import Flow, SampleNode, liveness
from .crowd import Crowd, Split
from .draws import Draws
from .meaning import Meanings
from .ratios import Declined, Frame, Number
from .releases import Outcomes
from .shares import Share, Shares, Spread
from .steps import Steps, bound_in, reads_private, written_by
from .values import Meaning, Value, Variables

#: How many steps may be taken in all, between two draws, and how often a run may draw.
STEPS, SEGMENT, DRAWS = 3_000_000, 20_000, 300
#: How many runs may be on their way at once.
STATES = 100_000

T = TypeVar("T")


class Exhausted(Exception):
    """The limit of effort is reached."""


@dataclass(slots=True)
class Effort:
    """What may still be done."""

    steps: int = STEPS


@dataclass(frozen=True, slots=True)
class _State:
    """Runs that are about to draw, and on which inputs they are how likely."""

    at: int
    run: Variables
    spread: Spread


class Walker:
    """Runs one program's flow for one choice of sizes, on all of its private ``inputs``."""

    def __init__(
        self, flow: Flow, frame: Frame, inputs: Sequence[Mapping[str, Any]], effort: Effort
    ) -> None:
        self._flow = flow
        self._effort = effort
        self._inputs = inputs
        self.outcomes = Outcomes()
        written = frozenset[str]().union(*map(written_by, flow.nodes), *map(bound_in, flow.nodes))
        self._fixed = frozenset(inputs[0]) - written
        self._crowd = Crowd(sorted(self._fixed), inputs)
        self._slots: dict[str, int] = {"": 0}  # what was released so far
        self._meanings = Meanings(frame, self._slots, self._crowd)
        self._shares = Shares(frame)
        self._draws = Draws(frame, self._shares)
        steps = Steps(self._meanings, self.outcomes)
        self._steps = [steps.of(node) for node in flow.nodes]
        self._looks = [reads_private(node, self._fixed) for node in flow.nodes]
        slot = self._meanings.slot
        self._writes = [tuple(map(slot, sorted(written_by(node)))) for node in flow.nodes]
        self._arguments: dict[int, tuple[Meaning, ...]] = {
            k: tuple(map(self._meanings.of, node.step.arguments))
            for k, node in enumerate(flow.nodes)
            if isinstance(node, SampleNode)
        }
        live = liveness(list(flow.nodes))
        self._needed = {
            k: (0, *sorted(slot(n) for n in live[k] if n not in self._fixed))
            for k in self._arguments
        }

    def laws(self, public: Mapping[str, Value]) -> list[dict[int, Number]]:
        """The law of the output on each input.

        Raises:
            Failure: a run raises.
            Declined: it does what is not enumerated.
            Exhausted: it takes too many steps, states or draws.
        """
        ends: dict[int, Spread] = {}
        waiting: dict[object, _State] = {}
        for own, those in self._begun():
            run: Variables = [None] * len(self._slots)
            run[0] = 0
            for name, value in (*public.items(), *own):
                if name in self._slots:
                    run[self._slots[name]] = value
            one = self._spread()
            one.add(those, self._shares.one)
            self._arrive(self._flow.start, run, one, waiting, ends)
        for _ in range(DRAWS):
            if not waiting:
                return self._each(ends)
            if len(waiting) > STATES:
                raise Exhausted(f"more than {STATES} different runs at once")
            now, waiting = waiting, {}
            for state in now.values():
                self._draw(state, waiting, ends)
        raise Declined(f"a run may draw more than {DRAWS} times, or for ever")

    def _begun(self) -> list[tuple[tuple[tuple[str, Any], ...], int]]:
        """The inputs by the values of those that the program changes: these are variables."""
        found: dict[tuple[tuple[str, Any], ...], int] = {}
        for i, one in enumerate(self._inputs):
            own = tuple((n, v) for n, v in one.items() if n not in self._fixed)
            found[own] = found.get(own, 0) | 1 << i
        return list(found.items())

    def _spread(self) -> Spread:
        return Spread(self._shares, 2 * len(self._inputs))

    def _each(self, ends: Mapping[int, Spread]) -> list[dict[int, Number]]:
        laws: list[dict[int, Number]] = [{} for _ in self._inputs]
        for released, spread in ends.items():
            for i, share in spread.each().items():
                p = self._shares.number(share)
                if p != 0:
                    laws[i][released] = p
        return laws

    def _draw(self, state: _State, waiting: dict[object, _State], ends: dict[int, Spread]) -> None:
        node = self._flow.nodes[state.at]
        assert isinstance(node, SampleNode)
        target, times = self._slots[node.step.target], self._shares.times
        arguments = self._arguments[state.at]

        def evaluate(run: Variables) -> list[Value]:
            return [a(run) for a in arguments]

        for run, found, those in self._parted(evaluate, state.run, state.spread.everyone):
            before = state.spread.within(those)
            known: dict[Share, Spread] = {}
            for value, weight in self._draws.of(node.step, found):
                spread = known.get(weight)
                if spread is None:
                    spread = known[weight] = self._spread()
                    for mine, share in before:
                        spread.add(mine, times(share, weight))
                    self._spend(len(before))
                further = run.copy()
                further[target] = value
                self._arrive(node.after, further, spread, waiting, ends)

    def _arrive(
        self,
        at: int,
        run: Variables,
        spread: Spread,
        waiting: dict[object, _State],
        ends: dict[int, Spread],
    ) -> None:
        """Go on to the next draws, or to the end."""
        pending = [(at, run, spread.everyone)]
        steps, looks = self._steps, self._looks
        while pending:
            at, run, those = pending.pop()
            count = 0
            while (step := steps[at]) is not None:
                count += 1
                if count > SEGMENT:
                    raise Declined(f"a run takes more than {SEGMENT} steps without a draw")
                if not looks[at]:
                    at = step(run)
                    continue
                (run, at, those), *others = self._stepped(at, step, run, those)
                pending += [(after, other, few) for other, after, few in others]
            self._spend(count + 1)
            if at not in self._arguments:
                released = run[0]
                assert isinstance(released, int)
                total = ends.setdefault(released, self._spread())
            else:
                key = at, *_key(run, self._needed[at])
                if key not in waiting:
                    waiting[key] = _State(at, run, self._spread())
                total = waiting[key].spread
            for mine, share in spread.within(those):
                self._spend(mine.bit_count())
                total.add(mine, share)

    def _stepped(
        self, at: int, step: Callable[[Variables], int], run: Variables, those: int
    ) -> list[tuple[Variables, int, int]]:
        """A step that reads private inputs: what it does, and on which inputs it does that."""
        met: dict[object, tuple[Variables, int, int]] = {}
        for further, after, few in self._parted(step, run, those):
            key = after, further[0], *_key(further, self._writes[at])
            known = met.get(key)
            met[key] = further, after, few if known is None else known[2] | few
        return list(met.values())

    def _parted(
        self, evaluate: Callable[[Variables], T], run: Variables, those: int
    ) -> list[tuple[Variables, T, int]]:
        """Evaluate for sets of inputs on which nothing that is read differs."""
        found, todo = [], [those]
        while todo:
            self._crowd.now = now = todo.pop()
            further = run.copy()
            self._spend(1)
            try:
                found.append((further, evaluate(further), now))
            except Split as split:
                todo += reversed(split.parts)
        self._crowd.now = self._crowd.everyone
        return found

    def _spend(self, steps: int) -> None:
        self._effort.steps -= steps
        if self._effort.steps < 0:
            raise Exhausted(f"more than {STEPS} steps")


def _key(run: Variables, places: tuple[int, ...]) -> tuple[object, object]:
    """Variables as a key; 1, 1.0 and True are equal, and are not the same."""
    needed = [run[k] for k in places]
    kinds = [tuple(map(type, v)) if isinstance(v, tuple) else type(v) for v in needed]
    return tuple(needed), tuple(kinds)
