"""The whole comparison with other tools: ``python -m benchmarks``.

It prints what `docs/comparison_figures.md` holds: proofs, counterexamples, certificates, audits and
sampling on the programs of the others' benchmarks, measured on this machine, beside what is known
of CheckDP, ShadowDP, StatDP, DP-Sniper and DP-Auditorium.  Inputs and seeds are fixed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.comparison import tasks
from benchmarks.machine import machine
from benchmarks.table import Effort, Measured, Task
from shiftproof.dsl.errors import BadInput
from shiftproof.workspace.executors import worker_processes
from shiftproof.workspace.files import writable, write_whole

#: How often a thing is timed, and which part of an audit's runs is made.
WHOLE, QUICK = (5, 1.0), (1, 0.02)
WORKERS = 2

OPENING = """\
# The comparison in figures

`{command} --write FILE` writes this page; [comparison.md](comparison.md) says
what each tool can do at all.

**here** are medians on this machine, {date}: {machine}

**earlier** are figures of the other tools' released code that were taken once, on another machine
with two cores: read ratios to them as orders of size.

**published** are their authors' own figures, on their machines, with the source.
"""
HURRIED = "\n**Quick:** a time is that of a single run, and audits had a fiftieth of their runs.\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write if asked to; 130 if it was interrupted, 3 for bad input."""
    every = tasks()
    options = _parser([task.name for task in every]).parse_args(arguments)
    try:
        if options.write:
            if options.only:
                raise BadInput("--write: want the whole comparison on a page; leave out --only")
            writable(options.write)
        chosen = [task for task in every if not options.only or task.name in options.only]
        found: list[Measured] = []
        with worker_processes(WORKERS) as executor:
            effort = Effort(*(QUICK if options.quick else WHOLE), executor)
            interrupted = _measured(chosen, effort, found)
        page = page_of(found, quick=options.quick)
        print(page, end="")
        if interrupted:
            print("interrupted: this is not all, and nothing was written", file=sys.stderr)
            return 130
        if options.write:
            write_whole(options.write, page.encode())
    except BadInput as error:
        print(f"error: {error.message}", file=sys.stderr)
        return 3
    return 0


def _measured(chosen: Sequence[Task], effort: Effort, found: list[Measured]) -> bool:
    """Measure row by row; whether Ctrl-C came in between."""
    try:
        for task in chosen:
            found.append(Measured(task))
            for number, subject in enumerate(task.subjects, 1):
                where = f"{task.name} {number}/{len(task.subjects)}"
                print(f"{where}: {subject.name}", file=sys.stderr, flush=True)
                found[-1].rows.append((subject.name, *subject.measure(effort)))
    except KeyboardInterrupt:
        return True
    return False


def page_of(found: Sequence[Measured], quick: bool) -> str:
    """What was measured, as a page."""
    command = "python -m benchmarks --quick" if quick else "python -m benchmarks"
    date = datetime.now(UTC).date().isoformat()
    opening = OPENING.format(command=command, date=date, machine=machine())
    if quick:
        opening += HURRIED
    return "\n".join([opening, *(each.section() for each in found)])


def _parser(names: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Print the whole comparison with other tools, in Markdown.",
        epilog="The parts have commands of their own, with more rows: python -m benchmarks.prove, "
        "refute, check, audit, simulate.",
    )

    def parts(text: str) -> list[str]:
        wanted = text.split(",")
        for part in wanted:
            if part not in names:
                raise argparse.ArgumentTypeError(f"got {part!r}; want some of {', '.join(names)}")
        return wanted

    parser.add_argument("--quick", action="store_true", help="about a minute, for a first look")
    parser.add_argument(
        "--only", type=parts, metavar="PART,...", help=f"some of {', '.join(names)}"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page besides")
    return parser


if __name__ == "__main__":
    sys.exit(main())
