"""What a name outside the mechanism means: resolved by identity, then frozen.

A shadowed ``min`` or a wrapped ``sample`` is not the word of the language, and is
recognised by not being the same object.
"""

from __future__ import annotations

import builtins
import math
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Literal

from .. import noise
from ..errors import did_you_mean
from ..noise import Distribution, own
from . import runtime
from .declaration import Declaration
from .readings import Unreadable

_MISSING = object()

#: Functions that expressions may call.
ARITHMETIC = {
    id(f): f.__name__
    for f in (
        *(builtins.min, builtins.max, builtins.abs, builtins.int, builtins.round),
        *(math.exp, math.log, math.sqrt, math.floor, math.ceil),
    )
}
#: Iterables of ``for`` loops.
ITERATION = {id(f): f.__name__ for f in (builtins.range, builtins.enumerate, builtins.zip)}

Word = Literal[
    "sample", "align", "ensure", "other", "outcome", "count", "argmax", "top_k", "len",
    "arithmetic", "sum", "iteration", "noise", "constant", "helper", "mechanism", "module",
    "unbound", "unknown",
]  # fmt: skip

#: The words that the language itself defines.
_OWN: tuple[Word, ...] = (
    "sample",
    "align",
    "ensure",
    "other",
    "outcome",
    "count",
    "argmax",
    "top_k",
)


@dataclass(frozen=True, slots=True)
class Use:
    """One outside name that was read: where it is looked up, and what it was."""

    scope: Scope
    name: str
    found: object
    code: object

    @property
    def unchanged(self) -> bool:
        """Whether the name still means the same object, with the same code."""
        now = self.scope.lookup(self.name)
        return now is self.found and getattr(now, "__code__", None) is self.code


@dataclass(slots=True)
class Scope:
    """The names around one function; ``record`` keeps those that were read."""

    function: FunctionType
    record: list[Use] = field(default_factory=list)

    def lookup(self, name: str) -> object:
        """The object that a free name means now: closure, then globals, then builtins.

        A dotted name is followed through modules only.
        """
        if "." in name:
            module, _, attribute = name.rpartition(".")
            owner = self.lookup(module)
            if isinstance(owner, Unreadable):
                return owner
            is_module = isinstance(owner, types.ModuleType)
            return getattr(owner, attribute, _MISSING) if is_module else _MISSING
        closure = self.function.__closure__ or ()
        for free, cell in zip(self.function.__code__.co_freevars, closure, strict=True):
            if free == name:
                try:
                    return cell.cell_contents
                except ValueError:
                    return _MISSING
        # pyright takes a function in a dataclass for a bound method.
        function: Any = self.function
        around: Mapping[str, object] = function.__globals__
        return around[name] if name in around else getattr(builtins, name, _MISSING)

    def resolve(self, name: str) -> tuple[Word, object]:
        """What the name is as a word of the language; the object is remembered as used.

        Raises:
            Unsupported: the file is not executed, and only that would tell.
        """
        found = self.lookup(name)
        if isinstance(found, Unreadable):
            raise found.error(name)
        self.record.append(Use(self, name, found, getattr(found, "__code__", None)))
        return word_of(found), found


def word_of(found: object) -> Word:
    """Classify an object by identity or type."""
    if found is _MISSING:
        return "unbound"
    for word in _OWN:
        if found is getattr(runtime, word):
            return word
    if found is builtins.len:
        return "len"
    if found is builtins.sum:
        return "sum"
    if id(found) in ARITHMETIC:
        return "arithmetic"
    if id(found) in ITERATION:
        return "iteration"
    if isinstance(found, type) and issubclass(found, Distribution):
        # A class from elsewhere could state anything about itself.
        ours = getattr(noise, found.__name__, None) is found or found in own.TAKEN
        return "noise" if ours else "unknown"
    if found is None or type(found) in (bool, int, float, str):
        return "constant"  # a subclass could compare and compute in its own way
    if isinstance(found, types.FunctionType):
        return "helper"
    if isinstance(found, types.ModuleType):
        return "module"
    return "mechanism" if isinstance(found, Declaration) else "unknown"


def defining(name: str, known: Iterable[str] = ()) -> str:
    """What to do about a name that is not defined, where others are ``known``."""
    if name in _OWN or word_of(getattr(noise, name, None)) == "noise":
        return f"import it: from shiftproof import {name}"
    if name in _OTHERWISE:
        return "write Gaussian(sigma), or DiscreteGaussian(sigma), under a claim of ρ or δ"
    laws = (n for n in dir(noise) if word_of(getattr(noise, n)) == "noise")
    return did_you_mean(name, (*known, *laws, *_OWN), "define or import it, or check its spelling")


#: What others call normal noise.
_OTHERWISE = frozenset({"Normal", "gauss", "normal", "normalvariate"})
