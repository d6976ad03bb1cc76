"""What an editor shows of verdicts: squiggles with their reasons, and what a line is about."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from lsprotocol import types

from ...checkers.verdicts import Report, Verdict
from ...dsl.errors import ShiftproofError
from ...dsl.language.statements import Sample
from ...dsl.language.unparse import unparse
from ...dsl.relations.program import Program
from ...showing.account import Finding, Level, Place
from ...showing.codes import code_of
from ...showing.printable import places_of
from .verdicts import Decided, Verdicts

SOURCE = "shiftproof"
_SEVERITIES = {
    Level.ERROR: types.DiagnosticSeverity.Error,
    Level.WARNING: types.DiagnosticSeverity.Warning,
    Level.NOTE: types.DiagnosticSeverity.Information,
}
#: What is owed of each draw that an alignment moves; the words of docs/theory.md.
_OWED = "same samples, preconditions and positivity, support, measure, cost"


def diagnostics(verdicts: Verdicts, lines: Sequence[str]) -> list[types.Diagnostic]:
    """A squiggle for each finding, where it is to be seen in the file.

    Args:
        verdicts: what is known of the file.
        lines: its text.
    """
    found = [] if verdicts.error is None else list(_unread(verdicts, verdicts.error, lines))
    for one in verdicts.decided:
        reasons = one.report.reasons
        for finding in one.account.findings:
            found.append(_diagnostic(finding, reasons, verdicts.path, one, lines))
    return found


def _unread(
    verdicts: Verdicts, error: ShiftproofError, lines: Sequence[str]
) -> Iterator[types.Diagnostic]:
    """Why the file is not read, if that is in the file itself."""
    for place in places_of((str(error),)):
        if _is(verdicts.path, place):
            yield types.Diagnostic(
                _range(place, lines),
                str(error),
                types.DiagnosticSeverity.Error,
                code=code_of(str(error)) or "unsupported",
                source=SOURCE,
            )


def _diagnostic(
    finding: Finding, reasons: Sequence[str], path: Path, one: Decided, lines: Sequence[str]
) -> types.Diagnostic:
    places = (finding.place, *finding.related)
    own = Place(str(path), one.head)
    here = next((place for place in places if _is(path, place)), own)
    codes = [code for code in map(code_of, reasons) if code]
    return types.Diagnostic(
        _range(here, lines),
        "\n".join((finding.headline, *finding.lines)),
        _SEVERITIES[finding.rule.level],
        code=codes[0] if codes and one.report.refutation is None else finding.rule.name,
        source=SOURCE,
        related_information=[
            types.DiagnosticRelatedInformation(_location(place), place.text or finding.headline)
            for place in places
            if place != here and place.line
        ],
        data=one.report.mechanism,
    )


def _is(path: Path, place: Place) -> bool:
    return os.path.abspath(place.file) == os.path.abspath(path)


def _location(place: Place) -> types.Location:
    return types.Location(Path(os.path.abspath(place.file)).as_uri(), _range(place, ()))


def _range(place: Place, lines: Sequence[str]) -> types.Range:
    """From a place to the end of its line; of a line as a whole, what is written in it."""
    row = max(place.line, 1) - 1
    text = lines[row].rstrip() if row < len(lines) else ""
    first = place.column - 1 if place.column else len(text) - len(text.lstrip())
    return types.Range(
        types.Position(row, max(first, 0)), types.Position(row, max(len(text), first + 1))
    )


# What a line is about: a draw, or the claim.


def hover(one: Decided, line: int) -> str:
    """In Markdown: of a draw its law, its shift and what that costs; of the head the claim."""
    report = one.report
    program = program_of(report)
    for k, step in enumerate(steps_of(program)):
        if program is not None and program.location(step.span).line == line:
            return _draw(program, report, step, program.draws[k])
    return _claim(one) if one.head <= line < max(one.body, one.head + 1) else ""


def program_of(report: Report) -> Program | None:
    """The program of a report's mechanism, if it can be read."""
    try:
        return None if report.subject is None else report.subject.program
    except ShiftproofError:
        return None


def steps_of(program: Program | None) -> list[Sample]:
    """The draws of a program, site by site."""
    return [] if program is None else [node.step for node in program.flow.sites]


def _draw(program: Program, report: Report, step: Sample, called: str) -> str:
    law = step.distribution
    arguments = ", ".join(map(unparse, step.arguments))
    amount, rate = law.cost
    lines = [f"`{step.target}` ~ **{law.__name__}**(`{arguments}`)"]
    if amount:
        lines.append(f"a shift by d costs `{amount}` · `{rate}`")
    shift = report.alignment.get(called)
    if shift is not None:
        lines.append(f"{'shift' if report.holds else 'tried'}: `{shift}`")
    if shift is not None and report.holds:
        lines += [f"cost: `{cost}`" for cost in report.cost]
        lines.append(f"proved on every path: {_OWED}")
    return "\n\n".join(lines)


def _claim(one: Decided) -> str:
    report = one.report
    lines = [f"**{report.verdict}**: {report.claim}"]
    if report.preconditions:
        lines.append(f"if `{', '.join(report.preconditions)}`")
    if report.epsilon_upper:
        lines.append(f"proved {report.letter}: `{report.epsilon_upper}`, for {report.sizes} sizes")
    if report.keeps:
        lines.append(f"keeps {report.letter} ≤ `{report.keeps}`, proved")
    if report.verdict is not Verdict.PROVED:
        evidence = "\n".join(one.account.evidence)
        lines.append(f"```text\n{evidence}\n```")
    return "\n\n".join(lines)
