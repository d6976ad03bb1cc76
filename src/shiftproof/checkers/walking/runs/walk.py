"""Every path through a program between two loop heads, in two runs in step: the paired run.

Prover and kernel walk alike, the prover with hooks of its own (``proving/loops/system.py`` with
symbols, ``proving/recorded.py`` with recorded numbers).

Whatever one of the conditions of the soundness theorem asks of a step is owed, and then known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

from ....dsl.errors import LimitReached, Unsupported
from ....dsl.language.evaluate import Evaluator
from ....dsl.language.flow import (
    AssignNode,
    BranchNode,
    CallNode,
    EndNode,
    EnsureNode,
    HeadNode,
    ListNode,
    ReleaseNode,
    SampleNode,
    expressions_of,
)
from ....dsl.language.syntax import Expression, Span
from ....dsl.terms.allowance import spend
from ....dsl.terms.formulas import Formula, negation
from ....dsl.terms.values import Num
from ..claims import HAS_A_VALUE, claim_of
from .blocks import summed
from .calls import call
from .lists import list_step, reading
from .noise import take_sample
from .prophecy import fulfil, settle
from .run import Run, Side
from .state import State

#: How many steps one walk may have.
STEP_LIMIT = 20_000
#: The work of one step, in the units of an allowance.
STEP_WORK = 500


class Destination(Protocol):
    """Where the ways lead."""

    def arrives(self, state: State, node: HeadNode) -> None:
        """Both runs come to a loop head."""
        ...

    def ends(self, state: State, span: Span) -> None:
        """Both runs come to an end."""
        ...

    def gives_up(self, state: State, span: Span) -> None:
        """Outcomes of a draw were given up; what that comes to so far is owed to be within δ."""
        ...


class Walk:
    """Follows every path from a state on; of the program's one-sided claims, these are owed."""

    def __init__(
        self,
        run: Run,
        destination: Destination,
        claims: Collection[str] = (),
        limit: int | None = None,
    ) -> None:
        self.run = run
        self._destination = destination
        self._claims = claims
        self._limit = STEP_LIMIT if limit is None else limit
        self._steps = 0

    def explore(self, start: State) -> None:
        """Follow every path.

        Raises:
            LimitReached: there are too many.
        """
        waiting = [start]
        while waiting:
            spend(STEP_WORK)
            self._steps += 1
            if self._steps > self._limit:
                raise LimitReached("paths", f"more than {self._limit} steps between two loop heads")
            waiting.extend(self.steps_from(waiting.pop()))

    def steps_from(self, state: State) -> list[State]:
        """What one step leads to; where it has no meaning, that no run comes there is owed."""
        node = self.run.program.flow.nodes[state.node]
        block = self.run.blocks.at(state.node)
        if block is not None:
            return list(summed(self.run, state, block))
        reads = expressions_of(node)
        if isinstance(node, SampleNode):
            reads = (*node.step.arguments, self.run.shifts[node.site])
        before = state.copy()
        try:
            return [after for fork in reading(self.run, state, reads) for after in self.step(fork)]
        except Unsupported as error:
            self.run.refused(before, error, node.span)
            return []

    def step(self, state: State) -> Iterable[State]:
        run, node = self.run, self.run.program.flow.nodes[state.node]
        match node:
            case AssignNode(step=step, after=after):
                pairs = [run.both(state, e) for e in step.values]
                for target, (left, right) in zip(step.targets, pairs, strict=True):
                    state.put(target, left, right)
                return [self._to(fork, after) for fork in run.unfolded(state, step.targets)]
            case SampleNode(step=step, after=after):
                forks = list(settle(run, state, run.shifts[node.site], step.span))
                look = self._destination.gives_up
                return [self._to(f, after) for f in forks if take_sample(run, f, node, look)]
            case ListNode(after=after):
                return [self._to(fork, after) for fork in list_step(run, state, node)]
            case CallNode(step=called, after=after):
                call(run, state, node, self._destination.gives_up)
                # It may never return, and what was released so far can be seen.
                self._destination.ends(state, called.span)
                return (self._to(state, after),)
            case EnsureNode():
                return (self._ensure(state, node),)
            case BranchNode(join=None):
                return self._in_step(state, node.test, node.yes, node.no, node.span)
            case BranchNode():
                return self.apart(state, node, *run.conditions(state, node.test))
            case HeadNode():
                if not state.fresh_start:
                    self._destination.arrives(state, node)
                    return ()
                state.fresh_start = False
                return self._in_step(state, node.test, node.body, node.exit, node.span)
            case ReleaseNode():
                return (self._release(state, node),)
            case EndNode(span=span):
                self._destination.ends(state, span)
                return ()
        raise run.program.refuse(
            node.span, "a statement that a proof does not follow", "use one of the language"
        )

    @staticmethod
    def _to(state: State, node: int) -> State:
        state.node = node
        return state

    def _ensure(self, state: State, node: EnsureNode) -> State:
        """A one-sided claim; nothing is taken for granted after it."""
        run = self.run
        if claim_of(run.program, node) in self._claims:
            evaluator = Evaluator(Side(run, state, "left"))
            holds = evaluator.condition(node.step.claim)
            for duty in evaluator.duties:
                run.state_claim(state, duty.condition, HAS_A_VALUE, node.span)
            run.state_claim(state, holds, "what is said here is true", node.span)
        run.conditions(state, node.step.claim)
        return self._to(state, node.after)

    def _release(self, state: State, node: ReleaseNode) -> State:
        run = self.run
        for e in node.step.values:
            left, right = run.both(state, e)
            if isinstance(left, Num) and left.kind == "either":
                raise run.program.refuse(
                    e.span,
                    "a release that is an int or a float, as the case may be",
                    "write its constants as floats, such as 0.0, or release no element of a list",
                )
            if isinstance(left, Num) and left.kind == "int":
                fulfil(run, state, left.term)
            run.release(state, left, right, node.span)
        return self._to(state, node.after)

    def _in_step(
        self, state: State, test: Expression, yes: int, no: int, span: Span
    ) -> Iterator[State]:
        """A branch that decides what is sampled or released: both runs take the same way."""
        left, right = self.run.conditions(state, test)
        for fork, value in list(self.run.forks(state, left)):
            claim = right if value else negation(right)
            detail = "both runs take the same branch"
            self.run.owe(fork, claim, "same samples", detail, span)
            yield self._to(fork, yes if value else no)

    def apart(
        self, state: State, node: BranchNode, left: Formula, right: Formula
    ) -> Iterator[State]:
        """A branch that only computes: each run takes its own way to where they meet."""
        assert node.join is not None
        for here, on_left in list(self.run.forks(state, left)):
            for fork, on_right in list(self.run.forks(here, right)):
                ways = [node.yes if value else node.no for value in (on_left, on_right)]
                if ways[0] == ways[1]:
                    yield self._to(fork, ways[0])
                    continue
                for one in list(self.alone(fork, "left", ways[0], node.join)):
                    for both in list(self.alone(one, "right", ways[1], node.join)):
                        yield self._to(both, node.join)

    def alone(self, state: State, side: str, at: int, join: int) -> Iterator[State]:
        """One run alone through an arm that only computes."""
        waiting = [(state.copy(), at)]
        while waiting:
            here, k = waiting.pop()
            node = self.run.program.flow.nodes[k]
            if k == join:
                yield here
            elif isinstance(node, AssignNode):
                values = [self.run.alone(here, e, side, Evaluator.value) for e in node.step.values]
                target = here.left if side == "left" else here.right
                target.update(zip(node.step.targets, values, strict=True))
                waiting.append((here, node.after))
            else:
                assert isinstance(node, BranchNode) and node.join is not None
                test = self.run.alone(here, node.test, side, Evaluator.condition)
                for fork, value in list(self.run.forks(here, test)):
                    waiting.append((fork, node.yes if value else node.no))
