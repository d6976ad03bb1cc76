"""Many draws at once with numpy, of noise on the reals: fast, and idealised as floats are.

Loaded when a batch is drawn; nothing else of the language needs numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import LimitReached

if TYPE_CHECKING:
    from ..base import Draw, Lattice, Uniforms

_TYPES: dict[Lattice, type[Any]] = {"reals": np.float64, "integers": np.int64, "booleans": np.bool_}


class FromGenerator:
    """A numpy generator as a source of single uniform numbers."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def random(self) -> float:
        """The next float in [0, 1)."""
        return self._generator.random()

    def randrange(self, stop: int, /) -> int:
        """The next integer below ``stop``, however large; a number that is too large is refused."""
        bits = (stop - 1).bit_length()
        octets = (bits + 7) // 8
        while True:
            found = int.from_bytes(self._generator.bytes(octets)) >> (8 * octets - bits)
            if found < stop:
                return found


def one_by_one(
    draw: Callable[[Uniforms], Draw], lattice: Lattice, generator: np.random.Generator, size: int
) -> NDArray[Any]:
    """Draws made one after the other, as an array of the lattice's type.

    Raises:
        LimitReached: a whole number does not fit into 64 bits.
    """
    source = FromGenerator(generator)
    drawn = [draw(source) for _ in range(size)]
    try:
        return np.array(drawn, _TYPES[lattice])
    except OverflowError:
        largest = max(abs(int(x)) for x in drawn)
        raise LimitReached(
            "64-bit integers", f"noise of {largest.bit_length()} bits was drawn"
        ) from None


def laplace(generator: np.random.Generator, size: int, scale: float) -> NDArray[np.float64]:
    """Draws with density ``exp(-|x| / scale) / (2 scale)``."""
    drawn = generator.standard_exponential(size)
    # A random sign is one random bit, put where a float keeps its sign.
    octets = np.frombuffer(generator.bytes((size + 7) // 8), np.uint8)
    signs = np.unpackbits(octets, count=size).astype(np.uint64)
    signs <<= np.uint64(63)
    drawn.view(np.uint64)[:] ^= signs
    drawn *= scale
    return drawn


def exponential(generator: np.random.Generator, size: int, scale: float) -> NDArray[np.float64]:
    """Draws with density ``exp(-x / |scale|) / |scale|``, mirrored if ``scale`` is negative."""
    drawn = generator.standard_exponential(size)
    drawn *= scale
    return drawn


def uniform(
    generator: np.random.Generator, size: int, low: float, high: float
) -> NDArray[np.float64]:
    """Draws from [low, high]."""
    drawn = generator.random(size)
    drawn *= high - low
    drawn += low
    return drawn


def staircase(
    generator: np.random.Generator,
    size: int,
    scale: float,
    step: float,
    share: float,
    first_part: float,
) -> NDArray[np.float64]:
    """Draws of a staircase, part by part; ``first_part`` is how likely a period's first one is."""
    steps = np.trunc(scale * generator.standard_exponential(size))
    inside = generator.random(size)
    first = generator.random(size) < first_part
    part = np.where(first, share * inside, share + (1 - share) * inside)
    drawn: NDArray[np.float64] = (steps + part) * step
    return np.where(generator.integers(0, 2, size) == 1, -drawn, drawn)
