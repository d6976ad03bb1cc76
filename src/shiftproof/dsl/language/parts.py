"""What a piece of syntax is made of, said once: by the types of its fields.

Whoever goes through a program (to rename, to move, to collect what is read or bound) asks here,
and knows no class of expressions, statements or nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from types import NoneType
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

#: The name of a variable or sequence that is read, and of one that is bound.
Read = Annotated[str, "read"]
Bound = Annotated[str, "bound"]
#: One that keeps a part of what it held.
Changed = Annotated[str, "read", "changed"]
#: The number of a node that can come next, and of the one where the arms of a branch meet.
Next = Annotated[int, "next"]
Join = Annotated[int, "join"]

Piece = TypeVar("Piece")


@cache
def _fields(kind: type, role: str) -> tuple[tuple[str, int], ...]:
    """The fields that hold parts of a role, in order: one, a tuple of them, or of named ones."""
    hints = get_type_hints(kind, include_extras=True)
    found = ((f.name, _depth(hints[f.name], role)) for f in fields(kind))
    return tuple((name, depth) for name, depth in found if depth is not None)


def _depth(hint: Any, role: str) -> int | None:
    if get_origin(hint) is Annotated:
        return 0 if role in hint.__metadata__ else None
    if isinstance(hint, type) and getattr(hint, "role", None) == role:
        return 0
    inner = [part for part in get_args(hint) if part not in (NoneType, ...)]
    if get_origin(hint) is tuple:
        found = _depth(inner[-1], role)
        return None if found is None else found + 1
    return _depth(inner[0], role) if inner else None


def held(piece: object, role: str) -> Iterator[Any]:
    """The parts of a role that a piece holds itself, in order."""
    kind: Any = type(piece)
    for name, depth in _fields(kind, role):
        value = getattr(piece, name)
        if depth == 0:
            yield from () if value is None else (value,)
        elif value is not None:
            yield from value if depth == 1 else (part for _, part in value)


def rebuilt(piece: Piece, **changes: Callable[[Any], Any]) -> Piece:
    """The piece with the parts of each role changed as is said for it."""
    kind: Any = type(piece)
    changed: dict[str, Any] = {}
    for role, change in changes.items():
        for name, depth in _fields(kind, role):
            value = getattr(piece, name)
            if depth == 0 and value is not None:
                changed[name] = change(value)
            elif value is not None:
                one = change if depth == 1 else lambda pair, f=change: (pair[0], f(pair[1]))
                changed[name] = tuple(map(one, value))
    return cast(Piece, replace(cast(Any, piece), **changed))
