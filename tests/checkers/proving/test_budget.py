"""How a budget is divided among counters: every allotment offered stays within it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from shiftproof import Verdict, verify
from shiftproof.checkers.proving.loops.budget import Bounds, allotments
from shiftproof.checkers.proving.loops.system import End, Solver
from shiftproof.dsl.language.syntax import NOWHERE
from shiftproof.dsl.terms.formulas import Formula, above, at_least
from shiftproof.dsl.terms.linear import Linear, Symbol, number, term
from shiftproof.dsl.terms.substitution import Substitution
from tests.loading import source


def fixed(name: str, whole: bool = False) -> Linear:
    return term(Symbol(name, whole, fixed=True))


EPS, EPS2, C, N = fixed("eps"), fixed("eps2"), fixed("c", True), fixed("n", True)
COUNTER, OTHER = (term(Symbol(name, private=True)) for name in ("counter", "other"))
ONE, ZERO = number(1), number(0)
FACTS = (above(EPS, ZERO), above(EPS2, ZERO), at_least(C, ONE), at_least(N, ONE))


def offered(
    costs: Sequence[Mapping[Linear, Linear]], budget: Linear, facts: Sequence[Formula] = FACTS
) -> list[Bounds]:
    ends = [End(None, tuple(facts), dict(cost), NOWHERE) for cost in costs]
    return list(itertools.islice(allotments(ends, budget, facts, Solver()), 20))


def test_a_known_cost_within_the_budget() -> None:
    assert offered([{EPS: ONE}], EPS) == [{EPS: ONE}]


def test_a_known_cost_beyond_the_budget() -> None:
    assert offered([{EPS: number(Fraction(101, 100))}], EPS) == []


def test_the_dearest_end_counts() -> None:
    assert offered([{EPS: ONE}, {}, {EPS: number(2)}], EPS) == []
    assert offered([{EPS: ONE}, {}, {EPS: number(2)}], EPS.scaled(2)) == [{EPS: number(2)}]


def test_no_cost_needs_a_budget_that_is_not_negative() -> None:
    assert offered([{}], EPS) == [{}]
    assert offered([{}], ZERO) == [{}]
    assert offered([{}], -EPS) == []
    assert offered([{}], number(-1)) == []
    assert offered([{}], EPS - EPS2) == []


def test_a_credit_makes_room() -> None:
    assert offered([{EPS: number(-1)}], -EPS) == [{EPS: number(-1)}]
    assert offered([{EPS: number(-1)}], -EPS.scaled(2)) == []


def test_one_counter_gets_the_whole_budget() -> None:
    assert offered([{EPS: COUNTER}], EPS) == [{EPS: ONE}]
    assert offered([{EPS / C: COUNTER}], EPS) == [{EPS / C: C}]
    assert offered([{EPS / (C + N): COUNTER}], EPS) == [{EPS / (C + N): C + N}]
    assert offered([{EPS: COUNTER}], EPS.scaled(2)) == [{EPS: number(2)}]


def test_a_part_that_fits_no_counter_may_stay_unspent() -> None:
    assert offered([{EPS: COUNTER}], EPS + EPS2) == [{EPS: ONE + EPS2 / EPS}, {EPS: ONE}]
    first = offered([{EPS: COUNTER, EPS2: OTHER}], EPS + EPS2.scaled(2) + C)[0]
    assert first == {EPS: ONE, EPS2: number(2)}
    assert offered([{C / EPS: COUNTER}], EPS) == [{C / EPS: EPS * EPS / C}, {C / EPS: ZERO}]


def test_what_is_to_be_taken_off_is_no_part_to_leave_out() -> None:
    assert offered([{EPS: COUNTER}], EPS - EPS2) == [{EPS: ONE - EPS2 / EPS}]
    for bounds in offered([{EPS: COUNTER, EPS2: OTHER}], EPS.scaled(3) - EPS2):
        assert bounds != {EPS: number(3), EPS2: ZERO}


def test_a_counter_gets_what_known_costs_leave() -> None:
    half = number(Fraction(1, 2))
    (found,) = offered([{EPS: half, EPS / C: COUNTER}], EPS)
    assert found == {EPS: half, EPS / C: C.scaled(Fraction(1, 2))}


def test_each_part_of_the_budget_goes_where_it_belongs() -> None:
    first = offered([{EPS: COUNTER, EPS2: OTHER}], EPS + EPS2)[0]
    assert first == {EPS: ONE, EPS2: ONE}
    first = offered([{EPS / C: COUNTER, EPS2: OTHER}], EPS.scaled(2) + EPS2)[0]
    assert first == {EPS / C: C.scaled(2), EPS2: ONE}


def test_one_budget_is_shared_in_several_ways() -> None:
    found = offered([{EPS: COUNTER, EPS / C: OTHER}], EPS)
    halves = {EPS: number(Fraction(1, 2)), EPS / C: C.scaled(Fraction(1, 2))}
    assert halves in found
    assert len(found) >= 5
    assert len({str(f) for f in found}) == len(found)


def test_a_rate_that_may_be_negative_bounds_nothing() -> None:
    assert offered([{EPS - EPS2: COUNTER}], EPS) == []
    assert offered([{C: COUNTER}], EPS, FACTS[:2]) == []
    assert offered([{C: COUNTER}], C) == [{C: ONE}]


def test_facts_about_the_run_are_no_facts_about_the_budget() -> None:
    within = at_least(EPS, COUNTER)
    assert offered([{}], COUNTER, (*FACTS, within)) == []


CASES: list[tuple[dict[Linear, Linear], Linear]] = [
    ({EPS: COUNTER, EPS / C: OTHER}, EPS),
    ({EPS: COUNTER, EPS / N: OTHER}, EPS.scaled(3)),
    ({EPS: COUNTER, EPS2: OTHER}, EPS + EPS2),
    ({EPS: number(1), EPS2: OTHER}, EPS + EPS2),
    ({EPS / C: COUNTER, EPS / N: OTHER}, EPS),
    ({EPS / (C + ONE): COUNTER, EPS: OTHER}, EPS + EPS2),
]
POINTS = [
    dict(zip(("eps", "eps2", "c", "n"), map(number, values), strict=True))
    for values in itertools.product((Fraction(1, 3), 2), (Fraction(1, 7), 1), (1, 5), (1, 2))
]


@pytest.mark.parametrize(("costs", "budget"), CASES, ids=map(str, range(len(CASES))))
def test_what_is_offered_stays_within_the_budget(
    costs: dict[Linear, Linear], budget: Linear
) -> None:
    found = offered([costs], budget)
    assert found
    for bounds in found:
        assert set(bounds) == set(costs)
        for point in POINTS:
            at = Substitution(point).linear
            spent = sum(at(bound).constant * at(rate).constant for rate, bound in bounds.items())
            assert spent <= at(budget).constant


HEADER = """
from collections.abc import Iterator, Sequence
from shiftproof import (
    DP, Count, Epsilon, Laplace, Private, Public, Nat, Related, align, mechanism, other, sample
)

