"""Samples of a box, block by block, here or on an executor; the same wherever they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ....dsl.simulation.spreading import in_order
from ..samples import Sample
from .boxes import Box, Key

T = TypeVar("T")

#: How many blocks one task of an executor has at most.
BLOCKS = 8


@dataclass(frozen=True, slots=True)
class Wanted(Generic[T]):
    """Runs on one input, and what is to be made of each block of them.

    ``key``: what tells these runs apart from all others of the audit.
    """

    data: Any
    runs: int
    key: Key
    function: Callable[[Sample], T]


@dataclass(frozen=True, slots=True)
class _Task:
    box: Box
    wanted: Wanted[Any]
    sizes: tuple[int, ...]
    first: int


def _done(task: _Task) -> list[Any]:
    draw = task.box.on(task.wanted.data)
    key, function = task.wanted.key, task.wanted.function
    return [function(draw(size, (*key, task.first + k))) for k, size in enumerate(task.sizes)]


@dataclass(frozen=True, slots=True)
class Sampler:
    """Draws from a box.

    Attributes:
        seed: the same seed gives the same runs, if the box keeps to it.
    """

    box: Box
    seed: int
    executor: Executor | None = None

    def each(self, wanted: Iterable[Wanted[T]]) -> Iterator[list[T]]:
        """For each wish, in their order, what was made of its blocks."""
        wishes = [Wanted(w.data, w.runs, (self.seed, *w.key), w.function) for w in wanted]
        tasks = [[*self._tasks(wish)] for wish in wishes]
        found = in_order(self.executor, _done, (task for some in tasks for task in some))
        for some in tasks:
            yield [part for _ in some for part in next(found)]

    def _tasks(self, wanted: Wanted[Any]) -> Iterator[_Task]:
        block = self.box.block
        sizes = [block] * (wanted.runs // block)
        if wanted.runs % block:
            sizes.append(wanted.runs % block)
        for first in range(0, len(sizes), BLOCKS):
            yield _Task(self.box, wanted, tuple(sizes[first : first + BLOCKS]), first)
