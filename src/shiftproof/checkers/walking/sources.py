"""Where the mechanisms of certificates stand now: files that are read and never executed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from os.path import isfile
from pathlib import Path, PurePosixPath
from typing import Any

from ...dsl.errors import BadInput, ShiftproofError
from ...dsl.language.unparse import structure
from ...dsl.mechanism import Mechanism
from ...dsl.normalise import normalised
from ...dsl.static import Named, Reading, read_path


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of a mechanism's source.

    ``texts`` are the normalised texts of the mechanisms of that name, with these, ``why`` is what
    to say if the wanted one is not among them.
    """

    texts: Mapping[str, Mechanism[..., Any]] = field(default_factory=dict)
    file: str = ""
    line: int = 0
    why: str = ""

    def alike(self, text: str) -> Mechanism[..., Any] | None:
        """The one that says what a text says."""
        try:
            wanted = structure(text)
        except BadInput:
            return None
        return next((m for own, m in self.texts.items() if structure(own) == wanted), None)


class Sources:
    """Looks for mechanisms in the given files and folders, or where a certificate points.

    Args:
        given: the files and folders.
        read: reads a file.

    Raises:
        BadInput: folders are given, and there is no Python file in them.
    """

    def __init__(
        self, given: Iterable[Path] = (), read: Callable[[Path], Reading] = read_path
    ) -> None:
        asked = list(given)
        self._asked = bool(asked)
        self._reading = read
        self._given = [file for path in asked for file in _files_of(path)]
        if asked and not self._given:
            raise BadInput(f"{asked[0]}: holds no Python file")
        self._read: dict[Path, dict[str, Mechanism[..., object]] | str] = {}

    def find(self, name: str, source: str, folder: Path) -> Found:
        """The source of a mechanism.

        Args:
            name: the mechanism.
            source: where its certificate says that it stands, seen from ``folder``.
            folder: the folder of the certificate.
        """
        files = self._given
        pointed = PurePosixPath(source)
        path = Path(os.path.normpath(folder.resolve() / pointed))
        if source and path in map(Path.resolve, files):
            files = [path]  # a copy elsewhere says nothing of it
        if not self._asked:
            # A function of a library stands in the file that says how it is read.
            plain = Path(str(path).partition("::")[0])
            if not source or pointed.is_absolute() or plain.suffix not in (".py", ".toml"):
                return Found(why="it names no source; say where it is with --source")
            files = [path]
            if not isfile(plain):
                return Found(why=f"the source {path} is gone; say where it is with --source")
        held = [(file, self._held(file)) for file in files]
        named = [(file, h[name]) for file, h in held if not isinstance(h, str) and name in h]
        if not named:
            unread = [f"{file}: {h}" for file, h in held if isinstance(h, str)]
            why = "; ".join(unread) or f"there is no mechanism {name} in {_listed(files)} any more"
            return Found(why=why)
        texts, whys = {}, [f"{name} in {named[0][0]} is another program by now"]
        for k, (_, mechanism) in enumerate(named):
            try:
                texts[normalised(mechanism)] = mechanism
            except ShiftproofError as error:
                whys += [str(error).splitlines()[0]] * (k == 0)
        file, first = named[0]
        return Found(texts, str(file), first.location.line, whys[-1])

    def _held(self, file: Path) -> dict[str, Mechanism[..., object]] | str:
        """The mechanisms of a file by name, or why it cannot be read."""
        if file not in self._read:
            try:
                self._read[file] = _by_name(self._reading(file).held)
            except (ShiftproofError, RecursionError, MemoryError) as error:
                self._read[file] = str(error).splitlines()[0] if str(error) else "cannot be read"
        return self._read[file]


def _by_name(held: Iterable[Named]) -> dict[str, Mechanism[..., object]]:
    """Mechanisms by the names of their functions; of several the one that the file calls so."""
    found: dict[str, Mechanism[..., object]] = {}
    for name, mechanism in held:
        own = mechanism.function.__name__
        if name == own or own not in found:
            found[own] = mechanism
    return found


def _files_of(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _listed(files: list[Path]) -> str:
    return str(files[0]) if len(files) == 1 else f"{len(files)} files"
