"""Whether a polynomial is at least zero for all parameters in range, decided exactly.

Three ways, the cheap ones first: no negative coefficient once every variable is counted from the
ends of its range; in one variable, how often it changes its sign; and a decision procedure for
the reals, under a limit of resources.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flint import fmpq_mpoly, fmpq_mpoly_ctx, fmpq_poly

#: Resources for one question to the decision procedure.
RESOURCES = 4_000_000
#: Longer polynomials are not asked about.
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a variable lies; an end that is ``closed`` belongs to it."""

    low: Fraction | None = None
    high: Fraction | None = None
    closed_below: bool = False
    closed_above: bool = False

    def cut(self, other: Interval) -> Interval:
        """What two intervals have in common."""
        low, closed_below = self.low, self.closed_below
        if other.low is not None and (low is None or other.low >= low):
            closed_below = other.closed_below and (closed_below or other.low != low)
            low = other.low
        high, closed_above = self.high, self.closed_above
        if other.high is not None and (high is None or other.high <= high):
            closed_above = other.closed_above and (closed_above or other.high != high)
            high = other.high
        return Interval(low, high, closed_below, closed_above)

    @property
    def open(self) -> bool:
        """Whether no end belongs to it."""
        return not self.closed_below and not self.closed_above


class Domain:
    """The ranges of variables, and polynomials that are known to be at least zero there."""

    def __init__(self, context: fmpq_mpoly_ctx) -> None:
        self._context = context
        self.ranges: dict[int, Interval] = {}
        self.facts: list[tuple[fmpq_mpoly, bool]] = []
        self._known: dict[tuple[str, bool], bool] = {}

    def bound(self, variable: int, interval: Interval) -> None:
        """A variable lies in an interval."""
        self.ranges[variable] = self.ranges.get(variable, Interval()).cut(interval)
        self._known.clear()

    def assume(self, subject: Any, strict: bool) -> None:
        """A polynomial is at least zero, or above it."""
        self.facts.append((subject, strict))
        self._known.clear()
        degrees = [(k, d) for k, d in enumerate(subject.degrees()) if d > 0]
        if len(degrees) == 1 and degrees[0][1] == 1:
            variable = degrees[0][0]
            parts = {
                m[variable]: Fraction(int(k.p), int(k.q)) for m, k in subject.to_dict().items()
            }
            end = -parts.get(0, Fraction(0)) / parts[1]
            if parts[1] > 0:
                self.bound(variable, Interval(low=end, closed_below=not strict))
            else:
                self.bound(variable, Interval(high=end, closed_above=not strict))

    @property
    def possible(self) -> bool | None:
        """Whether any parameters are in range; ``None`` if that was not decided."""
        said = self._asked(None, False) if self.facts else "sat"
        return {"sat": True, "unsat": False}.get(said)

    def holds(self, subject: Any, strict: bool) -> bool:
        """Whether a polynomial is surely at least zero (``strict``: above it) everywhere."""
        if subject.is_constant():
            value = subject.leading_coefficient() if subject != 0 else 0
            return bool(value > 0 if strict else value >= 0)
        key = str(subject), strict
        if key not in self._known:
            self._known[key] = self._holds(subject, strict)
        return self._known[key]

    def _holds(self, subject: Any, strict: bool) -> bool:
        # A divisor that is positive everywhere does not matter, and neither does an even power.
        if self._by_coefficients(subject, strict):
            return True
        single = self._single(subject)
        if single is not None:
            return single_sign(*single, strict=strict)
        if len(subject) > LONGEST:
            return False
        return self._asked(subject, strict) == "unsat"

    def _single(self, subject: Any) -> tuple[fmpq_poly, Interval] | None:
        """The polynomial in the one variable that it has, of which only a range is known."""
        from flint import fmpq_poly

        used = [k for k, d in enumerate(subject.degrees()) if d > 0]
        if len(used) != 1:
            return None
        (variable,) = used
        tied = any(f.degrees()[variable] > 0 and sum(f.degrees()) > 1 for f, _ in self.facts)
        interval = self.ranges.get(variable, Interval())
        if tied or interval.low is None or not interval.open:
            return None
        found = fmpq_poly()
        for monomial, k in subject.to_dict().items():
            found[monomial[variable]] = k
        return found, interval

    def _by_coefficients(self, subject: Any, strict: bool) -> bool:
        """No coefficient is negative once variables are counted from the ends of their ranges."""
        used = [k for k, d in enumerate(subject.degrees()) if d > 0]
        if any(self.ranges.get(k, Interval()) == Interval() for k in used):
            return False
        for k in used:
            subject = self._counted(subject, k, self.ranges[k])
        parts: Mapping[tuple[int, ...], Any] = subject.to_dict()
        if any(k < 0 for k in parts.values()):
            return False
        closed = [k for k in used if not self.ranges[k].open]
        return not strict or (
            any(not any(m[k] for k in closed) for m in parts)
            and not any(
                self.ranges[k].closed_above and self.ranges[k].low is not None for k in used
            )
        )

    def _counted(self, subject: Any, variable: int, interval: Interval) -> Any:
        """The polynomial over a variable that is positive instead of one in an interval.

        ``x = low + s``, ``x = high - s``, or, times a power of 1 + s, ``(low + high·s) / (1 + s)``.
        """
        s = self._context.gens()[variable]
        one = self._context.constant(1)
        below = one
        if interval.low is not None and interval.high is not None:
            above, below = s * _rational(interval.high) + _rational(interval.low), one + s
        elif interval.low is not None:
            above = s + _rational(interval.low)
        else:
            assert interval.high is not None
            above = -s + _rational(interval.high)
        degree = subject.degrees()[variable]
        by_power: dict[int, dict[tuple[int, ...], Any]] = {}
        for monomial, k in subject.to_dict().items():
            bare = (*monomial[:variable], 0, *monomial[variable + 1 :])
            by_power.setdefault(monomial[variable], {})[bare] = k
        total = self._context.constant(0)
        for power, parts in by_power.items():
            total += self._context.from_dict(parts) * above**power * below ** (degree - power)
        return total

    def _asked(self, subject: Any, strict: bool) -> str:
        """Whether the polynomial can be below zero (or zero, if it must be strictly above)."""
        import z3

        context = z3.Context()
        count = len(self._context.gens())
        names = [z3.Real(f"v{k}", context) for k in range(count)]
        solver = z3.Tactic("qfnra-nlsat", context).solver()
        solver.set("rlimit", RESOURCES)
        for k, interval in self.ranges.items():
            if interval.low is not None:
                low = _value(interval.low, context)
                solver.add(names[k] >= low if interval.closed_below else names[k] > low)
            if interval.high is not None:
                high = _value(interval.high, context)
                solver.add(names[k] <= high if interval.closed_above else names[k] < high)
        for fact, above in self.facts:
            term = _term(fact, names, context)
            solver.add(term > 0 if above else term >= 0)
        if subject is not None:
            term = _term(subject, names, context)
            solver.add(term <= 0 if strict else term < 0)
        try:
            return str(solver.check())
        except z3.Z3Exception:
            return "unknown"


