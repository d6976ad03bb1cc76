"""Functions of Python itself, and methods of lists and arrays."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from ..terms.arithmetic import as_kind, plain, stored
from ..terms.values import (
    Fixed,
    Generator,
    Kind,
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
from .numeric import NARROW, TYPES, applied, argmax_of, least, united


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
            bounds = [call.scalar(k) for k in range(len(call.places))]
            if len(bounds) > 2:
                raise call.refuse("a range with a step")
            start: Scalar = bounds[0] if len(bounds) == 2 else Known(0)
            return Numbers(start, bounds[-1])
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
            vectors = [frame.iterated(one, call.node) for one in call.places]
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
    wanted = ast.unparse(call.node.args[1])
    value = call.places[0]
    if isinstance(value, Known | Term):
        kind = kind_of(value)
        numbers = {
            "int": ("int", "Integral", "Real", "Number"),
            "float": ("float", "Real", "Number"),
            "bool": ("bool", "int", "Integral", "Real"),
            "text": ("str",),
        }
        names = {part.rpartition(".")[2] for part in wanted.strip("()").replace(" ", "").split(",")}
        return Known(kind is not None and bool(names & set(numbers[kind])))
    if isinstance(value, Thing):
        owners = [
            one.node.name
            for one in call.expressions.frame.run.names.bases(value.owner, value.module)
        ]
        return Known(wanted.rpartition(".")[2] in owners)
    short = wanted.rpartition(".")[2]
    if isinstance(value, Vector | Fixed) and short in ("list", "tuple", "ndarray"):
        if value.array or short == "ndarray":
            return Known(value.array and short == "ndarray")
        if isinstance(value, Vector):
            return Known(short == "list")
    if isinstance(value, Generator):
        return Known(value.library == "random" and wanted.endswith("Random"))
    return Lacking(f"whether something is {wanted}")


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
            if isinstance(value, Fixed):
                return Fixed(list(value.items), kind=value.kind, array=array)
            frame.use(value, call.node)
            return Vector(value.length, value.element, value.kind, value.draws, array=array)
        case "sum" if isinstance(value, Vector | Fixed):
            return frame.lists.total(value, call.node)
        case "mean" if isinstance(value, Vector | Fixed):
            total = frame.lists.total(value, call.node)
            return call.expressions.binary(
                ast.Div(), total, frame.length(value, call.node), call.node
            )
        case "clip":
            low, high = call.need(0, "min", "a_min"), call.need(1, "max", "a_max")
            return least(call, "min", [least(call, "max", [value, low]), high])
        case "astype":
            text = ast.unparse(call.node.args[0]).strip("'\"").rpartition(".")[2]
            call.heed("dtype")
            if text not in TYPES and text not in NARROW:
                return None
            kind: Kind = TYPES.get(text, "int")

            def converted(one: Scalar, _: Scalar) -> Value:
                if text in NARROW and kind_of(one) != "bool":
                    raise call.refuse("a type of integers that holds few of them")
                return stored(one, kind)

            call.get(0)
            return call.expressions.elementwise(converted, value, Known(0), call.node)
        case "argmax":
            return argmax_of(call, value)
        case "all" | "any":
            return united(call, value, method)
    return None


def _extreme(call: Call, short: str) -> Value | None:
    values = call.places
    if len(values) == 1 and isinstance(values[0], Fixed):
        values = values[0].items
    if len(values) < 2:
        return None
    return least(call, short, values)


def _listed(call: Call, value: Value | None) -> Value | None:
    """``list(values)``: another list."""
    if value is None:
        return Fixed([])
    if isinstance(value, Numbers | Vector | Fixed):
        over = call.expressions.frame.iterated(value, call.node)
        if isinstance(over, Fixed):
            return Fixed(list(over.items), constant=ast.unparse(call.node.func) == "tuple")
        call.expressions.frame.use(over, call.node)
        return Vector(over.length, over.element, over.kind, over.draws)
    return None
