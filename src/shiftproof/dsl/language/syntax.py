"""The syntax of a mechanism after parsing: expressions and statements, each with its place.

Expressions are pure; the only statement that draws noise is :class:`Sample`.
``for`` loops, chained comparisons, augmented assignments and helper functions are
gone: the parser writes them in terms of what is here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from ..noise import Distribution

Kind = Literal["int", "float"]


@dataclass(frozen=True, slots=True)
class Span:
    """Where a piece of syntax stands: line and column from 1, and its width, in bytes of UTF-8."""

    line: int
    column: int
    width: int = 1


NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Expression:
    """Base of all expressions."""

    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Constant(Expression):
    """A number; ``kind`` tells 1 from 1.0."""

    value: Fraction
    kind: Kind


@dataclass(frozen=True, slots=True)
class BooleanConstant(Expression):
    """``True`` or ``False``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Label(Expression):
    """An atom that stands for itself: ``None`` or a string."""

    value: str | None


@dataclass(frozen=True, slots=True)
class Name(Expression):
    """A variable or a scalar parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class Cell(Expression):
    """One element of a sequence parameter."""

    array: str
    index: Expression


@dataclass(frozen=True, slots=True)
class Length(Expression):
    """The length of a sequence parameter."""

    array: str


@dataclass(frozen=True, slots=True)
class Whole(Expression):
    """All elements of a local list; only as the weights of a draw."""

    array: str


@dataclass(frozen=True, slots=True)
class Arithmetic(Expression):
    """``left operator right`` for ``+ - * / // %``."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison(Expression):
    """``left operator right`` for ``< <= > >= == !=``; ``is`` and ``is not`` with an atom."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Connective(Expression):
    """``and`` or ``or`` of two or more, short-circuiting from the left."""

    operator: Literal["and", "or"]
    members: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Negation(Expression):
    """``not inner``."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Conditional(Expression):
    """``yes if test else no``."""

    test: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True, slots=True)
class Builtin(Expression):
    """``min``, ``max``, ``abs``, ``int``, ``round`` or ``exp``; ``index`` insists on an int."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Let(Expression):
    """``body`` with names bound to values first: an inlined call of a helper function."""

    names: tuple[str, ...]
    values: tuple[Expression, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Other(Expression):
    """The value that the expression has in the paired run on D'; only in alignments."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Counted(Expression):
    """How many records of a data set meet a condition on the cells of :func:`record_name`."""

    data: str
    test: Expression


@dataclass(frozen=True, slots=True)
class Foretold(Expression):
    """The ``which``-th integer that is released or picked from here on (0: the next one).

    A prophecy: only in alignments.
    """

    which: int


@dataclass(frozen=True, slots=True)
class Chosen(Expression):
    """Whether an index is among those that the next ``top_k`` picks; only in alignments."""

    item: Expression


@dataclass(frozen=True, slots=True)
class Statement:
    """Base of all statements."""

    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    """Simultaneous assignment: ``a, b = b, a`` is one statement."""

    targets: tuple[str, ...]
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Sample(Statement):
    """``target = sample(distribution(arguments))``, with its annotated shift, if any.

    Of a distribution that takes a list, ``arguments`` are the list's elements, or one ``Whole``.
    """

    target: str
    distribution: type[Distribution]
    arguments: tuple[Expression, ...]
    shift: Expression | None = None


@dataclass(frozen=True, slots=True)
class Ensure(Statement):
    """A one-sided claim: on every run that comes here, the condition holds."""

    claim: Expression


@dataclass(frozen=True, slots=True)
class MakeList(Statement):
    """``target = [fill] * length``; without ``fill`` the list is empty, and elements come later."""

    target: str
    fill: Expression | None
    length: Expression


@dataclass(frozen=True, slots=True)
class Store(Statement):
    """``array[index] = value``; without ``index`` at the end, which makes the list longer."""

    array: str
    index: Expression | None
    value: Expression


@dataclass(frozen=True, slots=True)
class Pick(Statement):
    """``target = argmax(array)``, or ``target = top_k(array, count)``, a list of indices."""

    target: str
    array: str
    count: Expression | None = None


ListStep = MakeList | Store | Pick


@dataclass(frozen=True, slots=True)
class If(Statement):
    """``if test: yes else: no``."""

    test: Expression
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class While(Statement):
    """A loop; ``step`` runs after the body and after every ``continue``."""

    test: Expression
    body: tuple[Statement, ...]
    step: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Break(Statement):
    """``break``."""


@dataclass(frozen=True, slots=True)
class Continue(Statement):
    """``continue``."""


@dataclass(frozen=True, slots=True)
class Release(Statement):
    """``yield value``: one value leaves the mechanism."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Return(Statement):
    """The end; the values, if any, are released first."""

    values: tuple[Expression, ...] = ()


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct parts of an expression, in evaluation order."""
    match expression:
        case Cell(index=index):
            return (index,)
        case Arithmetic(left=left, right=right) | Comparison(left=left, right=right):
            return (left, right)
        case Connective(members=members):
            return members
        case Counted(test=test):
            return (test,)
        case Negation(inner=inner) | Other(inner=inner) | Chosen(item=inner):
            return (inner,)
        case Conditional(test=test, yes=yes, no=no):
            return (test, yes, no)
        case Builtin(arguments=arguments):
            return arguments
        case Let(values=values, body=body):
            return (*values, body)
    return ()


def at_one_place(expression: Expression, span: Span) -> Expression:
    """The expression with all its parts at one place."""
    changed: dict[str, Any] = {"span": span}
    for part in fields(expression):
        value = getattr(expression, part.name)
        if isinstance(value, Expression):
            changed[part.name] = at_one_place(value, span)
        elif isinstance(value, tuple) and any(isinstance(v, Expression) for v in value):
            changed[part.name] = tuple(at_one_place(v, span) for v in value)
    return replace(expression, **changed)


@lru_cache(maxsize=4096)
def names_in(expression: Expression) -> frozenset[str]:
    """Every variable and parameter that the expression reads from around it."""
    if isinstance(expression, Let):
        outer = frozenset[str]().union(*map(names_in, expression.values))
        return outer | (names_in(expression.body) - set(expression.names))
    if isinstance(expression, Counted):
        return (names_in(expression.test) - {record_name(expression.data)}) | {expression.data}
    own = {expression.name} if isinstance(expression, Name) else set()
    if isinstance(expression, Cell | Length | Whole):
        own.add(expression.array)
    return frozenset(own.union(*(names_in(child) for child in children(expression))))


def names_in_other(expression: Expression) -> frozenset[str]:
    """The names that an expression reads in the other run."""
    if isinstance(expression, Other):
        return names_in(expression.inner)
    return frozenset().union(*map(names_in_other, children(expression)))


def record_name(data: str) -> str:
    """The name that one record of a data set goes by in a condition on records."""
    return f"record@{data}"
