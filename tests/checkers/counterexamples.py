"""The search for a broken claim: neighbours between which an exact probability grows too much."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from shiftproof import BadInput, Mechanism, Related
from shiftproof.dsl.privacy.inputs import EpsilonInput, PublicInt, PublicNat
from tests.checkers.enumeration import RUNS, Outcome, Spread, TooMany, spread
from tests.checkers.neighbouring import Inputs, Sizes, pairs
from tests.checkers.stand_ins import NotWhole

#: How finely tails are cut; more coarsely where a distribution takes too many runs.
BITS = (24, 12, 8, 5)
#: The ε in units of ln 2 that are tried: the first two at which each α is rational.
MULTIPLES = (Fraction(1, 8), *map(Fraction, (1, 2, 3, 4, 6, 8, 12, 16, 24)))


@dataclass(frozen=True)
class Violation:
    """An ordered pair of neighbours for which the claim does not hold, with how far."""

    left: Inputs
    right: Inputs
    outcome: Outcome
    lower: Fraction
    upper: Fraction


@dataclass
class Checked:
    """What the search did: pairs compared, runs, and multiples of ln 2 at which it did."""

    pairs: int = 0
    runs: int = 0
    multiples: set[Fraction] = field(default_factory=set)
    raised: bool = False
    violation: Violation | None = None


def check(mechanism: Mechanism[..., Any], seed: int = 0, runs: int = 8000) -> Checked:
    """Look for neighbours on which the claim fails, at several ε and several public inputs."""
    rng, found = random.Random(seed), Checked()
    settings = [
        (sizes, public) for sizes in _sizes(mechanism) for public in _publics(mechanism, sizes)
    ]
    rng.shuffle(settings)
    for sizes, public in settings:
        levels = 0
        for m in MULTIPLES:
            try:
                compared = _compare(mechanism, public, sizes, m, found, rng, found.runs + runs // 8)
            except NotWhole:
                continue
            except NotAdmitted:
                break
            if compared:
                found.multiples.add(m)
                levels += 1
            if levels == 2 or found.violation:
                break
        if found.violation or found.runs > runs:
            break
    return found


class NotAdmitted(Exception):
    """Some inputs with these public values do not meet the preconditions."""


def _sizes(mechanism: Mechanism[..., Any]) -> list[Sizes]:
    """Lengths of all sequences: the same, or with a last one that differs."""
    arrays = [name for name, kind in mechanism.inputs.items() if kind.array]
    alike = [dict.fromkeys(arrays, n) for n in ((2, 1, 3, 0) if arrays else (0,))]
    if len(arrays) < 2 or isinstance(mechanism.privacy, Related):
        return alike
    return [*alike, *(dict.fromkeys(arrays, 2) | {arrays[-1]: n} for n in (1, 3))]


def _publics(mechanism: Mechanism[..., Any], sizes: Sizes) -> Iterator[Inputs]:
    """Some values of the public inputs other than ε."""
    options: dict[str, list[Any]] = {}
    for name, kind in mechanism.inputs.items():
        if isinstance(kind, EpsilonInput) or not kind.public:
            continue
        numbers: list[Any] = (
            [0, 1, 2] if isinstance(kind, PublicInt) else [Fraction(0), Fraction(1)]
        )
        if not isinstance(kind, PublicNat):
            numbers.append(-1 if isinstance(kind, PublicInt) else Fraction(1, 2))
        if kind.array:
            numbers = list(product(numbers[1:], repeat=sizes[name]))
        options[name] = numbers
    for chosen in product(*options.values()):
        yield dict(zip(options, chosen))


class _Spreads:
    """The distributions of one mechanism at some public inputs, each found once."""

    def __init__(self, mechanism: Mechanism[..., Any], public: Inputs) -> None:
        self.mechanism, self.public = mechanism, public
        self.known: dict[str, Spread] = {}
        self.level = 0  # how coarse tails must be cut here
        self.runs = 0

    def of(self, private: Inputs) -> Spread:
        key = repr(private)
        if key not in self.known:
            try:
                values = self.mechanism.convert(**self.public, **private)
            except BadInput:
                raise NotAdmitted from None
            self.known[key] = self._finest(values)
        return self.known[key]

    def _finest(self, values: Inputs) -> Spread:
        while True:
            try:
                found = spread(self.mechanism, values, BITS[self.level])
            except TooMany:
                self.runs += RUNS
                self.level += 1
                if self.level == len(BITS):
                    raise
            else:
                self.runs += found.runs
                return found


def _compare(
    mechanism: Mechanism[..., Any],
    public: Inputs,
    sizes: Sizes,
    m: Fraction,
    found: Checked,
    rng: random.Random,
    runs: int,
) -> bool:
    """Compare pairs at eps = m · ln 2 (a second ε is twice that); whether there were any."""
    epsilons = [name for name, k in mechanism.inputs.items() if isinstance(k, EpsilonInput)]
    public = public | {name: m * (k + 1) for k, name in enumerate(epsilons)}
    factor = _power_of_two(Fraction(_budget(mechanism, public)))
    spreads, before, begun = _Spreads(mechanism, public), found.runs, found.pairs
    for left, right in pairs(mechanism, public, sizes, rng):
        try:
            here, there = spreads.of(left), spreads.of(right)
        except TooMany:
            break
        finally:
            found.runs = before + spreads.runs
        found.pairs += 1
        found.raised |= any(o and o[0][0] == "raises" for o in here.masses)
        excess = {o: p - factor * there.masses.get(o, Fraction(0)) for o, p in here.masses.items()}
        worst = sum((e for e in excess.values() if e > 0), start=Fraction(0))
        if worst > factor * there.unseen:
            outcome = max(excess, key=lambda o: excess[o])
            upper = there.masses.get(outcome, Fraction(0)) + there.unseen
            found.violation = Violation(public | left, right, outcome, here.masses[outcome], upper)
            break
        if found.runs > runs:
            break
    return found.pairs > begun


def _power_of_two(exponent: Fraction) -> Fraction:
    """2 to this power, or a little more where that is no rational number."""
    if exponent.denominator == 1:
        return Fraction(2) ** int(exponent)
    return Fraction(int(2 ** float(exponent) * 2**40) + 2, 2**40)


def _budget(mechanism: Mechanism[..., Any], public: Inputs) -> Any:
    if mechanism.budget is None:
        (name,) = (n for n, k in mechanism.inputs.items() if isinstance(k, EpsilonInput))
        return public[name]
    names = inspect.signature(mechanism.budget).parameters
    return mechanism.budget(**{name: public[name] for name in names})
