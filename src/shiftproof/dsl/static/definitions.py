"""Functions of a module's top level: as they are, or as the mechanisms that they are made."""

from __future__ import annotations

import ast
import functools
from copy import deepcopy
from itertools import chain
from types import FunctionType
from typing import Self

from ..errors import BadInput, Location, ShiftproofError, Unsupported
from ..language.readings import Namespace, Unreadable
from ..language.source import Source
from ..mechanism import Mechanism, mechanism
from ..privacy.definitions import Privacy
from ..relations.program import Program
from .effects import DECORATOR, Effects
from .expressions import Expressions, NotRead
from .running import defaults_of, is_dotted, parameters_of, types_of
from .text import Text, expression, stand_in


class UnreadMechanism(Mechanism[..., object]):
    """A mechanism of which only executing the file would tell what it is, or that is none.

    Everything that needs its program raises the error that says why: others of the file are read.
    """

    def __init__(self, function: FunctionType, error: Unsupported | BadInput) -> None:
        # Not as for a mechanism that was read: it is not known what its inputs are.
        self.function = function
        self.privacy = _Unknown()
        self.budget = None
        self.expect = "proved"
        self.inputs = {}
        self.error = error
        functools.update_wrapper(self, function)

    @classmethod
    def at(cls, name: str, where: Location, error: Unsupported | BadInput) -> Self:
        """One of this name that stands there."""
        names = Namespace()
        names["__name__"] = where.file
        return cls(stand_in(name, where, names), error)

    def convert(self, *args: object, **kwargs: object) -> dict[str, object]:
        """Nothing: its inputs are not known.

        Raises:
            Unsupported: always; with the place that could not be read.
        """
        raise self.error

    @functools.cached_property
    def program(self) -> Program:
        """There is none.

        Raises:
            Unsupported: always; with the place that could not be read.
        """
        raise self.error


class _Unknown(Privacy):
    """The claim of a mechanism that was not read."""

    def __str__(self) -> str:
        return "not read"


