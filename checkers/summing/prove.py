"""``summed``: the proof of a program's privacy by summing the probabilities of its outcomes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from ...dsl.errors import BadInput, LimitReached, ShiftproofError, Unsupported
from ...dsl.inputs import EpsilonInput
from ...dsl.privacy import UtilityOptimizedLDP
from ...dsl.program import Program
from ...dsl.smt import one_context
from ..kernel.sums_claims import Goal, goals_of, public_facts, range_facts
from ..kernel.sums_paths import Runs
from ..kernel.sums_rows import said, terms_of
from ..kernel.sums_table import SumsCase, SumsPart
from .cells import Trial, Tried
from .deciding import RESOURCES, Linearly
from .wording import written

#: The most pairs of inputs to start a search for a counterexample from.
MOST_STARTS = 8
#: The most ways in which a run may come to its outcomes.
MOST_ROWS = 120

#: The inputs of D and of D', by name; ε is in nats.
Start = tuple[Mapping[str, Fraction | int], Mapping[str, Fraction | int]]


@dataclass(frozen=True, slots=True)
class Summed:
    """What came of a summation.

    Attributes:
        outcome: ``proved``; ``open`` if it is not, which refutes nothing; ``declined`` if the
            program is none whose probabilities are summed.
        reasons: why it is not proved.
        table: the proof, for the certificate.
        starts: pairs of inputs where the claim may be wrong.
    """

    outcome: Literal["proved", "open", "declined"]
    reasons: tuple[str, ...] = ()
    table: SumsPart | None = None
    starts: tuple[Start, ...] = ()


def summed(program: Program, resources: int = RESOURCES) -> Summed:
    """Sum the probabilities of a program's outcomes, and compare them for all neighbours.

    Args:
        program: the mechanism, with finite noise and scalar inputs.
        resources: of Z3, for each of its questions.
    """
    try:
        with one_context():
            return _summed(program, resources)
    except (BadInput, LimitReached, Unsupported) as error:
        return Summed("declined", (str(error),))
    except RecursionError:
        return Summed("declined", ("an expression or a path that is too long for a sum",))
    except ShiftproofError as error:  # a product or quotient that has no form
        return Summed("declined", (f"a sum cannot be written down: {error}",))


def _summed(program: Program, resources: int) -> Summed:
    linear = Linearly(resources)
    known = (*public_facts(program), *range_facts(program))
    goals = goals_of(program)

    runs = Runs(program)
    # Where more is claimed of an outcome than a bound, those that may be one number must be one.
    written_apart = not isinstance(program.privacy, UtilityOptimizedLDP)
    derived = terms_of(runs.all(), written_apart)
    rows = [row for row in derived if linear.possible([*known, *row.when])]
    if len(rows) > MOST_ROWS:
        raise LimitReached("rows", f"{len(rows)} ways to the outcomes; at most {MOST_ROWS}")
    cases: list[SumsCase] = []
    reasons: list[str] = []
    starts: list[Start] = []
    empty = 0
    for goal in goals:
        found = Trial(program, goal, rows, linear, resources).tried(runs.duties)
        empty += found.empty
        cases.append(SumsCase(goal.name, goal.relation, tuple(found.cells)))
        reasons += found.reasons
        starts += [s for s in _starts(program, goal, found) if s not in starts]
    if empty == len(goals):
        reasons.append("no two inputs meet the preconditions and the relation")
    if reasons:
        return Summed("open", tuple(dict.fromkeys(reasons)), None, tuple(starts[:MOST_STARTS]))
    table = SumsPart(written(rows), tuple(cases))
    for row, text in zip(rows, table.rows, strict=True):
        if said(program, text).key != row.key:
            return Summed("open", (f"a row of the sum has no text: {text.probability}",))
    return Summed("proved", (), table)


def _starts(program: Program, goal: Goal, found: Tried) -> Iterator[Start]:
    """The points of a trial as inputs, as far as they are some."""
    for point in found.points:
        left: dict[str, Fraction | int] = {}
        right: dict[str, Fraction | int] = {}
        for name, kind in program.inputs.items():
            if kind.array:
                left[name] = right[name] = ()  # type: ignore[assignment]
                continue
            there = name if kind.public else f"other({name})"
            for side, key in ((left, name), (right, there)):
                value = point.get(key)
                if isinstance(kind, EpsilonInput):
                    value = _exponent(point, name) or value
                value = (
                    Fraction(1 if isinstance(kind, EpsilonInput) else 0) if value is None else value
                )
                side[name] = int(value) if kind.whole else value
        try:
            program.check_preconditions(left)
            program.check_preconditions(right)
        except (ShiftproofError, ArithmeticError):
            continue
        yield left, right


def _exponent(point: Mapping[str, Fraction], name: str) -> Fraction | None:
    """ε as a short fraction, from the value of its exponential."""
    value = point.get(f"exp({name})")
    if value is None or value <= 1 or value > 10**100:
        return None
    return Fraction(math.log(value)).limit_denominator(64) or None
