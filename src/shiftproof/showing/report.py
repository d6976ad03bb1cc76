"""What reports amount to: an exit status; and what every command needs to print its answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..checkers.verdicts import Report


def json_value(value: Any) -> Any:
    """A value as JSON has it: a fraction as text, since JSON has no exact one."""
    if isinstance(value, tuple | list):
        return [json_value(v) for v in value]
    return str(value) if isinstance(value, Fraction) else value


def exit_status(reports: Sequence[Report]) -> int:
    """3 for anything unsupported or a fault of ours, else 1 for a wrong claim, 2 for an open one.

    A claim is wrong if it was refuted or broken but is expected to hold, or was proved but
    is expected to fall; it is open if it is expected to hold and was not proved for all sizes.
    """
    return max((_status(report) for report in reports), key=(0, 2, 1, 3).index, default=0)


def _status(report: Report) -> int:
    from ..checkers.verdicts import Verdict

    if report.verdict is Verdict.UNSUPPORTED or report.fault:
        return 3
    if report.as_expected:
        return 0
    broken = any(claim.outcome == "broken" for claim in report.one_sided)
    wrong = broken or report.verdict is Verdict.REFUTED or report.holds
    return 1 if wrong else 2


def json_text(value: object, printed: bool = True) -> str:
    """The value as JSON, with only ASCII if it is printed where the output cannot hold more."""
    ascii_only = printed and not prints_unicode()
    return json.dumps(value, indent=2, ensure_ascii=ascii_only, default=str)


def prints_unicode() -> bool:
    """Whether standard output can hold any character."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().startswith("utf")


@contextmanager
def progress(total: int) -> Iterator[Callable[..., None]]:
    """A bar on standard error, told how many are done and which is next; none in a pipe.

    What is ``said`` besides stays above it.
    """
    with _bar(total, "{task.completed}/{task.total}", named=True) as show:
        yield lambda done, name, said="": show(said, completed=done, description=name)


@contextmanager
def rate_shown(total: int) -> Iterator[Callable[[int, float], None]]:
    """A bar on standard error, told how many runs are done after how many seconds.

    It says how many there are in a second and how long it will take; there is none in a pipe.
    """
    with _bar(total, "{task.completed:,}/{task.total:,} runs, {task.fields[rate]}") as show:
        yield lambda done, seconds: show(
            completed=done, rate=f"{done / max(seconds, 1e-9) / 1e6:.1f} M/s"
        )


@contextmanager
def _bar(total: int, text: str, named: bool = False) -> Iterator[Callable[..., None]]:
    """A bar with a text: behind the name of what is done, or before the time that is left."""
    if not sys.stderr.isatty():
        yield lambda *_, **__: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    name, left = [TextColumn("[progress.description]{task.description}")], [TimeRemainingColumn()]
    bar = Progress(
        *(name if named else []), BarColumn(), TextColumn(text), *([] if named else left),
        console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False,
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=total, rate="")

        def show(said: str = "", **state: Any) -> None:
            if said:
                bar.console.print(said, markup=False, highlight=False)
            bar.update(task, **state)

        yield show
