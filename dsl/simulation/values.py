"""What a variable is in a group of runs: one Python value that they share, or one for each.

Whole numbers stay below 2^53 in size (:data:`LARGEST`), so that they meet floats exactly as
Python's do.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import LimitReached

#: One entry for each run of the group: int64, float64 or bool.
Array: TypeAlias = NDArray[Any]
#: The runs of a group, or some of them, by number.
Rows: TypeAlias = NDArray[np.intp]
Scalar: TypeAlias = bool | int | float | Fraction | str | None
#: A list has one value for each of its elements; its length is shared.
Value: TypeAlias = Scalar | Array | list["Value"]

#: Whole numbers are smaller than this in size.
LARGEST = 2**53


class RowsFailed(Exception):
    """An operation is not defined in some of the runs, or (``rows`` is ``None``) in all of them."""

    def __init__(self, rows: NDArray[np.bool_] | None = None) -> None:
        super().__init__()
        self.rows = rows


class Split(Exception):
    """The runs of a group do different things here, by these values: each does it by itself."""

    def __init__(self, by: Array) -> None:
        super().__init__()
        self.by = by


def kind_of(value: Value) -> str:
    """``int``, ``float`` or ``bool`` of numbers; of all else something that differs from these."""
    if isinstance(value, np.ndarray):
        return {"i": "int", "f": "float", "b": "bool"}[value.dtype.kind]
    return "float" if isinstance(value, Fraction) else type(value).__name__


def shared(value: Value) -> Scalar:
    """The value as one that all runs of the group share.

    Raises:
        Split: they have different ones.
    """
    if not isinstance(value, np.ndarray):
        assert not isinstance(value, list)
        return value
    if np.array_equal(value, np.full_like(value, value[0]), equal_nan=value.dtype.kind == "f"):
        return value[0].item()  # type: ignore[no-any-return]
    raise Split(value)


def bounded(numbers: Array) -> Array:
    """Whole numbers (also as floats), if none is too large.

    Raises:
        LimitReached: one is.
    """
    if not len(numbers):
        return numbers
    if np.maximum.reduce(numbers) >= LARGEST or np.minimum.reduce(numbers) <= -LARGEST:
        raise LimitReached("LARGEST", "a whole number is 2^53 or more in size")
    return numbers


def plain(value: Scalar) -> Scalar:
    """A scalar as arrays can meet it; a fraction is rounded.

    Raises:
        LimitReached: it is a whole number that is too large, or beyond the floats.
    """
    if isinstance(value, int) and abs(value) >= LARGEST:
        raise LimitReached("LARGEST", f"{value} is 2^53 or more in size")
    if not isinstance(value, Fraction):
        return value
    try:
        return float(value)
    except OverflowError:
        raise LimitReached("LARGEST", f"{value} is beyond the floats") from None


def chosen(test: Array, yes: Value, no: Value) -> Value:
    """``yes`` in the runs that meet the test, ``no`` in the others.

    Raises:
        Split: they are not of one kind, so that no array holds both.
    """
    kind = kind_of(yes)
    if identical(yes, no):
        return yes
    if kind != kind_of(no) or kind not in ("int", "float", "bool"):
        if test.all():
            return yes
        if not test.any():
            return no
        raise Split(test)
    found: Array = np.where(test, _operand(yes), _operand(no))
    return found


def identical(one: Value, other: Value) -> bool:
    """Whether both are the same scalar; 0.0 and -0.0 are not."""
    if isinstance(one, np.ndarray | list) or isinstance(other, np.ndarray | list):
        return False
    return type(one) is type(other) and repr(one) == repr(other)


def _operand(value: Value) -> Any:
    return value if isinstance(value, np.ndarray) else plain(value)  # type: ignore[arg-type]


def selected(value: Value, rows: Rows) -> Value:
    """The value in some of the runs of its group."""
    if isinstance(value, np.ndarray):
        return value.take(rows)
    if isinstance(value, list):
        return [selected(element, rows) for element in value]
    return value


def signature(value: Value) -> object:
    """What values that can be merged have in common: numbers their kind, atoms all of it."""
    if isinstance(value, list):
        return tuple(map(signature, value))
    kind = kind_of(value)
    return kind if kind in ("int", "float", "bool") else (kind, value)


def merged(values: Sequence[Value], sizes: Sequence[int]) -> Value:
    """The value in all runs of several groups, one after another; of one signature."""
    first = values[0]
    if isinstance(first, list):
        columns: Any = zip(*values, strict=True)
        return [merged(column, sizes) for column in columns]
    if all(identical(v, first) for v in values):
        return first
    return np.concatenate([spread(v, n) for v, n in zip(values, sizes, strict=True)])


def spread(value: Value, size: int) -> Array:
    """A number as an array over all runs of a group."""
    return value if isinstance(value, np.ndarray) else np.full(size, _operand(value))


def stacked(columns: Sequence[Value], size: int) -> Array:
    """The elements of a list that holds numbers, as an array of shape (elements, runs)."""
    return np.stack([spread(column, size) for column in columns])
