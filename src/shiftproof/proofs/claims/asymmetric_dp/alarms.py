"""Algorithms 3 and 4 as printed, line by line, with the exact law of what they release.

The noise is geometric on 0, 1, ... and ε = ln 2, so all probabilities are rational.  A released
count of at least ``most`` is released as ``most``: where ``most`` is the number of records, all
larger values have the same ratio, and nothing later depends on them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Literal, NamedTuple, TypeAlias

from ..ways.small import Law

#: e^(−ε).
ALPHA = Fraction(1, 2)
SAFE, SILENT = "safe", "silent"

#: A record of Algorithm 3: no visit, a visit in the step of its batch, or one in the step before.
ABSENT, NOW, BEFORE = range(3)
Batch: TypeAlias = tuple[int, ...]
#: How Algorithm 3 is read: the queue holds all records, which expire by their batch; or those of
#: visitors only; or all, and they expire by their visit.
Reading = Literal["all records", "visitors only", "private expiry"]
#: Where line 7 of Algorithm 4 goes back to.
Jump = Literal["line 4", "next batch", "next location"]
#: After how many lines a run is said not to come back.
ENDLESS = 1000


class Datum(NamedTuple):
    """A record in the queue."""

    visited: bool
    since: int
    marked: bool


def answers(count: int, threshold: int, most: int) -> Iterator[tuple[object, Fraction]]:
    """The law of one answer: the noisy count from the threshold on, else safe."""
    top = max(most, threshold)
    for value in range(max(count, threshold), top):
        yield value, (1 - ALPHA) * ALPHA ** (value - count)
    yield top, ALPHA ** (top - count)
    if count < threshold:
        yield SAFE, 1 - ALPHA ** (threshold - count)


@cache
def algorithm_3(batches: tuple[Batch, ...], threshold: int, window: int, reading: Reading) -> Law:
    """The law of the outputs, one for each batch."""
    most = sum(map(len, batches))
    law: dict[Hashable, Fraction] = {}

    def run(
        at: int, queue: tuple[Datum, ...], outputs: tuple[object, ...], chance: Fraction
    ) -> None:
        if at == len(batches):
            law[outputs] = law.get(outputs, Fraction(0)) + chance
            return
        queue = tuple(
            d for d in (*queue, *_data(batches[at], at, reading)) if at - d.since < window
        )
        if any(d.marked for d in queue):
            run(at + 1, queue, (*outputs, SILENT), chance)
            return
        for output, probability in answers(sum(d.visited for d in queue), threshold, most):
            alarm = output != SAFE
            then = tuple(d._replace(marked=alarm) for d in queue)
            run(at + 1, then, (*outputs, output), chance * probability)

    run(0, (), (), Fraction(1))
    return law


def _data(batch: Batch, at: int, reading: Reading) -> Iterator[Datum]:
    for record in batch:
        if record != ABSENT or reading != "visitors only":
            early = record == BEFORE and reading == "private expiry"
            yield Datum(record != ABSENT, at - early, marked=False)


@cache
def algorithm_4(batches: tuple[Batch, ...], places: int, threshold: int, jump: Jump) -> Law:
    """The law of the outputs of each batch; a record is its place, or −1 for nowhere."""
    most = sum(map(len, batches))
    law: dict[Hashable, Fraction] = {}

    def run(
        at: int, place: int, marks: frozenset[int], outputs: tuple[object, ...], chance: Fraction
    ) -> None:
        if at == len(batches):
            law[outputs] = law.get(outputs, Fraction(0)) + chance
        elif place == places:
            run(at + 1, 0, marks, outputs, chance)
        elif place in marks:
            onward = (at + 1, 0) if jump == "next batch" else (at, place + 1)
            run(*onward, marks, (*outputs, SILENT), chance)
        else:
            count = sum(batch.count(place) for batch in batches[: at + 1])
            for output, probability in answers(count, threshold, most):
                then = marks if output == SAFE else marks | {place}
                run(at, place + 1, then, (*outputs, output), chance * probability)

    run(0, 0, frozenset(), (), Fraction(1))
    return law


def runs(law: Law) -> Iterator[tuple[object, ...]]:
    """All that can be released, as sequences of outputs."""
    for run in law:
        assert isinstance(run, tuple)
        yield run


def answered(
    batches: Sequence[Batch], places: int, threshold: int, jump: Jump
) -> set[tuple[int, int]]:
    """After which batch Algorithm 4 answers about which place, in the run with noise 0.

    A run that goes back to line 4 never gets past a place that is marked, so it never ends.
    """
    array: list[int] = []
    marks: set[int] = set()
    found: set[tuple[int, int]] = set()
    for at, batch in enumerate(batches):
        array += batch
        place = lines = 0
        while place < places:
            lines += 1
            if lines > ENDLESS:
                return found
            if place not in marks:
                found.add((at, place))
                if array.count(place) >= threshold:
                    marks.add(place)
                place += 1
            elif jump == "line 4":
                array += batch
                place = 0
            else:
                place = places if jump == "next batch" else place + 1
    return found


def small(steps: int, size: int, values: Sequence[int]) -> Iterator[tuple[Batch, ...]]:
    """All sequences of so many batches of at most ``size`` records, whose order is of no matter."""
    batches = [b for n in range(size + 1) for b in combinations_with_replacement(values, n)]
    return product(batches, repeat=steps)


def hidden(batches: Sequence[Batch], instead: int) -> Iterator[tuple[Batch, ...]]:
    """All that arise where one sensitive record becomes the one that is not sensitive."""
    for t, batch in enumerate(batches):
        for i, record in enumerate(batch):
            if record != instead:
                changed = (*batch[:i], instead, *batch[i + 1 :])
                yield (*batches[:t], changed, *batches[t + 1 :])
