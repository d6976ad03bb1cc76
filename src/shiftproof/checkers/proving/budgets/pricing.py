"""What an alignment costs at most: a bound on each of its counters, found and not claimed.

The cost of a run is Σ counter · rate.  Bounds on a counter have no least element (min(c, n) is
below c and below n), so the first of a fixed list that is proved is taken: numbers before sizes,
small ones before large ones.  What it comes to, Σ bound · rate, is an ε that is kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, product

from ....alignments.alignment import Alignment
from ....dsl.language.flow import AssignNode, HeadNode
from ....dsl.language.syntax import Constant, Expression, children, parts_of
from ....dsl.relations.cases import Case
from ....dsl.relations.moves import most_together
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import Formula, at_least, equal, first_choice, negation
from ....dsl.terms.functions import facts_of_functions
from ....dsl.terms.linear import Linear, Rational, Symbol, number, term
from ....dsl.terms.substitution import divisors_of, symbols_of
from ...walking.common import common_facts
from ..loops.amounts import Amounts
from ..loops.budget import Bounds, spent
from ..loops.seen import Arrived, Seen
from ..loops.system import End, Solver, System, put_for
from ..prove import Proof, Unrolled, cost_queries, owed_by, settle_loops

#: How many rounds of loops a bound must withstand before it is tried to be proved.
ROUNDS = 2
#: How many of the values that a counter may come to are looked at.
MOST_ARMS = 64
#: The numbers that a counter may be bounded by.  In a loop only the first are tried before sizes.
NUMBERS: tuple[Rational, ...] = (0, Fraction(1, 2), 1, Fraction(3, 2), 2, 3, 4, 5, 6, 8)
#: How much one round of a loop may add to a counter.
STEPS: tuple[Rational, ...] = (Fraction(1, 2), 1, 2, 3, 4)
#: The smallest part of 1 in which it is looked for what a round adds.
FINEST = 12

#: What a counter comes to where runs end, each with what holds there.
Counters = list[tuple[tuple[Formula, ...], Linear]]


@dataclass(frozen=True, slots=True)
class Priced:
    """An alignment of one case with bounds of its own; ``proved``, or a guess."""

    case: Case
    shifts: Mapping[int, Expression]
    proof: Proof
    proved: bool = True

    @property
    def budget(self) -> Linear:
        """Σ bound · rate, over public parameters and sizes."""
        return spent(self.proof.bounds)


def priced(
    program: Program,
    case: Case,
    alignment: Alignment,
    solver: Solver,
    *,
    likely: bool = False,
    arrived: Iterable[Arrived] = (),
) -> Priced | None:
    """The alignment with the first bounds that elimination proves; ``None`` if there are none.

    ``likely``: what is left to Spacer is taken for granted, and so is a bound with a name in it
    that the first rounds leave possible: it is a guess, which has to be proved.  ``arrived``: what
    runs under this alignment held at loop heads.

    Raises:
        Unsupported, LimitReached, BadInput: as for :func:`~.prove.prove`.
    """
    system, duties = owed_by(program, case, alignment, solver)
    if any(duty.source is None for duty in duties):
        return None
    rates = sorted({rate for end in system.ends for rate in end.costs}, key=str)
    facts = [fact for fact in system.facts if fact.fixed]
    amounts = Amounts(facts, solver.follows)
    if not all(amounts.is_most(rate, number(0)) for rate in rates):
        return None
    ends = _ends(program, case, alignment, solver, system)
    seen = Seen(program, case.places, alignment.alike, system, arrived)
    bounds: Bounds = {}
    for rate in rates:
        counters = [(end.facts, end.costs.get(rate, number(0))) for end in ends]
        unit = _unit(counters)
        coarse = [(known, counter.scaled(1 / unit)) for known, counter in counters]
        looped = bool(system.predicates)
        found = _candidates(program, case, coarse, looped, solver)
        candidates = (bound.scaled(unit) for bound in found)
        bound = _first_bound(system, rate, candidates, counters, solver, seen, likely)
        if bound is None:
            return None
        bounds[rate] = bound
    if not all(_is_defined(solver, facts, bound * rate) for rate, bound in bounds.items()):
        return None
    queries = [*duties, *cost_queries(system, bounds, solver)]
    _, _, known = settle_loops(system, queries, bounds, solver, seen, quick=True)
    if known is None and not likely:
        return None
    return Priced(case, alignment.shifts, Proof(system, known or {}, bounds), known is not None)


def _first_bound(
    system: System,
    rate: Linear,
    candidates: Iterable[Linear],
    counters: Counters,
    solver: Solver,
    seen: Seen,
    likely: bool,
) -> Linear | None:
    """The first bound that is proved; if none is, a ``likely`` one will do."""
    possible: Linear | None = None
    for bound in candidates:
        if _holds(system, rate, bound, solver, seen):
            finer = (b for b in _finer(bound, counters) if _holds(system, rate, b, solver, seen))
            return next(finer, bound)
        if likely and possible is None and not bound.is_constant:
            possible = bound
    return possible


def _ends(
    program: Program, case: Case, alignment: Alignment, solver: Solver, system: System
) -> Sequence[End]:
    """Where the runs end, with what the counters come to; of loops the first few rounds.

    If none ends within these, where they go on after one.
    """
    if not system.predicates:
        return system.ends
    facts = common_facts(program, case)
    found = Unrolled(program, case, alignment, facts, solver, ROUNDS)
    return [*found.ended, *found.called] or (
        Unrolled(program, case, alignment, facts, solver, 0).going_on
    )


def _candidates(
    program: Program,
    case: Case,
    counters: Counters,
    looped: bool,
    solver: Solver,
) -> Iterator[Linear]:
    """Bounds on a counter that the first rounds leave possible, likely ones first."""
    reached = [value for _, counter in counters for value in _arms(counter) if value.fixed]
    moves = {side.key: side for m in case.moves.values() for side in (m.high, -m.low)}
    together = [most_together(move) for move in case.moves.values() if move.norm]
    units = [*moves.values(), *together, *reached]
    steps = sorted({*STEPS, *_parts_of_rounds(counters)})
    plain = {unit.constant * k for unit in units if unit.is_constant for k in steps}
    numbers = sorted({*NUMBERS, *(k for k in plain if k > 0)})
    paid = [v.constant for v in reached if v.is_constant]
    paid += [v.constant * k for v in together if v.is_constant for k in NUMBERS[1:3]]
    likely = {*NUMBERS[:5], *paid} if looped else numbers
    sized = _sized(program, [unit for unit in units if not unit.is_constant], steps)
    tried: set[str] = set()
    for bound in chain(map(number, sorted(likely)), sized, map(number, numbers)):
        if bound.key in tried:
            continue
        tried.add(bound.key)
        for k, (facts, counter) in enumerate(counters):
            if not solver.follows(facts, at_least(bound, counter)):
                counters.insert(0, counters.pop(k))  # it is likely to object to the next one, too
                break
        else:
            yield bound


def _finer(bound: Linear, counters: Counters) -> Iterator[Linear]:
    """The bound with less besides what is for each round."""
    for part in _parts_of_rounds(counters) if not bound.is_constant else ():
        if part < bound.constant:
            yield bound - number(bound.constant - part)


def _parts_of_rounds(counters: Counters) -> Iterator[Fraction]:
    """Multiples of the smallest part in which the counters count."""
    parts = {Fraction(k).denominator for _, counter in counters for _, k in counter.parts}
    finest = math.lcm(*parts)
    if finest <= FINEST:
        yield from (Fraction(k, finest) for k in range(1, 2 * finest))


def _unit(counters: Counters) -> Fraction:
    """In what the counters count: 1, or what their steps are multiples of, if these are fine ones.

    before:  move/800 + move/20, where both rates are numbers
    after:   1/800
    """
    steps = [abs(Fraction(k)) for _, counter in counters for _, k in counter.parts]
    finest = math.lcm(*(step.denominator for step in steps))
    if finest <= FINEST:
        return Fraction(1)
    return Fraction(math.gcd(*(int(step * finest) for step in steps)), finest)


def _arms(counter: Linear) -> Iterator[Linear]:
    """What a counter may come to, each choice taken either way; not all if there are many."""
    waiting = [counter]
    for _ in range(MOST_ARMS):
        if not waiting:
            return
        value = waiting.pop()
        chosen = first_choice(value)
        if chosen is None:
            yield value
        else:
            waiting += [put_for(value, chosen, arm) for arm in (chosen.yes, chosen.no)]


def _sized(
    program: Program, units: Sequence[Linear], parts: Sequence[Rational]
) -> Iterator[Linear]:
    """Bounds with a sensitivity or a size in them; ``units``: what a round may add."""
    scalars = [
        n for n, kind in program.inputs.items() if kind.public and kind.whole and not kind.array
    ]
    sizes = [term(program.parameter_symbol(name)) for name in scalars]
    sizes += [term(program.length_symbol(n)) for n, kind in program.inputs.items() if kind.array]
    sizes += _written_sizes(program)
    named = [unit.scaled(k) for unit in units for k in parts]
    steps = [*map(number, parts), *named]
    yield from named
    for size, k in product(sizes, steps):
        yield size * k
        yield size * k + k
    for one, other, k in product(sizes, sizes, steps):
        yield one * other * k


def _written_sizes(program: Program) -> list[Linear]:
    """The whole numbers that are written where the program counts: how often loops may go round."""
    found: set[Rational] = set()
    for node in program.flow.nodes:
        match node:
            case AssignNode(step=step):
                read = children(step)
            case HeadNode(test=test):
                read = (test,)
            case _:
                continue
        parts = (part for e in read for part in parts_of(e))
        found |= {p.value for p in parts if isinstance(p, Constant) and p.kind == "int"}
    return [number(value) for value in sorted(found) if value > 1]


def _holds(system: System, rate: Linear, bound: Linear, solver: Solver, seen: Seen) -> bool:
    """Whether a bound on one counter is proved."""
    bounds = {rate: bound}
    queries = cost_queries(system, bounds, solver)
    if any(query.source is None for query in queries):
        return False
    _, _, known = settle_loops(system, queries, bounds, solver, seen, quick=True)
    return known is not None


def _is_defined(solver: Solver, facts: Sequence[Formula], amount: Linear) -> bool:
    """Whether an amount divides by nothing that may be zero."""
    known = [*facts, *facts_of_functions(amount)]
    return all(solver.follows(known, negation(equal(d, number(0)))) for d in divisors_of(amount))


def is_less(one: Priced, other: Priced, solver: Solver) -> bool:
    """Whether an alignment costs less for all parameters, or, if neither does, grows with less."""
    facts = [fact for fact in one.proof.system.facts if fact.fixed]
    if solver.follows(facts, at_least(other.budget, one.budget)):
        return one.budget != other.budget
    if solver.follows(facts, at_least(one.budget, other.budget)):
        return False
    return len(sizes(one.budget)) < len(sizes(other.budget))


def sizes(budget: Linear) -> set[Symbol]:
    """The sizes and whole numbers that a budget grows with."""
    return {symbol for symbol in symbols_of(budget) if symbol.integral}


def together(program: Program, cases: Sequence[Priced]) -> Bounds:
    """Bounds on the counters that hold in every case: for each of them the largest one."""
    solver = Solver()
    together: Bounds = {}
    for one in cases:
        facts = [fact for fact in common_facts(program, one.case) if fact.fixed]
        for rate, bound in one.proof.bounds.items():
            known = together.get(rate, bound)
            if solver.follows(facts, at_least(bound, known)):
                together[rate] = bound
            elif solver.follows(facts, at_least(known, bound)):
                together[rate] = known
            else:
                together[rate] = known + bound
    return together
