"""``--executor``: from what a user types to a ``concurrent.futures.Executor``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import TypeAlias

from .dsl.errors import BadInput

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
        return partial(_processes, None)
    if kind == "processes" and colon and re.fullmatch("[0-9]{1,4}", count) and int(count):
        return partial(_processes, int(count))
    if found := _CLUSTER.fullmatch(text):
        return partial(_cluster, found["host"], int(found["port"]))
    raise BadInput(
        f"--executor {text!r}: no such executor; want here, processes, processes:N (at least 1) "
        "or dask://host:port"
    )


@contextmanager
def _processes(count: int | None) -> Iterator[Executor]:
    from .worker_processes import cores, worker_processes

    with worker_processes(count or cores()) as executor:
        yield executor


@contextmanager
def _cluster(host: str, port: int) -> Iterator[Executor]:
    from .dask_cluster import dask_cluster

    with dask_cluster(host, port) as executor:
        yield executor
