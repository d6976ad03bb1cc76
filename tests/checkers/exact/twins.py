"""Whether a random program, its twin and their runs agree, as the exact engine sees them."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import arb, fmpq

from shiftproof import Mechanism
from shiftproof.checkers.exact.numbers import Unit
from shiftproof.checkers.exact.outcomes import Real
from tests.checkers.exact.checking import (
    atoms,
    counted,
    derivative,
    filled,
    is_one,
    measured,
    outcome,
    paths,
    plausible,
    shapes,
    total,
    untyped,
)
from tests.checkers.exact.random_programs import Written
from tests.loading import source


def both(program: Written, folder: Path) -> tuple[Mechanism[..., Any], Mechanism[..., Any]]:
    return source(folder, program.plain)["m"], source(folder, program.twin)["m"]


def points(seed: int) -> list[Fraction]:
    """Numbers at which nothing changes: no test has such a denominator."""
    rng = random.Random(seed)
    return [Fraction(rng.randint(-12, 16), 7) + Fraction(2, 11) for _ in range(8)]


def with_thresholds(program: Written, seed: int) -> dict[str, Any]:
    named = {f"t{k}": t for k, t in zip(range(program.releases), points(seed))}
    return {**program.inputs, **named}


def check_counts(seed: int, program: Written, twin: Mechanism[..., Any], runs: int) -> Counter[str]:
    """The twin's outcomes: they sum up to one, and come up as often as they should."""
    inputs, base = with_thresholds(program, seed), program.base
    found = paths(twin, base, inputs)
    assert is_one(total(found, base)), (seed, program.plain)
    seen = counted(twin, base, inputs, runs, seed)
    # Integers far off are 9 in the twin, so these are all of them.
    chances = {o: measured(found, base, outcome(*untyped(o))) for o in atoms(found) | seen.keys()}
    whole = sum(chances.values(), start=fmpq(0))
    assert is_one(whole), (seed, whole, program.plain)
    for event, chance in chances.items():
        assert plausible(seen[event], runs, chance), (
            seed,
            event,
            seen[event],
            chance,
            program.plain,
        )
    return Counter(outcomes=len(chances), exact=isinstance(whole, fmpq))


def check_densities(
    seed: int, program: Written, plain: Mechanism[..., Any], twin: Mechanism[..., Any]
) -> Counter[str]:
    """Densities are derivatives of what the twin does, singular ones too."""
    base, seen = program.base, Counter[str]()
    found = paths(plain, base, program.inputs)
    assert is_one(total(found, base)), (seed, program.plain)
    for shape in shapes(found):
        for k in (0, 1):
            wanted = filled(shape, iter(points(seed)[k:]), k)
            density = measured(found, base, wanted) * Unit(base).nats(1) ** wanted.reals
            slope = derivative(twin, base, program.inputs, wanted)
            error = abs(arb(density) - arb(slope)) / (1 + abs(arb(density)))
            rough = any(not isinstance(s, Real) and not _flag(s) for s in wanted.slots)
            assert error < (1e-4 if rough else 1e-9), (seed, wanted, density, slope, program.plain)
            seen.update(densities=1, positive=bool(density > 0), singular=rough)
            seen.update(joint=wanted.reals > 1)
    return seen


def _flag(slot: object) -> bool:
    """Whether a slot is no number that a threshold of the twin is near to."""
    return hasattr(slot, "value") and not isinstance(slot.value, Fraction)
