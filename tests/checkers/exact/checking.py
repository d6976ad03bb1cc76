"""What the exact engine says of a mechanism, in a form that tests can compare."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Literal

from flint import arb, fmpq

from shiftproof import Mechanism, seeded
from shiftproof.checkers.exact.affine import Affine
from shiftproof.checkers.exact.numbers import Enclosure, Number, Unit, rational, refined, working
from shiftproof.checkers.exact.outcomes import (
    Atom,
    Measure,
    Outcome,
    Real,
    Slot,
    Tied,
    released_forms,
    tied,
)
from shiftproof.checkers.exact.paths import Ending, Explorer, Finished
from shiftproof.checkers.refuting.inputs import plain_inputs, run_inputs
from tests.checkers.exact.random_programs import FAR

Base = Literal["e", "2"]
Inputs = Mapping[str, Any]
#: Of a numerical derivative: half of the step, and how near a jump must be to be seen.
STEP, NEAR = Fraction(1, 2**24), Fraction(1, 2**16)
LIMIT = 5.0


def paths(mechanism: Mechanism[..., Any], base: Base, inputs: Inputs) -> list[Finished]:
    """All paths on these inputs; ε is in units of ln 2 for base 2."""
    values = run_inputs(mechanism.program, base, inputs, inputs)
    return Explorer(mechanism.program.flow).finished(values)


def outcome(*values: object, ending: Ending = "end") -> Outcome:
    """An outcome; plain values are atoms."""
    slots = (v if isinstance(v, Atom | Real | Tied) else Atom(v) for v in values)  # type: ignore[arg-type]
    return Outcome(tuple(slots), ending)


def measured(found: Sequence[Finished], base: Base, wanted: Outcome) -> Number:
    """The probability or density, as it would be reported."""
    return refined(lambda: Measure(Unit(base)).of(found, wanted))


def asked(
    mechanism: Mechanism[..., Any],
    *values: object,
    base: Base = "e",
    ending: Ending = "end",
    **inputs: Any,
) -> Number:
    """What the engine says of an outcome; the density of real numbers, not of multiples of ε."""
    wanted = outcome(*values, ending=ending)
    number = measured(paths(mechanism, base, inputs), base, wanted)
    return number * Unit(base).nats(1) ** wanted.reals if wanted.reals else number


def total(found: Sequence[Finished], base: Base) -> Number:
    """The probability of all paths together."""

    def all_of_it() -> Number:
        measure = Measure(Unit(base))
        return sum((measure.probability(path) for path in found), start=fmpq(0))

    return refined(all_of_it)


def is_one(number: Number) -> bool:
    """Whether a number is 1, or a ball around it that is narrow."""
    if isinstance(number, fmpq):
        return bool(number == 1)
    return bool(number.contains(1) and number.rad() < 1e-9)


def width(number: Number) -> Fraction:
    """How wide an enclosure is, relative to its lower end."""
    ends = Enclosure.of(number)
    return (ends.high - ends.low) / ends.low


def near(number: Number, value: float | Number, error: float = 1e-9) -> bool:
    """Whether a number is one that was computed otherwise, to a relative error."""
    return bool(abs(arb(number) - arb(value)) <= error * abs(arb(value)))


# A finite partition of a twin's outcomes, and how often they come up.


def atoms(found: Sequence[Finished]) -> set[tuple[object, ...]]:
    """All outcomes of a program that releases no real numbers and no integers beyond FAR."""
    seen: set[tuple[object, ...]] = set()
    span = range(-FAR, FAR + 1)
    for path in found:
        parts = [span if isinstance(v, Affine) else (v,) for v in path.releases]
        seen |= {tuple(map(_typed, values)) for values in product(*parts)}
    return seen


def _typed(value: object) -> tuple[str, object]:
    """True is not 1 here."""
    return type(value).__name__, value


def untyped(values: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(value for _, value in values)  # type: ignore[misc]


def counted(
    mechanism: Mechanism[..., Any], base: Base, inputs: Inputs, runs: int, seed: int
) -> Counter[tuple[object, ...]]:
    """How often the real function comes to each outcome."""
    values = plain_inputs(mechanism.program, base, inputs, inputs)
    with seeded(seed):
        return Counter(tuple(map(_typed, mechanism.run(values))) for _ in range(runs))


def plausible(seen: int, runs: int, chance: Number) -> bool:
    """Whether a count fits a probability: certain where that is 0 or 1, else by z-score."""
    p = float(chance.mid()) if isinstance(chance, arb) else int(chance.p) / int(chance.q)
    if not p:
        return seen == 0
    return abs(seen - runs * p) <= LIMIT * (runs * p * (1 - p)) ** 0.5 + (LIMIT if p < 1 else 0)


# Densities as derivatives of what the twin does.


def shapes(found: Sequence[Finished]) -> list[tuple[Slot | type, ...]]:
    """The shapes of outcomes that have a density; a number that is open is given by its type."""
    seen: dict[str, tuple[Slot | type, ...]] = {}
    for path in found:
        shape = tuple(_slot(form, path) for form in released_forms(path))
        seen.setdefault(repr(shape), shape)
    return [shape for shape in seen.values() if Real in shape]


def _slot(form: object, path: Finished) -> Slot | type:
    if not isinstance(form, Affine):
        return Atom(form)  # type: ignore[arg-type]
    if not form.draws:
        return tied(form)
    real = any(not path.laws[d].lattice for d in form.draws)
    return Real if real else int


def filled(shape: Sequence[Slot | type], points: Iterator[Fraction], whole: int) -> Outcome:
    """An outcome of a shape, with these numbers in it."""
    slots = [Real(next(points)) if s is Real else Atom(whole) if s is int else s for s in shape]
    return Outcome(tuple(slots))  # type: ignore[arg-type]


def stencil(wanted: Outcome) -> Iterator[tuple[Outcome, dict[str, Fraction], Fraction]]:
    """Outcomes of the twin, with its thresholds and weights, that add up to a density.

    The j-th release of the twin is compared with ``tj``.
    """
    choices: list[list[tuple[object, Fraction, Fraction]]] = []
    at: list[Fraction] = []
    for slot in wanted.slots:
        if isinstance(slot, Real):
            at.append(Fraction(slot.value))
            choices.append([("below", at[-1] + s * STEP, s / (2 * STEP)) for s in (1, -1)])
        elif isinstance(slot, Tied) or isinstance(slot.value, Fraction):
            at.append(_place(slot, at))
            choices.append([("below", at[-1] + s * NEAR, Fraction(s)) for s in (1, -1)])
        else:
            at.append(Fraction(0))
            choices.append([(slot.value, Fraction(0), Fraction(1))])
    for chosen in product(*choices):
        thresholds = {f"t{j}": t for j, (_, t, _) in enumerate(chosen)}
        weight = math.prod((w for _, _, w in chosen), start=Fraction(1))
        yield outcome(*(value for value, _, _ in chosen)), thresholds, weight


def _place(slot: Atom | Tied, before: list[Fraction]) -> Fraction:
    if isinstance(slot, Tied):
        return Fraction(slot.constant + sum(f * before[i] for i, f in slot.parts))
    assert isinstance(slot.value, Fraction)
    return slot.value


def derivative(twin: Mechanism[..., Any], base: Base, inputs: Inputs, wanted: Outcome) -> Number:
    """The density of an outcome of a program, by what its twin does nearby."""
    with working(256):
        found: Number = fmpq(0)
        for event, thresholds, weight in stencil(wanted):
            given = {**inputs, **thresholds}
            part = Measure(Unit(base)).of(paths(twin, base, given), event)
            found = found + part * rational(weight)
        return found
