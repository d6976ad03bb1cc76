"""Answers that move together in a norm: ℓ2 for normal noise, ℓ1 for Laplace noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest

from shiftproof import BadInput, Mechanism, Queries, Query, Stream, Verdict, explain, verify
from shiftproof.dsl.privacy.inputs import IntegerQueries
from shiftproof.dsl.relations.neighbours import declared_steps
from tests.loading import source
from tests.sampling import every

HEAD = """
from collections.abc import Iterator, Sequence
from math import log, sqrt
from typing import Annotated
from shiftproof import (
    ADP, DP, INFER, ZCDP, Count, Delta, DiscreteGaussian, Epsilon, Gaussian, Group, IntegerQueries,
    IntegerQuery, Laplace, Nat, Policy, Public, Queries, Rho, TwoSidedGeometric, mechanism, sample,
)

"""
LENGTH = """
@mechanism(ZCDP())
def m(f: Annotated[Sequence[float], Queries(l2=1)], rho: Rho) -> Iterator[float]:
    for x in f:
        noise = sample(Gaussian(1 / sqrt(2 * rho)))
        yield x + noise
"""
NAMED = """
@mechanism(ZCDP())
def m(
    f: Annotated[Sequence[float], Queries(l2="most")], most: Public[float], rho: Rho
) -> Iterator[float]:
    assert most > 0
    for x in f:
        noise = sample(Gaussian(most / sqrt(2 * rho)))
        yield x + noise
"""
TWICE = """
@mechanism(ZCDP(), budget=lambda rho: 2 * rho)
def m(f: Annotated[Sequence[float], Queries(l2=1)], rho: Rho) -> Iterator[float]:
    for x in f:
        noise = sample(Gaussian(1 / sqrt(2 * rho)))
        yield x + noise
    for x in f:
        noise = sample(Gaussian(1 / sqrt(2 * rho)))
        yield x + noise
"""
ONE_WAY = """
@mechanism(ADP(Policy({1}), zcdp=True))
def m(
    f: Annotated[Sequence[int], IntegerQueries(l2=3, direction="decreasing")], rho: Rho
) -> Iterator[int]:
    for i in range(len(f)):
        noise = sample(DiscreteGaussian(3 / sqrt(2 * rho)))
        yield f[i] + noise
"""
TO_DELTA = """
@mechanism(DP(delta=1e-6), budget=1.0)
def m(f: Annotated[Sequence[float], Queries(l2=1)]) -> Iterator[float]:
    for x in f:
        noise = sample(Gaussian(5.4))
        yield x + noise
"""
SIZES = """
@mechanism(DP())
def m(f: Annotated[Sequence[float], Queries(l1=2)], eps: Epsilon) -> Iterator[float]:
    for x in f:
        noise = sample(Laplace(2 / eps))
        yield x + noise
"""
WHOLE = """
@mechanism(DP("add-remove"))
def m(f: Annotated[Sequence[int], IntegerQueries(l1=2)], eps: Epsilon) -> Iterator[int]:
    for x in f:
        noise = sample(TwoSidedGeometric(2 / eps))
        yield x + noise
"""
CALLED = """
@mechanism(ZCDP())
def vector(
    f: Annotated[Sequence[float], Queries(l2="most")], most: Public[float], rho: Rho
) -> tuple[float]:
    assert most > 0
    total = 0.0
    for x in f:
        noise = sample(Gaussian(most / sqrt(2 * rho)))
        total = total + x + noise
    return (total,)

@mechanism(ZCDP())
def m(
    g: Annotated[Sequence[float], Queries(l2="far")], far: Public[float], rho: Rho
) -> Iterator[float]:
    assert far > 0
    (x,) = vector(g, far, rho / 2)
    yield x
    (y,) = vector(g, far, rho / 2)
    yield y
"""
DESCENT = """
@mechanism(DP(delta="delta"), budget=lambda rho, delta: rho + 2 * sqrt(rho * log(1 / delta)))
def m(
    gradient: Annotated[Sequence[float], Queries(l2="clip")], clip: Public[float],
    steps: Public[Nat], rho: Rho, delta: Delta,
) -> Iterator[float]:
    assert clip > 0
    assert steps >= 1
    for _ in range(steps):
        for part in gradient:
            noise = sample(Gaussian(clip * sqrt(steps) / sqrt(2 * rho)))
            yield part + noise
"""
BESIDE = """
@mechanism(ZCDP())
def m(f: Annotated[Sequence[float], Queries(l2=1)], c: Count, rho: Rho) -> Iterator[float]:
    noise = sample(Gaussian(1 / sqrt(rho)))
    yield c + noise
    for x in f:
        noise = sample(Gaussian(1 / sqrt(rho)))
        yield x + noise
