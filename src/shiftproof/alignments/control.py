"""Finite control: variables that only ever hold a few numbers, and decide what a loop does next.

before:  state = 0, and in a loop: if state == 0: … state = 1
after:   {"state"}

At a loop head each of their values has a description of its own: what holds of a threshold
before it is drawn need not hold after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from operator import add, floordiv, mod, mul, sub

from ..dsl.language.flow import AssignNode, BranchNode, Flow, HeadNode, writes
from ..dsl.language.syntax import (
    Arithmetic,
    Conditional,
    Constant,
    Expression,
    Name,
    names_in,
)

#: How many values one variable may have, and how many ways they may have them together.
MOST_VALUES = 12
MOST_TOGETHER = 32

_OPERATIONS: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "//": lambda a, b: Fraction(floordiv(a, b)),
    "%": mod,
}

Values = frozenset[Fraction]


def finite_variables(flow: Flow) -> frozenset[str]:
    """The variables that loops go by, each with few values, those with the fewest first."""
    tests = [node.test for node in flow.nodes if isinstance(node, BranchNode | HeadNode)]
    asked = frozenset[str]().union(*map(names_in, tests))
    changed = frozenset[str]().union(*flow.assigned.values())
    if not asked & changed:
        return frozenset()
    found = {n: len(v) for n, v in _values(flow).items() if n in asked & changed and len(v) > 1}
    kept: list[str] = []
    for name in sorted(found, key=lambda n: (found[n], n)):
        if prod(found[n] for n in (*kept, name)) <= MOST_TOGETHER:
            kept.append(name)
    return frozenset(kept)


def _values(flow: Flow) -> dict[str, Values]:
    """The variables of which all values are known, with these."""
    assigned: dict[str, list[Expression]] = {}
    unknown: set[str] = set()
    for node in flow.nodes:
        if isinstance(node, AssignNode):
            for name, e in zip(node.step.targets, node.step.values, strict=True):
                assigned.setdefault(name, []).append(e)
        else:
            unknown |= writes(node)
    known = {name: Values() for name in assigned if name not in unknown}
    waiting = set(known)
    while waiting:
        name = waiting.pop()
        found = _joined(_of(e, known) for e in assigned[name])
        if found is None:
            del known[name]
        elif found != known[name]:
            known[name] = found
        else:
            continue
        waiting |= {n for n in known if any(name in names_in(e) for e in assigned[n])}
    return known


def _of(e: Expression, known: Mapping[str, Values]) -> Values | None:
    """What an expression may come to; ``None``: anything, or too much."""
    match e:
        case Constant(value=value, kind="int"):
            return Values((Fraction(value),))
        case Name(name=name):
            return known.get(name)
        case Conditional(yes=yes, no=no):
            return _joined((_of(yes, known), _of(no, known)))
        case Arithmetic(operator=operator, left=left, right=right) if operator in _OPERATIONS:
            firsts, seconds = _of(left, known), _of(right, known)
            if firsts is None or seconds is None:
                return None
            if operator in ("//", "%") and Fraction(0) in seconds:
                return None
            step = _OPERATIONS[operator]
            return _joined(Values((step(a, b),)) for a, b in product(firsts, seconds))
    return None


def _joined(parts: Iterator[Values | None] | tuple[Values | None, ...]) -> Values | None:
    found = Values()
    for part in parts:
        if part is None or len(found := found | part) > MOST_VALUES:
            return None
    return found
