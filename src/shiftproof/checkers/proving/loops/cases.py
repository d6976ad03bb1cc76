"""What may be invariant at a loop head in some cases only: where an index was passed already,
where it is the one foretold, where a result was found.

Like all proposals, none of these needs to be right.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product

from ....dsl.language.evaluate import FORETOLD
from ....dsl.relations.unknowns import CHANGE, MOVE, PLACE
from ....dsl.terms.formulas import (
    FALSE,
    TRUE,
    Choice,
    Flag,
    Formula,
    Junction,
    Not,
    Sign,
    above,
    at_least,
    disjunction,
    equal,
    negation,
)
from ....dsl.terms.linear import Atom, Indexed, Linear, Symbol, number, term
from ....dsl.terms.substitution import symbols_of
from ...walking.runs.elements import SIZE, WITNESSES, rank
from .budget import Bounds
from .distances import changes_in, lengths_in, levels_of, moves_of, steps_of, twins_in, ways_of
from .heads import cost_symbol
from .invariants import proposals, starts_of
from .system import System

#: How many proposals by case a head may have.
CASE_LIMIT = 1_500
#: Of how many amounts that a cost may have come to each is looked at.
FEW_LEVELS = 8
#: Of how many places that an index passes any two are looked at.
MOST_STRIDES = 4


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
    indices = _without_data(system, counters, constants)
    # Which elements are looked at says nothing of the rest.
    places = [c for c in constants if c.key.startswith(PLACE)]
    aside = _about_picks(places)
    unmoved = [c for c in constants if not c.key.startswith((MOVE, CHANGE))]
    told = [c for c in unmoved if c not in aside]
    begun = list(_begun(system, name, starts))
    strides = _strides(system, indices, aside)
    cases = [*_cases(system, indices, told, strides), *_beyond(system, places), *begun]
    # A result that is something else comes to nothing, once there is a result.
    others = [negation(equal(term(c), term(t))) for c in indices for t in told if c != t]
    late = [disjunction(pair) for pair in product(others, begun)]
    found: dict[str, Formula] = {}
    moves = moves_of(system, bounds)
    costs_so_far = _cost_bounds(state, costs, counters, starts, bounds)
    levels = [*_cost_levels(system, costs, bounds)]
    totals = [s for s in state if _place(s, constants) is None]
    apart = [*_differences(state, moves), *_differences(totals, changes_in(system))]
    for symbol, bound in (*costs_so_far, *levels, *apart):
        place = _place(symbol, constants)
        own = [*cases, *(() if symbol in costs else late)]
        if place is not None:
            own = list(_cases_of(system, place, unmoved))
        # An element that no round has come to yet is what the list was filled with.
        own_counters = [c for c in indices if not c.key.startswith("@")]
        ahead = [at_least(term(place), term(c)) for c in own_counters] if place else []
        for case in own:
            for later in (*ahead, FALSE):
                proposal = disjunction((bound, case, later))
                if proposal not in (TRUE, FALSE):
                    found.setdefault(proposal.key, proposal)
    # What fell by itself may stand together with these.
    yield from proposals(system, name, bounds)
    yield from (bound for _, bound in (*levels, *_differences(totals, changes_in(system))))
    yield from _still_to_pay(totals, costs, bounds)
    yield from _among_elements(system, [s for s in totals if s not in costs])
    yield from _behind_one_of_two(levels, strides)
    yield from list(found.values())[:CASE_LIMIT]


def _among_elements(system: System, state: Sequence[Symbol]) -> Iterator[Formula]:
    """What is made of elements lies where these lie, and is in order within each run.

    So do the least and the largest of them, and what they differ by.
    """
    ends: dict[str, tuple[Linear, int]] = {}
    for rule in system.rules:
        for fact in (f for f in rule.facts if isinstance(f, Sign) and f.relation == ">="):
            ((atom, k), *more) = (*fact.subject.parts, (None, 0))
            if _is_element(atom) and abs(k) == 1 and len(more) == 1:
                ends[fact.subject.key] = number(fact.subject.constant), int(k)
    elements = {
        v.symbol
        for rule in system.rules
        for v, a in zip(system.predicates[rule.target], rule.arguments, strict=True)
        if isinstance(a, Linear) and any(_is_element(atom) for atom, _ in a.parts)
        if (v.symbol, 1) not in a.parts
    }
    made = [symbol for symbol in state if symbol in elements]
    if len({symbol.key[:-1] for symbol in made}) < 2:
        return  # what one differs by from its twin says enough
    for symbol, (end, side) in product(made, ends.values()):
        yield at_least(term(symbol).scaled(side) + end, number(0))
    for one, another in permutations(made, 2):
        if one.key[-1] == another.key[-1]:
            yield at_least(term(one), term(another))


def _is_element(atom: Atom | None) -> bool:
    """Whether an unknown is an element of an input, and not how it moves."""
    return isinstance(atom, Indexed) and not atom.key.startswith((MOVE, CHANGE))


def _still_to_pay(
    state: Sequence[Symbol], costs: Mapping[Symbol, Linear], bounds: Bounds
) -> Iterator[Formula]:
    """What two variables differ by is still to be paid for, within the same bound."""
    for one, another in twins_in(state):
        for apart in (term(one) - term(another), term(another) - term(one)):
            for symbol, rate in costs.items():
                yield at_least(bounds[rate], term(symbol) + apart)


def _behind_one_of_two(
    levels: Iterable[tuple[Symbol, Formula]], strides: Sequence[Linear]
) -> Iterator[Formula]:
    """A cost has come to no more before either of two elements that move."""
    for (_, bound), pair in product(levels, combinations(strides[:MOST_STRIDES], 2)):
        yield disjunction((bound, *(above(ahead, number(0)) for ahead in pair)))


def _without_data(
    system: System, counters: Sequence[Symbol], constants: Iterable[Symbol]
) -> list[Symbol]:
    """The variables that hold no sum of answers: indices, and how often something happened."""
    fixed, found = {s.key for s in constants}, {s.key for s in counters}
    left = len(found) + 1
    while len(found) < left:
        left = len(found)
        for rule in system.rules:
            for v, a in zip(system.predicates[rule.target], rule.arguments, strict=True):
                if v.symbol.key in found and isinstance(a, Linear):
                    atoms = set(_atoms_in(a))
                    if any(not s.fixed and s.key not in found | fixed for s in atoms):
                        found.discard(v.symbol.key)
    return [s for s in counters if s.key in found]


def _atoms_in(subject: Linear) -> Iterator[Atom]:
    """What a number is a sum of; of a choice, what its arms are."""
    for atom, _ in subject.parts:
        if isinstance(atom, Choice):
            yield from _atoms_in(atom.yes)
            yield from _atoms_in(atom.no)
        else:
            yield atom


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
    system: System,
    counters: Iterable[Symbol],
    constants: Iterable[Symbol],
    strides: Iterable[Linear],
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
    for ahead in strides:
        yield above(ahead, number(0))
        yield at_least(-ahead, number(0))
    yield from _flags(system)


def _beyond(system: System, places: Iterable[Symbol]) -> Iterator[Formula]:
    """No element moves: the index of the one that does is no index of the list."""
    lengths = lengths_in(system)
    for place in places:
        yield from (at_least(term(place), term(length)) for length in lengths)


def _strides(system: System, counters: Iterable[Symbol], aside: Container[Symbol]) -> list[Linear]:
    """How far an index is past what steps compare it with: ``j - place``, ``2 * j - place``."""
    counting, fixed = set(counters), {s for s in system.constants if s not in aside}
    parts = (p for rule in system.rules for p in (*rule.facts, *rule.arguments))
    tests = {test.key: test for part in parts for test in _tests_in(part)}
    found: dict[str, Linear] = {}
    for test in tests.values():
        own = [(s, k) for s, k in test.subject.parts if s in counting]
        others = {s for s, _ in test.subject.parts} - {s for s, _ in own}
        if test.relation == "==" and len(own) == 1 and others and others <= fixed:
            ahead = test.subject if own[0][1] > 0 else -test.subject
            found[ahead.key] = ahead
    return list(found.values())


def _tests_in(part: Linear | Formula) -> Iterator[Sign]:
    """The comparisons that the choices in a term or a condition make."""
    if isinstance(part, Junction):
        for member in part.members:
            yield from _tests_in(member)
        return
    if isinstance(part, Not):
        part = part.inner
    if isinstance(part, Sign):
        yield part
        part = part.subject
    for atom, _ in part.parts if isinstance(part, Linear) else ():
        if isinstance(atom, Choice):
            if isinstance(atom.test, Sign):
                yield atom.test
                yield from _tests_in(atom.test)
            yield from _tests_in(atom.yes)
            yield from _tests_in(atom.no)


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


def _cost_levels(
    system: System, costs: Mapping[Symbol, Linear], bounds: Bounds
) -> Iterator[tuple[Symbol, Formula]]:
    """A cost has come to one of few amounts."""
    for symbol, rate in costs.items():
        found = levels_of(system, symbol, bounds[rate])
        for level in found if len(found) <= FEW_LEVELS else ():
            yield symbol, at_least(number(level), term(symbol))


def _differences(
    state: Sequence[Symbol], moves: Iterable[Linear]
) -> Iterator[tuple[Symbol, Formula]]:
    """A variable of D and its twin in D' differ by at most, or at least, what answers move by."""
    for symbol, twin in twins_in(state):
        difference = term(symbol) - term(twin)
        for bound in moves:
            yield symbol, at_least(difference, bound)
            yield symbol, at_least(bound, difference)
