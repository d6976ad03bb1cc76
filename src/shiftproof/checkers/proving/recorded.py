"""The paired run on one pair of inputs and recorded noise: the kernel's walk, with numbers.

On D everything is known, so a run is one path; on D' the shifts may have unknown coefficients.
Such runs serve the search for an alignment and the examples of what fails.  No proof rests on
them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from ...alignments.alignment import Reason
from ...alignments.inputs import RandomInputs
from ...dsl.errors import LimitReached
from ...dsl.language.calls import Call
from ...dsl.language.evaluate import Evaluator
from ...dsl.language.flow import (
    CallNode,
    EnsureNode,
    HeadNode,
    ListNode,
    Node,
    SampleNode,
)
from ...dsl.language.statements import Pick, Store
from ...dsl.language.syntax import (
    NOWHERE,
    Chosen,
    Conditional,
    Expression,
    Foretold,
    Gaps,
    Span,
    parts_of,
)
from ...dsl.noise import Distribution
from ...dsl.relations.cases import Pair
from ...dsl.relations.moves import Move
from ...dsl.relations.pairs import Rule
from ...dsl.relations.program import Program
from ...dsl.terms.enclosures import enclosed, is_plain
from ...dsl.terms.formulas import (
    FALSE,
    TRUE,
    Formula,
    Sign,
    above,
    at_least,
    equal,
    truth,
)
from ...dsl.terms.linear import DivisionByZero, Linear, Symbol, number, term
from ...dsl.terms.substitution import Substitution
from ...dsl.terms.values import Kind, Num, Value, same_value
from ..walking.claims import claim_of
from ..walking.gaps import kept_by
from ..walking.runs.blocks import summed
from ..walking.runs.elements import element_name, length_name
from ..walking.runs.known import FILL, Known, RecordedGaps
from ..walking.runs.lists import how_many, number_at
from ..walking.runs.prophecy import begin, fulfil
from ..walking.runs.run import Side
from ..walking.runs.state import Condition, Ledger, Obligation, State
from ..walking.runs.ways import Kind as WayKind
from ..walking.runs.ways import Output, Way, values_of
from .merging import MergingRun, MergingWalk

#: How many steps a run may take.
STEPS = 400
#: How finely the cost of a sum is rounded, and by how much less it is.
FINE, ROUNDED = 10**12, Fraction(1, 10**9)


class GivenUp(LimitReached):
    """A run whose noise the alignment gives up: nothing is said of it."""


class RecordedRun(MergingRun):
    """Two runs in step on recorded inputs and noise.

    Attributes:
        owed: what had to hold, unless it plainly did.
        outputs: what both runs released, with its place.
        laws: the distributions of the noise.
        shifted: the noise of the run on D'.
        called: the calls that both runs came to, in turn.
        answered: what was made up for what they return.
        heads: after how many draws a loop that may never end begins a round.
        history: the integers that came out on D.
        picks: what ``top_k`` picked on D.
        alikeness: of each list, what it means that both runs put the same there.
        arrived: what both runs held at each loop head, and what they had paid.
        finished: where it came to its end.
    """

    def __init__(
        self,
        program: Program,
        inputs: RandomInputs,
        shifts: Mapping[int, Expression],
        *,
        steps: int = STEPS,
        label: int = 0,
        one_sided: bool = False,
    ) -> None:
        super().__init__(program, program.same, shifts, (), Ledger(), self)
        self.ground = Known(())
        self.inputs = inputs
        self.label = label
        said = [n for n in program.flow.nodes if isinstance(n, EnsureNode) and one_sided]
        self._claims = {claim_of(program, node) for node in said}
        self._steps = steps
        kept = kept_by(program.flow, shifts)
        self.gaps = None if kept is None else RecordedGaps(kept)
        self._forget()

    def _forget(self) -> None:
        self.owed: list[tuple[Formula, Reason]] = []
        self.outputs: list[tuple[Span, Value, Value]] = []
        self.laws: list[Distribution] = []
        self.shifted: list[Value] = []
        self.called: list[Call] = []
        self.answered: list[Value] = []
        self.heads: list[int] = []
        self.history: list[int] = []
        self.picks: tuple[int, ...] = ()
        self.alikeness: dict[str, list[Formula]] = {}
        self.definitions = []
        self.expected = {}
        self.arrived: list[State] = []
        self.finished: list[State] = []

    @property
    def looks_ahead(self) -> bool:
        """Whether the shifts ask what comes out: for that a run is to be made twice."""
        parts = (part for shift in self.shifts.values() for part in parts_of(shift))
        return any(isinstance(part, Foretold | Chosen | Gaps) for part in parts)

    def explore(self, unknowns: Sequence[str] = (), *, again: bool = False) -> None:
        """Run, with these coefficients of the shifts unknown.

        ``again``: once more on the same noise, with what the last run came to foretold.

        Raises:
            Unsupported: a construct has no meaning in two runs.
            LimitReached: the run is too long.
        """
        if again:
            self.inputs.foretell(self.history, self.picks)
            self._forget()
        if self.gaps is not None:
            self.gaps.begin(again=again)
        start = State(self.program.flow.start)
        for name in unknowns:
            start.put(name, Num(term(Symbol(name, True)), "int"))
        begin(self, start)
        walk = _RecordedWalk(self, self, self._claims, self._steps)
        walk.explore(start)

    def comes_to(self, state: State, node: Node) -> None:
        """A step begins."""

    def arrives(self, state: State, node: HeadNode) -> None:
        """Loops are followed."""

    def gives_up(self, state: State, span: Span) -> None:
        """Nothing is owed of it here: bounds on probabilities are found by the proof."""

    def give_up(self, state: State, bad: Formula) -> None:
        """Of a run whose draw is given up nothing is asked.

        Raises:
            GivenUp: it is such a run.
        """
        if bad == TRUE:
            raise GivenUp("runs", "a draw that is given up")

    def ends(self, state: State, span: Span) -> None:
        """Both runs end, or a mechanism is called: what it releases is out then."""
        node = self.program.flow.nodes[state.node]
        if not isinstance(node, CallNode):
            self.finished.append(state)
            return
        self.called.append(node.step)
        if node.step.targets is None:
            self.outputs.append((span, TRUE, TRUE))

    def holds(self, obligation: Obligation) -> bool:
        """Where numbers do not tell which way a run takes, it takes both."""
        return False

    def owe(
        self, state: State, claim: Formula, condition: Condition, detail: str, span: Span
    ) -> None:
        """Write down what must hold."""
        if state.decide(claim) is not True:
            self.owed.append((claim, Reason(condition, detail, span)))
            state.assume(claim)

    def state_claim(self, state: State, claim: Formula, detail: str, span: Span) -> None:
        """Write down what is said of one run."""
        self.owed.append((claim, Reason("one-sided claim", detail, span)))

    def release(self, state: State, left: Value, right: Value, span: Span) -> None:
        """As ever."""
        super().release(state, left, right, span)
        self.outputs.append((span, left, right))

    def scalar(self, name: str) -> Pair:
        """The two numbers."""
        return self.inputs.scalar(name)

    def cell(self, array: str, index: Linear) -> Pair:
        """The two numbers; both runs have to read the same element."""
        if not index.is_constant:
            read = Substitution(self.expected).linear(index)
            reason = Reason("same samples", "both runs read the same element", NOWHERE)
            self.owed.append((equal(index, read), reason))
            index = read
        return self.inputs.cell(array, index)

    def counted(self, data: str, test: Formula) -> Pair:
        """The two counts; what is asked of records, like an index, is the same in both runs."""
        try:
            return self.inputs.counted(data, Substitution(self.expected).formula(test))
        except DivisionByZero:
            reason = Reason("definedness and end", "the divisor is not zero", NOWHERE)
            self.owed.append((FALSE, reason))
            return Pair(number(0), number(0))

    def stored(self, state: State, array: str, left: Value, right: Value, span: Span) -> None:
        """Something is put into a list; what it means that it is the same is written down."""
        self.alikeness.setdefault(array, []).append(same_value(left, right))

    def length(self, array: str) -> Linear:
        """The number of elements."""
        return self.inputs.length(array)

    def draw(self, state: State, node: SampleNode, law: Distribution) -> Num | Formula:
        """A number, or a bit."""
        target, shift = node.step.target, self.shifts[node.site]
        self.laws.append(law)
        drawn = self.inputs.draw(target, node.site, law, lambda: self._ties(state, target, shift))
        if isinstance(shift, Gaps):
            drawn = self.inputs.apart()
        assert isinstance(drawn, Num | Formula)
        return drawn

    def _ties(self, state: State, target: str, shift: Expression) -> Iterator[Fraction]:
        """The values of a sample at which a comparison of its shift is just decided."""
        unknown = Symbol(f"{target}?")
        before = state.left.get(target)
        state.left[target] = Num(term(unknown), "float")
        sides = Side(self, state, "left"), Side(self, state, "right")
        while isinstance(shift, Conditional):
            test = Evaluator(*sides).condition(shift.test)
            if isinstance(test, Sign):
                factor = dict(test.subject.parts).get(unknown)
                if factor is not None and len(test.subject.parts) == 1:
                    yield -Fraction(test.subject.constant) / factor
            shift = shift.no
        state.left.pop(target)
        if before is not None:
            state.left[target] = before

    def outcomes(self, ways: Sequence[Way]) -> Iterable[tuple[Output, WayKind]]:
        """One that a run on D comes to."""
        found = [one for way in ways for one in values_of(way)]
        if not found:
            return
        outputs, weights = zip(*found, strict=True)
        output, kind = outputs[self.inputs.chosen(weights)]
        yield output, kind

    def pay_for_sum(self, state: State, own: Linear, other: Linear, span: Span) -> None:
        """Charge the logarithm of the ratio."""
        if not (is_plain(own) and is_plain(other)):
            raise LimitReached("rate", "a probability that is no number")
        here, there = (float(enclosed(p).mid()) for p in (own, other))
        if not (here > 0 and there > 0):
            reason = Reason("cost", "what comes out on D can come out on D'", span)
            self.owed.append((FALSE, reason))
            return
        if own == other:
            return
        # Rounded down: where costs come to just the budget, it is for the proof to say so.
        cost = Fraction(math.log(here / there)) - ROUNDED
        state.charge(number(1), number(cost.limit_denominator(FINE)))

    def moved_for_gaps(self) -> Linear:
        """As the run before this one showed that it has to be."""
        return number(0 if self.gaps is None else self.gaps.moved(len(self.shifted)))

    def answer(self, name: str, kind: Kind) -> Num | Formula:
        """Something of the kind."""
        found = self.inputs.result(name, kind)
        assert isinstance(found, Num | Formula)
        self.answered.append(found)
        return found

    def foretold(self, k: int) -> Linear:
        """As the run before this one came to it."""
        return self.inputs.outcome(k)

    def outcome(self, value: Linear, ahead: int) -> Linear:
        """The same."""
        if value.is_constant:
            self.history.append(int(value.constant))
        return self.inputs.outcome(len(self.history) + ahead - 1)

    def is_picked(self, index: Linear) -> Formula:
        """Whether the run before this one picked it."""
        return truth(index.is_constant and index.constant in self.inputs.picked)

    def unchanged(self, name: str) -> bool:
        """Whether it is the same here."""
        return self.inputs.unchanged(name)

    def move_of(self, name: str) -> Move | None:
        """Examples are neighbours; that they are the callee's neighbours is for the proof."""
        return None

    @property
    def rule(self) -> Rule | None:
        """The relation of the user's own, if there is one."""
        return self.program.cases[0].rule


