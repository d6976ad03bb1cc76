"""What code may change that runs when a module is imported, and that is not read.

Whatever it may change is not known any more.  Code that could change anything (it reaches for
``globals()``, for the attributes of a module, …) makes everything unknown.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import FunctionType, ModuleType

from ..mechanism import Mechanism, mechanism
from ..readings import Namespace, Unreadable, namespace_of
from .library import REFLECTIVE_ATTRIBUTES, SPECIAL_NAMES, is_reflective
from .running import attributes_of, is_dotted, local_names, root_of, running
from .text import Text

#: Stands for the module of what may be the decorator ``mechanism``.
DECORATOR = "shiftproof.mechanism"
#: Outside modules with which code reaches everything.
_REACHING = frozenset({
    "importlib", "inspect", "gc", "ctypes", "unittest", "runpy", "code", "codeop", "__main__",
    "timeit", "profile", "cProfile", "pdb", "bdb", "doctest", "trace", "zipimport", "pkgutil",
    "site", "sched", "threading", "_thread", "multiprocessing", "concurrent", "asyncio", "atexit",
    "signal", "weakref", "builtins", "types", "imp",
})  # fmt: skip


@dataclass(slots=True)
class Suspicion:
    """What is known, over all modules that are read together, of changes that nobody can follow.

    ``everything``: why nothing at all is known.  ``ran``: that functions of the files ran; then
    ``later`` tells whether one of them could change anything.
    """

    everything: Unreadable | None = None
    ran: bool = False
    path_changed: bool = False
    spaces: list[Namespace] = field(default_factory=list)
    later: list[Callable[[], Unreadable | None]] = field(default_factory=list)

    def verdict(self) -> Unreadable | None:
        """Why nothing of what was read can be relied on, if that is so."""
        if self.everything is None and self.ran:
            self.everything = next((w for w in (ask() for ask in self.later) if w), None)
        return self.everything

    def forget(self, ids: set[int] | None, why: Unreadable) -> None:
        """The collections with these identities (``None``: all) may have been changed."""
        for names in self.spaces:
            for name, value in names.items():
                inside = collections_in(value)
                if inside if ids is None else inside & ids:
                    names[name] = why


def collections_in(value: object) -> set[int]:
    """The identities of the lists, sets and dictionaries that a value is or holds."""
    found: set[int] = set()
    stack, seen = [value], set[int]()
    while stack:
        item = stack.pop()
        if id(item) in seen or not isinstance(item, list | set | dict | tuple):
            continue
        seen.add(id(item))
        if not isinstance(item, tuple):
            found.add(id(item))
        stack.extend([*item.keys(), *item.values()] if isinstance(item, dict) else item)
    return found


class Effects:
    """Looks through the code of one module for what it may change."""

    def __init__(
        self,
        text: Text,
        names: Namespace,
        suspicion: Suspicion,
        bind: Callable[[str, object, ast.AST], None],
        imports: Callable[[ast.Import | ast.ImportFrom], None],
        makes_mechanism: Callable[[ast.AST], bool],
    ) -> None:
        self._text = text
        self._names = names
        self._suspicion = suspicion
        self._bind = bind
        self._imports = imports
        self._makes_mechanism = makes_mechanism

    def runs(self, nodes: Iterable[ast.AST], reason: str, why: Unreadable | None = None) -> None:
        """These nodes run, or may run; what they bind is unreadable for the ``reason``."""
        for node, inside_class in running(nodes):
            self._visit(node, inside_class, reason, why)

    def _visit(
        self, node: ast.AST, inside_class: bool, reason: str, why: Unreadable | None
    ) -> None:
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                if inside_class and name not in self._names and not hasattr(builtins, name):
                    self._suspicion.ran = True  # it may be a function of the class's own
                self._mentioned(name, node)
            case ast.Name(id=name) if not inside_class:
                self._lose(name, node, reason, why)
            case ast.Attribute(ctx=ast.Load()):
                self._reached(node)
            case ast.Attribute() | ast.Subscript(ctx=ast.Store() | ast.Del()):
                self._stored(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if not inside_class:
                    self._lose(node.name, node, reason, why)
            case ast.Import() | ast.ImportFrom():
                self._imports(node)
                if not inside_class:
                    self._lose_imported(node, reason)
            case ast.ExceptHandler(name=str() as name) if not inside_class:
                self._lose(name, node, reason, why)
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                self._lose(name, node, reason, why)
            case ast.MatchMapping(rest=str() as name):
                self._lose(name, node, reason, why)

    def _lose(self, name: str, node: ast.AST, reason: str, why: Unreadable | None = None) -> None:
        where = why.location if why else self._text.location(node)
        why_now = why.reason if why else reason
        module = why.module if why else ""
        made = self._makes_mechanism(node) or bool(why and why.holds_mechanism)
        self._bind(name, Unreadable(why_now, where, module, made), node)

    def _lose_imported(self, node: ast.Import | ast.ImportFrom, reason: str) -> None:
        for alias in node.names:
            if alias.name == "*":
                self.names_unknown(node)
            else:
                self._lose(alias.asname or alias.name.partition(".")[0], node, reason)

    def names_unknown(self, node: ast.AST) -> None:
        """A star import of what is not read: every name may be another one from here on."""
        why = self._text.unreadable(node, "a star import may bind any name")
        for name, value in self._names.items():
            held = isinstance(value, Mechanism) or (
                isinstance(value, Unreadable) and value.holds_mechanism
            )
            # What was the decorator most likely still is: its mechanisms must not be lost.
            module = DECORATOR if value is mechanism else ""
            self._names[name] = Unreadable(why.reason, why.location, module, held)
        self._names.unknown = why

    def _named(self, name: str) -> object:
        return self._names[name] if name in self._names else getattr(builtins, name, None)

    def _mentioned(self, name: str, node: ast.AST) -> None:
        if name == "__builtins__":
            self.anything(node, f"'{name}' could change anything")
        self._handed(self._named(name), name, node)

    def _handed(self, value: object, name: str, node: ast.AST) -> None:
        """Code that is not read has this value in hand."""
        why = Unreadable("code that is not read may have changed it", self._text.location(node))
        if is_reflective(value):
            self.anything(node, f"'{name}' could change anything")
        elif isinstance(value, ModuleType):
            self.anything(node, f"the module '{name}' is handed to code that could change it")
        elif isinstance(value, Unreadable) and value.module:
            if _reaches(value.module):
                self.anything(node, f"'{name}' could change anything")
        elif isinstance(value, Unreadable | Mechanism) or _is_own(value):
            self._suspicion.ran = True
            self._suspicion.forget(None, why)
        elif inside := collections_in(value):
            self._suspicion.ran |= _holds_code(value)
            self._suspicion.forget(inside, why)

    def _reached(self, node: ast.Attribute) -> None:
        """``a.b.c``: through modules it is what it is there, else anything of ``a``."""
        for attribute in {node.attr, *attributes_of(node)} & REFLECTIVE_ATTRIBUTES:
            self.anything(node, f"'.{attribute}' could change anything")
        root = root_of(node)
        if root is None or not is_dotted(node):
            return
        value = self._named(root)
        if isinstance(value, Unreadable) and value.module.partition(".")[0] in ("sys", "site"):
            self._suspicion.path_changed = True
        for attribute in attributes_of(node):
            if not isinstance(value, ModuleType):
                break
            value = getattr(value, attribute, None)
        self._handed(value, ast.unparse(node), node)

    def _stored(self, node: ast.Attribute | ast.Subscript) -> None:
        root = root_of(node)
        value = self._names[root] if root is not None and root in self._names else None
        if isinstance(node, ast.Attribute):
            # Whatever it is an attribute of may be a module or a class that is used elsewhere.
            self.anything(node, f"an attribute of '{root or ast.unparse(node.value)}' is changed")
        elif isinstance(value, Unreadable) and value.module.partition(".")[0] == "sys":
            self.anything(node, "what belongs to 'sys' is changed")
        elif root is not None:
            self._mentioned(root, node)

    def anything(self, node: ast.AST, reason: str) -> None:
        """Code runs that could change anything."""
        if self._suspicion.everything is None:
            self._suspicion.everything = self._text.unreadable(node, reason)

    def bodies(self, functions: Iterable[ast.AST]) -> Unreadable | None:
        """Why one of these functions could change anything when it runs, if one could."""
        for node in functions:
            local = local_names(node)
            bases = {id(n.value) for n in ast.walk(node) if isinstance(n, ast.Attribute)}
            for part in ast.walk(node):
                if self._body_reaches(part, local, bases):
                    reason = "a function that ran could change anything"
                    return self._text.unreadable(part, reason)
        return None

    def _body_reaches(self, node: ast.AST, local: set[str], bases: set[int]) -> bool:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name not in local:
                value = self._named(name)
                handed = isinstance(value, ModuleType) and id(node) not in bases
                return handed or is_reflective(value)
            case ast.Attribute(attr=name) if name in REFLECTIVE_ATTRIBUTES:
                return True
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                return root_of(node) not in local
        return False


def _reaches(module: str) -> bool:
    return module.partition(".")[0] in _REACHING


def _holds_code(value: object) -> bool:
    """Whether a collection holds what may be a function of the files."""
    if isinstance(value, dict):
        return any(map(_holds_code, [*value.keys(), *value.values()]))
    if isinstance(value, list | tuple | set):
        return any(map(_holds_code, value))
    return isinstance(value, Unreadable | Mechanism) or _is_own(value)


def _is_own(value: object) -> bool:
    return isinstance(value, FunctionType) and namespace_of(value) is not None


def is_special(name: str) -> bool:
    """Whether a name says how a module, or what is in it, is found."""
    return name in SPECIAL_NAMES
