"""The sizes of a program's inputs: which they are, and which of them are looked at.

Sizes are public integer parameters and the lengths of sequences.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ...dsl.inputs import (
    EpsilonInput,
    IntegerValue,
    IntegerValues,
    PublicFloat,
    PublicInt,
    PublicVector,
)
from ...dsl.program import Program
from ...dsl.syntax import Comparison, Constant, Expression, Length, Name
from .ratios import Declined

#: Up to which size everything is looked at.
ENUMERATED_SIZE = 8

#: A choice of all sizes, by name; the length of ``q`` is named ``len(q)``.
Sizes = Mapping[str, int]
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


@dataclass(frozen=True, slots=True)
class Range:
    """The sizes that the preconditions may allow; ``high`` is ``None`` if there is no largest."""

    low: int
    high: int | None


def ranges_of(program: Program) -> dict[str, Range]:
    """The range of each size.

    Raises:
        Declined: an input is not finite once sizes are fixed, or a size has no least value.
    """
    lows: dict[str, int | None] = {}
    highs: dict[str, int | None] = {}
    for name, kind in program.inputs.items():
        if isinstance(kind, IntegerValue | IntegerValues):
            if kind.array:
                lows[length_of(name)] = 0
        elif isinstance(kind, PublicVector):
            lows[length_of(name)] = 0
        elif isinstance(kind, PublicInt) and not kind.array:
            lows[name] = kind.minimum
        elif not isinstance(kind, PublicFloat | EpsilonInput) or kind.array:
            raise Declined(f"'{name}' ({type(kind).__name__}) does not take finitely many values")
    for _ in range(len(lows) + 1):
        for precondition in program.preconditions:
            _limit(precondition, lows, highs)
    for name in lows:
        if lows[name] is None:
            raise Declined(f"'{name}' has no least value: assert from where on it counts")
    return {name: Range(low or 0, highs.get(name)) for name, low in lows.items()}


def _limit(e: Expression, lows: dict[str, int | None], highs: dict[str, int | None]) -> None:
    """What one precondition says of one size: ``k >= 2``, ``k < n``."""
    if not isinstance(e, Comparison) or e.operator not in _MIRRORED:
        return
    for left, right, operator in (
        (e.left, e.right, e.operator),
        (e.right, e.left, _MIRRORED[e.operator]),
    ):
        name = _size(left)
        if name not in lows:
            continue
        other = _size(right)
        if operator in (">", ">=", "=="):
            least = lows.get(other) if other else _constant(right)
            if least is not None:
                least = math.floor(least) + 1 if operator == ">" else math.ceil(least)
                before = lows[name]
                lows[name] = least if before is None else max(before, least)
        if operator in ("<", "<=", "=="):
            most = highs.get(other) if other else _constant(right)
            if most is not None:
                most = math.ceil(most) - 1 if operator == "<" else math.floor(most)
                known = highs.get(name)
                highs[name] = most if known is None else min(known, most)


def _size(e: Expression) -> str:
    if isinstance(e, Name):
        return e.name
    return length_of(e.array) if isinstance(e, Length) else ""


def _constant(e: Expression) -> Fraction | None:
    return e.value if isinstance(e, Constant) else None


def length_of(name: str) -> str:
    """What the length of a sequence is called."""
    return f"len({name})"


def choices(ranges: Mapping[str, Range], largest: int) -> Iterator[Sizes]:
    """All choices of sizes of which the largest one is ``largest``."""
    spans = [
        range(r.low, min(largest, largest if r.high is None else r.high) + 1)
        for r in ranges.values()
    ]
    for values in itertools.product(*spans):
        if max(values, default=largest) == largest:
            yield dict(zip(ranges, values, strict=True))


def rounds(ranges: Mapping[str, Range]) -> Iterator[int]:
    """The largest sizes to look at, one after the other."""
    if not ranges:
        yield 0
        return
    least = max(r.low for r in ranges.values())
    yield from range(least, ENUMERATED_SIZE + 1)


def covers_all(ranges: Mapping[str, Range], largest: int) -> bool:
    """Whether there are no larger sizes."""
    return all(r.high is not None and r.high <= largest for r in ranges.values())
