"""Executing what a user names: a file or module; and which files may hold mechanisms.

A file runs as ``python file.py`` would run it, next to its neighbours, or as a member of
the package that its folder is.  No target sees what another one has imported.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import linecache
import os
import pkgutil
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from ..dsl.errors import BadInput, Location, ShiftproofError, no_such_file
from ..dsl.mechanism import Mechanism

AnyMechanism: TypeAlias = Mechanism[..., Any]
Named: TypeAlias = tuple[str, AnyMechanism]

_OURS = __name__.partition(".")[0]


def import_package(name: str) -> list[Named]:
    """The mechanisms of a module, and if it is a package then of every module in it.

    Raises:
        BadInput: one of them cannot be imported.
    """
    return held(_walk(name))


def import_file(path: Path) -> list[Named]:
    """The mechanisms of a file, which is executed.

    Raises:
        BadInput: there is no such file, or it cannot be imported.
    """
    return held([_import_file(Path(os.path.abspath(path)))])


def import_module(name: str) -> list[Named] | None:
    """The mechanisms of a dotted module; ``None`` if there is none.

    Raises:
        BadInput: it cannot be imported.
    """
    with _importing_from(Path.cwd()):
        return import_package(name) if _file_of(name) else None


def import_object(place: str, name: str) -> Any:
    """What a file or a dotted module has under a name, after it was executed.

    Raises:
        BadInput: there is no such file, module or name, or it cannot be imported.
    """
    path = Path(place)
    if path.is_file() or path.suffix == ".py":
        module = _import_file(Path(os.path.abspath(path)))
    else:
        with _importing_from(Path.cwd()):
            if not all(p.isidentifier() for p in place.split(".")) or not _file_of(place):
                raise BadInput(f"{place}: no such file or module")
            module = _imported(place)
    if name not in vars(module):
        raise BadInput(f"{place}: has no {name!r}")
    return vars(module)[name]


def held(modules: Iterable[ModuleType]) -> list[Named]:
    """The mechanisms of the modules under the names that they have there."""
    return [
        (name, value)
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Mechanism)
    ]


def _walk(name: str) -> Iterator[ModuleType]:
    """The module, and if it is a package then every module in it."""
    module = _imported(name)
    yield module
    for found in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
        if not found.name.endswith(".__main__"):
            yield from _walk(found.name)


def _file_of(name: str) -> str | None:
    """Where a module would come from, or ``None`` if there is none (or just a folder)."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        if f"{name}.".startswith(f"{error.name}."):
            return None
        raise blame(error, name, None, "cannot be imported") from None
    except (Exception, SystemExit) as error:  # a dotted name runs the packages around it
        raise blame(error, name, None, "cannot be imported") from None
    return spec.origin if spec else None


def _imported(name: str) -> ModuleType:
    file = _file_of(name)
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise blame(error, name, file, "cannot be imported") from None


def _import_file(path: Path) -> ModuleType:
    """The module of a file: by its name in its package, or else simply run."""
    if not path.is_file():
        raise no_such_file(path)
    root = path.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    parts = path.relative_to(root).with_suffix("").parts
    with _importing_from(root):
        if len(parts) == 1:
            return _executed(path)
        loaded = getattr(sys.modules.get(parts[0]), "__file__", None)
        if loaded and not Path(loaded).parent.samefile(root / parts[0]):
            raise BadInput(
                f"{path}: cannot be imported: its package has the name of {loaded}, which is "
                "loaded already; rename the folder"
            )
        return _imported(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def _executed(path: Path) -> ModuleType:
    """The module of a file that is in no package, under a name that no other module has.

    It is compiled from what the file holds now, never taken from a cache of bytecode.
    """
    module = ModuleType(str(path))
    module.__file__ = str(path)
    module.__package__ = ""
    sys.modules[module.__name__] = module
    try:
        exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:
        raise blame(error, str(path), str(path), "cannot be imported") from None
    return module


@contextmanager
def _importing_from(folder: Path) -> Iterator[None]:
    """Inside, modules of the folder are found first; afterwards they are forgotten.

    So ``helper`` means another module to a target in another folder.
    """
    path, before = list(sys.path), set(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = path
        found = [n for n in sys.modules if n not in before and _stands_in(folder, n)]
        for name in found:
            del sys.modules[name]


def _stands_in(folder: Path, name: str) -> bool:
    """Whether a module was found in the folder itself, where no installed modules stand."""
    top = name.partition(".")[0]
    module = sys.modules.get(top)
    if top == _OURS or folder.name in ("site-packages", "dist-packages"):
        return False
    # Not getattr, which would ask a __getattr__ of the module's own.
    names = vars(module) if module is not None else {}
    places = [*names.get("__path__", ()), names.get("__file__") or ""]
    return any(Path(place) in (folder / top, folder / f"{top}.py") for place in places)


def blame(error: BaseException, what: str, file: str | None, failed: str) -> ShiftproofError:
    """An error of the user's own code as one message with its line, in place of a traceback.

    Args:
        error: what the code raised.
        what: the code's name, for the message if no line is known.
        file: the user's file.
        failed: what could not be done, as in "cannot be imported".
    """
    if isinstance(error, ShiftproofError):
        if getattr(error, "location", None) or not isinstance(error, BadInput):
            return error
        message = error.message
    elif isinstance(error, SyntaxError) and error.lineno:
        message = f"{failed}: {type(error).__name__}: {error.msg}"
    else:
        message = f"{failed}: {type(error).__name__}: {error}".rstrip(": ")
    location = _location(error, file)
    return BadInput(message if location else f"{what}: {message}", location)


def _location(error: BaseException, file: str | None) -> Location | None:
    if isinstance(error, SyntaxError) and error.lineno:
        text = (error.text or "").rstrip("\n")
        return Location(error.filename or "?", error.lineno, max(1, error.offset or 1), text)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    if not frames or not file or not frames[-1].lineno:
        return None
    line, column = frames[-1].lineno, frames[-1].colno or 0
    width = (frames[-1].end_colno or column + 1) - column
    return Location(file, line, column + 1, linecache.getline(file, line).rstrip("\n"), width)


# Which files may hold mechanisms, told from their text: for hooks that get every changed file.

_DECORATOR, _LIBRARY = "mechanism", __name__.partition(".")[0]


def with_mechanisms(targets: Sequence[str]) -> list[str]:
    """The targets without those files that surely make no mechanism."""
    return [target for target in targets if not Path(target).is_file() or _occurs(Path(target))]


def _occurs(file: Path) -> bool:
    """Whether a file may make mechanisms; what cannot be read may, and its error is to be told."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, MemoryError, RecursionError):
        return True
    names = set(_names(tree))
    if _DECORATOR in names:
        return True
    # The decorator may have another name where it comes from.
    return _LIBRARY in names and _makes_some(file)


def _names(tree: ast.AST) -> Iterator[str]:
    """Names, attributes, and what is imported from where."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.alias(name=name) | ast.ImportFrom(module=str(name)):
                first, *rest = name.split(".")
                yield first
                yield from rest[-1:]


def _makes_some(file: Path) -> bool:
    from ..dsl.static import read_path

    try:
        reading = read_path(file)
    except ShiftproofError:
        return True
    return bool(reading.held or reading.left_out())
