"""Who else has a list or an object, and copies of what names stand for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from .values import Bound, Class, Fixed, Function, Parent, Thing, Value, Vector


def references(roots: Iterable[Value], wanted: Value) -> int:
    """From how many places a value can be reached: names, other lists, objects, functions."""
    found, seen = 0, set[int]()
    waiting = list(roots)
    while waiting:
        value = waiting.pop()
        found += value is wanted
        if id(value) not in seen:
            seen.add(id(value))
            waiting += _held(value)
    return found


def _held(value: Value) -> list[Value]:
    """What a value holds as it is, so that a change of it is seen through both."""
    match value:
        case Fixed(items=items, through=through):
            return [*items, *through]
        case Vector(through=through, mask=mask):
            return [*through, *([] if mask is None else [mask])]
        case Thing(attributes=attributes):
            return list(attributes.values())
        case Bound(value=inner):
            return [inner]
        case Parent(this=this):
            return [this]
        case Function(node=node, this=this, closure=closure):
            own: list[Value] = [] if this is None else [this]
            spoken = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            return own + [v for text, v in (closure or {}).items() if text in spoken]
    return []


def gone_through(value: Value) -> list[Vector | Fixed]:
    """The lists whose values a loop over a value takes as they are then."""
    if not isinstance(value, Vector | Fixed):
        return []
    return [value, *(inner for one in value.through for inner in gone_through(one))]


def frozen(names: Mapping[str, Value], pinned: Callable[[Vector], Vector]) -> dict[str, Value]:
    """Names as they are now, whatever is stored in lists and objects later.

    Args:
        names: what they stand for.
        pinned: gives a vector as it is now.
    """
    copies: dict[int, Value] = {}
    scopes: dict[int, dict[str, Value]] = {}

    def scope(held: Mapping[str, Value]) -> dict[str, Value]:
        if id(held) not in scopes:
            found = scopes[id(held)] = {}
            found |= {text: copy(value) for text, value in held.items()}
        return scopes[id(held)]

    def copy(value: Value) -> Value:
        if id(value) in copies:
            return copies[id(value)]
        match value:
            case Vector():
                copies[id(value)] = pinned(value)
            case Fixed():
                made = copies[id(value)] = replace(value, items=[], through=())
                made.items += [copy(item) for item in value.items]
            case Thing():
                thing = copies[id(value)] = replace(value, attributes={})
                thing.attributes.update({k: copy(v) for k, v in value.attributes.items()})
            case Bound(value=inner):
                copies[id(value)] = replace(value, value=copy(inner))
            case Parent(this=Thing() as this):
                own = copy(this)
                assert isinstance(own, Thing)
                copies[id(value)] = replace(value, this=own)
            case Function(this=this, closure=closure):
                bound = copy(this) if isinstance(this, Thing) else this
                assert bound is None or isinstance(bound, Thing | Class)
                held = None if closure is None else scope(closure)
                copies[id(value)] = replace(value, this=bound, closure=held)
            case _:
                return value
        return copies[id(value)]

    return scope(names)
