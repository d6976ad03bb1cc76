"""What names stand for at the top level of modules and in classes of a library."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from .body.frame import Frame
from .calls.dispatch import constant_of
from .classes import Classes
from .modules import SourceModule
from .scoping.scopes import local_names
from .scoping.seeds import patched_by, sets_seed
from .terms.values import (
    Class,
    External,
    Fixed,
    Function,
    Generator,
    Known,
    Lacking,
    Term,
    Value,
)

if TYPE_CHECKING:
    from .run import Run


class Scope(Mapping[str, Value]):
    """The names of functions around another one, as they are when that is called."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def __getitem__(self, text: str) -> Value:
        if text in self.frame.names:
            return self.frame.names[text]
        if text in self.frame.local:
            return Lacking("it is read before it is assigned")
        raise KeyError(text)

    def __iter__(self) -> Iterator[str]:
        return iter(self.frame.names.keys() | self.frame.local)

    def __len__(self) -> int:
        return len(self.frame.names.keys() | self.frame.local)


class Names(Classes):
    """The names of a run."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._seeded: dict[Path, bool] = {}
        self.patched = patched_by(run.module)

    def seeded(self, module: SourceModule) -> bool:
        """Whether a seed is set when a module is imported."""
        if module.path not in self._seeded:
            self._seeded[module.path] = sets_seed(module)
        return self._seeded[module.path]

    def top(self, module: SourceModule, text: str) -> Value:
        """What a name at the top level of a module, or of Python, stands for."""
        node = module.names.get(text)
        if self.is_patched(text) and text in module.names:
            return Lacking(f"{text!r}: another module may set it")
        if "*" in module.names and node is None:
            return Lacking(f"{text!r}: a module from which all names are imported may bind it")
        if node is None and text in module.names:
            return Lacking(f"{text!r} is bound in several places, in one case only, or changed")
        match node:
            case ast.FunctionDef():
                return Function(node, module)
            case ast.ClassDef():
                return Class(node, module)
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                return self.constant(module, value)
            case ast.Import() | ast.ImportFrom():
                return self.imported(module, node)[text]
        return External(f"builtins.{text}")

    def constant(
        self, module: SourceModule, node: ast.expr, scope: dict[str, Value] | None = None
    ) -> Value:
        """What a module, a class or a default argument binds once: nothing that changes."""
        before = len(self.run.writer.lines)
        found = Frame(self.run, module, dict(scope or {}), tail=False).expressions.value(node)
        if len(self.run.writer.lines) != before:
            raise module.refuse(node, "what is made once, and not in each call")
        if _lasts(found, node):
            return found
        return Lacking(f"{ast.unparse(node)[:60]!r} is made once, and not in each call")

    def is_patched(self, text: str) -> bool:
        """Whether some module may set an attribute of that name in another one."""
        return bool(self.patched & {text, "*"})

    def imported(self, module: SourceModule, node: ast.Import | ast.ImportFrom) -> dict[str, Value]:
        """What the names of an import stand for."""
        found: dict[str, Value] = {}
        for alias in node.names:
            if isinstance(node, ast.Import):
                full = alias.name if alias.asname else alias.name.partition(".")[0]
                own = module.is_own(full)
                found[alias.asname or full] = (
                    Lacking(f"the module {full!r} of the same library") if own else External(full)
                )
                continue
            of = node.module or ""
            inside = node.level or module.is_own(of)
            where = module.sibling(of, node.level) if inside else None
            if where is not None and where is not module and alias.name in where.names:
                found[alias.asname or alias.name] = self.top(where, alias.name)
            else:
                found[alias.asname or alias.name] = constant_of(f"{of}.{alias.name}")
        return found

    def nested(self, frame: Frame, node: ast.FunctionDef | ast.Lambda) -> Value:
        """A function that is defined in another one."""
        own = local_names(node)
        free = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - own
        outer = frame.node
        far = [t for t in sorted(free & frame.names.keys()) if t not in frame.local]
        if far and outer is not None:  # a copy of it, or the name of a comprehension
            return Lacking(f"a function about {far[0]!r}, which is not of the function around it")
        again = [t for t in sorted(free) if outer is not None and _assigned_again(outer, t)]
        if again:
            return Lacking(f"a function about {again[0]!r}, which is assigned several times")
        return Function(node, frame.module, closure=Scope(frame))


#: Decorators that leave a function as it is, by the full names that they have.
HARMLESS = ("numba.", "abc.abstractmethod", "builtins.")
_MARKS = {"staticmethod", "classmethod", "property"}


def check(node: ast.FunctionDef | ast.Lambda, module: SourceModule, run: Run) -> None:
    """Refuse functions that are more than what stands in them.

    Raises:
        Unsupported: it yields, has a decorator that is not known, or changes names outside.
    """
    for inner in ast.walk(node):
        if isinstance(inner, ast.Yield | ast.YieldFrom | ast.Await | ast.Global | ast.Nonlocal):
            raise module.refuse(inner, "a generator, or names of other functions that are assigned")
    for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
        text = ast.unparse(decorator)
        if text in _MARKS and text not in module.names:
            continue
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if ast.unparse(called) in run.reading.decorators:
            run.taken.append(f"the decorator {ast.unparse(called)} changes nothing")
            continue
        found = Frame(run, module, {}, tail=False).expressions.value(called)
        if not (isinstance(found, External) and found.name.startswith(HARMLESS)):
            raise module.refuse(decorator, "a decorator", "name it in the reading's decorators")


def _lasts(value: Value, node: ast.expr) -> bool:
    """Whether a value that is made once is the same in each call: no list, and no object."""
    match value, node:
        case Fixed(items=items), ast.Tuple(elts=parts) if len(items) == len(parts):
            return all(_lasts(item, part) for item, part in zip(items, parts, strict=True))
    return isinstance(value, Known | Term | External | Function | Class | Generator | Lacking)


def _assigned_again(outer: ast.FunctionDef | ast.Lambda, text: str) -> bool:
    """Whether a local name may stand for different things while the function runs."""
    sites = [
        n for n in ast.walk(outer) if isinstance(n, ast.Name) and n.id == text and not _is_load(n)
    ]
    parameter = text in {a.arg for a in ast.walk(outer.args) if isinstance(a, ast.arg)}
    looped = any(
        isinstance(n, ast.For | ast.While) and any(m in sites for m in ast.walk(n))
        for n in ast.walk(outer)
    )
    return len(sites) + parameter > 1 or looped


def _is_load(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)
