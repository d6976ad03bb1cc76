"""Python statements to statements of the language; nothing is ever skipped."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NoReturn

from ..language.source import span_of
from ..language.statements import (
    Assign,
    Break,
    Continue,
    Ensure,
    If,
    MakeList,
    Pick,
    Release,
    Return,
    Statement,
    While,
)
from ..language.syntax import Arithmetic, BooleanConstant, Conditional, Expression, Label, Name
from ..parsing.calls import Calls
from ..parsing.expressions import ARITHMETIC, dotted_name, foreign_statement
from ..parsing.helpers import parameters_of
from ..parsing.lists import (
    parse_alignment,
    parse_append,
    parse_list,
    parse_pick,
    parse_sample,
    picks,
    store_into,
)
from .composition import parse_released, parse_unpacked, unkept
from .drawing import Draws
from .summing import Sums


class Statements(ABC):
    """Parses the body of one mechanism."""

    def __init__(self, expressions: Calls, generator: bool) -> None:
        self.expressions = expressions
        self.sums = Sums(expressions)
        self._draws = Draws(expressions)
        self._generator = generator
        self._nesting = 0
        #: What is assigned at the breaks of each loop around, and of the loop that was read last.
        self._at_breaks: list[list[set[str]]] = []
        self._breaks: list[set[str]] = []
        self.read_streams: set[str] = set()

    @property
    def nested(self) -> bool:
        """Whether this is inside a loop or branch."""
        return self._nesting > 0

    @property
    def bound(self) -> set[str]:
        """The variables that surely have a value here."""
        return self.expressions.bound

    @bound.setter
    def bound(self, names: set[str]) -> None:
        self.expressions.bound = names

    @abstractmethod
    def for_loop(self, node: ast.For) -> tuple[Statement, ...]:
        """A ``for`` loop."""

    def block(self, body: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        """A sequence of statements; ``align`` belongs to the sample before it."""
        found: list[Statement] = []
        body = self._draws_first([part for node in body for part in self.sums.without(node)])
        for k, node in enumerate(body):
            appended = parse_append(self.expressions, node)
            if appended is not None:
                found.append(appended)
                continue
            word = _calls(node, self.expressions)
            if word == "align":
                found[-1:] = [parse_alignment(self.expressions, node, found[-1] if found else None)]
            elif word == "ensure":
                later = next((n for n in body[k:] if not self._is_ensure(n)), None)
                found.append(self._ensure(node, later))
            else:
                found.extend(self.statement(node))
        return tuple(found)

    def _draws_first(self, body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
        """The block with draws inside expressions before them, and before what is said of these."""
        found: list[ast.stmt] = []
        for node in body:
            *draws, made = self._draws.without(node)
            place = len(found)
            while draws and place and self._is_ensure(found[place - 1]):
                place -= 1
            found[place:place] = draws
            found.append(made)
        return found

    def _is_ensure(self, node: ast.stmt) -> bool:
        call = node.value if isinstance(node, ast.Expr) else None
        name = dotted_name(call.func) if isinstance(call, ast.Call) else None
        if name is None or self.expressions.is_local(name.partition(".")[0]):
            return False
        return _calls(node, self.expressions) == "ensure"

    def _ensure(self, node: ast.stmt, later: ast.stmt | None) -> Ensure:
        """A one-sided claim; what it is about must follow."""
        assert isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        call = node.value
        releases = isinstance(later, ast.Return) or (
            isinstance(later, ast.Expr) and isinstance(later.value, ast.Yield)
        )
        if len(call.args) != 1 or call.keywords or not releases:
            raise self.expressions.refuse(
                node,
                "ensure without what it is about",
                "write ensure(condition) right before the yield or return that it speaks of",
                "never",
            )
        return Ensure(span_of(node), self.expressions.parse(call.args[0]))

    def statement(self, node: ast.stmt) -> tuple[Statement, ...]:
        """One statement; some become several, some none."""
        span = span_of(node)
        parse = self.expressions.parse
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant(value=str())):
                return ()
            case ast.Assign(targets=[target], value=value):
                return self._assign(target, value, node)
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                return self._assign(target, value, node)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                return self._augmented(name, target, op, value, node)
            case ast.AugAssign(target=ast.Subscript() as cell, op=op, value=value):
                return (store_into(self.expressions, cell, op, value, node),)
            case ast.If(test=test, body=yes, orelse=no):
                return (self._if(parse(test), yes, no, node),)
            case ast.While(test=test, body=body, orelse=[]):
                return (self._while(test, body, node),)
            case ast.For(orelse=[]):
                return self.for_loop(node)
            case ast.Break():
                self._at_breaks[-1].append(self.bound)
                self.bound = set(self.expressions.variables)
                return (Break(span),)
            case ast.Continue():
                self.bound = set(self.expressions.variables)
                return (Continue(span),)
            case ast.Expr(value=ast.Yield(value=value)):
                return self._yield(value, node)
            case ast.Expr(value=ast.YieldFrom(value=value)):
                return (parse_released(self.expressions, value, node),)
            case ast.Return(value=value):
                return self._return(value, node)
            case ast.FunctionDef(name=name):
                return self._helper(name, node)
        self._foreign(node)

    def _assign(self, target: ast.expr, value: ast.expr, node: ast.stmt) -> tuple[Statement, ...]:
        if isinstance(value, ast.Call) and self._draws.is_draw(value):
            found = parse_sample(self.expressions, self.variable(target), value, node)
            self.bound = self.bound | {found.target}
            return (found,)
        if isinstance(value, ast.Call) and _word(value, self.expressions) == "mechanism":
            call = parse_unpacked(self.expressions, self.variable, target, value, node)
            self.bound = self.bound | set(call.targets or ())
            return (call,)
        listed = parse_list(self.expressions, target, value, node)
        if listed:
            return self._with_list(listed, target)
        if isinstance(target, ast.Tuple | ast.List):
            sides = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            if len(sides) != len(target.elts):
                raise self.expressions.refuse(
                    node, "unpacking", "write one value for each variable"
                )
            pairs = list(zip(target.elts, sides, strict=True))
        else:
            pairs = [(target, value)]
        values = tuple(self.expressions.parse(v) for _, v in pairs)
        names = tuple(self.variable(t) for t, _ in pairs)
        if len(set(names)) < len(names):
            raise self.expressions.refuse(
                node, "a variable assigned twice at once", "assign it once", "never"
            )
        self.bound = self.bound | set(names)
        span = span_of(node)
        if len(values) == 1:
            return _by_arms(values[0], lambda v: Assign(span, names, (v,)))
        return (Assign(span, names, values),)

    def _with_list(self, found: tuple[Statement, ...], target: ast.expr) -> tuple[Statement, ...]:
        made = next((s for s in found if isinstance(s, MakeList | Pick)), None)
        if made is not None:
            name = made.target
            is_list = isinstance(made, MakeList) or made.count is not None
            if not is_list or name not in self.expressions.lists:
                self.variable(target)
            else:
                self._check_new_list(name, target)
            self.bound = self.bound | {name}
        return found

    def _check_new_list(self, name: str, target: ast.expr) -> None:
        """A list may be made under this name, here."""
        refuse = self.expressions.refuse
        if name in self.expressions.helpers:
            raise refuse(target, f"the function '{name}'", "use a new name")
        if name in self.expressions.variable_of:
            raise refuse(target, f"the parameter '{name}' becomes a list", "use a new name")

    def variable(self, target: ast.expr) -> str:
        """An assignable variable; sequence parameters and helpers are not."""
        if not isinstance(target, ast.Name):
            raise self.expressions.refuse(
                target,
                "an assignment to something that is no variable",
                "use one variable per value",
            )
        if target.id in self.expressions.arrays:
            raise self.expressions.refuse(
                target, f"the sequence '{target.id}' is assigned", "use a new name"
            )
        if target.id in self.expressions.helpers:
            raise self.expressions.refuse(
                target, f"the function '{target.id}' is assigned", "use a new name"
            )
        if target.id in self.expressions.data_sets:
            raise self.expressions.refuse(
                target, f"the data set '{target.id}' is assigned", "use a new name"
            )
        return self.expressions.variable_of.get(target.id, target.id)

    def _augmented(
        self, name: str, target: ast.Name, op: ast.operator, value: ast.expr, node: ast.stmt
    ) -> tuple[Statement, ...]:
        if type(op) not in ARITHMETIC:
            raise self.expressions.refuse(
                node, "this assignment operator", "use += -= *= /= //= %="
            )
        variable = self.variable(target)
        left = self.expressions.parse(ast.copy_location(ast.Name(name, ast.Load()), target))
        total = Arithmetic(span_of(node), ARITHMETIC[type(op)], left, self.expressions.parse(value))
        return (Assign(span_of(node), (variable,), (total,)),)

    def _if(
        self, test: Expression, yes: Sequence[ast.stmt], no: Sequence[ast.stmt], node: ast.stmt
    ) -> If:
        before = self.bound
        self._nesting += 1
        first = self.block(yes)
        after_yes, self.bound = self.bound, before
        second = self.block(no)
        self._nesting -= 1
        self.bound = self.bound & after_yes
        return If(span_of(node), test, first, second)

    def loop_body(self, body: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        """A loop's body; what it assigns is not surely assigned after the loop."""
        before = self.bound
        self._nesting += 1
        self._at_breaks.append([])
        found = self.block(body)
        self._nesting -= 1
        self.bound = before
        self._breaks = self._at_breaks.pop()
        return found

    def _while(self, test: ast.expr, body: Sequence[ast.stmt], node: ast.stmt) -> While:
        parsed = self.expressions.parse(test)
        loop = While(span_of(node), parsed, self.loop_body(body))
        if isinstance(parsed, BooleanConstant) and parsed.value:  # left by a break alone
            self.bound = set(self.expressions.variables).intersection(*self._breaks)
        return loop

    def _picked(self, value: ast.expr, node: ast.stmt) -> tuple[Pick, Expression]:
        """``argmax(a)`` where a value is released: picked first, under a name of its own."""
        assert isinstance(value, ast.Call)
        name = self.expressions.fresh("picked")
        return parse_pick(self.expressions, name, value, node), Name(span_of(value), name)

    def _yield(self, value: ast.expr | None, node: ast.stmt) -> tuple[Statement, ...]:
        span = span_of(node)
        if value is not None and picks(value, self.expressions):
            pick, name = self._picked(value, node)
            return (pick, Release(span, (name,)))
        e: Expression = Label(span, None) if value is None else self.expressions.parse(value)
        return _by_arms(e, lambda v: Release(span, (v,)))

    def _return(self, value: ast.expr | None, node: ast.stmt) -> tuple[Statement, ...]:
        span = span_of(node)
        if self._generator:
            if value is not None:
                raise self.expressions.refuse(
                    node,
                    "a value returned beside yield",
                    "yield it, then return without a value",
                    "never",
                )
            found: tuple[Statement, ...] = (Return(span),)
        elif value is not None and picks(value, self.expressions):
            pick, name = self._picked(value, node)
            found = (pick, Return(span, (name,)))
        elif isinstance(value, ast.Tuple):
            found = (Return(span, tuple(map(self.expressions.parse, value.elts))),)
        else:
            e = Label(span, None) if value is None else self.expressions.parse(value)
            found = _by_arms(e, lambda v: Return(span, (v,)))
        self.bound = set(self.expressions.variables)
        return found

    def _helper(self, name: str, node: ast.FunctionDef) -> tuple[Statement, ...]:
        if self._nesting:
            raise self.expressions.refuse(
                node, "a function defined inside a loop or branch", "define it before"
            )
        if any(not isinstance(n, _ANNOTATION) for a in _annotations(node) for n in ast.walk(a)):
            raise self.expressions.refuse(node, "an annotation that computes", "write plain types")
        if node.decorator_list:
            raise self.expressions.refuse(node, "a decorated helper function", "use a plain one")
        if name in self.expressions.helpers or name in self.expressions.arrays:
            raise self.expressions.refuse(
                node, f"'{name}' is defined twice", "use another name", "never"
            )
        parameters_of(self.expressions, node, node)
        self.expressions.helpers[name] = node
        return ()

    def _foreign(self, node: ast.stmt) -> NoReturn:
        said = foreign_statement(node)
        if said is not None:
            raise self.expressions.refuse(node, *said)
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call):
            word, _, name = self.expressions.called(call)
            if word == "sample":
                raise self.expressions.refuse(
                    node, "a sample that is not kept", "write x = sample(…)"
                )
            if word == "mechanism":
                raise unkept(self.expressions, call, node)
            if word == "unbound":
                raise self.expressions.undefined(name, node)
            if name == "print":
                raise self.expressions.refuse(
                    node,
                    "print, which shows what it is given",
                    "remove it: who sees it sees what is private",
                )
        raise self.expressions.refuse(node, "a statement that does nothing here", "remove it")


