"""The functions that a mechanism is made of, rewritten with names that need no file around them.

Outside constants become literals, words of the language and builtins go by their own names, and
what two modules call alike is told apart.
"""

from __future__ import annotations

import ast
import builtins
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from types import FunctionType
from typing import Any

from ..errors import Unsupported
from ..language.declaration import Declaration, source_of
from ..language.scope import Scope, word_of
from ..language.source import Source, span_of
from ..noise import Distribution, own
from .expressions import dotted_name

#: Words of ``scope`` that are objects of the library, and those that are builtins.
_LIBRARY = {
    "sample", "align", "ensure", "other", "outcome", "count", "argmax", "top_k", "noise",
}  # fmt: skip
_BUILTINS = {"len", "sum", "arithmetic", "iteration"}


@dataclass(slots=True)
class Piece:
    """One function or mechanism of the text, with the source that it is rewritten from."""

    found: FunctionType | Declaration
    source: Source
    scope: Scope
    after: list[Piece] = field(default_factory=list)

    @property
    def function(self) -> Any:
        """The function itself."""
        return self.found.function if isinstance(self.found, Declaration) else self.found


class Pieces:
    """Everything outside that a mechanism reads, found by following names as Python does."""

    def __init__(self) -> None:
        self.order: list[Piece] = []
        self.local: set[str] = set()
        self._known: dict[int, Piece] = {}

    def add(self, found: FunctionType | Declaration) -> Piece:
        """A function or mechanism, after all that it uses itself.

        Raises:
            Unsupported: it uses something that cannot be written down.
        """
        if id(found) in self._known:
            return self._known[id(found)]
        function: Any = found.function if isinstance(found, Declaration) else found
        piece = Piece(found, source_of(function), Scope(function))
        self._known[id(found)] = piece
        for rule in found.privacy.functions if isinstance(found, Declaration) else ():
            if isinstance(rule, FunctionType):
                self.add(rule)
        self.local |= {n for f in _functions(piece.source.tree) for n in locals_of(f)}
        Rewriting(piece, self._follow).tree()
        self.order.append(piece)
        return piece

    def _follow(self, piece: Piece, node: ast.expr, name: str, found: object) -> ast.expr:
        if isinstance(found, FunctionType | Declaration) and word_of(found) in (
            "helper",
            "mechanism",
        ):
            self.add(found)
        return node


class Names:
    """The names of a text's top level: no two alike, and none that a function calls its own."""

    def __init__(self, main: str, local: set[str]) -> None:
        self._taken = local | {main}
        self._given: dict[int, tuple[object, str]] = {}
        #: What must be imported or bound, by module: the name there, and the name here.
        self.imports: dict[str, dict[str, str]] = {}
        #: The laws that the text defines itself.
        self.laws: dict[str, type[Distribution]] = {}
        self._reserved = set(dir(builtins)) | {"Annotated", "Fraction", "Iterable", "Sequence"}
        package = __name__.partition(".")[0]
        self._reserved |= set(getattr(__import__(package), "__all__", ()))
        self._package = package

    def own(self, law: type[Distribution]) -> bool:
        """Whether a law that is defined in the text has its name for itself."""
        name = law.__name__
        if self.laws.get(name) is not law and name not in self._taken:
            self.laws[name] = law
            self._taken.add(name)
        return self.laws.get(name) is law

    def keep(self, found: object, name: str) -> None:
        """An object that keeps its name."""
        self._given[id(found)] = found, name

    def of_function(self, found: object, base: str) -> str:
        """The name of a function or mechanism of the text."""
        if id(found) not in self._given:
            self._given[id(found)] = found, self._free(base, self._reserved)
        return self._given[id(found)][1]

    def imported(self, name: str, module: str | None = None) -> str:
        """The name of an object of the library, or of another module (``builtins`` too)."""
        names = self.imports.setdefault(module or self._package, {})
        if name not in names:
            names[name] = self._free(name, set())
        return names[name]

    def _free(self, base: str, reserved: set[str]) -> str:
        name, number = base, 1
        while name in self._taken or name in reserved:
            number += 1
            name = f"{base}_{number}"
        self._taken.add(name)
        return name


Outside = Callable[[Piece, ast.expr, str, object], ast.expr]