class Definitions:
    """Reads the function definitions of one module."""

    def __init__(
        self, text: Text, names: Namespace, expressions: Expressions, effects: Effects
    ) -> None:
        self._text = text
        self._names = names
        self._expressions = expressions
        self._effects = effects

    def function(self, node: ast.FunctionDef) -> object:
        """What the name of a definition is bound to.

        Raises:
            BadInput: executing it would surely fail, and it is no mechanism.
        """
        try:
            return self._bound(node)
        except (BadInput, Unsupported) as error:
            if not self.makes_mechanism(node):
                raise
            return UnreadMechanism.at(node.name, self._text.location(node), error)

    def _bound(self, node: ast.FunctionDef) -> object:
        decorators = [self._decorator(d) for d in node.decorator_list]
        bound = "it is bound inside a definition"
        self._effects.runs(defaults_of(node.args), bound)
        self._effects.types(map(_unquoted, types_of(node)), bound)
        function = self._made(node)
        if isinstance(function, Unreadable):
            return function
        hidden = self._annotate(function, node)
        made: object = function
        for decorator, part in zip(decorators[::-1], node.decorator_list[::-1], strict=True):
            made = self._decorated(made, decorator, part, hidden)
        if isinstance(made, Unreadable) and self.makes_mechanism(node):
            return UnreadMechanism(function, made.error(node.name))
        return made

    def makes_mechanism(self, node: ast.AST) -> bool:
        """Whether some definition at this node, or in it, is decorated as a mechanism.

        So is what calls a function of the file that holds such a definition.
        """
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = self._names.get(node.func.id)
            if isinstance(called, FunctionType):
                source = self._names.source(called.__code__)
                if source is not None and self._has_claim(source.tree):
                    return True
        return self._has_claim(node)

    def _has_claim(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.FunctionDef | ast.Call):
            return False
        inside = (n.decorator_list for n in ast.walk(node) if isinstance(n, ast.FunctionDef))
        return any(self._is_claim(part) for part in [node, *chain.from_iterable(inside)])

    def _is_claim(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Name | ast.Attribute):
            return isinstance(node, ast.Call) and self._is_claim(node.func)
        try:
            found = self._expressions.value(node)
        except NotRead as stop:
            return stop.why.module == DECORATOR
        except BadInput:
            return False
        return found is mechanism or any(found is claim for claim in self._expressions.claims)

    def _decorator(self, node: ast.expr) -> object:
        try:
            return self._expressions.value(node)
        except NotRead as stop:
            self._effects.runs([node], "it is bound inside a decorator")
            return stop.why

    def _made(self, node: ast.FunctionDef) -> FunctionType | Unreadable:
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        code = self._text.codes.get((node.name, first))
        if code is None:
            return self._text.unreadable(node, "its code is not found")
        made = FunctionType(code, self._names, node.name)
        made.__qualname__ = node.name
        made.__doc__ = ast.get_docstring(node, clean=False)
        # Their values do not matter: a default is refused wherever the function is used.
        a = node.args
        made.__defaults__ = tuple(map(self._text.location, a.defaults)) or None
        pairs = zip(a.kwonlyargs, a.kw_defaults, strict=True)
        made.__kwdefaults__ = {n.arg: self._text.location(d) for n, d in pairs if d is not None}
        self._names.remember(code, Source(self._text.file, self._text.lines, node))
        return made

    def _annotate(
        self, function: FunctionType, node: ast.FunctionDef
    ) -> Unreadable | BadInput | None:
        """State the types of the parameters; what is wrong with the first that is not known."""
        hidden: Unreadable | BadInput | None = None
        for parameter in parameters_of(node.args):
            if parameter.annotation is None:
                continue
            found: object
            try:
                found = self._expressions.value(parameter.annotation, annotation=True)
            except NotRead as stop:
                found = stop.why
                hidden = hidden or found
            except BadInput as error:
                # Under "from __future__ import annotations" nobody may ever look at it.
                found = self._text.unreadable(parameter.annotation, error.message)
                hidden = hidden or error
            function.__annotations__[parameter.arg] = found
        return hidden

    def _decorated(
        self,
        value: object,
        decorator: object,
        node: ast.expr,
        hidden: Unreadable | BadInput | None,
    ) -> object:
        claims = self._expressions.claims
        is_claim = any(decorator is claim for claim in claims) and callable(decorator)
        if not is_claim:
            self._effects.runs([node], "it is bound inside a decorator")
            if not is_dotted(node):
                self._effects.runs_any()
        for unread in (value, decorator):
            if isinstance(unread, Unreadable):
                return unread
        if not is_claim or not callable(decorator):
            called = ast.unparse(node)
            bare = called.rpartition(".")[2] == "mechanism"
            why = f"; write @{called}(DP()), with what it claims" if bare else ""
            return self._text.unreadable(node, f"it is decorated by '{called}'{why}")
        if not isinstance(value, FunctionType):
            return self._text.unreadable(node, "a mechanism is made a mechanism again")
        if isinstance(hidden, BadInput):
            raise hidden
        if hidden is not None:
            self._effects.makes_unread()
            return hidden
        try:
            return decorator(value)
        except ShiftproofError:
            raise
        except Exception as error:
            raise self._text.fails(node, f"{type(error).__name__}: {error}") from None


def _unquoted(part: ast.expr) -> ast.expr:
    """A type that a definition computes, with those in quotes."""
    texts = (n for n in ast.walk(part) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    found: ast.expr = _Unquoted().visit(deepcopy(part)) if any(texts) else part
    return found


class _Unquoted(ast.NodeTransformer):
    """Types in quotes as the expressions that they are, however often they are quoted."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return node  # its texts are arguments

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        inside = expression(node.value) if isinstance(node.value, str) else None
        if inside is None:
            return node
        for piece in ast.walk(inside):
            ast.copy_location(piece, node)
        found: ast.expr = self.visit(inside)
        return found
