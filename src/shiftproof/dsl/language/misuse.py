"""Values of the wrong kind, wherever they stand: a number as a condition, a Boolean as a number.

Runs meet them only where they come to; a reader meets them everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..privacy.inputs import InputKind
from ..terms.values import Kind, Mark
from .annotations import Kinds, kind_of, reached
from .flow import BranchNode, EnsureNode, Flow, HeadNode, operands
from .syntax import (
    Arithmetic,
    Builtin,
    Conditional,
    Connective,
    Expression,
    Let,
    Negation,
    children,
)


class Misuse(NamedTuple):
    """Where a value is of the wrong kind, and what to write instead."""

    where: Expression
    message: str
    advice: str


def misuses(flow: Flow, inputs: Mapping[str, InputKind]) -> Iterator[Misuse]:
    """All of them, as far as the kinds of variables are known."""
    for node, kinds in reached(flow, inputs):
        if isinstance(node, BranchNode | HeadNode):
            yield from _as_condition(node.test, kinds)
        elif isinstance(node, EnsureNode):
            yield from _as_condition(node.step.claim, kinds)
        for e in operands(node):
            yield from _inside(e, kinds)


def _inside(e: Expression, kinds: Kinds) -> Iterator[Misuse]:
    match e:
        case Negation(inner=inner):
            yield from _as_condition(inner, kinds)
        case Connective(members=members):
            for member in members:
                yield from _as_condition(member, kinds)
        case Conditional(test=test):
            yield from _as_condition(test, kinds)
        case Arithmetic(left=left, right=right):
            yield from _as_number(left, kinds)
            yield from _as_number(right, kinds)
        case Builtin(arguments=arguments):
            for argument in arguments:
                yield from _as_number(argument, kinds)
        case Let(names=names, values=values, body=body):
            for value in values:
                yield from _inside(value, kinds)
            inside: dict[str, Kind] = dict(kinds)
            inside.update(zip(names, [kind_of(v, kinds) for v in values], strict=True))
            yield from _inside(body, inside)
            return
    for child in children(e):
        yield from _inside(child, kinds)


def _as_condition(e: Expression, kinds: Kinds) -> Iterator[Misuse]:
    kind = kind_of(e, kinds)
    if kind in ("int", "float") or isinstance(kind, Mark):
        what = "an atom" if isinstance(kind, Mark) else "an int" if kind == "int" else "a float"
        yield Misuse(e, f"{what} is used as a condition", "compare it, as in x != 0 or x is None")


def _as_number(e: Expression, kinds: Kinds) -> Iterator[Misuse]:
    kind = kind_of(e, kinds)
    if kind == "bool" or isinstance(kind, Mark):
        what = "an atom" if isinstance(kind, Mark) else "a Boolean"
        yield Misuse(e, f"{what} is used as a number", "use a number, as in 1 if x else 0")
