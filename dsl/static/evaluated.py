"""Types that are evaluated once more when a function is made a mechanism.

Text that is found in them then is executed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from ..readings import Unreadable
from .harmless import Harm
from .library import ANNOTATED, LITERAL, has_text
from .running import FUNCTIONS, is_dotted, root_of
from .text import expression

#: Every value that a name may have.
Named = Callable[[str], Iterable[object]]


def check_evaluated(tree: ast.AST, named: Named) -> None:
    """Check the types of all functions.

    Raises:
        Harm: one of them may be text that could change anything.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            _check(node.annotation, named)
        elif isinstance(node, FUNCTIONS) and node.returns is not None:
            _check(node.returns, named)


def _check(node: ast.expr, named: Named) -> None:
    match node:
        case ast.Constant(value=str() as text):
            check_quoted(text, node, lambda inside: _check(inside, named))
        case ast.Name() | ast.Attribute() if is_dotted(node):
            if any(map(_may_be_text, named(root_of(node) or ""))):
                raise Harm(node, f"'{ast.unparse(node)}' may be text that is evaluated")
        case ast.Subscript(value=owner, slice=inside):
            _check(owner, named)
            known = list(named(root_of(owner) or "")) if is_dotted(owner) else []
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            if known and all(value is LITERAL for value in known):
                return
            only_first = known and all(value is ANNOTATED for value in known)
            for part in parts[:1] if only_first else parts:
                _check(part, named)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            _check(left, named)
            _check(right, named)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            for item in items:
                _check(item, named)
        case ast.Constant():
            pass
        case _:
            raise Harm(node, "a type may be text that is evaluated")


def _may_be_text(value: object) -> bool:
    return has_text(value) or (isinstance(value, Unreadable) and not value.module)


def check_quoted(text: str, at: ast.AST, check: Callable[[ast.expr], None]) -> None:
    """Check a type in quotes.

    Raises:
        Harm: it binds names, or what ``check`` says of the expression in it.
    """
    inside = expression(text)
    if inside is None:
        return
    for part in ast.walk(inside):
        ast.copy_location(part, at)
        if isinstance(part, ast.NamedExpr):
            raise Harm(at, "a type in quotes binds names")
    check(inside)
