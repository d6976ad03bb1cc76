"""What may be invariant at a loop head in some cases only: where an index was passed already,
where it is the one foretold, where a result was found.

Like all proposals, none of these needs to be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from ....dsl.language.evaluate import FORETOLD
from ....dsl.relations.cases import PLACE
from ....dsl.terms.formulas import (
    FALSE,
    TRUE,
    Flag,
    Formula,
    Sign,
    above,
    at_least,
    disjunction,
    equal,
    negation,
)
from ....dsl.terms.linear import Linear, Symbol, number, term
from ....dsl.terms.substitution import symbols_of
from ...walking.runs.elements import SIZE, WITNESSES, rank
from .budget import Bounds
from .distances import moves_of, steps_of, ways_of
from .heads import cost_symbol
from .invariants import proposals, starts_of
from .system import System

#: How many proposals by case a head may have.
CASE_LIMIT = 1_500


def proposals_by_case(system: System, name: str, bounds: Bounds) -> Iterator[Formula]:
    """Conditions that may hold where an index was passed already, or is the one foretold.

    before:  top₁ - top₂ >= -1
    after:   top₁ - top₂ >= -1, unless i > outcome
    """
    state = [v.symbol for v in system.predicates[name] if not v.boolean]
    costs = {cost_symbol(rate): rate for rate in bounds}
    starts = starts_of(system)
    # What is foretold does not change before it comes true.
    constants = [*_occurring(system), *(s for s in state if s.key.startswith(FORETOLD))]
    counters = [s for s in state if s not in costs and s.integral]
    # Which elements are looked at says nothing of the rest.
    places = [c for c in constants if c.key.startswith(PLACE)]
    told = [c for c in constants if c not in _about_picks(places)]
    begun = list(_begun(system, name, starts))
    cases = [*_cases(system, counters, told), *begun]
    # A result that is something else comes to nothing, once there is a result.
    others = [negation(equal(term(c), term(t))) for c in counters for t in told if c != t]
    late = [disjunction(pair) for pair in product(others, begun)]
    found: dict[str, Formula] = {}
    moves = moves_of(system, bounds)
    costs_so_far = _cost_bounds(state, costs, counters, starts, bounds)
    for symbol, bound in (*costs_so_far, *_differences(state, moves)):
        place = _place(symbol, constants)
        own = [*cases, *(() if symbol in costs else late)]
        if place is not None:
            own = list(_cases_of(system, place, constants))
        # An element that no round has come to yet is what the list was filled with.
        own_counters = [c for c in counters if not c.key.startswith("@")]
        ahead = [at_least(term(place), term(c)) for c in own_counters] if place else []
        for case in own:
            for later in (*ahead, FALSE):
                proposal = disjunction((bound, case, later))
                if proposal not in (TRUE, FALSE):
                    found.setdefault(proposal.key, proposal)
    # What fell by itself may stand together with these.
    yield from proposals(system, name, bounds)
    yield from list(found.values())[:CASE_LIMIT]


def _about_picks(places: Iterable[Symbol]) -> set[Symbol]:
    """What is said of picked indices that says nothing of others."""
    ranks = (rank(term(index)) for index in (*places, *WITNESSES))
    return {*WITNESSES, SIZE, *(symbol for r in ranks for symbol in symbols_of(r))}


def _occurring(system: System) -> list[Symbol]:
    """The unknown integer constants that some step speaks of."""
    constants = {s.key for s in system.constants if s.integral}
    seen = {
        symbol
        for rule in system.rules
        for part in (*rule.facts[len(system.facts) :], *rule.arguments)
        for symbol in symbols_of(part)
        if symbol.key in constants
    }
    return sorted(seen, key=str)


def _begun(system: System, name: str, starts: Mapping[Symbol, list[Linear]]) -> Iterator[Formula]:
    """Whether a variable with a twin is still what it was at first, and every flag."""
    twins = {v.symbol.key for v in system.predicates[name]}
    for v in system.predicates[name]:
        if v.boolean:
            yield Flag(v.symbol)
            yield negation(Flag(v.symbol))
        elif v.symbol.integral and v.symbol.key.removesuffix("₁") + "₂" in twins:
            for start in starts.get(v.symbol, ()):
                yield equal(term(v.symbol), start)
                yield negation(equal(term(v.symbol), start))


def _place(symbol: Symbol, constants: Iterable[Symbol]) -> Symbol | None:
    """The index at which a list's element is tracked, if the variable is one."""
    _, _, place = symbol.key.removesuffix("₁").partition("#")
    return next((c for c in constants if c.key == place), None)


def _cases(
    system: System, counters: Iterable[Symbol], constants: Iterable[Symbol]
) -> Iterator[Formula]:
    """Where state variables and unknown constants stand to each other; flags of constants."""
    for constant in constants:
        for counter in counters:
            if counter == constant:
                continue
            yield above(term(counter), term(constant))
            yield at_least(term(constant), term(counter))
            yield equal(term(counter), term(constant))
            yield negation(equal(term(counter), term(constant)))
    yield from _flags(system)


def _cases_of(system: System, place: Symbol, constants: Iterable[Symbol]) -> Iterator[Formula]:
    """Whether the index of an element is another constant, and what flags it has; or nothing."""
    yield FALSE
    for another in constants:
        if another not in (place, *_about_picks((place,))):
            yield equal(term(place), term(another))
            yield negation(equal(term(place), term(another)))
    yield from (f for f in _flags(system) if place.key in f.key)


def _flags(system: System) -> list[Formula]:
    """What the steps say of unknown constants that are no integers: whether they are positive."""
    names = {s.key for s in system.constants if not s.integral}
    found = {
        fact
        for rule in system.rules
        for fact in rule.facts
        if isinstance(fact, Sign) and {s.key for s in symbols_of(fact.subject)} <= names
    }
    return sorted(found, key=str)


def _cost_bounds(
    state: list[Symbol],
    costs: Mapping[Symbol, Linear],
    counters: list[Symbol],
    starts: Mapping[Symbol, list[Linear]],
    bounds: Bounds,
) -> Iterator[tuple[Symbol, Formula]]:
    """A cost is still where it started, or where the rounds so far have brought it."""
    for symbol in state:
        if symbol in costs:
            for start in starts.get(symbol, [number(0)]):
                yield symbol, at_least(start, term(symbol))
                for way in ways_of(counters, starts):
                    for k in steps_of(bounds[costs[symbol]]):
                        yield symbol, at_least(start + way * k, term(symbol))


def _differences(state: list[Symbol], moves: Iterable[Linear]) -> Iterator[tuple[Symbol, Formula]]:
    """A variable of D and its twin in D' differ by at most as much as one answer moves."""
    by_name = {s.key: s for s in state}
    for symbol in state:
        twin = by_name.get(symbol.key.removesuffix("₁") + "₂")
        if symbol.key.endswith("₁") and twin is not None:
            difference = term(symbol) - term(twin)
            for bound in moves:
                yield symbol, at_least(difference, bound)
                yield symbol, at_least(bound, difference)
