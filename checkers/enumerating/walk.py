"""The law of a program's output on one concrete input: every outcome with its probability.

All runs go forward together, draw by draw.  Runs that stand at the same place, with equal
variables that are still needed and equal releases, go on as one, and their probabilities add up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from ...dsl.flow import (
    AssignNode,
    BranchNode,
    EndNode,
    EnsureNode,
    Flow,
    HeadNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
    expressions_of,
    liveness,
)
from ...dsl.noise import Bernoulli, Categorical, DiscreteUniform
from ...dsl.syntax import (
    Cell,
    Expression,
    MakeList,
    Name,
    Pick,
    Span,
    Store,
    Whole,
    children,
)
from .draws import Draws
from .meaning import Failure, Meaning, Meanings, Plain, SignedZero, Value, Variables
from .ratios import Declined, Factors, Frame, Ratio, merged, without

#: How many steps may be taken in all, between two draws, and how often a run may draw.
STEPS, SEGMENT, DRAWS = 3_000_000, 20_000, 300
#: How many runs may be on their way at once.
STATES = 50_000
#: The longest list.
LONGEST_LIST = 1_000

FINITE = (Bernoulli, Categorical, DiscreteUniform)
#: A probability on its way: a numerator and a denominator that need not be in lowest terms.
Share = tuple[Any, Factors]


class Exhausted(Exception):
    """The limit of effort is reached."""


@dataclass(slots=True)
class Effort:
    """What may still be done, and what outcomes were met."""

    steps: int = STEPS


@dataclass(slots=True)
class Outcomes:
    """What runs release, by number; 0 is nothing."""

    numbers: dict[tuple[int, type, Plain], int] = field(default_factory=dict)
    entries: list[tuple[int, Plain]] = field(default_factory=lambda: [(0, None)])

    def after(self, so_far: int, value: Value) -> int:
        """One more release."""
        if isinstance(value, tuple):
            raise Declined("a list is released")
        if isinstance(value, SignedZero):
            raise Declined("a float zero is released that may have a minus sign")
        key = so_far, type(value), value
        known = self.numbers.get(key)
        if known is None:
            known = self.numbers[key] = len(self.entries)
            self.entries.append((so_far, value))
        return known

    def values(self, number: int) -> tuple[Plain, ...]:
        """All releases, in order."""
        found: list[Plain] = []
        while number:
            number, value = self.entries[number]
            found.append(value)
        return tuple(reversed(found))


class Walker:
    """Runs one program's flow for one choice of sizes.

    ``fixed`` are the inputs that a run never changes, ``private`` the private ones of them.
    """

    def __init__(
        self,
        flow: Flow,
        frame: Frame,
        fixed: Sequence[str],
        private: Sequence[str],
        effort: Effort,
    ) -> None:
        self._flow = flow
        self._frame = frame
        self._effort = effort
        self.outcomes = Outcomes()
        self._slots: dict[str, int] = {"": 0}  # what was released so far
        self.meanings = Meanings(frame, self._slots)
        self._draws = Draws(frame)
        self._fixed = frozenset(fixed)
        self._steps: list[Callable[[Variables], int] | None] = [
            self._step(node) for node in flow.nodes
        ]
        self._live = liveness(list(flow.nodes))
        self._samples = self._sampling()
        self._reads_input = [self._reads_private(node, private) for node in flow.nodes]
        self._writes = [
            tuple(self.meanings.slot(n) for n in written_by(node)) for node in flow.nodes
        ]
        self._needed: dict[int, tuple[int, ...]] = {}
        self._shared: dict[object, tuple[int, int, tuple[tuple[int, Value], ...]]] = {}

    def _sampling(self) -> dict[int, tuple[SampleNode, tuple[Meaning, ...], tuple[int, ...]]]:
        """Of each sample the arguments, and which variables are needed from there on."""
        found = {}
        for k, node in enumerate(self._flow.nodes):
            if isinstance(node, SampleNode):
                arguments = tuple(map(self.meanings.of, node.step.arguments))
                found[k] = node, arguments, self._needed_at(k)
        return found

    def _needed_at(self, at: int) -> tuple[int, ...]:
        """The places of the variables that are needed from a node on, and of the releases."""
        names = (n for n in self._live[at] if n not in self._fixed)
        return (0, *sorted(map(self.meanings.slot, names)))

    def _reads_private(self, node: Node, private: Sequence[str]) -> bool:
        """Whether a node looks at a private input; its length is public."""
        return any(reads_value(e, frozenset(private)) for e in expressions_of(node)) or (
            isinstance(node, ListNode)
            and isinstance(node.step, Pick)
            and node.step.array in private
        )

    def law(self, inputs: dict[str, Value]) -> dict[int, Share]:
        """The law of the output on these inputs.

        Raises:
            Failure: a run raises.
            Declined: it does what is not enumerated.
            Exhausted: it takes too many steps, states or draws.
        """
        ends: dict[int, Share] = {}
        start: Variables = [None] * len(self._slots)
        start[0] = 0
        for name, value in inputs.items():
            if name in self._slots:
                start[self._slots[name]] = value
        one: Share = (self._frame.one, ())
        waiting: dict[object, tuple[int, Variables, Share]] = {}
        self._arrive(self._flow.start, start, one, waiting, ends)
        for _ in range(DRAWS):
            if not waiting:
                return ends
            if len(waiting) > STATES:
                raise Exhausted(f"more than {STATES} different runs at once")
            now, waiting = waiting, {}
            for at, variables, share in now.values():
                node, arguments, _ = self._samples[at]
                target, after = self._slots[node.step.target], node.after
                found = self._draws.of(node.step, [a(variables) for a in arguments])
                for value, top, factors in found:
                    further = variables.copy()
                    further[target] = value
                    portion = share[0] * top, merged(share[1], factors, sum)
                    self._arrive(after, further, portion, waiting, ends)
        raise Declined(f"a run may draw more than {DRAWS} times, or for ever")

    def _arrive(
        self,
        at: int,
        run: Variables,
        share: Share,
        waiting: dict[object, tuple[int, Variables, Share]],
        ends: dict[int, Share],
    ) -> None:
        """Go on to the next draw, or to the end."""
        at = self._to_private(at, run)
        steps, count = self._steps, 0
        while (step := steps[at]) is not None:
            at = step(run)
            count += 1
            if count > SEGMENT:
                raise Declined(f"a run takes more than {SEGMENT} steps without a draw")
        self._spend(count + 1)
        sample = self._samples.get(at)
        if sample is None:
            released = run[0]
            assert isinstance(released, int)
            known = ends.get(released)
            ends[released] = share if known is None else self._sum(known, share)
            return
        key = at, *_key(run, sample[2])
        before = waiting.get(key)
        if before is not None:
            share = self._sum(before[2], share)
        waiting[key] = at, run, share

    def _spend(self, steps: int) -> None:
        self._effort.steps -= steps
        if self._effort.steps < 0:
            raise Exhausted(f"more than {STEPS} steps")

    def _to_private(self, at: int, run: Variables) -> int:
        """Go on to where a private input is read or a draw is made: the same for many inputs."""
        if self._reads_input[at] or self._steps[at] is None:
            return at
        if at not in self._needed:
            self._needed[at] = self._needed_at(at)
        key = at, *_key(run, self._needed[at])
        known = self._shared.get(key)
        if known is not None:
            at, released, changed = known
            run[0] = released
            for place, value in changed:
                run[place] = value
            self._spend(1)
            return at
        written: dict[int, None] = {}
        count = 0
        while not self._reads_input[at] and (step := self._steps[at]) is not None:
            written.update(dict.fromkeys(self._writes[at]))
            at = step(run)
            count += 1
            if count > SEGMENT:
                raise Declined(f"a run takes more than {SEGMENT} steps without a draw")
        self._spend(count)
        changes = tuple((place, run[place]) for place in written)
        self._shared[key] = at, run[0], changes  # type: ignore[assignment]
        return at

    def _sum(self, left: Share, right: Share) -> Share:
        if left[1] == right[1]:
            return left[0] + right[0], left[1]
        whole = merged(left[1], right[1], max)
        tops = [top * self._frame.product(without(whole, below)) for top, below in (left, right)]
        return tops[0] + tops[1], whole

    def _step(self, node: Node) -> Callable[[Variables], int] | None:
        """What a node does: it changes the variables, and says where to go on."""
        of, slot = self.meanings.of, self.meanings.slot
        match node:
            case SampleNode(step=step):
                slot(step.target)
                if step.distribution not in FINITE:
                    raise Declined(f"a draw of {step.distribution.__name__} is not finite")
                return None
            case EndNode():
                return None
            case AssignNode(step=step, after=after):
                return _assigning(
                    [slot(t) for t in step.targets], list(map(of, step.values)), after
                )
            case BranchNode(test=test, yes=yes, no=no) | HeadNode(test=test, body=yes, exit=no):
                return _choosing(self.meanings.condition(test), yes, no)
            case EnsureNode(claim=claim, after=after):
                return _assigning([slot("@claim")], [of(claim)], after)
            case ReleaseNode(values=values, after=after):
                return partial(self._release, list(map(of, values)), after)
            case ListNode(step=MakeList() as step, after=after):
                fill = None if step.fill is None else of(step.fill)
                return partial(_make, slot(step.target), fill, of(step.length), after)
            case ListNode(step=Store() as step, after=after):
                index = None if step.index is None else of(step.index)
                return partial(_store, slot(step.array), index, of(step.value), step.span, after)
            case ListNode(step=Pick() as step, after=after):
                count = None if step.count is None else of(step.count)
                return partial(
                    self._pick, slot(step.target), slot(step.array), count, step.span, after
                )
        raise Declined(f"{type(node).__name__} is not enumerated")

    def _release(self, values: Sequence[Meaning], after: int, run: Variables) -> int:
        for value in values:
            run[0] = self.outcomes.after(run[0], value(run))  # type: ignore[arg-type]
        return after

    def _pick(
        self, target: int, array: int, count: Meaning | None, span: Span, after: int, run: Variables
    ) -> int:
        cells = run[array]
        assert isinstance(cells, tuple)
        k = 1 if count is None else count(run)
        if type(k) is not int:
            raise Declined("top_k of a number that is no int")
        if not 0 <= k <= len(cells):
            raise Failure(span, f"{k} of {len(cells)} values are picked")
        left, order = list(range(len(cells))), list[int]()
        while len(order) < k:
            best = left[0]
            for i in left[1:]:
                if self.meanings.at_least(cells[i], cells[best], True):
                    best = i
            left.remove(best)
            order.append(best)
        run[target] = order[0] if count is None else tuple(order)
        return after


def _key(run: Variables, places: tuple[int, ...]) -> tuple[object, object]:
    """Variables as a key; 1, 1.0 and True are equal, and are not the same."""
    needed = [run[k] for k in places]
    kinds = [tuple(map(type, v)) if isinstance(v, tuple) else type(v) for v in needed]
    return tuple(needed), tuple(kinds)


def reads_value(e: Expression, names: frozenset[str]) -> bool:
    """Whether an expression looks at one of some inputs; a length is no look at it."""
    own = (isinstance(e, Name) and e.name in names) or (
        isinstance(e, Cell | Whole) and e.array in names
    )
    return own or any(reads_value(c, names) for c in children(e))


def _assigning(targets: list[int], values: list[Meaning], after: int) -> Callable[[Variables], int]:
    if len(targets) == 1:
        (target,), (value,) = targets, values

        def assign(run: Variables) -> int:
            run[target] = value(run)
            return after

        return assign

    def assign_all(run: Variables) -> int:
        found = [v(run) for v in values]
        for place, one in zip(targets, found, strict=True):
            run[place] = one
        return after

    return assign_all


def _choosing(test: Callable[[Variables], bool], yes: int, no: int) -> Callable[[Variables], int]:
    return lambda run: yes if test(run) else no


def _make(target: int, fill: Meaning | None, length: Meaning, after: int, run: Variables) -> int:
    first = None if fill is None else fill(run)
    size = length(run)
    if type(size) is not int:
        raise Declined("a list whose length is no int")
    if size > LONGEST_LIST:
        raise Declined(f"a list of {size} elements")
    if isinstance(first, tuple):
        raise Declined("a list inside a list")
    run[target] = () if fill is None else (first,) * max(size, 0)
    return after


def _store(
    array: int, index: Meaning | None, value: Meaning, span: Span, after: int, run: Variables
) -> int:
    new, cells = value(run), run[array]
    assert isinstance(cells, tuple) and not isinstance(new, tuple)
    if index is None:
        if len(cells) >= LONGEST_LIST:
            raise Declined(f"a list of more than {LONGEST_LIST} elements")
        run[array] = (*cells, new)
        return after
    i = index(run)
    if type(i) is not int:
        raise Declined("an index that is no int")
    if not 0 <= i < len(cells):
        raise Failure(span, f"the index {i} is out of range")
    run[array] = (*cells[:i], new, *cells[i + 1 :])
    return after


def fraction_of(share: Share, frame: Frame) -> int | Fraction | Ratio:
    """A probability in lowest terms."""
    return frame.made(*share)


def written_by(node: Node) -> frozenset[str]:
    """The variables that a node changes."""
    match node:
        case AssignNode(step=assign):
            return frozenset(assign.targets)
        case SampleNode(step=sample):
            return frozenset({sample.target})
        case ListNode(step=Store(array=array)):
            return frozenset({array})
        case ListNode(step=MakeList(target=target) | Pick(target=target)):
            return frozenset({target})
    return frozenset()
