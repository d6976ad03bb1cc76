"""Work spread over an executor, its results in order, however long the work is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import TypeVar

from ..errors import BadInput

T = TypeVar("T")
R = TypeVar("R")

#: How many tasks may wait or run at once: enough for many workers, few enough for memory.
AHEAD = 64


def in_order(
    executor: Executor | None, function: Callable[[T], R], tasks: Iterable[T], ahead: int = AHEAD
) -> Iterator[R]:
    """``map(function, tasks)``, on the executor if there is one; no more than ``ahead`` at once.

    When the caller stops early, what has not begun is cancelled; the executor stays as it is.

    Args:
        executor: any; the function, the tasks and the results are pickled if it needs that.
        function: pure, since an executor may do a task twice when a worker is lost.
        tasks: taken one by one, as they are needed.
        ahead: at least 1.

    Raises:
        BadInput: the executor lost its workers, was shut down, or dropped a task.
        ShiftproofError: the first one in the order of the tasks that the function raised.
    """
    if executor is None:
        yield from map(function, tasks)
        return
    waiting: deque[Future[R]] = deque()
    try:
        for task in tasks:
            waiting.append(_submitted(executor, function, task))
            if len(waiting) >= ahead:
                yield _result(waiting[0])
                waiting.popleft()
        while waiting:
            yield _result(waiting[0])
            waiting.popleft()
    finally:
        for future in waiting:
            future.cancel()


def _submitted(executor: Executor, function: Callable[[T], R], task: T) -> Future[R]:
    try:
        return executor.submit(function, task)
    except BrokenExecutor:
        raise _lost() from None
    except RuntimeError as error:  # shut down, says every executor in its own words
        raise BadInput(f"executor: takes no work ({error}); one that is open is needed") from None
    except Exception as error:
        if _is_of_cluster(error):
            raise _of_cluster(error) from None
        raise


def _result(future: Future[R]) -> R:
    try:
        return future.result()
    except BrokenExecutor:
        raise _lost() from None
    except CancelledError:
        raise BadInput(
            "executor: a task was dropped, since the executor was shut down or the connection to "
            "its workers was lost; start again"
        ) from None
    except Exception as error:
        if _is_of_cluster(error):
            raise _of_cluster(error) from None
        raise


def _is_of_cluster(error: Exception) -> bool:
    """Whether it is Dask's own, such as that a task has cost it several workers."""
    return type(error).__module__.partition(".")[0] == "distributed"


def _of_cluster(error: Exception) -> BadInput:
    return BadInput(f"executor: {type(error).__name__}: {error}; start again")


def _lost() -> BadInput:
    return BadInput(
        "executor: a worker ended before its work was done (was it killed, or out of memory?); "
        "start again, with fewer workers if memory is short"
    )
