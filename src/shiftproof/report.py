"""Reports for people (a table) and for programs (JSON), and the exit status they amount to."""

from __future__ import annotations

import json
import os
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .checkers.verdicts import OneSided, Report, Verdict

if TYPE_CHECKING:
    from rich.table import Table

#: The width when the output is no terminal and ``COLUMNS`` is not set.
PIPED = 100
#: Below this width lines run over the edge rather than fall into pieces.
NARROWEST = 60
#: The columns after the mechanism's name, and their widths.
COLUMNS = {"verdict": len("unsupported"), "sizes": 7, "proved ε": 10, "time": 7}

#: A verdict's colour by the exit status that it asks for.
COLOURS = {0: "green", 1: "red", 2: "yellow", 3: "red"}


def exit_status(reports: Sequence[Report]) -> int:
    """3 for anything unsupported, else 1 for a wrong claim, else 2 for an open one, else 0.

    A claim is wrong if it was refuted or broken but is expected to hold, or was proved but
    is expected to fall; it is open if it is expected to hold and was not proved for all sizes.
    """
    return max((_status(report) for report in reports), key=(0, 2, 1, 3).index, default=0)


def _status(report: Report) -> int:
    if report.verdict is Verdict.UNSUPPORTED:
        return 3
    if report.as_expected:
        return 0
    broken = any(map(_broken, report.one_sided))
    wrong = broken or report.verdict is Verdict.REFUTED or report.holds
    return 1 if wrong else 2


def json_text(value: object) -> str:
    """The value as JSON, with only ASCII where the output cannot hold more."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    return json.dumps(value, indent=2, ensure_ascii=not encoding.startswith("utf"), default=str)


def table_text(reports: Sequence[Report]) -> str:
    """A table of the verdicts, and below it the reasons, what the verdicts say, and a summary."""
    from rich.console import Console
    from rich.rule import Rule

    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    console = Console(width=PIPED if piped else None)
    console.width = max(console.width, NARROWEST)
    with console.capture() as captured:
        console.print(_row("mechanism", *COLUMNS), Rule(style="none"))
        for report in reports:
            console.print(_result(report), _details(report), "")
    below = [
        _reasons(report, console.width)
        for report in reports
        if report.reasons or any(map(_broken, report.one_sided))
    ]
    table = "\n".join(map(str.rstrip, captured.get().rstrip().splitlines()))
    return "\n".join([table, "", *below, *_summary(reports, console.width)])


def _result(report: Report) -> Table:
    epsilon, seconds = report.epsilon_upper or "–", f"{report.seconds:.2f} s"
    cells = (report.mechanism, str(report.verdict), report.sizes or "–", epsilon, seconds)
    return _row(*cells, style=COLOURS[_status(report)])


def _row(*cells: str, style: str = "") -> Table:
    """One line of short cells; a long one goes on below, nothing is cut off."""
    from rich.table import Table
    from rich.text import Text

    row = Table.grid(padding=(0, 2), expand=True)
    row.add_column(ratio=1, overflow="fold")
    for name, width in COLUMNS.items():
        row.add_column(width=width, overflow="fold", justify="right" if name == "time" else "left")
    first, verdict, *others = cells
    row.add_row(Text(first), Text(verdict, style=style), *map(Text, others))
    return row


def _details(report: Report) -> Table:
    """The long cells, each under the name with a label."""
    from rich.table import Table
    from rich.text import Text

    shifts = [f"{sample}: {shift}" for sample, shift in report.alignment.items()]
    shown = "" if report.refutation is not None else "\n".join(shifts)
    met = "met" if report.as_expected else "not met"
    lines = [
        ("claim", report.claim),
        ("if", ", ".join(report.preconditions)),
        ("given", "\n".join(report.assumptions)),
        ("alignment" if report.epsilon_upper else "tried", shown),
        ("one-sided", "\n".join(f"{c.outcome}: {c.claim}" for c in report.one_sided)),
        ("expected", "" if report.expected == "proved" else f"to be refuted: {met}"),
    ]
    details = Table.grid(padding=(0, 2, 0, 0))
    details.add_column(width=len("  alignment"))
    details.add_column(overflow="fold")
    for label, text in lines:
        if text:
            details.add_row(Text(f"  {label}", style="dim"), Text(text))
    return details


def _reasons(report: Report, width: int) -> str:
    """Why a claim was not proved; excerpts with carets stay as they are."""
    lines = [f"{report.mechanism}: {report.verdict}"]
    reasons = report.reasons
    if report.refutation is not None:
        from .checkers.refuting.text import in_words

        reasons = tuple(in_words(report.refutation))
    for reason in (*reasons, *map(_wrong, filter(_broken, report.one_sided))):
        first, *excerpt = shortened(reason).splitlines() or [""]
        lines += [*_wrapped(first, width, "  "), *(f"  {line}" for line in excerpt)]
    return "\n".join(lines) + "\n"


def _broken(claim: OneSided) -> bool:
    return claim.outcome == "broken"


def _wrong(claim: OneSided) -> str:
    """A one-sided claim that does not hold, with its run and how likely a wrong answer is."""
    likely = f"; probability {claim.probability}" if claim.refuted else ""
    never = "; probability 0: only such noise makes it wrong" if claim.probability == "0" else ""
    return f"wrong {claim.claim}; for instance {claim.witness}{likely}{never}"


def _summary(reports: Sequence[Report], width: int) -> list[str]:
    counts = Counter(str(report.verdict) for report in reports)
    seen = [verdict for verdict in Verdict if counts[str(verdict)]]
    unexpected = sum(_status(report) > 0 for report in reports)
    lines = [f"{verdict}: {verdict.meaning}" for verdict in seen]
    lines.append("Proofs are about exact real arithmetic and ideal noise.")
    found = ", ".join(f"{counts[str(verdict)]} {verdict}" for verdict in seen)
    as_expected = f"{unexpected} not as expected" if unexpected else "all as expected"
    lines.append(f"{found}; {as_expected}")
    return [part for line in lines for part in _wrapped(line, width)]


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def shortened(text: str) -> str:
    """The text with file names below the current folder relative to it."""
    here = os.path.join(os.getcwd(), "")
    return re.sub(rf"(?<!\S){re.escape(here)}(?=\S)", "", text)


@contextmanager
def progress(total: int) -> Iterator[Callable[[int, str], None]]:
    """A bar on standard error, told how many are done and which is next; none in a pipe."""
    if not sys.stderr.isatty():
        yield lambda done, name: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(
        *Progress.get_default_columns()[:2], "{task.completed}/{task.total}",
        console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False,
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=total)
        yield lambda done, name: bar.update(task, completed=done, description=name)
