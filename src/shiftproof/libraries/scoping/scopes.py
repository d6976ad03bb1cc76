"""Which names the text of a module, a class or a function binds, and where."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound_names(node: ast.AST) -> list[str]:
    """The names that a node binds by itself."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.alias(name=name, asname=other):
            return [other or name.partition(".")[0]]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            return [name]
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            return [name]
    return []


def within(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a node and belongs to the same scope: not what functions and classes hold."""
    yield node
    if isinstance(node, _OWN_SCOPE):
        inner = [*getattr(node, "decorator_list", ()), *getattr(node, "bases", ())]
        inner += _defaults(node)
    elif isinstance(node, ast.comprehension):  # its target is a name of its own
        inner = [node.iter, *node.ifs]
    else:
        inner = list(ast.iter_child_nodes(node))
    for child in inner:
        yield from within(child)


def _defaults(node: ast.AST) -> list[ast.AST]:
    own = getattr(node, "args", None)
    if not isinstance(own, ast.arguments):
        return []
    return [d for d in [*own.defaults, *own.kw_defaults] if d is not None]


def local_names(node: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    """The names that are local to a function, whether they are bound already or not."""
    own = node.args
    extra = [one for one in (own.vararg, own.kwarg) if one is not None]
    parameters = {a.arg for a in [*own.posonlyargs, *own.args, *own.kwonlyargs, *extra]}
    body = node.body if isinstance(node.body, list) else [node.body]
    return frozenset(
        parameters | {n for s in body for inner in within(s) for n in bound_names(inner)}
    )


def bindings(body: list[ast.stmt], text: str) -> list[ast.stmt]:
    """The statements of a block, at its first level, that bind a name or may do so."""
    return [s for s in body if any(text in bound_names(inner) for inner in within(s))]


def top_names(tree: ast.Module) -> dict[str, ast.stmt | None]:
    """What each name at the top level of a module is bound by; ``None`` if that is not known.

    A name stands for one thing if one statement binds it, in all cases, and nothing in the module
    stores into what it stands for.
    """
    found: dict[str, ast.stmt | None] = {}
    for node in tree.body:
        if isinstance(node, ast.Try):
            _bind_tried(node, found)
            continue
        whole = _binds_whole(node)
        names = {n for inner in within(node) for n in bound_names(inner)}
        if "*" in names:  # it may bind what was bound before
            found |= dict.fromkeys(found)
        for text in names:
            same = text not in found or _same_import(found[text], node, text)
            found[text] = node if whole and same else None
    changed = _changed(tree, found)
    for inner in ast.walk(tree):
        if isinstance(inner, ast.Global):
            changed |= set(inner.names)
    return found | dict.fromkeys(changed)


def _binds_whole(node: ast.stmt) -> bool:
    """Whether a statement binds its names in all cases, each to what can be read off it."""
    match node:
        case ast.FunctionDef() | ast.ClassDef() | ast.Import() | ast.ImportFrom():
            return True
        case (
            ast.Assign(targets=[ast.Name()], value=value)
            | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value)
        ):
            return not any(isinstance(n, ast.NamedExpr) for n in ast.walk(value))
    return False


def _same_import(one: ast.stmt | None, other: ast.stmt, text: str) -> bool:
    """Whether two statements import the same: as ``import a.b`` and ``import a.c`` bind ``a``."""
    found = [_imported(node, text) for node in (one, other)]
    return found[0] is not None and found[0] == found[1]


def _imported(node: ast.stmt | None, text: str) -> tuple[str | None, int, str] | None:
    """What a statement imports under a name: the module, the level, and its name there."""
    match node:
        case ast.Import(names=aliases) if all(alias.asname is None for alias in aliases):
            return text, 0, ""
        case ast.ImportFrom(module=module, level=level, names=aliases):
            names = [alias.name for alias in aliases if (alias.asname or alias.name) == text]
            return (module, level, names[0]) if len(names) == 1 else None
    return None


def _bind_tried(node: ast.Try, found: dict[str, ast.stmt | None]) -> None:
    """Imports that are tried bind their names, unless a handler binds these, too."""
    inside = [s for s in node.body if isinstance(s, ast.Import | ast.ImportFrom)]
    names = [n for other in within(node) for n in bound_names(other)]
    for text in names:
        own = [s for s in inside if text in (n for a in s.names for n in bound_names(a))]
        once = text not in found and names.count(text) == 1 and len(own) == 1
        found[text] = own[0] if once else None


def _changed(tree: ast.Module, found: dict[str, ast.stmt | None]) -> set[str]:
    """Names of what the module may change after it has bound them."""
    kept = {n for n, s in found.items() if isinstance(s, ast.Assign | ast.AnnAssign | ast.ClassDef)}
    given: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Expr):  # a call, which may change all that it is given
            given |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    if any(isinstance(n, ast.Name) and n.id in ("exec", "globals") for n in ast.walk(tree)):
        return set(found)
    return (given & kept) | {_root(target) for target in stores(tree)} & found.keys()


def stores(tree: ast.AST) -> list[ast.Attribute | ast.Subscript]:
    """The attributes and places that something stores to; with ``setattr``, too."""
    found: list[ast.Attribute | ast.Subscript] = []
    for inner in ast.walk(tree):
        match inner:
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                found.append(inner)
            case ast.Subscript(ctx=ast.Store() | ast.Del()):
                found.append(inner)
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[of, name, *_]):
                text = name.value if isinstance(name, ast.Constant) else "*"
                found.append(ast.Attribute(of, str(text), ast.Store()))
    return found


def patched(tree: ast.Module) -> set[str]:
    """The names of attributes that a module gives to what it imports; ``*`` for any."""
    aliases = [n for n in ast.walk(tree) if isinstance(n, ast.alias)]
    imported = {text for alias in aliases for text in bound_names(alias)}
    return {
        target.attr
        for target in stores(tree)
        if isinstance(target, ast.Attribute) and _root(target) in imported
    }


def _root(node: ast.expr) -> str:
    """The name that an expression begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
