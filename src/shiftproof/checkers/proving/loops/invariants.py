"""Loop invariants by elimination: propose many, drop what some step breaks.

Source: Houdini (Flanagan and Leino, 2001).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product

from ....dsl.terms.formulas import (
    FALSE,
    TRUE,
    Flag,
    Formula,
    Junction,
    Sign,
    above,
    at_least,
    disjunction,
    equal,
)
from ....dsl.terms.linear import DivisionByZero, Linear, Rational, Symbol, number, term
from ....dsl.terms.smt import Questions, Writer
from ....dsl.terms.substitution import Substitution, symbols_of
from ...walking.runs.elements import WITNESSES, length_name
from .budget import Bounds
from .distances import (
    amounts_of,
    for_pairs,
    for_sentinels,
    for_totals,
    lengths_in,
    levels_of,
    moved_together,
    moves_of,
    steps_of,
    ways_of,
)
from .heads import StateVariable, cost_symbol
from .seen import Seen
from .system import Invariants, Rule, System

# What may be invariant at a loop head: proposals, most of which will fall.
#
# They come from the program's own comparisons, from where its variables start, and from the
# bound that the cost must meet.  None needs to be right.

#: How many proposals a head may have.
PROPOSAL_LIMIT = 400
#: Of how many thresholds that were drawn it may matter which one is larger.
MOST_DRAWN = 3
#: How many amounts that a cost is made of it may be a multiple of.
MOST_AMOUNTS = 3


def proposals(system: System, name: str, bounds: Bounds) -> Iterator[Formula]:
    """Conditions that may hold at a head; the usual ones."""
    numbers = [v.symbol for v in system.predicates[name] if not v.boolean]
    costs = {cost_symbol(rate): rate for rate in bounds}
    counters = [s for s in numbers if s not in costs]
    starts = starts_of(system)
    found: dict[str, Formula] = {}
    for proposal in (
        *_fromstarts(counters, starts),
        *for_pairs(numbers, moves_of(system, bounds)),
        *for_totals(system, name, ways_of([c for c in counters if c.integral], starts), bounds),
        *for_sentinels(numbers, starts),
        *_from_comparisons(system, counters),
        *_for_costs(system, name, numbers, costs, counters, starts, bounds),
        *_in_step(counters, starts),
        *_begun_alike(system, name),
        *_lengths(system, counters),
        *_on_the_way(system, counters),
        *_kept_indices(system, name, starts),
        *_by_state(system, name, costs, bounds),
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
    """Two integers have come equally far, or one of them a step further."""
    whole = [s for s in counters if s.integral]
    for one, another in combinations(whole, 2):
        for start, other in product(starts.get(one, ()), starts.get(another, ())):
            gap = (term(one) - start) - (term(another) - other)
            for further in (0, 1):
                yield at_least(gap, number(-further))
                yield at_least(number(further), gap)


def _begun_alike(system: System, name: str) -> Iterator[Formula]:
    """Two integers stay as far apart as they come into the loop: lengths, and where to end."""
    for rule in system.rules:
        if rule.target == name != rule.source:
            state = zip(system.predicates[name], rule.arguments, strict=True)
            whole = [(v.symbol, a) for v, a in state if v.symbol.integral]
            for (one, a), (another, b) in combinations(whole, 2):
                if isinstance(a, Linear) and isinstance(b, Linear) and a.parts:
                    apart = a - b
                    if apart.is_constant:
                        yield at_least(term(one) - term(another), apart)
                        yield at_least(apart, term(one) - term(another))


def _lengths(system: System, counters: Iterable[Symbol]) -> Iterator[Formula]:
    """A list of the program's own is as long as an input."""
    lengths = lengths_in(system)
    for own in (s for s in counters if s.key == f"{length_name(s.key.partition('#')[0])}₁"):
        for length in lengths:
            yield at_least(term(own), term(length))
            yield at_least(term(length), term(own))


def _on_the_way(system: System, counters: Iterable[Symbol]) -> Iterator[Formula]:
    """A tracked index is not reached yet, or passed."""
    looked_at = {s for rule in system.rules for f in rule.facts for s in symbols_of(f)}
    for witness in (w for w in WITNESSES if w in looked_at):
        for counter in (c for c in counters if c.integral):
            yield at_least(term(witness), term(counter))
            yield above(term(counter), term(witness))