def exactly_one(x):
    return x - other(x) == 1

def equal(f):
    return f == other(f)

"""
NEGATIVE_BUDGET = """
@mechanism(DP(), budget=lambda c: c)
def m(x: Count, c: Public[int]) -> Iterator[float]:
    if c < 0:
        yield 0.0
    else:
        yield 1.0
"""
TOO_SMALL_BUDGET = """
@mechanism(Related(exactly_one), budget=lambda c: c)
def m(x: Private[float], c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield x + noise
    if c < eps:
        yield 0.0
"""
SIGN_OF_A_PRODUCT = """
@mechanism(Related(equal), budget=lambda eps, c: eps * c)
def m(f: Private[Sequence[float]], c: Public[int], eps: Epsilon) -> Iterator[float]:
    if c <= 0:
        for x in f:
            noise = sample(Laplace(1))
            align(noise, x - other(x))
            yield x + noise
    else:
        for x in f:
            yield 1.0
"""


@pytest.mark.parametrize("text", [NEGATIVE_BUDGET, TOO_SMALL_BUDGET])
def test_facts_of_one_end_are_no_facts_of_another(text: str, tmp_path: Path) -> None:
    assert verify(source(tmp_path, HEADER + text)["m"]).verdict is not Verdict.PROVED


def test_facts_of_one_rule_are_no_facts_of_another(tmp_path: Path) -> None:
    assert (
        verify(source(tmp_path, HEADER + SIGN_OF_A_PRODUCT)["m"], effort=0).verdict
        is not Verdict.PROVED
    )
