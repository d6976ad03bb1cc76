"""Reading files: the module of a file with everything that it imports from next to it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from ..errors import BadInput, Location
from ..language.readings import Namespace, ReadModule, Unreadable
from ..mechanism import Mechanism
from .definitions import UnreadMechanism
from .effects import Suspicion
from .imports import Importer, Unfollowed
from .module import ModuleReader
from .text import parsed, read_bytes

Named: TypeAlias = tuple[str, Mechanism[..., Any]]


class Reader:
    """Reads the modules of one folder together.

    Args:
        root: the folder that imports start from; ``None`` for text that stands nowhere.
        top: the package to read, where the folder holds installed ones.
    """

    def __init__(self, root: Path | None, top: str | None = None) -> None:
        self._suspicion = Suspicion()
        self._importer = Importer(root, top, self._suspicion, self._read, self._module)

    def text(self, text: str | bytes, file: str, name: str, package: str = "") -> ReadModule:
        """Read the text of a module, or the bytes of its file.

        Raises:
            BadInput: executing it would surely fail.
        """
        module = self._module(name, package)
        module.__file__ = file
        names = module.__names__
        names["__file__"] = file
        self._importer.loaded[name] = module
        try:
            content = parsed(text, file)
            ModuleReader(content, module, self._importer, self._suspicion).read()
        except RecursionError:
            del self._importer.loaded[name]
            raise BadInput(f"{file}: nests too deep to be read") from None
        except BaseException:
            del self._importer.loaded[name]
            raise
        return module

    def imported(self, name: str) -> ReadModule:
        """Read a module by its name, with the packages around it.

        Raises:
            BadInput: there is none, or executing it would surely fail.
        """
        try:
            found = self._importer.load(name)
        except Unfollowed as stop:
            raise BadInput(f"{name}: {stop}") from None
        if found is None:
            raise BadInput(f"{name}: is not found")
        return found

    def file(self, path: Path) -> ReadModule:
        """Read a file that is in no package; its name is its path.

        Raises:
            BadInput: it cannot be read, or executing it would surely fail.
        """
        content = read_bytes(path)
        self._importer.once(str(path), str(path))
        return self.text(content, str(path), str(path))

    def folders(self, name: str) -> list[str]:
        """Where the modules of a package stand that was read; nowhere if it is no package."""
        return self._importer.paths.get(name, [])

    def is_source(self, name: str) -> bool:
        """Whether a module next to those that were read is Python source."""
        return self._importer.is_source(name)

    def held(self, modules: Iterable[ReadModule]) -> list[Named]:
        """The mechanisms of the modules under the names that they have there, in order.

        One of which only executing the file would tell what it is has no program.
        """
        self._finish()
        return [
            (name, value)
            for module in modules
            for name, value in module.__names__.items()
            if isinstance(value, Mechanism)
        ]

    def _read(self, name: str, package: str, path: Path) -> ReadModule:
        return self.text(read_bytes(path), str(path), name, package)

    def _module(self, name: str, package: str) -> ReadModule:
        names = Namespace()
        names["__name__"] = name
        names["__package__"] = package
        module = ReadModule(name, names)
        module.__package__ = package
        self._suspicion.spaces.append(names)
        return module

    def _finish(self) -> None:
        """Mechanisms among what cannot be known stay visible as such."""
        why = self._suspicion.verdict()
        for names in self._suspicion.spaces:
            for name, value in names.items():
                if name.startswith("__") and name.endswith("__"):
                    continue
                if isinstance(value, Unreadable) and value.holds_mechanism:
                    names[name] = _unread(name, names, value)
                elif why is not None and isinstance(value, Mechanism):
                    names[name] = UnreadMechanism(value.function, why.error(name))
                elif why is not None:
                    names[name] = why


def _unread(name: str, names: Namespace, why: Unreadable) -> UnreadMechanism:
    where = why.location or Location(str(names.get("__file__", "?")), 1, 1)
    return UnreadMechanism.at(name, where, why.error(name))


def read_text(text: str, file: str = "<text>") -> list[Named]:
    """The mechanisms that a module's text declares, as ``read_file``; it may import nothing.

    Args:
        text: the text of a Python module.
        file: how error messages call it.

    Raises:
        BadInput: it is no Python module, or executing it would surely fail.
    """
    reader = Reader(None)
    return reader.held([reader.text(text, file, file)])
