"""A table that is measured row by row, written in Markdown that can also be read as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TypeAlias

#: The cells of a row behind its name.
Cells: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured.

    Attributes:
        repeat: how often all but an audit is timed, at least 1; the median counts.
        share: which part of the runs of an audit is made, in (0, 1].
        executor: makes the runs of an audit.
    """

    repeat: int
    share: float
    executor: Executor


@dataclass(frozen=True, slots=True)
class Subject:
    """One row: its name, and how its cells are measured."""

    name: str
    measure: Callable[[Effort], Cells]


@dataclass(frozen=True, slots=True)
class Task:
    """What is compared: the rows, and what is to be known about their columns.

    Attributes:
        name: what ``--only`` takes.
        title: the heading.
        heads: the names of the columns, that of the subjects' names first.
        notes: what the columns mean, and where the others' figures are from.
        subjects: the rows.
    """

    name: str
    title: str
    heads: Sequence[str]
    notes: str
    subjects: Sequence[Subject]


@dataclass(slots=True)
class Measured:
    """A task and the rows that are there so far."""

    task: Task
    rows: list[Cells] = field(default_factory=list)

    def section(self) -> str:
        """Heading, table and notes."""
        return f"## {self.task.title}\n\n{table(self.task.heads, self.rows)}\n\n{self.task.notes}\n"


def table(heads: Sequence[str], rows: Sequence[Cells]) -> str:
    """A table in Markdown, its columns as wide as their cells; all but the first to the right."""
    every = [tuple(heads), *rows]
    widths = [max(3, *(len(row[k]) for row in every)) for k in range(len(heads))]
    rule = [":" + "-" * (widths[0] - 1), *("-" * (width - 1) + ":" for width in widths[1:])]
    lines = [_line(heads, widths), f"| {' | '.join(rule)} |"]
    return "\n".join([*lines, *(_line(row, widths) for row in rows)])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    rest = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return f"| {' | '.join((first, *rest))} |"
