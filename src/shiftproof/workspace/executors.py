"""``--executor``: from what a user types to an executor."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeAlias, TypeVar

from ..dsl.errors import BadInput

#: Opens an executor, and closes it in the end; ``None`` means that work is done right here.
Opener: TypeAlias = Callable[[], AbstractContextManager[Executor | None]]

_CLUSTER = re.compile(r"dask://(?P<host>[^\s:/]+|\[[0-9a-fA-F:]+\]):(?P<port>[0-9]{1,5})/?")


def opener(text: str) -> Opener:
    """How to open the executor that ``text`` names; nothing is started yet.

    Args:
        text: ``here``, ``processes`` (one a core), ``processes:N``, or ``dask://host:port``, the
            address of the scheduler of a Dask cluster.

    Raises:
        BadInput: it names no executor.  When it is opened: the cluster cannot be used.
    """
    kind, colon, count = text.partition(":")
    if text == "here":
        return nullcontext
    if text == "processes":
        return partial(worker_processes, cores())
    if kind == "processes" and colon and re.fullmatch("[0-9]{1,4}", count) and int(count):
        return partial(worker_processes, int(count))
    if found := _CLUSTER.fullmatch(text):
        from .dask_cluster import dask_cluster

        return partial(dask_cluster, found["host"], int(found["port"]))
    raise BadInput(
        f"--executor {text!r}: no such executor; want here, processes, processes:N (at least 1) "
        "or dask://host:port"
    )


# A pool of processes on this machine that is gone as soon as it is left, whatever it is doing.

P = ParamSpec("P")
T = TypeVar("T")

#: How long an idle worker outlives the pool at most, in seconds.
GRACE = 5

_SAFE_PATH = "PYTHONSAFEPATH"


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


@contextmanager
def worker_processes(count: int) -> Iterator[Executor]:
    """An executor of ``count`` processes, started as there is work for them.

    They begin afresh and import only what their work needs, never what stands in the current
    folder.  Ctrl-C is the parent's to answer: they ignore it.  When the context is left they end
    at once, in the middle of their work; so they do when the parent is killed.
    """
    context = multiprocessing.get_context("spawn")
    held_by_workers, held_here = context.Pipe(duplex=False)
    pool = _Pool(count, mp_context=context, initializer=_begin, initargs=(held_by_workers,))
    try:
        yield pool
    finally:
        held_here.close()
        pool.shutdown(cancel_futures=True)
        held_by_workers.close()


class _Pool(ProcessPoolExecutor):
    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with _quietly_started():
            return super().submit(_working, fn, *args, **kwargs)


@contextmanager
def _quietly_started() -> Iterator[None]:
    """Processes that begin in here do so out of reach of Ctrl-C and of the current folder.

    They inherit that SIGINT is blocked: it would strike while they import, before they can
    ignore it.  Here it is only delayed.  And a new Python looks for its first modules in the
    current folder, where a user's pickle.py may stand.
    """
    before = os.environ.get(_SAFE_PATH)
    masked = hasattr(signal, "pthread_sigmask")
    old: Any = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masked else None
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
        if masked:
            signal.pthread_sigmask(signal.SIG_SETMASK, old)


class _State:
    """What a worker is doing.  It may end only while it works: in the middle of handing over a
    result it would leave the others, and the parent, waiting for the rest of it.
    """

    lock = threading.Lock()
    working = False
    left = False


def _begin(parent: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Connection) -> None:
    """End this process once the other end of the pipe is closed, by whatever means."""
    with suppress(EOFError, OSError):
        parent.recv_bytes()
    with _State.lock:
        _State.left = True
        if _State.working:
            os._exit(0)
    time.sleep(GRACE)  # the parent sends idle workers home, unless it was killed
    os._exit(0)


def _working(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """The function in a worker."""
    with _State.lock:
        if _State.left:
            os._exit(0)
        _State.working = True
    try:
        return function(*args, **kwargs)
    finally:
        with _State.lock:
            _State.working = False
