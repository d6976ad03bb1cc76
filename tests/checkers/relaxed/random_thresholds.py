"""Random programs that release a noisy value if it is above a threshold, and the δ that they need.

All that is public is a number, and so is the δ, found in closed form: atoms are summed, and
densities integrated between the places where one of two crosses a multiple of the other.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tests.checkers.relaxed.judging import ONE, ZERO, D, noise_of, number, precisely

#: How far a truncated sum goes; what is left out is far less than what is asked.
TAIL = D("1e-25")
REAL = ("Laplace", "Exponential")


@dataclass(frozen=True)
class Thresholded:
    """Releases what is above, else nothing.

    Attributes:
        claim: ``DP``, ``add-remove`` or ``ADP``.
        counted: whether the private number is a count, and else a query's answer.
        law: the noise.
        scale: of the noise.
        epsilon: the claimed one.
        threshold: an int, or half of one.
        low: where noise is cut off below, if it is; ``high`` above.
        guarded: whether nothing is released where nobody counts.
        strict: whether the value has to be above the threshold.
        below: whether the test asks first for what is not released.
        told: ``value``, or ``above`` if only that it is above is released.
    """

    claim: str
    counted: bool
    law: str
    scale: Fraction
    epsilon: Fraction
    threshold: Fraction
    low: int | None
    high: int | None
    guarded: bool
    strict: bool
    below: bool
    told: str

    def text(self, delta: str) -> str:
        """The mechanism, with this δ."""
        option = f"delta={delta}"
        claim = {
            "DP": f"DP({option})", "add-remove": f'DP("add-remove", {option})',
            "ADP": f"ADP(Policy(sensitive={{1}}), {option})",
        }[self.claim]  # fmt: skip
        kind = "Count" if self.counted else "Annotated[int, IntegerQuery(sensitivity=1)]"
        noise = "noise"
        if self.high is not None:
            noise = f"min({self._cut(self.high)}, {noise})"
        if self.low is not None:
            noise = f"max({self._cut(self.low)}, {noise})"
        value, t = f"q + {noise}", str(_plain(self.threshold))
        guard = "q > 0 and " if self.guarded else ""
        lines = [
            f"@mechanism({claim}, budget={_plain(self.epsilon)})",
            f"def m(q: {kind}):",
            f"    noise = sample({self.law}({_plain(self.scale)}))",
        ]
        told = value if self.told == "value" else "True"
        if self.below:
            test = f"{value} {'<=' if self.strict else '<'} {t}"
            if self.guarded:
                test = f"q <= 0 or {test}"
            lines += [f"    if {test}:", "        return None", f"    return {told}"]
        else:
            test = f"{guard}{value} {'>' if self.strict else '>='} {t}"
            lines += [f"    if {test}:", f"        return {told}", "    return None"]
        return "\n".join([*lines, ""])

    def _cut(self, end: int) -> str:
        return f"{end}.0" if self.law in REAL else str(end)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Inputs, far enough for all that may happen; only from left to right is owed."""
        first = 0 if self.counted else -10
        for q in range(first, int(self.threshold) + 10):
            yield q + 1, q
            if self.claim != "ADP":
                yield q, q + 1

    def passes(self, value: Decimal) -> bool:
        """Whether a noisy value is above."""
        t = number(self.threshold)
        return value > t or (not self.strict and value == t)

    @precisely()
    def delta(self) -> Decimal:
        """The least δ that is enough."""
        return max(self.excess(a, b) for a, b in self.pairs())

    @precisely()
    def formula(self) -> str:
        """What a paper writes: how likely a one is to be shown; empty if that is not all."""
        beyond = self.threshold - 1
        rate = _plain(1 / self.scale)
        if self.law in REAL:
            over = " / 2" if self.law == "Laplace" else ""
        else:
            beyond = Fraction(math.floor(beyond) + 1 if self.strict else math.ceil(beyond))
            over = f" / (1 + exp(-({rate})))" if self.law == "TwoSidedGeometric" else ""
        t, s = number(max(beyond, Fraction(0))), number(self.scale)
        value = (-t / s).exp()
        if self.law == "Laplace":
            value /= 2
        if self.law == "TwoSidedGeometric":
            value /= 1 + (-1 / s).exp()
        if abs(value - self.delta()) > D("1e-20"):
            return ""
        return f"lambda: exp(-({rate}) * ({_plain(max(beyond, Fraction(0)))})){over}"

    @precisely()
    def excess(self, left: int, right: int) -> Decimal:
        """The largest P[S] − e^ε P′[S], of two inputs."""
        factor = number(self.epsilon).exp()
        one, two = self.measure(left), self.measure(right)
        total = sum(
            (max(ZERO, p - factor * two.atoms.get(o, ZERO)) for o, p in one.atoms.items()), ZERO
        )
        if one.ends is None:
            return total
        cuts = {*one.ends, D(left), D(right)}
        # Of two Laplace densities the ratio is e^ε half way between the two, and bε / 2 beyond.
        half = number(self.scale * self.epsilon) / 2
        cuts |= {D(left + right) / 2 + half, D(left + right) / 2 - half}
        cuts |= set(two.ends or ())
        inside = sorted(c for c in cuts if one.ends[0] <= c <= one.ends[1])
        for a, b in itertools.pairwise(inside):
            # Outside of the other one's ends it has no density, whatever its noise is.
            reached = two.ends is not None and two.ends[0] <= a and b <= two.ends[1]
            other = self._mass(right, a, b) if reached else ZERO
            total += max(ZERO, self._mass(left, a, b) - factor * other)
        return total

    def measure(self, q: int) -> Measure:
        """What is released."""
        atoms: defaultdict[object, Decimal] = defaultdict(lambda: ZERO)
        if self.guarded and q <= 0:
            return Measure({None: ONE})
        if self.law not in REAL:
            for k, p in noise_of(self.law, (self.scale,), TAIL).values:
                self._add(atoms, q, self.clamped(D(k)), p)
            return Measure(atoms)
        far = D(100) * number(self.scale) + 100
        low, high = -far, far
        if self.low is not None:
            low = D(self.low)
            self._add(atoms, q, low, self.below_or_at(low))
        if self.high is not None:
            high = D(self.high)
            self._add(atoms, q, high, ONE - self.below_or_at(high))
        first = min(max(q + low, number(self.threshold)), q + high)
        rest = self._mass(q, q + low, first)
        atoms[None] += rest
        if self.told != "value":
            atoms[True] += self._mass(q, first, q + high)
            return Measure(atoms)
        return Measure(atoms, (first, q + high) if first < q + high else None)

    def clamped(self, noise: Decimal) -> Decimal:
        if self.high is not None:
            noise = min(D(self.high), noise)
        return noise if self.low is None else max(D(self.low), noise)

    def _add(
        self, atoms: defaultdict[object, Decimal], q: int, noise: Decimal, mass: Decimal
    ) -> None:
        if not self.passes(q + noise):
            atoms[None] += mass
        else:
            atoms[q + noise if self.told == "value" else True] += mass

    def below_or_at(self, x: Decimal) -> Decimal:
        """P[noise ≤ x], or of what is real P[noise < x]."""
        b = number(self.scale)
        if self.law == "Exponential":
            return ONE - (-x / b).exp() if x > 0 else ZERO
        return (x / b).exp() / 2 if x < 0 else ONE - (-x / b).exp() / 2

    def _mass(self, q: int, a: Decimal, b: Decimal) -> Decimal:
        return self.below_or_at(b - q) - self.below_or_at(a - q)


