"""One call of a function of a library: its names, and its statements one after the other."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..terms.arithmetic import as_kind, choice
from ..terms.values import (
    Cell,
    Fixed,
    Flip,
    Kind,
    Known,
    Lacking,
    Numbers,
    Term,
    Thing,
    Undrawn,
    Value,
    Vector,
    alike,
    bare,
    kind_of,
    name,
    text_of,
)
from ..versions import plain
from .cases import Cases
from .expressions import Expressions, Scalar
from .keeping import kept, taken
from .lists import Lists
from .loops import Loops
from .ranges import Ranges
from .stores import Stores

if TYPE_CHECKING:
    from ..modules import SourceModule
    from ..run import Run


@dataclass(eq=False)
class Frame(Ranges):
    """The names of a call, and what becomes of what it returns.

    Attributes:
        run: the mechanism that is being written.
        module: where names that are not local are looked up.
        names: what each local name stands for.
        tail: whether what it returns is what the mechanism releases.
        outermost: whether it is the function that the reading names.
        owner: the class whose method it is.
        variables: the variables of the language that hold local names.
        node: the function.
        local: the names that belong to the function and to those around it.
        result: what it returned, once it did.
    """

    run: Run
    module: SourceModule
    names: dict[str, Value]
    tail: bool
    outermost: bool = False
    owner: ast.ClassDef | None = None
    node: ast.FunctionDef | ast.Lambda | None = None
    variables: dict[str, str] = field(default_factory=dict)
    result: Value | None = None
    local: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.path = self.run.path
        #: For each loop around, what names stood for where it was left.
        self.exits: list[list[dict[str, Value]]] = []
        #: Lists that a loop goes through, whatever names they have.
        self.iterated_now: list[Value] = []
        self.expressions = Expressions(self)
        self.lists = Lists(self)
        self.stores = Stores(self)
        self.cases = Cases(self)
        self.loops = Loops(self)

    # Names.

    def named(self, text: str, node: ast.AST) -> Value:
        """What a name stands for."""
        if text in self.names:
            found = self.names[text]
            if isinstance(found, Lacking):
                raise self.module.refuse(node, f"{text!r}: {found.why}")
            return self.variable_now(text, found)
        if text in self.local:
            raise self.module.refuse(node, f"{text!r}: it is read before it is assigned")
        return self.run.names.top(self.module, text)

    def bind(self, target: ast.expr, value: Value, node: ast.AST) -> None:
        """Assign a value to a target."""
        match target:
            case ast.Name(id=text):
                self.assign(text, value, node)
            case ast.Attribute(value=inner, attr=attribute):
                self.set(self.expressions.value(inner), attribute, value, node)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                items = value.items if isinstance(value, Fixed) else None
                if items is None or len(items) != len(targets):
                    raise self.module.refuse(node, "several names for what is no tuple of as many")
                for one, item in zip(targets, items, strict=True):
                    self.bind(one, item, node)
            case ast.Subscript(value=inner, slice=index):
                self.stores.store(inner, index, value, node)
            case _:
                raise self.module.refuse(node, "an assignment to something that is no name")

    def typed(self, text: str, kind: Kind, node: ast.AST) -> None:
        """A variable is of a type; in the rounds of a loop it keeps the one that it had before."""
        variable = self.variables[text]
        if self.run.kinds.get(variable) != kind and self.run.writer.versions.in_rounds(variable):
            raise self.module.refuse(
                node, f"{text!r} becomes of another type in a loop", "start with that type"
            )
        self.run.kinds[variable] = kind

    def set(self, thing: Value, attribute: str, value: Value, node: ast.AST) -> None:
        """Assign a value to an attribute."""
        if not isinstance(thing, Thing):
            raise self.module.refuse(node, "an attribute of something that is no object")
        if self.run.names.is_computed(thing, attribute):
            raise self.module.refuse(node, "an attribute that a property sets")
        same = alike(thing.attributes.get(attribute, Lacking("")), value)
        if thing.path is not self.run.path and not same:
            raise self.module.refuse(node, "an attribute that is set in one case only")
        value = kept(self, value, attribute, node)
        if isinstance(value, Vector) and value.draws:
            value = self.lists.listed(value, attribute, node)
        thing.attributes[attribute] = self.settled(value, attribute)

    def assign(self, text: str, value: Value, node: ast.AST) -> None:
        """Assign a value to a name: to a variable of the language if it has one."""
        if text in self.variables:
            scalar = self.expressions.drawn(value, node, text)
            variable = self.variables[text]
            kind = kind_of(scalar)
            if kind is None:
                raise self.module.refuse(node, f"{text!r}: None beside other values")
            self.typed(text, kind, node)
            now = self.run.writer.change(variable, f"{variable} = {text_of(scalar)}")
            self.names[text] = name(now, kind)
            return
        self.names[text] = self.settled(taken(self, value, text, node), text)

    def settled(self, value: Value, text: str) -> Value:
        """What may change, or is worked out from noise or private values, has its own variable."""
        if isinstance(value, Term) and not value.fixed:
            own = value.node.id if isinstance(value.node, ast.Name) else ""
            if not own or plain(own) in self.run.mutable:
                return self.held(value, text)
        return value

    def is_variable(self, text: str, value: Value | None) -> bool:
        """Whether a value is what the variable of a name holds, now or before."""
        node = value.node if isinstance(value, Term) else None
        return isinstance(node, ast.Name) and plain(node.id) == self.variables.get(text)

    def variable_now(self, text: str, value: Value) -> Value:
        """What a name stands for: its variable, if it has one, as that is now."""
        if isinstance(value, Term) and self.is_variable(text, value):
            return name(self.run.writer.versions.current(self.variables[text]), value.kind)
        return value

    def names_now(self) -> dict[str, Value]:
        """What all local names stand for."""
        return {text: self.variable_now(text, value) for text, value in self.names.items()}

    def held(self, value: Scalar, wanted: str) -> Term:
        """A variable of the language that has this value."""
        kind = kind_of(value)
        assert kind is not None
        variable = self.run.writer.fresh(wanted)
        self.run.writer.say(f"{variable} = {text_of(value)}")
        self.run.said.variable(variable, kind)
        return name(variable, kind)

    def variable(self, text: str, node: ast.AST) -> None:
        """Make a local name a variable of the language from here on."""
        value = self.names.get(text)
        if text in self.variables or value is None:
            return
        if isinstance(value, Known | Term | Flip | Undrawn):
            scalar = self.expressions.drawn(value, node, text)
            if kind_of(scalar) is None:
                raise self.module.refuse(node, f"{text!r}: None beside other values")
            found = self.held(scalar, text)
            variable = text_of(found)
            self.variables[text] = variable
            self.run.mutable.add(variable)
            self.typed(text, found.kind, node)
            self.names[text] = name(self.run.writer.versions.start(variable), found.kind)

    def use(self, vector: Vector, node: ast.AST) -> None:
        """Note that the elements of a vector are asked for; those with draws only once."""
        if vector.draws and vector.once.used:
            raise self.module.refuse(
                node, "a vector with noise that is used twice", "give it a name where it is made"
            )
        if vector.draws and vector.once.round not in (None, self.run.round):
            raise self.module.refuse(node, "a vector with noise from outside of a loop")
        vector.once.used = True

    def as_vector(self, value: Fixed, node: ast.AST) -> Vector:
        """A list of known length as a vector."""
        items = [self.expressions.drawn(item, node) for item in value.items]
        if value.array:  # of numpy's numbers
            items = [bare(item) for item in items]

        def element(index: Value) -> Value:
            if isinstance(index, Known) and isinstance(index.value, int):
                return items[index.value]
            found: Scalar = items[-1]
            for k in range(len(items) - 2, -1, -1):
                test = self.expressions.conditions.compare(ast.Eq(), index, Known(k), node)
                made = choice(self.expressions.drawn(test, node), items[k], found)
                if made is None:
                    raise self.module.refuse(node, "a list of values of different types")
                found = made
            return found

        return Vector(Known(len(items)), element, value.kind, array=value.array)

    def length(self, value: Value, node: ast.AST) -> Scalar:
        """How many values there are."""
        match value:
            case Vector(mask=Vector()):
                raise self.module.refuse(node, "how many places a condition selects")
            case Vector(length=length):
                return self.expressions.drawn(length, node)
            case Fixed(items=items):
                return Known(len(items))
            case Numbers(without=None):
                return self.counted(self.gap(value, node), node)
            case Cell():
                raise self.module.refuse(node, "the length of a list inside the loop over it")
        raise self.module.refuse(node, "the length of something that is no list")

    def iterated(self, value: Value, node: ast.AST) -> Vector | Fixed:
        """What a loop goes through."""
        if isinstance(value, Numbers) and value.without is None:
            start = value.start
            return Vector(
                self.gap(value, node),
                lambda index: self.expressions.binary(ast.Add(), start, index, node),
            )
        if isinstance(value, Vector) and value.mask is not None:
            raise self.module.refuse(node, "places that a condition selects, by themselves")
        if isinstance(value, Vector | Fixed):
            return value
        if isinstance(value, Lacking):
            raise self.module.refuse(node, value.why)
        raise self.module.refuse(node, "a loop over something that is no list")

    # Statements.

    def block(self, body: list[ast.stmt]) -> bool:
        """Write statements; whether a run surely leaves the function, or the round, in them."""
        with self.run.within(self):
            return self._block(body)

    def _block(self, body: list[ast.stmt]) -> bool:
        for k, node in enumerate(body):
            self.run.writer.at = (str(self.module.path), node.lineno)
            if isinstance(node, ast.If):
                ended = self.cases.branch(node, body[k + 1 :])
                if ended is not None:
                    return ended
            elif self.statement(node):
                return True
        return False

    def statement(self, node: ast.stmt) -> bool:
        """Write one statement; whether it leaves the function or the round."""
        match node:
            case ast.Return(value=value):
                self.returned(Known(None) if value is None else self._tail(value), node)
                return True
            case ast.Assign(targets=[ast.Name(id=text)]) if self._is_given(text):
                self.names[text] = self.run.given[text]
            case ast.Assign(targets=targets, value=value):
                found = self.expressions.value(value)
                if len(targets) > 1:
                    found = kept(self, found, "value", node)
                for target in targets:
                    self.bind(target, found, node)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self.bind(target, self.expressions.value(value), node)
            case ast.AugAssign(target=target, op=op, value=value):
                self.stores.augment(target, op, value, node)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Import() | ast.ImportFrom():
                self.names |= self.run.names.imported(self.module, node)
            case ast.Expr(value=ast.Call() as call):
                found = self.expressions.value(call)
                if isinstance(found, Lacking):
                    raise self.module.refuse(node, found.why)
            case ast.For():
                return self.loops.over(node)
            case ast.While():
                self.loops.repeat(node)
            case ast.Break() | ast.Continue():
                if isinstance(node, ast.Break):
                    self.exits[-1].append(self.names_now())
                self.run.writer.say("break" if isinstance(node, ast.Break) else "continue")
                return True
            case ast.Raise():
                self.run.raised(self, node)
                return True
            case ast.Assert(test=test, msg=said):
                error = ast.Call(ast.Name("AssertionError"), [] if said is None else [said], [])
                check = ast.If(ast.UnaryOp(ast.Not(), test), [ast.Raise(error)], [])
                ast.copy_location(check, node)
                for inner in ast.walk(check):
                    ast.copy_location(inner, node) if not hasattr(inner, "lineno") else None
                return bool(self.cases.branch(check, []))
            case ast.Delete(targets=targets) if all(isinstance(t, ast.Name) for t in targets):
                for target in targets:
                    assert isinstance(target, ast.Name)
                    self.names[target.id] = Lacking("it is deleted")
            case ast.FunctionDef():
                self.names[node.name] = self.run.names.nested(self, node)
            case _:
                kind = type(node).__name__.lower()
                raise self.module.refuse(node, f"a statement that is not read: {kind}")
        return False

    def _is_given(self, text: str) -> bool:
        """Whether the reading says what a local name stands for, whatever it is assigned."""
        if not self.outermost or text not in self.run.given or self.node is None:
            return False
        own = self.node.args
        return text not in {p.arg for p in [*own.posonlyargs, *own.args, *own.kwonlyargs]}

    def _tail(self, value: ast.expr) -> Value:
        """What is returned; a call at the end releases by itself what it returns."""
        self.run.at_the_end = self.tail and isinstance(value, ast.Call)
        try:
            return self.expressions.value(value)
        finally:
            self.run.at_the_end = False

    def returned(self, value: Value | None, node: ast.AST) -> None:
        """The function returns a value."""
        if value is self.run.released:
            return
        assert value is not None
        if self.tail:
            self.run.release(self, value, node)
            return
        if self.run.path is self.path:
            self.result = value
            return
        scalar = self.expressions.drawn(value, node)
        kind = kind_of(scalar)
        if kind is None:
            raise self.module.refuse(node, "None is returned in one case only")
        if not isinstance(self.result, Term):
            self.result = name(self.run.writer.fresh("result"), kind)
            self.run.mutable.add(text_of(self.result))
        elif (kind, self.result.kind) not in ((kind, kind), ("int", "float")):
            raise self.module.refuse(node, "values of different types are returned")
        else:
            scalar = as_kind(scalar, self.result.kind)
        self.run.writer.say(f"{text_of(self.result)} = {text_of(scalar)}")
