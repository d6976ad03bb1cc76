"""The outcomes of a block position by position: what each run released first, second, …"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .outcomes import FLOAT, INT, Outcomes

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
