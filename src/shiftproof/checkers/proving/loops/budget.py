"""From counters to the budget: which bounds on single counters together give ε.

The cost of a run is Σ counter · rate, with symbolic rates such as ε and ε/c.  The
loops keep counters linear; so the budget is divided among them first, and each
counter gets a bound of its own, with Σ bound · rate <= budget proved once, exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from ....dsl.relations.cases import Case
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import Formula, at_least, equal, first_choice, negation
from ....dsl.terms.linear import DivisionByZero, Linear, number, term
from ....dsl.terms.substitution import Substitution, divisors_of, exponentials_of
from ...walking.runs.given_up import probability_at
from .amounts import Amounts, has_logs
from .system import End, Solver, put_for

Bounds = dict[Linear, Linear]
ZERO = number(0)

#: Shares in which a budget is tried to be divided between two or more counters.
SHARES = tuple(
    Fraction(*f) for f in ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5), (4, 5))
)


def claimed(program: Program, case: Case) -> Linear:
    """The budget of a case, without the distance that it may be multiplied by."""
    return program.budget if case.budget is None else case.budget


def spent(bounds: Bounds) -> Linear:
    """What bounds on the counters come to: Σ bound · rate; of δ nothing is spent."""
    total = number(0)
    for rate, bound in bounds.items():
        if probability_at(rate) is None:
            total = total + bound * rate
    return total


def times(shares: Bounds, distance: Linear | None) -> Bounds:
    """Bounds on the counters, of shares of a distance, if the budget is a multiple of one."""
    if distance is None:
        return shares
    return {rate: distance.scaled(share.constant) for rate, share in shares.items()}


def allotments(
    ends: Sequence[End],
    budget: Linear,
    facts: Iterable[Formula],
    solver: Solver,
    distance: Linear | None = None,
    delta: Linear = ZERO,
) -> Iterator[Bounds]:
    """Bounds on the counters that together stay within the budget, most likely ones first.

    What is given up is counted by rates of its own, within δ.

    Where the budget is multiplied by the distance of the pair, they are shares of it: plain
    numbers (see :func:`times`).
    """
    facts = [*facts]
    if distance is not None and not solver.follows(facts, at_least(distance, number(0))):
        return  # what is less than a share of a negative number is more than the whole of it
    facts = [f for f in facts if f.fixed]
    every = sorted({rate for end in ends for rate in end.costs}, key=str)
    tails = {rate: p for rate in every if (p := probability_at(rate)) is not None}
    for counted in _of_delta(tails, ends, delta, facts, solver):
        rates = [rate for rate in every if rate not in tails]
        for bounds in _allotted(rates, ends, budget, facts, solver, distance):
            yield {**bounds, **counted}


def _of_delta(
    tails: Mapping[Linear, Linear],
    ends: Sequence[End],
    delta: Linear,
    facts: Sequence[Formula],
    solver: Solver,
) -> Iterator[Bounds]:
    """Bounds on how often probabilities are given up, that together stay within δ."""
    if not tails:
        if delta == ZERO or _is_within(delta, {}, facts, solver):
            yield {}
        return
    plain = [
        End(
            end.source,
            end.facts,
            {tails[r]: n for r, n in end.costs.items() if r in tails},
            end.span,
        )
        for end in ends
    ]
    for bounds in _allotted(list(tails.values()), plain, delta, facts, solver, None):
        yield {rate: bounds[tail] for rate, tail in tails.items()}


def _allotted(
    rates: Sequence[Linear],
    ends: Sequence[End],
    budget: Linear,
    facts: Sequence[Formula],
    solver: Solver,
    distance: Linear | None,
) -> Iterator[Bounds]:
    """Bounds on counters with these rates."""
    if not all(_is_most(rate, number(0), [rate], facts, solver) for rate in rates):
        return  # a bound on a counter bounds its cost only if its rate is not negative
    found = {rate: _constant_bound(rate, ends, solver) for rate in rates}
    known = {rate: bound for rate, bound in found.items() if bound is not None}
    if distance is not None:  # it may be smaller than any number but zero
        known = {rate: bound for rate, bound in known.items() if bound == number(0)}
    unknown = [rate for rate in rates if rate not in known]
    seen: set[str] = set()
    for shared in _divided(budget - spent(known), unknown):
        bounds = {**known, **shared}
        if str(bounds) not in seen and _is_within(budget, bounds, facts, solver):
            seen.add(str(bounds))
            if distance is None or all(bound.is_constant for bound in bounds.values()):
                yield bounds


def _is_within(budget: Linear, bounds: Bounds, facts: Sequence[Formula], solver: Solver) -> bool:
    """Whether bounds on the counters together stay within a budget.

    What would divide by zero is never drawn, and costs nothing.
    """
    if not _is_most(budget, spent(bounds), bounds, facts, solver):
        return False
    for zero in _may_be_zero(bounds, facts, solver):
        left = {r: b for r, b in bounds.items() if zero not in divisors_of(r)}
        if not _is_within(budget, left, [*facts, equal(zero, number(0))], solver):
            return False
    return True


def _is_most(
    more: Linear, less: Linear, rates: Iterable[Linear], facts: Sequence[Formula], solver: Solver
) -> bool:
    """Whether an amount is at least another one where no rate divides by zero."""
    known = [_is_not_zero(d) for d in _may_be_zero(rates, facts, solver)]
    return Amounts([*facts, *known], solver.follows).is_most(more, less)


def _may_be_zero(rates: Iterable[Linear], facts: Sequence[Formula], solver: Solver) -> list[Linear]:
    divisors = {str(d): d for rate in rates for d in divisors_of(rate)}
    return [d for d in divisors.values() if not solver.follows(facts, _is_not_zero(d))]


def _is_not_zero(x: Linear) -> Formula:
    return negation(equal(x, number(0)))


def _constant_bound(rate: Linear, ends: Sequence[End], solver: Solver) -> Linear | None:
    """The largest value of a counter that is a plain number at every end."""
    values = [
        value
        for end in ends
        for value in _pieces(end.costs.get(rate, number(0)), end.facts, solver)
    ]
    if all(v.is_constant for v in values):
        return number(max((v.constant for v in values), default=0))  # none: no run ends
    return None


def _pieces(value: Linear, facts: tuple[Formula, ...], solver: Solver) -> Iterator[Linear]:
    """What a counter comes to, for each way in which its choices can fall."""
    chosen = first_choice(value)
    if chosen is None:
        yield value
        return
    for test, arm in ((chosen.test, chosen.yes), (negation(chosen.test), chosen.no)):
        if solver.consistent((*facts, test)):
            yield from _pieces(put_for(value, chosen, arm), (*facts, test), solver)


def _divided(budget: Linear, rates: Sequence[Linear]) -> Iterator[Bounds]:
    """Ways to spend a budget on counters with these rates."""
    if not rates:
        yield {}
        return
    if len(rates) == 1:
        bound = _quotient(budget, rates[0])
        if bound is not None:
            yield {rates[0]: bound}
        yield from _by_terms(budget, rates)
        yield from _a_few(rates)
        return
    yield from _by_terms(budget, rates)
    yield from _together(budget, rates)
    yield from _a_few(rates)
    for shares in _shares(len(rates)):
        parts = [_quotient(budget.scaled(s), rate) for s, rate in zip(shares, rates, strict=True)]
        if all(p is not None for p in parts):
            yield {r: p for r, p in zip(rates, parts, strict=True) if p is not None}


def _a_few(rates: Sequence[Linear]) -> Iterator[Bounds]:
    """Each rate once or twice, where some are no polynomials: these are in no ratio to a budget."""
    if any(has_logs(rate) or any(exponentials_of(rate)) for rate in rates):
        yield from (dict.fromkeys(rates, number(k)) for k in (1, 2))


def _by_terms(budget: Linear, rates: Sequence[Linear]) -> Iterator[Bounds]:
    """Each term of the budget goes to the one counter for which it is a whole multiple."""
    bounds = {rate: number(0) for rate in rates}
    for atom, k in budget.parts:
        part = term(atom).scaled(k)
        fitting = [
            (rate, q)
            for rate in rates
            if (q := _quotient(part, rate)) is not None and not any(divisors_of(q))
        ]
        if len(fitting) > 1:
            return
        # A term that fits no counter is not spent; what is claimed is then more than is needed.
        for rate, quotient in fitting:
            bounds[rate] = bounds[rate] + quotient
    yield bounds


def _together(budget: Linear, rates: Sequence[Linear]) -> Iterator[Bounds]:
    """As much of each rate: ``theta * eps`` and ``(1 - theta) * eps`` are eps together."""
    total = number(0)
    for rate in rates:
        total = total + Substitution().linear(rate)  # which multiplies out
    multiple = _quotient(budget, total)
    if multiple is not None and multiple.is_constant:
        yield dict.fromkeys(rates, multiple)


def _shares(count: int) -> Iterator[tuple[Fraction, ...]]:
    for first in product(SHARES, repeat=count - 1):
        if sum(first) < 1:
            yield (*first, 1 - sum(first, Fraction(0)))


def _quotient(budget: Linear, rate: Linear) -> Linear | None:
    try:
        return Substitution().linear(budget / rate)  # multiplied out, as what is bounded is
    except DivisionByZero:
        return None
