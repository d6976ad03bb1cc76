"""The steps and draws of a program on concrete values, for counting again."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ....dsl.language.flow import (
    AssignNode,
    BranchNode,
    CallNode,
    EndNode,
    EnsureNode,
    Flow,
    HeadNode,
    ListNode,
    Node,
    ReleaseNode,
    SampleNode,
)
from ....dsl.language.syntax import Expression, ListStep, MakeList, Pick, Sample, Span, Store, Whole
from ....dsl.terms.linear import Linear
from .numbers import ONE, Numbers, Quotient, value_text
from .signs import Signs
from .values import NO, YES, Bit, Held, Open, Part, Real, Wrong, term_of

#: The longest list.
LONGEST_LIST = 1_000


class Step:
    """A node: what it evaluates, in order, and whether that looks at private inputs.

    ``stops``: it is a draw or the end.
    """

    def __init__(self, node: Node, private: frozenset[str]) -> None:
        self.node = node
        self.stops = isinstance(node, SampleNode | EndNode)
        #: Where a condition leads to; what an assignment of one value changes.
        self.ways: tuple[int, int] | None = None
        self.target = ""
        if isinstance(node, BranchNode):
            self.ways = node.yes, node.no
        elif isinstance(node, HeadNode):
            self.ways = node.body, node.exit
        elif isinstance(node, AssignNode) and len(node.step.targets) == 1:
            self.target, self.after = node.step.targets[0], node.after
        whole, expressions = _evaluated(node)
        #: A sequence of which all elements are needed.
        self.whole = whole
        self.parts = tuple(Part(e, private) for e in expressions)
        self.looks = whole in private or any(part.looks for part in self.parts)

    @property
    def span(self) -> Span:
        """Where it stands."""
        node = self.node
        if isinstance(node, AssignNode | SampleNode | ListNode | CallNode):
            return node.step.span
        return node.span


def private_of(flow: Flow, private: frozenset[str]) -> frozenset[str]:
    """The private inputs that no step changes."""
    written: set[str] = set()
    for node in flow.nodes:
        if isinstance(node, AssignNode):
            written.update(node.step.targets)
        elif isinstance(node, SampleNode):
            written.add(node.step.target)
        elif isinstance(node, ListNode):
            written.add(node.step.array if isinstance(node.step, Store) else node.step.target)
    return private - written


def _evaluated(node: Node) -> tuple[str, tuple[Expression, ...]]:
    match node:
        case AssignNode(step=assign):
            return "", assign.values
        case BranchNode(test=test) | HeadNode(test=test) | EnsureNode(claim=test):
            return "", (test,)
        case ReleaseNode(values=values):
            return "", values
        case SampleNode(step=sample):
            if [type(e) for e in sample.arguments] == [Whole]:
                return sample.arguments[0].array, ()  # type: ignore[attr-defined]
            return "", sample.arguments
        case ListNode(step=MakeList(fill=fill, length=length)):
            return "", (length,) if fill is None else (fill, length)
        case ListNode(step=Store(index=index, value=value)):
            return "", (value,) if index is None else (value, index)
        case ListNode(step=Pick(array=array, count=count)):
            return array, () if count is None else (count,)
    return "", ()


def taken(
    step: Step,
    found: Sequence[Held],
    variables: dict[str, Held],
    released: list[str],
    numbers: Numbers,
) -> int:
    """Do what a node does with the values that it evaluates; where it goes on."""
    if step.ways is not None:
        return step.ways[0] if truth_of(found[0]) else step.ways[1]
    match step.node:
        case AssignNode(step=assign, after=after):
            variables.update(zip(assign.targets, found, strict=True))
            return after
        case ReleaseNode(after=after):
            released += [
                shown(held, part.constant, numbers)
                for held, part in zip(found, step.parts, strict=True)
            ]
            return after
        case EnsureNode(after=after):
            truth_of(found[0])
            return after
        case ListNode(step=change, after=after):
            _list(change, found, variables)
            return after
    raise Wrong(f"{type(step.node).__name__} is not counted")


def truth_of(held: Held) -> bool:
    """A condition's value."""
    if isinstance(held, Bit):
        return held.value
    raise Wrong("a condition is no Boolean")


