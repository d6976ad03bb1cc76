"""What the runs of a block release, as it comes and position by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LimitReached
from .outcomes import FALSE, FIRST_ATOM, FLOAT, INT, TRUE, Ending, Outcomes
from .values import Array, Rows, Value, plain


@dataclass(frozen=True, slots=True)
class Codes:
    """One released value of some runs: its code, and the bits if it is a number."""

    code: int | Array
    bits: int | Array | None

    def where(self, mask: NDArray[np.bool_], other: Codes) -> Codes:
        """This release in the runs of a mask, another one in the others."""
        code = _codes_where(mask, self.code, other.code)
        if self.bits is None and other.bits is None:
            return Codes(code, None)
        mine, others = (0 if b is None else b for b in (self.bits, other.bits))
        return Codes(code, np.where(mask, mine, others))


class Log:
    """The releases and the ends of ``size`` runs."""

    def __init__(self, size: int, atoms: Sequence[str | None]) -> None:
        self._size = size
        #: The numbers of all runs.
        self.all: Rows = np.arange(size)
        self._atoms = tuple(atoms)
        self._codes = {atom: FIRST_ATOM + k for k, atom in enumerate(atoms)}
        #: Of each release: the runs, how many values they released before, and it.
        self._entries: list[tuple[Rows, int | Array, Codes]] = []
        self._lengths = np.zeros(size, np.int64)
        self._endings = np.full(size, Ending.END, np.uint8)
        self._wrong: NDArray[np.bool_] | None = None

    def release(self, rows: Rows, position: int | Array, release: Codes) -> None:
        """The runs release a value each, after ``position`` others."""
        self._entries.append((rows, position, release))

    def close(self, rows: Rows, released: int | Array, ending: Ending) -> None:
        """The runs are over, after so many releases."""
        self._lengths[rows] = released
        if ending != Ending.END:
            self._endings[rows] = ending

    def claim(self, rows: Rows, holds: Array) -> None:
        """What the runs are about to release is right, or it is not."""
        if self._wrong is None:
            self._wrong = np.zeros(self._size, np.bool_)
        self._wrong[rows] |= np.logical_not(holds)

    def packed(self) -> Outcomes:
        """Everything, run by run."""
        ends = np.cumsum(self._lengths)
        starts = ends - self._lengths
        total = int(ends[-1]) if self._size else 0
        codes = np.zeros(total, np.uint8)
        numbers = any(release.bits is not None for *_, release in self._entries)
        payload = np.zeros(total, np.int64) if numbers else None
        for rows, position, release in self._entries:
            at = (starts if rows is self.all else starts.take(rows)) + position
            codes[at] = release.code
            if release.bits is not None and payload is not None:
                payload[at] = release.bits
        return Outcomes(self._lengths, codes, payload, self._endings, self._wrong, self._atoms)

    def coded(self, value: Value) -> Codes:
        """A value as it is written down.

        Raises:
            LimitReached: it is a number that is too large, or no string of the source.
        """
        if isinstance(value, np.ndarray):
            if value.dtype.kind == "b":
                return Codes(value.view(np.uint8) + np.uint8(FALSE), None)
            whole = value.dtype.kind == "i"
            return Codes(INT, value) if whole else Codes(FLOAT, value.view(np.int64))
        if isinstance(value, bool):
            return Codes(TRUE if value else FALSE, None)
        if isinstance(value, int | float | Fraction):
            number: Any = plain(value)
            if isinstance(number, int):
                return Codes(INT, number)
            return Codes(FLOAT, int(np.float64(number).view(np.int64)))
        assert not isinstance(value, tuple)
        if value not in self._codes:
            raise LimitReached(
                "ATOMS", f"{value!r} is computed; strings of the source are released"
            )
        return Codes(self._codes[value], None)


def _codes_where(mask: NDArray[np.bool_], yes: int | Array, no: int | Array) -> Array:
    """``yes`` where the mask holds, ``no`` elsewhere; of two single codes much faster."""
    if isinstance(yes, np.ndarray) or isinstance(no, np.ndarray):
        found: Array = np.where(mask, np.asarray(yes, np.uint8), np.asarray(no, np.uint8))
        return found
    step = np.uint8((yes - no) % 256)
    return mask.view(np.uint8) * step + np.uint8(no)


# The outcomes of a block position by position: what each run released first, second, …

#: The code of a run that has released less.
ABSENT = 0


@dataclass(frozen=True, slots=True)
class Column:
    """What each run released at one position.

    Attributes:
        codes: shape (n,); as in ``Outcomes``, or :data:`ABSENT`.
        code: the code, if it is the same for all runs; else ``None``.
        payload: shape (n,); the bits of the numbers; ``None`` if no number is released.
    """

    codes: NDArray[np.uint8]
    code: int | None
    payload: NDArray[np.int64] | None

    def numbers(self) -> tuple[NDArray[np.float64], bool]:
        """The numbers of the runs that released one, in their order; whether all are ints."""
        if self.payload is None:
            return np.empty(0), False
        if self.code is not None:
            return _numbers(self.code, self.payload)
        is_float, is_int = self.codes == FLOAT, self.codes == INT
        if not is_float.any():
            return _numbers(INT, self.payload[is_int])
        if not is_int.any():
            return _numbers(FLOAT, self.payload[is_float])
        found = np.where(is_int, self.payload.astype(np.float64), self.payload.view(np.float64))
        return found[is_float | is_int], False


def _numbers(code: int, payload: NDArray[np.int64]) -> tuple[NDArray[np.float64], bool]:
    if code == FLOAT:
        return payload.view(np.float64), False
    if code == INT:
        return payload.astype(np.float64), True
    return np.empty(0), False


def columns(outcomes: Outcomes, most: int) -> list[Column]:
    """The first positions, ``most`` of them at most, as far as any run comes."""
    n = len(outcomes)
    longest = int(outcomes.lengths.max(initial=0))
    if n and longest * n == len(outcomes.codes):  # all are as long
        codes = outcomes.codes.reshape(n, longest)
        payload = None if outcomes.payload is None else outcomes.payload.reshape(n, longest)
        return [
            _column(codes[:, k], None if payload is None else payload[:, k])
            for k in range(min(longest, most))
        ]
    return [_with_gaps(outcomes, k) for k in range(min(longest, most))]


def _with_gaps(outcomes: Outcomes, position: int) -> Column:
    at = np.flatnonzero(outcomes.lengths > position)
    places = outcomes.starts.take(at) + position
    codes = np.full(len(outcomes), ABSENT, np.uint8)
    codes[at] = outcomes.codes.take(places)
    if outcomes.payload is None:
        return _column(codes, None)
    payload = np.zeros(len(outcomes), np.int64)
    payload[at] = outcomes.payload.take(places)
    return _column(codes, payload)


def _column(codes: NDArray[np.uint8], payload: NDArray[np.int64] | None) -> Column:
    codes = np.ascontiguousarray(codes)
    low, high = int(codes.min()), int(codes.max())
    code = low if low == high else None
    if payload is not None:
        payload = np.ascontiguousarray(payload)
    return Column(codes, code, payload)
