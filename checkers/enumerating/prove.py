"""Proofs by counting: all runs on all inputs, for all sizes up to a bound.

For programs whose draws are finite and whose private inputs take finitely many values once the
sizes are fixed.  Every probability is an exact function of the real public parameters, and the
inequality of the claim is decided for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...dsl.errors import ShiftproofError
from ...dsl.program import Program
from ..kernel.enumeration_table import EnumeratedSizes, EnumerationPart
from .comparing import Broken
from .deciding import finest
from .meaning import Failure
from .ratios import Declined
from .setting import Setting
from .sizes import Range, choices, covers_all, ranges_of, rounds
from .starts import instance_of
from .text import ratio_text
from .walk import Effort, Exhausted

if TYPE_CHECKING:
    from ..refuting.inputs import Instance

Outcome = Literal["proved", "bounded", "open", "declined"]


@dataclass(frozen=True)
class Enumerated:
    """What came of counting.

    Attributes:
        outcome: ``proved`` for all sizes, ``bounded``: up to ``sizes``, ``open``: a comparison
            fails or is not decided, or a run may raise, ``declined``: the method does not apply.
        sizes: up to which sizes, in words; empty if there are no others.
        reasons: why it is not proved.
        part: the proof.
        starts: where to look for a counterexample first.
    """

    outcome: Outcome
    sizes: str = ""
    reasons: tuple[str, ...] = ()
    part: EnumerationPart | None = None
    starts: tuple[Instance, ...] = ()


def enumerated(program: Program) -> Enumerated:
    """Prove a program's privacy claim by counting, as far as that goes."""
    program = program.inlined
    try:
        ranges = ranges_of(program)
        if program.privacy.functions:
            program.check_frozen()
    except (Declined, ShiftproofError) as error:
        return Enumerated("declined", reasons=(str(error),))
    found: list[EnumeratedSizes] = []
    effort = Effort()
    known: dict[tuple[tuple[str, int], ...], int] = {}
    done: int | None = None
    why = ""
    for largest in rounds(ranges):
        here: list[EnumeratedSizes] = []
        for sizes in choices(ranges, largest):
            try:
                setting, checked = finest(program, sizes, known, effort)
            except Failure as failure:
                where = program.location(failure.span)
                reason = f"{where}: {failure.reason}{_at(sizes)}"
                return Enumerated("open", reasons=(reason,))
            except (Declined, Exhausted) as error:
                why = f"{error}{_at(sizes)}"
                break
            known = setting.frame.exponents
            if isinstance(checked, Broken):
                return _broken(setting, checked)
            if checked is not None:
                here.append(checked)
        if why:
            break
        found += here
        done = largest
        if covers_all(ranges, largest):
            break
    return _summed_up(ranges, found, done, why)


def _summed_up(
    ranges: dict[str, Range], found: Sequence[EnumeratedSizes], done: int | None, why: str
) -> Enumerated:
    if done is None:
        return Enumerated("declined", reasons=(why or "no sizes are small enough to count",))
    if not any(setting.pairs and setting.comparisons for setting in found):
        reason = why or "no two inputs are neighbours, so there is nothing to compare"
        return Enumerated("declined", reasons=(reason,))
    complete = covers_all(ranges, done)
    if not complete and done < 1:
        return Enumerated("declined", reasons=(f"only size 0 was counted: {why}",))
    part = EnumerationPart(done, complete, tuple(found))
    if complete:
        return Enumerated("proved", part=part)
    names = [n for n, r in ranges.items() if r.high is None or r.high > done]
    sizes = f"{', '.join(names)} up to {done}"
    reasons = (f"larger sizes were not counted: {why}",) if why else ()
    return Enumerated("bounded", sizes, reasons, part)


def _broken(setting: Setting, broken: Broken) -> Enumerated:
    names = [n for n, k in setting.program.inputs.items() if not k.public]
    left, right = (
        ", ".join(f"{n} = {v}" for n, v in zip(names, side, strict=True))
        for side in (broken.left, broken.right)
    )
    one, two = (ratio_text(p, setting.frame) for p in (broken.one, broken.two))
    why = broken.why or "not within the budget for all parameters, as far as was decided"
    reason = (
        f"{left} gives {broken.outcome} with probability {one}, {right} with {two}: {why}"
        f"{_at(setting.sizes)}"
    )
    start = instance_of(setting, broken)
    return Enumerated("open", reasons=(reason,), starts=() if start is None else (start,))


def _at(sizes: object) -> str:
    shown = ", ".join(f"{n} = {v}" for n, v in sizes.items()) if isinstance(sizes, dict) else ""
    return f" (at {shown})" if shown else ""
