"""Numbers that are known but for parameters: quotients of polynomials in them and in powers of e.

An unknown is a parameter, or ``exp m``: e to the power of a product m of parameters, divided by one
``unit`` for all.  A denominator is a product of polynomials that are positive for all parameters;
it is kept in factors, so that no common divisor of polynomials is ever looked for.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction

from ..arithmetic import (
    ONE,
    Condition,
    Number,
    Polynomial,
    Wrong,
    add,
    below_power_of_e,
    constant,
    names_of,
    near_power_of_e,
    scaled,
    spend,
    times,
    unknown,
    value_of,
)
from ..paired.powers import Registry
from ..trees import refute
from .signs import nowhere_negative

#: The finest unit of exponents, and the highest power.
FINEST, MOST_POWERS = 5_040, 400


class Unclear(Wrong):
    """A condition that is not shown to be the same for all parameters."""


class MayRaise(Unclear):
    """A divisor, or noise, is not shown to be there: a run may raise."""


class Finer(Exception):
    """An exponent that is no multiple of the unit; all has to be done again with another one."""

    def __init__(self, unit: int) -> None:
        super().__init__()
        self.unit = unit


class Quotient:
    """A number; one that is written in the same way is the same object."""

    __slots__ = ("bottom", "top")

    def __init__(self, top: Polynomial, bottom: tuple[Polynomial, ...]) -> None:
        self.top, self.bottom = top, bottom

    @property
    def value(self) -> Number | None:
        """What it is, if it does not depend on parameters."""
        return value_of(self.top) if not self.bottom else None


class Numbers:
    """All quotients of one count, and what is known of the parameters.

    ``facts`` are polynomials that are zero, at least zero or above it; ``positive`` are parameters.
    """

    def __init__(self, unit: int, ask: Callable[[Registry, list[Condition]], str]) -> None:
        self.unit, self._ask = unit, ask
        self.positive: set[str] = set()
        self.facts: list[tuple[str, Polynomial]] = []
        self._made: dict[tuple[Polynomial, tuple[Polynomial, ...]], Quotient] = {}
        self._found: dict[tuple[str, Quotient, Quotient], Quotient] = {}
        self._signs: dict[tuple[Polynomial, bool], bool] = {}
        self._bases: dict[str, tuple[str, ...]] = {}
        self.zero, self.one = self.plain(0), self.plain(1)

    def plain(self, value: Number) -> Quotient:
        """A rational number."""
        return self._quotient(constant(value), ())

    def real(self, name: str) -> Quotient:
        """A parameter."""
        return self._quotient(unknown(name), ())

    def _quotient(self, top: Polynomial, bottom: tuple[Polynomial, ...]) -> Quotient:
        if not top:
            bottom = ()
        elif bottom:
            lead = top[-1][1]
            factor = scaled(top, Fraction(1, lead))
            if factor in bottom:
                left = Counter(bottom) - Counter([factor])
                top, bottom = constant(lead), tuple(sorted(left.elements()))
        spend(10 * (1 + len(bottom)))
        return self._made.setdefault((top, bottom), Quotient(top, bottom))

    def plus(self, a: Quotient, b: Quotient) -> Quotient:
        """The sum."""
        key = "+", a, b
        if key not in self._found:
            every = Counter(a.bottom) | Counter(b.bottom)
            one, two = (_all(x.top, (every - Counter(x.bottom)).elements()) for x in (a, b))
            self._found[key] = self._quotient(add(one, two), tuple(sorted(every.elements())))
        return self._found[key]

    def minus(self, a: Quotient, b: Quotient) -> Quotient:
        """The difference."""
        return self.plus(a, self._quotient(scaled(b.top, -1), b.bottom))

    def by(self, a: Quotient, b: Quotient) -> Quotient:
        """The product."""
        if a is self.one:
            return b
        key = "*", a, b
        if key not in self._found:
            bottom = tuple(sorted((*a.bottom, *b.bottom)))
            self._found[key] = self._quotient(_bounded(times(a.top, b.top)), bottom)
        return self._found[key]

    def inverse(self, a: Quotient) -> Quotient:
        """One divided by a number.

        Raises:
            MayRaise: it may be zero, or change its sign.
        """
        if not (self.holds(a.top, True) or self.holds(scaled(a.top, -1), True)):
            raise MayRaise("a divisor may be zero")
        monomial, lead = a.top[-1]
        shared = Fraction(1, lead)
        if len(a.top) == 1 and all(name in self._bases for name in map(_plain_name, monomial)):
            inverse = tuple(sorted(n[1:] if n[0] == "/" else "/" + n for n in monomial))
            return self._quotient(_all(((inverse, shared),), a.bottom), ())
        factor = scaled(a.top, shared)
        if not self.holds(factor, True):
            shared, factor = -shared, scaled(factor, -1)
        return self._quotient(_all(constant(shared), a.bottom), (factor,))

    def exponential(self, power: Quotient) -> Quotient:
        """e to a power.

        Raises:
            Finer: that is no whole power with this unit.
        """
        key = "e", power, power
        if key not in self._found:
            self._found[key] = self._exponential(power)
        return self._found[key]

    def _exponential(self, power: Quotient) -> Quotient:
        if power.bottom:
            raise Wrong("an exponent is divided by more than a number")
        top: Polynomial = ONE
        for monomial, k in power.top:
            if any(name[0] == "/" or name in self._bases for name in monomial):
                raise Wrong("e to a power of e")
            count = Fraction(k) * self.unit
            if count.denominator > 1:
                raise Finer(self.unit * count.denominator)
            if abs(count) > MOST_POWERS:
                raise Wrong(f"e to a power above {MOST_POWERS}")
            name = f"exp {'*'.join(monomial)}"
            self._bases[name] = monomial
            factor = name if count > 0 else "/" + name
            top = times(top, (((factor,) * abs(int(count)), 1),))
        return self._quotient(top, ())

    def factor(self, budget: Quotient) -> Quotient:
        """What a probability may be more by: e to the budget, or a number just below that."""
        low = None if budget.bottom else below_power_of_e(budget.top)
        return self.exponential(budget) if low is None else self._quotient(low, ())

    def is_at_least(self, a: Quotient, b: Quotient, strict: bool) -> bool:
        """Whether ``a >= b`` (or above) for all parameters, where else it holds for none.

        Raises:
            Unclear: neither is shown.
        """
        gap = self.minus(a, b).top
        if self.holds(gap, strict):
            return True
        if self.holds(scaled(gap, -1), not strict):
            return False
        raise Unclear("a comparison depends on parameters")

    def is_equal(self, a: Quotient, b: Quotient) -> bool:
        """Whether ``a == b`` for all parameters, where else it holds for none.

        Raises:
            Unclear: neither is shown.
        """
        gap = self.minus(a, b).top
        if gap and not (self.holds(gap, True) or self.holds(scaled(gap, -1), True)):
            raise Unclear("an equation depends on parameters")
        return not gap

    # Signs, for all parameters.

    def assume(self, relation: str, top: Polynomial) -> None:
        """Take it for a fact that a polynomial compares with zero."""
        self._signs.clear()
        if relation == ">" and len(top) == 1 and len(top[0][0]) == 1 and top[0][1] > 0:
            self.positive.update(top[0][0])
        else:
            self.facts.append((relation, top))

    def are_facts_possible(self) -> bool:
        """Whether no tree shows that the facts contradict each other."""
        return not self.facts or not self._is_refuted([])

    def holds(self, p: Polynomial, strict: bool) -> bool:
        """Whether a polynomial is shown to be at least zero, or above it, for all parameters."""
        value = value_of(p)
        if value is not None:
            return value > 0 or (value == 0 and not strict)
        key = p, strict
        if key not in self._signs:
            self._signs[key] = self._is_shown(p, strict)
        return self._signs[key]

    def _is_shown(self, p: Polynomial, strict: bool) -> bool:
        p = self._cleared(p)
        if self._is_plain_sum(p):
            return True
        names = names_of(p)
        if len(names) == 1 and names <= set(self._bases):
            (name,) = names
            step = math.gcd(*(len(m) for m, _ in p)) if self._bases[name] else 1
            row: list[Number] = [0] * (max(len(m) for m, _ in p) // step + 1)
            for m, c in p:
                row[len(m) // step] = c
            if nowhere_negative(row, *self._range(name), strict):
                return True
            if not self.facts:
                return False  # there is nothing else to be known
        return self._is_refuted([(">" if not strict else ">=", scaled(p, -1))])

    def _is_plain_sum(self, p: Polynomial) -> bool:
        """Whether all coefficients are positive, where t > 1 is written as 1 + u."""
        found: dict[tuple[str, ...], Number] = {}
        for m, c in p:
            powers = Counter(m)
            ways: list[list[tuple[int, int]]] = []
            for name, k in powers.items():
                if name not in self.positive and name not in self._bases:
                    return False
                if name in self._bases and self._range(name)[0] >= 1:
                    ways.append([(j, math.comb(k, j)) for j in range(k + 1)])
                else:
                    ways.append([(k, 1)])
            spend(2 * math.prod(map(len, ways)))
            for chosen in itertools.product(*ways):
                key = tuple(n for n, (j, _) in zip(powers, chosen, strict=True) for _ in range(j))
                found[key] = found.get(key, 0) + c * math.prod(b for _, b in chosen)
        return min(found.values()) >= 0

    def _range(self, name: str) -> tuple[Fraction, Fraction | None]:
        """Where a power of e lies."""
        base = self._bases[name]
        if not base:
            return near_power_of_e(Fraction(1, self.unit))
        return Fraction(1 if self.positive.issuperset(base) else 0), None

    def _cleared(self, p: Polynomial) -> Polynomial:
        """The polynomial times powers of e, so that none is a divisor."""
        below: Counter[str] = Counter()
        for m, _ in p:
            below |= Counter(name[1:] for name in m if name[0] == "/")
        return times(p, ((tuple(sorted(below.elements())), 1),)) if below else p

    def _is_refuted(self, more: list[tuple[str, Polynomial]]) -> bool:
        """Whether a tree shows that this contradicts what is known."""
        unknowns, told = Registry(), [*self.facts, *more]
        names = sorted({n for _, p in told for n in names_of(self._cleared(p))})
        for name in names:
            unknowns.new(name, False)
        conditions: list[Condition] = [
            unknowns.compare(">", unknown(n)) for n in names if n in self.positive
        ]
        for name in names:
            if name in self._bases:
                low, high = self._range(name)
                conditions.append(unknowns.compare(">", add(unknown(name), constant(low), -1)))
                if high is not None:
                    conditions.append(unknowns.compare(">", add(constant(high), unknown(name), -1)))
        conditions += [unknowns.compare(relation, self._cleared(p)) for relation, p in told]
        tree = self._ask(unknowns, conditions)
        if tree == "-":
            return False
        refute(unknowns, conditions, tree)
        return True


def _plain_name(name: str) -> str:
    return name.removeprefix("/")


def _all(first: Polynomial, factors: Iterable[Polynomial]) -> Polynomial:
    for factor in factors:
        first = _bounded(times(first, factor))
    return first


def _bounded(p: Polynomial) -> Polynomial:
    """The polynomial, if its degree is not too high; work on long monomials is counted."""
    degree = max((len(m) for m, _ in p), default=0)
    if degree > MOST_POWERS:
        raise Wrong(f"a polynomial of a degree above {MOST_POWERS}")
    spend(len(p) * degree)
    return p