#: What the annotations of a nested function may consist of: Python evaluates them.
_ANNOTATION = (
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.Subscript,
    ast.Tuple,
    ast.BinOp,
    ast.BitOr,
    ast.Load,
)


def _annotations(node: ast.FunctionDef) -> list[ast.expr]:
    found = [a.annotation for a in node.args.args]
    return [a for a in (*found, node.returns) if a is not None]


def _by_arms(e: Expression, make: Callable[[Expression], Statement]) -> tuple[Statement, ...]:
    """A statement about ``a if c else b`` becomes an ``if`` where the arms differ in kind."""
    # before:  yield f[i] + x if above else None
    # after:   if above: yield f[i] + x
    #          else: yield None
    if isinstance(e, Conditional) and (_mentions_label(e.yes) or _mentions_label(e.no)):
        return (If(e.span, e.test, _by_arms(e.yes, make), _by_arms(e.no, make)),)
    return (make(e),)


def _mentions_label(e: Expression) -> bool:
    return isinstance(e, Label) or (
        isinstance(e, Conditional) and (_mentions_label(e.yes) or _mentions_label(e.no))
    )


def _word(call: ast.Call, expressions: Calls) -> str:
    return expressions.called(call)[0]


def _calls(node: ast.stmt, expressions: Calls) -> str | None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return _word(node.value, expressions)
    return None
