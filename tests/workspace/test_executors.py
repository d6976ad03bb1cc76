"""Work over executors: the same results in the same order with all of them, and clear ends."""

from __future__ import annotations

import math
import os
import pickle
import signal
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shiftproof import (
    BadInput,
    LimitReached,
    Location,
    Outcomes,
    ShiftproofError,
    Simulation,
    Unsupported,
)
from shiftproof.dsl.simulation.simulate import LARGEST_BLOCK
from shiftproof.dsl.simulation.spreading import AHEAD, in_order
from shiftproof.workspace.executors import opener
from shiftproof.workspace.targets import gallery, one_mechanism

SAMPLES = 300_000


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with opener("processes:2")() as executor:
        assert executor is not None
        yield executor


@pytest.fixture
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


def sparse_vector() -> Simulation:
    values = {"f": [1, 5, 2, 8], "T": [3.0] * 4, "c": 2, "eps": 1.0}
    return Simulation(one_mechanism("asymmetric_sparse_vector"), **values)


def checksum(outcomes: Outcomes) -> int:
    """Of everything that counts; it runs in workers, too."""
    assert outcomes.payload is not None
    found = 0
    for array in (outcomes.lengths, outcomes.codes, outcomes.payload, outcomes.endings):
        found = zlib.crc32(array.tobytes(), found)
    return found


def same(one: Outcomes, other: Outcomes) -> bool:
    assert one.payload is not None and other.payload is not None
    pairs = [(one.lengths, other.lengths), (one.codes, other.codes), (one.payload, other.payload)]
    return all(np.array_equal(a, b) for a, b in pairs)


class TestOrder:
    def test_is_that_of_the_tasks(self, threads: Executor) -> None:
        def slow_at_first(n: int) -> int:
            time.sleep(0.02 if n < 3 else 0)
            return n

        assert list(in_order(threads, slow_at_first, range(100))) == list(range(100))
        assert list(in_order(threads, abs, iter(()))) == []
        assert list(in_order(None, abs, range(-3, 3))) == [3, 2, 1, 0, 1, 2]

    def test_tasks_are_taken_as_they_are_needed(self, threads: Executor) -> None:
        taken = []

        def tasks() -> Iterator[int]:
            for n in count():
                taken.append(n)
                yield n

        with closing(in_order(threads, abs, tasks(), 5)) as found:  # type: ignore[type-var]
            assert next(found) == 0 and len(taken) == 5
            assert next(found) == 1 and len(taken) == 6
        assert len(taken) == 6

    def test_what_has_not_begun_is_cancelled(self) -> None:
        asked = threading.Event()
        done = []

        def wait(n: int) -> int:
            assert n == 0 or asked.wait(20)
            done.append(n)
            return n

        with ThreadPoolExecutor(1) as one:
            found = in_order(one, wait, range(100), 50)
            assert next(found) == 0
            found.close()  # type: ignore[attr-defined]
            asked.set()
        assert done in ([0], [0, 1])


