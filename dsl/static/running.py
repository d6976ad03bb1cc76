"""Which parts of a syntax tree run when a module is imported, and what they are about."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def is_dotted(node: ast.AST) -> bool:
    """Whether a node is ``a.b.c``, with nothing else in it."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def attributes_of(node: ast.AST) -> list[str]:
    """The attributes of ``a.b.c`` in order: b, c."""
    found: list[str] = []
    while isinstance(node, ast.Attribute):
        found.append(node.attr)
        node = node.value
    return found[::-1]


def root_of(node: ast.AST) -> str | None:
    """The name that an attribute or an index starts from."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def local_names(node: ast.AST) -> set[str]:
    """The parameters and variables of a function and of those inside it."""
    arguments = {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
    stored = {
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return arguments | stored


def running(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, bool]]:
    """Every node that runs with these, and whether it stands in the body of a class.

    The bodies of functions do not run when they are defined; those of lambdas may.
    """
    stack = [(node, False) for node in reversed(list(nodes))]
    while stack:
        node, inside_class = stack.pop()
        yield node, inside_class
        children = ast.iter_child_nodes(node)
        if isinstance(node, _FUNCTIONS):
            children = iter(around_function(node))
        elif isinstance(node, ast.Lambda):
            # Who gets hold of it may call it at once: a decorator is, `(lambda: …)()` is.
            a = node.args
            defaults = [*a.defaults, *(d for d in a.kw_defaults if d is not None)]
            children = iter([*defaults, node.body])
        elif isinstance(node, ast.ClassDef):
            stack.extend((n, True) for n in reversed(node.body))
            children = iter([*node.decorator_list, *node.bases, *node.keywords])
        elif isinstance(node, ast.Attribute) and is_dotted(node):
            children = iter(())
        elif isinstance(node, _COMPREHENSIONS):
            targets = [g.target for g in node.generators]
            children = (c for c in _parts_of(node) if c not in targets)
        stack.extend((child, inside_class) for child in reversed(list(children)))


def _parts_of(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.comprehension):
            yield from ast.iter_child_nodes(child)
        else:
            yield child


def around_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.AST]:
    """What of a definition runs when it is executed: all but its body."""
    a = node.args
    given = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
    annotations = [g.annotation for g in given if g is not None]
    parts = [
        *node.decorator_list,
        *a.defaults,
        *a.kw_defaults,
        *annotations,
        node.returns,
    ]
    return [part for part in parts if part is not None]
