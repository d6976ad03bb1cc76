"""What parameters stand for in a call."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from .values import Fixed, Lacking, Value


def arguments_of(
    node: ast.FunctionDef | ast.Lambda,
    positional: Iterable[Value],
    keywords: dict[str, Value],
    default: Callable[[ast.expr], Value],
    this: Value | None,
) -> dict[str, Value] | str:
    """What parameters stand for in a call, or what is wrong.

    Args:
        node: the function.
        positional: arguments by place.
        keywords: arguments by name.
        default: works out an expression of a default value.
        this: the object, for a method.
    """
    own = node.args
    given = list(positional) if this is None else [this, *positional]
    parameters = [*own.posonlyargs, *own.args]
    found: dict[str, Value] = {}
    for parameter, value in zip(parameters, given, strict=False):
        found[parameter.arg] = value
    if own.vararg is not None:
        found[own.vararg.arg] = Fixed(given[len(parameters) :], constant=True)
    elif len(given) > len(parameters):
        return "too many arguments"
    if own.kwarg is not None:
        found[own.kwarg.arg] = Lacking("arguments that are collected by name")
    known = {p.arg for p in [*own.args, *own.kwonlyargs]}
    for key, value in keywords.items():
        if key not in known:
            return f"no parameter {key!r} that is read"
        if key in found:
            return f"two arguments for {key!r}"
        found[key] = value
    late = dict(zip([p.arg for p in parameters][::-1], own.defaults[::-1], strict=False))
    late |= {
        p.arg: d for p, d in zip(own.kwonlyargs, own.kw_defaults, strict=True) if d is not None
    }
    for parameter in [*parameters, *own.kwonlyargs]:
        if parameter.arg not in found:
            if parameter.arg not in late:
                return f"no argument for {parameter.arg!r}"
            found[parameter.arg] = default(late[parameter.arg])
    return found
