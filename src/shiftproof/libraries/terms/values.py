"""What a name of a library's function stands for while it is read."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from ..modules import SourceModule

Kind: TypeAlias = Literal["int", "float", "bool", "text"]
#: What is known where something happens: which terms equal which constants.
Facts: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Known:
    """A constant of Python: a number, a Boolean, a text, or ``None``.

    Attributes:
        value: the constant.
        own: whether it is surely of Python's own type, as the library's text or the reading says
            it: a constant that was computed may be one of numpy's.
    """

    value: int | float | bool | str | None
    own: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Term:
    """An expression of the language.

    Attributes:
        node: the expression.
        kind: of its value.
        fixed: whether it is made of constants and of public parameters.
        own: as of a constant.
    """

    node: ast.expr
    kind: Kind
    fixed: bool
    own: bool = field(default=False, compare=False)


@dataclass(eq=False, slots=True)
class Origin:
    """A uniform number in [0, 1): what was known where it was compared; its variable if it has one.

    One that is only compared with something is never drawn: that is the flip of a coin.  It is
    used in the round of a loop in which it was made, as each round would draw another one.
    """

    compared: list[Facts] = field(default_factory=list)
    drawn: str = ""
    path: object = None
    round: object = None


@dataclass(eq=False, slots=True)
class Undrawn:
    """``start + factor * u``; ``origin`` is u, shared by all that is computed from it."""

    start: Value
    factor: Value
    origin: Origin = field(default_factory=Origin)


@dataclass(eq=False, slots=True)
class Flip:
    """A Boolean that is true with some probability, not drawn yet; ``round`` as of a number.

    What has a name, or is kept anywhere, is drawn.  A coin is tossed once: ``drawn`` is what it
    showed in the case ``path``, and ``spent`` says that another value stands for it.
    """

    probability: Value
    round: object = None
    drawn: Term | None = None
    path: object = None
    spent: bool = False


@dataclass(eq=False, slots=True)
class Once:
    """Whether the elements of a vector were asked for, and in which round they were to be."""

    used: bool = False
    round: object = None


@dataclass(eq=False, slots=True)
class Vector:
    """As many values as ``length`` says, each worked out when it is asked for.

    Attributes:
        length: how many.
        element: the one at an index; it may write statements, with draws among them.
        kind: what its elements are made to be, as numpy's arrays do; ``None`` as they come.
        draws: whether elements draw noise, so that each can be asked for once only.
        listed: the name of a list or of a sequence of the mechanism, if it is one.
        path: the case in which it was made; in another one it is not changed.
        maker: the call in which it was made.
        mask: if it holds selected places of a list only, the conditions that select them.
        array: whether it is an array of numpy, of which operators work element by element.
        once: whether its elements were asked for; copies of the vector share it.
        through: lists that it gives as they are while a loop goes through it.
        of: the list of which it is the copy that a case changes.
    """

    length: Value
    element: Callable[[Value], Value]
    kind: Kind | None = None
    draws: bool = False
    listed: str = ""
    path: object = None
    maker: object = None
    mask: Vector | None = None
    array: bool = False
    once: Once = field(default_factory=Once)
    through: tuple[Vector | Fixed, ...] = ()
    of: object = None


@dataclass(eq=False, slots=True)
class Fixed:
    """A list or tuple with a known number of values; all else is as of a vector.

    Attributes:
        constant: whether it is a tuple, which never changes itself.
    """

    items: list[Value]
    path: object = None
    kind: Kind | None = None
    maker: object = None
    array: bool = False
    constant: bool = False
    through: tuple[Vector | Fixed, ...] = ()
    of: object = None


@dataclass(frozen=True, slots=True)
class Numbers:
    """The integers from ``start`` up to ``stop`` without ``stop``, and without one of them.

    ``array``: whether they are an array of numpy, and no ``range``.
    """

    start: Value
    stop: Value
    without: Value | None = None
    array: bool = False


@dataclass(frozen=True, slots=True)
class IsNot:
    """``numbers != value``, elementwise: to choose from them."""

    numbers: Numbers
    value: Value


@dataclass(eq=False, slots=True)
class Cell:
    """The list of which a round of a loop reads and writes one place only, by its own name."""

    index: Value
    name: str
    kind: Kind | None
    owner: object
    round: object


@dataclass(eq=False, slots=True)
class Thing:
    """An object of a class of the library: ``self``."""

    owner: ast.ClassDef
    module: SourceModule
    attributes: dict[str, Value] = field(default_factory=dict)
    path: object = None


@dataclass(frozen=True, slots=True)
class External:
    """A module, function or class of another library, by its full name."""

    name: str


@dataclass(frozen=True, slots=True)
class Generator:
    """Where random numbers come from: of ``random`` or of numpy, which call them differently."""

    library: Literal["random", "numpy"]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the library, perhaps of an object, and where its names are looked up."""

    node: ast.FunctionDef | ast.Lambda
    module: SourceModule
    this: Thing | Class | None = None
    closure: Mapping[str, Value] | None = None


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the library."""

    node: ast.ClassDef
    module: SourceModule


@dataclass(frozen=True, slots=True)
class Parent:
    """``super()``: the methods of an object, or of a class, from behind a class on."""

    this: Thing | Class
    behind: ast.ClassDef


@dataclass(frozen=True, slots=True)
class Bound:
    """A method of a value: ``x.append``."""

    value: Value
    name: str


@dataclass(frozen=True, slots=True)
class Lacking:
    """What is not known, and why; an error where it is needed."""

    why: str


Value: TypeAlias = (
    Known | Term | Undrawn | Flip | Vector | Fixed | Numbers | IsNot | Cell | Thing | External
    | Generator | Function | Class | Parent | Bound | Lacking
)  # fmt: skip


def node_of(value: Known | Term) -> ast.expr:
    """The expression of a scalar."""
    if isinstance(value, Term):
        return value.node
    found = ast.parse(repr(value.value), mode="eval").body
    return found


def text_of(value: Known | Term) -> str:
    """The same as text."""
    return ast.unparse(node_of(value))


def kind_of(value: Known | Term) -> Kind | None:
    """Of which kind a scalar is; ``None`` of ``None``."""
    if isinstance(value, Term):
        return value.kind
    match value.value:
        case bool():
            return "bool"
        case int():
            return "int"
        case float():
            return "float"
        case str():
            return "text"
    return None


def bare(value: Known | Term) -> Known | Term:
    """The same number, which may be one of numpy's."""
    return replace(value, own=False) if value.own else value


def is_fixed(value: Value) -> bool:
    """Whether a value is made of constants and public parameters."""
    return isinstance(value, Known) or (isinstance(value, Term) and value.fixed)


def name(text: str, kind: Kind, fixed: bool = False) -> Term:
    """A variable or an expression of the language, given as text."""
    return Term(ast.parse(text, mode="eval").body, kind, fixed)


def alike(one: Value, other: Value) -> bool:
    """Whether two values are surely the same."""
    if one is other:
        return True
    if isinstance(one, Known | Term) and isinstance(other, Known | Term):
        return kind_of(one) == kind_of(other) and text_of(one) == text_of(other)
    return False
