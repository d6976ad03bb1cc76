"""The exact engine against closed forms, counting, an independent enumerator, and derivatives."""

from __future__ import annotations

import math
import os
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flint import arb

from shiftproof import LimitReached, Mechanism
from shiftproof.checkers.exact.affine import NotAffine
from shiftproof.checkers.exact.numbers import Enclosure, Unit, rational, working
from shiftproof.checkers.exact.outcomes import Measure, Outcome, Real
from shiftproof.checkers.exact.paths import PATHS
from shiftproof.checkers.exact.powers import Mixed
from shiftproof.checkers.exact.state import DRAWS
from shiftproof.checkers.exact.ties import OnBoundary
from shiftproof.checkers.refuting.inputs import plain_inputs
from shiftproof.mechanisms.incorrect_sparse_vector import sparse_vector_half_noise
from tests.checkers.enumeration import TooMany, spread
from tests.checkers.exact.checking import (
    Base,
    asked,
    atoms,
    is_one,
    measured,
    near,
    outcome,
    paths,
    total,
    untyped,
    width,
)
from tests.checkers.exact.random_programs import written
from tests.checkers.exact.twins import both, check_counts, check_densities, with_thresholds
from tests.checkers.stand_ins import NotWhole
from tests.loading import source
from tests.programs.exact.closed_forms import FORMS, G2, Form, G, L, X, noises, text
from tests.programs.exact.edges import BOUNDARIES, ENDINGS, ENDLESS, LIMITS

PROGRAMS, RUNS = 200, (2000 if os.environ.get("SHIFTPROOF_FULL") else 600)
INPUTS: dict[str, Any] = {"f": (), "x": 0, "T": Fraction(0), "k": 0, "eps": 1}
ACCURATE = Fraction(1, 10**9)


def made(folder: Path, body: str) -> Mechanism[..., Any]:
    return source(folder, text(body))["m"]


def given(**inputs: Any) -> dict[str, Any]:
    return INPUTS | inputs


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_closed_forms(form: Form, tmp_path: Path) -> None:
    inputs = given(x=form.x, T=form.T)
    found = asked(made(tmp_path, form.body), *form.outcome, base=form.base, **inputs)
    if isinstance(form.value, Fraction):
        assert found == rational(form.value)
    else:
        assert near(found, form.value, 1e-13), (found, form.value)
        assert width(found) < ACCURATE


def by_name(names: str, table: list[Any]) -> pytest.MarkDecorator:
    """One test for each row of a table, named by its first cell."""
    return pytest.mark.parametrize(names, [row[1:] for row in table], ids=[row[0] for row in table])


@by_name("body, point, rest", BOUNDARIES)
def test_no_density_at_a_jump(
    body: str, point: int, rest: tuple[bool, ...], tmp_path: Path
) -> None:
    mechanism = made(tmp_path, body)
    with pytest.raises(OnBoundary):
        asked(mechanism, Real(point), *rest, **INPUTS)
    sides = [asked(mechanism, Real(point + s * Fraction(1, 97)), *rest, **INPUTS) for s in (1, -1)]
    assert not near(sides[0], sides[1], 0.1)


def test_both_sides_of_a_jump_add_up(tmp_path: Path) -> None:
    """What is tested after a release tells apart, and no more."""
    mechanism = made(tmp_path, noises(L, G2, G2) + "yield a\nyield b + c >= a")
    for point in (Fraction(1, 3), Fraction(-7, 2), 0, 1):
        try:
            parts = [asked(mechanism, Real(point), bit, **INPUTS) for bit in (True, False)]
        except OnBoundary:
            continue
        assert near(parts[0] + parts[1], math.exp(-abs(point)) / 2), (point, parts)


