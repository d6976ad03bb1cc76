"""The kernel counts again: it agrees with proofs by counting, and with nothing else.

By default each proof is tried on 8 other programs; SHIFTPROOF_FULL=1 tries it on all.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from shiftproof.checkers.finite import methods as counting
from shiftproof.checkers.walking.counting.counter import (
    Counter,
    EnumerationPart,
    check_enumeration,
)
from shiftproof.checkers.walking.counting.numbers import Monomial, Numbers, Polynomial, times
from shiftproof.checkers.walking.counting.runs import STEPS
from shiftproof.checkers.walking.counting.signs import Signs, positive_between
from shiftproof.checkers.walking.counting.values import Wrong
from shiftproof.dsl.terms.linear import Symbol, term
from tests.checkers.finite.test_enumerating import ALL, BOUNDED, COMPLETE, FULL, enumerated
from tests.dsl.making import made


@pytest.fixture(autouse=True)
def _smaller_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "LARGEST", 5)


@cache
def part_of(name: str) -> EnumerationPart:
    found = enumerated(ALL[name].program).part
    assert found is not None
    return found


def problems(name: str, part: EnumerationPart) -> list[str]:
    return check_enumeration(ALL[name].program, part)[1]


@pytest.mark.parametrize("name", sorted(COMPLETE | set(BOUNDED)))
def test_a_proof_is_counted_again(name: str) -> None:
    part = part_of(name)
    read = msgspec.json.decode(msgspec.json.encode(part), type=EnumerationPart)
    assert read == part
    comparisons, found = check_enumeration(ALL[name].program, read)
    assert found == []
    assert comparisons == sum(s.comparisons for s in part.settings) > 0


@pytest.mark.parametrize("name", ["warner", "k_ary", "optimised_unary", "two_rounds"])
def test_what_was_tampered_with_is_found(name: str) -> None:
    part = part_of(name)
    first, *more = part.settings
    forged = [
        replace(part, complete=not part.complete),
        replace(part, largest=part.largest + 1),
        replace(part, settings=part.settings[:-1]),
        replace(part, settings=(*part.settings, first)),
        replace(part, settings=(replace(first, inputs=first.inputs + 1), *more)),
        replace(part, settings=(replace(first, outcomes=first.outcomes + 1), *more)),
        replace(part, settings=(replace(first, pairs=first.pairs - 1), *more)),
        replace(part, settings=(replace(first, comparisons=first.comparisons + 1), *more)),
        replace(part, settings=(replace(first, laws=first.laws[1:]), *more)),
        replace(part, settings=(replace(first, sizes={**first.sizes, "m": 1}), *more)),
        replace(part, settings=()),
    ]
    if more:
        forged.append(replace(part, largest=part.largest - 1))
        forged.append(replace(part, settings=tuple(reversed(part.settings))))
    for other in forged:
        assert problems(name, other), other


@pytest.mark.parametrize("right", sorted(COMPLETE | set(BOUNDED) - {"permute_and_flip"}))
def test_another_program_does_not_pass(right: str) -> None:
    for name in sorted(ALL) if FULL else random.Random(right).sample(sorted(ALL), 8):
        if name != right:
            assert problems(name, part_of(right)), name


def test_a_wrong_program_does_not_pass_with_its_own_counts() -> None:
    """Even where every count is as it should be, the inequality must hold."""
    for right, wrong in (
        ("warner", "wrong_warner"),
        ("warner_of_numbers", "wrong_warner_of_numbers"),
        ("by_distance", "wrong_by_distance"),
        ("two_rounds", "two_rounds_for_one"),
        ("mangat", "wrong_mangat"),
    ):
        found = problems(wrong, part_of(right))
        assert any("is not shown to be at most" in p for p in found), (wrong, found)


def polynomial(row: list[int], name: str = "eps") -> Polynomial:
    def monomial(k: int) -> Monomial:
        return (), ((name, Fraction(k)),) if k else ()

    return {monomial(k): Fraction(c) for k, c in enumerate(row) if c}


def product(rows: list[list[int]]) -> list[int]:
    total = [1]
    for row in rows:
        found = [0] * (len(total) + len(row) - 1)
        for i, a in enumerate(total):
            for j, b in enumerate(row):
                found[i + j] += a * b
        total = found
    return total


def test_signs_of_polynomials_with_known_roots() -> None:
    rng = random.Random(5)
    numbers, signs = Numbers(), Signs(frozenset({"eps"}))
    for _ in range(300):
        roots = [Fraction(rng.randint(-3, 6), rng.choice([1, 2])) for _ in range(rng.randint(0, 4))]
        factors = [[-r.numerator, r.denominator] for r in roots]
        factors += [[1, rng.randint(-1, 1), 1] for _ in range(rng.randint(0, 1))]  # no roots
        row = product([*factors, [rng.choice([1, 1, -1])]])
        inside = {r for r in roots if r > 1}
        odd = any(roots.count(r) % 2 for r in inside)
        at = max([Fraction(2), *(r + 1 for r in roots)])
        positive = sum(c * at**k for k, c in enumerate(row)) > 0
        for strict, wanted in (
            (False, positive and not odd),
            (True, positive and not inside),
        ):
            poly = numbers.made(polynomial(row), {((), ()): Fraction(1)})
            assert signs.holds(poly, strict) == wanted, (row, strict)
            assert positive_between(row, Fraction(1), None, strict) == wanted


def test_multiplied_out_or_not_an_inequality_is_the_same() -> None:
    rng = random.Random(6)
    numbers, signs = Numbers(), Signs(frozenset({"eps"}))
    plain = {((), ()): Fraction(1)}
    seen = set()
    for _ in range(200):
        p, factor, q = (
            numbers.made(
                polynomial([rng.randint(0, 3) for _ in range(3)]),
                polynomial([rng.randint(0, 2) for _ in range(2)]) or plain,
            )
            for _ in range(3)
        )
        if rng.random() < 0.3:
            p = numbers.multiply(factor, q)
        gap = numbers.add(numbers.multiply(factor, q), numbers.negative(p))
        found = signs.at_most(p, factor, q, numbers)
        assert found == signs.holds(gap, False), (p.text, factor.text, q.text)
        seen.add(found)
    assert seen == {True, False}
    halves = numbers.exponential(term(Symbol("eps", False, fixed=True)).scaled(Fraction(1, 2)))
    whole = numbers.multiply(halves, halves)
    assert signs.at_most(halves, numbers.one, whole, numbers)
    assert not signs.at_most(whole, numbers.one, halves, numbers)
    assert not signs.at_most(numbers.one, whole, numbers.zero, numbers)


def test_polynomials_touch_zero_at_the_ends() -> None:
    for row, strict, wanted in (
        ([-1, 1], True, True),  # t - 1
        ([1, -2, 1], True, True),  # (t - 1)²
        ([1, -1], False, False),
        ([4, -4, 1], False, True),  # (t - 2)²
        ([4, -4, 1], True, False),
        ([0, 4, -4, 1], False, True),
    ):
        assert positive_between(row, Fraction(1), None, strict) is wanted, row
    assert positive_between([2, -1], Fraction(1), Fraction(2), True)
    assert not positive_between([-2, 1], Fraction(1), Fraction(2), False)
    assert not positive_between([-3, 2], Fraction(1), Fraction(2), False)


def test_quotients_are_in_lowest_terms() -> None:
    rng = random.Random(7)
    numbers = Numbers()
    for _ in range(60):
        one, two, three = (
            polynomial([rng.randint(-3, 3) for _ in range(4)] + [1]) for _ in range(3)
        )
        left = numbers.made(times(one, three), times(two, three))
        assert left is numbers.made(one, two)
        total = numbers.add(left, numbers.negative(left))
        assert total is numbers.zero
        assert numbers.multiply(left, numbers.inverse(left)) is numbers.one


#: With one threshold x itself is released; whether T[1] is read depends on p alone.
SKIPPING = """\
@mechanism(LDP())
def m(x: Annotated[int, IntegerValue(0, 1)], T: Public[Vector], p: Public[float], eps: Epsilon):
    assert len(T) <= 2
    assert {precondition}
    coin = sample(Bernoulli(1 / 2))
    if len(T) == 1:
        return x
    return x if coin else 1 - x
"""


@pytest.mark.parametrize(
    "precondition",
    ["p > 0 or T[1] > 0", "T[1] > 0 if p > 0 else True", "not (p <= 0 and T[1] < 0)"],
)
def test_no_size_is_ruled_out_by_what_is_not_read(precondition: str) -> None:
    program = made(SKIPPING.format(precondition=precondition)).program
    counter = Counter(program, [STEPS])
    with pytest.raises(Wrong):
        counter.found({"len(T)": 1})
    two = counter.found({"len(T)": 2})
    assert two is not None
    assert check_enumeration(program, EnumerationPart(2, True, (two,)))[1]


def test_a_size_is_ruled_out_by_what_is_read() -> None:
    program = made(SKIPPING.format(precondition="T[1] > 0")).program
    counter = Counter(program, [STEPS])
    assert counter.found({"len(T)": 0}) is None and counter.found({"len(T)": 1}) is None