def _kept_indices(
    system: System, name: str, starts: Mapping[Symbol, list[Linear]]
) -> Iterator[Formula]:
    """An index that some round keeps is one that the loop has come past, once it has begun."""
    state = [v.symbol for v in system.predicates[name]]
    rules = [r for r in system.rules if r.source == r.target == name]
    pairs = {
        (kept, counter)
        for rule in rules
        for kept, value in zip(state, rule.arguments, strict=True)
        for counter in state
        if counter != kept and isinstance(value, Linear) and value == term(counter)
    }
    for kept, counter in sorted(pairs, key=str):
        for start in starts.get(counter, ()):
            first = equal(term(counter), start)
            yield above(term(counter), term(kept))
            yield disjunction((above(term(counter), term(kept)), first))
            yield disjunction((at_least(term(kept), start), first))


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
    system: System,
    name: str,
    numbers: list[Symbol],
    costs: Mapping[Symbol, Linear],
    counters: list[Symbol],
    starts: Mapping[Symbol, list[Linear]],
    bounds: Bounds,
) -> Iterator[Formula]:
    """A cost is within its bound, or within a multiple of how far counters have come.

    In a later loop half of the bound may have been spent before it.
    """
    later = _is_later(system, name)
    for symbol in numbers:
        if symbol not in costs:
            continue
        bound = bounds[costs[symbol]]
        yield at_least(bound, term(symbol))
        steps = steps_of(bound)
        paid: Sequence[Rational] = sorted(amounts_of(system, symbol))[:MOST_AMOUNTS]
        if not any(number(step) in steps for step in paid):
            # How often a loop goes round is written: the bound does not tell what a round costs.
            steps += map(number, paid)
        ways = ways_of(counters, starts)
        parts = [(k, part) for k in steps for part in steps if _is_smaller(part, k)]
        sums = [a + b for i, a in enumerate(ways) for b in ways[i + 1 :]]
        half = bound.scaled(Fraction(1, 2))
        together: list[Linear] = [
            total.scaled(k) for total in moved_together(system, counters) for k in (1, *paid)
        ]
        for done in (*(way * k for way, k in product(ways, steps)), *together) if later else ():
            yield at_least(half + done, term(symbol))
        for base in starts.get(symbol, [number(0)]):
            yield at_least(base, term(symbol))  # only the last round costs something
            # A round that has begun may have been paid for.
            for way in (*ways, *(w + number(1) for w in ways), *sums):
                for k in steps:
                    if way != number(0):
                        yield at_least(base + way * k, term(symbol))
            for done in together:
                yield at_least(base + done, term(symbol))
                for way, k in product(ways, steps):  # the rounds of a loop outside were paid for
                    yield at_least(base + way * k + done, term(symbol))
            for way in ways:  # or in part
                yield from (at_least(base + way * k + part, term(symbol)) for k, part in parts)


def _is_later(system: System, name: str) -> bool:
    """Whether another loop leads to a head."""
    return any(r.target == name and r.source not in (name, None) for r in system.rules)


def _is_smaller(part: Linear, amount: Linear) -> bool:
    """Whether an amount is a part of another one of its kind."""
    rest = amount - part
    return rest.split()[1] == part.split()[1] and rest.split()[0] > 0


def _by_state(
    system: System, name: str, costs: Mapping[Symbol, Linear], bounds: Bounds
) -> Iterator[Formula]:
    """A loop that goes by states has spent so many of the smallest amounts when it is in one.

    Or thresholds stand to each other as they do in no round that spends more.
    """
    states = [plan for plan in system.plans.values() if plan.node == system.plans[name].node]
    if len(states) < 2:
        return
    drawn = [v.symbol for v in system.predicates[name] if not v.boolean and not v.symbol.integral]
    drawn = [s for s in drawn if s not in costs and s.key.endswith("₁")]
    orders = [above(term(a), term(b)) for a, b in permutations(drawn, 2)]
    orders = orders if len(drawn) <= MOST_DRAWN else []
    for symbol, rate in costs.items():
        for level in levels_of(system, symbol, bounds[rate]):
            within = at_least(number(level), term(symbol))
            yield within
            yield from (disjunction((within, order)) for order in orders)
    yield from orders


# What is left when no step breaks anything holds whenever the head is reached, whatever
# the proposals were; so proposals may be as wild as they like.  They come from the
# program's own comparisons, from where its variables start, and from the bound that the
# cost must meet.  Most mechanisms need nothing else; Spacer starts from what is kept.

