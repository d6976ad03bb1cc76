"""The verdicts of a file as it stands on disk, mechanism by mechanism, and where each stands."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...checkers.verdicts import Report
from ...dsl.errors import BadInput, ShiftproofError, Unsupported
from ...showing.account import Account
from ...showing.answers.reports import of_report
from ...workspace.verifying import Wanted


@dataclass(frozen=True, slots=True)
class Decided:
    """One mechanism with its report; lines count from 1.

    Attributes:
        report: what ``verify`` says of it; its subject is the mechanism.
        account: the same in words.
        head: its first line, that of the decorator.
        body: the line on which its body begins.
        end: its last line.
    """

    report: Report
    account: Account
    head: int
    body: int
    end: int


@dataclass(slots=True)
class Verdicts:
    """What is known of one file.

    Attributes:
        path: the file.
        decided: its mechanisms, as far as they are decided.
        error: why the file cannot be read.
    """

    path: Path
    decided: list[Decided] = field(default_factory=list)
    error: ShiftproofError | None = None

    def at(self, line: int) -> Decided | None:
        """The mechanism that a line belongs to."""
        found = (one for one in self.decided if one.head <= line <= one.end)
        return next(found, None)


def decide(
    path: Path,
    cache: Path,
    show: Callable[[Verdicts], None],
    outdated: Callable[[], bool] = lambda: False,
) -> Verdicts:
    """Verify the mechanisms of a file; those that have not changed are taken from a cache.

    Args:
        path: the file; nothing in it is executed.
        cache: the folder in which verdicts are kept.
        show: is told after each mechanism what is known by then.
        outdated: whether the file has changed since: then the rest is left undone.
    """
    found = Verdicts(path)
    wanted = Wanted((str(path),), cache=cache)
    try:
        text = path.read_text(encoding="utf-8")
        mechanisms = wanted.mechanisms() if "shiftproof" in text else []
    except (BadInput, Unsupported) as error:
        # A file that holds no mechanism is none of ours; an error with a place is.
        found.error = error if error.location is not None else None
        mechanisms, text = [], ""
    except (OSError, UnicodeDecodeError):
        mechanisms, text = [], ""
    show(found)
    places = _places(text)
    for mechanism in mechanisms:
        if outdated():
            break
        report = replace(wanted.report(mechanism), subject=mechanism)
        head, body, end = places.get(report.mechanism, (report.line, report.line, report.line))
        found.decided.append(Decided(report, of_report(report), head, body, end))
        show(found)
    return found


def _places(text: str) -> dict[str, tuple[int, int, int]]:
    """The first line, that of the body, and the last one of each function of a file."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    return {
        node.name: (
            min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]),
            node.body[0].lineno,
            node.end_lineno or node.lineno,
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
