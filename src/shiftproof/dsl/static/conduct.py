"""Whether code that runs at import stays within what is known to be harmless.

Nothing bad is searched for: each construct, name, attribute and call is on a list of what may be
used (``harmless``), or the code could change anything.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from types import FunctionType, ModuleType

from ..language.readings import ReadModule, Unreadable, namespace_of
from ..mechanism import Mechanism
from ..privacy.policies import Policy
from .harmless import Harm, changes_path, may_decorate, may_read, may_use, outside_rest
from .library import is_dunder, is_untold, may_call
from .running import (
    FUNCTIONS,
    attributes_of,
    check_quoted,
    defaults_of,
    is_dotted,
    names_bound,
    own_scope,
    parameters_of,
    parts_of,
    root_of,
)

#: Ends the name of what is got from an object of a library by an index.
INDEXED = "[]"


@dataclass(frozen=True, slots=True)
class Place:
    """Where code stands.

    Args:
        local: the variables of the functions around it.
        called: it stands in a function, so that everything in it may be called.
        owned: the names of the class in whose body it stands; ``None`` outside.
        made: the name of the new object, directly in ``__init__``: its attributes may be set.
    """

    local: frozenset[str] = frozenset()
    called: bool = False
    owned: frozenset[str] | None = None
    made: str | None = None

    def inside(self, names: set[str]) -> Place:
        """Inside a function or a comprehension with these variables."""
        return Place(self.local | names, self.called)


#: The top level of a module.
TOP = Place()
#: What only runs when something of the files is called.
CALLED = Place(called=True)


class Conduct:
    """Looks through code of one module.

    Args:
        named: every value that a name may have when the code runs.
        defined: the attributes that classes of the files define.
        in_hand: told of each value of the files that code may call, hand on or change; of
            ``None`` where it may be any function.
        imports_change: told that code changes where modules are found, or (true) may write files.
    """

    def __init__(
        self,
        named: Callable[[str], Iterable[object]],
        defined: set[str],
        in_hand: Callable[[object, ast.AST], None],
        imports_change: Callable[[ast.AST, bool], None],
    ) -> None:
        self._named = named
        self._defined = defined
        self._in_hand = in_hand
        self._imports_change = imports_change

    def check(self, node: ast.AST, place: Place = TOP) -> None:
        """Check code that runs.

        Raises:
            Harm: it could change anything.
        """
        match node:
            case ast.Name():
                self._name(node, place)
            case ast.Attribute():
                self._attribute(node, place)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._definition(node, place)
            case ast.Lambda():
                self.body(node, place)
            case ast.ClassDef():
                self._class(node, place)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                self.annotation(annotation, place)
                self._all([target, *([value] if value else [])], place)
            case ast.Import() | ast.ImportFrom():
                if place.called or place.owned is not None:
                    raise Harm(node, "modules are imported by code that is not read")
            case ast.MatchClass(kwd_attrs=attributes):
                self._reads(attributes, node)
                self._all(ast.iter_child_nodes(node), place)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                first, *_ = node.generators
                self.check(first.iter, place)
                inner = place.inside(names_bound([g.target for g in node.generators]))
                parts = (c for c in ast.iter_child_nodes(node) if c is not first)
                self._all([*parts, first.target, *first.ifs], inner)
            case _ if isinstance(node, _HARMLESS):
                self._all(ast.iter_child_nodes(node), place)
            case _:
                raise Harm(node, "there is a construct that is not read")

    def bodies(self, tree: ast.AST, place: Place = CALLED) -> None:
        """Check every function of a module.

        Raises:
            Harm: one could change anything when it runs.
        """
        for node in ast.iter_child_nodes(tree):
            if isinstance(node, (*FUNCTIONS, ast.Lambda)):
                self.body(node, place)
            elif isinstance(node, ast.ClassDef):
                self.bodies(node, replace(place, owned=frozenset(names_bound(node.body))))
            else:
                self.bodies(node, place)

    def body(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, place: Place) -> None:
        """Check what a function does when it is called.

        Raises:
            Harm: it could change anything.
        """
        inner = place.inside(names_bound(parts_of(node)))
        if isinstance(node, ast.Lambda):
            self.signature(node.args, place)
            self.check(node.body, inner)
            return
        if node.name == "__del__" or _waits(node):
            raise Harm(node, "a function may go on at any time")
        first = [*node.args.posonlyargs, *node.args.args][:1]
        is_init = place.owned is not None and node.name == "__init__" and not node.decorator_list
        if is_init and first and first[0].arg not in _bound_again(node):
            # Its object is new: nothing that is read has a name for it.
            inner = replace(inner, made=first[0].arg)
        self._all(node.body, inner)

    def signature(self, a: ast.arguments, place: Place = TOP) -> None:
        """Check what is computed of parameters when a function is defined.

        Raises:
            Harm: it could change anything.
        """
        self._all(defaults_of(a), place)
        for given in parameters_of(a):
            if given.annotation is not None:
                self.annotation(given.annotation, place)

    def annotation(self, node: ast.expr, place: Place = TOP) -> None:
        """Check a type: to name one changes nothing, to make one of others asks these.

        Raises:
            Harm: it is more than a type, and could change anything.
        """
        match node:
            case ast.Constant(value=str() as quoted):
                check_quoted(quoted, node, lambda inside: self.annotation(inside, place))
            case ast.Constant() | ast.Name():
                pass
            case ast.Attribute() if is_dotted(node):
                pass
            case ast.Subscript(value=owner, slice=inside):
                self._asked(owner, place)
                self.annotation(inside, place)
                for part in ast.walk(inside):  # it may be asked for its hash, or its number
                    if isinstance(part, ast.Name) and any(map(is_of_files, self._named(part.id))):
                        self._in_hand(None, part)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                self._asked(left, place)
                self._asked(right, place)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                for item in items:
                    self.annotation(item, place)
            case _:
                self.check(node, place)

    def _asked(self, node: ast.expr, place: Place) -> None:
        root = root_of(node) if is_dotted(node) else None
        if root is None:
            self.annotation(node, place)
        elif not any(isinstance(v, Unreadable) and v.module for v in self._named(root)):
            self.check(node, place)  # a class of the files may answer with code of its own

    def _all(self, nodes: Iterable[ast.AST], place: Place) -> None:
        for node in nodes:
            self.check(node, place)

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef, place: Place) -> None:
        if is_dunder(node.name) and place.owned is None:
            raise Harm(node, f"'{node.name}' is bound")
        self._decorated(node.decorator_list, node, place)
        self.signature(node.args, place)
        if node.returns is not None:
            self.annotation(node.returns, place)
        if place.called:
            self.body(node, place)

    def _class(self, node: ast.ClassDef, place: Place) -> None:
        self._decorated(node.decorator_list, node, place)
        self._all([*node.bases, *node.keywords], place)
        if node.bases and any(isinstance(n, FUNCTIONS) for n in node.body):
            self._in_hand(None, node)  # what makes the class may call its methods
        self._all(node.body, replace(place, owned=frozenset(names_bound(node.body)), made=None))

    def _decorated(self, decorators: list[ast.expr], node: ast.AST, place: Place) -> None:
        if isinstance(node, ast.ClassDef) and decorators and self._changes_class(decorators[-1]):
            decorators = decorators[:-1]  # what it changes is the class that is defined here
        self._all(decorators, place)
        if not all(is_dotted(d) for d in decorators):
            self._in_hand(None, node)

    def _changes_class(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            constants = all(isinstance(k.value, ast.Constant) and k.arg for k in node.keywords)
            return constants and not node.args and self._changes_class(node.func)
        root = root_of(node) if is_dotted(node) else None
        values = [] if root is None else list(self._named(root))
        for attribute in attributes_of(node):
            values = [_member(value, attribute) for value in values]
        return bool(values) and all(may_decorate(value) for value in values)

    def _name(self, node: ast.Name, place: Place) -> None:
        name = node.id
        if not isinstance(node.ctx, ast.Load):
            if is_dunder(name) and not (place.owned is not None and name in _OF_CLASSES):
                raise Harm(node, f"'{name}' is bound")
        elif name not in place.local:
            self._value(name, [], node, place)

    def _attribute(self, node: ast.Attribute, place: Place) -> None:
        if not isinstance(node.ctx, ast.Load):
            of_new = isinstance(node.value, ast.Name) and node.value.id == place.made
            if not of_new or is_dunder(node.attr):
                owner = ast.unparse(node.value)
                raise Harm(node, f"an attribute of '{owner}' is changed")
            return
        attributes, base = attributes_of(node), node.value
        while isinstance(base, ast.Attribute):
            base = base.value
        if isinstance(base, ast.Name) and base.id not in place.local:
            self._value(base.id, attributes, node, place)
            return
        is_super = isinstance(base, ast.Call) and not (base.args or base.keywords)
        if is_super and ast.unparse(base) == "super()" and attributes in _OF_NEW:
            return
        self._reads(attributes, node)
        self.check(base, place)

    def _reads(self, attributes: Iterable[str], node: ast.AST) -> None:
        for name in attributes:
            if not may_read(name, self._defined):
                raise Harm(node, f"'.{name}' could change anything")

    def _value(self, name: str, attributes: list[str], node: ast.AST, place: Place) -> None:
        own = place.owned is not None and name in place.owned
        if name not in _TEXTS and (is_untold(name) or (own and is_dunder(name))):
            raise Harm(node, f"'{name}' could change anything")
        values = list(self._named(name))
        if not values or own:
            self._reads(attributes, node)
            self._in_hand(None, node)
        for value in values:
            self._dotted(value, attributes, name, node)

    def _dotted(self, value: object, attributes: list[str], name: str, node: ast.AST) -> None:
        """A value and attributes of it: through modules it is what these hold."""
        if not attributes or not isinstance(value, ModuleType):
            self._used(value, attributes, name, node)
            return
        first, *rest = attributes
        if is_dunder(first):
            raise Harm(node, f"'.{first}' could change anything")
        values = [getattr(value, first, None)]
        if isinstance(value, ReadModule):
            values += value.__names__.earlier(first)
        for found in values:
            self._dotted(found, rest, f"{name}.{first}", node)

    def _used(self, value: object, attributes: list[str], name: str, node: ast.AST) -> None:
        if isinstance(value, ModuleType):
            raise Harm(node, f"the module '{name}' is handed to code that could change it")
        whole = ".".join([name, *attributes])
        if isinstance(value, Unreadable) and value.module:
            dotted = ".".join([value.module, *attributes])
            rest = outside_rest(dotted)
            if rest is None:
                raise Harm(node, f"'{whole}' could change anything")
            if changes_path(dotted):
                self._imports_change(node, False)
            self._reads([part for part in rest if part != INDEXED], node)
        elif not _makes_new(value, attributes):
            self._reads(attributes, node)
            self._held(value, whole, node)

    def _held(self, value: object, name: str, node: ast.AST) -> None:
        parts: Iterable[object] = ()
        if isinstance(value, list | tuple | set | frozenset):
            parts = value
        elif isinstance(value, dict):
            parts = [*value.keys(), *value.values()]
        elif not is_of_files(value) and not may_use(value):
            raise Harm(node, f"'{name}' could change anything")
        for part in parts:
            self._used(part, [], name, node)
        if value is open:
            self._imports_change(node, True)
        self._in_hand(value, node)


def _member(value: object, attribute: str) -> object:
    if isinstance(value, Unreadable) and value.module:
        return replace(value, module=f"{value.module}.{attribute}")
    return getattr(value, attribute, None) if isinstance(value, ModuleType) else None


def _makes_new(value: object, attributes: list[str]) -> bool:
    if value is type or value is object:
        return attributes == ["__new__"]
    return value is Policy and bool(attributes) and may_call(getattr(Policy, attributes[0], None))


def makes_mechanisms(value: object) -> bool:
    """Whether a value makes functions mechanisms, or makes what does."""
    return isinstance(value, FunctionType) and value.__module__ == Mechanism.__module__


def is_of_files(value: object) -> bool:
    """Whether a value is, or may be, code of the files that are read."""
    if isinstance(value, FunctionType):
        return namespace_of(value) is not None or makes_mechanisms(value)
    return isinstance(value, Mechanism) or (isinstance(value, Unreadable) and not value.module)


def _bound_again(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    inside = (n.names for n in ast.walk(node) if isinstance(n, ast.Nonlocal))
    return names_bound(node.body).union(*inside)


def _waits(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function may go on when what it gave is thrown away."""
    parts = list(own_scope(parts_of(node)))
    stops = isinstance(node, ast.AsyncFunctionDef) or any(
        isinstance(n, ast.Yield | ast.YieldFrom) for n in parts
    )
    blocks = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)
    return stops and any(isinstance(n, blocks) for n in parts)


#: Python's own names that stand for text, or for whether assertions are checked.
_TEXTS = frozenset({"__name__", "__file__", "__doc__", "__debug__", "__package__", "__cached__"})
#: What makes new objects.
_OF_NEW = (["__init__"], ["__new__"])
#: Names that may be bound in the body of a class.
_OF_CLASSES = frozenset({"__slots__", "__hash__", "__doc__"})
#: Constructs that do nothing but what their parts do.
_HARMLESS = (
    ast.Constant, ast.JoinedStr, ast.FormattedValue, ast.Tuple, ast.List, ast.Set, ast.Dict,
    ast.Slice, ast.Subscript, ast.Starred, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare,
    ast.IfExp, ast.NamedExpr, ast.Call, ast.keyword, ast.Yield, ast.YieldFrom, ast.Await,
    ast.comprehension, ast.Expr, ast.Assign, ast.AugAssign, ast.For, ast.AsyncFor, ast.While,
    ast.If, ast.With, ast.AsyncWith, ast.withitem, ast.Try, ast.TryStar, ast.ExceptHandler,
    ast.Match, ast.match_case, ast.pattern, ast.Return, ast.Raise, ast.Assert, ast.Delete,
    ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal, ast.expr_context, ast.boolop,
    ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip
