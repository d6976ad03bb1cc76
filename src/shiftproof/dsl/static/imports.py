"""Where the modules of a file's own package, and those next to it, stand; and what they bind.

They are found as Python finds them, but read instead of executed.  Modules from elsewhere are
not read: what they bind is unreadable.
"""

from __future__ import annotations

import ast
import importlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

from ..errors import BadInput
from ..language.readings import ReadModule, Unreadable
from .effects import Suspicion, collections_in, holds_mechanism
from .library import is_untold, known_module
from .text import Text

_OURS = __name__.partition(".")[0]

#: What this package imports from elsewhere, and what that imports: modules at the top.
_DEPENDENCIES = frozenset({
    "charset_normalizer", "click", "cvc5", "distributed", "flint", "hypothesis", "iniconfig",
    "markdown_it", "matplotlib", "mdurl", "mpmath", "msgspec", "numpy", "pluggy", "py", "pygments",
    "pytest", "rich", "scipy", "sortedcontainers", "sympy", "typing_extensions", "z3",
    "_hypothesis_globals", "_pytest",
})  # fmt: skip
_TAKEN = (sys.stdlib_module_names - set(sys.builtin_module_names)) | _DEPENDENCIES
#: Also of the standard library: its full name tells the platform.
_TAKEN_START = "_sysconfigdata"

_INSTALLED = ("site-packages", "dist-packages")


class Unfollowed(Exception):
    """A module runs that stands here, and it is not read as Python would run it."""


