"""Where files and dotted modules stand, found as Python finds them but without executing any."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder
from pathlib import Path

from ..errors import no_such_file
from ..language.readings import ReadModule, Unreadable
from .imports import closed_top
from .left_out import LeftOut, left_out
from .reader import Named, Reader
from .text import Text, parsed, read_bytes

_OURS = __name__.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a place holds: its mechanisms by name, in order, and the names that are not known.

    ``left_out`` tells what makes mechanisms there that no name holds.
    """

    held: list[Named]
    unreadable: dict[str, Unreadable]
    left_out: Callable[[], list[LeftOut]] = list


def text_of(file: str) -> Text:
    """The text of a file of Python.

    Raises:
        BadInput: it cannot be read.
    """
    return parsed(read_bytes(Path(file)), file)


def read_file(path: str | Path) -> list[Named]:
    """The mechanisms that a file holds, by the names that they have in it, in order.

    Nothing of the file is executed, nor of what it imports from its package or from next to it.
    A mechanism of which only that would tell what it is has no program: asking for it raises
    ``Unsupported``, with the place.

    Raises:
        BadInput: the file cannot be read, or executing it would surely fail.
    """
    return read_path(Path(path)).held


def read_path(path: Path) -> Reading:
    """As :func:`read_file`, with the names that are not known.

    Raises:
        BadInput: the file cannot be read, or executing it would surely fail.
    """
    file = Path(os.path.abspath(path))
    if not file.is_file():
        raise no_such_file(file)
    root, name = place_of(file)
    reader = Reader(root, closed_top(root, name))
    if "." in name or file.name == "__init__.py":
        return _reading(reader, [reader.imported(name)])
    return _reading(reader, [reader.file(file)])


def read_source(text: str, file: str) -> Reading:
    """As :func:`read_path`, of a text that stands nowhere and so imports nothing from next to it.

    Args:
        text: the text of a Python module.
        file: how messages call it.

    Raises:
        BadInput: it is no Python module, or executing it would surely fail.
    """
    reader = Reader(None)
    module = reader.text(text, file, file)
    left = partial(left_out, parsed(text, file), module.__names__)
    return Reading(reader.held([module]), _unreadable([module]), left)


def place_of(file: Path) -> tuple[Path, str]:
    """The folder that a file is imported from, and its name there, with its packages."""
    root = file.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    parts = file.relative_to(root).with_suffix("").parts
    return root, ".".join(parts[:-1] if parts[-1] == "__init__" and parts[:-1] else parts)


def read_module(name: str, here: Path) -> Reading | None:
    """What a dotted module holds, and if it is a package then every module in it.

    ``None`` if no file is found for it, from the folder ``here`` or from where Python imports.

    Raises:
        BadInput: it cannot be read, or executing it would surely fail.
    """
    importlib.invalidate_caches()
    root = _root_of(name, here)
    if root is None:
        return None
    reader = Reader(root, closed_top(root, name))
    return _reading(reader, list(_walk(reader, name)))


def _reading(reader: Reader, modules: list[ReadModule]) -> Reading:
    return Reading(reader.held(modules), _unreadable(modules), partial(_left_out, modules))


def _unreadable(modules: list[ReadModule]) -> dict[str, Unreadable]:
    return {
        name: value
        for module in modules
        for name, value in module.__names__.items()
        if isinstance(value, Unreadable)
    }


def _left_out(modules: list[ReadModule]) -> list[LeftOut]:
    """What modules that were read make and do not hold, file by file."""
    return [
        one
        for module in modules
        if module.__file__ is not None
        for one in left_out(text_of(module.__file__), module.__names__)
    ]


def _walk(reader: Reader, name: str) -> Iterator[ReadModule]:
    yield reader.imported(name)
    for found in pkgutil.iter_modules(reader.folders(name), f"{name}."):
        if not found.name.endswith(".__main__") and reader.is_source(found.name):
            yield from _walk(reader, found.name)


def _root_of(name: str, here: Path) -> Path | None:
    """The folder from which a module is imported, if it has a file."""
    top, *rest = name.split(".")
    first = spec = _spec(top, _search(top, here))
    for part in rest:
        top = f"{top}.{part}"
        folders = spec.submodule_search_locations if spec is not None else None
        spec = PathFinder.find_spec(top, list(folders)) if folders else None
    if first is None or spec is None or spec.origin is None or not spec.has_location:
        return None
    if first.submodule_search_locations:
        return Path(os.path.abspath(next(iter(first.submodule_search_locations)))).parent
    return Path(os.path.abspath(first.origin or "")).parent


def _search(top: str, here: Path) -> list[str]:
    ours = importlib.import_module(_OURS).__file__
    if top == _OURS and ours is not None:
        return [str(Path(ours).parent.parent)]
    return [str(here), *sys.path]


def _spec(top: str, folders: Iterable[str]) -> ModuleSpec | None:
    """A top module: in the folders, or where an installed package says that its files are."""
    found = PathFinder.find_spec(top, list(folders))
    if found is not None and found.origin is not None:
        return found
    for finder in sys.meta_path:
        if finder not in (PathFinder, BuiltinImporter, FrozenImporter):
            other = finder.find_spec(top, None)
            if other is not None:
                return other
    return found
