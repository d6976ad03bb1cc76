"""Runs told apart by what they did, one property after another."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Labels below this are counted without sorting.
_DENSE = 2**18


class Labels:
    """Numbers for ``size`` runs, at least one: the same for those that nothing tells apart.

    They are ordered as the properties are, the first one first.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._labels: NDArray[np.int64] | None = None  # all runs are alike
        self._width = 1  # the labels are below this

    def tell_apart(self, values: NDArray[Any]) -> None:
        """Take a property into account; ``values`` are whole numbers, one for each run."""
        low, high = int(values.min()), int(values.max())
        if low == high:
            return
        span = high - low + 1
        if self._width * span < 2**62:
            found = values.astype(np.int64) - low
        else:
            span, found = _ranked(values)
            if self._labels is not None:
                self._width, self._labels = _ranked(self._labels)
        self._labels = found if self._labels is None else self._labels * span + found
        self._width *= span

    def each(self) -> NDArray[np.int64]:
        """The label of each run, shape (size,), from 0 on without gaps."""
        return np.zeros(self._size, np.int64) if self._labels is None else _ranked(self._labels)[1]

    def groups(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By label: one of its runs, and how many have it."""
        if self._labels is None:
            return np.zeros(1, np.int64), np.array([self._size], np.int64)
        if self._width > _DENSE:
            _, some, counts = np.unique(self._labels, return_index=True, return_counts=True)
            return some.astype(np.int64), counts.astype(np.int64)
        counts = np.bincount(self._labels, minlength=self._width)
        some = np.zeros(self._width, np.int64)
        some[self._labels] = np.arange(self._size)  # any will do: they are alike
        there = np.flatnonzero(counts)
        return some[there], counts[there].astype(np.int64)


def _ranked(values: NDArray[Any]) -> tuple[int, NDArray[np.int64]]:
    """How many different values there are, and each value's place among them."""
    kinds, places = np.unique(values, return_inverse=True)
    return len(kinds), places.astype(np.int64)