class Importer:
    """Finds and reads the modules of one folder.

    Among installed packages only the one that is read is its own.
    """

    def __init__(
        self,
        root: Path | None,
        top: str | None,
        suspicion: Suspicion,
        read: Callable[[str, str, Path], ReadModule],
        empty: Callable[[str, str], ReadModule],
    ) -> None:
        self._root = root
        self._top = top
        self._suspicion = suspicion
        self._read = read
        self._empty = empty
        self.loaded: dict[str, ReadModule] = {}
        self.loading: set[str] = set()
        #: Where the modules of each package stand.
        self.paths: dict[str, list[str]] = {}
        self._files: dict[tuple[int, int], str] = {}
        #: Whether this package was imported: what it imports itself is loaded from then on.
        self._ours = False
        self._circular = False
        self._maybe = False
        #: Names of libraries under which it was looked for a file that stands here.
        self._looked: set[str] = set()
        importlib.invalidate_caches()

    def module(self, name: str, text: Text, node: ast.AST) -> ModuleType | Unreadable:
        """The module of this name, or why it is not read.

        Raises:
            BadInput: it stands here and executing it would surely fail, or there is surely none.
        """
        top = name.partition(".")[0]
        spec = self._spec(top)
        if spec is None or top == _OURS:
            self._beside(top, text, node)
        try:
            known = known_module(name)
        except ImportError as error:
            raise text.fails(node, f"{type(error).__name__}: {error}") from None
        if self._hides(top, spec):
            return self._unfollowed(node, text, f"a file next to it is called '{top}' too")
        if known is not None:
            if top == _OURS:
                self._ours = not self._maybe or self._ours
            elif self._suspicion.path_changed and not self._ours:
                return self._unfollowed(node, text, "the path of imports is changed before it")
            return known
        self._suspicion.imported_later |= self._suspicion.ran
        if spec is None and not self._suspicion.files_written:
            return text.unreadable(node, f"the module '{name}' is from elsewhere", module=name)
        if self._suspicion.path_changed and name not in self.loaded:
            return self._unfollowed(node, text, "the path of imports is changed before it")
        found = self._followed(name, text, node)
        if found is None:
            message = f"ModuleNotFoundError: No module named '{name}'"
            raise text.fails(node, message)
        return found

    def attempt(self, name: str, text: Text, node: ast.AST) -> None:
        """Read a module for what it may change; it may not be there, or fail."""
        self._perhaps(lambda: self.module(name, text, node), text, node)

    def _beside(self, top: str, text: Text, node: ast.AST) -> None:
        """Read what an outside module may import in place of what it means.

        Python looks next to the file first, also for what libraries import themselves.
        """
        if self._root is None:
            return
        known = top == _OURS or is_library(top) or top in sys.builtin_module_names
        stems = {entry.partition(".")[0] for entry in os.listdir(self._root)}
        for name in sorted(stems - self._looked):
            if not (is_library(name) or (not known and self._is_elsewhere(name))):
                continue
            self._looked.add(name)
            spec = self._spec(name)
            if spec is not None and spec.origin is not None and name != _OURS:
                self._perhaps(partial(self._followed, name, text, node), text, node)

    def _is_elsewhere(self, name: str) -> bool:
        here = self._root and self._root.resolve()
        others = [p for p in sys.path if Path(p or ".").resolve() != here]
        return name.isidentifier() and PathFinder.find_spec(name, others) is not None

    def _followed(self, name: str, text: Text, node: ast.AST) -> ReadModule | Unreadable | None:
        try:
            return self.load(name)
        except Unfollowed as stop:
            return self._unfollowed(node, text, str(stop))

    def _perhaps(self, read: Callable[[], object], text: Text, node: ast.AST) -> None:
        before, maybe = dict(self.loaded), self._maybe
        self._circular, self._maybe = False, True
        with suppress(BadInput):
            read()
        self._maybe = maybe
        if self._circular or any(_changes(module) for module in before.values()):
            # It may also be imported later, and see what others are then.
            why = text.unreadable(node, "when it is imported is not known")
            for new in self.loaded.keys() - before.keys():
                _forget(self.loaded[new], why)

    def load(self, name: str) -> ReadModule | None:
        """A module that stands here, with the packages around it; ``None`` if there is none.

        Raises:
            BadInput: executing it, or a package around it, would surely fail.
            Unfollowed: it runs, and is not read as Python would run it.
        """
        parent, _, last = name.rpartition(".")
        around = self.load(parent) if parent else None
        if parent and around is None:
            return None
        if name in self.loaded:
            self._circular |= name in self.loading
            return self.loaded[name]
        spec = self._spec(name)
        if spec is None:
            return None
        if spec.has_location and spec.origin is not None:
            self.once(name, spec.origin)
        if spec.submodule_search_locations is not None:
            self.paths[name] = list(spec.submodule_search_locations)
        if spec.origin is None or not spec.has_location or name == _OURS:
            found = self._empty(name, name)
            self.loaded[name] = found
        elif isinstance(spec.loader, SourceFileLoader):
            if _runs_unseen(spec.cached):
                raise Unfollowed(f"Python runs {spec.cached}, whatever its source is by now")
            self.loading.add(name)
            package = name if spec.submodule_search_locations is not None else parent
            try:
                found = self._read(name, package, Path(spec.origin))
            finally:
                self.loading.discard(name)
        else:
            raise Unfollowed(f"the module '{name}' is no Python source")
        if around is not None:
            names = around.__names__
            surely = not self._maybe or not names.bound(last)
            why = f"the module '{name}' may be imported after it was bound"
            names[last] = found if surely else Unreadable(why)
        return found

    def once(self, name: str, file: str) -> None:
        """One file is one module.

        Raises:
            Unfollowed: it runs twice, each time with values of its own.
        """
        status = os.stat(file)
        first = self._files.setdefault((status.st_dev, status.st_ino), name)
        if first != name:
            raise Unfollowed(f"the file {file} would run twice, as '{first}' and as '{name}'")

    def _hides(self, top: str, spec: ModuleSpec | None) -> bool:
        """Whether a file has the name of a module that Python may take from elsewhere."""
        if spec is None or top != _OURS:
            return spec is not None and top in sys.stdlib_module_names
        return spec.origin is not None and not _is_ours(spec)

    def _unfollowed(self, node: ast.AST, text: Text, reason: str) -> Unreadable:
        """Code of the user's own runs that is not read."""
        why = text.unreadable(node, reason)
        if self._suspicion.everything is None:
            self._suspicion.everything = why
        return why

    def _spec(self, name: str) -> ModuleSpec | None:
        parent, _, _ = name.rpartition(".")
        if not parent:
            if self._root is None or (self._top is not None and name != self._top):
                return None
            paths = [str(self._root)]
        elif parent in self.paths:
            paths = self.paths[parent]
        else:
            return None
        return PathFinder.find_spec(name, paths)

    def is_source(self, name: str) -> bool:
        """Whether a module, whose package was read, is Python source."""
        spec = self._spec(name)
        return spec is not None and isinstance(spec.loader, SourceFileLoader)

    def member(self, module: ModuleType, name: str, text: Text, node: ast.AST) -> object:
        """What ``from module import name`` binds.

        Raises:
            BadInput: there is surely no such name.
        """
        if is_untold(name):
            return text.unreadable(node, f"'{name}' is Python's own", "sys.modules")
        if hasattr(module, name):
            return getattr(module, name)
        if isinstance(module, ReadModule):
            found = self._followed(f"{module.__name__}.{name}", text, node)
            if found is not None:
                return found
            if module.__name__ in self.loading:
                what = f"'{name}' from '{module.__name__}'"
                raise text.fails(node, f"ImportError: cannot import name {what} (circular import)")
        else:
            try:
                known = known_module(f"{module.__name__}.{name}")
            except ImportError:
                known = None
            if known is not None:
                return known
        message = f"ImportError: cannot import name '{name}' from '{module.__name__}'"
        raise text.fails(node, message)

    def public_names(self, module: ModuleType) -> list[str] | None:
        """What ``from module import *`` binds; ``None`` if that is not known."""
        if not isinstance(module, ReadModule):
            names = getattr(module, "__all__", None) or vars(module)
            return [n for n in names if not n.startswith("_")]
        space = module.__names__
        if space.unknown is not None or module.__name__ in self.loading:
            return None
        if "__all__" not in space:
            return [n for n in space if not n.startswith("_")]
        listed = space["__all__"]
        texts = isinstance(listed, list | tuple) and all(isinstance(n, str) for n in listed)
        return list(listed) if texts else None


