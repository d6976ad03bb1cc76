"""What the language's own evaluation makes of a pair of inputs and an alignment: one run each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ...alignments.alignment import Reason
from ...alignments.examples import Example
from ...alignments.inputs import RandomInputs, Ties
from ...alignments.paired import PairedRun
from ...alignments.paths import Path
from ...alignments.prophecy import foreseen
from ...dsl.errors import LimitReached
from ...dsl.language.calls import Call
from ...dsl.language.flow import CallNode, HeadNode
from ...dsl.language.syntax import Expression, Span
from ...dsl.noise import Distribution
from ...dsl.relations.program import Program
from ...dsl.terms.enclosures import is_plain, rational_ends
from ...dsl.terms.formulas import FALSE, Formula
from ...dsl.terms.linear import Linear
from ...dsl.terms.values import Kind, Mark, Num, Value, as_python

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


@dataclass(slots=True)
class _Watching:
    """Sees where a run ends, and which obligations are false."""

    program: Program
    ends: list[Path] = field(default_factory=list)
    broken: str = ""

    def owed(self, path: Path, claim: Formula, reason: Reason) -> None:
        if claim == FALSE and not self.broken:
            self.broken = f"{self.program.location(reason.span)}: '{reason.condition}' is broken"

    def at_head(self, path: Path) -> None:
        """Recordings are not cut."""

    def at_end(self, path: Path, span: Span) -> None:
        self.ends.append(path)

    def at_call(self, path: Path, span: Span) -> None:
        """The cost of calls is seen at the end."""

    def feasible(self, path: Path, formula: Formula) -> bool:
        return True


class _Followed(PairedRun):
    """A paired run that can be looked at where it was broken off."""

    here: Path
    heads: list[int]
    called: list[Call]

    def _steps_from(self, path: Path) -> Any:
        self.here = path
        node = self.program.flow.nodes[path.node]
        if isinstance(node, CallNode):
            self.called.append(node.step)
        if isinstance(node, HeadNode) and not node.counted:
            self.heads.append(len(path.shifted))
        return super()._steps_from(path)


def recorded(
    program: Program, example: Example, shifts: Mapping[int, Expression], seed: int
) -> Recorded | None:
    """One run, with noise by the seed; ``None`` where it is not of plain numbers.

    Raises:
        Unsupported: a construct has no meaning in a paired run.
    """
    noise = _Noise(program, example, seed)
    ahead, asks = foreseen(list(shifts.values()))
    if ahead or asks:
        first = _Followed(program, noise, shifts, _Watching(program), cut=False, split=False)
        path = _explored(first, noise)
        if path is None:
            return None
        noise.foretell(path.history, path.picked)
    watching = _Watching(program)
    run = _Followed(program, noise, shifts, watching, cut=False, split=False, steps=STEPS)
    path = _explored(run, noise)
    if path is None:
        return None
    try:
        return Recorded(
            draws=noise.draws[: len(path.shifted)],
            moved=list(map(python_of, path.shifted)),
            laws=noise.laws[: len(path.shifted)],
            released=[python_of(left) for _, left, _ in path.outputs],
            ended=bool(watching.ends),
            heads=run.heads,
            calls=_calls(run.called, iter(noise.given)),
            broken=watching.broken,
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


def _explored(run: _Followed, noise: _Noise) -> Path | None:
    """Where a run ends or is broken off; ``None`` if its numbers do not tell its way."""
    noise.laws, noise.given, run.heads, run.called = [], [], [], []
    start = run.here = Path(run.program.flow.start)
    try:
        run.explore(start)
    except LimitReached:
        return run.here
    except NotPlain:
        return None
    watching = run.observer
    assert isinstance(watching, _Watching)
    if watching.broken and not watching.ends:
        return run.here  # it does not go on from there
    return watching.ends[0] if len(watching.ends) == 1 else None


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
