"""The top-k experiment: asymmetric mechanisms against the free-gap ones, on any counts.

Source: Asymmetric Differential Privacy, Section 6.2.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..dsl.errors import BadInput
from ..dsl.simulation.spreading import in_order
from ..estimators.bands import Band, bootstrapped, bootstrapped_columns
from .contenders import CONTENDERS, MECHANISMS, Contender
from .point import Floats, Point, Scores, is_number, scored, several, whole
from .results import Row, TopKExperiment

#: How many noisy counts and runs a block has, and how many blocks a task; they bound the memory.
BLOCK, BLOCK_RUNS, TASK = 2**17, 256, 32

#: The ε that the arithmetic is good for, in nats, and the most runs.
SMALLEST_EPS, LARGEST_EPS, MOST_RUNS = 1e-6, 1e6, 10**6

EPSILONS, KS = (0.1, 0.3, 0.5, 0.7, 1.0), (100,)


def top_k_experiment(
    counts: Sequence[float] | Path | str,
    *,
    ks: Iterable[int] = KS,
    epsilons: Iterable[float] = EPSILONS,
    runs: int = 10_000,
    seed: int = 0,
    mechanisms: Iterable[str] = MECHANISMS,
    executor: Executor | None = None,
) -> TopKExperiment:
    """Measure mean squared error and accuracy of top-k mechanisms on the same counts.

    Every ``k`` is combined with every ε.  The results depend on the counts, the seed and the
    numbers asked for, and on nothing else: not on the executor, nor on what else is asked.

    Args:
        counts: the true count of each item, numbers from 0 on, or a basket file (FIMI), whose
            items are those that occur in it.
        ks: how many items are asked for, each from 1 to the number of items.
        epsilons: the whole budget, in nats, each from 1e-6 to 1e6.
        runs: how often each mechanism is run at each point, from 1 to a million.
        seed: of the noise and of the resampling, not negative.
        mechanisms: some of :data:`MECHANISMS`; each in all calibrations.
        executor: does the work in its workers; by default it is done here.

    Raises:
        BadInput: one of these is out of range, or the file is no basket file.

    Source: Asymmetric Differential Privacy, Section 6.2, with the mechanisms as repaired.
    """
    plan = planned(counts, ks, epsilons, runs, seed, mechanisms)
    rows = tuple(measured(plan, executor))
    return TopKExperiment(len(plan.counts), runs, seed, rows)


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is asked for, checked."""

    counts: Floats
    points: tuple[Point, ...]
    runs: int
    seed: int
    contenders: tuple[Contender, ...]

    @property
    def tasks(self) -> int:
        """How many tasks there are."""
        return len(self.points) * len(self.contenders) * -(-self.runs // self.portion)

    @property
    def block(self) -> int:
        """How many runs are made at once; by the counts alone, so that it is the same anywhere."""
        return min(max(1, BLOCK // len(self.counts)), BLOCK_RUNS)

    @property
    def portion(self) -> int:
        """How many runs a task has."""
        return self.block * TASK


def planned(
    counts: Sequence[float] | Path | str,
    ks: Iterable[int],
    epsilons: Iterable[float],
    runs: int,
    seed: int,
    mechanisms: Iterable[str],
) -> Plan:
    """Check what is asked for; see :func:`top_k_experiment`."""
    checked = _checked_counts(counts)
    descending = np.sort(checked)[::-1]
    wanted_ks = [whole("k", k, 1, len(checked), "the number of items") for k in several("ks", ks)]
    wanted_eps = [_checked_eps(eps) for eps in several("epsilons", epsilons)]
    wanted = several("mechanisms", mechanisms)
    for name in wanted:
        if name not in MECHANISMS:
            raise BadInput(f"mechanisms: got {name!r}; want some of {', '.join(MECHANISMS)}")
    points = tuple(
        Point(checked, descending, k, eps)
        for k in dict.fromkeys(wanted_ks)
        for eps in dict.fromkeys(wanted_eps)
    )
    return Plan(
        checked,
        points,
        whole("runs", runs, 1, MOST_RUNS),
        whole("seed", seed, 0),
        tuple(c for c in CONTENDERS if c.mechanism in wanted),
    )


def measured(
    plan: Plan,
    executor: Executor | None,
    show: Callable[[int, str], None] = lambda done, what: None,
) -> Iterator[Row]:
    """The rows, in order, as soon as each is there; ``show`` is told of every task."""
    each = [(point, c) for point in plan.points for c in plan.contenders]
    tasks = (
        _Task(point, c.name, plan.seed, plan.block, begin, min(begin + plan.portion, plan.runs))
        for point, c in each
        for begin in range(0, plan.runs, plan.portion)
    )
    parts = in_order(executor, _done, tasks)
    of_one = plan.tasks // len(each)
    for number, (point, contender) in enumerate(each):
        found = []
        for part in islice(parts, of_one):
            found.append(part)
            show(
                number * of_one + len(found), f"{contender.name}, k = {point.k}, ε = {point.eps:g}"
            )
        yield from _rows(point, contender, Scores.joined(found), plan.seed)


@dataclass(frozen=True, slots=True)
class _Task:
    """The runs from ``begin`` to ``end`` of a contender at a point; begins at a block."""

    point: Point
    name: str
    seed: int
    block: int
    begin: int
    end: int


def _done(task: _Task) -> Scores:
    point = task.point
    contender = next(c for c in CONTENDERS if c.name == task.name)
    parts = []
    for begin in range(task.begin, task.end, task.block):
        key = [*_key(point, contender), begin // task.block]
        sequence = np.random.SeedSequence(task.seed, spawn_key=key)
        generator = np.random.Generator(np.random.SFC64(sequence))
        # A block is always made whole, so that few runs are the first of many.
        answers = contender.run(point, generator, task.block)
        whole = scored(answers, point.counts, point.k, task.block)
        parts.append(whole.first(task.end - begin))
    return Scores.joined(parts)


def _key(point: Point, contender: Contender) -> list[int]:
    """What tells the noise of one contender at one point from that of all others."""
    bits = struct.unpack("<2I", struct.pack("<d", point.eps))
    return [zlib.crc32(contender.name.encode()), point.k, *bits]


def _rows(point: Point, contender: Contender, scores: Scores, seed: int) -> Iterator[Row]:
    """One row for each way of estimating."""
    entropy = np.random.SeedSequence(seed, spawn_key=_key(point, contender)).generate_state(1)
    resampling = int(entropy[0])
    answered = scores.answers > 0
    columns = [*scores.squared.values(), scores.accuracy]
    if answered.all():
        *errors, accuracy = bootstrapped_columns(np.stack(columns, axis=1), resampling)
    else:
        accuracy = bootstrapped(scores.accuracy, resampling)
        errors = [_of_answered(column[answered], resampling) for column in columns[:-1]]
    for estimate, error in zip(scores.squared, errors, strict=True):
        yield Row(
            contender.mechanism, contender.calibration, contender.guarantee, estimate,
            point.k, point.eps, error, accuracy, float(scores.answers.mean()),
            int(np.count_nonzero(~answered)),
        )  # fmt: skip


def _of_answered(values: Floats, seed: int) -> Band:
    return bootstrapped(values, seed) if len(values) else Band(math.nan, math.nan, math.nan)


def _checked_counts(counts: Sequence[float] | Path | str) -> Floats:
    if isinstance(counts, Path | str):
        from ..workspace.data.baskets import read_item_counts

        counts = read_item_counts(Path(counts)).counts
    try:
        checked = np.asarray(counts, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        checked = np.empty(0)
    if checked.ndim != 1 or not len(checked):
        raise BadInput("counts: want a list of at least one number, or the path of a basket file")
    wrong = np.flatnonzero(~((checked >= 0) & (checked <= 2**53)))
    if len(wrong):
        got = checked[wrong[0]]
        raise BadInput(f"counts[{wrong[0]}]: got {got:g}; want a number from 0 to 2^53")
    return checked


def _checked_eps(eps: Any) -> float:
    if not is_number(eps) or not SMALLEST_EPS <= eps <= LARGEST_EPS:
        raise BadInput(f"epsilons: got {eps!r}; want numbers from 1e-6 to 1e6, in nats")
    return float(eps)
