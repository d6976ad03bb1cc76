"""Lists of a mechanism, in a group of runs: a list has one value for each of its elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..runtime import argmax, top_k
from ..syntax import ListStep, MakeList, Pick, Store
from .expressions import checked_index, elements
from .group import Group
from .values import RowsFailed, Value, chosen, shared, stacked

#: Makes or changes a list of a group, or picks by one; gets the values that the step evaluates.
ListOperation = Callable[[Group, Sequence[Value]], None]


def list_operation(step: ListStep) -> ListOperation:
    """What a step with a list does.

    Raises (when it is called):
        RowsFailed: an index is out of range, or there are too few elements to pick from.
        Split: the runs make lists of different lengths, or pick or store differently.
    """
    match step:
        case MakeList(target=target):
            return lambda group, values: _make(group, target, values)
        case Store(array=array, index=None):
            return lambda group, values: elements(group, array).append(values[0])
        case Store(array=array):
            return lambda group, values: _store(elements(group, array), values[1], values[0])
        case Pick(target=target, array=array):
            return lambda group, values: _pick(group, target, array, values)


def _make(group: Group, target: str, values: Sequence[Value]) -> None:
    length = shared(values[-1])
    if not isinstance(length, int):
        raise RowsFailed
    group.names[target] = [] if len(values) == 1 else [values[0]] * length


def _store(cells: list[Value], index: Value, value: Value) -> None:
    i = checked_index(index, len(cells))
    if not isinstance(i, np.ndarray):
        cells[i] = value
        return
    places = np.where(i < 0, i + len(cells), i)
    new = [chosen(places == k, value, cell) for k, cell in enumerate(cells)]
    cells[:] = new


def _pick(group: Group, target: str, array: str, values: Sequence[Value]) -> None:
    k = shared(values[0]) if values else None
    cells = elements(group, array)
    if not (cells if k is None else isinstance(k, int) and 0 <= k <= len(cells)):
        raise RowsFailed
    if not any(isinstance(cell, np.ndarray) for cell in cells):
        group.names[target] = _picked(cells, k)
        return
    table = stacked(cells, group.size)
    if table.dtype.kind == "b":
        table = table.astype(np.int64)
    if k is None:
        group.names[target] = np.argmax(table, axis=0)  # the first of the largest, as in Python
    else:
        group.names[target] = list(np.argsort(-table, axis=0, kind="stable")[:k])


def _picked(cells: list[Any], k: Any) -> Value:
    try:
        return argmax(cells) if k is None else list(top_k(cells, k))
    except TypeError:
        raise RowsFailed from None