@by_name("body, released, value", ENDINGS)
def test_runs_that_raise(
    body: str, released: tuple[Any, ...], value: Fraction, tmp_path: Path
) -> None:
    mechanism, inputs = made(tmp_path, body), given(k=3 if "v =" in body else 0)
    assert asked(mechanism, *released, base="2", ending="error", **inputs) == rational(value)
    assert is_one(total(paths(mechanism, "2", inputs), "2"))
    if value == 1:
        with pytest.raises(Exception):  # noqa: B017
            mechanism.run(plain_inputs(mechanism.program, "2", inputs, inputs))


@by_name("body, value", ENDLESS)
def test_runs_that_never_end(body: str, value: Fraction, tmp_path: Path) -> None:
    mechanism = made(tmp_path, body)
    assert asked(mechanism, base="2", ending="forever", **INPUTS) == rational(value)
    assert asked(mechanism, True, base="2", **INPUTS) == rational(1 - value)


@pytest.mark.parametrize(
    "body",
    ["b = False\nwhile not b:\n    {}\nyield b", "while True:\n    {}\n    if b:\n        return"],
)
def test_tossing_a_coin_until_it_falls_right_ends(body: str, tmp_path: Path) -> None:
    """There are infinitely many runs, and none is endless."""
    mechanism = made(tmp_path, body.format("b = sample(Bernoulli(1 / 2))"))
    try:
        found = paths(mechanism, "e", INPUTS)
    except LimitReached:
        return
    assert all(path.ending != "forever" for path in found)


# Random programs.


