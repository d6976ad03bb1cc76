"""Products of parameters with what varies, told to linear solvers.

before:  w > 0, -1 <= f - f' <= 1, and w*f, w*f' are unknowns of their own
after:   the same, and -w <= w*f - w*f' <= w

A comparison may be multiplied by what is positive; by what may be negative as well, where it is
known which it is.  Of each product the rest is multiplied out in the comparisons that speak of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ....dsl.terms.formulas import Formula, Sign, above, equal, implies, sign
from ....dsl.terms.linear import Atom, Linear, Product, monomial, number
from ...walking.runs.discharge import products_of
from .budget import Bounds
from .heads import cost_symbol
from .horn import Query
from .system import Invariants, Solver, System

#: How many comparisons are made for one question at most.
MOST_PRODUCTS = 60


def with_products(system: System, solver: Solver) -> System:
    """The system with what follows of the products in it that are no parameters."""
    parts: list[Linear | Formula] = []
    for owed in system.owed:
        parts += [*owed.obligation.facts, owed.obligation.claim]
    for rule in system.rules:
        parts += [*rule.facts, *rule.arguments]
    for end in system.ends:
        parts += [*end.facts, *end.costs.values()]
    return Products(_parted(parts).values(), system.facts, solver).told(system)


class Products:
    """What of a system's unknowns stands with which public factor."""

    def __init__(
        self, pairs: Iterable[tuple[Linear, Atom]], facts: Iterable[Formula], solver: Solver
    ) -> None:
        self._pairs = tuple(pairs)
        self._facts, self._solver = tuple(facts), solver

    @classmethod
    def counted(cls, system: System, bounds: Bounds, solver: Solver) -> Products:
        """Counters with the factors with which rounds are paid for: ``count * D``."""
        costs = {cost_symbol(rate) for rate in bounds}
        factors = {f.key: f for bound in bounds.values() for f in factors_of(bound)}
        counters = {
            v.symbol.key: v.symbol
            for state in system.predicates.values()
            for v in state
            if v.symbol.integral and not v.boolean and v.symbol not in costs
        }
        steps = [f for f in factors.values() if not f.is_constant]
        pairs = [(f, c) for f in steps for c in counters.values()]
        return cls([p for p in pairs if p not in system.products], system.facts, solver)

    def joined(self, system: System) -> Products:
        """These, and those that stand in the system."""
        return Products((*system.products, *self._pairs), self._facts, self._solver)

    def told(self, system: System) -> System:
        """The system with what follows of products on each of its paths."""
        if not self._pairs:
            return system
        owed = []
        for o in system.owed:
            facts = o.obligation.facts
            told = replace(o.obligation, facts=(*facts, *self.multiplied(facts)))
            owed.append(replace(o, obligation=told))
        return replace(
            system,
            products=(*system.products, *self._pairs),
            rules=[replace(r, facts=(*r.facts, *self.multiplied(r.facts))) for r in system.rules],
            owed=owed,
            ends=[replace(e, facts=(*e.facts, *self.multiplied(e.facts))) for e in system.ends],
        )

    def following(self, query: Query, known: Invariants) -> Iterator[Formula]:
        """What follows of products where an invariant holds, each with the invariant."""
        for fact in known.get(query.source or "", ()):
            for more in self.multiplied((fact,), query.facts):
                yield implies(fact, more)

    def multiplied(
        self, facts: Sequence[Formula], known: Sequence[Formula] = ()
    ) -> Iterator[Formula]:
        """Facts times the public factors with which their unknowns stand in some terms."""
        settled = [fact for fact in (*self._facts, *known, *facts) if fact.fixed]
        made: set[str] = set()
        for factor, varying in self._pairs:
            signs: list[int] | None = None
            for fact in facts:
                if not isinstance(fact, Sign) or len(made) >= MOST_PRODUCTS:
                    continue
                if any(atom == varying for atom, _ in fact.subject.parts):
                    if signs is None:
                        signs = self._signs(factor, settled)
                        if len(signs) == 1:
                            yield above(factor.scaled(signs[0]), number(0))
                    for more in _times(fact, factor, signs):
                        if more.key not in made:
                            made.add(more.key)
                            yield more

    def _signs(self, factor: Linear, known: Sequence[Formula]) -> list[int]:
        """Which sign a factor has, if that is known; else both."""
        for s in (1, -1):
            if self._solver.follows(known, above(factor.scaled(s), number(0))):
                return [s]
        return [1, -1]


def _times(fact: Sign, factor: Linear, signs: Sequence[int]) -> Iterator[Formula]:
    """A comparison times a factor of these signs, where it has them."""
    subject, relation = fact.subject, fact.relation
    if relation == ">" and subject.integral:
        subject, relation = subject - number(1), ">="  # which says more of products
    product = subject * factor
    if len(signs) == 1:
        yield sign(product.scaled(signs[0]), relation)
        return
    for s in signs:
        yield implies(above(factor.scaled(s), number(0)), sign(product.scaled(s), relation))
    yield implies(equal(factor, number(0)), equal(product, number(0)))


def factors_of(bound: Linear) -> list[Linear]:
    """By how much each round may add to a cost of this bound.

    before:  c * D / 2
    after:   D, as c counts rounds
    """
    found = {number(1).key: number(1)}
    for atom, _ in bound.parts:
        powers = dict(atom.powers if isinstance(atom, Product) else ((atom, 1),))
        counts = [base for base, power in powers.items() if base.integral and power == 1]
        for count in (*counts,) or (None,):
            factor = monomial(tuple((b, p) for b, p in powers.items() if b != count), 1)
            found[factor.key] = factor
    return list(found.values())


def _parted(parts: Iterable[Linear | Formula]) -> dict[str, tuple[Linear, Atom]]:
    """The products that are no parameters: the factor that is one, and the unknown."""
    found: dict[str, tuple[Linear, Atom]] = {}
    for part in parts:
        for product in products_of(part):
            public = tuple(p for p in product.powers if p[0].fixed)
            varying = [p for p in product.powers if not p[0].fixed]
            if public and len(varying) == 1 and varying[0][1] == 1:
                found[product.key] = monomial(public, 1), varying[0][0]
                # Of what is divided by: n >= 1 says that 1 / n <= 1.
                for base in (b for b, power in public if power < 0):
                    found[base.key] = monomial(((base, -1),), 1), base
    return found
