"""Calls inside expressions: the arithmetic of Python, ``len``, ``other``, helper functions."""

from __future__ import annotations

import ast
from abc import abstractmethod
from fractions import Fraction

from ..errors import Unsupported
from ..language.scope import Word
from ..language.source import span_of
from ..language.syntax import (
    Arithmetic,
    Builtin,
    Constant,
    Expression,
    Foretold,
    Length,
    Other,
    Span,
)
from .expressions import Expressions, dotted_name


def _whole_below(span: Span, x: Expression, *, up: bool) -> Expression:
    """``math.floor``, or ``math.ceil``, which is the same of what is on the other side of zero."""
    zero, one = Constant(span, Fraction(0), "int"), Constant(span, Fraction(1), "int")
    below = Arithmetic(span, "-", zero, x) if up else x
    found = Builtin(span, "int", (Arithmetic(span, "//", below, one),))
    return Arithmetic(span, "-", zero, found) if up else found


class Calls(Expressions):
    """Parses expressions with their calls."""

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

    @abstractmethod
    def counted(self, node: ast.Call) -> Expression:
        """A count over the records of a data set."""

    @abstractmethod
    def inlined(self, node: ast.Call, found: object, name: str) -> Expression:
        """A call of a helper function, as one expression."""

    def call(self, node: ast.Call) -> Expression:
        """A call, as far as it can stand inside an expression."""
        word, found, name = self.called(node)
        if word == "helper":
            return self.inlined(node, found, name)
        if word == "count":
            return self.counted(node)
        if node.keywords and word != "unbound":
            raise self.refuse(
                node, f"a keyword in the call of {name}", "give the arguments by position"
            )
        if word == "len":
            return self._length(node)
        if word == "other":
            return self._other(node)
        if word == "outcome":
            return self._outcome(node)
        if word == "arithmetic":
            arguments = tuple(map(self.parse, node.args))
            name = getattr(found, "__name__")  # noqa: B009 - by identity, not as written
            enough = len(arguments) >= 2 if name in ("min", "max") else len(arguments) == 1
            if not enough:
                raise self.refuse(
                    node,
                    f"{name} of {len(arguments)} arguments",
                    "give min and max two or more, others one",
                )
            if name in ("floor", "ceil"):
                return _whole_below(span_of(node), arguments[0], up=name == "ceil")
            return Builtin(span_of(node), name, arguments)
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
            case "ensure":
                return self.refuse(
                    node, "ensure inside an expression", "write it right before a yield or return"
                )
            case "argmax" | "top_k":
                return self.refuse(
                    node,
                    f"{word} inside an expression",
                    f"write x = {word}(…) as a statement of its own",
                )
            case "mechanism":
                return self.refuse(
                    node,
                    f"a call of the mechanism '{name}' inside something else",
                    f"write a, b = {name}(…), or (a,) = {name}(…), as a statement of its own",
                )
            case "unbound":
                return self.undefined(name, node)
            case "sum":
                return self.refuse(node, "a sum here", f"write total = {name}(…) before it")
            case "iteration":
                return self.refuse(node, f"{name} outside a for loop", f"write for i in {name}(…)")
        if found is float:
            return self.refuse(node, "a call of 'float'", "leave it out: numbers are exact here")
        return self.refuse(
            node,
            f"a call of '{name}' ({type(found).__name__})",
            "call min, max, abs, len, int, round, sum, exp, log, sqrt, floor and ceil "
            "of math, or a helper function that only computes",
        )

    def _length(self, node: ast.Call) -> Expression:
        if (
            len(node.args) == 1
            and isinstance(node.args[0], ast.Name)
            and node.args[0].id in self.arrays
        ):
            self.check_list(node.args[0].id, node.args[0])
            self.check_random_access(node.args[0].id, node)
            return Length(span_of(node), node.args[0].id)
        raise self.refuse(
            node, "len of something that is no sequence", "use len of a parameter or list"
        )

    def _outcome(self, node: ast.Call) -> Expression:
        if not self.in_alignment:
            raise self.refuse(
                node, "outcome(…) outside an alignment", "use it inside align(…)", "never"
            )
        which = [a.value for a in node.args if isinstance(a, ast.Constant)]
        if len(node.args) > 1 or len(which) < len(node.args) or not all(map(_natural, which)):
            raise self.refuse(node, "outcome of something", "write outcome(), outcome(1), …")
        return Foretold(span_of(node), which[0] if which else 0)  # type: ignore[arg-type]

    def _other(self, node: ast.Call) -> Expression:
        if not self.in_alignment:
            raise self.refuse(
                node, "other(…) outside an alignment", "use it inside align(…)", "never"
            )
        if len(node.args) != 1:
            raise self.refuse(node, "other takes one expression", "write other(x)", "never")
        return Other(span_of(node), self.parse(node.args[0]))


def _natural(value: object) -> bool:
    return type(value) is int and value >= 0
