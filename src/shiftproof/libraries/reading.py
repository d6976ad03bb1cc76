"""What is said beside a library's function: its inputs, its claim, and what its names stand for."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from ..dsl.errors import BadInput


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one function is read.

    Attributes:
        source: ``FILE.py::function``, ``package.module::Class.method``: the file is seen from the
            folder of the reading.
        privacy: the claim, as in ``@mechanism(…)``.
        inputs: the parameters of the mechanism, with their annotations.
        name: of the mechanism; by default that of the function.
        budget: the claimed ε, as in ``@mechanism(…, budget=…)``.
        expect: ``refuted`` or ``bounded``, as in ``@mechanism(…, expect=…)``.
        given: what the function's parameters and other expressions of its text stand for.
        init: the arguments of ``__init__``.
        laws: which noise a call stands for: ``"self._sampler" = "Laplace(1)"``.
        generators: functions that give a source of random numbers, called as those of numpy.
        decorators: of functions, which leave them as they are.
        assume: preconditions.
        sha256: of the library's file; another version of it is refused.
        claimed: where the library claims that.
    """

    source: str
    privacy: str
    inputs: dict[str, str]
    name: str = ""
    budget: str = ""
    expect: str = ""
    given: dict[str, Any] = {}
    init: dict[str, Any] = {}
    laws: dict[str, str] = {}
    generators: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()
    sha256: str = ""
    claimed: str = ""

    @property
    def place(self) -> str:
        """The file or module."""
        return self.source.rpartition("::")[0]

    @property
    def function(self) -> str:
        """The function, ``Class.method`` of a class."""
        return self.source.rpartition("::")[2]

    @property
    def called(self) -> str:
        """The name of the mechanism."""
        return self.name or self.function.rpartition(".")[2].strip("_")


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mechanism: tuple[Reading, ...]


def readings_of(file: Path) -> tuple[Reading, ...]:
    """The readings in a file of TOML, each a ``[[mechanism]]``.

    Raises:
        BadInput: it cannot be read, or is not what it should be.
    """
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInput(f"{file}: no such file") from None
    except (OSError, UnicodeError) as error:
        raise BadInput(f"{file}: cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{file}: is no TOML: {error}") from None
    try:
        found = msgspec.convert(content, _File).mechanism
    except msgspec.ValidationError as error:
        raise BadInput(
            f"{file}: {error}; want [[mechanism]] with source, privacy and inputs"
        ) from None
    names = [reading.called for reading in found]
    for reading in found:
        if "::" not in reading.source or not reading.place or not reading.function:
            raise BadInput(
                f"{file}: source {reading.source!r}: want FILE.py::function or module::Class.method"
            )
        if not reading.called.isidentifier():
            raise BadInput(f"{file}: name {reading.called!r}: want a name of Python")
        if names.count(reading.called) > 1:
            raise BadInput(f"{file}: two mechanisms are called {reading.called!r}; give one a name")
    return found
