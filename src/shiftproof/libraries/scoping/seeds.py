"""What modules of a library do to others: seeds of random numbers, attributes that they set."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .scopes import patched

if TYPE_CHECKING:
    from ..modules import SourceModule

_SEEDS = frozenset({"seed", "set_state", "setstate"})
_MENTIONED = re.compile(rb"\b(seed|set_state|setstate)\b")


def sets_seed(module: SourceModule) -> bool:
    """Whether the import of a module, with all that it imports of its library, sets a seed.

    A function counts as one that does if it calls something of the name of one that does.
    """
    modules = _imported(module)
    if not any(_MENTIONED.search(one.content) for one in modules):
        return False
    calls = {name: names for one in modules for name, names in _definitions(one)}
    setting = set(_SEEDS)
    while more := {name for name, names in calls.items() if names & setting} - setting:
        setting |= more
    return any(
        _called(one, inner) & setting
        for one in modules
        for node in one.text.tree.body
        for inner in _executed(node)
    )


def patched_by(module: SourceModule) -> frozenset[str]:
    """The names of attributes that a module, and all that it imports, give to other modules."""
    return frozenset(text for one in _imported(module) for text in patched(one.text.tree))


def _imported(module: SourceModule) -> list[SourceModule]:
    """A module, the packages that it is in, and all of its library that they import."""
    found: dict[int, SourceModule] = {}
    left = [module]
    while left:
        one = left.pop()
        if id(one) not in found:
            found[id(one)] = one
            left += one.packages()
            for node in ast.walk(one.text.tree):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    left += one.imports(node)
    return list(found.values())


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """What an import executes: not what functions hold, nor what only a script does."""
    yield node
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            own = node.args
            inner: list[ast.AST] = [*own.defaults, *(d for d in own.kw_defaults if d is not None)]
            inner += [] if isinstance(node, ast.Lambda) else node.decorator_list
        case _:
            inner = list(ast.iter_child_nodes(node))
    for child in inner:
        yield from _executed(child)


def _definitions(module: SourceModule) -> Iterator[tuple[str, set[str]]]:
    """The functions, classes and other names of a module, and which names each calls."""
    for node in ast.walk(module.text.tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, _all_called(module, node)
            case ast.ClassDef(name=name):
                yield name, _all_called(module, node)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, _all_called(module, value) | _names(module, value)


def _all_called(module: SourceModule, node: ast.AST) -> set[str]:
    return {text for inner in ast.walk(node) for text in _called(module, inner)}


def _called(module: SourceModule, node: ast.AST) -> set[str]:
    """The names of what a node calls by itself, as a call or as a decorator."""
    if isinstance(node, ast.Call):
        return _names(module, node.func)
    marks = getattr(node, "decorator_list", [])
    return {text for mark in marks for text in _names(module, mark)}


def _names(module: SourceModule, node: ast.expr) -> set[str]:
    """The last name of an expression, and that under which it was imported."""
    match node:
        case ast.Attribute(attr=text):
            return {text}
        case ast.Name(id=text):
            bound = module.names.get(text)
            aliases = bound.names if isinstance(bound, ast.ImportFrom) else []
            return {text} | {a.name for a in aliases if a.asname == text}
    return set()
