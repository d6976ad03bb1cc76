"""Verdicts again whenever files change, and what is different then."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from ..checkers.verdicts import Report, Verdict
from ..dsl.errors import BadInput

#: Where a reason says that something stands.
_PLACE = re.compile(r"\S+:[0-9]+:[0-9]+: |\n.*", re.DOTALL)
#: What tells one mechanism from another, wherever it moves in its file.
Key = tuple[str, str]


def check_watchable() -> None:
    """Make sure that the package that watches files is installed.

    Raises:
        BadInput: it is not.
    """
    if find_spec("watchfiles") is None:
        raise BadInput("--watch needs watchfiles: pip install 'shiftproof[watch]'")


def changes(targets: Sequence[str], files: Iterable[str]) -> Iterator[None]:
    """One item each time that Python files changed, in folders that are targets or beside files."""
    from watchfiles import PythonFilter, watch

    folders = [Path(target) for target in targets if Path(target).is_dir()]
    places = dict.fromkeys([*folders, *(Path(file).parent for file in files)])
    for _ in watch(*places, watch_filter=PythonFilter(), raise_interrupt=True):
        yield


def by_key(reports: Iterable[Report]) -> dict[Key, Report]:
    """The reports by file and name of their mechanisms."""
    return {(report.file, report.mechanism): report for report in reports}


def different(before: dict[Key, Report], now: dict[Key, Report]) -> tuple[list[Report], list[str]]:
    """The reports that say something new, and a line on each mechanism that is not as it was."""
    changed, lines = list[Report](), list[str]()
    for key, report in now.items():
        old = before.get(key)
        if old is None:
            lines.append(f"{report.mechanism}: {report.verdict}, new")
        elif old.verdict is not report.verdict:
            lines.append(f"{report.mechanism}: {old.verdict} → {report.verdict}")
        elif _said(old) != _said(report):
            lines.append(f"{report.mechanism}: {report.verdict} as before, but not the same")
        else:
            continue
        changed.append(report)
    lines += [f"{name}: gone" for file, name in before.keys() - now.keys()]
    return changed, lines


def _said(report: Report) -> object:
    """What a report says besides the verdict, wherever its mechanism stands."""
    answers = [claim.outcome for claim in report.one_sided]
    reasons = [_PLACE.sub("", reason) for reason in report.reasons]
    if report.verdict is Verdict.REFUTED:
        reasons = []  # the counterexample tells more than why there is no proof
    return report.claim, report.epsilon_upper, report.keeps, reasons, report.preconditions, answers