@dataclass(frozen=True)
class Measure:
    """Outcomes that have a probability, and where numbers have a density: that of the noise."""

    atoms: dict[object, Decimal]
    ends: tuple[Decimal, Decimal] | None = None


def _plain(x: Fraction) -> str:
    return str(x) if x.denominator == 1 else f"{x.numerator} / {x.denominator}"


#: Less than this is nothing, and more than that is hardly a claim.
LEAST, MOST = D("1e-6"), D("0.95")


def thresholded(seed: int) -> Thresholded:
    """The program of a seed, which needs a δ."""
    rng = random.Random(f"thresholded {seed}")
    while not LEAST < (found := _drawn(rng)).delta() < MOST:
        pass
    return found


def _drawn(rng: random.Random) -> Thresholded:
    claim = rng.choice(("DP", "add-remove", "ADP"))
    counted = claim != "DP" or rng.random() < 0.6
    one_sided = (claim == "ADP" and rng.random() < 0.75) or rng.random() < 0.1
    real = rng.random() < 0.5
    law = ("Exponential" if one_sided else "Laplace") if real else (
        "OneSidedGeometric" if one_sided else "TwoSidedGeometric"
    )  # fmt: skip
    epsilon = rng.choice((Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3, 2)))
    times = rng.choice((Fraction(1),) * 5 + (Fraction(2), Fraction(1, 2)))
    half = Fraction(rng.random() < 0.3, 2)
    cut = rng.random()
    high = rng.choice((3, 5, 8)) if cut > 0.6 else None
    low = -rng.choice((2, 4)) if 0.5 < cut < 0.8 and not one_sided else None
    return Thresholded(
        claim, counted, law, times / epsilon, epsilon, rng.randint(1, 5) + half, low, high,
        rng.random() < 0.7, rng.random() < 0.6, rng.random() < 0.25,
        rng.choice(("value", "value", "above")),
    )  # fmt: skip


@precisely()
def rounded(delta: Decimal) -> tuple[str, str]:
    """A δ that is enough, by 1e-9, and one that is not, by a thousandth."""
    digits = D("1e-15")
    enough = (delta + D("1e-9")).quantize(digits)
    return f"{enough:f}", f"{(delta * D('0.999')).quantize(digits):f}"
