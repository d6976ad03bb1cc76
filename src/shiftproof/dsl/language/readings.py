"""What is known of a module that is read and never executed: values, and reasons for the rest.

A value that only running the file could tell is an ``Unreadable``: it does no harm until a
mechanism uses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ..errors import Location, Unsupported
from .source import Source

ADVICE = "bind it once, at the top level, to what can be read; or execute the file with --import"


@dataclass(frozen=True, slots=True, eq=False)
class Unreadable:
    """A value that is not known, why, and where that is decided.

    ``module`` is the outside module that it is, or comes from.  ``holds_mechanism``: executing
    the file would make a mechanism of it.
    """

    reason: str
    location: Location | None = None
    module: str = ""
    holds_mechanism: bool = False

    def error(self, name: str) -> Unsupported:
        """The error for a mechanism that uses the value under this name."""
        message = f"'{name}' is not known without executing the file: {self.reason}"
        return Unsupported(message, self.location, _INSTEAD.get(name.rpartition(".")[2], ADVICE))


_OWN = "use Python's own, or that of math: min, max, abs, round, sum, exp, log, sqrt, floor, ceil"
#: What to write for functions of libraries that mechanisms are often written with.
_INSTEAD = {
    name: f"draw noise = sample({law}), with names from shiftproof"
    for name, law in (
        ("laplace", "Laplace(scale)"),
        ("exponential", "Exponential(scale)"),
        ("geometric", "OneSidedGeometric(scale)"),
        ("uniform", "Uniform(low, high)"),
        ("random", "Uniform(0, 1)"),
        ("rand", "Uniform(0, 1)"),
        ("randint", "DiscreteUniform(low, high)"),
        ("integers", "DiscreteUniform(low, high)"),
        ("choice", "Categorical([…])"),
    )
} | dict.fromkeys(("sum", "clip", "minimum", "maximum", "round", "floor", "ceil"), _OWN)


class RefusedLaw(Unreadable):
    """A distribution of the file's own that nothing is proved with; the reason says why."""

    def error(self, name: str) -> Unsupported:
        """The error for a mechanism that draws from it."""
        return Unsupported(
            f"'{name}' is a law of the file's own, with which nothing is proved: {self.reason}",
            self.location,
            "state it by texts, as docs/extending.md shows, with a cost that can be decided",
        )


@dataclass(frozen=True, slots=True)
class Later:
    """What a name of a module is bound to, loaded when it is asked for."""

    module: ModuleType
    name: str

    @staticmethod
    def settled(value: Any) -> Any:
        """A value itself, whether it was asked for before or not."""
        return getattr(value.module, value.name) if isinstance(value, Later) else value


class Namespace(dict[str, Any]):
    """The global names of a module that was read, and the source of every function in it.

    ``unknown`` is set where names may be bound that nobody can tell: then every name that is
    not here is unreadable, builtins too.
    """

    def __init__(self) -> None:
        super().__init__()
        self.unknown: Unreadable | None = None
        # By identity: equal code may stand in two files.  The code is kept so that no other
        # object gets its id.
        self._sources: dict[int, tuple[CodeType, Source]] = {}
        self._earlier: dict[str, list[Any]] = {}

    def __getitem__(self, name: str) -> Any:
        return Later.settled(super().__getitem__(name))

    def get(self, name: str, otherwise: Any = None) -> Any:
        """The value of a name, if it is bound."""
        return Later.settled(super().get(name, otherwise))

    def __setitem__(self, name: str, value: Any) -> None:
        self.note(name, value)
        super().__setitem__(name, value)

    def note(self, name: str, value: Any) -> None:
        """Keep that a name may be bound to a value at some time."""
        if not isinstance(value, bool | int | float):
            self._earlier.setdefault(name, []).append(value)

    def earlier(self, name: str) -> list[Any]:
        """What a name was bound to at any time, but for numbers."""
        return [Later.settled(value) for value in self._earlier.get(name, ())]

    def __contains__(self, name: object) -> bool:
        return self.unknown is not None or super().__contains__(name)

    def __missing__(self, name: str) -> Unreadable:
        if self.unknown is None:
            raise KeyError(name)
        return self.unknown

    def bound(self, name: str) -> bool:
        """Whether the module surely binds the name."""
        return dict.__contains__(self, name)

    def remember(self, code: CodeType, source: Source) -> None:
        """Keep where a function was read."""
        self._sources[id(code)] = code, source

    def source(self, code: CodeType) -> Source | None:
        """Where the function with this code was read, if it was read here."""
        found = self._sources.get(id(code))
        return found[1] if found else None


def namespace_of(function: FunctionType) -> Namespace | None:
    """The names around a function that was read; ``None`` for one that was imported."""
    found = function.__globals__
    return found if isinstance(found, Namespace) else None


class ReadModule(ModuleType):
    """A module that was read: its attributes are what its text binds, and nothing is called."""

    def __init__(self, name: str, namespace: Namespace) -> None:
        super().__init__(name)
        vars(self)["__namespace__"] = namespace

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__"):
            return super().__getattribute__(name)
        namespace: Namespace = super().__getattribute__("__namespace__")
        if name in namespace:
            return namespace[name]
        if "__getattr__" in namespace:
            return Unreadable(f"__getattr__ of the module '{self.__name__}' makes it")
        raise AttributeError(name)

    @property
    def __names__(self) -> Namespace:
        """The names that the module binds."""
        found: Namespace = vars(self)["__namespace__"]
        return found
