"""Products of parameters with what varies, told to linear solvers.

before:  w > 0, -1 <= f - f' <= 1, and w*f, w*f' are unknowns of their own
after:   the same, and -w <= w*f - w*f' <= w

A comparison may be multiplied by what is positive.  Of each product the rest is multiplied out
in the comparisons that speak of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...dsl.terms.formulas import Formula, Sign, above, sign
from ...dsl.terms.linear import Atom, Linear, monomial, number
from ..walking.runs.discharge import products_of
from .system import Solver, System

#: How many comparisons are made for one question at most.
MOST = 60


def with_products(system: System, solver: Solver) -> System:
    """The system with what follows of products on each of its paths."""
    parts: list[Linear | Formula] = []
    for owed in system.owed:
        parts += [*owed.obligation.facts, owed.obligation.claim]
    for rule in system.rules:
        parts += [*rule.facts, *rule.arguments]
    for end in system.ends:
        parts += [*end.facts, *end.costs.values()]
    factors = _parted(parts)
    if not factors:
        return system

    def more(facts: tuple[Formula, ...]) -> tuple[Formula, ...]:
        return (*facts, *_multiplied(facts, factors, solver))

    return replace(
        system,
        rules=[replace(rule, facts=more(rule.facts)) for rule in system.rules],
        owed=[
            replace(o, obligation=replace(o.obligation, facts=more(o.obligation.facts)))
            for o in system.owed
        ],
        ends=[replace(end, facts=more(end.facts)) for end in system.ends],
    )


def _multiplied(
    facts: Iterable[Formula], factors: Iterable[tuple[Linear, Atom]], solver: Solver
) -> Iterator[Formula]:
    """Facts times the public factors with which their unknowns stand in some terms."""
    facts = list(facts)
    known = [fact for fact in facts if fact.fixed]
    made: set[str] = set()
    for factor, varying in factors:
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
