"""What may be invariant at a loop head: proposals, most of which will fall.

They come from the program's own comparisons, from where its variables start, and from the
bound that the cost must meet.  None needs to be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product

from ..alignments.witnesses import WITNESSES
from ..dsl.formulas import (
    FALSE,
    TRUE,
    Formula,
    Sign,
    above,
    at_least,
    disjunction,
)
from ..dsl.substitution import symbols_of
from ..dsl.terms import Linear, Symbol, number, term
from .budget import Bounds
from .heads import cost_symbol
from .system import System

#: How many proposals a head may have.
PROPOSAL_LIMIT = 400


def proposals(system: System, name: str, bounds: Bounds) -> Iterator[Formula]:
    """Conditions that may hold at a head; the usual ones."""
    numbers = [v.symbol for v in system.predicates[name] if not v.boolean]
    costs = {cost_symbol(rate): rate for rate in bounds}
    counters = [s for s in numbers if s not in costs]
    starts = starts_of(system)
    found: dict[str, Formula] = {}
    for proposal in (
        *_fromstarts(counters, starts),
        *_for_pairs(numbers),
        *_for_sentinels(numbers, starts),
        *_from_comparisons(system, counters),
        *_for_costs(numbers, costs, counters, starts, bounds),
        *_in_step(counters, starts),
        *_on_the_way(system, counters),
    ):
        if proposal not in (TRUE, FALSE):
            found.setdefault(proposal.key, proposal)
    yield from list(found.values())[:PROPOSAL_LIMIT]


def starts_of(system: System) -> dict[Symbol, list[Linear]]:
    """The parameter-only terms with which each state variable comes into a loop from outside.

    A variable of an outer loop has its start there, and is the same variable further in.
    """
    constants = set(system.constants)
    found: dict[Symbol, dict[str, Linear]] = {}
    for rule in system.rules:
        if rule.target != rule.source:
            for v, a in zip(system.predicates[rule.target], rule.arguments, strict=True):
                if isinstance(a, Linear) and all(s.fixed or s in constants for s in symbols_of(a)):
                    found.setdefault(v.symbol, {})[a.key] = a
    return {symbol: list(terms.values()) for symbol, terms in found.items()}


def _fromstarts(
    counters: Iterable[Symbol], starts: Mapping[Symbol, list[Linear]]
) -> Iterator[Formula]:
    """A counter never comes back to the other side of where it started."""
    for symbol in counters:
        for start in starts.get(symbol, ()):
            yield at_least(term(symbol), start)
            yield at_least(start, term(symbol))


def _in_step(
    counters: Iterable[Symbol], starts: Mapping[Symbol, list[Linear]]
) -> Iterator[Formula]:
    """Two integers have come equally far."""
    whole = [s for s in counters if s.integral]
    for one, another in combinations(whole, 2):
        for start, other in product(starts.get(one, ()), starts.get(another, ())):
            gap = (term(one) - start) - (term(another) - other)
            yield at_least(gap, number(0))
            yield at_least(number(0), gap)


def _on_the_way(system: System, counters: Iterable[Symbol]) -> Iterator[Formula]:
    """A tracked index is not reached yet, or passed."""
    looked_at = {s for rule in system.rules for f in rule.facts for s in symbols_of(f)}
    for witness in (w for w in WITNESSES if w in looked_at):
        for counter in (c for c in counters if c.integral):
            yield at_least(term(witness), term(counter))
            yield above(term(counter), term(witness))


def _from_comparisons(system: System, counters: list[Symbol]) -> Iterator[Formula]:
    """The program's own comparisons of counters, and their neighbours by one."""
    own = set(counters)
    constants = set(system.constants)
    seen: set[str] = set()
    for rule in system.rules:
        for fact in rule.facts:
            if not isinstance(fact, Sign) or fact.subject.key in seen:
                continue
            symbols = set(symbols_of(fact.subject))
            if symbols & own and all(s.fixed or s in own or s in constants for s in symbols):
                seen.add(fact.subject.key)
                for side in (fact.subject, -fact.subject):
                    for shift in (-1, 0, 1):
                        yield at_least(side + number(shift), number(0))
                    yield above(side, number(0))


def _for_costs(
    numbers: list[Symbol],
    costs: Mapping[Symbol, Linear],
    counters: list[Symbol],
    starts: Mapping[Symbol, list[Linear]],
    bounds: Bounds,
) -> Iterator[Formula]:
    """A cost is within its bound, or within a multiple of how far counters have come."""
    for symbol in numbers:
        if symbol not in costs:
            continue
        bound = bounds[costs[symbol]]
        yield at_least(bound, term(symbol))
        steps = steps_of(bound)
        ways = ways_of(counters, starts)
        sums = [a + b for i, a in enumerate(ways) for b in ways[i + 1 :]]
        for base in starts.get(symbol, [number(0)]):
            # A round that has begun may have been paid for.
            for way in (*ways, *(w + number(1) for w in ways), *sums):
                for k in steps:
                    if way != number(0):
                        yield at_least(base + way.scaled(k), term(symbol))


def steps_of(bound: Linear) -> list[Fraction]:
    """How much one round may cost: what the bound is a multiple of, and half of it."""
    whole = {Fraction(k) for _, k in bound.parts} | {Fraction(bound.constant)}
    return sorted(k for k in whole | {k / 2 for k in whole} if k > 0)


def ways_of(counters: Iterable[Symbol], starts: Mapping[Symbol, list[Linear]]) -> list[Linear]:
    """How far counters have come, upwards or downwards."""
    return [w for c in counters for s in starts.get(c, ()) for w in (term(c) - s, s - term(c))]


def _for_pairs(numbers: list[Symbol]) -> Iterator[Formula]:
    """A variable of D and its twin in D' differ by at most one, or in one direction only."""
    by_name = {s.key: s for s in numbers}
    for symbol in numbers:
        twin = by_name.get(symbol.key.removesuffix("₁") + "₂")
        if symbol.key.endswith("₁") and twin is not None:
            difference = term(symbol) - term(twin)
            for bound in (-1, 0, 1):
                yield at_least(difference, number(bound))
                yield at_least(number(bound), difference)


def _for_sentinels(
    numbers: list[Symbol], starts: Mapping[Symbol, list[Linear]]
) -> Iterator[Formula]:
    """A variable and its twin leave their common start together: ``best = -1`` at first."""
    by_name = {s.key: s for s in numbers}
    for symbol in numbers:
        twin = by_name.get(symbol.key.removesuffix("₁") + "₂")
        if symbol.key.endswith("₁") and twin is not None:
            for start in starts.get(symbol, ()):
                for one, another in ((symbol, twin), (twin, symbol)):
                    yield disjunction((above(term(one), start), at_least(start, term(another))))
