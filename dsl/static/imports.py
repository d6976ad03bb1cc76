"""Where the modules of a file's own package, and those next to it, stand; and what they bind.

They are found as Python finds them, but read instead of executed.  Modules from elsewhere are
not read: what they bind is unreadable.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

from ..errors import BadInput
from ..readings import ReadModule, Unreadable
from .effects import Suspicion
from .library import known_module
from .text import Text

_INSTALLED = ("site-packages", "dist-packages")


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
        importlib.invalidate_caches()

    def module(self, name: str, text: Text, node: ast.AST) -> ModuleType | Unreadable:
        """The module of this name, or why it is not read.

        Raises:
            BadInput: it stands here and executing it would surely fail, or there is surely none.
        """
        top = name.partition(".")[0]
        spec = self._spec(top)
        try:
            known = known_module(name)
        except ImportError as error:
            raise text.fails(node, f"{type(error).__name__}: {error}") from None
        if known is not None:
            if spec is not None and spec.origin is not None and not _is_ours(spec):
                return text.unreadable(node, f"a file next to it is called '{top}' too")
            return known
        if spec is None:
            return text.unreadable(node, f"the module '{name}' is from elsewhere", module=name)
        if self._suspicion.path_changed:
            return text.unreadable(node, "the path of imports is changed before it is imported")
        found = self.load(name)
        if found is None:
            message = f"ModuleNotFoundError: No module named '{name}'"
            raise text.fails(node, message)
        return found

    def attempt(self, name: str) -> None:
        """Read a module for what it may change; it may not be there, or fail."""
        try:
            if known_module(name) is None:
                self.load(name)
        except (BadInput, ImportError):
            pass

    def load(self, name: str) -> ReadModule | Unreadable | None:
        """A module that stands here, with the packages around it; ``None`` if there is none.

        Raises:
            BadInput: executing it, or a package around it, would surely fail.
        """
        parent, _, last = name.rpartition(".")
        around = self.load(parent) if parent else None
        if parent and not isinstance(around, ReadModule):
            return around
        if name in self.loaded:
            return self.loaded[name]
        spec = self._spec(name)
        if spec is None:
            return None
        if spec.submodule_search_locations is not None:
            self.paths[name] = list(spec.submodule_search_locations)
        if spec.origin is None or not spec.has_location:
            found = self._empty(name, name)
            self.loaded[name] = found
        elif isinstance(spec.loader, SourceFileLoader):
            self.loading.add(name)
            package = name if spec.submodule_search_locations is not None else parent
            found = self._read(name, package, Path(spec.origin))
            self.loading.discard(name)
        else:
            return Unreadable(f"the module '{name}' is no Python source", None, name)
        if isinstance(around, ReadModule):
            around.__names__[last] = found
        return found

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
        if hasattr(module, name):
            return getattr(module, name)
        if isinstance(module, ReadModule):
            found = self.load(f"{module.__name__}.{name}")
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


def _is_ours(spec: ModuleSpec) -> bool:
    """Whether what was found next to a file is what is imported already."""
    loaded = importlib.import_module(spec.name)
    return getattr(loaded, "__file__", None) == spec.origin


def closed_top(root: Path, name: str) -> str | None:
    """The one package that is read among installed ones; elsewhere all of a folder may be."""
    return name.partition(".")[0] if root.name in _INSTALLED else None
