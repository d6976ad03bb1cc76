"""Expressions of a mechanism after parsing, and what a piece of syntax is made of.

Expressions are pure.  Chained comparisons and helper functions are gone: the parser writes them in
terms of what is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache, lru_cache
from types import NoneType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

# What a piece of syntax is made of, said once: by the types of its fields.
#
# Whoever goes through a program (to rename, to move, to collect what is read or bound) asks here,
# and knows no class of expressions, statements or nodes.

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


Kind = Literal["int", "float"]


@dataclass(frozen=True, slots=True)
class Span:
    """Where a piece of syntax stands: line and column from 1, and its width, in bytes of UTF-8."""

    role: ClassVar = "span"
    line: int
    column: int
    width: int = 1


NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Expression:
    """Base of all expressions."""

    role: ClassVar = "expression"
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Constant(Expression):
    """A number; ``kind`` tells 1 from 1.0."""

    value: Fraction
    kind: Kind


@dataclass(frozen=True, slots=True)
class BooleanConstant(Expression):
    """``True`` or ``False``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Label(Expression):
    """An atom that stands for itself: ``None`` or a string."""

    value: str | None


@dataclass(frozen=True, slots=True)
class Name(Expression):
    """A variable or a scalar parameter."""

    name: Read


@dataclass(frozen=True, slots=True)
class Cell(Expression):
    """One element of a sequence parameter."""

    array: Read
    index: Expression


@dataclass(frozen=True, slots=True)
class Length(Expression):
    """The length of a sequence parameter."""

    array: Read


@dataclass(frozen=True, slots=True)
class Whole(Expression):
    """All elements of a local list; only as the weights of a draw."""

    array: Read


@dataclass(frozen=True, slots=True)
class Arithmetic(Expression):
    """``left operator right`` for ``+ - * / // %``."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison(Expression):
    """``left operator right`` for ``< <= > >= == !=``; ``is`` and ``is not`` with an atom."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Connective(Expression):
    """``and`` or ``or`` of two or more, short-circuiting from the left."""

    operator: Literal["and", "or"]
    members: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Negation(Expression):
    """``not inner``."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Conditional(Expression):
    """``yes if test else no``."""

    test: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True, slots=True)
class Builtin(Expression):
    """``min``, ``max``, ``abs``, ``int``, ``round`` or ``exp``; ``index`` insists on an int."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Let(Expression):
    """``body`` with names bound to values first: an inlined call of a helper function."""

    names: tuple[Bound, ...]
    values: tuple[Expression, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Other(Expression):
    """The value that the expression has in the paired run on D'; only in alignments."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Counted(Expression):
    """How many records of a data set meet a condition on the cells of :func:`record_name`."""

    data: Read
    test: Expression


@dataclass(frozen=True, slots=True)
class Foretold(Expression):
    """The ``which``-th integer that is released or picked from here on (0: the next one).

    A prophecy: only in alignments.
    """

    which: int


@dataclass(frozen=True, slots=True)
class Chosen(Expression):
    """Whether an index is among those that the next ``top_k`` picks; only in alignments."""

    item: Expression


@dataclass(frozen=True, slots=True)
class Gaps(Expression):
    """Moved such that ``top_k`` gives the same order and gaps; only in alignments.

    The values that the noise is in are larger on D by ``low`` to ``high``.
    """

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Predictable(Expression):
    """Moved by a ``shift`` that is known before the draw, and is ``most`` in size at most.

    Only in alignments, of noise whose ρ is paid for by the square of the shift.
    """

    shift: Expression
    most: Expression


@dataclass(frozen=True, slots=True)
class Unless(Expression):
    """A draw is given up where a ``test`` of it holds, which δ pays for; else it has a ``shift``.

    The test is a comparison of the draw with what is made of public inputs, or the last part of a
    conjunction whose others are known before the draw.  Only in alignments.
    """

    test: Expression
    shift: Expression


@dataclass(frozen=True, slots=True)
class Capped(Expression):
    """Moved by a ``shift`` of ``most`` in size at most, of normal noise that is no further out than
    ``end`` in the direction of the shift; only in alignments.
    """

    shift: Expression
    end: Expression
    most: Expression


@dataclass(frozen=True, slots=True)
class Summed(Expression):
    """Not moved: summed with the draws beside it, until only these variables are left of them.

    Only in alignments.
    """

    left: tuple[Name, ...]


def children(piece: object) -> tuple[Expression, ...]:
    """The direct parts of an expression, or the expressions of a statement, in order."""
    return tuple(held(piece, "expression"))


@lru_cache(maxsize=4096)
def parts_of(e: Expression) -> tuple[Expression, ...]:
    """An expression and everything in it; of equal ones, wherever they stand, those of one."""
    return (e, *(part for child in children(e) for part in parts_of(child)))


def at_one_place(e: Expression, span: Span) -> Expression:
    """The expression with all its parts at one place."""
    return rebuilt(e, expression=lambda part: at_one_place(part, span), span=lambda _: span)


@lru_cache(maxsize=4096)
def names_in(e: Expression) -> frozenset[str]:
    """Every variable and parameter that the expression reads from around it."""
    if isinstance(e, Let):
        return all_names(e.values) | (names_in(e.body) - set(e.names))
    if isinstance(e, Counted):
        return (names_in(e.test) - {record_name(e.data)}) | {e.data}
    return all_names(children(e)).union(held(e, "read"))


def all_names(expressions: Iterable[Expression]) -> frozenset[str]:
    """Every variable and parameter that one of the expressions reads from around it."""
    return frozenset[str]().union(*map(names_in, expressions))


def names_in_other(e: Expression) -> frozenset[str]:
    """The names that an expression reads in the other run."""
    return all_names(part.inner for part in parts_of(e) if isinstance(part, Other))


def record_name(data: str) -> str:
    """The name that one record of a data set goes by in a condition on records."""
    return f"record@{data}"
