"""Arithmetic, comparisons and the like, on single numbers and on arrays: Python's meaning."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from .values import (
    Array,
    RowsFailed,
    Scalar,
    Value,
    bounded,
    chosen,
    kind_of,
    plain,
)

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
    if function == "exp":
        return _exponentials(numbers)
    if numbers.dtype.kind == "i":
        return numbers
    return _whole(np.trunc(numbers) if function == "int" else np.rint(numbers))


def _exponentials(numbers: Array) -> Array:
    """Python's own exponentials, which numpy's differ from in the last bit; each number once."""
    values, places = np.unique(numbers, return_inverse=True)
    found, failed = np.empty(len(values)), np.zeros(len(values), np.bool_)
    for k, value in enumerate(values.tolist()):
        try:
            found[k] = math.exp(value)
        except OverflowError:
            failed[k] = True
    if failed.any():
        raise RowsFailed(failed[places])
    exponentials: Array = found[places]
    return exponentials


def _whole(numbers: Array) -> Array:
    """Floats without a fraction as whole numbers; of infinities and NaN Python makes none."""
    if not (finite := np.isfinite(numbers)).all():
        raise RowsFailed(np.logical_not(finite))
    bounded(numbers)
    return numbers.astype(np.int64)


def _builtin_of_scalars(function: str, arguments: list[Scalar]) -> Scalar:
    functions: dict[str, Callable[..., Scalar]] = {
        "abs": lambda v: abs(v), "min": min, "max": max, "int": int, "round": round,
        "exp": math.exp,
    }  # fmt: skip
    try:
        return functions[function](*arguments)
    except (ArithmeticError, TypeError, ValueError):
        raise RowsFailed from None