Proposer = Callable[[System, str, Bounds], Iterator[Formula]]


def invariants(
    system: System,
    bounds: Bounds,
    propose: Proposer = proposals,
    known: Invariants | None = None,
    seen: Seen | None = None,
) -> Invariants:
    """Conditions on the state variables that hold at each loop head.

    ``known`` ones, which no step breaks, are among them; of what was ``seen`` to be false, none is.
    """
    known = known or {}
    kept: dict[str, list[Formula]] = {}
    for name in system.predicates:
        settled = {f.key: f for f in known.get(name, ())}
        more = {f.key: f for f in propose(system, name, bounds) if not _follows(f, settled)}
        if seen is not None:
            more = {key: f for key, f in more.items() if not seen.breaks(name, f)}
        kept[name] = list((settled | more).values())
    steps = [_Step(system, rule, known.get(rule.target, ())) for rule in system.rules]
    questions = Questions(Writer())
    waiting = list(steps)
    while waiting:
        step = waiting.pop(0)
        if kept[step.rule.target] and step.eliminate(kept, questions):
            # What was taken for granted at this head is no more: its steps are tried again.
            again = (s for s in steps if s.rule.source == step.rule.target)
            waiting += [s for s in again if s not in waiting]
    return {name: tuple(found) for name, found in kept.items()}


def _follows(proposal: Formula, known: Container[str]) -> bool:
    """Whether a proposal only says in some cases what is known anyway."""
    if not isinstance(proposal, Junction) or proposal.conjunction:
        return False
    return any(case.key in known for case in proposal.members)


def strengthened(system: System, known: Invariants) -> System:
    """The system with each head's invariants among the facts of the rules that leave it."""
    rules = [replace(r, facts=(*r.facts, *known.get(r.source or "", ()))) for r in system.rules]
    return replace(system, rules=rules)


class _Step:
    """One step into a loop head, and what each condition there means before it."""

    def __init__(self, system: System, rule: Rule, settled: Sequence[Formula]) -> None:
        self.rule = rule
        state = system.predicates[rule.target]
        self._put = substitution(state, rule.arguments)
        self._changed = {
            v.symbol.key
            for v, a in zip(state, rule.arguments, strict=True)
            if a not in (term(v.symbol), Flag(v.symbol))
        }
        self._settled = {f.key for f in settled}
        self._before: dict[str, Formula] = {}

    def _claim(self, condition: Formula) -> Formula:
        if condition.key not in self._before:
            try:
                self._before[condition.key] = self._put.formula(condition)
            except DivisionByZero:  # it says nothing where it was to come from: it falls
                self._before[condition.key] = FALSE
        return self._before[condition.key]

    def _touches(self, condition: Formula) -> bool:
        return any(s.key in self._changed for s in symbols_of(condition))

    def eliminate(self, kept: dict[str, list[Formula]], questions: Questions) -> bool:
        """Drop what this step breaks; whether anything was dropped."""
        target = self.rule.target
        premises = (*self.rule.facts, *kept.get(self.rule.source or "", ()))
        given = {f.key for f in premises}
        # What the step leaves alone holds after it as it did before.
        claims = {
            f"kept {k}": (f, self._claim(f))
            for k, f in enumerate(kept[target])
            if f.key not in self._settled and (f.key not in given or self._touches(f))
        }
        if not claims:
            return False
        questions.push()
        questions.add(premises)
        # Each claim has a name, so that a model says at once which of them it breaks.
        open_names = questions.define({name: claim for name, (_, claim) in claims.items()})
        dropped: set[str] = set()
        while open_names:
            answer, broken = questions.broken(open_names)
            if answer == "unsat":
                break
            # Without a usable counterexample, all of them go: they are only proposals.
            gone = broken if answer == "sat" and broken else set(open_names)
            open_names = [name for name in open_names if name not in gone]
            dropped |= gone
        questions.pop()
        if dropped:
            gone = {claims[name][0].key for name in dropped}
            kept[target] = [f for f in kept[target] if f.key not in gone]
        return bool(dropped)


def substitution(
    state: Sequence[StateVariable], arguments: Sequence[Linear | Formula]
) -> Substitution:
    """What an arrival puts in for the state variables of a head."""
    pairs = list(zip(state, arguments, strict=True))
    return Substitution(
        {v.symbol.key: a for v, a in pairs if isinstance(a, Linear)},
        {v.symbol.key: a for v, a in pairs if isinstance(a, Formula)},
    )
