"""Classes of a library: what they are made of, and what they and their objects have."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .body.frame import Frame
from .calls.dispatch import GENERATORS
from .modules import SourceModule
from .scoping.scopes import bindings, bound_names, within
from .terms.values import Class, External, Function, Lacking, Thing, Value

if TYPE_CHECKING:
    from .run import Run

#: Classes of Python that add nothing to those that are made of them.
_EMPTY = frozenset({"builtins.object", "abc.ABC"})
#: What changes how objects are made, or what their attributes are.
_SPECIAL = (
    "__new__", "__getattribute__", "__setattr__", "__delattr__", "__init_subclass__", "__prepare__",
)  # fmt: skip
_COMPUTED = ("__getattr__", "__slots__")


class Classes:
    """The classes of a run."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def constant(
        self, module: SourceModule, node: ast.expr, scope: dict[str, Value] | None = None
    ) -> Value:
        """What a module, a class or a default argument binds once."""
        raise NotImplementedError

    def is_patched(self, text: str) -> bool:
        """Whether some module may set an attribute of that name in another one."""
        raise NotImplementedError

    def bases(self, owner: ast.ClassDef, module: SourceModule) -> list[Class]:
        """A class and those that it is made of, in the order in which Python asks them."""
        direct = self._direct(owner, module)
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

    def _direct(self, owner: ast.ClassDef, module: SourceModule) -> list[Class]:
        """The classes of the library that a class names; it is nothing else besides.

        Raises:
            Unsupported: it is made of a class of another library, or not made as classes are.
        """
        frame = Frame(self.run, module, {}, tail=False)
        found = []
        for base in owner.bases:
            value = frame.expressions.value(base)
            if isinstance(value, Class):
                found.append(value)
            elif not (isinstance(value, External) and value.name in _EMPTY):
                shown = ast.unparse(base)
                raise module.refuse(base, f"a class that is made of {shown}, which is not read")
        for keyword in owner.keywords:
            value = frame.expressions.value(keyword.value)
            if keyword.arg != "metaclass" or value != External("abc.ABCMeta"):
                raise module.refuse(owner, "a class with a metaclass or other arguments")
        if owner.decorator_list:
            raise module.refuse(owner, "a class with a decorator")
        for text in _SPECIAL:
            if bindings(owner.body, text):
                raise module.refuse(owner, f"a class that has {text!r}")
        return found

    def member(self, this: Thing | Class, text: str, behind: ast.ClassDef | None = None) -> Value:
        """What an object or a class has under a name; ``behind``: only of what follows a class."""
        own = this.owner if isinstance(this, Thing) else this.node
        if self.is_patched(text):
            raise this.module.refuse(own, f"{text!r}, which another module may set")
        order = self.bases(own, this.module)
        if behind is not None:
            order = order[[one.node for one in order].index(behind) + 1 :]
        for one in order:
            node = bound_in(one, text)
            if isinstance(node, ast.FunctionDef):
                return self._method(node, one.module, this)
            if node is not None:
                return self._held(one, node, this)
        return Lacking(f"'{own.name}' has no {text!r} that is read here")

    def _held(self, owner: Class, node: ast.expr, this: Thing | Class) -> Value:
        """What a class binds to a name by an assignment."""
        found = self.constant(owner.module, node, self._scope(owner, node))
        plain = isinstance(found, External) and found.name in GENERATORS
        if isinstance(this, Thing) and isinstance(found, Function | External) and not plain:
            raise owner.module.refuse(node, "a function that a class holds under another name")
        return found

    def default(self, function: Function, node: ast.expr) -> Value:
        """What a parameter stands for by default, as it was where the function was defined."""
        if isinstance(node, ast.Constant):
            return self.constant(function.module, node)
        if function.closure is not None:
            raise function.module.refuse(node, "a default of a function that is defined in another")
        for owner in function.module.text.tree.body:
            if isinstance(owner, ast.ClassDef) and function.node in owner.body:
                own = Class(owner, function.module)
                return self.constant(function.module, node, self._scope(own, node))
        return self.constant(function.module, node)

    def _scope(self, owner: Class, node: ast.expr) -> dict[str, Value]:
        """The names of a class that an expression of its text speaks of."""
        found: dict[str, Value] = {}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and bindings(owner.node.body, inner.id):
                value = bound_in(owner, inner.id)
                if isinstance(value, ast.FunctionDef) or value is None:
                    raise owner.module.refuse(node, f"{inner.id!r}, a name of the class around")
                if value.lineno >= node.lineno:
                    raise owner.module.refuse(node, f"{inner.id!r}, which is assigned later")
                found[inner.id] = self.constant(owner.module, value, self._scope(owner, value))
        return found

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
        for one in self.bases(this.owner, this.module):
            if any(bound_in(one, name) is not None for name in _COMPUTED):
                return True
            node = bound_in(one, text)
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                return True
        return False

    def is_true(self, this: Thing) -> bool | None:
        """Whether an object counts as true; ``None`` if its class says so in its own way."""
        own = [
            name
            for one in self.bases(this.owner, this.module)
            for name in ("__bool__", "__len__")
            if bindings(one.node.body, name)
        ]
        return None if own else True


def bound_in(owner: Class, text: str) -> ast.FunctionDef | ast.expr | None:
    """What a class binds to a name itself.

    Raises:
        Unsupported: that is not known.
    """
    sites = bindings(owner.node.body, text)
    if any(
        text in bound_names(n) for s in sites for n in within(s) if isinstance(n, ast.NamedExpr)
    ):
        raise owner.module.refuse(owner.node, f"{text!r} is bound inside of an expression")
    match sites:
        case []:
            return None
        case [ast.FunctionDef() as function]:
            return function
        case [
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ] if name == text:
            return value
        case [ast.AnnAssign(value=None)]:
            return None
    raise owner.module.refuse(
        sites[-1], f"{text!r}, which a class binds in several places or cases"
    )
