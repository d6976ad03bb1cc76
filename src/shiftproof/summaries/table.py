"""How often each outcome came, for as many different ones as memory is given to.

All floats count as the same one here.  Long outcomes count by their first values and their length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..dsl.simulation.columns import Column
from ..dsl.simulation.labels import Labels
from ..dsl.simulation.outcomes import (
    FIRST_ATOM,
    FLOAT,
    INT,
    TRUE,
    Ending,
    Outcomes,
    Released,
)

#: How many different outcomes are kept, and how many bytes those of one block may take.
KEPT, BLOCK_BYTES = 10_000, 2**17

#: By how many of its values an outcome is known.
VALUES = 16


class AnyFloat:
    """What stands for a float in an outcome."""

    def __repr__(self) -> str:
        return "<float>"


ANY_FLOAT = AnyFloat()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The first values of a run, how many it released in all, and how it ended."""

    values: tuple[Released | AnyFloat, ...]
    length: int
    ending: Ending


@dataclass(frozen=True, slots=True)
class BlockTable:
    """The outcomes of a block, the most frequent ones first: one key a row.

    A key is the ending, the length in 8 bytes, and 9 bytes for each value: its code, and the
    value if it is an int.  ``others`` is how many runs had an outcome that is left out.
    """

    keys: NDArray[np.uint8]
    counts: NDArray[np.int64]
    others: int


@dataclass(slots=True)
class Table:
    """How often each outcome came.

    Attributes:
        counts: by key, without its zeros at the end.
        others: how many runs are not in ``counts``.  If there are any, counts are lower bounds.
        atoms: ``None`` and the strings that are released.
    """

    counts: dict[bytes, int] = field(default_factory=dict)
    others: int = 0
    atoms: tuple[str | None, ...] = ()

    def add(self, block: BlockTable) -> None:
        """Count the outcomes of the next block."""
        self.others += block.others
        text, width = block.keys.tobytes(), block.keys.shape[1]
        for k, count in enumerate(block.counts.tolist()):
            key = text[k * width : (k + 1) * width].rstrip(b"\0")
            known = self.counts.get(key)
            if known is None and len(self.counts) == KEPT:
                self.others += count
            else:
                self.counts[key] = (known or 0) + count

    def most_frequent(self, most: int) -> list[tuple[Outcome, int]]:
        """The outcomes with their counts, at most so many; of equal ones the first that came."""
        ordered = sorted(self.counts.items(), key=lambda item: -item[1])
        return [(self._outcome(key), count) for key, count in ordered[:most]]

    def _outcome(self, key: bytes) -> Outcome:
        key = key.ljust(9 + 9 * VALUES, b"\0")
        length = int.from_bytes(key[1:9], "little")
        places = range(9, 9 + 9 * min(length, VALUES), 9)
        values = (self._value(key[k], key[k + 1 : k + 9]) for k in places)
        return Outcome(tuple(values), length, Ending(key[0]))

    def _value(self, code: int, payload: bytes) -> Released | AnyFloat:
        if code == FLOAT:
            return ANY_FLOAT
        if code == INT:
            return int.from_bytes(payload, "little", signed=True)
        return self.atoms[code - FIRST_ATOM] if code >= FIRST_ATOM else code == TRUE


def table_of(outcomes: Outcomes, columns: Sequence[Column]) -> BlockTable:
    """The outcomes of a block; ``columns`` are its first positions."""
    labels = Labels(len(outcomes))
    labels.tell_apart(outcomes.endings)
    labels.tell_apart(outcomes.lengths)
    columns = columns[:VALUES]
    for column in columns:
        labels.tell_apart(column.codes)
        if column.payload is not None and column.code in (None, INT):
            whole = column.payload if column.code == INT else _ints(column.codes, column.payload)
            labels.tell_apart(whole)
    first, counts = labels.groups()
    order = np.argsort(-counts, kind="stable")
    width = 9 + 9 * len(columns)
    order = order[: min(KEPT, BLOCK_BYTES // (width + 8))]
    first, counts, everything = first[order], counts[order], int(counts.sum())
    keys = np.zeros((len(first), width), np.uint8)
    keys[:, 0] = outcomes.endings.take(first)
    keys[:, 1:9] = _bytes(outcomes.lengths.take(first))
    for k, column in enumerate(columns):
        codes = column.codes.take(first)
        keys[:, 9 + 9 * k] = codes
        if column.payload is not None:
            keys[:, 10 + 9 * k : 18 + 9 * k] = _bytes(_ints(codes, column.payload.take(first)))
    return BlockTable(keys, counts, everything - int(counts.sum()))


def _ints(codes: NDArray[np.uint8], payload: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ints, and 0 where something else was released."""
    return np.where(codes == INT, payload, 0)


def _bytes(numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(numbers, "<i8").view(np.uint8).reshape(len(numbers), 8)
