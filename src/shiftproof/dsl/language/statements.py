"""Statements of a mechanism after parsing: each class says all that there is to know of it.

What it evaluates, reads and binds stands in its fields; what it does to runs, in ``perform``; how
the core text has it, in ``written``.  ``for`` loops and augmented assignments are gone: the parser
writes them in terms of what is here.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Protocol, TypeVar, cast

from ..noise import Distribution
from .syntax import (
    Bound,
    Changed,
    Expression,
    Read,
    Span,
    Whole,
    all_names,
    children,
    held,
    names_in,
)

V = TypeVar("V")
S = TypeVar("S")


class Runs(ABC, Generic[S, V]):
    """What runs are: their states, and what statements do to them.

    A method that gives a state may change the one that it gets, unless it gives several.
    """

    @abstractmethod
    def draw(self, state: S, sample: Sample, arguments: Sequence[V]) -> Iterable[tuple[S, V]]:
        """What a draw may give, each value with the state in which it was drawn."""

    @abstractmethod
    def release(self, state: S, step: Release, values: Sequence[V]) -> Iterable[S]:
        """The state after something was released; several if what was released is told apart."""

    def claimed(self, state: S, step: Ensure, claim: V) -> S:
        """A one-sided claim was evaluated; here it changes nothing."""
        return state

    @abstractmethod
    def names(self, state: S) -> dict[str, V]:
        """What its variables hold."""

    def put(self, state: S, targets: Sequence[str], values: Sequence[V]) -> S:
        """The state after an assignment."""
        self.names(state).update(zip(targets, values, strict=True))
        return state

    # Lists, where there are any, are tuples of values.

    def cells(self, state: S, array: str) -> tuple[V, ...]:
        """What a list holds."""
        found = self.names(state)[array]
        assert isinstance(found, tuple), array
        return found

    def listed(self, cells: tuple[V, ...]) -> V:
        """A list as a value."""
        return cast(V, cells)

    def size(self, count: V) -> int:
        """How many elements a list is made with: what is below zero makes none."""
        raise NotImplementedError(count)

    def place(self, index: V, cells: tuple[V, ...]) -> int:
        """Where a list is stored into; the index may be out of range."""
        raise NotImplementedError(index)

    def stored(self, cells: tuple[V, ...], index: V, value: V) -> tuple[V, ...]:
        """A list with another element at an index."""
        i = self.place(index, cells)
        return (*cells[:i], value, *cells[i + 1 :])

    def largest(self, state: S, cells: V, count: Sequence[V]) -> tuple[V, ...]:
        """The indices of the largest: so many, or of no ``count`` one; of equal ones the first."""
        raise NotImplementedError(cells)


class Writer(Protocol):
    """What writes a core text: names, expressions and blocks as Python's syntax."""

    def name(self, name: str) -> ast.Name:
        """A variable that is read."""
        ...

    def target(self, name: str) -> ast.Name:
        """A variable that is bound."""
        ...

    def targets(self, names: Iterable[str]) -> ast.Tuple:
        """Variables that are bound at once."""
        ...

    def function(self, called: object) -> str:
        """The name of a mechanism that is called."""
        ...

    def expression(self, e: Expression) -> ast.expr:
        """An expression."""
        ...

    def block(self, body: Sequence[Statement]) -> list[ast.stmt]:
        """A block of statements."""
        ...


