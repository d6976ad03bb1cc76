"""Normal noise for an ε and a δ, of the textbook's width: what it takes, and no less."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from shiftproof import Report, Verdict
from shiftproof.checkers.kernel.arithmetic import Condition, Polynomial
from shiftproof.checkers.kernel.paired import given_up, powers
from shiftproof.checkers.kernel.paired.powers import Maker, Registry
from tests.verifying import verified

COUNT = """
from math import exp, log, sqrt
from shiftproof import DP, Count, Delta, Epsilon, Gaussian, Public, mechanism, sample

@mechanism(DP(delta="delta"))
def m(q: Count, s: Public[float], eps: Epsilon, delta: Delta) -> float:
    assert s > 0
    assert BOUNDS
    noise = sample(Gaussian(SIGMA))
    return q + noise
"""
HISTOGRAM = """
from collections.abc import Iterator
from math import log, sqrt
from shiftproof import DP, Delta, Epsilon, Gaussian, Histogram, Public, mechanism, sample

@mechanism(DP("add-remove", delta="delta"))
def m(f: Histogram, s: Public[float], eps: Epsilon, delta: Delta) -> Iterator[float]:
    assert s > 0
    assert BOUNDS
    width = SIGMA
    for x in f:
        noise = sample(Gaussian(width))
        yield x + noise
"""
SMALL = "eps <= 1 and delta <= 1 / 2"
TEXTBOOK = "sqrt(2 * log(1.25 / delta)) / eps"
#: Under which bounds which width is enough.
WIDE = (
    (SMALL, TEXTBOOK),
    ("eps <= 1 and delta <= 9 / 10", TEXTBOOK),
    ("eps <= 1", "sqrt(2 * log(2 / delta)) / eps"),
    ("eps <= 1 / 2 and delta <= 1 / 100", "sqrt(2 * log(1.25 / delta)) / eps"),
    (SMALL, "sqrt(2 * log(5 / (4 * delta))) / eps"),
    (SMALL, f"2 * {TEXTBOOK}"),
    (SMALL, "sqrt(2 * log(1.25 / delta) / (eps * eps))"),
    (SMALL, "sqrt(2) * sqrt(log(1.25 / delta)) / eps"),
    (SMALL + f" and s >= {TEXTBOOK}", "s"),
    (SMALL + " and s * eps >= sqrt(2 * log(1.25 / delta))", "s"),
    (SMALL + " and s * s * eps * eps >= 2 * log(1.25 / delta)", "s"),
)
#: Where it is not, at some ε and δ.
NARROW = (
    ("delta <= 1 / 2", TEXTBOOK),
    ("eps <= 10 and delta <= 1 / 2", TEXTBOOK),
    (SMALL, "sqrt(log(1.25 / delta)) / eps"),
    (SMALL, "sqrt(2 * log(1.25 / delta)) / (2 * eps)"),
    (SMALL, "sqrt(2 * log(1.25 / delta))"),
    (SMALL, "s * sqrt(2 * log(1.25 / delta)) / eps"),
    (SMALL, "sqrt(2 * log(1.25 / sqrt(delta))) / eps"),
    (SMALL, "2 * log(1.25 / delta) * sqrt(eps)"),
    (SMALL + " and s * s * eps >= 2 * log(1.25 / delta)", "s"),
    (SMALL + " and s * eps >= 2 * log(1.25 / delta) * delta", "s"),
    (SMALL + " and s * s * eps * eps >= log(1.25 / delta)", "s"),
)


def _report(tmp_path: Path, bounds: str, sigma: str, text: str = COUNT) -> Report:
    return verified(tmp_path, text.replace("BOUNDS", bounds).replace("SIGMA", sigma))


@pytest.mark.parametrize(("bounds", "sigma"), WIDE)
def test_noise_that_is_wide_enough_is_proved(tmp_path: Path, bounds: str, sigma: str) -> None:
    assert _report(tmp_path, bounds, sigma).verdict is Verdict.PROVED


@pytest.mark.parametrize(("bounds", "sigma"), NARROW)
def test_noise_that_is_too_narrow_is_not(tmp_path: Path, bounds: str, sigma: str) -> None:
    assert _report(tmp_path, bounds, sigma).verdict is not Verdict.PROVED


@pytest.mark.parametrize(("bounds", "sigma"), [WIDE[0], WIDE[-2]])
def test_each_cell_of_a_histogram_has_it(tmp_path: Path, bounds: str, sigma: str) -> None:
    assert _report(tmp_path, bounds, sigma, HISTOGRAM).verdict is Verdict.PROVED


Told = list[tuple[Registry, list[Condition]]]


def _listen(monkeypatch: pytest.MonkeyPatch, *, believe: bool) -> Told:
    """What the kernel says of functions; ``believe``: without what has to hold for it."""
    told: Told = []

    def tangents(
        of: Maker, positive: Polynomial, shows: Callable[[Condition], bool]
    ) -> Iterator[Condition]:
        facts: list[Condition] = []
        told.append((of.unknowns, facts))
        for fact in powers.tangents(of, positive, (lambda _: True) if believe else shows):
            facts.append(fact)
            yield fact

    monkeypatch.setattr(given_up, "tangents", tangents)
    return told


def _wrong(told: Told, admitted: Callable[[float, float, float], bool]) -> int:
    """How many of the facts are wrong at an ε, a δ and a width that the bounds admit."""
    rng, points = random.Random(1), list[dict[str, float]]()
    while len(points) < 200:
        eps, delta, s = rng.choice((1, rng.random())), 10 ** -rng.uniform(0, 6), rng.expovariate(1)
        if 0 < eps and 0 < delta < 1 and admitted(eps, delta, 4 * s / eps):
            points.append({"eps": eps, "delta": delta, "s": 4 * s / eps})
    return sum(
        not all(_holds(q, fact, point) for point in points) for q, facts in told for fact in facts
    )


def _holds(q: Registry, fact: Condition, point: dict[str, float]) -> bool:
    def value(name: str) -> float:
        if name.startswith("/"):
            return 1 / value(name[1:])
        for known, function in ((q.exponents, math.exp), (q.logarithms, math.log)):
            if name in known:
                return function(amount(known[name]))
        return math.sqrt(amount(q.roots[name])) if name in q.roots else point[name]

    def amount(p: Polynomial) -> float:
        return sum(float(c) * math.prod(map(value, m)) for m, c in p)

    assert fact[0] in (">=", "=")
    found = amount(fact[1])
    slack = 1e-9 * sum(abs(float(c) * math.prod(map(value, m))) for m, c in fact[1])
    return found >= -slack and (fact[0] == ">=" or found <= slack)


@pytest.mark.parametrize("believe", [False, True])
def test_what_is_said_of_functions_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, believe: bool
) -> None:
    told = _listen(monkeypatch, believe=believe)
    for bounds, sigma in (*WIDE[::3], *NARROW[::3]):
        heard = len(told)
        _report(tmp_path, bounds, sigma)
        admitted = eval(f"lambda eps, delta, s: {bounds}", {"sqrt": math.sqrt, "log": math.log})
        wrong = _wrong(told[heard:], admitted)
        if believe and wrong:
            return
        assert not wrong, (bounds, sigma)
    assert told
    assert not believe, "what has to hold first changed nothing"
