"""A summary of any number of runs, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...dsl.simulation.log import ABSENT, columns
from ...dsl.simulation.outcomes import Ending, Outcomes
from .counts import (
    VALUES,
    Bins,
    Numbers,
    OutcomeCounts,
    bins_for,
    numbers_of,
    table_of,
)

#: How many positions are looked at one by one.
POSITIONS = 8

#: From how many runs it is told where histograms stand: the first ones.
FIRST_RUNS = 2048


@dataclass(frozen=True, slots=True)
class Summariser:
    """Summarises a block of runs; goes to workers.

    Args:
        bins: where the histogram of each position stands, if it has one.
    """

    bins: tuple[Bins | None, ...] = ()

    @staticmethod
    def after(first: Outcomes) -> Summariser:
        """With histograms that fit the numbers of the first runs."""
        found = (column.numbers() for column in columns(first, POSITIONS))
        return Summariser(tuple(bins_for(*numbers) for numbers in found))

    def __call__(self, outcomes: Outcomes) -> Summary:
        """A block in short; at least one run."""
        found = columns(outcomes, VALUES)
        lengths, wrong = outcomes.lengths, outcomes.wrong
        positions = []
        for k, column in enumerate(found[:POSITIONS]):
            codes = _counts(column.codes) if column.code is None else {column.code: len(outcomes)}
            codes.pop(ABSENT, None)
            values, whole = column.numbers()
            bins = self.bins[k] if k < len(self.bins) else None
            numbers = numbers_of(values, whole, bins) if len(values) else Numbers()
            positions.append(Position(codes, numbers))
        longest = int(lengths.max())
        return Summary(
            runs=len(outcomes),
            endings={Ending(k): n for k, n in _counts(outcomes.endings).items()},
            wrong=None if wrong is None else int(np.count_nonzero(wrong)),
            shortest=int(lengths.min()),
            longest=longest,
            released=len(outcomes.codes),
            longer=int((lengths > POSITIONS).sum()) if longest > POSITIONS else 0,
            table=table_of(outcomes, found),
            positions=positions,
        )


def _counts(codes: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> dict[int, int]:
    return {k: n for k, n in enumerate(np.bincount(codes).tolist()) if n}


@dataclass(slots=True)
class Position:
    """What the runs released at one position.

    Attributes:
        codes: how often each code, as in ``Outcomes``.
        numbers: the numbers among them.
    """

    codes: dict[int, int] = field(default_factory=dict)
    numbers: Numbers = field(default_factory=Numbers)


@dataclass(slots=True)
class Summary:
    """What some runs released.

    Attributes:
        bins: where the histogram of each position stands, if it has one.
        runs: how many there are.
        endings: how many ended in which way, by :class:`Ending`.
        wrong: how many broke an ``ensure``; ``None`` if none came to one.
        shortest, longest: the fewest and the most values that a run released.
        released: how many values were released in all.
        longer: how many runs released more than are in ``positions``.
        table: how often each outcome came.
        positions: the first ones, as far as any run came.
    """

    bins: tuple[Bins | None, ...] = ()
    runs: int = 0
    endings: dict[Ending, int] = field(default_factory=dict)
    wrong: int | None = None
    shortest: int = 0
    longest: int = 0
    released: int = 0
    longer: int = 0
    table: OutcomeCounts = field(default_factory=OutcomeCounts)
    positions: list[Position] = field(default_factory=list)

    def add(self, block: Summary) -> None:
        """Put the next block to those before."""
        self.shortest = min(self.shortest, block.shortest) if self.runs else block.shortest
        self.longest = max(self.longest, block.longest)
        self.runs += block.runs
        self.released += block.released
        self.longer += block.longer
        for ending, count in block.endings.items():
            self.endings[ending] = self.endings.get(ending, 0) + count
        if block.wrong is not None:
            self.wrong = (self.wrong or 0) + block.wrong
        self.table.add(block.table)
        self.positions += [Position() for _ in block.positions[len(self.positions) :]]
        for whole, part in zip(self.positions, block.positions, strict=False):
            for code, count in part.codes.items():
                whole.codes[code] = whole.codes.get(code, 0) + count
            whole.numbers.add(part.numbers)

    def bins_at(self, position: int) -> Bins | None:
        """Where the histogram of a position stands, if it has one."""
        return self.bins[position] if position < len(self.bins) else None


# A simulation that was done: what ran, how far it came, and the summary of its runs.


@dataclass(frozen=True, slots=True)
class Simulated:
    """What was simulated, and what came of it.

    Attributes:
        mechanism: its name.
        inputs: all of them.
        samples: how many runs were asked for; ``summary.runs`` is how many were done.
        seed: whoever gives it again gets the same.
        seconds: how long it took.
    """

    mechanism: str
    inputs: Mapping[str, Any]
    samples: int
    seed: int
    seconds: float
    summary: Summary

    @property
    def interrupted(self) -> bool:
        """Whether fewer runs were done than were asked for."""
        return self.summary.runs < self.samples

    @property
    def rate(self) -> float:
        """Runs a second."""
        return self.summary.runs / max(self.seconds, 1e-9)
