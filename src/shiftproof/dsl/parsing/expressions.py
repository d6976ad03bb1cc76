"""Python expressions to expressions of the language; what has no meaning there is refused."""

from __future__ import annotations

import ast
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from fractions import Fraction

from ..errors import Outlook, Unsupported
from ..language.declaration import Declaration
from ..language.scope import Scope, defining
from ..language.source import Source, span_of
from ..language.syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Chosen,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Expression,
    Foretold,
    Label,
    Length,
    Name,
    Negation,
)
from ..terms.values import exact
from .rounding import REFUSED, compared

#: The highest power that is written out as a product.
HIGHEST_POWER = 8

# What Python has and the language does not: the name of it, and what to write instead.


def foreign_expression(node: ast.expr) -> tuple[str, str]:
    """The words for an expression that the language does not have, and the advice."""
    for kind, words, advice in _EXPRESSIONS:
        if isinstance(node, kind):
            return words, advice
    return f"the construct {type(node).__name__}", "see the language reference"


def foreign_statement(node: ast.stmt) -> tuple[str, str] | None:
    """The same for a statement; ``None`` for one that does nothing."""
    for kind, words, advice in _STATEMENTS:
        if isinstance(node, kind):
            return words, advice
    return None


_EXPRESSIONS: tuple[tuple[type[ast.expr] | tuple[type[ast.expr], ...], str, str], ...] = (
    (
        (ast.List, ast.Tuple, ast.Set, ast.Dict),
        "a collection as a value",
        "use one variable per value, or a list that is made by itself: a = [], a = [0.0] * n",
    ),
    (
        (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
        "a comprehension",
        "write a for loop",
    ),
    (ast.NamedExpr, "an assignment inside an expression", "assign on a line of its own"),
    (ast.Lambda, "a lambda", "define a helper function with def"),
    (
        (ast.Yield, ast.YieldFrom, ast.Await),
        "yield inside an expression",
        "write yield value as a statement",
    ),
    (ast.JoinedStr, "a formatted string", "release the values themselves"),
    (ast.Starred, "a starred expression", "write out the arguments"),
)


_STATEMENTS: tuple[tuple[type[ast.stmt] | tuple[type[ast.stmt], ...], str, str], ...] = (
    (
        ast.Assert,
        "an assert after the first statement",
        "state preconditions first, over public inputs",
    ),
    ((ast.For, ast.While), "else of a loop", "use a flag"),
    (ast.Assign, "a chained assignment", "assign one variable a line"),
    (ast.AnnAssign, "a declaration without a value", "assign a value"),
    (ast.AugAssign, "an assignment to something that is no variable", "use one variable per value"),
    ((ast.Try, ast.Raise), "exceptions", "test for the case before it arises"),
    ((ast.Global, ast.Nonlocal), "outside state", "return or yield what the mechanism says"),
    ((ast.Import, ast.ImportFrom), "an import", "import at the top of the file"),
    (ast.With, "a with block", "leave it out"),
    (ast.Match, "match", "use if and elif"),
    ((ast.ClassDef, ast.AsyncFunctionDef), "this definition", "define it outside"),
    (ast.Delete, "del", "leave it out"),
)


def operator_symbol(op: ast.operator) -> str:
    """An operator as Python writes it."""
    names = {
        "Pow": "**",
        "BitAnd": "&",
        "BitOr": "|",
        "BitXor": "^",
        "LShift": "<<",
        "RShift": ">>",
        "MatMult": "@",
    }
    return names.get(type(op).__name__, type(op).__name__)


ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
#: The new name of a helper's variable that has no value yet.
UNBOUND = ""


class Expressions(ABC):
    """Parses the expressions of one function.

    ``arrays`` are its sequences: parameters, and ``lists`` of its own; ``variables`` its
    scalar parameters and
    variables, of which those in ``bound`` surely have a value at this point.
    """

    def __init__(
        self, source: Source, scope: Scope, arrays: Collection[str], variables: set[str]
    ) -> None:
        self.source = source
        self.scope = scope
        self.arrays = arrays
        self.variables = variables
        self.mechanism: Declaration | None = None
        self.bound: set[str] = set()
        self.lists: set[str] = set()
        self.streams: set[str] = set()
        self.data_sets: set[str] = set()
        self.record: tuple[str, str] | None = None
        self.helpers: dict[str, ast.FunctionDef] = {}
        self.in_alignment = False
        self.renamed: list[Mapping[str, str]] = []
        #: The variables of assigned parameters: such a one starts as the parameter, which stays.
        self.variable_of: dict[str, str] = {}
        self._fresh = itertools.count(1)

    def refuse(
        self, node: ast.AST, message: str, advice: str, outlook: Outlook = "not yet"
    ) -> Unsupported:
        """An error at a syntax node."""
        return self.source.refuse(span_of(node), message, advice, outlook)

    def fresh(self, base: str) -> str:
        """A variable name that no program can contain."""
        return f"{base}@{next(self._fresh)}"

    @abstractmethod
    def call(self, node: ast.Call) -> Expression:
        """A call."""

    def parse(self, node: ast.expr) -> Expression:
        """One expression."""
        span = span_of(node)
        match node:
            case ast.Constant(value=value):
                return self.constant(value, node)
            case ast.Name(id=name):
                return self._name(name, node)
            case ast.Attribute():
                return self._dotted(node)
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int() as power)) if (
                not isinstance(power, bool) and 1 <= power <= HIGHEST_POWER
            ):
                factor = found = self.parse(base)
                for _ in range(power - 1):
                    found = Arithmetic(span, "*", found, factor)
                return found
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=0.5)):
                return Builtin(span, "sqrt", (self.parse(base),))
            case ast.BinOp(left=left, op=op, right=right):
                if type(op) not in ARITHMETIC:
                    raise self.refuse(
                        node,
                        f"the operator {operator_symbol(op)}",
                        f"use + - * / // %, exp, and ** with 1 to {HIGHEST_POWER} or 0.5",
                    )
                return Arithmetic(span, ARITHMETIC[type(op)], self.parse(left), self.parse(right))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return self._negative(self.parse(inner), node)
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return Arithmetic(span, "+", Constant(span, Fraction(0), "int"), self.parse(inner))
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return Negation(span, self.parse(inner))
            case ast.BoolOp(op=op, values=values):
                word = "and" if isinstance(op, ast.And) else "or"
                return Connective(span, word, tuple(map(self.parse, values)))  # type: ignore[arg-type]
            case ast.Compare():
                return self._comparison(node)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return Conditional(span, self.parse(test), self.parse(yes), self.parse(no))
            case ast.Subscript():
                return self._subscript(node)
            case ast.Call():
                return self.call(node)
        raise self.refuse(node, *foreign_expression(node))

    def constant(self, value: object, node: ast.AST) -> Expression:
        """A literal, or the value of an outside constant."""
        span = span_of(node)
        if isinstance(value, bool):
            return BooleanConstant(span, value)
        if isinstance(value, int):
            return Constant(span, Fraction(value), "int")
        if isinstance(value, float):
            if not math.isfinite(value):
                raise self.refuse(
                    node, f"the number {value}", "use None or a flag instead", "never"
                )
            return Constant(span, exact(value), "float")
        if value is None or isinstance(value, str):
            return Label(span, value)
        raise self.refuse(
            node, f"a {type(value).__name__}", "use numbers, Booleans, strings and None"
        )

    def _negative(self, inner: Expression, node: ast.expr) -> Expression:
        span = span_of(node)
        if isinstance(inner, Constant):
            if inner.value == 0 and inner.kind == "float":
                # Python tells -0.0 from 0.0, and exact arithmetic does not.
                raise self.refuse(node, "negative zero", "write 0.0", "never")
            return Constant(span, -inner.value, inner.kind)
        return Arithmetic(span, "-", Constant(span, Fraction(0), "int"), inner)

    def _name(self, name: str, node: ast.expr) -> Expression:
        if self.record is not None and name == self.record[0]:
            raise self.refuse(node, "a record as a value", f"use its attributes, as in {name}[0]")
        if name in self.data_sets and not self.renamed:
            raise self.refuse(
                node, f"the data set '{name}' as a value", f"use count(predicate, {name})"
            )
        if self.renamed and name in self.renamed[-1]:
            if self.renamed[-1][name] == UNBOUND:
                raise self._unbound(name, node)
            return Name(span_of(node), self.renamed[-1][name])
        if name in self.arrays:
            raise self.refuse(
                node,
                f"the sequence '{name}' as a value",
                f"use its elements, as in {name}[i]; to release all, for v in {name}: yield v",
            )
        if name in self.helpers:
            raise self.refuse(node, f"the function '{name}' as a value", "call it")
        if name in self.variables:
            if name not in self.bound:
                raise self._unbound(name, node)
            return Name(span_of(node), self.variable_of.get(name, name))
        return self._outside(name, node)

    def _unbound(self, name: str, node: ast.expr) -> Unsupported:
        return self.refuse(
            node,
            f"'{name}' may be used before it has a value",
            f"assign '{name}' on every path first",
        )

    def undefined(self, name: str, node: ast.AST) -> Unsupported:
        """A name that means nothing."""
        known = (*self.variables, *self.arrays, *self.helpers)
        return self.refuse(node, f"'{name}' is not defined", defining(name, known), "never")

    def _outside(self, name: str, node: ast.expr) -> Expression:
        if name.rpartition(".")[2].startswith("__"):
            # __debug__, __name__, … say how Python was started, not what the mechanism does.
            raise self.refuse(node, f"'{name}'", "use constants of your own", "never")
        word, found = self.scope.resolve(name)
        if word == "constant":
            return self.constant(found, node)
        if word == "unbound":
            raise self.undefined(name, node)
        raise self.refuse(
            node,
            f"'{name}' ({type(found).__name__}) as a value",
            "use numbers, Booleans, strings and None; outside objects can change",
            "never",
        )

    def _dotted(self, node: ast.Attribute) -> Expression:
        name = dotted_name(node)
        if name is None or self.is_local(name.split(".")[0]):
            raise self.refuse(
                node, f"the attribute '.{node.attr}'", "use plain variables and sequences"
            )
        return self._outside(name, node)

    def check_list(self, name: str, node: ast.expr) -> None:
        """A list of the function's own must have been made before it is used."""
        if name in self.lists and name not in self.bound:
            raise self._unbound(name, node)

    def check_random_access(self, name: str, node: ast.AST) -> None:
        """A stream gives its answers in order, each of them once."""
        if name in self.streams:
            raise self.refuse(
                node, f"looking into the stream '{name}'", f"write for x in {name}", "never"
            )

    def is_local(self, name: str) -> bool:
        """Whether the name belongs to the function, not to the file around it."""
        renamed = bool(self.renamed) and name in self.renamed[-1]
        return renamed or name in self.arrays or name in self.variables or name in self.helpers

    def _comparison(self, node: ast.Compare) -> Expression:
        span = span_of(node)
        operands = [self.parse(x) for x in (node.left, *node.comparators)]
        if isinstance(node.ops[0], ast.In) and isinstance(operands[-1], Foretold):
            if len(operands) == 2 and operands[-1].which == 0:
                return Chosen(span, operands[0])
            raise self.refuse(node, "this use of outcome()", "write i in outcome()")
        found: list[Expression] = []
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            if type(op) not in COMPARISONS:
                raise self.refuse(node, "membership ('in')", "write out the comparisons")
            none = any(isinstance(x, Label) and x.value is None for x in (left, right))
            if isinstance(op, ast.Is | ast.IsNot) and not none:
                raise self.refuse(node, "'is' between two values", "use == to compare values")
            self._check_constants(left, right, node)
            found.append(Comparison(span, COMPARISONS[type(op)], left, right))
        return found[0] if len(found) == 1 else Connective(span, "and", tuple(found))

    def _check_constants(self, left: Expression, right: Expression, node: ast.expr) -> None:
        """``0.1 + 0.2 == 0.3`` is false for floats and true in exact arithmetic."""
        if next(compared(Comparison(span_of(node), "==", left, right), {}), None):
            raise self.refuse(node, *REFUSED, "never")

    def _subscript(self, node: ast.Subscript) -> Expression:
        of = node.value.id if isinstance(node.value, ast.Name) else ""
        if self.record is not None and of == self.record[0]:
            return Cell(span_of(node), self.record[1], self.parse(node.slice))
        if not isinstance(node.value, ast.Name) or node.value.id not in self.arrays:
            raise self.refuse(
                node, "indexing something that is no sequence", "index a parameter or a list"
            )
        self.check_list(node.value.id, node.value)
        self.check_random_access(node.value.id, node)
        if isinstance(node.slice, ast.Slice | ast.Tuple):
            raise self.refuse(node, "a slice", "loop over the indices")
        index = self.parse(node.slice)
        if isinstance(index, Constant) and index.kind == "int" and index.value < 0:
            span = index.span  # counted from the end
            back = Constant(span, -index.value, "int")
            index = Arithmetic(span, "-", Length(span, node.value.id), back)
        return Cell(span_of(node), node.value.id, index)


def dotted_name(node: ast.expr) -> str | None:
    """``a.b.c`` as text, or ``None`` if the node is not such a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted_name(node.value)
        return None if base is None else f"{base}.{node.attr}"
    return None
