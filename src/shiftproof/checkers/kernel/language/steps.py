"""The steps of a mechanism: what its text is read as, and what a walk goes along."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..arithmetic import spend
from .stated import Stated


class Assign(NamedTuple):
    """``targets = values``, all at once."""

    targets: tuple[str, ...]
    values: tuple[ast.expr, ...]
    after: int
    line: int


class Draw(NamedTuple):
    """``target = sample(law(arguments))``; ``site`` counts the draws of the text from 0."""

    target: str
    law: str
    arguments: tuple[ast.expr, ...]
    site: int
    after: int
    line: int


class Make(NamedTuple):
    """``target = [fill] * length``; an empty list has no ``fill``."""

    target: str
    fill: ast.expr | None
    length: ast.expr
    after: int
    line: int


class Store(NamedTuple):
    """``array[index] = value``; without ``index`` it is appended."""

    array: str
    place: ast.expr | None
    value: ast.expr
    after: int
    line: int


class Pick(NamedTuple):
    """``target = argmax(array)``, or ``target = top_k(array, count)``."""

    target: str
    array: str
    size: ast.expr | None
    after: int
    line: int


class Called(NamedTuple):
    """``targets = callee(arguments)``; without ``targets``, all that it releases is released."""

    targets: tuple[str, ...] | None
    callee: str
    arguments: tuple[ast.expr, ...]
    after: int
    line: int


class Branch(NamedTuple):
    """Go on at ``yes`` or ``no``; ``join`` is where both meet, if they only compute."""

    test: ast.expr
    yes: int
    no: int
    join: int | None
    line: int


class Head(NamedTuple):
    """Of a loop: go on in the ``body`` while the test holds; a ``for`` loop is ``counted``."""

    test: ast.expr
    body: int
    exit: int
    counted: bool
    line: int


class Release(NamedTuple):
    """The values come out."""

    values: tuple[ast.expr, ...]
    after: int
    line: int


class Ensure(NamedTuple):
    """The claim holds whenever a run comes here."""

    claim: ast.expr
    after: int
    line: int


class End(NamedTuple):
    """The run is over."""

    line: int


Node = Assign | Draw | Make | Store | Pick | Called | Branch | Head | Release | Ensure | End

#: The fields that say which steps may come next.
WAYS = ("after", "yes", "no", "body", "exit")


def following(node: Node) -> list[int]:
    """The steps that may come next."""
    return [getattr(node, way) for way in WAYS if hasattr(node, way)]


def assigned(node: Node) -> set[str]:
    """The variables that a step binds."""
    match node:
        case Assign(targets=targets) | Called(targets=tuple(targets)):
            return {*targets}
        case Draw(target=target) | Make(target=target) | Pick(target=target):
            return {target}
    return set()


def live(nodes: Sequence[Node], reads: Sequence[set[str]]) -> list[set[str]]:
    """Of each step the names that may be read from there on before they are assigned.

    ``reads``: what each step reads itself, before it assigns.
    """
    found, changed = [*reads], True
    while changed:
        changed = False
        for k in reversed(range(len(nodes))):
            spend(4)
            later = set[str]().union(*(found[way] for way in following(nodes[k])))
            names = reads[k] | (later - assigned(nodes[k]))
            changed, found[k] = changed or names != found[k], names
    return found


def evaluated(node: Node) -> tuple[ast.expr, ...]:
    """What a step evaluates."""
    match node:
        case Assign() | Release():
            return node.values
        case Draw() | Called():
            return node.arguments
        case Make():
            return (node.length,) if node.fill is None else (node.fill, node.length)
        case Store():
            return (node.value,) if node.place is None else (node.value, node.place)
        case Pick():
            return () if node.size is None else (node.size,)
        case Branch() | Head():
            return (node.test,)
        case Ensure():
            return (node.claim,)
    return ()


class Header(NamedTuple):
    """What a mechanism declares; ``results`` are the kinds of what it returns, if that is said."""

    name: str
    privacy: ast.expr
    budget: ast.expr | None
    inputs: dict[str, ast.expr]
    asserts: tuple[ast.expr, ...]
    results: tuple[str, ...] | None


class Mechanism(NamedTuple):
    """A mechanism: its header, its steps, its loop heads by line, and what stands before it.

    ``functions`` are those of claims; ``called`` are the headers of other mechanisms, and
    ``whole`` is what is known of those of which more than the head is written; ``laws`` are
    those that are stated and in no table.
    """

    header: Header
    nodes: tuple[Node, ...]
    start: int
    loops: tuple[int, ...]
    sites: int
    functions: dict[str, ast.FunctionDef]
    called: dict[str, Header]
    whole: dict[str, Mechanism]
    laws: Mapping[str, Stated] = {}
