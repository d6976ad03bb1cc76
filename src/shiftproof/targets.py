"""From what a user types to mechanisms: a file, ``file.py::name``, a module, or the gallery.

A file runs as ``python file.py`` would run it, next to its neighbours, or as a member of
the package that its folder is.  No target sees what another one has imported.
"""

from __future__ import annotations

import importlib
import importlib.util
import linecache
import os
import pkgutil
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from .dsl.errors import BadInput, Location, ShiftproofError
from .dsl.mechanism import Mechanism

AnyMechanism: TypeAlias = Mechanism[..., Any]
Named: TypeAlias = tuple[str, AnyMechanism]

_OURS = __name__.partition(".")[0]
_GALLERY = f"{_OURS}.mechanisms"


def gallery() -> list[AnyMechanism]:
    """Every mechanism of the gallery, module by module."""
    return _distinct(_held(_walk(_GALLERY)))


def resolve(target: str) -> list[AnyMechanism]:
    """The mechanisms that ``target`` names, in their order, each once; at least one.

    A target is a file, ``file.py::name``, a dotted module (of a package: all its
    modules), ``module::name``, or the name of a mechanism of the gallery.

    Raises:
        BadInput: there is no such thing, it cannot be imported, or it holds no mechanism.
        Unsupported: a mechanism in it cannot be declared.
    """
    place, separator, name = target.rpartition("::")
    if separator and not (place and name):
        raise BadInput(f"{target!r}: want file.py::name or module::name")
    held = _looked_up(place or target)
    if not held:
        raise BadInput(f"{place or target}: holds no mechanism; @mechanism(…) makes one")
    return _distinct(_only(held, name, f"{place}: no mechanism is called") if separator else held)


def one_mechanism(target: str) -> AnyMechanism:
    """The one mechanism that a target names.

    Args:
        target: ``file.py::name``, ``module::name``, a name of the gallery, or a file or module
            that holds a single mechanism.

    Raises:
        BadInput: there is none, or there are several.
    """
    found = resolve(target)
    if len(found) > 1:
        names = ", ".join(mechanism.function.__name__ for mechanism in found)
        raise BadInput(f"{target}: holds several mechanisms; choose one with '::' ({names})")
    return found[0]


def _looked_up(place: str) -> list[Named]:
    path = Path(place)
    if path.is_file() or path.suffix == ".py":
        return _held([_import_file(Path(os.path.abspath(path)))])
    if all(part.isidentifier() for part in place.split(".")):
        with _importing_from(Path.cwd()):
            if _file_of(place):
                return _held(_walk(place))
    if path.is_dir():
        raise BadInput(f"{place}: is a folder; name its files, as in {path / '*.py'}")
    if path.name != place:
        raise BadInput(f"{place}: no such file")
    lacking = "no file, module or mechanism of the gallery is called"
    return _only(_held(_walk(_GALLERY)), place, lacking)


def _held(modules: Iterable[ModuleType]) -> list[Named]:
    """The mechanisms of the modules under the names that they have there."""
    return [
        (name, value)
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Mechanism)
    ]


def _only(held: Sequence[Named], name: str, lacking: str) -> list[Named]:
    """Those that have the name; the error for none says what is ``lacking``, and what is near."""
    chosen = [(known, mechanism) for known, mechanism in held if known == name]
    if chosen:
        return chosen
    names = list(dict.fromkeys(known for known, _ in held))
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"want one of {', '.join(names)}"
    raise BadInput(f"{lacking} {name!r}; {hint}")


def _distinct(held: Iterable[Named]) -> list[AnyMechanism]:
    return list({id(mechanism): mechanism for _, mechanism in held}.values())


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
        raise BadInput(f"{path}: is a folder" if path.is_dir() else f"{path}: no such file")
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
    places = [*getattr(module, "__path__", ()), getattr(module, "__file__", None) or ""]
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
