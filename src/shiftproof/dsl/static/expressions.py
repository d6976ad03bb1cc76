"""What an expression of a module's top level is, worked out without executing it."""

from __future__ import annotations
import __future__

import ast
import builtins
import operator
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import Any

from ..errors import BadInput, ShiftproofError, did_you_mean
from ..language.readings import Namespace, ReadModule, Unreadable
from ..language.source import Source
from ..mechanism import Mechanism, mechanism
from ..privacy.policies import Policy
from .library import (
    ANNOTATED,
    LARGEST_SIZE,
    LITERAL,
    has_text,
    is_harmless,
    is_known,
    is_number,
    is_untold,
    may_be_type,
    may_call,
    may_subscript,
)
from .running import COMPREHENSIONS, defaults_of
from .text import Text, code_of_lambda, expression

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
_COLLECTIONS: dict[type[ast.expr], Callable[[list[Any]], Any]] = {
    ast.Tuple: tuple, ast.List: list, ast.Set: set,
}  # fmt: skip


_OF_TYPES = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.BitOr,
    ast.Constant, ast.Load,
)  # fmt: skip


class NotRead(Exception):
    """An expression's value is not known."""

    def __init__(self, why: Unreadable) -> None:
        self.why = why


class Expressions:
    """Reads the expressions of one module; the values are those at this point of it."""

    def __init__(self, text: Text, names: Namespace) -> None:
        self.text = text
        self.names = names
        #: What ``mechanism(…)`` gave: applied to a function, it makes a mechanism.
        self.claims: list[object] = []
        # How many parts a composed value has: a name may stand for many of them, many times.
        self._sizes: dict[int, tuple[object, int]] = {}

    def value(self, node: ast.expr, annotation: bool = False) -> Any:
        """The value of an expression; in an annotation, text in quotes is a type.

        Raises:
            NotRead: only executing it would tell.
            BadInput: executing it would surely fail.
        """
        match node:
            case ast.Constant(value=str() as quoted) if annotation:
                return self._quoted(quoted, node)
            case ast.Constant(value=value) if not isinstance(value, bytes | complex):
                return value
            case ast.Name(id=name):
                return self._name(name, node)
            case ast.Attribute():
                return self._attribute(node, annotation)
            case ast.UnaryOp(op=op, operand=inner):
                return self._unary(op, self.value(inner), node)
            case ast.BinOp(left=left, op=op, right=right):
                both = self.value(left, annotation), self.value(right, annotation)
                return self._binary(op, *both, node)
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                parts = self._all(items, annotation)
                return self._composed(node, parts, _COLLECTIONS[type(node)], parts)
            case ast.Dict(keys=keys, values=values) if None not in keys:
                names = self._all([k for k in keys if k is not None], False)
                held = self._all(values, False)
                pairs = list(zip(names, held, strict=True))
                return self._composed(node, [*names, *held], dict, pairs)
            case ast.Subscript():
                return self._subscript(node, annotation)
            case ast.Call():
                return self._call(node)
            case ast.Lambda():
                return self.function_of_lambda(node)
        raise self.not_read(node, f"{_WORDS.get(type(node), 'this')} is not evaluated")

    def not_read(self, node: ast.AST, reason: str, module: str = "") -> NotRead:
        """An expression that stops the reading of what it stands in."""
        return NotRead(self.text.unreadable(node, reason, module))

    def _all(self, nodes: Sequence[ast.expr], annotation: bool) -> list[Any]:
        return [self.value(node, annotation) for node in nodes]

    def _name(self, name: str, node: ast.AST) -> Any:
        if is_untold(name):
            raise self.not_read(node, f"'{name}' is Python's own")
        if name in self.names:
            found = self.names[name]
        elif hasattr(builtins, name):
            found = getattr(builtins, name)
        else:
            near = did_you_mean(name, (n for n in self.names if n[:1] != "_"), "")
            said = f"NameError: name '{name}' is not defined"
            raise self.text.fails(node, f"{said}; {near}" if near else said)
        if isinstance(found, Unreadable):
            raise NotRead(found)
        return found

    def _attribute(self, node: ast.Attribute, annotation: bool) -> Any:
        owner = self.value(node.value, annotation)
        if owner is Policy and not node.attr.startswith("_"):
            found = getattr(owner, node.attr, None)
            if may_call(found):
                return found
        if isinstance(owner, ReadModule) or (isinstance(owner, ModuleType) and is_known(owner)):
            return self.member(owner, node.attr, node)
        raise self.not_read(node, f"the attribute '.{node.attr}' is not read")

    def member(self, owner: ModuleType, name: str, node: ast.AST) -> Any:
        """A name of a module.

        Raises:
            NotRead: the module was read, and this name of it could not be.
            BadInput: there is none.
        """
        if is_untold(name):
            raise self.not_read(node, f"'.{name}' is Python's own")
        try:
            found = getattr(owner, name)
        except AttributeError:
            message = f"AttributeError: module '{owner.__name__}' has no attribute '{name}'"
            raise self.text.fails(node, message) from None
        if isinstance(found, Unreadable):
            raise NotRead(found)
        return found

    def _unary(self, op: ast.unaryop, value: Any, node: ast.AST) -> Any:
        if isinstance(op, ast.Not) and isinstance(value, bool | int | float | str | None):
            return not value
        if is_number(value) and isinstance(op, ast.USub | ast.UAdd):
            return -value if isinstance(op, ast.USub) else value
        raise self.not_read(node, "this operator is not evaluated here")

    def _binary(self, op: ast.operator, left: Any, right: Any, node: ast.AST) -> Any:
        if isinstance(op, ast.BitOr) and (may_be_type(left) and may_be_type(right)):
            return self._composed(node, (left, right), operator.or_, left, right)
        if type(op) not in _OPERATORS or not (is_number(left) and is_number(right)):
            raise self.not_read(node, "only + - * / // % of numbers is evaluated")
        found = self._made(node, _OPERATORS[type(op)], left, right)
        if not is_number(found):
            raise self.not_read(node, "the number is too large")
        return found

    def _made(self, node: ast.AST, make: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """What a harmless function gives; its error is one at this place."""
        try:
            return make(*given, **named)
        except BadInput as error:
            raise BadInput(error.message, error.location or self.text.location(node)) from None
        except ShiftproofError:
            raise
        except Exception as error:
            raise self.text.fails(node, f"{type(error).__name__}: {error}") from None

    def _composed(
        self,
        node: ast.AST,
        parts: Sequence[Any],
        make: Callable[..., Any],
        *given: Any,
        **named: Any,
    ) -> Any:
        """What a harmless function makes of other values, if these are not too many."""
        size = 1 + sum(self._sizes.get(id(part), (None, 1))[1] for part in parts)
        if size > LARGEST_SIZE:
            raise self.not_read(node, f"it has more than {LARGEST_SIZE} parts")
        value = self._made(node, make, *given, **named)
        if not isinstance(value, int | float | str):
            self._sizes[id(value)] = value, size
        return value

    def _quoted(self, quoted: str, node: ast.Constant) -> Any:
        """A type in quotes, as it is at this point."""
        found = expression(quoted)
        if found is None:
            raise self.not_read(node, "the annotation in quotes is no expression")
        for part in ast.walk(found):
            ast.copy_location(part, node)
        if isinstance(found, ast.Constant) and isinstance(found.value, str):
            raise self.not_read(node, "an annotation in quotes twice")
        return self.value(found, annotation=True)

    def _subscript(self, node: ast.Subscript, annotation: bool) -> Any:
        owner = self.value(node.value, annotation)
        inside = node.slice
        items = inside.elts if isinstance(inside, ast.Tuple) else [inside]
        if type(owner) in (tuple, list, dict):
            index = self.value(inside)
            if isinstance(index, bool | int | str):
                return self._made(node, operator.getitem, owner, index)
        if not may_subscript(owner):
            raise self.not_read(node, "this is indexed, and no type")
        if owner is ANNOTATED:
            parts = [self._annotated(items[0], annotation), *self._all(items[1:], False)]
        elif owner is LITERAL:
            parts = self._all(items, False)
        else:
            parts = self._all(items, annotation)
            if any(has_text(part) for part in parts):
                raise self.not_read(node, "a type in quotes outside of an annotation")
        key = tuple(parts) if isinstance(inside, ast.Tuple) else parts[0]
        return self._composed(node, [owner, *parts], operator.getitem, owner, key)

    def _annotated(self, node: ast.expr, annotation: bool) -> Any:
        """The type that is annotated; arrays of numpy need not be known, for they say nothing."""
        try:
            found = self.value(node, annotation)
        except NotRead as stop:
            if stop.why.module.partition(".")[0] != "numpy" or not self._is_type(node):
                raise
            return Any
        if has_text(found):
            raise self.not_read(node, "a type in quotes outside of an annotation")
        return found

    def _is_type(self, node: ast.expr) -> bool:
        """Whether an expression makes a type of known ones and of libraries' and does no more."""
        if not all(isinstance(n, _OF_TYPES) for n in ast.walk(node)):
            return False
        names = [self.names.get(n.id) for n in ast.walk(node) if isinstance(n, ast.Name)]
        return all(v.module for v in names if isinstance(v, Unreadable))

    def _call(self, node: ast.Call) -> Any:
        function = self.value(node.func)
        is_claim = any(function is claim for claim in self.claims)
        if not may_call(function) and not is_claim:
            raise self.not_read(node, f"'{ast.unparse(node.func)}' is called")
        if any(isinstance(a, ast.Starred) for a in node.args):
            raise self.not_read(node, "a starred argument")
        given = self._all(node.args, False)
        named = {k.arg: self.value(k.value) for k in node.keywords if k.arg}
        if len(named) < len(node.keywords) or not is_harmless(function, given, len(named)):
            raise self.not_read(node, "a call with these arguments is not evaluated")
        if is_claim:
            return self._mechanism(node, function, given)
        parts = [*given, *named.values()]
        found = self._composed(node, parts, function, *given, **named)
        if function is mechanism:
            self.claims.append(found)
        return found

    def _mechanism(self, node: ast.Call, claim: Any, given: list[Any]) -> Mechanism[..., Any]:
        """``mechanism(DP())(function)``, for a function that is annotated readably."""
        function = given[0] if len(given) == 1 else None
        if not isinstance(function, FunctionType):
            raise self.not_read(node, "what is made a mechanism is no function")
        hidden = [a for a in function.__annotations__.values() if isinstance(a, Unreadable)]
        if hidden:
            raise NotRead(hidden[0])
        if _typed_later(function, self.names.source(function.__code__)):
            raise self.not_read(node, "types in quotes, or from __future__, are evaluated here")
        made: Mechanism[..., Any] = self._made(node, claim, function)
        return made

    def function_of_lambda(self, node: ast.Lambda) -> FunctionType:
        """A lambda as a function that nobody calls.

        Raises:
            NotRead: making it executes something.
        """
        a = node.args
        if not all(isinstance(d, ast.Constant) for d in defaults_of(a)):
            raise self.not_read(node, "a lambda with computed defaults")
        code = code_of_lambda(node, self.text.file)
        if code is None:
            raise self.not_read(node, "this lambda")
        made = FunctionType(code, self.names, "<lambda>")
        made.__defaults__ = tuple(d.value for d in a.defaults if isinstance(d, ast.Constant))
        body = ast.copy_location(ast.Return(node.body), node.body)
        tree = ast.copy_location(
            ast.FunctionDef(name="<lambda>", args=a, body=[body], decorator_list=[]), node
        )
        self.names.remember(code, Source(self.text.file, self.text.lines, tree))
        return made


def _typed_later(function: FunctionType, source: Source | None) -> bool:
    """Whether types are evaluated where a function becomes a mechanism, not where it stands."""
    if function.__code__.co_flags & __future__.annotations.compiler_flag or source is None:
        return True
    a = source.tree.args
    given = [*a.posonlyargs, *a.args, *a.kwonlyargs]
    return any(g.annotation is not None and _quotes(g.annotation) for g in given)


def _quotes(kind: ast.expr) -> bool:
    """Whether a type has another one in quotes."""
    if isinstance(kind, ast.BinOp):
        return _quotes(kind.left) or _quotes(kind.right)
    if not isinstance(kind, ast.Subscript):
        return isinstance(kind, ast.Constant) and isinstance(kind.value, str)
    of = kind.slice.elts if isinstance(kind.slice, ast.Tuple) else [kind.slice]
    annotated = ast.unparse(kind.value).rpartition(".")[2] == "Annotated"
    return any(map(_quotes, of[:1] if annotated else of))


_WORDS: dict[type[ast.expr], str] = {
    ast.Call: "a call",
    ast.IfExp: "a conditional expression",
    ast.Compare: "a comparison",
    ast.BoolOp: "a Boolean operator",
    ast.JoinedStr: "a formatted string",
    **dict.fromkeys(COMPREHENSIONS, "a comprehension"),
    ast.NamedExpr: "an assignment inside an expression",
    ast.Starred: "a starred expression",
}
