"""Products of parameters with what varies, told to a linear solver.

before:  w > 0, -1 <= f - f' <= 1, and w*f, w*f' are unknowns of their own
after:   the same, and -w <= w*f - w*f' <= w

A comparison may be multiplied by what is positive.  Of each product the rest is multiplied out
in the comparisons that speak of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...dsl.terms.formulas import Formula, Sign, above, sign
from ...dsl.terms.linear import Atom, Linear, Product, monomial, number
from ..walking.runs.discharge import products_of
from .system import Solver

#: How many comparisons are made for one question at most.
MOST = 60


def multiplied(
    facts: Iterable[Formula], parts: Iterable[Linear | Formula], solver: Solver
) -> Iterator[Formula]:
    """Facts times the public factors with which their unknowns stand in some terms."""
    facts = list(facts)
    known = [fact for fact in facts if fact.fixed]
    made: set[str] = set()
    for factor, varying in _parted(parts):
        signs = [s for s in (1, -1) if solver.follows(known, above(factor.scaled(s), number(0)))]
        for fact in facts:
            if not isinstance(fact, Sign) or not signs:
                continue
            if any(atom == varying for atom, _ in fact.subject.parts):
                more = sign(fact.subject * factor.scaled(signs[0]), fact.relation)
                if more.key not in made and len(made) < MOST:
                    made.add(more.key)
                    yield more


def _parted(parts: Iterable[Linear | Formula]) -> list[tuple[Linear, Atom]]:
    """The products that are no parameters: the factor that is one, and the unknown."""
    found: dict[str, tuple[Linear, Atom]] = {}
    for part in parts:
        for product in products_of(part):
            public = tuple(p for p in product.powers if p[0].fixed)
            varying = [p for p in product.powers if not p[0].fixed]
            if public and len(varying) == 1 and varying[0][1] == 1:
                found[product.key] = monomial(public, 1), varying[0][0]
    return list(found.values())
