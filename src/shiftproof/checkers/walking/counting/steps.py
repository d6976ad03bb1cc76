"""The steps and draws of a program on concrete values, for counting again."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ....dsl.language.flow import AssignNode, EndNode, Flow, ListNode, Node, SampleNode, operands
from ....dsl.language.syntax import Sample, Store, Whole
from ....dsl.terms.linear import Linear
from .numbers import ONE, Numbers, Quotient, value_text
from .signs import Signs
from .values import NO, YES, Bit, Held, Open, Part, Real, Wrong, term_of


class Step:
    """A node: what it evaluates, in order, and whether that looks at private inputs.

    ``stops``: it is a draw or the end.
    """

    def __init__(self, node: Node, private: frozenset[str]) -> None:
        self.node = node
        self.stops = isinstance(node, SampleNode | EndNode)
        found = operands(node)
        #: A sequence of which all elements are needed, after everything else.
        self.whole = found[-1].array if found and isinstance(found[-1], Whole) else ""
        self.parts = tuple(Part(e, private) for e in found if not isinstance(e, Whole))
        self.looks = self.whole in private or any(part.looks for part in self.parts)


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


def truth_of(held: Held) -> bool:
    """A condition's value."""
    if isinstance(held, Bit):
        return held.value
    raise Wrong("a condition is no Boolean")


def picked(cells: Held, count: Held) -> tuple[int, ...]:
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
