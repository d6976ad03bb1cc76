"""Functions of `math` and of numpy."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..terms.arithmetic import arithmetic, array_kind, as_kind, choice, function, plain, stored
from ..terms.values import (
    External,
    Fixed,
    Kind,
    Known,
    Numbers,
    Term,
    Value,
    Vector,
    alike,
    bare,
    is_fixed,
    kind_of,
    name,
    node_of,
)

if TYPE_CHECKING:
    from ..body.expressions import Scalar

from .call import Call, counted

#: Full names of numpy's functions that are those of ``math`` or of Python.
_MATH = {
    "exp": "exp", "log": "log", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "abs": "abs",
    "absolute": "abs", "fabs": "abs", "rint": "round", "round": "round", "around": "round",
}  # fmt: skip
#: Types of arrays.
TYPES: dict[str, Kind] = {
    "int": "int", "int64": "int", "float": "float", "float64": "float", "bool": "bool",
    "bool_": "bool",
}  # fmt: skip
#: Types of integers that hold few of them: only Booleans are read as such.
NARROW = frozenset(f"numpy.{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32)) | {
    "numpy.uint64"
}
#: Arrays of so few places are lists of values.
FEW = 16


def numeric(call: Call, short: str) -> Value | None:
    """Functions of ``math`` and numpy."""
    frame, expressions = call.expressions.frame, call.expressions
    if short in _MATH:
        return applied(call, _MATH[short])
    match short:
        case "pow" | "power" | "float_power":
            return _power(call, short)
        case "isnan" | "isinf":
            return _special(call, short)
        case "array" | "asarray" | "copy":
            return _array(call, short == "asarray")
        case "zeros" | "ones" | "full" | "zeros_like" | "ones_like":
            return _filled(call, short)
        case "arange":
            return counting(call, True)
        case "clip":
            low, high = call.need(1, "a_min", "min"), call.need(2, "a_max", "max")
            return clipped(call, call.need(0, "a"), low, high)
        case "minimum" | "maximum":
            return least(call, short[:3], [call.need(0), call.need(1)])
        case "where" if call.count == 3:
            return _where(call)
        case "sum" | "mean":
            over = frame.iterated(call.need(0), call.node)
            total = frame.lists.total(over, call.node)
            if short == "sum":
                return total
            return expressions.binary(ast.Div(), total, frame.length(over, call.node), call.node)
        case "argmax":
            return argmax_of(call, call.need(0))
        case "all" | "any":
            return united(call, call.need(0), short)
    return None


def counting(call: Call, array: bool) -> Value:
    """``range`` and ``arange``: whole numbers from one to another."""
    bounds = [call.scalar(k) for k in range(min(call.count, 2))]
    if not bounds:
        raise call.refuse("a range without an end")
    if any(kind_of(bound) != "int" for bound in bounds):
        raise call.refuse("a range whose bounds are no integers")
    return Numbers(bounds[0] if len(bounds) == 2 else Known(0), bounds[-1], array=array)


def clipped(call: Call, value: Value, low: Value, high: Value) -> Value:
    """A value between two bounds, of which one may be missing."""
    if low == high == Known(None):
        raise call.refuse("no bounds")
    if low != Known(None):
        value = least(call, "max", [value, low])
    return value if high == Known(None) else least(call, "min", [value, high])


def _power(call: Call, short: str) -> Value | None:
    base, exponent = call.scalar(0), call.scalar(1)
    whole = kind_of(base) == kind_of(exponent) == "int"
    natural = isinstance(exponent, Known) and exponent.value in range(9)
    if short == "power" and whole and not natural:
        raise call.refuse("a power of integers, which numpy gives for some exponents only")
    return arithmetic(ast.Pow(), base, exponent)


def _special(call: Call, short: str) -> Value:
    """Whether a number is infinite, or none at all."""
    number = call.scalar(0)
    call.expressions.frame.run.taken.append("no number is infinite, or none at all (NaN)")
    if isinstance(number, Known) and isinstance(number.value, int | float):
        return Known(getattr(math, short)(number.value))
    return Known(False)


def united(call: Call, value: Value, short: str) -> Value | None:
    """Whether all of some conditions are met, or any."""
    if not isinstance(value, Fixed):
        return None
    tests = [call.expressions.conditions.condition(v, call.node) for v in value.items]
    ends = short == "any"
    if any(isinstance(t, Known) and bool(t.value) == ends for t in tests):
        return Known(ends)
    terms = [t for t in tests if isinstance(t, Term)]
    if len(terms) < 2:
        return terms[0] if terms else Known(not ends)
    op = ast.Or() if ends else ast.And()
    return Term(ast.BoolOp(op, [t.node for t in terms]), "bool", all(t.fixed for t in terms))


def _where(call: Call) -> Value:
    """``np.where(test, yes, no)``."""
    expressions, frame = call.expressions, call.expressions.frame
    sides = [call.need(k) for k in range(3)]

    def one(test: Value, yes: Value, no: Value) -> Value:
        tested = expressions.conditions.condition(test, call.node)
        found = choice(tested, *(expressions.drawn(v, call.node) for v in (yes, no)))
        if found is None:
            raise call.refuse("a choice between values of different types")
        return bare(found)

    vectors = [
        frame.as_vector(v, call.node) if isinstance(v, Fixed) else v
        for v in sides
        if isinstance(v, Vector | Fixed)
    ]
    if not vectors:
        return one(*sides)
    for vector in vectors:
        frame.iterated(vector, call.node)
        frame.use(vector, call.node)
        if not alike(vector.length, vectors[0].length):
            raise call.refuse("arrays whose lengths may differ")
    found = iter(vectors)
    parts = [
        next(found).element if isinstance(v, Vector | Fixed) else _constantly(call, v)
        for v in sides
    ]
    return Vector(
        vectors[0].length,
        lambda index: one(*(part(index) for part in parts)),
        draws=any(vector.draws for vector in vectors),
        array=True,
    )


def _constantly(call: Call, value: Value) -> Callable[[Value], Value]:
    scalar = call.expressions.drawn(value, call.node)
    return lambda _: scalar


def _array(call: Call, same: bool) -> Value | None:
    value = call.need(0)
    kind = type_of(call, call.get(1, "dtype"))
    if same and isinstance(value, Vector | Fixed) and value.array:
        return value if kind in (None, value.kind) else None
    if isinstance(value, Numbers):
        return replace(value, array=True) if kind in (None, "int") else None
    over = call.expressions.frame.iterated(value, call.node)
    if isinstance(over, Fixed):
        values = [call.expressions.drawn(item, call.node) for item in over.items]
        kind = kind or (over.kind if over.array else None) or array_kind(values)
        return Fixed([stored(one, kind) for one in values], kind=kind, array=True)
    items, made = over.element, kind or over.kind
    call.expressions.frame.use(over, call.node)

    def converted(index: Value) -> Value:
        return stored(call.expressions.drawn(items(index), call.node), made)

    return Vector(over.length, converted, made, draws=over.draws, array=True)


def type_of(call: Call, value: Value | None) -> Kind | None:
    """The type of an array that an argument says."""
    if value is None or value == Known(None):
        return None
    full = value.name if isinstance(value, External) else ""
    if isinstance(value, Known) and isinstance(value.value, str):
        full = f"numpy.{value.value}"
    module, _, short = full.rpartition(".")
    if module not in ("builtins", "numpy") or short not in TYPES:
        raise call.refuse("a type of arrays that is not read")
    return TYPES[short]


def _filled(call: Call, short: str) -> Value:
    frame = call.expressions.frame
    size = call.need(0, "shape", "a")
    item: Scalar = Known(0 if short.startswith("zeros") else 1)
    if short == "full":
        item = call.scalar(1, "fill_value")
    kind = type_of(call, call.get(2 if short == "full" else 1, "dtype"))
    if short.endswith("_like"):
        length: Value = frame.length(size, call.node)
        kind = kind or (size.kind if isinstance(size, Vector | Fixed) else None)
        if kind is None:
            raise call.refuse("an array of a type that is not known")
    else:
        length = counted(call, size)
        kind = kind or (array_kind([item]) if short == "full" else "float")
    held = stored(item, kind)
    if isinstance(length, Known) and isinstance(length.value, int) and length.value <= FEW:
        return Fixed([held] * length.value, kind=kind, array=True)
    return Vector(length, lambda _: held, kind, array=True)


def applied(call: Call, short: str) -> Value | None:
    """A function of one number; of a vector element by element."""
    value = call.need(0)

    def one(number: Scalar, _: Scalar) -> Value:
        if short in ("floor", "ceil", "round") and kind_of(number) == "int":
            return bare(number)
        if isinstance(number, Known) and isinstance(number.value, int | float):
            if short == "abs":
                return Known(abs(number.value))
            if short in ("floor", "ceil") and math.isfinite(number.value):
                return Known(
                    math.floor(number.value) if short == "floor" else math.ceil(number.value)
                )
        if short in ("log", "sqrt"):
            call.expressions.frame.check_domain(short, number, call.node)
        return function(short, number)

    return call.expressions.elementwise(one, value, Known(0), call.node)


def least(call: Call, short: str, values: list[Value]) -> Value:
    """The least or the largest of some values; of vectors element by element."""

    def two(one: Scalar, other: Scalar) -> Value:
        if not {kind_of(one), kind_of(other)} <= {"int", "float", "bool"}:
            raise call.refuse("the least or the largest of what is no number")
        if isinstance(one, Known) and isinstance(other, Known):
            pick = min if short == "min" else max
            return Known(pick(one.value, other.value))  # type: ignore[type-var]
        kinds = {kind_of(plain(one)), kind_of(plain(other))}
        kind: Kind = "float" if "float" in kinds else "int"
        parts = [node_of(as_kind(plain(v), kind)) for v in (one, other)]
        fixed = is_fixed(one) and is_fixed(other)
        return Term(ast.Call(ast.Name(short), parts, []), kind, fixed)

    found = values[0]
    for value in values[1:]:
        found = call.expressions.elementwise(two, found, value, call.node)
    return found


def argmax_of(call: Call, value: Value) -> Value:
    """The index of the largest, the first one of several."""
    frame = call.expressions.frame
    over = frame.iterated(value, call.node)
    listed = frame.lists.listed(over, "scores", call.node)
    best = frame.run.writer.fresh("best")
    frame.run.writer.say(f"{best} = argmax({listed.listed})")
    frame.run.writer.imports.add("argmax")
    return name(best, "int")
