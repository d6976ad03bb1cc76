"""Workflow commands of GitHub Actions: an annotation for each finding, and a line of summary."""

from __future__ import annotations

from ..account import Answers, Finding
from ..printable import cleaned


def render(answers: Answers, printed: bool = False) -> str:
    """The findings as annotations; what is as expected has none."""
    lines = [_command(finding) for account in answers.accounts for finding in account.unexpected]
    return "\n".join([*lines, f"shiftproof {answers.command}: {answers.summary}"])


def _command(finding: Finding) -> str:
    place = finding.place
    properties = {"file": cleaned(place.file), "line": str(max(1, place.line))}
    if place.column:
        properties["col"] = str(place.column)
    properties["title"] = f"shiftproof: {finding.rule.title}"
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    text = "\n".join([finding.headline, *finding.lines])
    return f"::{finding.rule.level} {listed}::{_data(text)}"


def _data(text: str) -> str:
    """A text that does not end its command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A text that does not end its property either."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
