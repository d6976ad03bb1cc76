"""What a value is surely, or surely not: `None`, or of a type of Python, numpy or the library.

Whole numbers are written as ints here whether Python holds them as ints or as floats, and as
Python's or as numpy's own; so only what holds of all of these is known, unless the text or the
reading says which it is.
"""

from __future__ import annotations

from .values import (
    Cell,
    Class,
    External,
    Fixed,
    Flip,
    Function,
    Generator,
    IsNot,
    Kind,
    Known,
    Lacking,
    Numbers,
    Parent,
    Term,
    Thing,
    Undrawn,
    Value,
    Vector,
    kind_of,
)

_SCALARS = frozenset({"builtins.int", "builtins.float", "builtins.bool"})
_NUMBERS = frozenset({"numbers.Number", "numbers.Complex", "numbers.Real"})
_LISTS = frozenset({"builtins.list", "builtins.tuple"})
_OTHERS = frozenset({"builtins.dict", "builtins.set", "builtins.bytes", "builtins.complex"})
_ABSTRACT = _NUMBERS | {"numbers.Integral", "numbers.Rational"}
_ARRAY = frozenset({"numpy.ndarray"})
_TEXT = frozenset({"builtins.str"})
_ALL = _SCALARS | _ABSTRACT | _LISTS | _OTHERS | _ARRAY | _TEXT
#: What numbers of Python's own are, by their kinds.
_OWN: dict[Kind | None, frozenset[str]] = {
    "int": _ABSTRACT | {"builtins.int"},
    "float": _NUMBERS | {"builtins.float"},
    "bool": _ABSTRACT | {"builtins.bool", "builtins.int"},
}
_SOURCES = frozenset({"random.Random", "random.SystemRandom", "secrets.SystemRandom"})


def is_none(value: Value) -> bool | None:
    """Whether a value is ``None``; ``None`` if that is not known."""
    if isinstance(value, Known):
        return value.value is None
    made = (
        Term | Undrawn | Flip | Vector | Fixed | Numbers | IsNot | Thing | Function | Class
        | Generator | Cell
    )  # fmt: skip
    return False if isinstance(value, made) else None


def is_same(one: Value, other: Value) -> bool | None:
    """Whether two values are one and the same object; ``None`` if that is not known."""
    for left, right in ((one, other), (other, one)):
        if left == Known(None) and isinstance(left, Known):
            return is_none(right)
    match one, other:  # there is one True and one False
        case Known(value=bool() as yes, own=True), Known(value=bool() as no, own=True):
            return yes is no
    return None


def is_of(value: Value, wanted: External | Class, bases: list[Class]) -> bool | None:
    """Whether a value is of a type; ``None`` if that is not known.

    Args:
        value: what is asked about.
        wanted: the type.
        bases: the classes of an object.
    """
    if wanted == External("builtins.object"):
        return True
    if isinstance(wanted, Class):
        return _is_of_class(value, wanted, bases)
    true, false = _types(value)
    return True if wanted.name in true else False if wanted.name in false else None


def _is_of_class(value: Value, wanted: Class, bases: list[Class]) -> bool | None:
    if isinstance(value, Thing):
        return any(one.node is wanted.node for one in bases)
    plain = isinstance(value, Known | Term | Vector | Fixed | Numbers | Generator | Undrawn | Flip)
    return False if plain else None


def _types(value: Value) -> tuple[frozenset[str], frozenset[str]]:
    """The types that a value surely has, and those that it surely has not."""
    nothing: frozenset[str] = frozenset()
    match value:
        case Thing():
            return nothing, _ALL - _ABSTRACT
        case Generator(library="random"):
            return frozenset({"random.Random"}), _ALL
        case Generator():
            return nothing, _ALL | _SOURCES
        case Vector(array=True) | Fixed(array=True):
            return _ARRAY, _ALL - _ARRAY
        case Vector() | Fixed():
            return nothing, _ALL - _LISTS
        case Known(own=True) | Term(own=True) if kind_of(value) in _OWN:
            own = _OWN[kind_of(value)]
            return own, _ALL - own
        case Known() | Term():
            match kind_of(value):
                case None:
                    return nothing, _ALL
                case "text":
                    return _TEXT, _ALL - _TEXT
                case "bool":
                    return nothing, _LISTS | _OTHERS | _ARRAY | _TEXT
            return _NUMBERS, _LISTS | _OTHERS | _ARRAY | _TEXT
    return nothing, nothing


def called(value: Value) -> str:
    """What a value is, in words."""
    match value:
        case Vector(array=True) | Fixed(array=True):
            return "an array"
        case Vector() | Fixed():
            return "a list or a tuple"
        case Numbers():
            return "a range of numbers"
        case External(name=name):
            return f"the function, type or module {name.removeprefix('builtins.')!r}"
        case Thing(owner=owner):
            return f"an object of class {owner.name!r}"
        case Class(node=node):
            return f"the class {node.name!r}"
        case Function() | Parent():
            return "a function or 'super()'"
        case Lacking(why=why):
            return why
    return f"a {type(value).__name__.lower()}"
