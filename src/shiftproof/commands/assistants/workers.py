"""Processes that do the work of calls, so that the server itself always listens.

What they print goes to standard error, and a call that is taken back ends in the middle of its
work; so do all that are still at work when the server ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from typing import TypeVar

from ...dsl.errors import BadInput
from ...workspace.executors import cores, worker_processes

T = TypeVar("T")

#: How many calls are worked on at once at most, as far as there are cores; others wait.
MOST = 4
#: After how many calls a worker is replaced: the solver keeps some memory of each.
LIFETIME = 200


class _Worker:
    """One process, which starts with its first call."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._executor: Executor = self._open.enter_context(worker_processes(1))
        self._calls = 0

    @property
    def worn(self) -> bool:
        """Whether it has done its share."""
        return self._calls >= LIFETIME

    async def do(self, function: Callable[..., T], *arguments: object) -> T:
        self._calls += 1
        return await asyncio.wrap_future(self._executor.submit(function, *arguments))

    def end(self) -> None:
        self._open.close()


class Workers:
    """As many processes as there are calls at a time, at most one for each core."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(min(cores(), MOST))
        self._idle: list[_Worker] = []

    async def do(self, function: Callable[..., T], *arguments: object) -> T:
        """What a function returns, which a process of its own calls.

        Raises:
            BadInput: the function raises it, or its process was killed.
        """
        async with self._free:
            worker = self._idle.pop() if self._idle else _Worker()
            reusable = False
            try:
                found = await worker.do(function, *arguments)
                reusable = True
            except BadInput:
                reusable = True
                raise
            except BrokenProcessPool:
                raise BadInput("the work was killed, perhaps for want of memory") from None
            finally:
                if reusable and not worker.worn:
                    self._idle.append(worker)
                else:
                    worker.end()
            return found

    def end(self) -> None:
        """End the processes that wait for work; those at work end with their calls."""
        while self._idle:
            self._idle.pop().end()