@dataclass(frozen=True, slots=True)
class Statement:
    """Base of all statements.

    Its fields are in the order in which they are evaluated, and their types say what they hold.
    """

    role: ClassVar = "statement"
    span: Span = field(compare=False)

    def operands(self) -> tuple[Expression, ...]:
        """What it evaluates in one run, in order; an alignment is none of that."""
        return children(self)

    def reads(self) -> frozenset[str]:
        """The variables and inputs that it needs the values of."""
        return all_names(children(self)).union(held(self, "read"))

    def perform(self, runs: Runs[S, V], state: S, found: Sequence[V]) -> Iterable[S]:
        """The states that it leads to, once the values of its operands are known."""
        raise AssertionError(self)

    def written(self, w: Writer) -> ast.stmt:
        """The core text of it."""
        raise AssertionError(self)


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    """Simultaneous assignment: ``a, b = b, a`` is one statement."""

    targets: tuple[Bound, ...]
    values: tuple[Expression, ...]

    def perform(self, runs: Runs[S, V], state: S, found: Sequence[V]) -> Iterable[S]:
        """The values, in the variables."""
        return (runs.put(state, self.targets, found),)

    def written(self, w: Writer) -> ast.stmt:
        """``a = …``."""
        if len(self.targets) == 1:
            return ast.Assign([w.target(self.targets[0])], w.expression(self.values[0]))
        values = ast.Tuple(list(map(w.expression, self.values)), ast.Load())
        return ast.Assign([w.targets(self.targets)], values)


@dataclass(frozen=True, slots=True)
class Sample(Statement):
    """``target = sample(distribution(arguments))``, with its annotated shift, if any.

    Of a distribution that takes a list, ``arguments`` are the list's elements, or one ``Whole``.
    """

    target: Bound
    distribution: type[Distribution]
    arguments: tuple[Expression, ...]
    shift: Expression | None = None

    def operands(self) -> tuple[Expression, ...]:
        """The parameters of its law."""
        return self.arguments

    def reads(self) -> frozenset[str]:
        """A shift speaks of the draw that it shifts, not of what the name held before."""
        shift = frozenset() if self.shift is None else names_in(self.shift)
        return all_names(self.arguments) | (shift - {self.target})

    def perform(self, runs: Runs[S, V], state: S, found: Sequence[V]) -> Iterable[S]:
        """Every value that may be drawn."""
        for drawn, value in runs.draw(state, self, found):
            yield runs.put(drawn, (self.target,), (value,))

    def written(self, w: Writer) -> ast.stmt:
        """A distribution that takes a list has it written out, or by its name."""
        arguments = list(map(w.expression, self.arguments))
        if self.distribution.listed and not isinstance(self.arguments[0], Whole):
            arguments = [ast.List(arguments, ast.Load())]
        law = call(self.distribution.__name__, *arguments)
        return ast.Assign([w.target(self.target)], call("sample", law))


@dataclass(frozen=True, slots=True)
class Ensure(Statement):
    """A one-sided claim: on every run that comes here, the condition holds."""

    claim: Expression

    def perform(self, runs: Runs[S, V], state: S, found: Sequence[V]) -> Iterable[S]:
        """It is evaluated."""
        return (runs.claimed(state, self, found[0]),)

    def written(self, w: Writer) -> ast.stmt:
        """``ensure(…)``."""
        return ast.Expr(call("ensure", w.expression(self.claim)))


@dataclass(frozen=True, slots=True)
class MakeList(Statement):
    """``target = [fill] * length``; without ``fill`` the list is empty, and elements come later."""

    target: Bound
    fill: Expression | None
    length: Expression

    def perform(self, runs: Runs[S, V], state: S, found: Sequence[V]) -> Iterable[S]:
        """The list is made."""
        size = runs.size(found[-1])
        made = runs.listed(() if self.fill is None else (found[0],) * size)
        return (runs.put(state, (self.target,), (made,)),)

    def written(self, w: Writer) -> ast.stmt:
        """``a = []``, or ``a = [fill] * length``."""
        made: ast.expr = ast.List([w.expression(e) for e in (self.fill,) if e], ast.Load())
        if self.fill is not None:
            made = ast.BinOp(made, ast.Mult(), w.expression(self.length))
        return ast.Assign([w.target(self.target)], made)