def single_sign(subject: fmpq_poly, interval: Interval, *, strict: bool) -> bool:
    """Whether a polynomial in one variable is at least zero on an open interval, or above it."""
    assert interval.low is not None
    odd, even = subject**0, subject**0
    for factor, power in subject.factor()[1]:
        if power % 2:
            odd *= factor
        else:
            even *= factor
    if roots_between(odd, interval.low, interval.high):
        return False  # it changes its sign there
    if strict and roots_between(even, interval.low, interval.high):
        return False
    if interval.high is None:
        return bool(subject[subject.degree()] > 0)
    between = (interval.low + interval.high) / 2
    while not (value := subject(_rational(between))):
        between = (interval.low + between) / 2
    return bool(value > 0)


def roots_between(subject: fmpq_poly, low: Fraction, high: Fraction | None) -> int:
    """How many different roots a polynomial has above ``low`` and below ``high`` (Sturm)."""
    for end in (low, high):
        if end is not None and subject(_rational(end)) == 0:
            # None of these ends belongs to the interval.
            linear = _linear(subject, end)
            while subject(_rational(end)) == 0:
                subject = subject // linear
    if subject.degree() < 1:
        return 0
    chain: list[Any] = [subject, subject.derivative()]
    while chain[-1]:
        chain.append(-(chain[-2] % chain[-1]))
    chain.pop()
    upper = [p[p.degree()] if high is None else p(_rational(high)) for p in chain]
    return _changes([p(_rational(low)) for p in chain]) - _changes(upper)


def _linear(like: fmpq_poly, root: Fraction) -> fmpq_poly:
    found = like * 0
    found[0], found[1] = -_rational(root), 1
    return found


def _changes(values: list[Any]) -> int:
    signs = [v > 0 for v in values if v != 0]
    return sum(one != two for one, two in itertools.pairwise(signs))


def _rational(value: Fraction) -> Any:
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


def _value(value: Fraction, context: Any) -> Any:
    import z3

    return z3.RealVal(f"{value.numerator}/{value.denominator}", context)


def _term(subject: Any, names: list[Any], context: Any) -> Any:
    """A polynomial as z3 has it."""
    total = _value(Fraction(0), context)
    for monomial, k in subject.to_dict().items():
        product = _value(Fraction(int(k.p), int(k.q)), context)
        for variable, power in zip(names, monomial, strict=True):
            for _ in range(power):
                product = product * variable
        total = total + product
    return total
