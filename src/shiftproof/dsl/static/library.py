"""What a file may use while it is read: known objects, and calls that are known to be harmless.

Everything is recognised by identity; what is not here is not called.
"""

from __future__ import annotations

import importlib
import math
import re
import types
import typing
from collections.abc import Callable, Sequence
from fractions import Fraction
from types import ModuleType
from typing import Any

from ..mechanism import mechanism
from ..privacy import definitions as privacy
from ..privacy import inputs
from ..privacy.policies import Policy

_PACKAGE = __name__.partition(".")[0]
#: Outside modules whose objects a file may use as they are.
STANDARD = frozenset({
    "__future__", "builtins", "collections", "collections.abc", "fractions", "math", "numbers",
    "typing",
})  # fmt: skip
#: The parts of this package that a file may import.
_ROOMS = frozenset({"alignments", "checkers", "dsl", "mechanisms"})
#: Larger numbers and collections are not computed while a file is read.
LARGEST_BITS = 4096
LARGEST_SIZE = 10_000

_KINDS = [
    kind
    for kind in vars(inputs).values()
    if isinstance(kind, type) and issubclass(kind, inputs.InputKind)
]
_PLAIN: tuple[Callable[..., Any], ...] = (
    Fraction, int, float, abs, min, max, set, frozenset, tuple, list, range,
    math.sqrt, math.exp, math.log, math.log2, math.log10, math.log1p, math.expm1,
)  # fmt: skip
_DATA = (int, float, Fraction, str, tuple, list, set, frozenset, range, dict)
_CLAIMS = [
    claim
    for claim in vars(privacy).values()
    if isinstance(claim, type) and issubclass(claim, privacy.Privacy)
]
_CALLED = (Policy, mechanism, *_CLAIMS, *_KINDS, *_PLAIN)
_SUBSCRIPTED = (list, tuple, dict, set, frozenset, type)
_NUMBER_TEXT = re.compile(r"\s*[+-]?[0-9_.]{1,100}(/[0-9_]{1,100}|[eE][+-]?[0-9]{1,3})?\s*")


def known_module(name: str) -> ModuleType | None:
    """A module of this package or one of the few standard ones; ``None`` for any other.

    Raises:
        ImportError: it is one of this package's, and there is none of that name.
    """
    parts = name.split(".")
    ours = parts[0] == _PACKAGE and (len(parts) == 1 or parts[1] in _ROOMS)
    if name in STANDARD or (ours and not any(part.startswith("_") for part in parts)):
        return importlib.import_module(name)
    return None


def is_known(module: ModuleType) -> bool:
    """Whether the attributes of a module are known objects."""
    return module.__name__ in STANDARD or module.__name__.partition(".")[0] == _PACKAGE


def may_call(function: object) -> bool:
    """Whether a call is known to be harmless, whatever its arguments are."""
    owner = getattr(function, "__self__", None) if isinstance(function, types.MethodType) else None
    return any(function is known for known in _CALLED) or owner is Policy


def is_harmless(function: object, arguments: Sequence[object], keywords: int) -> bool:
    """Whether a call computes nothing huge from its arguments, and calls none of them."""
    if function in _PLAIN and (keywords or not all(isinstance(a, _DATA) for a in arguments)):
        return False  # min(xs, key=f) would call f
    texts = [a for a in arguments if isinstance(a, str)]
    if function in (int, float, Fraction):
        words = ("inf", "-inf", "+inf", "nan", "infinity", "-infinity")
        return all(_NUMBER_TEXT.fullmatch(t) or t.strip().lower() in words for t in texts)
    if function is range:
        try:
            return len(range(*arguments)) <= LARGEST_SIZE  # type: ignore[call-overload]
        except OverflowError:
            return False
        except (TypeError, ValueError):
            return True
    return True


def may_subscript(value: object) -> bool:
    """Whether ``value[…]`` is a type."""
    if isinstance(value, types.GenericAlias | types.UnionType):
        return True
    if isinstance(value, type):
        return value in _SUBSCRIPTED or value.__module__ in ("collections.abc", "typing")
    # Aliases and special forms of typing, whose classes are its own and private.
    return type(value).__module__ == "typing"


def may_be_type(value: object) -> bool:
    """Whether a value can stand on a side of ``|`` between types."""
    return value is None or isinstance(value, type) or may_subscript(value)


def has_text(value: object) -> bool:
    """Whether a value is text, or a collection that holds some."""
    return isinstance(value, str) or (isinstance(value, list | tuple) and any(map(has_text, value)))


def is_number(value: object) -> bool:
    """Whether a value is a plain number, of a size that may be computed with."""
    if type(value) is float:
        return True
    if type(value) is int:
        return value.bit_length() <= LARGEST_BITS
    return type(value) is Fraction and all(
        part.bit_length() <= LARGEST_BITS for part in (value.numerator, value.denominator)
    )


def is_dunder(name: str) -> bool:
    """Whether a name is of the kind that Python keeps for itself: ``__name__``, ``__dict__``."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def is_untold(name: str) -> bool:
    """Whether Python binds a name itself: it says how Python was started or the file was found."""
    return name in SPECIAL_NAMES or name in _SAID


#: A file may bind these; they stay what Python may have made of them.
_SAID = frozenset({"__doc__", "__debug__", "__cached__", "__import__", "__build_class__"})
#: Names of a module that say how it, or what is in it, is found.
SPECIAL_NAMES = frozenset({
    "__builtins__", "__name__", "__package__", "__path__", "__spec__", "__loader__", "__file__",
    "__class__", "__dict__", "__annotations__",
})  # fmt: skip

ANNOTATED = typing.Annotated
LITERAL = typing.Literal
