"""One function of a library from its text to the text of a mechanism."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from .body.frame import Frame
from .calls.dispatch import constant_of
from .modules import SourceModule, bound_names
from .reading import Reading
from .terms.arguments import arguments_of
from .terms.arithmetic import stored
from .terms.decide import Said
from .terms.values import (
    Class,
    External,
    Fixed,
    Flip,
    Function,
    Known,
    Lacking,
    Term,
    Thing,
    Uniform,
    Value,
    Vector,
    name,
    text_of,
)
from .writer import Line, Writer

#: How deep functions of the library may call each other.
DEEPEST = 30
#: Types of inputs, by how their annotations begin: the kind, and whether it is a sequence.
_NUMBERS = {"int": "int", "float": "float", "Nat": "int"}


@dataclass(eq=False)
class Run:
    """What is known while a function is read, and what has been written."""

    reading: Reading
    writer: Writer
    inputs: Mapping[str, str]
    said: Said
    positive: frozenset[str]
    given: dict[str, Value] = field(default_factory=dict)
    facts: dict[str, object] = field(default_factory=dict)
    mutable: set[str] = field(default_factory=set)
    required: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    at_the_end: bool = False
    released: Value = field(default_factory=lambda: Fixed([]))
    path: object = field(default_factory=object)
    round: object = field(default_factory=object)
    depth: int = 0
    left: int = 0

    def __post_init__(self) -> None:
        self._start = self.path

    # Names.

    def top(self, module: SourceModule, text: str) -> Value:
        """What a name at the top level of a module, or of Python, stands for."""
        node = module.names.get(text)
        if node is None and text in module.names:
            return Lacking(f"{text!r} is bound in several places, or in one case only")
        match node:
            case ast.FunctionDef():
                return Function(node, module)
            case ast.ClassDef():
                return Class(node, module)
            case ast.Assign(value=value):
                return self.constant(module, value)
            case ast.Import() | ast.ImportFrom():
                return self.imported(module, node)[text]
        return External(f"builtins.{text}")

    def constant(self, module: SourceModule, node: ast.expr) -> Value:
        """What a module, a class or a default argument binds once: nothing that draws."""
        before = len(self.writer.lines)
        found = Frame(self, module, {}, tail=False).expressions.value(node)
        if len(self.writer.lines) != before or isinstance(found, Uniform | Flip | Vector | Thing):
            raise module.refuse(node, "what is made once, and not in each call")
        if isinstance(found, Fixed):
            found.path = object()  # other calls would see what is changed
            if not isinstance(node, ast.Tuple) and not all(
                isinstance(item, Known) for item in found.items
            ):
                return Lacking("a list that is made once, and not in each call")
        return found

    def imported(self, module: SourceModule, node: ast.Import | ast.ImportFrom) -> dict[str, Value]:
        """What the names of an import stand for."""
        found: dict[str, Value] = {}
        for alias in node.names:
            if isinstance(node, ast.Import):
                full = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or full] = External(full)
                continue
            of = node.module or ""
            own = module.path.relative_to(module.root).parts[0]
            inside = node.level or of.partition(".")[0] == own
            where = module.sibling(of, node.level) if inside else None
            if where is not None and where is not module and alias.name in where.names:
                found[alias.asname or alias.name] = self.top(where, alias.name)
            else:
                found[alias.asname or alias.name] = constant_of(f"{of}.{alias.name}")
        return found

    def bases(self, owner: ast.ClassDef, module: SourceModule) -> list[Class]:
        """A class and those that it is made of, in the order in which Python asks them."""
        frame = Frame(self, module, {}, tail=False)
        found = [frame.expressions.value(base) for base in owner.bases]
        direct = [one for one in found if isinstance(one, Class)]
        lines = [*(self.bases(one.node, one.module) for one in direct), direct]
        order = [Class(owner, module)]
        while lines := [line for line in lines if line]:
            for line in lines:
                first = line[0]
                if not any(first in other[1:] for other in lines):
                    break
            else:
                raise module.refuse(owner, "classes in no order that Python has")
            order.append(first)
            lines = [[one for one in line if one != first] for line in lines]
        return order

    def member(self, this: Thing, text: str, behind: ast.ClassDef | None = None) -> Value:
        """A method of an object, or what its class binds."""
        skipping = behind is not None
        for one in self.bases(this.owner, this.module):
            if skipping:
                skipping = one.node is not behind
                continue
            node = _bound_in(one, text)
            if node is None:
                continue
            if isinstance(node, ast.FunctionDef):
                marks = {ast.unparse(d) for d in node.decorator_list}
                if "classmethod" in marks:
                    return Function(node, one.module, Class(this.owner, this.module))
                function = Function(node, one.module, None if "staticmethod" in marks else this)
                if "property" in marks:
                    return self.call(function, [], {}, node, None)
                return function
            return self.constant(one.module, node)
        return Lacking(f"'{this.owner.name}' has no {text!r} that is read here")

    def of_class(self, owner: Class, text: str, behind: ast.ClassDef | None = None) -> Value:
        """A function of a class, or what it binds."""
        skipping = behind is not None
        for one in self.bases(owner.node, owner.module):
            if skipping:
                skipping = one.node is not behind
                continue
            node = _bound_in(one, text)
            if isinstance(node, ast.FunctionDef):
                marks = {ast.unparse(d) for d in node.decorator_list}
                return Function(node, one.module, owner if "classmethod" in marks else None)
            if node is not None:
                return self.constant(one.module, node)
        return Lacking(f"'{owner.node.name}' has no {text!r} that is read here")

    def is_computed(self, this: Thing, text: str) -> bool:
        """Whether setting an attribute of an object runs code."""
        special = ("__setattr__", "__getattr__", "__getattribute__", "__slots__")
        for one in self.bases(this.owner, this.module):
            if any(_bound_in(one, name) is not None for name in special):
                return True
            node = _bound_in(one, text)
            if isinstance(node, ast.FunctionDef) and node.decorator_list:
                return True
        return False

    def nested(self, frame: Frame, node: ast.FunctionDef | ast.Lambda) -> Value:
        """A function that is defined in another one."""
        own = {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)}
        own |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not _is_load(n)}
        free = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - own
        outer = frame.node
        for text in free if outer is not None else ():
            sites = [
                n
                for n in ast.walk(outer)  # type: ignore[arg-type]
                if isinstance(n, ast.Name) and n.id == text and not _is_load(n)
            ]
            parameter = text in {a.arg for a in ast.walk(outer.args) if isinstance(a, ast.arg)}  # type: ignore[union-attr]
            looped = any(
                isinstance(n, ast.For | ast.While) and any(m in sites for m in ast.walk(n))
                for n in ast.walk(outer)  # type: ignore[arg-type]
            )
            if len(sites) + parameter > 1 or looped:
                return Lacking(f"a function about {text!r}, which is assigned several times")
        return Function(node, frame.module, closure=frame.names)

    def frozen(self, names: Mapping[str, Value]) -> dict[str, Value]:
        """Names as they are now, whatever is stored in lists and objects later."""
        copies: dict[int, Value] = {}

        def copy(value: Value) -> Value:
            if not isinstance(value, Vector | Fixed | Thing):
                return value
            if id(value) not in copies:
                made = copies[id(value)] = replace(value)
                if isinstance(made, Fixed):
                    made.items = [copy(item) for item in made.items]
                elif isinstance(made, Thing):
                    made.attributes = {k: copy(v) for k, v in made.attributes.items()}
            return copies[id(value)]

        return {text: copy(value) for text, value in names.items()}

    def changes(self, frame: Frame, node: ast.AST) -> bool:
        """Whether something speaks of lists of the language that are changed as a run goes on."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name):
                value = frame.names.get(inner.id)
                if isinstance(value, Vector) and value.listed and value.listed not in self.inputs:
                    return True
                if (
                    isinstance(value, Term)
                    and isinstance(value.node, ast.Name)
                    and (value.node.id in self.mutable)
                ):
                    return True
        return False

    # Calls.

    def call(
        self,
        function: Function,
        positional: list[Value],
        keywords: dict[str, Value],
        node: ast.AST,
        caller: Frame | None,
        tail: bool = False,
    ) -> Value:
        """What a function of the library returns; what it does is written."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise function.module.refuse(node, "functions that call each other without end")
        try:
            self._check(function)
            first = function.this or next(iter(positional), None)
            owner = self._owner(function, first if isinstance(first, Thing | Class) else None)
            frame = Frame(
                self, function.module, dict(function.closure or {}), tail, owner=owner,
                node=function.node,
            )  # fmt: skip
            bound = arguments_of(
                function.node,
                positional,
                keywords,
                lambda default: self.constant(function.module, default),
                function.this,
            )
            if isinstance(bound, str):
                place = caller.module if caller else function.module
                raise place.refuse(node, f"{ast.unparse(node)[:60]!r}: {bound}")
            frame.names |= bound
            if isinstance(function.node, ast.Lambda):
                return frame.expressions.value(function.node.body)
            before, path, left = self.writer.at, self.path, self.left
            ended = frame.block(function.node.body)
            self.writer.at = before
            if self.left == left:  # all runs come back here
                self.path = path
            if not tail and not ended and frame.result is not None:
                raise function.module.refuse(
                    function.node, "a function that returns in one case only"
                )
            if tail:
                if not ended:
                    self.release(frame, Known(None), node)
                return self.released
            return Known(None) if frame.result is None else frame.result
        finally:
            self.depth -= 1

    def _check(self, function: Function) -> None:
        """Refuse functions that are more than what stands in them."""
        check(function.node, function.module, self)

    def _owner(self, function: Function, this: Thing | Class | None) -> ast.ClassDef | None:
        if this is None:
            return None
        own = this.owner if isinstance(this, Thing) else this.node
        for one in self.bases(own, this.module):
            if function.node in one.node.body:
                return one.node
        return None

    def made(
        self,
        owner: Class,
        positional: list[Value],
        keywords: dict[str, Value],
        node: ast.AST,
        caller: Frame | None,
    ) -> Thing:
        """An object of a class of the library."""
        for one in self.bases(owner.node, owner.module):
            if one.node.decorator_list or one.node.keywords or _bound_in(one, "__new__"):
                raise one.module.refuse(one.node, "a class with a decorator or a metaclass")
        this = Thing(owner.node, owner.module, path=self.path)
        start = self.member(this, "__init__")
        if isinstance(start, Function):
            self.call(start, positional, keywords, node, caller)
        return this

    # Cases.

    @contextmanager
    def knowing(self, test: Known | Term) -> Iterator[None]:
        """Inside a case of which a test tells something."""
        before = dict(self.facts)
        if isinstance(test, Term):
            for part in _parts(test.node):
                if self._may_change(part):
                    continue
                match part:
                    case ast.Compare(
                        left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=c)]
                    ):
                        self.facts[ast.unparse(left)] = c
                    case ast.UnaryOp(op=ast.Not(), operand=inner):
                        self.facts[ast.unparse(inner)] = False
                    case _:
                        self.facts[ast.unparse(part)] = True
        try:
            yield
        finally:
            self.facts = before

    def _may_change(self, node: ast.expr) -> bool:
        """Whether a term is about variables or lists that are assigned again."""
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        lists = {ast.unparse(n.value) for n in ast.walk(node) if isinstance(n, ast.Subscript)}
        return bool(names & self.mutable) or bool(lists - self.inputs.keys())

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Inside a case or a round: what was made outside is not changed there."""
        before, self.path = self.path, object()
        try:
            yield
        finally:
            self.path = before

    @property
    def at_the_start(self) -> bool:
        """Whether all runs come here, and nothing has been drawn."""
        return self.path is self._start and not self.writer.drawn

    def decided(self, test: Known | Term) -> Known | Term:
        """A condition, decided if what is said of the inputs decides it."""
        if isinstance(test, Known):
            return test
        fact = self.facts.get(ast.unparse(test.node))
        if isinstance(fact, bool):
            return Known(fact)
        found = self.said.decided(test.node)
        return test if found is None else Known(found)

    def split(self, test: Known | Term, yes: list[Line], no: list[Line]) -> None:
        """Write two cases.

        Where each begins with the flip of a coin, and the coins are each other's opposite, it is
        one coin: proofs need not know then which case it is.
        """
        first, second = (_flip(block) for block in (yes, no))
        if first and second and self.said.opposite(first[1], second[1]):
            self.writer.say(f"{first[0]} = sample(Bernoulli({first[1]}))")
            del yes[0]
            no[0].text = f"{second[0]} = not {first[0]}"
        self.writer.take(f"if {text_of(test)}:", yes)
        if no:
            self.writer.take("else:", no)

    @contextmanager
    def another_round(self) -> Iterator[None]:
        """Inside a round of a loop: what was made outside is drawn outside."""
        before, self.round = self.round, object()
        try:
            yield
        finally:
            self.round = before

    def is_refusal(self, body: list[ast.stmt]) -> bool:
        """Whether a block only raises an exception."""
        return (
            bool(body)
            and isinstance(body[-1], ast.Raise)
            and not any(
                isinstance(n, ast.If | ast.For | ast.While | ast.Return)
                for s in body
                for n in ast.walk(s)
            )
        )

    def require(self, test: Known | Term) -> None:
        """Inputs that the function refuses before it draws anything are no inputs."""
        text = text_of(test)
        if text not in self.required:
            self.required.append(text)

    def raised(self, frame: Frame, node: ast.Raise) -> None:
        """An exception is something that is seen."""
        if self.path is self._start and not self.writer.drawn:
            raise frame.module.refuse(node, "the function always raises an exception")
        self.left += 1
        self.writer.say("yield 'raises'")
        self.writer.release([])

    def release(self, frame: Frame, value: Value, node: ast.AST) -> None:
        """The function that is read returns: that is what the mechanism releases."""
        self.left += 1
        if isinstance(value, Vector):
            self._each(frame, value, node)
            self.writer.release([])
            return
        items = value.items if isinstance(value, Fixed) else [value]
        if any(isinstance(item, Vector | Fixed) for item in items):
            for item in items:
                for single in item.items if isinstance(item, Fixed) else [item]:
                    if isinstance(single, Vector):
                        self._each(frame, single, node)
                    else:
                        shown = text_of(frame.expressions.drawn(single, node, "answer"))
                        self.writer.say(f"yield {shown}")
            self.writer.release([])
            return
        scalars = [frame.expressions.drawn(item, node, "answer") for item in items]
        self.writer.release([text_of(one) for one in scalars])

    def _each(self, frame: Frame, value: Vector, node: ast.AST) -> None:
        """Release the elements of a vector."""
        frame.use(value, node)
        length = frame.length(value, node)
        index = self.counter("i", length)
        with self.writer.inside(f"for {index} in range({text_of(length)}):"):
            with self.another_round():
                item = value.element(name(index, "int"))
                element = frame.expressions.drawn(item, node, "entry")
            self.writer.say(f"yield {text_of(stored(element, value.kind))}")

    def counter(self, wanted: str, length: Value) -> str:
        """The variable of a loop that counts up to a length."""
        found = self.writer.fresh(wanted)
        if isinstance(length, Known | Term):
            self.said.between(found, "0", f"{text_of(length)} - 1")
        return found

    # What the text of a function says of its names.

    def uses(self, frame: Frame, text: str) -> int:
        """How often a name is read in the function; in a loop more than once."""
        return 0 if frame.node is None else _reads(frame.node, text, 1)

    def read_later(self, frame: Frame, text: str, loop: ast.stmt) -> bool:
        """Whether a name is read in the function after a loop, or around it."""
        if frame.node is None:
            return True
        inside = {id(n) for n in ast.walk(loop)}
        around = any(
            isinstance(n, ast.For | ast.While)
            and n is not loop
            and id(loop) in map(id, ast.walk(n))
            for n in ast.walk(frame.node)
        )
        return any(
            isinstance(n, ast.Name)
            and n.id == text
            and isinstance(n.ctx, ast.Load)
            and id(n) not in inside
            and (around or n.lineno > (loop.end_lineno or 0))
            for n in ast.walk(frame.node)
        )

    def is_only(self, frame: Frame, text: str, value: Value) -> bool:
        """Whether a list was made in this case and has no other name."""
        others = [v for key, v in frame.names.items() if key != text]
        path = value.path if isinstance(value, Vector | Fixed) else None
        return path is self.path and not any(v is value for v in others)