@dataclass(frozen=True, slots=True)
class Store(Statement):
    """``array[index] = value``; without ``index`` at the end, which makes the list longer."""

    array: Changed  # the other elements stay
    value: Expression
    index: Expression | None

    def perform(self, runs: Runs[S, V], state: S, found: Sequence[V]) -> Iterable[S]:
        """The list with one more element, or another one."""
        cells = runs.cells(state, self.array)
        longer = self.index is None
        changed = (*cells, found[0]) if longer else runs.stored(cells, found[1], found[0])
        return (runs.put(state, (self.array,), (runs.listed(changed),)),)

    def written(self, w: Writer) -> ast.stmt:
        """``a.append(…)``, or ``a[…] = …``."""
        array, value = w.name(self.array), w.expression(self.value)
        if self.index is None:
            append = ast.Attribute(array, "append", ast.Load())
            return ast.Expr(ast.Call(append, [value], []))
        cell = ast.Subscript(array, w.expression(self.index), ast.Store())
        return ast.Assign([cell], value)


@dataclass(frozen=True, slots=True)
class Pick(Statement):
    """``target = argmax(array)``, or ``target = top_k(array, count)``, a list of indices."""

    target: Bound
    array: Read
    count: Expression | None = None

    def operands(self) -> tuple[Expression, ...]:
        """The list that is picked from stands last."""
        return (*children(self), Whole(self.span, self.array))

    def perform(self, runs: Runs[S, V], state: S, found: Sequence[V]) -> Iterable[S]:
        """An index, or several."""
        picked = runs.largest(state, found[-1], found[:-1])
        held = picked[0] if self.count is None else runs.listed(picked)
        return (runs.put(state, (self.target,), (held,)),)

    def written(self, w: Writer) -> ast.stmt:
        """``i = argmax(a)``, or ``a = top_k(b, k)``."""
        word = "argmax" if self.count is None else "top_k"
        given = [w.name(self.array), *map(w.expression, children(self))]
        return ast.Assign([w.target(self.target)], call(word, *given))


ListStep = MakeList | Store | Pick


@dataclass(frozen=True, slots=True)
class Release(Statement):
    """``yield value``: values leave the mechanism."""

    values: tuple[Expression, ...]

    def perform(self, runs: Runs[S, V], state: S, found: Sequence[V]) -> Iterable[S]:
        """They are seen."""
        return runs.release(state, self, found)

    def written(self, w: Writer) -> ast.stmt:
        """One at a time."""
        (value,) = self.values
        return ast.Expr(ast.Yield(w.expression(value)))


@dataclass(frozen=True, slots=True)
class Return(Statement):
    """The end; the values, if any, are released first."""

    values: tuple[Expression, ...] = ()

    def written(self, w: Writer) -> ast.stmt:
        """``return``, with what is released."""
        found = list(map(w.expression, self.values))
        if len(found) > 1:
            return ast.Return(ast.Tuple(found, ast.Load()))
        return ast.Return(*found)


@dataclass(frozen=True, slots=True)
class If(Statement):
    """``if test: yes else: no``."""

    test: Expression
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...]

    def written(self, w: Writer) -> ast.stmt:
        """An empty ``else`` is left out."""
        yes, no = w.block(self.yes), w.block(self.no) if self.no else []
        return ast.If(w.expression(self.test), yes, no)


@dataclass(frozen=True, slots=True)
class While(Statement):
    """A loop; ``step`` runs after the body and after every ``continue``."""

    test: Expression
    body: tuple[Statement, ...]
    step: tuple[Statement, ...] = ()

    def written(self, w: Writer) -> ast.stmt:
        """A loop without a step."""
        return ast.While(w.expression(self.test), w.block(self.body), [])


@dataclass(frozen=True, slots=True)
class Break(Statement):
    """``break``."""

    def written(self, w: Writer) -> ast.stmt:
        """The word."""
        return ast.Break()


@dataclass(frozen=True, slots=True)
class Continue(Statement):
    """``continue``."""

    def written(self, w: Writer) -> ast.stmt:
        """The word."""
        return ast.Continue()


def call(word: str, *arguments: ast.expr) -> ast.Call:
    """A call of a word."""
    return ast.Call(ast.Name(word, ast.Load()), list(arguments), [])


def assigned_in(body: Iterable[Statement]) -> frozenset[str]:
    """Every variable that a block may assign."""
    found: set[str] = set()
    for s in body:
        found |= {*held(s, "bound"), *held(s, "changed"), *assigned_in(held(s, "statement"))}
    return frozenset(found)
