"""All paths of a program on concrete inputs, with the noise unknown.

A path is what one run does as long as its noise meets a list of linear conditions.  Where a
comparison depends on noise and is not decided yet, the path forks; different paths exclude
each other, so probabilities add up over them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from ...dsl.errors import LimitReached
from ...dsl.language.flow import (
    BranchNode,
    EndNode,
    EnsureNode,
    Flow,
    HeadNode,
    Node,
    SampleNode,
    operands,
)
from ...dsl.language.machine import Execution, step, value
from ...dsl.language.statements import Ensure, Release, Sample
from ...dsl.language.syntax import Arithmetic, Cell, Expression, Span, children
from .affine import Affine, Failure, NotAffine, Value, plain
from .irrational import is_irrational
from .laws import Stair, few_values, law_of
from .meaning import Meaning, at_least, place
from .powers import Mixed, Power
from .repeats import Repeats, Segment
from .state import Condition, Fork, Moment, PathState

#: How many steps one run may take, and how many paths there may be.
STEPS, PATHS = 200_000, 1_000

#: How many steps it counts for that a probability is irrational.
POWER = 20
#: A fork costs this many steps for each condition beyond the first few, up to so many: all are
#: looked at again.
AGAIN, FEW, MANY = 4, 4, 12
#: How often runs of few draws fork, for each draw.
FORKS = 2

#: How a run ends: as it should, with an exception, in a circle, or at a wrong answer.
Ending = Literal["end", "error", "forever", "wrong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Segment):
    """One path to its end; ``place`` is where it raises, or where it is wrong."""

    releases: tuple[Value, ...]
    ending: Ending
    place: Span | None = None


class _Dropped(Exception):
    """A run draws more often than is followed."""


def _partial(claim: Expression) -> bool:
    """Whether evaluating a claim may raise, as it does when a mechanism runs."""
    own = isinstance(claim, Cell) or (
        isinstance(claim, Arithmetic) and claim.operator in ("/", "//", "%")
    )
    return own or any(map(_partial, children(claim)))


class _Ended(Exception):
    """A run ends, in one of the ways in which runs do."""

    def __init__(self, how: Ending) -> None:
        self.how: Ending = how


@dataclass(slots=True)
class Explorer(Execution[PathState, Value]):
    """Runs one program's flow; a step changes the run, or asks for copies of it by an exception.

    ``claims``: whether one-sided claims are checked; a run on which one is wrong ends there.
    """

    flow: Flow
    claims: bool = False
    #: How many steps were taken in all.
    steps: int = 0
    #: The same for what came of forks, which no limit of one run counts.
    forked: int = 0
    #: Runs that would draw more often are dropped.
    draws: int | None = None

    @property
    def work(self) -> int:
        """How much was done so far, in steps."""
        return self.steps + self.forked

    def finished(
        self, inputs: Mapping[str, Value], outcome: Sequence[object] | None = None
    ) -> list[Finished]:
        """Every path of positive length on these inputs.

        With an outcome only the paths that can come to it: whose plain releases are the same,
        one by one (``...`` in an outcome stands for any number).

        Raises:
            LimitReached: there are too many paths, steps or draws.
        """
        found: list[tuple[Finished, tuple[int, ...]]] = []
        repeats = Repeats(self.flow)
        todo = [PathState(self.flow.start, dict(inputs))]
        most = self.steps + STEPS
        while todo:
            state = todo.pop()
            self.steps += 1
            if self.steps > most:
                raise LimitReached("STEPS", f"a run takes more than {STEPS} steps")
            head, node = state.node, self.flow.nodes[state.node]
            try:
                ways = self._ways(state, node)
            except _Dropped:
                continue
            except Fork as fork:
                self.forked += AGAIN * max(min(len(state.conditions), MANY) - FEW, 0)
                if self.draws is None or len(state.conditions) < FORKS * self.draws:
                    todo += reversed(fork.runs)
            except _Ended as end:
                found.append((_closed(state, end.how, node.span), Moment.all(state.visits)))
            else:
                if isinstance(node, HeadNode) and not node.counted:
                    ways = [w for w in ways if w.node == node.exit or not repeats.is_back(w, head)]
                if len(ways) > 1:
                    self.steps += len(ways)
                if outcome is not None:
                    ways = [way for way in ways if _agrees(way.releases, outcome)]
                todo += ways
            if len(found) + len(todo) > PATHS:
                raise LimitReached("PATHS", f"a run can take more than {PATHS} paths")
        return [replace(path, repeats=repeats.of(visits)) for path, visits in found]

    def _ways(self, state: PathState, node: Node) -> list[PathState]:
        """The runs after a step; they are several after a draw of a few values."""
        if isinstance(node, EndNode):
            raise _Ended("end")
        if isinstance(node, HeadNode) and not node.counted and _circling(state):
            raise _Ended("forever")
        if isinstance(node, EnsureNode) and not (self.claims or _partial(node.step.claim)):
            state.node = node.after
            return [state]
        ways = []
        try:
            for way, after in step(self, state, node):
                way.node = after
                ways.append(way)
        except Failure:
            raise _Ended("error") from None
        return ways

    # What a step is for a run.

    def evaluated(self, state: PathState, node: Node) -> list[tuple[PathState, list[Value]]]:
        """Values; the run may fork before they are known."""
        most = self.draws if isinstance(node, SampleNode) else None
        if most is not None and len(state.laws) + state.coins >= most:
            raise _Dropped
        meaning = Meaning(state)
        return [(state, [value(meaning, e) for e in operands(node)])]

    def names(self, state: PathState) -> dict[str, Value]:
        """They are changed."""
        return state.names

    def ways(
        self, state: PathState, node: BranchNode | HeadNode, test: Value
    ) -> list[tuple[PathState, bool]]:
        """The test is decided on this path."""
        return [(state, bool(test))]

    def draw(
        self, state: PathState, sample: Sample, arguments: Sequence[Value]
    ) -> list[tuple[PathState, Value]]:
        """One of a few values, for each of which a run goes on; or a number with a law."""
        options = few_values(sample.distribution, arguments)
        if options is None:
            law = law_of(sample.distribution, arguments)
            return [(state, Affine({state.new(law): 1}, 0, law.lattice))]
        state.coins += 1
        ways: list[tuple[PathState, Value]] = []
        for drawn, p in options:
            way = state.copy()
            if isinstance(p, Power) or is_irrational(p):
                self.steps += POWER
                way.factors = (*state.factors, cast(Power, p))
            else:
                way.weight = state.weight * p
            if isinstance(drawn, Stair):
                steps, inside = way.new(drawn.steps), way.new(drawn.inside)
                drawn = Affine({steps: drawn.factor, inside: drawn.side}, 0, False)
            ways.append((way, drawn))
        return ways

    def release(self, state: PathState, step: Release, values: Sequence[Value]) -> list[PathState]:
        """As they are."""
        state.releases.extend(values)
        return [state]

    def claimed(self, state: PathState, step: Ensure, claim: Value) -> PathState:
        """A claim that is wrong ends the run, if claims are checked."""
        if self.claims and not claim:
            raise _Ended("wrong")
        return state

    def size(self, count: Value) -> int:
        """A number without noise."""
        return int(plain(count))

    def place(self, index: Value, cells: tuple[Value, ...]) -> int:
        """A number without noise, in range."""
        return place(index, cells)

    def largest(self, state: PathState, cells: Value, count: Sequence[Value]) -> tuple[Value, ...]:
        """By the order that the path decides on; it may fork."""
        assert isinstance(cells, tuple)
        k = int(plain(count[0])) if count else 1
        if not 0 <= k <= len(cells):
            raise Failure
        picked = state.picked or indices_of_largest(state, cells, k, PATHS)
        state.picked = None
        return picked


def _circling(state: PathState) -> bool:
    """Whether a run is where it was before, with no noise in between: it never ends.

    It is compared with how it was at this head at the last visit whose number is a power of
    two (Brent's way to find a circle of any length).
    """
    noise = (len(state.laws), len(state.conditions), state.weight, len(state.factors))
    now: object = (noise, len(state.releases), dict(state.names))
    before, visits = state.heads.get(state.node, (None, 0))
    if before == now:
        return True
    visits += 1
    state.heads[state.node] = (now if visits & (visits - 1) == 0 else before, visits)
    return False


def _agrees(releases: Sequence[Value], outcome: Sequence[object]) -> bool:
    """Whether the last release may be the one of the outcome."""
    if not releases:
        return True
    if len(releases) > len(outcome):
        return False
    mine, wanted = releases[-1], outcome[len(releases) - 1]
    if wanted is ... or isinstance(mine, Affine | Power) or is_irrational(mine):
        return True  # what cannot be released is refused at the end of the run
    return type(mine) is type(wanted) and mine == wanted


def _closed(state: PathState, ending: Ending, where: Span) -> Finished:
    for released in state.releases:
        if isinstance(released, tuple):
            raise NotAffine("a list is released")
        if isinstance(released, Power) and released.of == "ln 2":
            raise Mixed("ε is released")
        if isinstance(released, Power) or is_irrational(released):
            raise LimitReached("POWERS", "an irrational number is released")
    return Finished(
        state.weight, tuple(state.laws), tuple(state.conditions), state.factors,
        releases=tuple(state.releases), ending=ending,
        place=where if ending in ("error", "wrong") else None,
    )  # fmt: skip


# ``argmax`` and ``top_k`` of values that depend on noise: which indices, on which conditions.


def indices_of_largest(
    state: PathState, cells: Sequence[Value], k: int, most: int
) -> tuple[int, ...]:
    """The indices of the k largest values, of equal ones the first; forks over the orders.

    An order is decided by a chain: each picked value beats the next one, and the last one all
    that are not picked.

    Raises:
        LimitReached: there are more than ``most`` orders.
    """
    n = len(cells)
    if math.perm(n, k) > most:
        raise LimitReached("PATHS", f"{k} of {n} values can be picked in more than {most} ways")
    beats = [[_beats(state, cells, i, j) if i != j else True for j in range(n)] for i in range(n)]
    alternatives, answers = [], []
    for order in itertools.permutations(range(n), k):
        rest = [(order[-1], j) for j in range(n) if j not in order] if order else []
        owed = [beats[i][j] for i, j in (*itertools.pairwise(order), *rest)]
        if False in owed:
            continue
        needed = tuple(condition for condition in owed if isinstance(condition, Condition))
        if not needed:
            return order
        alternatives.append(needed)
        answers.append(order)
    raise state.parted(alternatives, answers)


def _beats(state: PathState, cells: Sequence[Value], i: int, j: int) -> bool | Condition:
    """Whether one value comes before another one, or the condition that decides it."""
    found = at_least(cells[i], cells[j], i > j)
    if not isinstance(found, Affine):
        return found
    condition = state.condition(found, i > j)
    decided = state.decided(condition)
    return condition if decided is None else decided