class _RecordedWalk(MergingWalk):
    """The walk through loops and past ``argmax``, where D tells the way."""

    run: RecordedRun

    def steps_from(self, state: State) -> list[State]:
        """There are no ways to tell apart before a step."""
        self.run.comes_to(state, self.run.program.flow.nodes[state.node])
        block = self.run.blocks.at(state.node)
        if block is not None:
            return list(summed(self.run, state, block))
        return list(self.step(state))

    def step(self, state: State) -> Iterable[State]:
        """One step of both runs."""
        node = self.run.program.flow.nodes[state.node]
        match node:
            case HeadNode():
                state.fresh_start = True
                left, right = dict(state.left), dict(state.right)
                self.run.arrived.append(State(state.node, left, right, costs=dict(state.costs)))
                if not node.counted:
                    self.run.heads.append(len(self.run.shifted))
            case ListNode(step=Pick() as pick, after=after):
                self._pick(state, pick)
                state.node = after
                return (state,)
            case ListNode(step=Store(array=array, index=index)) if (
                self.run.gaps is not None and self.run.gaps.is_of(array)
            ):
                end = Side(self.run, state, "left").length(array)
                place = end if index is None else self.run.integers(state, index)[0]
                self.run.gaps.stored(len(self.run.shifted) - 1, place)
        found = list(super().step(state))
        if found and isinstance(node, SampleNode):
            self.run.shifted.append(state.right[node.step.target])
        return found

    def _pick(self, state: State, pick: Pick) -> None:
        """The indices of the largest elements on D; on D' they must be the largest, too."""
        run, target = self.run, pick.target
        length = Side(run, state, "left").length(pick.array)
        count = how_many(run, state, pick, length)
        pairs = [number_at(run, state, pick, number(i)) for i in range(int(length.constant))]
        order = sorted(range(len(pairs)), key=lambda i: (-pairs[i][0].constant, i))
        best = order[: int(count.constant)]
        if run.gaps is not None and run.gaps.is_of(pick.array) and pick.count is not None:
            self._picked(state, target, run.gaps.pick(run, state, pick, pairs, best))
            run.picks = tuple(best[:-1])
            return
        detail = "both runs pick the same index"
        if len(best) > 1:
            detail = "both runs pick the same indices, in the same order"
        # Each comes before the next one, and the last before all others.
        rest = ((i, j) for i in best[-1:] for j in range(len(pairs)) if j not in best)
        for i, j in (*itertools.pairwise(best), *rest):
            first, second = pairs[i][1], pairs[j][1]
            claim = at_least(first, second) if i < j else above(first, second)
            run.owe(state, claim, "prophecy", detail, pick.span)
        if pick.count is None:
            found = number(best[0] if best else 0)
            fulfil(run, state, found)
            state.put(target, Num(found, "int"))
            return
        run.picks = tuple(best)
        self._picked(state, target, [(i, i) for i in best])

    def _picked(self, state: State, target: str, found: Sequence[tuple[int, int]]) -> None:
        state.forget(f"{target}#")
        state.put(length_name(target), Num(number(len(found)), "int"))
        for place, (i, j) in ((FILL, (0, 0)), *((number(k), ij) for k, ij in enumerate(found))):
            state.put(element_name(target, place), Num(number(i), "int"), Num(number(j), "int"))
