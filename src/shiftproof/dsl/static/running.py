"""Which parts of a syntax tree run when a module is imported, and what they are about."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from ..language.readings import Unreadable
from .harmless import Harm
from .library import ANNOTATED, LITERAL, has_text
from .text import expression

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
#: Statements that hold others, as messages call them.
BLOCKS: dict[type[ast.AST], str] = {
    ast.For: "loop", ast.AsyncFor: "loop", ast.While: "loop", ast.Try: "try block",
    ast.TryStar: "try block", ast.With: "with block", ast.Match: "match block",
}  # fmt: skip


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


def bound_by(node: ast.AST) -> str | None:
    """The variable that a node binds by itself, if it is no parameter and no import."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.ExceptHandler(name=caught):
            return caught
        case ast.MatchAs(name=matched) | ast.MatchStar(name=matched):
            return matched
        case ast.MatchMapping(rest=rest):
            return rest
    return None


def names_bound(nodes: Iterable[ast.AST]) -> set[str]:
    """The variables that code binds in its own scope."""
    found: set[str] = set()
    outer: set[str] = set()
    for node in own_scope(nodes):
        match node:
            case ast.arg(arg=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name.partition(".")[0])
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                outer.update(names)
            case _ if (own := bound_by(node)) is not None:
                found.add(own)
    return found - outer


def parameters_of(a: ast.arguments) -> list[ast.arg]:
    """All parameters, the starred ones last."""
    starred = [given for given in (a.vararg, a.kwarg) if given is not None]
    return [*a.posonlyargs, *a.args, *a.kwonlyargs, *starred]


def defaults_of(a: ast.arguments) -> list[ast.expr]:
    """What is computed when a function is defined, for parameters that are not given."""
    return [*a.defaults, *(d for d in a.kw_defaults if d is not None)]


def types_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """The types of the parameters that have one, and of what is returned."""
    found = [*(p.annotation for p in parameters_of(node.args)), node.returns]
    return [part for part in found if part is not None]


def parts_of(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.AST]:
    """The parameters of a function, and its body."""
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    return [*parameters_of(function.args), *body]


def own_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of one scope, without those of the functions and classes in it.

    Of a comprehension in it only what is assigned inside binds its names here.
    """
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, FUNCTIONS):
            stack.extend(around_function(node))
        elif isinstance(node, ast.ClassDef):
            stack.extend([*node.decorator_list, *node.bases, *(k.value for k in node.keywords)])
        elif isinstance(node, COMPREHENSIONS):
            inside = (n for n in ast.walk(node) if isinstance(n, ast.NamedExpr))
            stack.extend(n.target for n in inside)
        elif isinstance(node, ast.arg):
            stack.extend([node.annotation] if node.annotation else [])
        elif not isinstance(node, ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))


def running(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, bool]]:
    """Every node that runs with these, and whether it stands in the body of a class.

    The bodies of functions do not run when they are defined; those of lambdas may.
    """
    stack = [(node, False) for node in reversed(list(nodes))]
    while stack:
        node, inside_class = stack.pop()
        yield node, inside_class
        children = ast.iter_child_nodes(node)
        if isinstance(node, FUNCTIONS):
            children = iter(around_function(node))
        elif isinstance(node, ast.Lambda):
            # Who gets hold of it may call it at once: a decorator is, `(lambda: …)()` is.
            children = iter([*defaults_of(node.args), node.body])
        elif isinstance(node, ast.ClassDef):
            stack.extend((n, True) for n in reversed(node.body))
            children = iter([*node.decorator_list, *node.bases, *node.keywords])
        elif isinstance(node, ast.Attribute) and is_dotted(node):
            children = iter(())
        elif isinstance(node, COMPREHENSIONS):
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
    return [*node.decorator_list, *defaults_of(node.args), *types_of(node)]


# Types that are evaluated once more when a function is made a mechanism.

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