class Counting(Executor):
    """Does nothing, and says how many tasks were there at once, and runs in one, at most."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None:
            self._max_workers = workers
        self.waiting = self.most = self.runs = 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        (task,) = args
        self.runs = max(self.runs, sum(block.size for block in task.blocks))
        future = Counted(self)
        future.set_result(["a block"])
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return future


class Counted(Future[Any]):
    def __init__(self, executor: Counting) -> None:
        super().__init__()
        self.executor = executor

    def result(self, timeout: float | None = None) -> Any:
        self.executor.waiting -= 1
        return super().result(timeout)


class TestBounds:
    @pytest.mark.parametrize(("workers", "most"), [(None, AHEAD), (3, AHEAD), (100, 200)])
    def test_more_waits_for_many_workers(self, workers: int | None, most: int) -> None:
        executor = Counting(workers)
        assert len(list(sparse_vector().map(len, 10**9, seed=1, executor=executor))) >= most
        assert executor.most == most

    @pytest.mark.parametrize("length", [1, 100, 5000])
    def test_less_waits_if_whole_outcomes_travel(self, length: int) -> None:
        executor = Counting()
        values = {"f": [1] * length, "T": [99.0] * length, "c": 1, "eps": 1.0}
        simulation = Simulation(one_mechanism("asymmetric_sparse_vector"), **values)
        found = simulation.blocks(10**8 // length, seed=1, executor=executor)
        assert len(list(found)) > executor.most > 1
        one = simulation.outcomes(64, seed=1).nbytes / 64
        assert 2**26 < executor.most * executor.runs * one <= 2**28


class TestSameResults:
    def test_threads_and_processes(self, threads: Executor, processes: Executor) -> None:
        expected = sparse_vector().outcomes(SAMPLES, seed=3)
        for executor in (threads, processes):
            assert same(expected, sparse_vector().outcomes(SAMPLES, seed=3, executor=executor))
            sums = list(sparse_vector().map(checksum, SAMPLES, seed=3, executor=executor))
            assert sums == list(sparse_vector().map(checksum, SAMPLES, seed=3))

    def test_everything_that_travels_can(self) -> None:
        for mechanism in gallery():
            flow = mechanism.program.inlined.flow
            assert pickle.loads(pickle.dumps(flow)) == flow


ERRORS = [
    BadInput("a", Location("b.py", 1, 2)),
    Unsupported("a", Location("b.py", 1, 2, "text", 3), "b", "never"),
    LimitReached("A", "b"),
]


def fails(error: ShiftproofError) -> None:
    raise error


class TestErrors:
    @pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
    def test_come_back_as_they_were(self, error: ShiftproofError, threads: Executor) -> None:
        def trip(function: Callable[[Any], Any], argument: Any) -> Any:
            try:
                return function(argument)
            except Exception as raised:
                raise pickle.loads(pickle.dumps(raised)) from None

        class Travelling(Executor):
            def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
                return threads.submit(trip, function, *args)

        with pytest.raises(type(error)) as found:
            list(in_order(Travelling(), fails, [error]))
        assert str(found.value) == str(error)
        assert found.value.__dict__ == error.__dict__

    def test_of_runs(self, processes: Executor) -> None:
        whole = Simulation(one_mechanism("geometric"), f=2**52, eps=1e-15)
        with pytest.raises(LimitReached) as here:
            whole.outcomes(5000, seed=1)
        with pytest.raises(LimitReached) as there:
            list(whole.map(len, 5000, seed=1, executor=processes))
        assert str(here.value) == str(there.value)

    def test_of_functions_are_their_own(self, threads: Executor, processes: Executor) -> None:
        for executor in (threads, processes):
            with pytest.raises(ValueError, match="math domain error"):
                list(in_order(executor, math.sqrt, [4, -1]))

    def test_a_pool_that_is_broken(self) -> None:
        with opener("processes:1")() as executor:
            with pytest.raises(BadInput, match="a worker ended before its work was done"):
                list(in_order(executor, os._exit, [3] * 100))
            with pytest.raises(BadInput, match="a worker ended before its work was done"):
                list(in_order(executor, abs, [3]))

    def test_a_pool_that_is_shut(self) -> None:
        with ThreadPoolExecutor(1) as executor:
            found = in_order(executor, abs, range(1000), 5)
            next(found)
            executor.shutdown()
            with pytest.raises(BadInput, match="executor: takes no work"):
                list(found)

    def test_tasks_that_are_dropped(self) -> None:
        with ThreadPoolExecutor(1) as executor:
            found = in_order(executor, time.sleep, [0, 0.2, 0, 0, 0])
            next(found)
            executor.shutdown(cancel_futures=True)
            with pytest.raises(BadInput, match="executor: a task was dropped"):
                list(found)


class Killing(Executor):
    """The cluster's executor, in the middle of whose work one of the workers is killed.

    The victim is frozen first, so it surely has in hand what the scheduler says it has.
    """

    def __init__(self, client: Any, victim: str, pid: int) -> None:
        self.client, self.victim, self.pid = client, victim, pid
        self.inner = client.get_executor()
        self.submitted = 0
        self.lost = 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = self.inner.submit(function, *args, **kwargs)
        self.submitted += 1
        if self.submitted >= 5 and not self.lost:
            os.kill(self.pid, signal.SIGSTOP)
            time.sleep(0.1)  # what it had done already is told
            self.lost = len(self.client.processing()[self.victim])
            os.kill(self.pid, signal.SIGKILL if self.lost else signal.SIGCONT)
        return future  # type: ignore[no-any-return]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_cluster_that_loses_a_worker(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="needs shiftproof[cluster]")
    samples = 15 * 16 * LARGEST_BLOCK
    simulation = sparse_vector()
    expected = list(simulation.map(checksum, samples, seed=5))
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    dask = pytest.importorskip("dask")
    with (
        dask.config.set(temporary_directory=str(tmp_path)),
        distributed.LocalCluster(processes=True, silence_logs=50, **options) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        pids = client.run(os.getpid)
        victim = min(pids)
        executor = Killing(client, victim, pids[victim])
        found = list(simulation.map(checksum, samples, seed=5, executor=executor))
        assert executor.lost > 0
        assert found == expected
        with opener(cluster.scheduler_address.replace("tcp://", "dask://"))() as opened:
            few = list(simulation.map(checksum, SAMPLES, seed=5, executor=opened))
        assert few[:-1] == expected[: len(few) - 1]
