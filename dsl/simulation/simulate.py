"""``Simulation``: a mechanism on one input, run as often as is asked for."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import BadInput
from ..flow import Flow
from .blocks import SMALLEST, Block, KeyedNoise, blocks, largest_block
from .machine import Machine
from .outcomes import Outcomes
from .spreading import in_order

if TYPE_CHECKING:
    from ..mechanism import Mechanism

T = TypeVar("T")

#: Runs that one task of an executor is worth, at least if so many are asked for.
TASK = 2**19


@dataclass(frozen=True, slots=True)
class _Plan:
    """Everything that a worker needs to know, as plain data that can be sent to it."""

    flow: Flow
    inputs: dict[str, Any]
    seed: int

    def simulated(self, wanted: Iterable[Block]) -> Iterator[Outcomes]:
        machine = Machine(self.flow, self.inputs)
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
    return [task.function(outcomes) for outcomes in task.plan.simulated(task.blocks)]


def _as_it_is(outcomes: Outcomes) -> Outcomes:
    return outcomes


class Simulation:
    """Many independent runs of a mechanism on one input, as array code.

    The distribution is that of calling the mechanism: the same program on floating-point
    numbers, with exact samplers for noise on the integers and idealised ones for the rest.
    Whoever knows the seed knows the noise, so this is for tests, never for releases.

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
        # A stream is taken to its end: what it holds may not depend on the releases here.
        self._inputs = {n: tuple(v) if isinstance(v, Iterator) else v for n, v in values.items()}

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
        return self.map(_as_it_is, samples, seed=seed, executor=executor)

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
        must be one that can be pickled.

        Raises:
            BadInput: as for :meth:`outcomes`; at once, not at the first block.
        """
        _check_count("samples", samples)
        if seed is None:
            seed = secrets.randbits(63)
        if not _is_count(seed, 0):
            raise BadInput(f"seed: got {seed!r}; an int that is not negative is needed")
        return self._mapped(function, samples, seed, executor)

    def _mapped(
        self, function: Callable[[Outcomes], T], samples: int, seed: int, executor: Executor | None
    ) -> Iterator[T]:
        plan = _Plan(self._flow, self._inputs, seed)
        largest = self._largest_block(seed)
        if executor is None:
            yield from map(function, plan.simulated(blocks(samples, largest)))
            return
        tasks = (_Task(plan, part, function) for part in _portions(blocks(samples, largest)))
        yield from chain.from_iterable(in_order(executor, _done, tasks))

    def _largest_block(self, seed: int) -> int:
        """How large blocks may be, by what the first one takes: so it is the same everywhere."""
        machine = Machine(self._flow, self._inputs)
        first = machine.run(SMALLEST, KeyedNoise(seed, 0))
        # A release is kept twice for a while, and with the number of its run.
        outcomes = (3 * first.nbytes + 24 * len(first.codes)) / SMALLEST
        return largest_block(outcomes + 16 * machine.cells)


def _portions(found: Iterator[Block]) -> Iterator[tuple[Block, ...]]:
    """Consecutive blocks, about :data:`TASK` runs at a time."""
    while first := next(found, None):
        yield (first, *islice(found, max(TASK // first.size, 1) - 1))


def _check_count(name: str, value: Any) -> None:
    if not _is_count(value, 1):
        raise BadInput(f"{name}: got {value!r}; an int of at least 1 is needed")


def _is_count(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
