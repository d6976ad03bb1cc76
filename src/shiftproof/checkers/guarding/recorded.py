"""What the language's own evaluation makes of a pair of inputs and an alignment: one run each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...alignments.examples import Example
from ...alignments.inputs import RandomInputs, Ties
from ...dsl.errors import LimitReached
from ...dsl.language.calls import Call
from ...dsl.language.flow import CallNode, HeadNode, Node
from ...dsl.language.syntax import Expression
from ...dsl.noise import Distribution
from ...dsl.relations.program import Program
from ...dsl.terms.enclosures import is_plain, rational_ends
from ...dsl.terms.formulas import FALSE, Formula
from ...dsl.terms.linear import Linear
from ...dsl.terms.values import Kind, Mark, Num, Value, as_python
from ..proving.recorded import RecordedRun
from ..walking.runs.state import State

#: How many steps a run may take; one that is not at its end then is an endless one.
STEPS = 300

Law = tuple[str, tuple[Fraction, ...]]


@dataclass(slots=True)
class Recorded:
    """A run on D, in step with the aligned one on D'.

    Attributes:
        draws, moved: the noise of both.
        laws: the distributions of the draws.
        released: what is released on D.
        ended: whether the run came to its end.
        heads: after how many draws a loop that may never end begins a round.
        calls: what the mechanisms returned that were called, in turn (``None`` where it was
            released).
        broken: an obligation of the proof that is false here, if there is one.
    """

    draws: list[Any]
    moved: list[Any]
    laws: list[Law]
    released: list[Any]
    ended: bool
    heads: list[int]
    calls: list[list[Any] | None]
    broken: str = ""


class _Noise(RandomInputs):
    """Random noise that remembers the distributions that it comes from, and what calls gave."""

    laws: list[Law]
    given: list[Any]

    def result(self, target: str, kind: Kind) -> Value:
        """As for examples."""
        found = super().result(target, kind)
        self.given.append(python_of(found))
        return found

    def draw(self, target: str, distribution: Distribution, ties: Ties) -> Value:
        """As for examples."""
        values = tuple(plain(distribution.term(k)) for k in range(len(distribution.values)))
        self.laws.append((type(distribution).__name__, values))
        return super().draw(target, distribution, ties)


class _Followed(RecordedRun):
    """A run that remembers where loops begin a round, and what it called."""

    heads: list[int]
    called: list[Call]

    def comes_to(self, state: State, node: Node) -> None:
        """Take note of it."""
        if isinstance(node, CallNode):
            self.called.append(node.step)
        if isinstance(node, HeadNode) and not node.counted:
            self.heads.append(len(self.shifted))

    @property
    def broken(self) -> str:
        """What is false here, if anything is."""
        reason = next((reason for claim, reason in self.owed if claim == FALSE), None)
        if reason is None:
            return ""
        return f"{self.program.location(reason.span)}: '{reason.condition}' is broken"


def recorded(
    program: Program, example: Example, shifts: Mapping[int, Expression], seed: int
) -> Recorded | None:
    """One run, with noise by the seed; ``None`` where it is not of plain numbers.

    Raises:
        Unsupported: a construct has no meaning in a paired run.
    """
    noise = _Noise(program, example, seed)
    run = _Followed(program, noise, shifts, steps=STEPS)
    try:
        if not _explored(run, noise) or (run.looks_ahead and not _explored(run, noise, again=True)):
            return None
        return Recorded(
            draws=noise.draws[: len(run.shifted)],
            moved=list(map(python_of, run.shifted)),
            laws=noise.laws[: len(run.shifted)],
            released=[python_of(left) for _, left, _ in run.outputs],
            ended=bool(run.finished),
            heads=run.heads,
            calls=_calls(run.called, iter(noise.given)),
            broken=run.broken,
        )
    except NotPlain:
        return None


def _calls(steps: list[Call], given: Iterator[Any]) -> list[list[Any] | None]:
    """What each call returned: constants as they are declared, the rest as it was made up."""
    return [
        None
        if step.targets is None
        else [k.value if isinstance(k, Mark) else next(given, None) for k in step.callee.results]
        for step in steps
    ]


def _explored(run: _Followed, noise: _Noise, *, again: bool = False) -> bool:
    """Whether a run ends, breaks or is broken off; if not, its numbers do not tell its way."""
    noise.laws, noise.given, run.heads, run.called = [], [], [], []
    try:
        run.explore(again=again)
    except LimitReached:
        return True
    return len(run.finished) == 1 or (bool(run.broken) and not run.finished)


class NotPlain(Exception):
    """A value is no number."""


def plain(value: Linear) -> Fraction:
    """A term as a number; rounded, where it has powers of e.

    Raises:
        NotPlain: it is none.
    """
    if value.is_constant:
        return Fraction(value.constant)
    if not is_plain(value):
        raise NotPlain
    return sum(rational_ends(value), Fraction(0)) / 2


def python_of(value: Value) -> Any:
    """A value as a Python object.

    Raises:
        NotPlain: it is no plain one.
    """
    if isinstance(value, Num) and not value.term.is_constant:
        return int(plain(value.term)) if value.kind == "int" else plain(value.term)
    if isinstance(value, Num) and value.kind == "either":
        raise NotPlain
    if isinstance(value, Formula) and not hasattr(value, "value"):
        raise NotPlain
    return as_python(value)
