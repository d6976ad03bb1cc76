"""What may be invariant at a loop head where a histogram is made: a round costs something if it
comes to what the record that differs holds, in D or in D'.

Like all proposals, none of these needs to be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product, zip_longest

from ....dsl.terms.formulas import (
    FALSE,
    TRUE,
    Formula,
    above,
    at_least,
    conjunction,
    disjunction,
    equal,
)
from ....dsl.terms.linear import Linear, Symbol, number, term
from .budget import Bounds
from .distances import steps_of, twins_in
from .heads import cost_symbol
from .invariants import starts_of
from .system import System


def proposals_by_record(system: System, name: str, bounds: Bounds) -> Iterator[Formula]:
    """Costs by whether counters have passed a record, differences by whether they are at it.

    cost <= 0 or b > before or b > after;  cost <= 1/2 or b > before;  total₁ - total₂ <= 0 or
    b == before
    """
    changes = [pair for pair in system.changes if all(v.integral for side in pair for v in side)]
    if not changes:
        return
    state = [v.symbol for v in system.predicates[name] if not v.boolean]
    costs = {cost_symbol(rate): rate for rate in bounds}
    counters = [s for s in state if s.integral and s not in costs]
    starts = starts_of(system)
    found = {f.key: f for f in (*_copies(system, name), *_within(costs, bounds))}
    for before, after in changes:
        for symbol in (s for s in state if s in costs):
            passed = (_passed(before, counters), _passed(after, counters))
            sides = [*zip_longest(*passed, fillvalue=FALSE)]
            for base in starts.get(symbol, [number(0)]):
                for proposal in _costs(term(symbol) - base, bounds[costs[symbol]], sides):
                    found.setdefault(proposal.key, proposal)
        for proposal in _differences(state, counters, before, after):
            found.setdefault(proposal.key, proposal)
    yield from (f for f in found.values() if f not in (TRUE, FALSE))


def _copies(system: System, name: str) -> Iterator[Formula]:
    """Two variables that come into a loop with the same value: ``for b in`` and its counter."""
    for rule in system.rules:
        if rule.target == name != rule.source:
            pairs = zip(system.predicates[name], rule.arguments, strict=True)
            numbers = [(v.symbol, a) for v, a in pairs if isinstance(a, Linear)]
            for (one, value), (another, same) in combinations(numbers, 2):
                if value == same:
                    yield equal(term(one), term(another))


def _within(costs: Mapping[Symbol, Linear], bounds: Bounds) -> Iterator[Formula]:
    """A cost is within its bound."""
    for symbol, rate in costs.items():
        yield at_least(bounds[rate], term(symbol))


def _costs(
    cost: Linear, bound: Linear, sides: Iterable[tuple[Formula, Formula]]
) -> Iterator[Formula]:
    """A cost is what rounds took that have passed one of two records, or both."""
    for before, after in sides:
        yield disjunction((at_least(number(0), cost), before, after))
        for step in (step for step in steps_of(bound) if step != bound):
            once = at_least(step, cost)
            yield disjunction((once, before))
            yield disjunction((once, after))


def _passed(record: Sequence[Linear], counters: Sequence[Symbol]) -> list[Formula]:
    """Whether counters have gone past a record; of two, the first one goes slower.

    A record that is not there is never passed.
    """
    found = [above(term(c), value) for value, c in product(record, counters)]
    for (one, another), (slow, fast) in product(permutations(record, 2), permutations(counters, 2)):
        here = conjunction((equal(term(slow), one), above(term(fast), another)))
        found.append(disjunction((above(term(slow), one), here)))
    return found


def _differences(
    state: Sequence[Symbol],
    counters: Sequence[Symbol],
    before: Sequence[Linear],
    after: Sequence[Linear],
) -> Iterator[Formula]:
    """A variable of D is larger than its twin in D' only at the record of D, or smaller at that
    of D'.
    """
    for symbol, twin in twins_in(state):
        larger = term(symbol) - term(twin)
        for side, difference in ((before, larger), (after, -larger)):
            for value, counter in product(side, counters):
                here = equal(term(counter), value)
                yield disjunction((at_least(number(0), difference), here))
