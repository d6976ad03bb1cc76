"""One meaning for the language: what is evaluated when, and what a step does with it.

Nothing here knows what a number is.  A :class:`Domain` says what numbers, conditions and
variables are; :func:`value` evaluates an expression over it, in Python's order and with Python's
short circuits.  An :class:`Execution` says what the states of a run are: which ways a test leaves
open, what a draw gives, what is seen of a release; :func:`step` takes one step of a flow over it:
what a statement does, its class says.  One state may go on in several ways, and a step gives all of
them, in the order in which they are to be followed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Generic, TypeVar

from .flow import BranchNode, HeadNode, Node, StepNode
from .statements import Runs
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
    Name,
    Negation,
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


class Execution(Runs[S, V]):
    """What runs are: besides what statements do to them, which ways lead on from a state.

    A method that gives a state may change the one that it gets, unless it gives several.
    """

    @abstractmethod
    def evaluated(self, state: S, node: Node) -> Iterable[tuple[S, Sequence[V]]]:
        """The values of a node's ``operands``; several if the runs of a state part over them."""

    @abstractmethod
    def ways(self, state: S, node: BranchNode | HeadNode, test: V) -> Iterable[tuple[S, bool]]:
        """The ways that a test leaves open, with what it is on them."""


def step(d: Execution[S, V], state: S, node: Node) -> Iterator[tuple[S, int]]:
    """The ways on from a node, each with the node that it leads to; an end leads nowhere."""
    for way, found in d.evaluated(state, node):
        match node:
            case StepNode(step=statement, after=after):
                for done in statement.perform(d, way, found):
                    yield done, after
            case BranchNode(yes=yes, no=no) | HeadNode(body=yes, exit=no):
                for taken, holds in d.ways(way, node, found[0]):
                    yield taken, yes if holds else no
