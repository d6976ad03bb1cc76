"""Functions of `math` and of numpy."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from ..terms.arithmetic import arithmetic, as_kind, choice, function, plain, stored
from ..terms.values import (
    Fixed,
    Kind,
    Known,
    Numbers,
    Term,
    Value,
    Vector,
    is_fixed,
    kind_of,
    name,
    node_of,
)

if TYPE_CHECKING:
    from ..body.expressions import Scalar

from .call import Call

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
NARROW = frozenset({"int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64"})
#: Arrays of so few places are lists of values.
FEW = 16


def numeric(call: Call, short: str) -> Value | None:
    """Functions of ``math`` and numpy."""
    frame, expressions = call.expressions.frame, call.expressions
    if short in _MATH:
        found = applied(call, _MATH[short])
        if short in ("log", "sqrt"):
            frame.run.taken.append("no logarithm or root of a negative number is taken")
        return found
    match short:
        case "pow" | "power" | "float_power":
            one, other = call.scalar(0), call.scalar(1)
            return arithmetic(ast.Pow(), one, other)
        case "isnan" | "isinf":
            frame.run.taken.append("no number is infinite, or none at all (NaN)")
            return Known(False)
        case "array" | "asarray" | "copy":
            return _array(call, short == "asarray")
        case "zeros" | "ones" | "full" | "zeros_like" | "ones_like":
            return _filled(call, short)
        case "arange":
            bounds = [call.scalar(k) for k in range(len(call.places))]
            if len(bounds) > 2:
                return None
            start: Scalar = bounds[0] if len(bounds) == 2 else Known(0)
            return Numbers(start, bounds[-1])
        case "clip":
            low, high = call.need(1, "a_min", "min"), call.need(2, "a_max", "max")
            return least(call, "min", [least(call, "max", [call.need(0), low]), high])
        case "minimum" | "maximum":
            return least(call, "min" if short == "minimum" else "max", call.places)
        case "where" if len(call.places) == 3:
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
    expressions = call.expressions

    test, yes, no = call.places
    if not any(isinstance(v, Vector | Fixed) for v in (test, yes, no)):
        found = choice(
            expressions.conditions.condition(test, call.node), call.scalar(1), call.scalar(2)
        )
        if found is None:
            raise call.refuse("a choice between values of different types")
        return found
    test, yes, no = (
        v if isinstance(v, Vector | Fixed) else expressions.drawn(v, call.node)
        for v in (test, yes, no)
    )
    over = next(v for v in (test, yes, no) if isinstance(v, Vector | Fixed))
    vector = over if isinstance(over, Vector) else expressions.frame.as_vector(over, call.node)
    parts = [v.element if isinstance(v, Vector) else None for v in (test, yes, no)]
    for v in (test, yes, no):
        if isinstance(v, Vector):
            expressions.frame.use(v, call.node)

    def element(index: Value) -> Value:
        asked = [part(index) if part else v for part, v in zip(parts, (test, yes, no), strict=True)]
        tested = expressions.conditions.condition(asked[0], call.node)
        found = choice(tested, *(expressions.drawn(v, call.node) for v in asked[1:]))
        if found is None:
            raise call.refuse("a choice between values of different types")
        return found

    draws = any(isinstance(v, Vector) and v.draws for v in (test, yes, no))
    return Vector(vector.length, element, draws=draws, array=True)


def _array(call: Call, same: bool) -> Value | None:
    value = call.need(0)
    kind = _type_of(call)
    if same and isinstance(value, Vector | Fixed) and value.array:
        return value if kind in (None, value.kind) else None
    if isinstance(value, Numbers):
        return value
    over = call.expressions.frame.iterated(value, call.node)
    if isinstance(over, Fixed):
        values = [call.expressions.drawn(item, call.node) for item in over.items]
        kind = kind or over.kind or _common_kind(values)
        return Fixed([stored(one, kind) for one in values], kind=kind, array=True)
    items = over.element
    call.expressions.frame.use(over, call.node)
    return Vector(over.length, items, kind or over.kind, draws=over.draws, array=True)


def _common_kind(items: list[Scalar]) -> Kind | None:
    """The type of an array of these."""
    kinds = {kind_of(item) for item in items}
    if len(kinds) == 1:
        return kind_of(items[0])
    return "float" if kinds <= {"int", "float"} and kinds else None


def _type_of(call: Call) -> Kind | None:
    for keyword in call.node.keywords:
        if keyword.arg == "dtype":
            call.heed("dtype")
            text = ast.unparse(keyword.value).strip("'\"").rpartition(".")[2]
            if text in TYPES:
                return TYPES[text]
            raise call.refuse("a type of arrays that is not read")
    return None


def _filled(call: Call, short: str) -> Value:
    frame = call.expressions.frame
    size = call.need(0, "shape", "a")
    kind: Kind | None = _type_of(call)
    if short.endswith("_like"):
        length: Value = frame.length(size, call.node)
        kind = kind or (size.kind if isinstance(size, Vector | Fixed) else None)
        if kind is None:
            raise call.refuse("an array of a type that is not known")
    else:
        length = frame.counted(call.expressions.drawn(size, call.node), call.node)
    item: Scalar = Known(0.0) if short.startswith("zeros") else Known(1.0)
    if short == "full":
        item = call.scalar(1, "fill_value")
        kind = kind or kind_of(item)
    kind = kind or "float"
    held = stored(item, kind)
    if isinstance(length, Known) and isinstance(length.value, int) and length.value <= FEW:
        return Fixed([held] * length.value, kind=kind, array=True)
    return Vector(length, lambda _: held, kind, array=True)


def applied(call: Call, short: str) -> Value | None:
    """A function of one number; of a vector element by element."""
    value = call.need(0)
    if len(call.places) > 1 and short == "round":
        return None

    def one(number: Scalar, _: Scalar) -> Value:
        if short in ("floor", "ceil", "round") and kind_of(number) == "int":
            return number
        if isinstance(number, Known) and isinstance(number.value, int | float):
            if short == "abs":
                return Known(abs(number.value))
            if short in ("floor", "ceil") and math.isfinite(number.value):
                return Known(
                    math.floor(number.value) if short == "floor" else math.ceil(number.value)
                )
        return function(short, number)

    return call.expressions.elementwise(one, value, Known(0), call.node)


def least(call: Call, short: str, values: list[Value]) -> Value:
    """The least or the largest of some values; of vectors element by element."""

    def two(one: Scalar, other: Scalar) -> Value:
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
