"""A Dask cluster as an executor, once it is sure that it would give the same results."""

from __future__ import annotations

import importlib
import logging
import platform
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from typing import Any, ParamSpec, TypeVar

from ..dsl.errors import BadInput
from ..dsl.version import __version__

P = ParamSpec("P")
T = TypeVar("T")

#: How long a scheduler may take to answer, and a first worker to be there, in seconds.
PATIENCE = 5


@contextmanager
def dask_cluster(host: str, port: int) -> Iterator[Executor]:
    """An executor whose tasks run on the workers of a scheduler.

    A task whose worker is lost is done again by another one.

    Raises:
        BadInput: Dask is not installed, the scheduler does not answer, it has no workers, or
            theirs is another version of shiftproof, numpy or Python than here.
    """
    address = f"dask://{host}:{port}"
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise BadInput(
            f"--executor {address}: Dask is not installed; pip install 'shiftproof[cluster]'"
        ) from None
    with _silent_logs():
        _check_answers(address, host, port)
        try:
            client = distributed.Client(
                f"tcp://{host}:{port}", timeout=PATIENCE, set_as_default=False
            )
        except (OSError, ValueError) as error:  # among them that it takes too long
            raise _unreachable(address, f"no Dask scheduler ({type(error).__name__})") from None
        try:
            _check_workers(client, address)
            yield _Watched(client, address)
        finally:
            with suppress(Exception):
                client.close(timeout=PATIENCE)


class _Watched(Executor):
    """The executor of a client, whose tasks fail when the scheduler is gone for good.

    Dask gives up on a lost scheduler after a while, but leaves the futures of its executor as
    they are: whoever waits for one would wait for ever.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        self._inner = client.get_executor()
        self._waiting: weakref.WeakSet[Future[Any]] = weakref.WeakSet()
        # Where those who keep workers busy look for their number.
        self._max_workers = sum(client.nthreads().values())
        threading.Thread(target=self._watch, daemon=True).start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = self._inner.submit(fn, *args, **kwargs)
        self._waiting.add(future)
        return future

    def _watch(self) -> None:
        while self._client.status not in ("closing", "closed"):
            time.sleep(0.2)
        for future in list(self._waiting):
            with suppress(InvalidStateError):
                future.set_exception(
                    BadInput(f"--executor {self._address}: the scheduler is gone; start again")
                )


@contextmanager
def _silent_logs() -> Iterator[None]:
    """Dask's logs are silent, whose tracebacks would surround the one message that there is."""
    of = ("distributed", "tornado")
    names = [n for n in logging.root.manager.loggerDict if n.partition(".")[0] in of]
    heard = [log for log in map(logging.getLogger, names) if not log.disabled]
    for log in heard:
        log.disabled = True
    try:
        yield
    finally:
        for log in heard:
            log.disabled = False


def _check_answers(address: str, host: str, port: int) -> None:
    """Dask itself would go on trying for a while, or for ever if another server is there.

    A scheduler speaks first, and among the first that it says is which pickles it knows.
    """
    try:
        with socket.create_connection((host.strip("[]"), port), PATIENCE) as connection:
            heard = b""
            while b"pickle-protocol" not in heard:
                more = connection.recv(4096)
                if not more or len(heard) > 2**16:
                    raise _unreachable(address, "what is there is no Dask scheduler")
                heard += more
    except TimeoutError:
        raise _unreachable(address, f"no answer in {PATIENCE} seconds") from None
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise _unreachable(address, why) from None


def _unreachable(address: str, why: str) -> BadInput:
    return BadInput(
        f"--executor {address}: cannot be reached: {why}; start one with 'dask scheduler', and "
        "workers with 'dask worker host:port'"
    )


def _check_workers(client: Any, address: str) -> None:
    with suppress(Exception):
        client.wait_for_workers(1, timeout=PATIENCE)
    found: Mapping[str, Any] = client.run(versions, on_error="return")
    if not found:
        raise BadInput(
            f"--executor {address}: the scheduler has no workers; start some with "
            f"'dask worker {address.removeprefix('dask://')}'"
        )
    ours = versions()
    for worker, theirs in found.items():
        if isinstance(theirs, BaseException) and "ModuleNotFoundError" in repr(theirs):
            raise BadInput(
                f"--executor {address}: the worker {worker} cannot import shiftproof ({theirs}); "
                f"install shiftproof {__version__} there"
            )
        if isinstance(theirs, BaseException):
            raise BadInput(f"--executor {address}: the worker {worker} fails: {theirs!r}")
        for name, version in ours.items():
            if theirs.get(name) != version:
                raise BadInput(
                    f"--executor {address}: the worker {worker} has {name} {theirs.get(name)}, "
                    f"here it is {version}; the results could differ, so install the same"
                )


def versions() -> dict[str, str]:
    """Versions on which the results depend, bit for bit."""
    import numpy as np

    python = ".".join(platform.python_version_tuple()[:2])
    return {"shiftproof": __version__, "numpy": np.__version__, "Python": python}
