"""``Simulation``: a mechanism on one input, run as often as is asked, here or on an executor."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..errors import BadInput
from ..language.flow import Flow
from ..noise import Distribution
from .machine import Machine
from .outcomes import Outcomes
from .spreading import AHEAD, in_order
from .values import Array, Rows

if TYPE_CHECKING:
    from ..mechanism import Mechanism

T = TypeVar("T")

#: How many answers of a stream are simulated; an endless one would fill the memory.
LONGEST_STREAM = 1_000_000

#: How many blocks one task of an executor is worth at most: some ten milliseconds of work.
TASK = 16

#: How much memory outcomes on their way from an executor may take, in bytes, roughly.
CARRIED = 2**28


@dataclass(frozen=True, slots=True)
class _Plan:
    """Everything that a worker needs to know, as plain data that can be sent to it."""

    flow: Flow
    inputs: dict[str, Any]
    seed: int

    def machine(self) -> Machine:
        return Machine(self.flow, self.inputs)

    def simulated(self, wanted: Iterable[Block], machine: Machine) -> Iterator[Outcomes]:
        for block in wanted:
            noise = KeyedNoise(self.seed, block.number)
            yield machine.run(block.size, noise)[: block.wanted]


@dataclass(frozen=True, slots=True)
class _Task:
    """Some blocks, and what is to be made of each."""

    plan: _Plan
    blocks: tuple[Block, ...]
    function: Callable[[Outcomes], Any]


def _done(task: _Task) -> list[Any]:
    plan = task.plan
    return [task.function(outcomes) for outcomes in plan.simulated(task.blocks, plan.machine())]


def _as_it_is(outcomes: Outcomes) -> Outcomes:
    return outcomes


class Simulation:
    """Many independent runs of a mechanism on one input, as array code.

    The distribution is that of calling the mechanism: the same program on floating-point
    numbers, with exact samplers for noise on the integers and idealised ones for the rest.
    Fractions are exact as long as all runs share them, and where they are compared; where they
    are added to numbers that differ by run, or released, they are rounded to floats.  Whole
    numbers are exact, below 2^53 in size.  Whoever knows the seed knows the noise, so this is
    for tests, never for releases.

    With a seed, the runs are the same bit for bit, whatever executor, number of workers or
    batch size (and the first of many runs are those of a few); with the same release of numpy.

    Args:
        mechanism: what ``@mechanism`` made; its file need not have been executed.
        inputs: all inputs by parameter name.

    Raises:
        BadInput: an input is missing, of the wrong kind, or breaks a precondition.
        Unsupported: the mechanism is outside the language.
    """

    def __init__(self, mechanism: Mechanism[..., Any], /, **inputs: Any) -> None:
        program = mechanism.program
        values = mechanism.convert(**inputs)
        self.name = program.name
        self._flow = program.inlined.flow
        self._inputs = {
            n: _taken(n, v) if isinstance(v, Iterator) else v for n, v in values.items()
        }

    def outcomes(
        self, samples: int, *, seed: int | None = None, executor: Executor | None = None
    ) -> Outcomes:
        """What ``samples`` runs release, all in memory.

        Args:
            samples: how many runs; at least 1.
            seed: not negative; by default one that nobody knows.
            executor: runs blocks in its workers, in any order; by default they run here.

        Raises:
            BadInput: ``samples`` or ``seed`` is out of range.
            LimitReached: a whole number of a run is 2^53 or more in size.
        """
        return Outcomes.joined(list(self.blocks(samples, seed=seed, executor=executor)))

    def blocks(
        self, samples: int, *, seed: int | None = None, executor: Executor | None = None
    ) -> Iterator[Outcomes]:
        """The same runs, a block at a time, so that memory does not grow with ``samples``."""
        return self._mapped(_as_it_is, *_checked(samples, seed), executor)

    def batches(
        self, samples: int, size: int, *, seed: int | None = None, executor: Executor | None = None
    ) -> Iterator[Outcomes]:
        """The same runs, ``size`` at a time; the last batch may be smaller.

        Raises:
            BadInput: as for :meth:`outcomes`, or ``size`` is below 1.
        """
        _check_count("size", size)
        held: list[Outcomes] = []
        for part in self.blocks(samples, seed=seed, executor=executor):
            held.append(part)
            if sum(map(len, held)) >= size:
                whole = Outcomes.joined(held)
                cuts = range(0, len(whole) - size + 1, size)
                yield from (whole[k : k + size] for k in cuts)
                held = [whole[cuts[-1] + size :]]
        if any(map(len, held)):
            yield Outcomes.joined(held)

    def map(
        self,
        function: Callable[[Outcomes], T],
        samples: int,
        *,
        seed: int | None = None,
        executor: Executor | None = None,
    ) -> Iterator[T]:
        """``function`` of each block, in the order of the blocks.

        With an executor it is applied where the runs are made, and only its results travel; it
        must be one that can be pickled, and its results small: those of some thousand blocks may
        wait until it is their turn.

        Raises:
            BadInput: as for :meth:`outcomes`; at once, not at the first block.  Later, with an
                executor: it lost its workers, or was shut down.
            LimitReached: as for :meth:`outcomes`.
        """
        return self._mapped(function, *_checked(samples, seed), executor)

    def _mapped(
        self, function: Callable[[Outcomes], T], samples: int, seed: int, executor: Executor | None
    ) -> Iterator[T]:
        plan = _Plan(self._flow, self._inputs, seed)
        machine = plan.machine()
        # The first block tells how large the others may be, so that it is the same everywhere.
        first = machine.run(SMALLEST, KeyedNoise(seed, 0))
        bytes_per_run = _bytes_per_run(first, machine)
        largest = largest_block(bytes_per_run)
        found = blocks(samples, largest)
        if executor is None:
            yield function(first[: next(found).wanted])
            yield from map(function, plan.simulated(found, machine))
            return
        # What takes more memory takes more time: then a task is worth fewer blocks.
        worth = min(max(int(BLOCK_BYTES / (bytes_per_run * largest)), 1), TASK)
        ahead = _ahead(executor)
        if function is _as_it_is:
            ahead = min(ahead, max(int(CARRIED / (first.nbytes / SMALLEST * largest * worth)), 2))
        tasks = (_Task(plan, part, function) for part in _portions(found, worth))
        yield from chain.from_iterable(in_order(executor, _done, tasks, ahead))


def block_size(flow: Flow, inputs: Mapping[str, Any]) -> int:
    """How many runs on such inputs are simulated at once."""
    machine = Machine(flow, inputs)
    return largest_block(_bytes_per_run(machine.run(SMALLEST, KeyedNoise(0)), machine))


def _bytes_per_run(first: Outcomes, machine: Machine) -> float:
    """What a run takes while it is simulated, roughly, by the first ones that the machine made."""
    # A release is kept twice for a while, and with the number of its run.
    outcomes = (3 * first.nbytes + 24 * len(first.codes)) / len(first)
    return outcomes + 16 * machine.cells


def _portions(found: Iterator[Block], worth: int) -> Iterator[tuple[Block, ...]]:
    """Consecutive blocks, ``worth`` at a time."""
    while portion := tuple(islice(found, worth)):
        yield portion


def _ahead(executor: Executor) -> int:
    """How many tasks keep all workers busy; pools say how many they have, if not in public."""
    workers = getattr(executor, "_max_workers", 0)
    return max(AHEAD, 2 * workers if isinstance(workers, int) else 0)


def _checked(samples: Any, seed: Any) -> tuple[int, int]:
    """How many runs there are, and a seed."""
    _check_count("samples", samples)
    if seed is None:
        seed = secrets.randbits(63)
    if not _is_count(seed, 0):
        raise BadInput(f"seed: got {seed!r}; an int that is not negative is needed")
    return samples, seed


def _taken(name: str, stream: Iterator[Any]) -> tuple[Any, ...]:
    """A stream to its end: what it holds cannot depend on the releases here."""
    found = tuple(islice(stream, LONGEST_STREAM + 1))
    if len(found) > LONGEST_STREAM:
        raise BadInput(f"{name}: got a stream of more than {LONGEST_STREAM} answers; give fewer")
    return found


def _check_count(name: str, value: Any) -> None:
    if not _is_count(value, 1):
        raise BadInput(f"{name}: got {value!r}; an int of at least 1 is needed")


def _is_count(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


# Blocks: what is simulated at once, whoever asks for how many runs.
#
# Block b of a simulation is always the same runs with the same noise, keyed by (seed, b).  The
# first two are small, each further one is twice as long, up to a size that depends on how much
# the first one took; so a few runs are cheap, and a shorter simulation is the beginning of a
# longer one.

#: Runs in the first block, and at most in any.
SMALLEST, LARGEST_BLOCK = 64, 2**16

#: How much memory the outcomes and lists of one block may take, in bytes, roughly.
BLOCK_BYTES = 2**26


@dataclass(frozen=True, slots=True)
class Block:
    """``size`` runs from the run ``begin`` on, of which the first ``wanted`` are asked for."""

    number: int
    begin: int
    size: int
    wanted: int


def blocks(samples: int, largest: int) -> Iterator[Block]:
    """The blocks that hold the first ``samples`` runs; ``largest`` is a power of two."""
    begin, number = 0, 0
    while begin < samples:
        size = min(SMALLEST << max(number - 1, 0), largest)
        yield Block(number, begin, size, min(size, samples - begin))
        begin, number = begin + size, number + 1


def largest_block(bytes_per_run: float) -> int:
    """The size of all blocks but the first few: a power of two."""
    fitting = int(BLOCK_BYTES / max(bytes_per_run, 1))
    return min(max(1 << fitting.bit_length() - 1 if fitting else 0, SMALLEST), LARGEST_BLOCK)


class KeyedNoise:
    """The noise of one block; ``key`` is its number, after whatever else tells it apart."""

    def __init__(self, seed: int, *key: int) -> None:
        sequence = np.random.SeedSequence(seed, spawn_key=key)
        self._generator = np.random.Generator(np.random.SFC64(sequence))

    def draw(self, distribution: Distribution, rows: Rows) -> Array:
        """One draw for each run, by their order in the group."""
        return distribution.draw_many(self._generator, len(rows))
