"""One function of a library from its text to the text of a mechanism."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeGuard

from .body.frame import Frame
from .body.keeping import taken
from .body.releases import Releases
from .modules import SourceModule
from .names import Names, check
from .reading import Reading
from .scoping.scopes import local_names
from .terms.aliases import references
from .terms.arguments import arguments_of
from .terms.arithmetic import comparison, is_positive
from .terms.decide import Said
from .terms.values import (
    Class,
    Fixed,
    Function,
    Kind,
    Known,
    Term,
    Thing,
    Value,
    Vector,
    is_fixed,
    name,
    text_of,
)
from .versions import plain
from .writer import Block, Writer

#: What stands in these may run several times.
_AGAIN = (
    ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.FunctionDef, ast.Lambda,
)  # fmt: skip
#: How deep functions of the library may call each other.
DEEPEST = 30


@dataclass(eq=False)
class Run:
    """What is known while a function is read, and what has been written."""

    reading: Reading
    module: SourceModule
    writer: Writer
    inputs: Mapping[str, str]
    said: Said
    positive: frozenset[str]
    given: dict[str, Value] = field(default_factory=dict)
    facts: dict[str, object] = field(default_factory=dict)
    mutable: set[str] = field(default_factory=set)
    #: Of each list of the language, what all its values are.
    kinds: dict[str, Kind] = field(default_factory=dict)
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
        #: The calls that are being read, the outermost one first.
        self.frames: list[Frame] = []
        self.names = Names(self)
        self.releases = Releases(self)

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
            check(function.node, function.module, self)
            first = function.this or next(iter(positional), None)
            owner = self._owner(function, first if isinstance(first, Thing | Class) else None)
            local = local_names(function.node)
            around = {t: v for t, v in (function.closure or {}).items() if t not in local}
            frame = Frame(
                self, function.module, around, tail, owner=owner, node=function.node, local=local
            )
            bound = arguments_of(
                function.node,
                positional,
                keywords,
                lambda default: self.names.default(function, default),
                function.this,
            )
            if isinstance(bound, str):
                place = caller.module if caller else function.module
                raise place.refuse(node, f"{ast.unparse(node)[:60]!r}: {bound}")
            with self.within(frame):
                frame.names |= {text: taken(frame, one, text, node) for text, one in bound.items()}
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

    @contextmanager
    def within(self, frame: Frame) -> Iterator[None]:
        """While a call is read: what its names stand for is in use."""
        self.frames.append(frame)
        try:
            yield
        finally:
            self.frames.pop()

    def _owner(self, function: Function, this: Thing | Class | None) -> ast.ClassDef | None:
        if this is None:
            return None
        own = this.owner if isinstance(this, Thing) else this.node
        for one in self.names.bases(own, this.module):
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
        this = Thing(owner.node, owner.module, path=self.path)
        start = self.names.member(this, "__init__")
        if isinstance(start, Function):
            self.call(start, positional, keywords, node, caller)
        elif positional or keywords:
            raise owner.module.refuse(owner.node, "arguments for a class without '__init__'")
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

    def learn(self, test: Known | Term) -> None:
        """From here on, to the end of this case or round, a condition holds."""
        if isinstance(test, Term) and not self._may_change(test.node):
            self.said.know(test.node)

    def _may_change(self, node: ast.expr) -> bool:
        """Whether a term is about variables or lists that are assigned again."""
        names = {plain(n.id) for n in ast.walk(node) if isinstance(n, ast.Name)}
        lists = {ast.unparse(n.value) for n in ast.walk(node) if isinstance(n, ast.Subscript)}
        return bool(names & self.mutable) or bool(lists - self.inputs.keys())

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Inside a case or a round: what was made outside is not changed there."""
        before, self.path = self.path, object()
        known = len(self.said.here)
        try:
            yield
        finally:
            self.path = before
            del self.said.here[known:]

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

    def may_divide_by_zero(self, op: ast.operator, by: Known | Term) -> bool:
        """Whether a division may be by zero in some runs, and not in others."""
        if not isinstance(op, ast.Div | ast.FloorDiv | ast.Mod) or is_positive(by, self.positive):
            return False
        if is_fixed(by) and self.at_the_start:  # then all runs raise it, or none
            return False
        test = comparison(ast.NotEq(), by, Known(0))
        return test is not None and self.decided(test) != Known(True)

    def split(self, test: Known | Term, yes: Block, no: Block) -> None:
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
        """The function raises an exception."""
        if self.path is self._start and not self.writer.drawn:
            raise frame.module.refuse(node, "the function always raises an exception")
        self.left += 1
        self.releases.exception(frame, node)

    def release(self, frame: Frame, value: Value, node: ast.AST) -> None:
        """The function that is read returns."""
        self.left += 1
        self.releases.result(frame, value, node)

    @contextmanager
    def loop(self, wanted: str, length: Known | Term) -> Iterator[Term]:
        """Inside ``for i in range(length)``: i."""
        index = self.writer.fresh(wanted)
        head = f"for {index} in range({text_of(length)}):"
        with self.apart(), self.another_round(), self.writer.inside(head):
            self.said.between(index, "0", f"({text_of(length)}) - 1")
            yield name(index, "int")

    # What the text of a function says of its names.

    def uses(self, frame: Frame, text: str) -> int:
        """How often a name is read in the function; in a loop, or another function, again."""
        return 0 if frame.node is None else _reads(frame.node, text, 1)

    def read_later(self, frame: Frame, text: str, loop: ast.stmt) -> int:
        """How often a name is read in the function after a loop, or around it."""
        if frame.node is None:
            return 2
        inside = {id(n) for n in ast.walk(loop)}
        around = any(
            isinstance(n, ast.For | ast.While)
            and n is not loop
            and id(loop) in map(id, ast.walk(n))
            for n in ast.walk(frame.node)
        )
        return sum(
            isinstance(n, ast.Name)
            and n.id == text
            and isinstance(n.ctx, ast.Load)
            and id(n) not in inside
            and (around or n.lineno > (loop.end_lineno or 0))
            for n in ast.walk(frame.node)
        )

    def is_own_list(self, value: Value | None) -> TypeGuard[Vector]:
        """Whether a value is a list of the language that the mechanism itself makes."""
        return isinstance(value, Vector) and bool(value.listed) and value.listed not in self.inputs

    def is_shared(self, value: Value) -> bool:
        """Whether there is more than one way to a list or an object: a second name, a holder."""
        frames = {id(frame): frame for frame in self.frames}.values()
        roots = [v for frame in frames for v in [*frame.names.values(), *frame.iterated_now]]
        own = self.frames[0].node if self.frames else None
        parameters = {a.arg for a in ast.walk(own) if isinstance(a, ast.arg)} if own else set()
        given = [v for text, v in self.given.items() if text not in parameters]
        return references([*roots, *given], value) > 1


def _reads(node: ast.AST, text: str, weight: int) -> int:
    found = 0
    for child in ast.iter_child_nodes(node):
        inside = weight + isinstance(child, _AGAIN)
        if isinstance(child, ast.Name) and child.id == text and isinstance(child.ctx, ast.Load):
            stored = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
            found += 0 if stored else inside
        found += _reads(child, text, inside)
    return found


def _flip(block: Block) -> tuple[str, str] | None:
    """The variable and the probability, if a block begins with the flip of a coin."""
    found = re.fullmatch(r"(\w+) = sample\(Bernoulli\((.*)\)\)", block[0].text) if block else None
    return (found[1], found[2]) if found else None


def _parts(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [part for value in node.values for part in _parts(value)]
    return [node]
