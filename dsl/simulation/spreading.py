"""Work spread over an executor, its results in order, however long the work is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

#: How many tasks may wait or run at once: enough for many workers, few enough for memory.
AHEAD = 64


def in_order(
    executor: Executor | None, function: Callable[[T], R], tasks: Iterable[T], ahead: int = AHEAD
) -> Iterator[R]:
    """``map(function, tasks)``, on the executor if there is one; no more than ``ahead`` at once.

    When the caller stops early, what has not begun is cancelled.
    """
    if executor is None:
        yield from map(function, tasks)
        return
    waiting: deque[Future[R]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(function, task))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
