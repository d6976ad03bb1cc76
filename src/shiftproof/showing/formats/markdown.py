"""Markdown, for a step's summary or a comment: a table, and below it what is to be looked at."""

from __future__ import annotations

import re

from .record import Answers, Finding, Record, cleaned

_SIGNS = {"error": "❌", "warning": "⚠️"}
#: What would be read as Markdown or HTML, or end a cell of a table.
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#|~!&@$])")


def render(answers: Answers, printed: bool = False) -> str:
    """The answers as a table; witnesses and reasons below it."""
    columns = [name for name in answers.columns if name != "time"]  # it differs every time
    says = "claim" if answers.subject == "mechanism" else "states"
    head = [answers.subject, *columns, says]
    lines = [f"## shiftproof {answers.command}", "", _row(head), _row(["---"] * len(head))]
    for record in answers.records:
        cells = [_plain(record.columns[name]) for name in columns]
        cells[0] = f"{_sign(record)} {cells[0]}"
        lines.append(_row([_plain(record.name), *cells, _plain(record.details.get(says, "–"))]))
    for record in answers.records:
        for finding in record.findings:
            lines += ["", *_section(finding)]
    lines += ["", f"{_plain(answers.summary)}.", "", f"_{answers.closing}_"]
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _sign(record: Record) -> str:
    levels = [finding.rule.level for finding in record.unexpected]
    return _SIGNS[min(levels)] if levels else "✅"  # "error" comes before "warning"


def _section(finding: Finding) -> list[str]:
    expected = " (as expected)" if finding.expected else ""
    lines = [f"### {_plain(finding.headline)}{expected}", "", _code(str(finding.place))]
    text = "\n".join(finding.lines)
    if not text:
        return lines
    fence = "`" * max(3, 1 + _longest_run_of_ticks(text))
    return [*lines, "", f"{fence}text", *text.splitlines(), fence]


def _code(text: str) -> str:
    """A short text as code, whatever ticks it holds."""
    text = cleaned(text).replace("\n", " ")
    ticks = "`" * (1 + _longest_run_of_ticks(text))
    pad = " " if "`" in text else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _longest_run_of_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _plain(text: str) -> str:
    """A text on one line that means nothing but itself."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
