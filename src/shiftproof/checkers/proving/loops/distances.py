"""By how much a loop's variables may grow in a round, and how far those of D and D' may part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import gcd, lcm

from ....dsl.relations.unknowns import CHANGE, MOVE, MOVED_BEFORE
from ....dsl.terms.formulas import (
    Choice,
    Formula,
    Junction,
    Sign,
    above,
    at_least,
    disjunction,
)
from ....dsl.terms.linear import Indexed, Linear, Rational, Symbol, inverted, number, term
from ....dsl.terms.substitution import Substitution, symbols_of
from .budget import Bounds
from .products import factors_of
from .system import System


def steps_of(bound: Linear) -> list[Linear]:
    """How much one round may cost: what the bound is a multiple of, and half of it."""
    whole = {Fraction(k) for _, k in bound.parts} | {Fraction(bound.constant)}
    sizes = sorted(k for k in whole | {k / 2 for k in whole} if k > 0)
    return [factor.scaled(k) for factor in factors_of(bound) for k in sizes]


def ways_of(counters: Iterable[Symbol], starts: Mapping[Symbol, list[Linear]]) -> list[Linear]:
    """How far counters have come, upwards or downwards."""
    return [w for c in counters for s in starts.get(c, ()) for w in (term(c) - s, s - term(c))]


def moves_of(system: System, bounds: Bounds) -> list[Linear]:
    """How far answers and values move: the bounds that the steps state for single differences.

    And what may be paid for: of a total whose n-th part is released, n times its cost.
    """
    found = {"0": number(0)}
    facts = (*system.facts, *(f for rule in system.rules for f in rule.facts))
    for fact in (part for f in facts for part in _alternatives(f) if isinstance(part, Sign)):
        parts = fact.subject.parts
        moving = [(atom, k) for atom, k in parts if atom.key.startswith((MOVE, CHANGE))]
        if len(moving) == 1 and all(a.fixed for a, _ in parts if a != moving[0][0]):
            atom, k = moving[0]
            bound = (fact.subject - term(atom).scaled(k)).scaled(inverted(-k))
            found.update({b.key: b for b in (bound, -bound)})
    factors = {f.key: f for f, varying in system.products if not varying.fixed}
    for paid in (bound for bound in bounds.values() if not bound.is_constant):
        for factor in factors.values():
            whole = Substitution().linear(paid / factor)
            found.update({b.key: b for b in (whole, -whole)})
    return list(found.values())


def changes_in(system: System) -> list[Linear]:
    """By how much the elements move that do, as unknowns."""
    return [term(s) for s in system.constants if s.key.startswith(CHANGE)]


def moved_together(system: System, counters: Iterable[Symbol]) -> list[Linear]:
    """What answers have moved before an index that counters have come to, if that adds up."""
    facts = (f for rule in system.rules for f in (*system.facts, *rule.facts))
    sums = {s.key: s for f in facts for s in symbols_of(f) if s.key.startswith(MOVED_BEFORE)}
    stems = dict.fromkeys(s.stem for s in sums.values() if isinstance(s, Indexed))
    return [
        term(Indexed(stem, term(counter), False, private=True))
        for stem in stems
        for counter in counters
        if counter.integral
    ]


def lengths_in(system: System) -> list[Symbol]:
    """The lengths of inputs that the steps speak of, in a fixed order."""
    facts = (f for rule in system.rules for f in rule.facts)
    return sorted({s for f in facts for s in symbols_of(f) if s.key.startswith("len(")}, key=str)


def twins_in(state: Sequence[Symbol]) -> Iterator[tuple[Symbol, Symbol]]:
    """The variables of D with those of D'."""
    by_name = {s.key: s for s in state}
    for symbol in state:
        twin = by_name.get(symbol.key.removesuffix("₁") + "₂")
        if symbol.key.endswith("₁") and twin is not None:
            yield symbol, twin


def for_pairs(numbers: list[Symbol], moves: Iterable[Linear]) -> Iterator[Formula]:
    """A variable of D and its twin in D' differ by no more than one, or than what moves."""
    bounds = {bound.key: bound for bound in (number(-1), number(0), number(1), *moves)}
    for symbol, twin in twins_in(numbers):
        difference = term(symbol) - term(twin)
        for bound in bounds.values():
            yield at_least(difference, bound)
            yield at_least(bound, difference)


def for_totals(
    system: System, name: str, ways: Sequence[Linear], bounds: Bounds
) -> Iterator[Formula]:
    """A total parts from its twin by no more than a multiple of what moves, in each round."""
    added = _added(system, name)
    moves = {m.key: m for m in (number(1), *moves_of(system, bounds)) if m.constant >= 0}
    for symbol, twin in twins_in([v.symbol for v in system.predicates[name] if not v.boolean]):
        difference = term(symbol) - term(twin)
        for k, move, way in product(added.get(symbol, ()), moves.values(), ways):
            yield at_least((way * move).scaled(k), difference)
            yield at_least((way * move).scaled(k), -difference)


def _added(system: System, name: str) -> dict[Symbol, set[Rational]]:
    """The variables to which some round adds something that varies, and how many times that."""
    found: dict[Symbol, set[Rational]] = {}
    for rule in (r for r in system.rules if r.source == r.target == name):
        for v, a in zip(system.predicates[name], rule.arguments, strict=True):
            if isinstance(a, Linear) and (v.symbol, 1) in a.parts:
                others = ((atom, k) for atom, k in a.parts if atom != v.symbol)
                found.setdefault(v.symbol, set()).update(
                    k if k > 0 else -k for atom, k in others if not atom.fixed
                )
    return found


def for_sentinels(
    numbers: list[Symbol], starts: Mapping[Symbol, list[Linear]]
) -> Iterator[Formula]:
    """A variable and its twin leave their common start together: ``best = -1`` at first."""
    for symbol, twin in twins_in(numbers):
        for start in starts.get(symbol, ()):
            for one, another in ((symbol, twin), (twin, symbol)):
                yield disjunction((above(term(one), start), at_least(start, term(another))))


def _alternatives(fact: Formula) -> tuple[Formula, ...]:
    """What a fact says where there are elements, too: ``len(x) == 0 or change <= hi - lo``."""
    return fact.members if isinstance(fact, Junction) and not fact.conjunction else (fact,)


#: How many amounts a cost may have come to.
MOST_LEVELS = 64


def levels_of(system: System, cost: Symbol, most: Linear) -> list[Fraction]:
    """The amounts up to a bound that a cost may have come to, where all of them are numbers."""
    amounts = amounts_of(system, cost)
    if not most.is_constant or not amounts:
        return []
    unit = Fraction(gcd(*(a.numerator for a in amounts)), lcm(*(a.denominator for a in amounts)))
    return [k * unit for k in range(min(int(Fraction(most.constant) / unit), MOST_LEVELS) + 1)]


def amounts_of(system: System, cost: Symbol) -> set[Fraction]:
    """The numbers that a cost is made of."""
    found: set[Fraction] = set()
    waiting = [
        a
        for rule in system.rules
        for v, a in zip(system.predicates[rule.target], rule.arguments, strict=True)
        if v.symbol == cost and isinstance(a, Linear)
    ]
    while waiting:
        value = waiting.pop()
        found.add(abs(Fraction(value.constant)))
        for atom, k in value.parts:
            if isinstance(atom, Choice):
                waiting += [atom.yes.scaled(k), atom.no.scaled(k)]
            elif atom != cost:
                found.add(abs(Fraction(k)))
    return found - {Fraction(0)}
