"""Loop invariants by elimination: propose many, drop what some step breaks, keep the rest.

What is left when no step breaks anything holds whenever the head is reached, whatever
the proposals were; so proposals may be as wild as they like.  They come from the
program's own comparisons, from where its variables start, and from the bound that the
cost must meet.  Most mechanisms need nothing else; Spacer starts from what is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from ..dsl.formulas import FALSE, TRUE, Formula, Sign, above, at_least, conjunction, negation, truth
from ..dsl.smt import Questions, Writer
from ..dsl.substitution import Substitution, symbols_of
from ..dsl.terms import Linear, Symbol, number, term
from .budget import Bounds
from .heads import StateVariable, cost_symbol
from .system import Rule, System

Invariants = dict[str, tuple[Formula, ...]]

#: How many proposals a head may have.
PROPOSAL_LIMIT = 160


def invariants(system: System, bounds: Bounds) -> Invariants:
    """Conditions on the state variables that hold at each loop head."""
    kept = {name: list(_proposals(system, name, bounds)) for name in system.predicates}
    questions = Questions(Writer())
    changed = True
    while changed:
        changed = False
        for rule in system.rules:
            if kept[rule.target]:
                changed = _eliminate(system, rule, kept, questions) or changed
    return {name: tuple(found) for name, found in kept.items()}


def strengthened(system: System, known: Invariants) -> System:
    """The system with each head's invariants among the facts of the rules that leave it."""
    rules = [replace(r, facts=(*r.facts, *known.get(r.source or "", ()))) for r in system.rules]
    return replace(system, rules=rules)


def _eliminate(
    system: System, rule: Rule, kept: dict[str, list[Formula]], questions: Questions
) -> bool:
    """Drop what this step breaks; whether anything was dropped."""
    put = _substitution(system.predicates[rule.target], rule.arguments)
    claims = [(f, put.formula(f)) for f in kept[rule.target]]
    dropped = False
    questions.push()
    questions.add([*rule.facts, *kept.get(rule.source or "", ())])
    while claims:
        questions.push()
        questions.add([negation(conjunction(claim for _, claim in claims))])
        answer = questions.check()
        point = questions.point() if answer == "sat" else None
        questions.pop()
        if answer == "unsat":
            break
        held = [c for c in claims if point is not None and _holds(c[1], point)]
        # Without a usable counterexample, all of them go: they are only proposals.
        claims = held if len(held) < len(claims) else []
        dropped = True
    questions.pop()
    if dropped:
        # What follows from facts alone was folded to true and is kept with the rest.
        kept[rule.target] = [f for f, _ in claims]
    return dropped


def _substitution(
    state: Sequence[StateVariable], arguments: Sequence[Linear | Formula]
) -> Substitution:
    pairs = list(zip(state, arguments, strict=True))
    return Substitution(
        {v.symbol.key: a for v, a in pairs if isinstance(a, Linear)},
        {v.symbol.key: a for v, a in pairs if isinstance(a, Formula)},
    )


def _holds(claim: Formula, point: Mapping[str, Fraction | bool | None]) -> bool:
    """Whether a claim is true at a point; unknowns that the point leaves out are 0."""
    numbers: dict[str, Linear] = {}
    flags: dict[str, Formula] = {}
    for symbol in symbols_of(claim):
        value = point.get(symbol.key, Fraction(0))
        if value is None:
            return False
        numbers[symbol.key] = number(Fraction(value))
        flags[symbol.key] = truth(bool(value))
    return Substitution(numbers, flags).formula(claim) == TRUE


def _proposals(system: System, name: str, bounds: Bounds) -> Iterator[Formula]:
    """Conditions that may hold at a head."""
    numbers = [v.symbol for v in system.predicates[name] if not v.boolean]
    costs = {cost_symbol(rate): rate for rate in bounds}
    counters = [s for s in numbers if s not in costs]
    starts = _starts(system, name)
    found: dict[str, Formula] = {}
    for proposal in (
        *_from_starts(counters, starts),
        *_from_comparisons(system, name, counters),
        *_for_costs(numbers, costs, counters, starts, bounds),
        *_for_pairs(numbers),
    ):
        if proposal not in (TRUE, FALSE):
            found.setdefault(proposal.key, proposal)
    yield from list(found.values())[:PROPOSAL_LIMIT]


def _starts(system: System, name: str) -> dict[Symbol, list[Linear]]:
    """The parameter-only terms with which each state variable is entered."""
    constants = set(system.constants)
    found: dict[Symbol, list[Linear]] = {}
    for rule in system.rules:
        if rule.target == name and rule.source != name:
            for v, a in zip(system.predicates[name], rule.arguments, strict=True):
                if isinstance(a, Linear) and all(s.fixed or s in constants for s in symbols_of(a)):
                    found.setdefault(v.symbol, []).append(a)
    return found


def _from_starts(
    counters: Iterable[Symbol], starts: Mapping[Symbol, list[Linear]]
) -> Iterator[Formula]:
    """A counter never comes back to the other side of where it started."""
    for symbol in counters:
        for start in starts.get(symbol, ()):
            yield at_least(term(symbol), start)
            yield at_least(start, term(symbol))


def _from_comparisons(system: System, name: str, counters: list[Symbol]) -> Iterator[Formula]:
    """The program's own comparisons of counters, and their neighbours by one."""
    own = set(counters)
    constants = set(system.constants)
    seen: set[str] = set()
    for rule in system.rules:
        if rule.source != name:
            continue
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
        steps = {k for _, k in bound.parts} | {bound.constant}
        steps |= {Fraction(k) / 2 for k in steps}
        ways = [w for c in counters for s in starts.get(c, ()) for w in (term(c) - s, s - term(c))]
        sums = [*ways, *(a + b for i, a in enumerate(ways) for b in ways[i + 1 :])]
        for base in starts.get(symbol, [number(0)]):
            for way in sums:
                for k in steps:
                    if k > 0 and way != number(0):
                        yield at_least(base + way.scaled(k), term(symbol))


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