class Rewriting:
    """Copies a function's tree without docstrings and annotations; ``outside`` gives new names."""

    def __init__(self, piece: Piece, outside: Outside) -> None:
        self._piece = piece
        self._outside = outside
        self._local: list[set[str]] = []

    def tree(self) -> ast.FunctionDef:
        """The whole definition, without its decorators.

        Raises:
            Unsupported: it uses something that cannot be written down.
        """
        return self._function(self._piece.source.tree)

    def _function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._local.append(locals_of(node))
        body = self._block([self._copy(s) for s in node.body if not _is_text(s)])
        self._local.pop()
        names = [ast.arg(a.arg) for a in node.args.args]
        arguments = ast.arguments([], names, None, [], [], None, [])
        made = ast.FunctionDef(node.name, arguments, body, [])
        return ast.copy_location(made, node)

    def _copy(self, node: ast.AST) -> Any:
        match node:
            case ast.FunctionDef():
                return self._function(node)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                made = ast.Assign([self._copy(target)], self._copy(value))
                return ast.copy_location(made, node)
            case ast.Constant(value=value):
                return ast.copy_location(ast.Constant(value), node)
            case ast.Name(id=name, ctx=ast.Load()) if not self._is_local(name):
                return self._found(node, name)
            case ast.Attribute(ctx=ast.Load()):
                dotted = dotted_name(node)
                if dotted is not None and not self._is_local(dotted.partition(".")[0]):
                    return self._found(node, dotted)
            case ast.Assert(test=test):
                return ast.copy_location(ast.Assert(self._copy(test)), node)
        fields: dict[str, Any] = {
            name: self._block(value) if name == "body" and isinstance(value, list) else value
            for name, value in ((n, self._copied(v)) for n, v in ast.iter_fields(node))
        }
        return ast.copy_location(type(node)(**fields), node)

    def _copied(self, value: object) -> object:
        if isinstance(value, list):
            return [self._copied(v) for v in value if not _is_text(v)]
        return self._copy(value) if isinstance(value, ast.AST) else value

    def _block(self, body: list[Any]) -> list[Any]:
        return body or [ast.Pass()]

    def _is_local(self, name: str) -> bool:
        return any(name in names for names in self._local)

    def _found(self, node: ast.expr, name: str) -> ast.expr:
        return self._outside(self._piece, node, name, self._piece.scope.lookup(name))


def named(names: Names, piece: Piece, node: ast.expr, name: str, found: object) -> ast.expr:
    """What is written for an outside name.

    Raises:
        Unsupported: nothing can be.
    """
    word = word_of(found)
    if word == "constant":
        made = literal(found, names)
    elif isinstance(found, FunctionType | Declaration) and word in ("helper", "mechanism"):
        made = ast.Name(names.of_function(found, source_name(found)), ast.Load())
    elif isinstance(found, type) and found in own.TAKEN:
        if not names.own(found):
            raise piece.source.refuse(
                span_of(node), f"two things called '{found.__name__}'", "give each a name"
            )
        made = ast.Name(found.__name__, ast.Load())
    elif word in _LIBRARY:
        made = ast.Name(names.imported(typing.cast(Any, found).__name__), ast.Load())
    elif word in _BUILTINS:
        function = typing.cast(Any, found)
        made = ast.Name(names.imported(function.__name__, function.__module__), ast.Load())
    else:
        raise piece.source.refuse(
            span_of(node), f"'{name}' cannot be written down", "use numbers, helpers and words"
        )
    return ast.copy_location(made, node)


def source_name(found: FunctionType | Declaration) -> str:
    """What a function is called in its source."""
    function: Any = found.function if isinstance(found, Declaration) else found
    return source_of(function).tree.name


def literal(value: object, names: Names) -> ast.expr:
    """A constant as it is written in Python.

    Raises:
        Unsupported: it is no constant of the language.
    """
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return ast.Constant(value)
    if isinstance(value, Fraction):
        name = ast.Name(names.imported("Fraction", "fractions"), ast.Load())
        parts = (value.numerator, value.denominator)
        return ast.Call(name, [literal(p, names) for p in parts], [])
    if isinstance(value, int | float):
        plain = float(value) if isinstance(value, float) else int(value)
        if plain < 0:
            return ast.UnaryOp(ast.USub(), ast.Constant(-plain))
        return ast.Constant(abs(plain))  # there is one zero
    raise Unsupported(f"{value!r} cannot be written down", None, "use plain numbers and strings")


def locals_of(node: ast.FunctionDef) -> set[str]:
    """The names that belong to one function, those of functions inside it left out."""
    found = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    stack: list[ast.AST] = list(node.body)
    while stack:
        part = stack.pop()
        if isinstance(part, ast.FunctionDef):
            found.add(part.name)
            continue
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            found.add(part.id)
        stack.extend(ast.iter_child_nodes(part))
    return found


def _functions(tree: ast.FunctionDef) -> Iterator[ast.FunctionDef]:
    return (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))


def _is_text(node: object) -> bool:
    """A string as a statement says nothing to Python."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
