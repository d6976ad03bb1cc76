"""What a variable is in a group of runs, and arithmetic on it.

Whole numbers stay below 2^53 in size (:data:`LARGEST`), so that they meet floats exactly as
Python's do.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
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
Value: TypeAlias = Scalar | Array | tuple["Value", ...]

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
        assert not isinstance(value, tuple)
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
    if isinstance(one, np.ndarray | tuple) or isinstance(other, np.ndarray | tuple):
        return False
    return type(one) is type(other) and repr(one) == repr(other)


def _operand(value: Value) -> Any:
    return value if isinstance(value, np.ndarray) else plain(value)  # type: ignore[arg-type]


def selected(value: Value, rows: Rows) -> Value:
    """The value in some of the runs of its group."""
    if isinstance(value, np.ndarray):
        return value.take(rows)
    if isinstance(value, tuple):
        return tuple(selected(element, rows) for element in value)
    return value


def signature(value: Value) -> object:
    """What values that can be merged have in common: numbers their kind, atoms all of it."""
    if isinstance(value, tuple):
        return tuple(map(signature, value))
    kind = kind_of(value)
    return kind if kind in ("int", "float", "bool") else (kind, value)


def merged(values: Sequence[Value], sizes: Sequence[int]) -> Value:
    """The value in all runs of several groups, one after another; of one signature."""
    first = values[0]
    if isinstance(first, tuple):
        columns: Any = zip(*values, strict=True)
        return tuple(merged(column, sizes) for column in columns)
    if all(identical(v, first) for v in values):
        return first
    return np.concatenate([spread(v, n) for v, n in zip(values, sizes, strict=True)])


def spread(value: Value, size: int) -> Array:
    """A number as an array over all runs of a group."""
    return value if isinstance(value, np.ndarray) else np.full(size, _operand(value))


def stacked(columns: Sequence[Value], size: int) -> Array:
    """The elements of a list that holds numbers, as an array of shape (elements, runs)."""
    return np.stack([spread(column, size) for column in columns])


# Arithmetic, comparisons and the like, on single numbers and on arrays: Python's meaning.

_PYTHON: dict[str, Callable[[Any, Any], Scalar]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne, "is": operator.eq, "is not": operator.ne,
}  # fmt: skip

_NUMPY: dict[str, Callable[[Any, Any], Array]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.true_divide,
    "//": np.floor_divide, "%": np.remainder,
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "==": np.equal, "!=": np.not_equal,
}  # fmt: skip


_ARITHMETIC = frozenset(["+", "-", "*", "/", "//", "%"])


def apply(operation: str, x: Value, y: Value) -> Value:
    """``x operation y``.

    Raises:
        RowsFailed: Python raises: a division by zero, no numbers.
        LimitReached: a whole number is too large.
    """
    return operation_of(operation)(x, y)


def operation_of(operation: str) -> Callable[[Value, Value], Value]:
    """An operator as a function of two values; it raises as :func:`apply` does."""
    of_scalars = _PYTHON[operation]
    of_arrays = _NUMPY.get(operation)
    arithmetic = operation in _ARITHMETIC
    divides = operation in ("/", "//", "%")

    def operate(x: Value, y: Value) -> Value:
        if type(x) is not np.ndarray and type(y) is not np.ndarray:
            try:
                return of_scalars(x, y)
            except (ArithmeticError, TypeError):
                raise RowsFailed from None
        if isinstance(x, str | None) or isinstance(y, str | None):
            if operation in ("==", "is", "!=", "is not"):
                return operation in ("!=", "is not")
            raise RowsFailed
        if not arithmetic and isinstance(x, Fraction):
            return _compared(_MIRRORED.get(operation, operation), y, x)
        if not arithmetic and isinstance(y, Fraction):
            return _compared(operation, x, y)
        a, b = _number(x, arithmetic), _number(y, arithmetic)
        if divides:
            _check_divisor(b)
        assert of_arrays is not None
        found = of_arrays(a, b)
        if arithmetic and found.dtype.kind == "i":
            if operation == "*":
                bounded(np.abs(np.multiply(a, b, dtype=float)))
            return bounded(found)
        return found

    return operate


#: The comparison the other way round, and what it is with a number just above or below.
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_IF_ABOVE = {"<": "<", "<=": "<", ">": ">=", ">=": ">="}
_IF_BELOW = {"<": "<=", "<=": "<=", ">": ">", ">=": ">"}


def _compared(operation: str, numbers: Value, fraction: Fraction) -> Value:
    """Numbers compared with a fraction, exactly: no float lies between it and the nearest one."""
    nearest: Any = plain(fraction)
    if Fraction(nearest) == fraction:
        return apply(operation, numbers, nearest)
    if operation in ("==", "!="):
        return operation == "!="
    return apply((_IF_ABOVE if nearest > fraction else _IF_BELOW)[operation], numbers, nearest)


def _number(value: Any, arithmetic: bool) -> Any:
    """A number as numpy takes it; in arithmetic truth values count as 0 and 1, as in Python.

    Raises:
        LimitReached: it is a whole number that is too large.
    """
    if type(value) is np.ndarray:
        return value.astype(np.int64) if arithmetic and value.dtype.kind == "b" else value
    return plain(int(value) if arithmetic and isinstance(value, bool) else value)


def _check_divisor(divisor: Any) -> None:
    zero = divisor == 0
    if isinstance(zero, np.ndarray):
        if zero.any():
            raise RowsFailed(zero)
    elif zero:
        raise RowsFailed


def builtin(function: str, arguments: list[Value]) -> Value:
    """``abs``, ``min``, ``max``, ``int``, ``round``, ``exp``; ``index`` leaves an int as it is.

    Raises:
        RowsFailed: Python raises.
        Split: an argument of another kind is returned in some runs than in others.
    """
    first = arguments[0]
    if function == "index":
        if kind_of(first) != "int":
            raise RowsFailed
        return first
    if not any(isinstance(a, np.ndarray) for a in arguments):
        return _builtin_of_scalars(function, arguments)  # type: ignore[arg-type]
    if function in ("min", "max"):
        for value in arguments[1:]:
            better = apply("<" if function == "min" else ">", value, first)
            if isinstance(better, np.ndarray):
                first = chosen(better, value, first)
            elif better:
                first = value
        return first
    numbers: Array = _number(first, arithmetic=True)
    if function == "abs":
        absolute: Array = np.abs(numbers)
        return absolute
    if function in ("exp", "log", "sqrt"):
        return _one_by_one(getattr(math, function), numbers)
    if numbers.dtype.kind == "i":
        return numbers
    return _whole(np.trunc(numbers) if function == "int" else np.rint(numbers))


def _one_by_one(function: Callable[[float], float], numbers: Array) -> Array:
    """Python's own results, which numpy's differ from in the last bit; each number once."""
    values, places = np.unique(numbers, return_inverse=True)
    found, failed = np.empty(len(values)), np.zeros(len(values), np.bool_)
    for k, value in enumerate(values.tolist()):
        try:
            found[k] = function(value)
        except (OverflowError, ValueError):
            failed[k] = True
    if failed.any():
        raise RowsFailed(failed[places])
    results: Array = found[places]
    return results


def _whole(numbers: Array) -> Array:
    """Floats without a fraction as whole numbers; of infinities and NaN Python makes none."""
    if not (finite := np.isfinite(numbers)).all():
        raise RowsFailed(np.logical_not(finite))
    bounded(numbers)
    return numbers.astype(np.int64)


def _builtin_of_scalars(function: str, arguments: list[Scalar]) -> Scalar:
    functions: dict[str, Callable[..., Scalar]] = {
        "abs": lambda v: abs(v), "min": min, "max": max, "int": int, "round": round,
        "exp": math.exp, "log": math.log, "sqrt": math.sqrt,
    }  # fmt: skip
    try:
        return functions[function](*arguments)
    except (ArithmeticError, TypeError, ValueError):
        raise RowsFailed from None