"""
#: Each with what breaks it.
PAIRS = {
    "length": (LENGTH, "2 * rho", "2.1 * rho"),
    "named": (NAMED, "most / sqrt", "sqrt(most) / sqrt"),
    "twice": (TWICE, "lambda rho: 2 * rho", "lambda rho: 1.9 * rho"),
    "one way": (ONE_WAY, "l2=3", "l2=4"),
    "δ": (TO_DELTA, "l2=1", "l2=2"),
    "ℓ1 where ℓ2 is known": (SIZES, "l1=2", "l2=2"),
    "ℓ1 of integers": (WHOLE, "l1=2", "l1=3"),
    "steps of descent": (DESCENT, "clip * sqrt(steps)", "clip * sqrt(steps) / 2"),
    "beside a count": (BESIDE, "c: Count", "c: Annotated[int, IntegerQuery(sensitivity=2)]"),
    "calls": (CALLED, "far, rho / 2", "far, rho / 1.9"),
}


@pytest.fixture(name="m")
def _mechanism(tmp_path: Path) -> Callable[[str], Mechanism]:
    return lambda text: source(tmp_path, HEAD + text)["m"]


@pytest.mark.parametrize("name", every(2, PAIRS))
def test_what_moves_together_is_proved_at_once_and_what_is_not_enough_is_refuted(
    name: str, m: Callable[[str], Mechanism]
) -> None:
    text, one, other = PAIRS[name]
    assert verify(m(text)).verdict == Verdict.PROVED
    assert text.count(one)
    assert verify(m(text.replace(one, other))).verdict == Verdict.REFUTED


def test_all_answers_together_are_not_each_of_them(m: Callable[[str], Mechanism]) -> None:
    each = LENGTH.replace("l2=1", "sensitivity=1")
    assert verify(m(each)).verdict == Verdict.REFUTED
    assert verify(m(LENGTH)).verdict == Verdict.PROVED


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (LENGTH.replace("ZCDP()", "ZCDP(), budget=INFER").replace("l2=1", "l2=3"), "9*rho"),
        (SIZES.replace("DP()", "DP(), budget=INFER").replace("l1=2", "l1=3"), "3*eps/2"),
        (
            NAMED.replace("ZCDP()", "ZCDP(), budget=INFER").replace("(most /", "(2 /"),
            "most*most*rho/4",
        ),
    ],
)
def test_what_is_kept_is_found(text: str, found: str, m: Callable[[str], Mechanism]) -> None:
    report = verify(m(text))
    assert report.verdict == Verdict.PROVED
    assert f"= {found};" in report.claim


def test_it_is_said_in_the_claim_and_in_the_explanation(m: Callable[[str], Mechanism]) -> None:
    report = verify(m(LENGTH))
    assert "in the ℓ2 norm together at most 1" in report.claim
    assert "ℓ2 norm all of them together" in str(explain(report))


@pytest.mark.parametrize(
    ("kind", "one", "two", "steps"),
    [
        (Queries(l2=5), (3, 4, 0), (0, 0, 0), 1),
        (Queries(l2=5), (3, 4, 1), (0, 0, 0), 2),
        (Queries(l2=5), (6, 8, 0), (0, 0, 0), 2),
        (Queries(l1=5), (3, 2, 0), (0, 0, 0), 1),
        (Queries(l1=5), (3, -2, 1), (0, 0, 0), 2),
        (IntegerQueries(l2=1), (0, 1), (1, 1), 1),
        (IntegerQueries(l2=1.9), (3,), (0,), 3),
        (IntegerQueries(l2=1.9), (1, 1, 1), (0, 0, 0), 1),
        (IntegerQueries(l2=1.9), (2, 2, 2), (0, 0, 0), 2),
        (IntegerQueries(l2=1.9), (1, 1, 1, 1), (0, 0, 0, 0), 4),
        (IntegerQueries(l2=0.5), (1,), (0,), inf),
        (IntegerQueries(l1=1.5), (3,), (0,), 3),
        (IntegerQueries(sensitivity=1.5), (3, -3), (0, 0), 3),
        (Queries(l2=Fraction(1, 2)), (0, 0), (0, 0), 0),
    ],
)
def test_steps_are_counted_in_the_norm(
    kind: Queries, one: Sequence[Any], two: Sequence[Any], steps: float
) -> None:
    assert sum(declared_steps(kind, (one, two), {})) == steps


@pytest.mark.parametrize("said", ["l2=1.9", "l1=1.5", "sensitivity=1.5"])
def test_groups_of_integers_move_by_whole_steps(said: str, m: Callable[[str], Mechanism]) -> None:
    """Two steps of at most 1 are at most 2, and not 3."""
    text = """
@mechanism(Group(DP(), 2))
def m(f: Annotated[Sequence[int], IntegerQueries(SAID)], eps: Epsilon) -> int:
    assert len(f) == 1
    noise = sample(TwoSidedGeometric(2 / eps))
    return f[0] + noise
"""
    assert verify(m(text.replace("SAID", said))).verdict != Verdict.REFUTED


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (lambda: Queries(l1=1, l2=1), "one of sensitivity=, l1=, l2="),
        (lambda: Queries(sensitivity=2, l2=1), "one of sensitivity=, l1=, l2="),
        (lambda: Queries(l2=-1), "a number >= 0"),
        (lambda: Query(l2=1), "a norm is of several answers"),
        (lambda: Stream(l2=1), "all answers of an adaptive stream may differ"),
    ],
)
def test_a_norm_is_said_once_and_of_several_answers(said: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        said()
