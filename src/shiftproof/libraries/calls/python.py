"""Functions of Python itself, and methods of lists and arrays."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from ..terms.arithmetic import as_kind, plain, stored
from ..terms.identity import called, is_of
from ..terms.values import (
    Class,
    External,
    Fixed,
    Generator,
    Known,
    Lacking,
    Numbers,
    Term,
    Thing,
    Value,
    Vector,
    kind_of,
)

if TYPE_CHECKING:
    from ..body.expressions import Scalar

from .call import Call
from .draws import drawn_from
from .numeric import (
    NARROW,
    applied,
    argmax_of,
    clipped,
    counting,
    least,
    type_of,
    united,
)


def builtin(call: Call, short: str) -> Value | None:
    """A call of a function of Python itself."""
    frame = call.expressions.frame
    first = call.get(0)
    match short:
        case "len" if isinstance(first, Known) and isinstance(first.value, str):
            return Known(len(first.value))
        case "len":
            return frame.length(call.need(0), call.node)
        case "range":
            return counting(call, False)
        case "enumerate" | "zip" if not frame.module.is_gone_through(call.node):
            raise call.refuse("an iterator that is kept: it gives each item once")
        case "enumerate":
            over = frame.iterated(call.need(0), call.node)
            if isinstance(over, Fixed):
                rows: list[Value] = [
                    Fixed([Known(k), item], constant=True) for k, item in enumerate(over.items)
                ]
                return Fixed(rows, through=(over,))
            items = over.element
            frame.use(over, call.node)
            return Vector(
                over.length, lambda i: Fixed([i, items(i)]), draws=over.draws, through=(over,)
            )
        case "zip":
            vectors = [frame.iterated(call.need(k), call.node) for k in range(call.count)]
            lists = [v for v in vectors if isinstance(v, Fixed)]
            if len(lists) == len(vectors):
                rows = [
                    Fixed(list(row), constant=True)
                    for row in zip(*(v.items for v in lists), strict=False)
                ]
                return Fixed(rows, through=tuple(lists))
            raise call.refuse("zip of vectors")
        case "isinstance":
            return _is_instance(call)
        case "float" | "int" | "bool":
            return _converted(call, short)
        case "str":
            return first if isinstance(first, Known) and isinstance(first.value, str) else None
        case "list" | "tuple":
            return _listed(call, first)
        case "all" | "any":
            return united(call, call.need(0), short)
        case "abs" | "round":
            return applied(call, short)
        case "min" | "max":
            return _extreme(call, short)
        case "sum":
            over = frame.iterated(call.need(0), call.node)
            return frame.lists.total(over, call.node)
    return None


def _is_instance(call: Call) -> Value:
    """``isinstance(value, types)``, if the answer is the same for all that the value may be."""
    value, wanted = call.need(0), call.need(1)
    names = call.expressions.frame.run.names
    bases = names.bases(value.owner, value.module) if isinstance(value, Thing) else []
    types = wanted.items if isinstance(wanted, Fixed) else [wanted]
    answers = {
        is_of(value, one, bases) if isinstance(one, External | Class) else None for one in types
    }
    if answers <= {True, False} or True in answers:
        return Known(True in answers)
    shown = ast.unparse(call.node.args[-1])[:60]
    raise call.refuse(f"whether {called(value)} is of the type {shown} is not known")


def _converted(call: Call, short: Literal["float", "int", "bool"]) -> Value:
    value = call.scalar(0)
    if short == "bool":
        return call.expressions.conditions.condition(value, call.node)
    if isinstance(value, Known) and isinstance(value.value, int | float | bool):
        try:
            return Known(int(value.value) if short == "int" else float(value.value))
        except (ValueError, OverflowError):
            raise call.refuse("a number that no such type holds") from None
    if isinstance(value, Known) and short == "float" and value.value in ("inf", "-inf"):
        return Known(float(str(value.value)))
    if kind_of(value) == "text":
        raise call.refuse("a text as a number")
    if short == "int" and kind_of(value) == "int":
        return value
    return as_kind(plain(value), short)


def method_of(call: Call, value: Value, method: str) -> Value | None:
    """A call of a method of a list, an array, or a source of random numbers."""
    frame = call.expressions.frame
    if isinstance(value, Generator):
        return drawn_from(call, value.library, method)
    if isinstance(value, Lacking):
        return value
    match method:
        case "append":
            frame.stores.append(value, call.need(0), call.node)
            return Known(None)
        case "ravel" if isinstance(value, Vector | Fixed) and value.array:
            return value  # the same places under another name
        case "item" if isinstance(value, Known | Term):
            return value
        case "copy" | "tolist" | "flatten" if isinstance(value, Vector | Fixed):
            array = value.array and method != "tolist"
            kind = value.kind if array else None
            if isinstance(value, Fixed):
                return Fixed(list(value.items), kind=kind, array=array)
            frame.use(value, call.node)
            return Vector(value.length, value.element, kind, value.draws, array=array)
        case "sum" if isinstance(value, Vector | Fixed) and value.array:
            return frame.lists.total(value, call.node)
        case "mean" if isinstance(value, Vector | Fixed) and value.array:
            total = frame.lists.total(value, call.node)
            return call.expressions.binary(
                ast.Div(), total, frame.length(value, call.node), call.node
            )
        case "clip":
            low, high = call.need(0, "min", "a_min"), call.need(1, "max", "a_max")
            return clipped(call, value, low, high)
        case "astype":
            return _of_type(call, value)
        case "argmax":
            return argmax_of(call, value)
        case "all" | "any":
            return united(call, value, method)
    return None


def _of_type(call: Call, value: Value) -> Value:
    """``values.astype(type)``."""
    wanted = call.need(0, "dtype")
    narrow = isinstance(wanted, External) and wanted.name in NARROW
    kind = "int" if narrow else type_of(call, wanted)

    def converted(one: Scalar, _: Scalar) -> Value:
        if narrow and kind_of(one) != "bool":
            raise call.refuse("a type of integers that holds few of them")
        return stored(one, kind)

    found = call.expressions.elementwise(converted, value, Known(0), call.node)
    if isinstance(found, Vector | Fixed):
        found.kind = kind
    return found


def _extreme(call: Call, short: str) -> Value | None:
    """``min`` and ``max`` of numbers: lists are compared in another way."""
    values = [call.need(k) for k in range(call.count)]
    if len(values) == 1 and isinstance(values[0], Fixed):
        values = values[0].items
    if len(values) < 2:
        return None
    return least(call, short, [call.expressions.drawn(value, call.node) for value in values])


def _listed(call: Call, value: Value | None) -> Value | None:
    """``list(values)``: another list."""
    if value is None:
        return Fixed([])
    if isinstance(value, Numbers | Vector | Fixed):
        over = call.expressions.frame.iterated(value, call.node)
        if isinstance(over, Fixed):
            return Fixed(list(over.items), constant=ast.unparse(call.node.func) == "tuple")
        call.expressions.frame.use(over, call.node)
        return Vector(over.length, over.element, None, over.draws)
    return None
