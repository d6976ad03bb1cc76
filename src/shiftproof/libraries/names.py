"""What names stand for at the top level of modules and in classes of a library."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .body.frame import Frame
from .calls.dispatch import constant_of
from .modules import SourceModule, bound_names
from .terms.values import (
    Class,
    External,
    Fixed,
    Flip,
    Function,
    Known,
    Lacking,
    Thing,
    Undrawn,
    Value,
    Vector,
)

if TYPE_CHECKING:
    from .run import Run


class Names:
    """The names of a run."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def top(self, module: SourceModule, text: str) -> Value:
        """What a name at the top level of a module, or of Python, stands for."""
        node = module.names.get(text)
        if "*" in module.names and node is None:
            return Lacking(f"{text!r}: a module from which all names are imported may bind it")
        if node is None and text in module.names:
            return Lacking(f"{text!r} is bound in several places, or in one case only")
        match node:
            case ast.FunctionDef():
                return Function(node, module)
            case ast.ClassDef():
                return Class(node, module)
            case ast.Assign(value=value):
                return self.constant(module, value)
            case ast.Import() | ast.ImportFrom():
                return self.imported(module, node)[text]
        return External(f"builtins.{text}")

    def constant(self, module: SourceModule, node: ast.expr) -> Value:
        """What a module, a class or a default argument binds once: nothing that draws."""
        before = len(self.run.writer.lines)
        found = Frame(self.run, module, {}, tail=False).expressions.value(node)
        if len(self.run.writer.lines) != before or isinstance(
            found, Undrawn | Flip | Vector | Thing
        ):
            raise module.refuse(node, "what is made once, and not in each call")
        if isinstance(found, Fixed):
            found.path = object()  # other calls would see what is changed
            if not isinstance(node, ast.Tuple) and not all(
                isinstance(item, Known) for item in found.items
            ):
                return Lacking("a list that is made once, and not in each call")
        return found

    def imported(self, module: SourceModule, node: ast.Import | ast.ImportFrom) -> dict[str, Value]:
        """What the names of an import stand for."""
        found: dict[str, Value] = {}
        for alias in node.names:
            if isinstance(node, ast.Import):
                full = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or full] = External(full)
                continue
            of = node.module or ""
            own = module.path.relative_to(module.root).parts[0]
            inside = node.level or of.partition(".")[0] == own
            where = module.sibling(of, node.level) if inside else None
            if where is not None and where is not module and alias.name in where.names:
                found[alias.asname or alias.name] = self.top(where, alias.name)
            else:
                found[alias.asname or alias.name] = constant_of(f"{of}.{alias.name}")
        return found

    def bases(self, owner: ast.ClassDef, module: SourceModule) -> list[Class]:
        """A class and those that it is made of, in the order in which Python asks them."""
        frame = Frame(self.run, module, {}, tail=False)
        found = [frame.expressions.value(base) for base in owner.bases]
        direct = [one for one in found if isinstance(one, Class)]
        lines = [*(self.bases(one.node, one.module) for one in direct), direct]
        order = [Class(owner, module)]
        while lines := [line for line in lines if line]:
            for line in lines:
                first = line[0]
                if not any(first in other[1:] for other in lines):
                    break
            else:
                raise module.refuse(owner, "classes in no order that Python has")
            order.append(first)
            lines = [[one for one in line if one != first] for line in lines]
        return order

    def member(self, this: Thing | Class, text: str, behind: ast.ClassDef | None = None) -> Value:
        """What an object or a class has under a name; ``behind``: only of what follows a class."""
        own = this.owner if isinstance(this, Thing) else this.node
        order = self.bases(own, this.module)
        if behind is not None:
            order = order[[one.node for one in order].index(behind) + 1 :]
        for one in order:
            node = bound_in(one, text)
            if isinstance(node, ast.FunctionDef):
                return self._method(node, one.module, this)
            if node is not None:
                return self.constant(one.module, node)
        return Lacking(f"'{own.name}' has no {text!r} that is read here")

    def _method(self, node: ast.FunctionDef, module: SourceModule, this: Thing | Class) -> Value:
        """A function of a class, as an object or the class has it."""
        marks = {ast.unparse(d) for d in node.decorator_list}
        if "classmethod" in marks:
            own = Class(this.owner, this.module) if isinstance(this, Thing) else this
            return Function(node, module, own)
        if isinstance(this, Class) or "staticmethod" in marks:
            return Function(node, module)
        function = Function(node, module, this)
        return self.run.call(function, [], {}, node, None) if "property" in marks else function

    def is_computed(self, this: Thing, text: str) -> bool:
        """Whether setting an attribute of an object runs code."""
        special = ("__setattr__", "__getattr__", "__getattribute__", "__slots__")
        for one in self.bases(this.owner, this.module):
            if any(bound_in(one, name) is not None for name in special):
                return True
            node = bound_in(one, text)
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                return True
        return False

    def nested(self, frame: Frame, node: ast.FunctionDef | ast.Lambda) -> Value:
        """A function that is defined in another one."""
        own = {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)}
        own |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not _is_load(n)}
        free = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - own
        outer = frame.node
        again = [t for t in sorted(free) if outer is not None and _assigned_again(outer, t)]
        if again:
            return Lacking(f"a function about {again[0]!r}, which is assigned several times")
        return Function(node, frame.module, closure=frame.names)


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


def bound_in(owner: Class, text: str) -> ast.FunctionDef | ast.expr | None:
    """What a class binds to a name itself.

    Raises:
        Unsupported: that is not known.
    """
    found: ast.FunctionDef | ast.expr | None = None
    for node in owner.node.body:
        match node:
            case ast.FunctionDef(name=name) if name == text:
                if found is not None:
                    raise owner.module.refuse(node, "a name that a class binds twice")
                found = node
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == text:
                found = value
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if name == text:
                found = value
            case ast.FunctionDef() | ast.Assign() | ast.AnnAssign() | ast.Expr() | ast.Pass():
                pass
            case _:
                if any(text in bound_names(inner) for inner in ast.walk(node)):
                    raise owner.module.refuse(node, "a name that a class binds in one case only")
    return found
