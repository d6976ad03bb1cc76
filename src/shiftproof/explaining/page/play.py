"""What the page lets the reader move: a program in JavaScript, its neighbours and its alignment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ...alignments.examples import Numbers
from ...checkers.kernel.certificate import Certificate
from ...checkers.kernel.check import ONE_SIDED
from ...checkers.kernel.shifts import shift_of
from ...checkers.verdicts import Report
from ...dsl.errors import ShiftproofError
from ...dsl.pairs import allowed
from ...dsl.privacy import UtilityOptimizedLDP
from ...dsl.program import Program
from ...dsl.relations import Case
from ...dsl.rules import rule_of
from ...dsl.syntax import Expression
from ..shifting import shift_texts
from .expressions import expression
from .pairs import Neighbours, failing, free_inputs, neighbours, neighbours_of_any_case
from .programs import budget_function, programs_of
from .terms import quoted

#: For each case of the relation the shifts, site by site.
Shifts = Mapping[str, Sequence[Expression]]


def play_of(report: Report, program: Program) -> str:
    """An object of JavaScript with everything that moves; empty if nothing can be moved."""
    certificate = report.certificate
    summed = isinstance(certificate, Certificate) and _sums(certificate)
    shifts = {} if summed else _shifts(report, program)
    if not (summed or shifts):
        return ""
    cases = [] if summed else [case for case in program.cases if case.name in shifts]
    found = neighbours_of_any_case(program) if summed else neighbours(program, cases)
    if not isinstance(certificate, Certificate):
        found = [*_failing(program, cases, shifts), *found]
    pairs = _pairs(program, found)
    if not pairs:
        return ""
    moved = ",\n".join(
        f"{quoted(name)}: [{', '.join(f'(s, o) => {expression(e)}' for e in found)}]"
        for name, found in shifts.items()
    )
    return (
        "{"
        f'mode: "{"laws" if summed else "runs"}", '
        f"proved: {str(isinstance(certificate, Certificate)).lower()}, "
        f"covers: {_covers(program)},\n"
        f"programs: {programs_of(program, _free(program, certificate))},\n"
        f"shifts: {{{moved}}},\n"
        f"pairs: [{','.join(pairs)}]"
        "}"
    )


def _failing(program: Program, cases: Sequence[Case], shifts: Shifts) -> Iterator[Neighbours]:
    """Where the best attempt fails, case by case."""
    for case in cases:
        with suppress(ShiftproofError):
            yield from failing(program, case, dict(enumerate(shifts[case.name])))


def _sums(certificate: Certificate) -> bool:
    return certificate.sums is not None or certificate.enumeration is not None


def _shifts(report: Report, program: Program) -> Shifts:
    """Those of the proof; without one, those of the best attempt."""
    certificate = report.certificate
    try:
        if isinstance(certificate, Certificate):
            parts = [part for part in certificate.parts if part.case != ONE_SIDED]
            return {p.case: tuple(map(shift_of, shift_texts(program, p))) for p in parts}
        if len(report.alignment) == len(program.flow.sites) and report.alignment:
            tried = tuple(map(shift_of, report.alignment.values()))
            return {case.name: tried for case in program.cases}
    except ShiftproofError:
        pass  # a shift that only the source can say
    return {}


def _free(program: Program, certificate: object) -> list[str]:
    """The inputs that may be changed: beyond a bounded proof's sizes nothing is claimed."""
    found = free_inputs(program)
    counted = certificate.enumeration if isinstance(certificate, Certificate) else None
    if counted is None or counted.complete:
        return found
    return [name for name in found if not program.inputs[name].whole]


def _pairs(program: Program, neighbouring: Sequence[Neighbours]) -> list[str]:
    found = []
    for pair in neighbouring:
        try:
            budget = allowed(program.privacy, program.inputs, program.budget, pair.left, pair.right)
        except ShiftproofError:
            continue  # its budget is not told by these values alone
        found.append(_pair(pair, budget_function(budget)))
    return found


def _pair(pair: Neighbours, budget: str) -> str:
    left, right = (_values(side) for side in (pair.left, pair.right))
    noise = ", ".join(str(d).lower() if isinstance(d, bool) else quoted(str(d)) for d in pair.noise)
    return (
        f"\n{{case: {quoted(pair.case)}, left: {left}, right: {right}, budget: {budget}, "
        f"noise: [{noise}]}}"
    )


def _values(side: Mapping[str, Numbers]) -> str:
    return f"new Map([{', '.join(f'[{quoted(n)}, {_value(v)}]' for n, v in side.items())}])"


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    return quoted(str(value))


def _covers(program: Program) -> str:
    """Whether a claim is about an output: under some definitions not about all of them."""
    if not isinstance(program.privacy, UtilityOptimizedLDP):
        return "null"
    rule = rule_of(program.privacy.protected)
    return f"(s, y) => {expression(rule.condition, {rule.parameters[0]: 'y'})}"
