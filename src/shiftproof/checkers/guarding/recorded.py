"""What the language's own evaluation makes of a pair of inputs and an alignment: one run each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...alignments.alignment import Reason
from ...alignments.examples import Example
from ...alignments.inputs import RandomInputs
from ...dsl.errors import LimitReached
from ...dsl.language.calls import Call
from ...dsl.language.syntax import Expression
from ...dsl.noise import Distribution
from ...dsl.relations.program import Program
from ...dsl.terms.enclosures import is_plain, rational_ends
from ...dsl.terms.formulas import FALSE, Formula
from ...dsl.terms.linear import Linear
from ...dsl.terms.values import Mark, Num, Value, as_python
from ..proving.recorded import GivenUp, RecordedRun

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


def recorded(
    program: Program, example: Example, shifts: Mapping[int, Expression], seed: int
) -> Recorded | None:
    """One run, with noise by the seed; ``None`` where it is not of plain numbers.

    Raises:
        Unsupported: a construct has no meaning in a paired run.
    """
    noise = RandomInputs(program, example, seed)
    run = RecordedRun(program, noise, shifts, steps=STEPS)
    if not _explored(run) or (run.looks_ahead and not _explored(run, again=True)):
        return None
    drawn, broken = len(run.shifted), _broken(run)
    try:
        given = iter([python_of(value) for value in run.answered])
        return Recorded(
            draws=noise.draws[:drawn],
            moved=list(map(python_of, run.shifted)),
            laws=[*map(_as_law, run.laws)][:drawn],
            released=[python_of(left) for _, left, _ in run.outputs],
            ended=bool(run.finished),
            heads=run.heads,
            calls=[_returned(step, given) for step in run.called],
            broken=""
            if broken is None
            else f"{program.location(broken.span)}: '{broken.condition}' is broken",
        )
    except NotPlain:
        return None


def _explored(run: RecordedRun, *, again: bool = False) -> bool:
    """Whether a run ends, breaks or is broken off; if not, its numbers do not tell its way."""
    try:
        run.explore(again=again)
    except GivenUp:
        return False
    except LimitReached:
        return True
    return len(run.finished) == 1 or (_broken(run) is not None and not run.finished)


def _broken(run: RecordedRun) -> Reason | None:
    """What is false in a run, if anything is."""
    return next((reason for claim, reason in run.owed if claim == FALSE), None)


def _as_law(law: Distribution) -> Law:
    return type(law).__name__, tuple(plain(law.term(k)) for k in range(len(law.values)))


def _returned(call: Call, given: Iterator[Any]) -> list[Any] | None:
    """What a call returned: constants as they are declared, the rest as it was made up."""
    if call.targets is None:
        return None
    return [k.value if isinstance(k, Mark) else next(given, None) for k in call.callee.results]


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