def test_random_programs(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    for seed in range(PROGRAMS):
        program = written(seed)
        plain, twin = both(program, tmp_path)
        try:
            seen += check_counts(seed, program, twin, RUNS)
            seen += check_densities(seed, program, plain, twin)
        except LimitReached as limit:
            seen[f"limit {limit.limit}"] += 1
    assert seen["outcomes"] > 800 and seen["densities"] > 200, seen
    assert seen["positive"] > 110 and seen["joint"] > 7 and seen["singular"] > 20, seen
    assert seen["exact"] > 20, seen
    assert not seen["limit CONVERGENCE"], "each integral of a probability converges"
    assert sum(seen[f"limit {name}"] for name in ("PRECISION", "CASES", "MIXED")) <= 8, seen


def test_integer_programs_have_the_enumerated_masses(tmp_path: Path) -> None:
    compared = exact = 0
    for seed in range(60):
        program = written(seed, wholes_only=True)
        _, twin = both(program, tmp_path)
        inputs = with_thresholds(program, seed)
        values = plain_inputs(twin.program, "e", inputs, inputs)
        try:
            masses = spread(twin, values, bits=24)
            found = paths(twin, "2", inputs)
            numbers = {o: measured(found, "2", outcome(*untyped(o))) for o in masses.masses}
        except (TooMany, NotWhole, LimitReached):
            continue
        for event, mass in masses.masses.items():
            ends = Enclosure.of(numbers[event])
            assert mass <= ends.high and ends.low <= mass + masses.unseen, (
                seed,
                event,
                program.plain,
            )
            compared += 1
            exact += ends.exact and not masses.unseen
    assert compared > 150 and exact > 100, (compared, exact)


def test_the_same_ball_in_any_precision(tmp_path: Path) -> None:
    """A coarse ball holds the fine one: nothing is dropped."""
    for seed in range(0, PROGRAMS, 5):
        program = written(seed)
        _, twin = both(program, tmp_path)
        try:
            found = paths(twin, program.base, with_thresholds(program, seed))
            for event in list(atoms(found))[:8]:
                wanted, balls = outcome(*untyped(event)), []
                for bits in (16, 40, 400):
                    with working(bits):
                        balls.append(Measure(Unit(program.base)).of(found, wanted))
                with working(500):
                    assert all(arb(b).overlaps(arb(balls[-1])) for b in balls), (
                        seed,
                        wanted,
                        balls,
                    )
        except LimitReached:
            continue


# Precision, and what there is too much of.

CHAIN = noises(L, L) + "if a >= b:\n    yield a >= 5 and b >= 0 and b <= T"


@pytest.mark.parametrize("power", [9, 25, 40, 300])
def test_a_small_probability_is_not_zero(power: int, tmp_path: Path) -> None:
    narrow = Fraction(1, 10**power)
    found = asked(made(tmp_path, CHAIN), True, **given(T=narrow))
    assert near(arb(found) * 10**power, math.exp(-5) / 4) and width(found) < ACCURATE


@pytest.mark.parametrize("body, value", [
    (noises(L, L) + "yield a + b >= x", lambda x: (2 + x) / 4),
    (noises(X, X) + "yield a + b", lambda x: x),
    (noises(L, G) + "yield b >= a + x", None),
    (noises(L, G2) + "yield a + b >= x", None),
])  # fmt: skip
@pytest.mark.parametrize("x", [40, 90, 1000])
def test_far_out(body: str, value: Any, x: int, tmp_path: Path) -> None:
    """Far tails have as many digits as the rest; without their e^-x they are no longer small."""
    event = True if ">=" in body else Real(x)
    found = asked(made(tmp_path, body), event, **given(x=x))
    assert width(found) < ACCURATE
    if value:
        assert near(arb(found) * arb(x).exp(), value(x))


def test_a_long_sparse_vector() -> None:
    """The ratio tends to e^1.5; its numerator and its denominator are tiny."""
    n = 200
    inputs = {"T": Fraction(0), "c": 1, "eps": 1}
    left, right = (0,) * (n - 1) + (1,), (1,) * (n - 1) + (0,)
    event = (*(False,) * (n - 1), True)
    above, below = (asked(sparse_vector_half_noise, *event, f=f, **inputs) for f in (left, right))
    assert width(above) < ACCURATE and width(below) < ACCURATE
    assert near(above / below, 4.48168907, 2e-9)


@pytest.mark.parametrize("name, body, length", LIMITS)
def test_limits(name: str, body: str, length: int, tmp_path: Path) -> None:
    mechanism, inputs = made(tmp_path, body), given(f=(0,) * length)
    told = [Real(Fraction(1, 2))] if "yield round(a) + b" in body or "b - round" in body else [True]
    wanted = told if name in ("VALUES", "ROUNDED") else [Real(1), Real(Fraction(5, 2))]
    with pytest.raises(LimitReached) as reached:
        measured(paths(mechanism, "e", inputs), "e", Outcome(outcome(*wanted).slots))
    assert reached.value.limit == name


def test_just_below_the_limits(tmp_path: Path) -> None:
    few, forks = made(tmp_path, LIMITS[0][1]), PATHS.bit_length() - 1
    assert len(paths(few, "e", given(f=(0,) * forks))) == 2**forks
    many = made(tmp_path, LIMITS[5][1])
    assert asked(many, True, **given(f=(0,) * DRAWS)) == 1


def test_huge_numbers(tmp_path: Path) -> None:
    mechanism = made(tmp_path, noises(L) + "yield a >= x")
    try:
        assert 0 <= asked(mechanism, True, **given(x=10**400)) < 1e-100
    except LimitReached:
        pass  # that is an answer, too


def test_noise_that_is_not_affine(tmp_path: Path) -> None:
    for body in ("v = [1, 2]\nif a >= 0 and a < 2:\n    yield v[a]", "yield f[a]"):
        mechanism = made(tmp_path, noises(G) + body)
        with pytest.raises(NotAffine):
            paths(mechanism, "e", given(f=(1, 2)))


@pytest.mark.parametrize("body", [
    noises(L) + "yield a >= eps", noises(L) + "yield a + eps", "yield eps >= 1",
    noises(L + "(1)") + "yield a >= 1", noises("Laplace(1 / (eps + 1))") + "yield a >= 1",
])  # fmt: skip
def test_an_epsilon_that_is_no_rate(body: str, tmp_path: Path) -> None:
    mechanism = made(tmp_path, body)
    base: Base = "2"
    with pytest.raises(Mixed):
        asked(mechanism, True, base=base, **INPUTS)
    assert asked(mechanism, Real(3) if "a + eps" in body else True, **INPUTS) > 0