def _reads(node: ast.AST, text: str, weight: int) -> int:
    found = 0
    for child in ast.iter_child_nodes(node):
        inside = weight
        if isinstance(child, ast.For | ast.While | ast.ListComp | ast.GeneratorExp):
            inside = weight + 1
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name):
            inside = 1  # one place a round
        if isinstance(child, ast.Name) and child.id == text and isinstance(child.ctx, ast.Load):
            stored = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
            found += 0 if stored else inside
        found += _reads(child, text, inside)
    return found


def _flip(block: list[Line]) -> tuple[str, str] | None:
    """The variable and the probability, if a block begins with the flip of a coin."""
    found = re.fullmatch(r"(\w+) = sample\(Bernoulli\((.*)\)\)", block[0].text) if block else None
    return (found[1], found[2]) if found else None


def _parts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [part for value in node.values for part in _parts(value)]
    return [node]


#: Decorators that leave a function as it is, by the full names that they have.
HARMLESS = ("numba.", "abc.abstractmethod", "builtins.")
_MARKS = {"staticmethod", "classmethod", "property"}


def check(node: ast.FunctionDef | ast.Lambda, module: SourceModule, run: Run) -> None:
    """Refuse functions that are more than what stands in them.

    Raises:
        Unsupported: it yields, has a decorator that is not known, or changes names outside.
    """
    for inner in ast.walk(node):
        if isinstance(inner, ast.Yield | ast.YieldFrom | ast.Await | ast.Global | ast.Nonlocal):
            raise module.refuse(inner, "a generator, or names of other functions that are assigned")
    for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
        text = ast.unparse(decorator)
        if text in _MARKS and text not in module.names:
            continue
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if ast.unparse(called) in run.reading.decorators:
            run.taken.append(f"the decorator {ast.unparse(called)} changes nothing")
            continue
        found = Frame(run, module, {}, tail=False).expressions.value(called)
        if not (isinstance(found, External) and found.name.startswith(HARMLESS)):
            raise module.refuse(decorator, "a decorator", "name it in the reading's decorators")


def _is_load(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _bound_in(owner: Class, text: str) -> ast.FunctionDef | ast.expr | None:
    """What a class binds to a name itself.

    Raises:
        Unsupported: that is not known.
    """
    found: ast.FunctionDef | ast.expr | None = None
    for node in owner.node.body:
        match node:
            case ast.FunctionDef(name=name) if name == text:
                if found is not None:
                    raise owner.module.refuse(node, "a name that a class binds twice")
                found = node
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == text:
                found = value
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if name == text:
                found = value
            case ast.FunctionDef() | ast.Assign() | ast.AnnAssign() | ast.Expr() | ast.Pass():
                pass
            case _:
                if any(text in bound_names(inner) for inner in ast.walk(node)):
                    raise owner.module.refuse(node, "a name that a class binds in one case only")
    return found