def is_library(name: str) -> bool:
    """Whether a module of this name may be imported where this package is imported."""
    return name in _TAKEN or name.startswith(_TAKEN_START)


def package_of(node: ast.ImportFrom, module: ReadModule, text: Text) -> str:
    """The full name of the module that a ``from`` import names.

    Raises:
        BadInput: it is relative to a package, and there is none.
    """
    if not node.level:
        return node.module or ""
    around = (module.__package__ or "").split(".") if module.__package__ else []
    if len(around) < node.level:
        words = "beyond top-level package" if around else "with no known parent package"
        raise text.fails(node, f"ImportError: attempted relative import {words}")
    base = around[: len(around) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def _changes(module: ReadModule) -> bool:
    return any(collections_in(value) for value in module.__names__.values())


def _forget(module: ReadModule, why: Unreadable) -> None:
    names = module.__names__
    for name, value in names.items():
        names[name] = replace(why, holds_mechanism=holds_mechanism(value))


def _is_ours(spec: ModuleSpec) -> bool:
    """Whether what was found next to a file is what is imported already."""
    loaded = importlib.import_module(spec.name)
    return getattr(loaded, "__file__", None) == spec.origin


def closed_top(root: Path, name: str) -> str | None:
    """The one package that is read among installed ones; elsewhere all of a folder may be."""
    return name.partition(".")[0] if root.name in _INSTALLED else None


def _runs_unseen(cached: str | None) -> bool:
    """Whether there is byte code that Python does not compare with its source (PEP 552)."""
    try:
        with open(cached or "", "rb") as file:
            flags = int.from_bytes(file.read(8)[4:], "little")
    except OSError:
        return False
    return flags & 0b11 == 0b01
