"""Products with what varies, told to linear solvers.

before:  w > 0, -1 <= f - f' <= 1, and w*f, w*f' are unknowns of their own
after:   the same, and -w <= w*f - w*f' <= w

before:  0 <= x <= 1, and x*x is an unknown of its own
after:   the same, and 0 <= x*x <= x

A comparison may be multiplied by what is positive; by what may be negative as well, where it is
known which it is.  Of each product the rest is multiplied out in the comparisons that speak of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations_with_replacement, islice, permutations

from ....dsl.terms.formulas import Choice, Formula, Sign, above, equal, implies, negation, sign
from ....dsl.terms.linear import Atom, Linear, Product, Symbol, monomial, number, term
from ....dsl.terms.substitution import Substitution
from ...walking.runs.discharge import products_of
from .budget import Bounds
from .heads import cost_symbol
from .horn import Query
from .system import Invariants, Solver, System

#: How many comparisons are made for one question at most.
MOST_PRODUCTS = 60
#: How many products are made of comparisons of unknowns that stand in products with each other.
MOST_OF_EACH_OTHER = 100


def with_products(system: System, solver: Solver, distance: Linear | None) -> System:
    """The system with what follows of the products in it that are no parameters.

    Those of the ``distance`` that is paid for are among them.
    """
    parts: list[Linear | Formula] = [] if distance is None else [distance]
    for owed in system.owed:
        parts += [*owed.obligation.facts, owed.obligation.claim]
    for rule in system.rules:
        parts += [*rule.facts, *rule.arguments]
    for end in system.ends:
        parts += [*end.facts, *end.costs.values()]
    pairs = _parted(parts)
    # What is divided in the end was counted in a loop: d <= i says that d / n <= i / n.
    divisors = {factor.key: factor for factor, _ in pairs.values() if _divides(factor)}
    for factor in divisors.values():
        for counter in _counters(system):
            pairs.setdefault((factor * term(counter)).key, (factor, counter))
    return Products(pairs.values(), system.facts, solver, _varying(parts)).told(system)


class Products:
    """What of a system's unknowns stands with which public factor, and what with each other."""

    def __init__(
        self,
        pairs: Iterable[tuple[Linear, Atom]],
        facts: Iterable[Formula],
        solver: Solver,
        varying: Collection[Atom] = (),
    ) -> None:
        self._pairs = tuple(pairs)
        self._facts, self._solver = tuple(facts), solver
        self._varying = frozenset(varying)

    @classmethod
    def counted(cls, system: System, bounds: Bounds, solver: Solver) -> Products:
        """Counters with the factors with which rounds are paid for: ``count * D``."""
        factors = {f.key: f for bound in bounds.values() for f in factors_of(bound)}
        costs = {cost_symbol(rate) for rate in bounds}
        counters = [c for c in _counters(system) if c not in costs]
        steps = [f for f in factors.values() if not f.is_constant]
        pairs = [(f, c) for f in steps for c in counters]
        return cls([p for p in pairs if p not in system.products], system.facts, solver)

    def joined(self, system: System) -> Products:
        """These, and those that stand in the system."""
        return Products((*system.products, *self._pairs), self._facts, self._solver)

    def told(self, system: System) -> System:
        """The system with what follows of products on each of its paths."""
        if not self._pairs and not self._varying:
            return system
        owed = []
        for o in system.owed:
            facts = o.obligation.facts
            told = replace(o.obligation, facts=(*facts, *self.multiplied(facts)))
            owed.append(replace(o, obligation=told))
        return replace(
            system,
            facts=(*system.facts, *self.multiplied(system.facts)),
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
        yield from self._of_each_other(facts)
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

    def _of_each_other(self, facts: Sequence[Formula]) -> Iterator[Formula]:
        """Comparisons of what stands in products with what varies too, times each other.

        What equals such an unknown stands for it.
        """
        if not self._varying:
            return
        for whole in (term(atom) for atom in self._varying if atom.integral):
            yield from (sign(whole * whole - side, ">=") for side in (whole, -whole))
        same: dict[str, Linear] = {}
        for atom, twin in chain(*map(_equated, facts)):
            if twin in self._varying and atom not in self._varying:
                same[atom.key] = term(twin)
        put, known = Substitution(same), {fact.key for fact in facts}
        told = (put.formula(_without_choices(f, known)) for f in facts if isinstance(f, Sign))
        among = {f.key: f for f in told if isinstance(f, Sign) and self._bounds(f)}
        bare = (f.subject - number(f.subject.constant) for f in among.values())
        for subject in {max(s, -s, key=str).key: s for s in bare}.values():
            yield sign(subject * subject, ">=")
        for one, two in islice(
            combinations_with_replacement(among.values(), 2), MOST_OF_EACH_OTHER
        ):
            relation = ">" if one.relation == two.relation == ">" else ">="
            yield sign(one.subject * two.subject, relation)

    def _bounds(self, fact: Sign) -> bool:
        """Whether a comparison speaks of such unknowns, and of no others."""
        varying = [atom for atom, _ in fact.subject.parts if not atom.fixed]
        return bool(varying) and self._varying.issuperset(varying) and fact.relation != "=="

    def _signs(self, factor: Linear, known: Sequence[Formula]) -> list[int]:
        """Which sign a factor has, if that is known; else both."""
        for s in (1, -1):
            if self._solver.follows(known, above(factor.scaled(s), number(0))):
                return [s]
        return [1, -1]


def _counters(system: System) -> list[Symbol]:
    """The integers that loops may count with."""
    states = chain(*system.predicates.values())
    found = {v.symbol.key: v.symbol for v in states if v.symbol.integral and not v.boolean}
    return list(found.values())


def _divides(factor: Linear) -> bool:
    """Whether a factor is one over an integer."""
    atoms = [atom for atom, _ in factor.parts]
    return any(
        isinstance(atom, Product) and any(b.integral and power < 0 for b, power in atom.powers)
        for atom in atoms
    )


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


def _without_choices(fact: Sign, known: Collection[str]) -> Formula:
    """A comparison with those arms of choices that facts decide."""
    return sign(_settled(fact.subject, known), fact.relation)


def _settled(subject: Linear, known: Collection[str]) -> Linear:
    total = number(subject.constant)
    for atom, k in subject.parts:
        part = term(atom)
        if isinstance(atom, Choice) and atom.test.key in known:
            part = _settled(atom.yes, known)
        elif isinstance(atom, Choice) and negation(atom.test).key in known:
            part = _settled(atom.no, known)
        total = total + part.scaled(k)
    return total


def _equated(fact: Formula) -> Iterator[tuple[Atom, Atom]]:
    """Two unknowns that a fact says to be equal, either way."""
    if isinstance(fact, Sign) and fact.relation == "==" and not fact.subject.constant:
        atoms = [atom for atom, _ in fact.subject.parts]
        if len(atoms) == 2 and sum(k for _, k in fact.subject.parts) == 0:
            yield from permutations(atoms, 2)


def _varying(parts: Iterable[Linear | Formula]) -> set[Atom]:
    """What stands in products with what varies too."""
    found: set[Atom] = set()
    for product in chain(*map(products_of, parts)):
        varying = [(base, power) for base, power in product.powers if not base.fixed]
        if sum(power for _, power in varying) > 1 and all(power > 0 for _, power in varying):
            found.update(base for base, _ in varying)
    return found


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
