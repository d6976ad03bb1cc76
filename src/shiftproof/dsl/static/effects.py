"""What is not known any more after code ran, when a module is imported, that is not read.

What it binds and what it has in hand may be anything.  Code that does more than what is known to
be harmless (``conduct``) makes everything unknown.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..language.readings import Namespace, Unreadable
from ..mechanism import Mechanism, mechanism
from .conduct import INDEXED, Conduct, is_of_files, makes_mechanisms
from .harmless import Harm
from .running import attributes_of, bound_by, check_evaluated, is_dotted, root_of, running
from .text import Text

#: Stands for the module of what may be the decorator ``mechanism``.
DECORATOR = "shiftproof.mechanism"


@dataclass(slots=True)
class Suspicion:
    """What is known, over all modules that are read together, of changes that nobody can follow.

    ``everything``: why nothing at all is known.  ``ran``: that functions of the files ran; then
    ``later`` tells whether one of them could change anything.
    """

    everything: Unreadable | None = None
    ran: bool = False
    #: Whether functions are made mechanisms that are not read: their types are evaluated.
    evaluates: bool = False
    path_changed: bool = False
    #: Whether modules may have been written: then any that is imported may be one.
    files_written: bool = False
    #: Whether modules were imported after functions of the files ran.
    imported_later: bool = False
    #: The attributes that classes of the files define.
    defined: set[str] = field(default_factory=set)
    spaces: list[Namespace] = field(default_factory=list)
    later: list[Callable[[], Unreadable | None]] = field(default_factory=list)
    later_types: list[Callable[[], Unreadable | None]] = field(default_factory=list)

    def verdict(self) -> Unreadable | None:
        """Why nothing of what was read can be relied on, if that is so."""
        if self.everything is None and self.ran:
            self.everything = next((w for w in (ask() for ask in self.later) if w), None)
        if self.everything is None and self.evaluates:
            self.everything = next((w for w in (ask() for ask in self.later_types) if w), None)
        return self.everything

    def forget(self, ids: set[int] | None, why: Unreadable) -> None:
        """The collections with these identities (``None``: all) may have been changed."""
        for names in self.spaces:
            for name, value in names.items():
                inside = collections_in(value)
                if inside if ids is None else inside & ids:
                    names[name] = why


def holds_mechanism(value: object) -> bool:
    """Whether a value is a mechanism, or executing the file would make one of it."""
    return isinstance(value, Mechanism) or (isinstance(value, Unreadable) and value.holds_mechanism)


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
        shared: set[str],
        defined: set[str],
        bind: Callable[[str, object, ast.AST], None],
        imports: Callable[[ast.Import | ast.ImportFrom], None],
        makes_mechanism: Callable[[ast.AST], bool],
    ) -> None:
        self._text = text
        self._names = names
        self._suspicion = suspicion
        self._shared = shared
        self._bind = bind
        self._imports = imports
        self._makes_mechanism = makes_mechanism
        #: What the code that is looked at binds: it may run before that, too.
        self._bound: set[str] = set()
        self._conduct = Conduct(self._named, suspicion.defined, self._in_hand, self._imports_change)
        suspicion.defined |= defined

    def runs(self, nodes: Iterable[ast.AST], reason: str, why: Unreadable | None = None) -> None:
        """These nodes run, or may run; what they bind is unreadable for the ``reason``."""
        for node in nodes:
            self._binds(node, reason, why)
            self._harmless(self._conduct.check, node)

    def types(self, nodes: Iterable[ast.expr], reason: str) -> None:
        """These nodes are types of what is defined, and computed."""
        for node in nodes:
            self._binds(node, reason, None)
            self._harmless(self._conduct.annotation, node)

    def runs_any(self) -> None:
        """Functions of the files may run."""
        self._in_hand(None, self._text.tree)

    def foreign(self, node: ast.expr) -> str | None:
        """The name of an object of a library, or of what an index makes of one."""
        if isinstance(node, ast.Subscript):
            owner = self.foreign(node.value)
            return None if owner is None else f"{owner}.{INDEXED}"
        root = root_of(node) if is_dotted(node) else None
        found = None if root is None or root not in self._names else self._names[root]
        if not isinstance(found, Unreadable) or not found.module:
            return None
        return ".".join([found.module, *attributes_of(node)])

    def anything(self, node: ast.AST, reason: str) -> None:
        """Code runs that could change anything."""
        if self._suspicion.everything is None:
            self._suspicion.everything = self._text.unreadable(node, reason)

    def names_unknown(self, node: ast.AST, module: str) -> None:
        """A star import of what is not read: every name may be another one from here on."""
        why = self._text.unreadable(node, "a star import may bind any name", f"{module}.*")
        for name in list(self._names):
            value = self._names[name]
            held = holds_mechanism(value)
            # What was the decorator most likely still is: its mechanisms must not be lost.
            of = DECORATOR if value is mechanism else why.module
            self._names[name] = Unreadable(why.reason, why.location, of, held)
        self._names.unknown = why

    def bodies(self) -> Unreadable | None:
        """Why a function of the module could change anything when it runs, if one could."""
        conduct = Conduct(
            self._at_any_time, self._suspicion.defined, self._in_hand_late, self._changed_late
        )
        what = "a function that ran could change anything"
        return self._later(what, lambda: conduct.bodies(self._text.tree))

    def evaluated(self) -> Unreadable | None:
        """Why the types of a function could change anything when they are evaluated."""
        return self._later(
            "types are evaluated", lambda: check_evaluated(self._text.tree, self._at_any_time)
        )

    def makes_unread(self) -> None:
        """A function is made a mechanism that is not read."""
        self._suspicion.evaluates = True

    def _later(self, what: str, check: Callable[[], None]) -> Unreadable | None:
        try:
            check()
        except Harm as harm:
            return self._text.unreadable(harm.node, f"{what}: {harm.reason}")
        return None

    def _at_any_time(self, name: str) -> Iterator[object]:
        yield from self._named(name)
        yield from self._names.earlier(name)
        if hasattr(builtins, name):
            yield getattr(builtins, name)

    def _in_hand_late(self, value: object, node: ast.AST) -> None:
        if makes_mechanisms(value):
            self._suspicion.evaluates = True

    def _harmless(self, check: Callable[[Any], None], node: ast.AST) -> None:
        try:
            check(node)
        except Harm as harm:
            self.anything(harm.node, harm.reason)
        self._bound.clear()

    def _binds(self, top: ast.AST, reason: str, why: Unreadable | None) -> None:
        for node, inside_class in running([top]):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._imports(node)
                if not inside_class:
                    self._lose_imported(node, reason)
            name = bound_by(node)
            if name is not None and (not inside_class or isinstance(node, ast.pattern)):
                self._lose(name, node, reason, why)

    def _lose(self, name: str, node: ast.AST, reason: str, why: Unreadable | None = None) -> None:
        where = why.location if why else self._text.location(node)
        why_now = why.reason if why else reason
        module = why.module if why else ""
        self._bound.add(name)
        made = self._makes_mechanism(node) or bool(why and why.holds_mechanism)
        self._bind(name, Unreadable(why_now, where, module, made), node)

    def _lose_imported(self, node: ast.Import | ast.ImportFrom, reason: str) -> None:
        of = "" if isinstance(node, ast.Import) else "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.names_unknown(node, of)
                continue
            whole = f"{of}.{alias.name}" if of else alias.name
            top = whole.partition(".")[0]
            name, module = (alias.asname, whole) if alias.asname else (alias.name, whole)
            if isinstance(node, ast.Import) and alias.asname is None:
                name = module = top
            self._lose(name, node, reason, self._text.unreadable(node, reason, module))

    def _named(self, name: str) -> list[object]:
        """What a name may be now; what functions may bind, it may be already."""
        several = name in self._shared or name in self._bound
        found = list(self._names.earlier(name)) if several else []
        if name in self._names:
            found.append(self._names[name])
        if (several or not found) and hasattr(builtins, name):
            found.append(getattr(builtins, name))
        return found

    def _in_hand(self, value: object, node: ast.AST) -> None:
        """Code that is not read has this value in hand; ``None``: some function of the files."""
        why = Unreadable("code that is not read may have changed it", self._text.location(node))
        self._in_hand_late(value, node)
        if value is None or is_of_files(value):
            self._suspicion.ran = True
            self._suspicion.forget(None, why)
        elif inside := collections_in(value):
            self._suspicion.forget(inside, why)

    def _imports_change(self, node: ast.AST, written: bool) -> None:
        self._suspicion.path_changed = True
        self._suspicion.files_written |= written

    def _changed_late(self, node: ast.AST, written: bool) -> None:
        if self._suspicion.imported_later:
            raise Harm(node, "it may change what is imported")
