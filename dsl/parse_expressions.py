"""Python expressions to expressions of the language; what has no meaning there is refused."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction

from .errors import Outlook, Unsupported
from .scope import Scope, Word
from .source import Source, span_of
from .syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Expression,
    Label,
    Length,
    Name,
    Negation,
    Other,
    Span,
)
from .values import exact

ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
#: How deep helper functions may call each other; recursion ends here too.
HELPER_DEPTH = 20
#: The new name of a helper's variable that has no value yet.
UNBOUND = ""


class Expressions:
    """Parses the expressions of one function.

    ``arrays`` are its sequence parameters; ``scalars`` its scalar parameters and
    variables, of which those in ``bound`` surely have a value at this point.
    """

    def __init__(
        self, source: Source, scope: Scope, arrays: Collection[str], variables: set[str]
    ) -> None:
        self.source = source
        self.scope = scope
        self.arrays = arrays
        self.variables = variables
        self.bound: set[str] = set()
        self.helpers: dict[str, ast.FunctionDef] = {}
        self.in_alignment = False
        self._renamed: list[Mapping[str, str]] = []
        self._fresh = itertools.count(1)
        self._depth = 0

    def refuse(
        self, node: ast.AST, message: str, advice: str, outlook: Outlook = "not yet"
    ) -> Unsupported:
        """An error at a syntax node."""
        return self.source.refuse(span_of(node), message, advice, outlook)

    def fresh(self, base: str) -> str:
        """A variable name that no program can contain."""
        return f"{base}@{next(self._fresh)}"

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
            case ast.BinOp(left=left, op=op, right=right):
                if type(op) not in ARITHMETIC:
                    raise self.refuse(
                        node,
                        f"the operator {_symbol(op)}",
                        "use + - * / // %; write a power as a product",
                    )
                return Arithmetic(span, ARITHMETIC[type(op)], self.parse(left), self.parse(right))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return self._negative(self.parse(inner), span)
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
                return self._call(node)
        raise self._foreign(node)

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

    def _negative(self, inner: Expression, span: Span) -> Expression:
        if isinstance(inner, Constant):
            return Constant(span, -inner.value, inner.kind)
        return Arithmetic(span, "-", Constant(span, Fraction(0), "int"), inner)

    def _name(self, name: str, node: ast.expr) -> Expression:
        if self._renamed and name in self._renamed[-1]:
            if self._renamed[-1][name] == UNBOUND:
                raise self._unbound(name, node)
            return Name(span_of(node), self._renamed[-1][name])
        if name in self.arrays:
            raise self.refuse(
                node, f"the sequence '{name}' as a value", f"use its elements, as in {name}[i]"
            )
        if name in self.helpers:
            raise self.refuse(node, f"the function '{name}' as a value", "call it")
        if name in self.variables:
            if name not in self.bound:
                raise self._unbound(name, node)
            return Name(span_of(node), name)
        return self._outside(name, node)

    def _unbound(self, name: str, node: ast.expr) -> Unsupported:
        return self.refuse(
            node,
            f"'{name}' may be used before it has a value",
            f"assign '{name}' on every path first",
        )

    def _outside(self, name: str, node: ast.expr) -> Expression:
        word, found = self.scope.resolve(name)
        if word == "constant":
            return self.constant(found, node)
        if word == "unbound":
            raise self.refuse(
                node, f"'{name}' is not defined", "define it, or check its spelling", "never"
            )
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

    def is_local(self, name: str) -> bool:
        """Whether the name belongs to the function, not to the file around it."""
        renamed = bool(self._renamed) and name in self._renamed[-1]
        return renamed or name in self.arrays or name in self.variables or name in self.helpers

    def _comparison(self, node: ast.Compare) -> Expression:
        span = span_of(node)
        operands = [self.parse(x) for x in (node.left, *node.comparators)]
        found: list[Expression] = []
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            if type(op) not in COMPARISONS:
                raise self.refuse(node, "membership ('in')", "write out the comparisons")
            found.append(Comparison(span, COMPARISONS[type(op)], left, right))
        return found[0] if len(found) == 1 else Connective(span, "and", tuple(found))

    def _subscript(self, node: ast.Subscript) -> Expression:
        if not isinstance(node.value, ast.Name) or node.value.id not in self.arrays:
            raise self.refuse(
                node, "indexing something that is no sequence parameter", "index a parameter"
            )
        if isinstance(node.slice, ast.Slice | ast.Tuple):
            raise self.refuse(node, "a slice", "loop over the indices")
        index = self.parse(node.slice)
        if isinstance(index, Constant) and index.value < 0:
            raise self.refuse(
                node, "a negative index", f"write {node.value.id}[len({node.value.id}) - …]"
            )
        return Cell(span_of(node), node.value.id, index)

    def called(self, node: ast.Call) -> tuple[Word, object, str]:
        """What a call calls: the word of the language, the object, and its name as written."""
        name = dotted_name(node.func)
        if name is None:
            raise self.refuse(
                node, "a call of something that is not a name", "call functions by name"
            )
        if name in self.helpers:
            return "helper", self.helpers[name], name
        if self.is_local(name.split(".")[0]):
            raise self.refuse(
                node, f"a call of '{name}'", "call functions by name; a variable is none"
            )
        word, found = self.scope.resolve(name)
        return word, found, name

    def _call(self, node: ast.Call) -> Expression:
        word, found, name = self.called(node)
        if word == "helper":
            from .parse_helpers import inline

            return inline(self, node, found, name)
        if node.keywords and word != "unbound":
            raise self.refuse(
                node, f"a keyword in the call of {name}", "give the arguments by position"
            )
        if word == "len":
            return self._length(node)
        if word == "other":
            return self._other(node)
        if word == "arithmetic":
            arguments = tuple(map(self.parse, node.args))
            enough = len(arguments) >= 2 if name in ("min", "max") else len(arguments) == 1
            if not enough:
                raise self.refuse(
                    node,
                    f"{name} of {len(arguments)} arguments",
                    "give min and max two or more, others one",
                )
            return Builtin(span_of(node), getattr(found, "__name__"), arguments)  # noqa: B009
        raise self._bad_call(node, word, found, name)

    def _bad_call(self, node: ast.Call, word: Word, found: object, name: str) -> Unsupported:
        match word:
            case "sample" | "noise":
                return self.refuse(
                    node,
                    f"'{name}' inside an expression",
                    "write x = sample(…) as a statement of its own",
                )
            case "align":
                return self.refuse(
                    node, "align inside an expression", "write it right after the sample"
                )
            case "mechanism":
                return self.refuse(
                    node,
                    f"a call of the mechanism '{name}'",
                    "write its body here; composition comes later",
                )
            case "unbound":
                return self.refuse(node, f"'{name}' is not defined", "define or import it", "never")
            case "iteration":
                return self.refuse(node, f"{name} outside a for loop", f"write for i in {name}(…)")
        return self.refuse(
            node,
            f"a call of '{name}' ({type(found).__name__})",
            "call min, max, abs, len, int, round or a helper function that only computes",
        )

    def _length(self, node: ast.Call) -> Expression:
        if (
            len(node.args) == 1
            and isinstance(node.args[0], ast.Name)
            and node.args[0].id in self.arrays
        ):
            return Length(span_of(node), node.args[0].id)
        raise self.refuse(
            node, "len of something that is no sequence parameter", "use len(parameter)"
        )

    def _other(self, node: ast.Call) -> Expression:
        if not self.in_alignment:
            raise self.refuse(
                node, "other(…) outside an alignment", "use it inside align(…)", "never"
            )
        if len(node.args) != 1:
            raise self.refuse(node, "other takes one expression", "write other(x)", "never")
        return Other(span_of(node), self.parse(node.args[0]))

    @contextmanager
    def inside_helper(self, renamed: Mapping[str, str], node: ast.AST, name: str) -> Iterator[None]:
        """Parse a helper's body: its own names go by new ones, everything else is outside."""
        if self._depth >= HELPER_DEPTH:
            raise self.refuse(
                node, f"'{name}' calls itself, or helpers nest too deep", "use a loop"
            )
        self._renamed.append(renamed)
        self._depth += 1
        try:
            yield
        finally:
            self._renamed.pop()
            self._depth -= 1

    def _foreign(self, node: ast.expr) -> Unsupported:
        for kind, words, advice in _FOREIGN:
            if isinstance(node, kind):
                return self.refuse(node, words, advice)
        return self.refuse(
            node, f"the construct {type(node).__name__}", "see the language reference"
        )


_FOREIGN: tuple[tuple[type[ast.expr] | tuple[type[ast.expr], ...], str, str], ...] = (
    (
        (ast.List, ast.Tuple, ast.Set, ast.Dict),
        "a collection as a value",
        "use one variable per value",
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


def dotted_name(node: ast.expr) -> str | None:
    """``a.b.c`` as text, or ``None`` if the node is not such a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted_name(node.value)
        return None if base is None else f"{base}.{node.attr}"
    return None


def _symbol(op: ast.operator) -> str:
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
