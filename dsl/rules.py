"""Neighbour relations that a user defines: a rule in the language, read like a helper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any

from .errors import BadInput, Location, Unsupported
from .evaluate import Evaluator
from .finding import source_of
from .formulas import Formula
from .parse_helpers import HelperBody, Helpers
from .scope import Scope
from .source import Source, span_of
from .syntax import Expression, Span, names_in_other
from .terms import Linear
from .unparse import unparse
from .values import Num, NumberKind


@dataclass(frozen=True, slots=True)
class Rule:
    """What a rule says of the values in D and D': a condition (or number) over its parameters."""

    source: Source
    parameters: tuple[str, ...]
    condition: Expression

    def __str__(self) -> str:
        return unparse(self.condition)

    def facts(
        self,
        left: Mapping[str, Linear],
        right: Mapping[str, Linear],
        kinds: Mapping[str, NumberKind],
    ) -> tuple[Formula, ...]:
        """The condition on these values, and that it is defined."""
        sides = (_Values(self.source, left, kinds), _Values(self.source, right, kinds))
        evaluator = Evaluator(*sides)
        claim = evaluator.condition(self.condition)
        return (*(duty.condition for duty in evaluator.duties), claim)

    def number(
        self,
        left: Mapping[str, Linear],
        right: Mapping[str, Linear],
        kinds: Mapping[str, NumberKind],
    ) -> tuple[Linear, tuple[Formula, ...]]:
        """The number that a function of two inputs gives, and when it is defined."""
        sides = (_Values(self.source, left, kinds), _Values(self.source, right, kinds))
        evaluator = Evaluator(*sides)
        found = evaluator.number(self.condition)
        return found.term, tuple(duty.condition for duty in evaluator.duties)


@dataclass(frozen=True, slots=True)
class _Values:
    """The values of a rule's parameters in one of the two inputs."""

    source: Source
    values: Mapping[str, Linear]
    kinds: Mapping[str, NumberKind]

    def variable(self, name: str, span: Span) -> Num:
        return Num(self.values[name], self.kinds[name])

    def cell(self, array: str, index: Linear, span: Span) -> Num:
        raise AssertionError("a rule has no sequences")

    def length(self, array: str) -> Linear:
        raise AssertionError("a rule has no sequences")

    def attributes(self, data: str) -> int:
        raise AssertionError("no data set here")

    def counted(self, data: str, test: Formula) -> Num:
        raise AssertionError("no data set here")

    def chosen(self, item: Linear, span: Span) -> Formula:
        raise AssertionError("a rule has no prophecy")

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        return self.source.refuse(span, message, advice)


@cache
def rule_of(function: Callable[..., Any]) -> Rule:
    """Read a rule.

    Raises:
        BadInput: it is no plain function, or its source cannot be read.
        Unsupported: it does more than compute.
    """
    if not isinstance(function, FunctionType) or function.__name__ == "<lambda>":
        raise BadInput(f"{function!r} stands where a function defined with def is needed")
    source = source_of(function)
    a = source.tree.args
    if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs or a.defaults:
        where = Location(source.file, source.tree.lineno, 1)
        raise BadInput(
            f"the rule '{function.__name__}' has unusual parameters; plain ones are needed", where
        )
    names = tuple(parameter.arg for parameter in a.args)
    expressions = Helpers(source, Scope(function), (), set(names))
    expressions.bound = set(names)
    renamed: dict[str, str] = {}
    with expressions.inside_helper(renamed, source.tree, function.__name__):
        expressions.in_alignment = True  # a rule speaks of both inputs
        condition = HelperBody(expressions, renamed, source.tree).value(source.tree.body)
    strange = sorted(name.partition("@")[0] for name in names_in_other(condition) - set(names))
    if strange:
        raise source.refuse(
            span_of(source.tree),
            f"other(…) of '{strange[0]}', which '{function.__name__}' assigns",
            "write other(…) of parameters that are not assigned",
        )
    return Rule(source, names, condition)
