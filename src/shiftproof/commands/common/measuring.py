"""How an experiment is carried out: row by row, until all is done or Ctrl-C comes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from ...workspace.interrupts import Interrupts
from .answering import INTERRUPTED, print_found

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ...workspace.executors import Opener


class Planned(Protocol):
    """What is to be measured."""

    @property
    def tasks(self) -> int:
        """In how many steps."""
        ...


P = TypeVar("P", bound=Planned)
R = TypeVar("R")


def carried_out(
    planning: Callable[[], P],
    measuring: Callable[[P, Executor | None, Callable[[int, str], None]], Iterator[R]],
    result_of: Callable[[P, list[R], bool], Any],
    drawing: Callable[[P, Any], None],
    as_json: bool,
    csv_file: Path | None,
    opened: Opener = nullcontext,
) -> int:
    """Measure row by row until all is done or Ctrl-C comes; write the files, print the answer.

    What was interrupted is printed only.

    Args:
        planning: makes the plan.
        measuring: gives the rows of a plan, told where to work and whom to tell how far it is.
        result_of: puts the rows together; told whether some are missing.
        drawing: draws the pictures that are wanted.
        as_json: whether to print JSON.
        csv_file: where the rows go; may be ``None``.
        opened: where the work is done.

    Returns:
        The exit status.
    """
    from ...showing.report import prints_unicode, progress
    from ...workspace.files import write_whole

    plan, rows, interrupted = None, [], False
    with Interrupts() as interrupts:
        with redirect_stdout(sys.stderr):
            try:
                with interrupts.allowed():
                    plan = planning()
                with opened() as workers, progress(plan.tasks) as show:
                    for row in interrupts.each(measuring(plan, workers, show)):
                        rows.append(row)
            except KeyboardInterrupt:
                interrupted = True
        # Ctrl-C comes too late from here on: all is measured, and all files are written.
        if plan is None or not rows:
            click.echo("Interrupted before anything was measured.", err=True)
            return INTERRUPTED
        result = result_of(plan, rows, interrupted)
        if not interrupted:
            if csv_file is not None:
                write_whole(csv_file, result.as_csv().encode())
            drawing(plan, result)
        print_found(as_json, result.as_json, lambda: result.as_text(prints_unicode()))
        return INTERRUPTED if interrupted else 0
