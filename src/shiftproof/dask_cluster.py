"""A Dask cluster as an executor, once it is sure that it would give the same results."""

from __future__ import annotations

import importlib
import logging
import platform
import socket
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from typing import Any

from .dsl.errors import BadInput
from .dsl.version import __version__

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
    # What there is to say is said in one message.
    log = logging.getLogger("distributed")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        _check_answers(address, host, port)
        try:
            client = distributed.Client(
                f"tcp://{host}:{port}", timeout=PATIENCE, set_as_default=False
            )
        except (OSError, ValueError) as error:  # among them that it takes too long
            raise _unreachable(address, f"no Dask scheduler ({type(error).__name__})") from None
        try:
            _check_workers(client, address)
            executor = client.get_executor()
            # Where those who keep workers busy look for their number.
            executor._max_workers = sum(client.nthreads().values())
            yield executor
        finally:
            with suppress(Exception):
                client.close(timeout=PATIENCE)
    finally:
        log.setLevel(level)


def _check_answers(address: str, host: str, port: int) -> None:
    """Dask itself would go on trying for a while."""
    try:
        socket.create_connection((host.strip("[]"), port), PATIENCE).close()
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
        if isinstance(theirs, ImportError):
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
