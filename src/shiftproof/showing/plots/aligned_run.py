"""One run on D with chosen noise, and beside it the aligned run on D'."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...alignments.examples import Example
from ...alignments.inputs import RandomInputs, Ties
from ...checkers.proving.recorded import RecordedRun
from ...checkers.proving.recordings import budget_on
from ...checkers.walking.runs.run import Side
from ...checkers.walking.runs.state import State
from ...dsl.errors import BadInput, LimitReached
from ...dsl.language.evaluate import Evaluator
from ...dsl.language.flow import Node, SampleNode
from ...dsl.language.syntax import Expression, Gaps
from ...dsl.noise import Distribution
from ...dsl.relations.program import Program
from ...dsl.terms.enclosures import enclosed
from ...dsl.terms.formulas import FALSE, TRUE
from ...dsl.terms.linear import DivisionByZero
from ...dsl.terms.values import Value, as_python, from_python
from .densities import Draw, draw_of, log_density, numeric, possible

#: How many steps a run may take.
_STEPS = 10_000
#: What a run draws, by lattice.
_AS_DRAWN: Mapping[str, Callable[[Draw], Draw]] = {
    "booleans": bool, "integers": int, "reals": Fraction,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AlignedDraw:
    """One draw of noise, and where it moves.

    Attributes:
        name: the variable that holds it.
        law: its distribution, with numbers.
        value: what was drawn on D; a bit is 0 or 1.
        shift: by how much any other draw in its place would move, all before it being as it was.
    """

    name: str
    law: Distribution
    value: Fraction
    shift: Callable[[Fraction], Fraction]

    @property
    def moved(self) -> Fraction:
        """What the run on D' draws instead."""
        return self.value + self.shift(self.value)

    @property
    def log_ratio(self) -> float:
        """What the move costs in nats: how much likelier the draw is than the moved one."""
        here, there = log_density(self.law, [float(self.value), float(self.moved)])
        return float(here - there)


@dataclass(frozen=True, slots=True)
class AlignedRun:
    """Two runs in step.

    Attributes:
        example: D and D'.
        draws: the noise, in the order in which it is drawn.
        released: what both release.
        budget: what the claim allows this pair, in nats.
        failed: the conditions of an alignment that do not hold on these runs.
        ended: whether the run on D came to its end.
    """

    example: Example
    draws: tuple[AlignedDraw, ...]
    released: tuple[object, ...]
    budget: float
    failed: tuple[str, ...]
    ended: bool

    @property
    def cost(self) -> float:
        """What all moves cost, in nats."""
        return sum(draw.log_ratio for draw in self.draws)


def aligned_run(
    program: Program,
    example: Example,
    shifts: Mapping[int, Expression],
    noise: Sequence[Draw] = (),
    seed: int = 0,
) -> AlignedRun:
    """Run an alignment on one pair of inputs.

    Args:
        program: the program.
        example: the pair.
        shifts: the alignment, by sample site.
        noise: the first draws; further ones are drawn from their laws.
        seed: of these.

    Raises:
        BadInput: there is more noise than is drawn, or not in the support.
        LimitReached: the run is too long.
    """
    inputs = _Chosen(program, example, noise, seed)
    run = _Watched(program, inputs, shifts, steps=_STEPS)
    run.explore()
    if run.looks_ahead and run.finished:
        run.explore(again=True)
    if len(noise) > len(inputs.laws):
        raise BadInput(f"noise: got {len(noise)} draws; this run has {len(inputs.laws)}")
    draws = tuple(
        AlignedDraw(node.step.target, law, Fraction(value), run.shift_at(k, node, state))
        for k, ((node, state), law, value) in enumerate(
            zip(run.before, inputs.laws, inputs.draws, strict=False)
        )
    )
    try:
        budget = float(enclosed(budget_on(program, program.budget, example)).mid())
    except DivisionByZero:
        raise BadInput(f"{program.name}: the claim divides by zero at these inputs") from None
    ended = bool(run.finished)
    released = tuple(as_python(left) for _, left, _ in run.outputs) if ended else ()
    failed = tuple(f"{r.condition}: {r.detail}" for claim, r in run.owed if claim == FALSE)
    return AlignedRun(example, draws, released, budget, failed, ended)


class _Chosen(RandomInputs):
    """An example with chosen noise; what is not chosen is drawn from its law."""

    def __init__(
        self, program: Program, example: Example, noise: Iterable[Draw], seed: int
    ) -> None:
        super().__init__(program, example, seed)
        self._noise = list(noise)
        self._chance = random.Random(seed)
        self.laws: list[Distribution] = []

    def foretell(self, history: Sequence[int], picked: Iterable[int]) -> None:
        """Run again on the same noise."""
        self._noise, self.laws = list(self.draws), []
        super().foretell(history, picked)

    def draw(self, target: str, site: int, distribution: Distribution, ties: Ties) -> Value:
        """The next one of the noise.

        Raises:
            BadInput: it is not in the support.
        """
        law, k = numeric(distribution), len(self.draws)
        value = self._noise[k] if k < len(self._noise) else draw_of(law, self._chance)
        if not possible(law, value):
            raise BadInput(f"noise: draw {k + 1} is {value}, which {target} = {law} never is")
        self.draws.append(_AS_DRAWN[law.lattice](value))
        self.laws.append(law)
        return from_python(self.draws[-1])

    def apart(self) -> Value:
        """As it was chosen."""
        return from_python(self.draws[-1])


class _Watched(RecordedRun):
    """A run that remembers how it stood before each draw."""

    before: list[tuple[SampleNode, State]]

    def explore(self, unknowns: Sequence[str] = (), *, again: bool = False) -> None:
        """As ever."""
        self.before = []
        super().explore(unknowns, again=again)

    def comes_to(self, state: State, node: Node) -> None:
        """Remember it."""
        if isinstance(node, SampleNode):
            self.before.append((node, state.copy()))

    def shift_at(self, draw: int, node: SampleNode, state: State) -> Callable[[Fraction], Fraction]:
        """The shift of a sample, by what is drawn, where everything before it is given."""
        law, target = node.step.distribution, node.step.target
        gaps = self.gaps
        if gaps is not None and isinstance(self.shifts[node.site], Gaps):
            return lambda _: gaps.moved(draw)

        def shift(value: Fraction) -> Fraction:
            state.left[target] = from_python(_AS_DRAWN[law.lattice](value))
            evaluator = Evaluator(Side(self, state, "left"), Side(self, state, "right"))
            if law.lattice == "booleans":
                flipped = evaluator.condition(self.shifts[node.site]) == TRUE
                return 1 - 2 * value if flipped else Fraction(0)
            moved = evaluator.number(self.shifts[node.site]).term
            if not moved.is_constant:
                raise LimitReached("shift", f"the shift {moved} is no rational number")
            return Fraction(moved.constant)

        return shift
