"""The top level of one module, statement by statement, without executing it.

What is bound by plain statements is known; what depends on running code is unreadable.
"""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType

from ..language.readings import Later, Namespace, ReadModule, Unreadable
from ..noise import Distribution
from .definitions import Definitions
from .effects import Effects, Suspicion
from .expressions import Expressions, NotRead
from .imports import Importer, package_of
from .laws import law_of
from .library import SPECIAL_NAMES, is_number
from .running import BLOCKS, names_bound
from .text import Text


class ModuleReader:
    """Reads one module into its namespace."""

    def __init__(
        self, text: Text, module: ReadModule, importer: Importer, suspicion: Suspicion
    ) -> None:
        self._text = text
        self._module = module
        self._names: Namespace = module.__names__
        self._importer = importer
        self._suspicion = suspicion
        nodes = list(ast.walk(text.tree))
        #: Functions may bind these at any time.
        declared = [node for node in nodes if isinstance(node, ast.Global)]
        self._shared = {name: node for node in declared for name in node.names}
        self._expressions = Expressions(text, self._names)
        self._effects = Effects(
            text,
            self._names,
            suspicion,
            set(self._shared),
            _attributes(nodes),
            self._bind,
            self._loads_only,
            lambda node: self._definitions.makes_mechanism(node),
        )
        self._definitions = Definitions(text, self._names, self._expressions, self._effects)

    def read(self) -> None:
        """Read all statements.

        Raises:
            BadInput: executing the module would surely fail.
        """
        self._names["__doc__"] = ast.get_docstring(self._text.tree, clean=False)
        # Only where a function of the files runs does it matter what it could do.
        self._suspicion.later.append(self._effects.bodies)
        self._suspicion.later_types.append(self._effects.evaluated)
        for name, node in sorted(self._shared.items()):  # wherever else they are bound, or nowhere
            self._bind(name, getattr(builtins, name, None), node)
        self._block(self._text.tree.body)

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef():
                self._bind(node.name, self._definitions.function(node), node)
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Global():
                pass
            case ast.Expr(value=value):
                self._value(value)
            case ast.Assign(targets=targets, value=value):
                found = self._value(value)
                for target in targets:
                    self._assign(target, found)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                if value is not None:
                    self._assign(target, self._value(value))
                elif not isinstance(target, ast.Name):
                    self._effects.runs([target], "it is bound in an annotation")
                self._effects.types([annotation], "it is bound in an annotation")
            case ast.AugAssign():
                self._augment(node)
            case ast.Delete(targets=targets):
                for target in targets:
                    self._delete(target)
            case ast.Import():
                self._import(node)
            case ast.ImportFrom():
                self._import_from(node)
            case ast.If(test=test, body=yes, orelse=no):
                known = self._test(test)
                if known is None:
                    self._effects.runs([node], "it is bound under a condition")
                else:
                    self._block(yes if known else no)
                    self._as_a_script(test, no if known else yes)
            case ast.ClassDef():
                self._class(node)
            case ast.Raise():
                self._effects.anything(node, "the module raises an exception")
            case ast.AsyncFunctionDef():
                self._effects.runs([node], "it is bound to an asynchronous function")
            case _:
                block = BLOCKS.get(type(node), "statement that is not read")
                self._effects.runs([node], f"it is bound in a {block}")

    def _class(self, node: ast.ClassDef) -> None:
        """A class of the files is not known, unless it is a distribution."""
        bases = [self._plain(base) for base in node.bases]
        self._effects.runs([node], "it is a class")
        if any(isinstance(base, type) and issubclass(base, Distribution) for base in bases):
            law = law_of(node, bases, self._text, self._names.get("math") is math)
            self._bind(node.name, law, node)

    def _value(self, node: ast.expr) -> object:
        try:
            return self._expressions.value(node)
        except NotRead as stop:
            why = stop.why
            foreign = self._effects.foreign(node)
            made = why.holds_mechanism or self._definitions.makes_mechanism(node)
            if foreign is None:
                self._effects.runs([node], "it is bound inside an expression", None)
            elif isinstance(node, ast.Subscript):
                self._effects.types([node], "it is bound inside an expression")
            return Unreadable(why.reason, why.location, foreign or "", made)

    def _bind(self, name: str, value: object, node: ast.AST) -> None:
        self._names.note(name, value)
        if name in SPECIAL_NAMES:
            self._effects.anything(node, f"'{name}' is bound")
        elif name in self._shared:
            made = isinstance(value, Unreadable) and value.holds_mechanism
            made = made or self._definitions.makes_mechanism(node)
            where = self._text.location(node)
            self._names[name] = Unreadable("a function declares it global", where, "", made)
        else:
            self._names[name] = value

    def _assign(self, target: ast.expr, value: object) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, value, target)
            case ast.Tuple(elts=items) | ast.List(elts=items) if (
                isinstance(value, tuple | list)
                and len(value) == len(items)
                and not any(isinstance(item, ast.Starred) for item in items)
            ):
                for item, part in zip(items, value, strict=True):
                    self._assign(item, part)
            case _:
                why = value if isinstance(value, Unreadable) else None
                self._effects.runs([target], "it is bound together with others", why)

    def _augment(self, node: ast.AugAssign) -> None:
        target = node.target
        old = self._names.get(target.id) if isinstance(target, ast.Name) else None
        if isinstance(target, ast.Name) and is_number(old):
            read = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            sum_ = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
            self._bind(target.id, self._value(sum_), node)
            return
        if isinstance(target, ast.Name):
            # The object that it was may be changed in place.
            load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            self._effects.runs([load, node.value], "it is bound inside an expression")
        self._effects.runs([node], "it is changed in place")

    def _delete(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name) and target.id not in SPECIAL_NAMES:
            if target.id not in self._shared:
                self._names.pop(target.id, None)
        elif isinstance(target, ast.Tuple | ast.List):
            for item in target.elts:
                self._delete(item)
        else:
            self._effects.runs([target], "it is deleted")

    def _test(self, node: ast.expr) -> bool | None:
        """What a test is when the module is imported, if that is known."""
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(
                op, ast.Eq | ast.NotEq
            ):
                sides = [self._plain(left), self._plain(right)]
                if "__main__" in sides and self._is_own_name(left, right):
                    return isinstance(op, ast.NotEq)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                known = self._test(inner)
                return None if known is None else not known
            case ast.Constant() | ast.Name() | ast.Attribute():
                value = self._plain(node)
                if value is None or isinstance(value, bool | int | float | str):
                    return bool(value)
        return None

    def _plain(self, node: ast.expr) -> object:
        try:
            return self._expressions.value(node)
        except NotRead as stop:
            return stop.why

    def _as_a_script(self, test: ast.expr, skipped: Sequence[ast.stmt]) -> None:
        """What is bound where the file runs as a script is one thing here, another one there."""
        if any(isinstance(n, ast.Constant) and n.value == "__main__" for n in ast.walk(test)):
            reason = "it is bound again where the file runs as a script"
            for name in names_bound(skipped):
                if name in self._names or hasattr(builtins, name):
                    why = self._text.unreadable(skipped[0], reason)
                    self._bind(name, why, skipped[0])

    def _is_own_name(self, *nodes: ast.expr) -> bool:
        return any(isinstance(n, ast.Name) and n.id == "__name__" for n in nodes)

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            module = self._importer.module(alias.name, self._text, node)
            top, *rest = alias.name.split(".")
            found: object = module
            if isinstance(module, ModuleType):
                found = self._importer.module(top, self._text, node)
                # With another name it is what the packages have under these names by now.
                for part in rest if alias.asname else ():
                    if isinstance(found, ModuleType):
                        found = self._importer.member(found, part, self._text, node)
            self._bind(alias.asname or top, found, node)

    def _import_from(self, node: ast.ImportFrom) -> None:
        name = package_of(node, self._module, self._text)
        module = self._importer.module(name, self._text, node)
        self._may_be_made(module, node)
        for alias in node.names:
            if alias.name == "*":
                self._import_all(module, name, node)
                continue
            found: object
            if isinstance(module, ModuleType):
                found = self._importer.member(module, alias.name, self._text, node)
            else:
                found = replace(module, module=f"{module.module}.{alias.name}")
            self._bind(alias.asname or alias.name, found, node)

    def _may_be_made(self, module: object, node: ast.ImportFrom) -> None:
        """``__getattr__`` of a module runs for each name that it lacks, ``__path__`` included."""
        if isinstance(module, ReadModule) and module.__names__.bound("__getattr__"):
            names = [alias.name for alias in node.names]
            is_package = module.__name__ in self._importer.paths
            if not is_package or not all(map(module.__names__.bound, names)):
                self._effects.runs_any()

    def _import_all(self, module: ModuleType | Unreadable, of: str, node: ast.ImportFrom) -> None:
        names = None if isinstance(module, Unreadable) else self._importer.public_names(module)
        if names is None or isinstance(module, Unreadable) or _may_list_others(module):
            self._effects.names_unknown(node, of)
            return
        own = module.__name__ == __name__.partition(".")[0]  # who uses a part waits for no other
        for name in names:
            later = Later(module, name) if own else None
            self._bind(name, later or self._importer.member(module, name, self._text, node), node)

    def _loads_only(self, node: ast.Import | ast.ImportFrom) -> None:
        """A module that may be imported may change others, whatever is bound."""
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._importer.attempt(alias.name, self._text, node)
            return
        if node.level == 0 or self._module.__package__:
            name = package_of(node, self._module, self._text)
            self._importer.attempt(name, self._text, node)
            self._may_be_made(self._importer.loaded.get(name), node)
            for alias in node.names:
                self._importer.attempt(f"{name}.{alias.name}", self._text, node)


def _may_list_others(module: ModuleType) -> bool:
    """Whether ``__getattr__`` may say what a star import of a module binds."""
    if not isinstance(module, ReadModule):
        return False
    return "__getattr__" in module.__names__ and not module.__names__.bound("__all__")


def _attributes(nodes: Sequence[ast.AST]) -> set[str]:
    """The attributes that classes define, and those that are set."""
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    if not classes:
        return set()
    attributes = (node for node in nodes if isinstance(node, ast.Attribute))
    found = {node.attr for node in attributes if isinstance(node.ctx, ast.Store)}
    return found.union(*(names_bound(node.body) for node in classes))