def _list(step: ListStep, values: Sequence[Held], variables: dict[str, Held]) -> None:
    match step:
        case MakeList(target=target, fill=fill):
            size = values[-1]
            if type(size) is not int or size > LONGEST_LIST:
                raise Wrong("the length of a list")
            variables[target] = () if fill is None else (values[0],) * max(size, 0)
        case Store(array=array, index=None):
            cells = variables[array]
            assert isinstance(cells, tuple)
            if len(cells) >= LONGEST_LIST:
                raise Wrong("the length of a list")
            variables[array] = (*cells, values[0])
        case Store(array=array):
            held, i = variables[array], values[1]
            assert isinstance(held, tuple)
            if type(i) is not int or not 0 <= i < len(held):
                raise Open("an index out of range")
            variables[array] = (*held[:i], values[0], *held[i + 1 :])
        case Pick(target=target, count=count):
            # The list itself is evaluated last.
            found = _picked(values[-1], 1 if count is None else values[0])
            variables[target] = found[0] if count is None else found


def _picked(cells: Held, count: Held) -> tuple[int, ...]:
    """The indices of the largest numbers, of equal ones the first."""
    assert isinstance(cells, tuple)
    if type(count) is not int or not 0 <= count <= len(cells):
        raise Open(f"{count} of {len(cells)} values are picked")
    terms = [term_of(c) for c in cells]
    if not all(t.is_constant for t in terms):
        raise Wrong("real parameters are compared")
    order = sorted(range(len(cells)), key=lambda i: (-terms[i].constant, i))
    return tuple(order[:count])


def shown(held: Held, constant: bool, numbers: Numbers) -> str:
    """A released value as a text that no other value has."""
    if isinstance(held, Real):
        if not held.term.is_constant:
            found = numbers.of(held.term)
            if not set(found.top) <= {ONE}:
                return found.text
            raise Wrong("a released float is a number in a roundabout way")
        if not held.term.constant and not constant:
            raise Wrong("a float zero is released that was computed: it may have a sign")
        return value_text(Fraction(held.term.constant))
    if isinstance(held, tuple):
        raise Wrong("a list is released")
    return value_text(held.value if isinstance(held, Bit) else held)


# What a draw may give, each value with its probability, for counting again.

#: From how many values one may choose.
VALUES = 4_096

#: Values of positive probability.
Row = list[tuple[Held, Quotient]]


class Draws:
    """The draws of one check; equal ones are worked out once."""

    def __init__(self, numbers: Numbers, signs: Signs) -> None:
        self._numbers = numbers
        self._signs = signs
        self._rows: dict[object, Row] = {}

    def of(self, step: Sample, arguments: Sequence[Held]) -> Row:
        """The values of a draw; it raises if the distribution does not surely exist."""
        key = step.distribution, tuple(arguments)
        if key not in self._rows:
            self._rows[key] = self._row(step, [term_of(a) for a in arguments])
        return self._rows[key]

    def _row(self, step: Sample, terms: Sequence[Linear]) -> Row:
        shape = step.distribution.shape
        if shape == "coin":
            p = self._numbers.of(terms[0])
            rest = self._numbers.add(self._numbers.one, self._numbers.negative(p))
            if not (self._signs.holds(p, True) and self._signs.holds(rest, True)):
                raise Open(f"{p.text} is not shown to lie strictly between 0 and 1")
            return [(NO, rest), (YES, p)]
        if shape == "weights":
            return self._weighted(terms)
        if step.distribution.is_finite():
            return self._uniform(*terms)
        raise Wrong(f"{step.distribution.__name__} is not finite")

    def _weighted(self, terms: Sequence[Linear]) -> Row:
        if not terms:
            raise Open("a choice among nothing")
        if len(terms) > VALUES:
            raise Wrong(f"a draw from {len(terms)} values")
        weights = [self._numbers.of(t) for t in terms]
        total = self._numbers.zero
        for weight in weights:
            if not self._signs.holds(weight, False):
                raise Open(f"the weight {weight.text} may be negative")
            total = self._numbers.add(total, weight)
        if not self._signs.holds(total, True):
            raise Open(f"the weights {total.text} may all be zero")
        unit = self._numbers.inverse(total)
        shares = [self._numbers.multiply(w, unit) for w in weights]
        return [(k, p) for k, p in enumerate(shares) if p is not self._numbers.zero]

    def _uniform(self, low: Linear, high: Linear) -> Row:
        if not (low.is_constant and high.is_constant and low.integral and high.integral):
            raise Wrong(f"the bounds {low} and {high} of a draw are no integers")
        first, last = int(low.constant), int(high.constant)
        if last < first:
            raise Open(f"no integers from {first} to {last}")
        if last - first >= VALUES:
            raise Wrong(f"a draw between {first} and {last}")
        p = self._numbers.plain(Fraction(1, last - first + 1))
        return [(k, p) for k in range(first, last + 1)]
