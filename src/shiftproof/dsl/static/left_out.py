"""Mechanisms of a file that nobody verifies: what makes them stands where they have no name.

A mechanism is verified if a name at the top level of its module holds it.  Whatever else a file
makes of ``mechanism`` (in a class, in a list, in a function, under a name that is bound again)
is listed, so that a file full of wrong ones does not end well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from ..errors import Location, Unsupported
from ..language.readings import Unreadable
from ..mechanism import Mechanism, mechanism
from ..privacy.definitions import DP
from .definitions import UnreadMechanism
from .effects import DECORATOR
from .running import BLOCKS, COMPREHENSIONS, FUNCTIONS, root_of
from .text import Text

#: The package whose ``mechanism`` is meant.
_OURS = __name__.partition(".")[0]
#: What ``mechanism(…)`` returns, to tell it by its code.
_DECORATE = getattr(mechanism(DP()), "__code__", None)
_ADVICE = (
    "define it at the top level of the module, with def, under a name of its own, and without "
    "other decorators"
)
_WORDS: dict[type[ast.AST], str] = {
    **BLOCKS,
    **dict.fromkeys(COMPREHENSIONS, "comprehension"),
    **dict.fromkeys(FUNCTIONS, "function"),
    ast.ClassDef: "class body", ast.If: "condition", ast.List: "list", ast.Tuple: "tuple",
    ast.Set: "set", ast.Dict: "dictionary", ast.Lambda: "lambda", ast.Call: "argument of a call",
}  # fmt: skip
_AGAIN = "bound again"
_DECORATED = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
#: Inside these a name is no name of the module.
_SCOPES = (*_DECORATED, ast.Lambda)


class LeftOut(UnreadMechanism):
    """A mechanism that a file makes, and that is not verified."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a file makes a mechanism.

    Attributes:
        name: what it is called, with the classes and functions around it.
        line: its first line, that of its first decorator.
        column: where it begins there.
        words: what it stands in.
        bound: the name of the module that gets it; empty if none does.
        defined: whether it decorates a definition.
    """

    name: str
    line: int
    column: int
    words: str
    bound: str
    defined: bool = False


def left_out(text: Text, names: Mapping[str, Any]) -> list[LeftOut]:
    """What a module that was read makes and does not hold under a name.

    Args:
        text: what stands in it.
        names: what it binds; those mechanisms that only running it would tell, too.
    """
    found = sites(text.tree, names)
    last = {site.bound: site for site in found}
    return [_left_out(text, s) for s in found if not _held(s, names, last[s.bound] is s)]


def _held(site: Site, names: Mapping[str, Any], last: bool) -> bool:
    """Whether the name that a site binds holds what is made there, as far as that is known."""
    value = names.get(site.bound)
    if isinstance(value, UnreadMechanism) or not isinstance(value, Mechanism):
        return isinstance(value, UnreadMechanism)
    if site.defined:
        return (value.function.__name__, value.location.line) == (site.bound, site.line)
    return last


def left_out_of_made(text: Text, made: Iterable[Mechanism[..., Any]]) -> list[LeftOut]:
    """What a module has made while it was executed, and holds nowhere; once for each line."""
    places = {site.line: site.words for site in sites(text.tree, {})}
    found: dict[tuple[str, int], Site] = {}
    for one in made:
        name, line = one.function.__qualname__.replace("<locals>.", ""), one.location.line
        words = places.get(line, "place without a name")
        found[name, line] = Site(name, line, 1, words, "", True)
    return [_left_out(text, site) for site in found.values()]


def _left_out(text: Text, site: Site) -> LeftOut:
    shown = text.lines[site.line - 1].rstrip("\n") if site.line <= len(text.lines) else ""
    where = Location(text.file, site.line, site.column, shown)
    message = f"not read: {site.words}, line {site.line}"
    return LeftOut.at(site.name, where, Unsupported(message, where, _ADVICE))


def sites(tree: ast.Module, names: Mapping[str, Any]) -> list[Site]:
    """Where a module makes mechanisms, in order; ``names`` are what it binds, if that is known."""
    return sorted(_Sites(tree, names).found(), key=lambda site: (site.line, site.column))


class _Sites:
    """Looks for what makes mechanisms, from the outside in."""

    def __init__(self, tree: ast.Module, names: Mapping[str, Any]) -> None:
        self._tree = tree
        self._names = names
        #: Under which names ``mechanism`` is imported anywhere, and modules of ours.
        self._words, self._modules = _imported(tree)
        #: Names that are bound to ``mechanism(…)`` somewhere.
        self._claimed: set[str] = set()
        self._claimed = {
            name.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and self._is_claim(node.value)
            for name in node.targets
            if isinstance(name, ast.Name)
        }

    def found(self) -> Iterator[Site]:
        """The sites, in no order."""
        stack: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(self._tree, ())]
        while stack:
            node, around = stack.pop()
            site = self._site_at(node, around)
            if site is not None:
                yield site
            stack += [(part, (*around, node)) for part in self._parts(node, around)]

    def _parts(self, node: ast.AST, around: Sequence[ast.AST]) -> Iterator[ast.AST]:
        """What is looked at in a node: not what its own site speaks of already."""
        for part in ast.iter_child_nodes(node):
            decorates = isinstance(node, _DECORATED) and part in node.decorator_list
            called = isinstance(node, ast.Call) and part is node.func
            alias = isinstance(node, ast.Assign) and not _scoped((*around, node))
            makes = isinstance(part, ast.expr) and (self._is_claim(part) or self._is_ours(part))
            if not (makes and (decorates or called or alias)):
                yield part

    def _site_at(self, node: ast.AST, around: Sequence[ast.AST]) -> Site | None:
        match node:
            case (
                ast.FunctionDef(name=name, decorator_list=decorators)
                | ast.AsyncFunctionDef(name=name, decorator_list=decorators)
            ) if any(map(self._is_claim, decorators)):
                first = min(decorators, key=lambda d: d.lineno)
                site = _site(name, first, around, "" if _scoped(around) else name, defined=True)
                alone = len(decorators) == 1 or site.words != _AGAIN
                return site if alone else replace(site, words="another decorator")
            case ast.Call(func=function, args=arguments) if self._is_claim(function):
                name = next((a.id for a in arguments if isinstance(a, ast.Name)), "mechanism")
                return _site(name, node, around, _target(around))
            case ast.Name() | ast.Attribute() | ast.Call() if self._is_claim(node) or self._is_ours(
                node
            ):
                return _site("mechanism", node, around, "")
        return None

    def _is_claim(self, node: ast.expr) -> bool:
        """Whether an expression is what turns a function into a mechanism."""
        match node:
            case ast.Call(func=function):
                return self._is_ours(function)
            case ast.Name(id=name, ctx=ast.Load()) if name in self._claimed:
                return True
        value = self._value(node)
        unread = isinstance(value, Unreadable) and value.module == DECORATOR
        return unread or (_DECORATE is not None and getattr(value, "__code__", None) is _DECORATE)

    def _is_ours(self, node: ast.expr) -> bool:
        """Whether an expression is ``mechanism`` itself."""
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in self._words:
                return True
            case ast.Attribute(attr="mechanism") if root_of(node) in self._modules:
                return True
        return self._value(node) is mechanism

    def _value(self, node: ast.expr) -> object:
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                return self._names.get(name)
            case ast.Attribute(value=owner, attr=name):
                module = self._value(owner)
                return getattr(module, name, None) if isinstance(module, ModuleType) else None
        return None


def _imported(tree: ast.Module) -> tuple[set[str], set[str]]:
    words, modules = set[str](), set[str]()
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str() as module, names=aliases, level=0) if _of_us(module):
                known = [alias for alias in aliases if alias.name in ("mechanism", "*")]
                words |= {alias.asname or "mechanism" for alias in known}
            case ast.Import(names=aliases):
                modules |= {alias.asname or _OURS for alias in aliases if _of_us(alias.name)}
    return words, modules


def _of_us(module: str) -> bool:
    return module.partition(".")[0] == _OURS


def _scoped(around: Sequence[ast.AST]) -> bool:
    return any(isinstance(node, _SCOPES) for node in around)


def _target(around: Sequence[ast.AST]) -> str:
    """The name of the module that a value is bound to, if that is all that is done with it."""
    match around[-1]:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return "" if _scoped(around) else name
    return ""


def _site(
    name: str, node: ast.expr, around: Sequence[ast.AST], bound: str, *, defined: bool = False
) -> Site:
    scopes = [node.name for node in around if isinstance(node, _DECORATED)]
    kinds = [type(node) for node in around if type(node) in _WORDS]
    words = _WORDS[kinds[-1]] if kinds else _AGAIN if bound else "expression"
    column = max(1, node.col_offset + (not defined))  # a decorator begins with its @
    return Site(".".join([*scopes, name]), node.lineno, column, words, bound, defined)
