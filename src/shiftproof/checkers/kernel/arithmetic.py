"""Exact arithmetic: polynomials over named unknowns, and conditions on them.

A condition is a tuple in negation normal form:

  ("and", members)  ("or", members)  ("?", name, value)  (">=", p)  (">", p)  ("=", p)

where p is a polynomial that is compared with zero, and a name with a question mark is a Boolean.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

Number = int | Fraction
#: The names of the factors, in order; ``/x`` stands for 1 / x of an x that is never zero.
Monomial = tuple[str, ...]
#: Monomials in order, each with its coefficient, which is not zero.
Polynomial = tuple[tuple[Monomial, Number], ...]
Condition = tuple[Any, ...]

ZERO: Polynomial = ()
ONE: Polynomial = (((), 1),)
TRUE: Condition = ("and", ())
FALSE: Condition = ("or", ())

#: How much work one certificate may take, and how long a polynomial and a number may be.
MOST_WORK, MOST_TERMS, MOST_BITS = 60_000_000, 4_000, 6_000
#: Powers of e are written out if numerator and denominator of the exponent are at most this; else
#: they are known to one part in so many.
MOST_DIGITS, CLOSE = 100, 10**15
#: How many factors a product may have.
MOST_FACTORS = 400


class Wrong(Exception):
    """A certificate does not prove what it says."""


class _Meter(threading.local):
    spent, most = 0, MOST_WORK


_METER = _Meter()


def start_work(most: int = MOST_WORK) -> None:
    """Begin to count anew: a certificate has so much work, however fast the machine is."""
    _METER.spent, _METER.most = 0, min(most, MOST_WORK)


def spend(amount: int) -> None:
    """Count work.

    Raises:
        Wrong: there was too much of it.
    """
    _METER.spent += amount
    if _METER.spent > _METER.most:
        raise Wrong(f"the certificate takes more than {_METER.most} steps of work")


def constant(value: Number) -> Polynomial:
    """A plain number."""
    return (((), value),) if value else ZERO


def unknown(name: str) -> Polynomial:
    """An unknown."""
    return (((name,), 1),)


def _ordered(total: dict[Monomial, Number]) -> Polynomial:
    if len(total) > MOST_TERMS:
        raise Wrong(f"a polynomial of more than {MOST_TERMS} terms")
    for m, c in total.items():
        if len(m) > MOST_FACTORS:
            raise Wrong(f"a product of more than {MOST_FACTORS} factors")
        if c.numerator.bit_length() + c.denominator.bit_length() > MOST_BITS:
            raise Wrong(f"a number of more than {MOST_BITS} bits")
        if type(c) is Fraction and c.denominator == 1:
            total[m] = c.numerator
    return tuple(sorted(total.items()))


def add(a: Polynomial, b: Polynomial, k: Number = 1) -> Polynomial:
    """``a + k * b``."""
    spend(len(a) + len(b))
    total = dict(a)
    for m, c in b:
        total[m] = total.get(m, 0) + k * c
        if not total[m]:
            del total[m]
    return _ordered(total)


def scaled(a: Polynomial, k: Number) -> Polynomial:
    """``k * a``."""
    return add(ZERO, a, k) if k else ZERO


def multiplied(m: Monomial, n: Monomial) -> Monomial:
    """The product of two monomials, where x and /x are gone."""
    factors = list(m)
    for name in n:
        inverse = name[1:] if name[0] == "/" else "/" + name
        if inverse in factors:
            factors.remove(inverse)
        else:
            factors.append(name)
    return tuple(sorted(factors))


def _factors(p: Polynomial) -> int:
    return sum(len(m) for m, _ in p)


def times(a: Polynomial, b: Polynomial) -> Polynomial:
    """``a * b``."""
    spend(4 * (len(a) + 1) * (len(b) + 1) + _factors(a) * _factors(b))
    total: dict[Monomial, Number] = {}
    for m, c in a:
        for n, d in b:
            mn = multiplied(m, n) if m and n else m or n
            total[mn] = total.get(mn, 0) + c * d
            if not total[mn]:
                del total[mn]
    return _ordered(total)


def value_of(p: Polynomial) -> Number | None:
    """The value of a polynomial without unknowns; ``None`` if it has some."""
    if not p:
        return 0
    return p[0][1] if len(p) == 1 and not p[0][0] else None


def is_unknown(p: Polynomial) -> bool:
    """Whether it is one unknown and nothing else."""
    return len(p) == 1 and len(p[0][0]) == 1 and p[0][1] == 1


def names_of(p: Polynomial) -> set[str]:
    """Its unknowns, /x among them."""
    return {name for m, _ in p for name in m}


class Unknowns:
    """The unknowns of one walk: numbers, each whole or not, in the order of their appearance."""

    def __init__(self) -> None:
        self.whole: dict[str, bool] = {}

    def new(self, name: str, whole: bool) -> Polynomial:
        """An unknown of this name, which may have been seen before, and then is as it was."""
        if self.whole.setdefault(name, whole) != whole:
            raise Wrong(f"{name} is whole, and it is not")
        return unknown(name)

    def is_whole(self, p: Polynomial) -> bool:
        """Whether a polynomial has integer values, by its form."""
        return all(c.denominator == 1 and all(self.whole[x] for x in m) for m, c in p)

    def compare(self, relation: str, p: Polynomial) -> Condition:
        """``p relation 0``; decided if p is a number, and of integers as sharp as it can be."""
        value = value_of(p)
        if value is not None:
            holds = {"=": value == 0, ">": value > 0, ">=": value >= 0}[relation]
            return TRUE if holds else FALSE
        least = math.lcm(*(c.denominator for m, c in p if m))
        inner = tuple((m, c * least) for m, c in p if m)
        size = Fraction(least, math.gcd(*(c.numerator for _, c in inner)))
        if relation == "=" and inner[0][1] < 0:
            size = -size
        p = scaled(p, size)
        if not self.is_whole(inner):
            return (relation, p)
        free = p[0][1] if not p[0][0] else 0
        if relation == "=":
            return FALSE if free.denominator != 1 else (relation, p)
        tight = math.ceil(free) - 1 if relation == ">" else math.floor(free)
        return (">=", add(p, constant(tight - free)))

    def at_least(self, a: Polynomial, b: Polynomial) -> Condition:
        """``a >= b``."""
        return self.compare(">=", add(a, b, -1))

    def above(self, a: Polynomial, b: Polynomial) -> Condition:
        """``a > b``."""
        return self.compare(">", add(a, b, -1))

    def equal(self, a: Polynomial, b: Polynomial) -> Condition:
        """``a == b``."""
        return self.compare("=", add(a, b, -1))

    def negated(self, f: Condition) -> Condition:
        """``not f``."""
        kind = f[0]
        if kind in ("and", "or"):
            join = either if kind == "and" else both
            return join(map(self.negated, f[1]))
        if kind == "?":
            return ("?", f[1], not f[2])
        if kind == "=":
            return either((self.compare(">", f[1]), self.compare(">", scaled(f[1], -1))))
        return self.compare(">" if kind == ">=" else ">=", scaled(f[1], -1))

    def implies(self, f: Condition, g: Condition) -> Condition:
        """``f ⇒ g``."""
        return either((self.negated(f), g))

    def same(self, f: Condition, g: Condition) -> Condition:
        """``f ⇔ g``."""
        if f == g:
            return TRUE
        return either((both((f, g)), both((self.negated(f), self.negated(g)))))


def both(conditions: Iterable[Condition]) -> Condition:
    """All of the conditions."""
    return _joined("and", conditions)


def either(conditions: Iterable[Condition]) -> Condition:
    """At least one of the conditions."""
    return _joined("or", conditions)


def _size(f: Condition) -> int:
    """How many comparisons and Booleans a condition has; one that says much, much work is made of.

    Raises:
        Wrong: there are too many.
    """
    size = 1 if f[0] not in ("and", "or") else sum(map(_size, f[1]))
    if size > MOST_TERMS:
        raise Wrong(f"a condition of more than {MOST_TERMS} comparisons")
    return size


def _joined(word: str, conditions: Iterable[Condition]) -> Condition:
    decided = FALSE if word == "and" else TRUE
    members: dict[Condition, None] = {}
    for f in conditions:
        if f == decided:
            return decided
        spend(20 * _size(f))
        members.update(dict.fromkeys(f[1]) if f[0] == word else {f: None})
    return next(iter(members)) if len(members) == 1 else (word, tuple(members))


def near_power_of_e(power: Fraction) -> tuple[Fraction, Fraction]:
    """Rational numbers below and above e to a power in (0, 1]."""
    # e^x = Σ x^k/k!, and what comes after a member is less than that member for x <= 1, k >= 2.
    member, low = Fraction(1), Fraction(1)
    for k in range(1, 40):
        member *= power / k
        low += member
    return low, low + member


def below_power_of_e(exponent: Polynomial, digits: int = MOST_DIGITS) -> Polynomial | None:
    """A number just below e to a plain number above 0 that takes more than ``digits``.

    ``None`` for other exponents.
    """
    plain = dict(exponent)
    power = Fraction(plain.pop((), 0))
    if plain or power <= 0 or max(power.numerator, power.denominator) <= digits:
        return None
    steps = math.ceil(power)
    low, _ = near_power_of_e(power / steps)
    spend(steps * 100)
    return constant(Fraction(math.floor(low**steps * CLOSE), CLOSE))
