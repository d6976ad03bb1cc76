"""One meaning for the language: what is evaluated when, and what a step does with it.

Nothing here knows what a number is.  A :class:`Domain` says what numbers, conditions and
variables are; :func:`value` evaluates an expression over it, in Python's order and with Python's
short circuits.  An :class:`Execution` says what the states of a run are: which ways a test leaves
open, what a draw gives, what is seen of a release; :func:`step` takes one step of a flow over it.
One state may go on in several ways, and a step gives all of them, in the order in which they are
to be followed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Generic, TypeVar, cast

from .flow import (
    AssignNode,
    BranchNode,
    CallNode,
    EnsureNode,
    HeadNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
)
from .syntax import (
    Arithmetic,
    Builtin,
    Cell,
    Comparison,
    Conditional,
    Connective,
    Constant,
    Expression,
    Let,
    MakeList,
    Name,
    Negation,
    Pick,
    Sample,
    Store,
)

V = TypeVar("V")
S = TypeVar("S")


class Domain(ABC, Generic[V]):
    """What expressions mean; methods get the expression, for messages, and what it is made of."""

    @abstractmethod
    def operation(self, e: Expression, values: Sequence[V]) -> V:
        """What an expression is whose parts are all evaluated first; these have the values.

        Parts that speak of records, of the other run or of what is to come, the domain evaluates.
        """

    @abstractmethod
    def connective(self, e: Connective, members: Sequence[Callable[[], V]]) -> V:
        """``and`` or ``or``: a member is asked for only if Python comes to it."""

    @abstractmethod
    def conditional(self, e: Conditional, test: V, yes: Callable[[], V], no: Callable[[], V]) -> V:
        """``yes if test else no``: an arm is asked for only if Python comes to it."""

    def let(self, e: Let, values: Sequence[Callable[[], V]], body: Callable[[], V]) -> V:
        """The body, with names of its own, that no others have, for values: these come first."""
        for name, evaluate in zip(e.names, values, strict=True):
            self.bind(name, evaluate())
        return body()

    def bind(self, name: str, bound: V) -> None:
        """Let a name inside an expression stand for a value."""
        raise NotImplementedError(name)


def value(d: Domain[V], e: Expression) -> V:
    """What an expression means in a domain: its parts first, from left to right."""
    match e:
        case Name() | Constant():  # the most frequent ones
            return d.operation(e, ())
        case Arithmetic(left=left, right=right) | Comparison(left=left, right=right):
            return d.operation(e, (value(d, left), value(d, right)))
        case Cell(index=inner) | Negation(inner=inner):
            return d.operation(e, (value(d, inner),))
        case Connective(members=members):
            return d.connective(e, [partial(value, d, member) for member in members])
        case Conditional(test=test, yes=yes, no=no):
            arms = partial(value, d, yes), partial(value, d, no)
            return d.conditional(e, value(d, test), *arms)
        case Builtin(arguments=arguments):
            return d.operation(e, [value(d, a) for a in arguments])
        case Let(values=values, body=body):
            return d.let(e, [partial(value, d, v) for v in values], partial(value, d, body))
    return d.operation(e, ())


class Execution(ABC, Generic[S, V]):
    """What runs are: their states, and which ways lead on from them.

    A method that gives a state may change the one that it gets, unless it gives several.
    """

    @abstractmethod
    def evaluated(self, state: S, node: Node) -> Iterable[tuple[S, Sequence[V]]]:
        """The values of a node's ``operands``; several if the runs of a state part over them."""

    @abstractmethod
    def ways(self, state: S, node: BranchNode | HeadNode, test: V) -> Iterable[tuple[S, bool]]:
        """The ways that a test leaves open, with what it is on them."""

    @abstractmethod
    def draw(self, state: S, sample: Sample, arguments: Sequence[V]) -> Iterable[tuple[S, V]]:
        """What a draw may give, each value with the state in which it was drawn."""

    @abstractmethod
    def release(self, state: S, node: ReleaseNode, values: Sequence[V]) -> Iterable[S]:
        """The state after something was released; several if what was released is told apart."""

    def claimed(self, state: S, node: EnsureNode, claim: V) -> S:
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


def step(d: Execution[S, V], state: S, node: Node) -> Iterator[tuple[S, int]]:
    """The ways on from a node, each with the node that it leads to; an end leads nowhere."""
    for way, found in d.evaluated(state, node):
        match node:
            case AssignNode(step=assign, after=after):
                yield d.put(way, assign.targets, found), after
            case BranchNode(yes=yes, no=no) | HeadNode(body=yes, exit=no):
                for taken, holds in d.ways(way, node, found[0]):
                    yield taken, yes if holds else no
            case SampleNode(step=sample, after=after):
                for drawn, result in d.draw(way, sample, found):
                    yield d.put(drawn, (sample.target,), (result,)), after
            case ReleaseNode(after=after):
                for seen in d.release(way, node, found):
                    yield seen, after
            case EnsureNode(after=after):
                yield d.claimed(way, node, found[0]), after
            case ListNode(after=after):
                yield _list_step(d, way, node, found), after
            case CallNode():
                raise AssertionError("calls are written out before")


def _list_step(d: Execution[S, V], state: S, node: ListNode, found: Sequence[V]) -> S:
    match node.step:
        case MakeList(target=target, fill=fill):
            size = d.size(found[-1])
            return d.put(state, (target,), (d.listed(() if fill is None else (found[0],) * size),))
        case Store(array=array, index=None):
            return d.put(state, (array,), (d.listed((*d.cells(state, array), found[0])),))
        case Store(array=array):
            cells = d.cells(state, array)
            return d.put(state, (array,), (d.listed(d.stored(cells, found[1], found[0])),))
        case Pick(target=target, count=count):
            picked = d.largest(state, found[-1], found[:-1])
            return d.put(state, (target,), (picked[0] if count is None else d.listed(picked),))
