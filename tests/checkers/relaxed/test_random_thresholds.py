"""Random thresholded programs, at the δ that they need and a little below it.

Their δ is known in closed form.  Rounded up it may be proved and is never refuted; a thousandth
less is never proved, and refuted.  Where a formula says what the δ is, it is claimed as well.

By default some with fixed seeds; SHIFTPROOF_FULL=1 takes 200 (in about 6 minutes).
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from decimal import Decimal
from fractions import Fraction

import pytest

from tests.checkers.relaxed.judging import D, Judged, excess, number, precisely
from tests.checkers.relaxed.random_relaxed import PREAMBLE
from tests.checkers.relaxed.random_thresholds import REAL, Thresholded, rounded, thresholded
from tests.checkers.relaxed.trials import verdict_on

PROGRAMS = 200 if os.environ.get("SHIFTPROOF_FULL") else 8


def verdicts(program: Thresholded) -> dict[str, str]:
    """What is said of a claim that holds, of one that does not, and of the two as formulas."""
    enough, short = rounded(program.delta())
    claims = {"enough": enough, "short": short}
    if formula := program.formula():
        claims["formula"] = formula
        claims["short formula"] = f"lambda: 999 / 1000 * ({formula.removeprefix('lambda: ')})"
    return {
        name: verdict_on(PREAMBLE + program.text(delta)).verdict for name, delta in claims.items()
    }


def test_the_verdict_is_that_of_the_closed_form() -> None:
    found: Counter[tuple[str, str]] = Counter()
    plain: Counter[str] = Counter()
    for seed in range(PROGRAMS):
        program = thresholded(seed)
        said = verdicts(program)
        found.update(said.items())
        if program.low is program.high is None:
            plain[said.get("formula", "")] += 1
        about = (seed, said, program.text(rounded(program.delta())[1]))
        assert said["enough"] in ("proved", "unknown"), about
        assert said["short"] in ("refuted", "unknown"), about
        assert said.get("formula", "proved") in ("proved", "unknown"), about
        assert said.get("short formula", "refuted") in ("refuted", "unknown"), about
    assert found["short", "refuted"] >= 0.7 * PROGRAMS, found
    del plain[""]
    # Where noise is clamped, and a threshold is on top of that, no template fits.
    assert plain.total() >= PROGRAMS / 8 and plain["proved"] >= 0.5 * plain.total(), plain


@pytest.mark.parametrize("seed", range(10))
@precisely()
def test_the_closed_form_is_that_of_enumeration(seed: int) -> None:
    program = thresholded(seed)
    if program.law in REAL:
        for left, right in (1, 0), (2, 1), (3, 2), (4, 3):
            assert abs(float(program.excess(left, right)) - summed(program, left, right)) < 2e-3
        return
    read = Judged(program.text("1 / 2"))
    for left, right in program.pairs():
        one, two = (read.law({"q": q}, D("1e-20")) for q in (left, right))
        low, high = excess(one, two, number(program.epsilon))
        assert low - D("1e-18") <= program.excess(left, right) <= high + D("1e-18")


def summed(program: Thresholded, left: int, right: int) -> float:
    """The same of real noise, as much of it as there is between two of many points."""
    masses: list[defaultdict[object, float]] = [defaultdict(float), defaultdict(float)]
    steps = 24
    for q, law in zip((left, right), masses, strict=True):
        for k in range(-40 * steps, 40 * steps):
            noise = (D(2 * k + 1) / (2 * steps), Decimal(k) / steps, Decimal(k + 1) / steps)
            mass = float(program.below_or_at(noise[2]) - program.below_or_at(noise[1]))
            if not mass:
                continue
            value = q + program.clamped(noise[0])
            above = program.passes(value) and (q > 0 or not program.guarded)
            law[(value if program.told == "value" else True) if above else None] += mass
    factor = float(number(program.epsilon).exp())
    return sum(max(0.0, p - factor * masses[1][o]) for o, p in masses[0].items())


def test_programs_are_of_all_kinds() -> None:
    some = [thresholded(seed) for seed in range(40)]
    assert {p.law for p in some} >= {"Laplace", "Exponential", "OneSidedGeometric"}
    assert any(p.threshold != int(p.threshold) for p in some)
    assert any(p.strict for p in some) and any(not p.strict for p in some)
    assert any(p.guarded for p in some) and any(not p.guarded for p in some)
    assert any(p.high is not None for p in some)
    assert some[0] == thresholded(0) and all(p.epsilon > Fraction(0) for p in some)
