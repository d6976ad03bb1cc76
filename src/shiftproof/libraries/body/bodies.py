"""What the text of a block says of its names: what it binds, changes, and reads."""

from __future__ import annotations

import ast


def assigned(body: list[ast.stmt]) -> set[str]:
    """The local names that statements assign, or whose lists they change."""
    found = appended(body) | stored_into(body)
    for statement in body:
        for inner in ast.walk(statement):
            match inner:
                case ast.Name(id=text, ctx=ast.Store()):
                    found.add(text)
    return found


def stored_into(body: list[ast.stmt]) -> set[str]:
    """The lists into which statements store."""
    return {
        n.value.id
        for s in body
        for n in ast.walk(s)
        if isinstance(n, ast.Subscript)
        and isinstance(n.ctx, ast.Store)
        and isinstance(n.value, ast.Name)
    }


def reads(body: list[ast.stmt], text: str) -> int:
    """How often a name stands in statements."""
    return sum(isinstance(n, ast.Name) and n.id == text for s in body for n in ast.walk(s))


def bound(body: list[ast.stmt]) -> set[str]:
    """The names that statements bind; those of comprehensions are their own."""
    found, waiting = set(), list[ast.AST](body)
    while waiting:
        inner = waiting.pop()
        match inner:
            case ast.Name(id=text, ctx=ast.Store() | ast.Del()) | ast.FunctionDef(name=text):
                found.add(text)
            case ast.alias(name=text, asname=other):
                found.add(other or text.partition(".")[0])
        waiting += [
            child
            for field, children in ast.iter_fields(inner)
            for child in (children if isinstance(children, list) else [children])
            if isinstance(child, ast.AST)
            and not (isinstance(inner, ast.comprehension) and field == "target")
        ]
    return found


def appended(body: list[ast.stmt]) -> set[str]:
    """The lists that statements append to."""
    found = set()
    for statement in body:
        for inner in ast.walk(statement):
            match inner:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=text), attr="append")):
                    found.add(text)
    return found


def places(body: list[ast.stmt], text: str) -> list[ast.expr]:
    """The indices at which statements read or store a list."""
    return [
        n.slice
        for s in body
        for n in ast.walk(s)
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id == text
    ]


def targets(target: ast.expr) -> list[str]:
    """The names in the target of a loop."""
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
