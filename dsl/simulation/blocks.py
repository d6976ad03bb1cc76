"""Blocks: what is simulated at once, whoever asks for how many runs.

Block b of a simulation is always the same runs with the same noise, keyed by (seed, b).  The
first two are small, each further one is twice as long, up to a size that depends on how much
the first one took; so a few runs are cheap, and a shorter simulation is the beginning of a
longer one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..noise import Distribution
from .values import Array, Rows

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
