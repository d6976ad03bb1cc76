"""Replay: the real Python function on D with recorded noise, and on D' with the aligned noise.

The proof is about the program as read; this is about the function as it runs, in
exact fractions.  It asserts what the alignment promises: the same output, in the
same order and of the same type, every draw used, every shifted draw in its support,
and the cost within the budget.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from ..alignments.alignment import Alignment
from ..alignments.examples import Examples, Numbers, Records
from ..alignments.search import Recording, record
from ..dsl.errors import BadInput
from ..dsl.formulas import FALSE, Formula
from ..dsl.inputs import DataSet
from ..dsl.program import Program
from ..dsl.relations import Case
from ..dsl.runtime import Tape, drawing_from
from ..dsl.values import as_python

if TYPE_CHECKING:
    from ..dsl.mechanism import Mechanism


@dataclass(frozen=True, slots=True)
class Replayed:
    """How many runs were replayed, and the first one that broke a promise, if any."""

    runs: int
    failure: str = ""


def replay(
    mechanism: Mechanism[..., Any],
    case: Case,
    facts: Sequence[Formula],
    alignment: Alignment,
    runs: int,
    seed: int = 7,
) -> Replayed:
    """Replay an alignment on random neighbours and noise.

    Raises:
        BadInput: the mechanism calls another one, whose noise no alignment moves.
    """
    done = 0
    program = mechanism.program
    if program.calls:
        raise BadInput(
            f"{program.name} calls {', '.join(c.name for c in program.calls)}: runs with calls are "
            "not replayed; replay the called mechanisms by themselves",
            mechanism.location,
        )
    for k, example in enumerate(itertools.islice(Examples(program, case, facts, seed), runs)):
        recording = record(program, example, alignment.shifts, (), seed + k)
        if recording is None:
            continue
        failure = _broken_promise(mechanism, program, recording)
        done += 1
        if failure:
            return Replayed(
                done, f"{failure}: D = {dict(example.left)}, D' = {dict(example.right)}"
            )
    return Replayed(done)


def _broken_promise(mechanism: Mechanism[..., Any], program: Program, recording: Recording) -> str:
    for claim, reason in recording.owed:
        if claim == FALSE:
            return f"{reason.condition}: {reason.detail} (line {reason.span.line})"
    if recording.end is None:
        return ""
    shifted = [as_python(v) for v in recording.shifted]
    first = _run(mechanism, program, recording.example.left, recording.draws)
    second = _run(mechanism, program, recording.example.right, shifted)
    if len(first) != len(second) or not all(map(_same, first, second)):
        return f"same output: {first} on D, {second} on D'"
    return ""


def _run(
    mechanism: Mechanism[..., Any],
    program: Program,
    values: Mapping[str, Numbers],
    draws: Sequence[Any],
) -> tuple[Any, ...]:
    """One native run on exact numbers; every draw must be used."""
    tape = Tape(draws)
    with drawing_from(tape):
        outputs = mechanism.run({name: _native(program, name, v) for name, v in values.items()})
    if not tape.used_up:
        return (*outputs, "noise left over")
    return outputs


def _native(program: Program, name: str, value: Numbers) -> Any:
    whole = program.inputs[name].whole
    if isinstance(program.inputs[name], DataSet):
        return tuple(tuple(map(int, record)) for record in cast(Records, value))
    if isinstance(value, tuple):
        return tuple(int(v) if whole else v for v in cast(tuple[Fraction, ...], value))
    return int(value) if whole else value


def _same(left: object, right: object) -> bool:
    if isinstance(left, float) or isinstance(right, float):
        # Dividing two ints gives a float even in an exact run.
        numbers = isinstance(left, float | Fraction) and isinstance(right, float | Fraction)
        return numbers and math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-9)  # type: ignore[arg-type]
    return type(left) is type(right) and left == right
