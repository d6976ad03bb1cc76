"""Quotients and powers of e: unknowns with the facts that define them.

``1 / x`` of an x that is never zero is written ``/x``, and cancels it; that it is never zero has
to follow from what holds throughout.  Any other quotient is an unknown u with p == 0 or p u == 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Protocol

from ..arithmetic import (
    ONE,
    ZERO,
    Condition,
    Monomial,
    Polynomial,
    Unknowns,
    Wrong,
    add,
    both,
    constant,
    either,
    near_power_of_e,
    scaled,
    spend,
    times,
    unknown,
    value_of,
)

#: The highest power of e that is written out as a product, and that is enclosed by numbers.
MOST_POWER, MOST_ENCLOSED = 64, 2_000
#: How many digits are said of e to a plain number, and of roots and logarithms; of how large ones.
CLOSE_DIGITS = 15
LARGEST_ROOT, NEAR = 10**24, Fraction(1, 10**12)
#: How fine the numbers are that powers are taken of, as these have so many times their digits.
FINE = 10**40


class Registry(Unknowns):
    """Unknowns that are made on the way: what has the same definition has the same name."""

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[Hashable, Polynomial] = {}
        self._inside: dict[str, Hashable] = {}
        #: What an unknown is the inverse of, and the exponent of one that is a power of e.
        self.divisors: dict[str, Polynomial] = {}
        self.exponents: dict[str, Polynomial] = {}
        #: What an unknown is the logarithm of, where that is positive throughout.
        self.logarithms: dict[str, Polynomial] = {}
        #: What an unknown is the root of, wherever it has a value.
        self.roots: dict[str, Polynomial] = {}
        #: What is asked: in which line, and which condition. It is for whoever listens only.
        self.about: tuple[int, str] = (0, "")

    # Words of the kernel and names of a text are never asked in one place: an input may be called
    # like a word.

    def of(self, word: str, key: Hashable, whole: bool) -> Polynomial:
        """The unknown that a word of the kernel defines by this."""
        return self._of(("word", word, key, whole), word, whole)

    def element(self, array: str, index: Polynomial, whole: bool) -> Polynomial:
        """The element of an input at an index."""
        return self._of(("input", array, index, whole), array, whole)

    def _of(self, key: Hashable, stem: str, whole: bool) -> Polynomial:
        if key not in self._found:
            found = self._found[key] = self.fresh(stem, whole)
            self._inside[found[0][0][0]] = key
        return self._found[key]

    def within(self, names: set[str]) -> set[str]:
        """Unknowns, and those that they are made of."""
        found = {name.removeprefix("/") for name in names}
        waiting = [self._inside.get(name) for name in found]
        while waiting:
            part = waiting.pop()
            if isinstance(part, tuple):
                waiting += part
            elif isinstance(part, str) and part not in found and part in self.whole:
                found.add(part)
                waiting.append(self._inside.get(part))
        return found

    def fresh(self, stem: str, whole: bool) -> Polynomial:
        """An unknown that there was not.

        Raises:
            Wrong: a certificate calls it as nothing is called.
        """
        if stem[0] == "/":  # which is for inverses
            raise Wrong(f"{stem!r} is no name")
        return self.new(f"{stem} {len(self.whole)}", whole)


class Maker(Protocol):
    """Who evaluates: where unknowns are made, and what is known of them."""

    unknowns: Registry

    def define(self, fact: Condition) -> None:
        """A fact that is true by the definition of an unknown."""

    def is_unit(self, name: str) -> bool:
        """Whether an unknown is never zero, so that its inverse may cancel it."""
        ...

    def throughout(self, claim: Condition) -> bool:
        """Whether a condition is known to hold on all paths, as it was assumed or shown of all."""
        ...


def _divisor_in(p: Polynomial) -> str:
    """The first thing that a part of a sum is divided by; empty if nothing is."""
    several = len(p) > 1
    return next((x[1:] for m, _ in p for x in m if several and x[0] == "/"), "")


def inverse(of: Maker, p: Polynomial) -> Polynomial:
    """``1 / p`` of a polynomial that is not zero."""
    value = value_of(p)
    if value is not None:
        if not value:
            raise Wrong("a quotient by zero")
        return constant(Fraction(1, value))
    found, rest = ONE, p
    # One way to write it: 1 / (1/a + 1/b) is a * b / (b + a).  What has an inverse is not zero.
    while below := _divisor_in(rest):
        found, rest = times(found, unknown(below)), times(rest, unknown(below))
    shared = rest[0][0]
    for m, _ in rest:
        shared = _common(shared, m)
    for name in shared:
        found = times(found, _inverse_of(of, unknown(name), name))
        rest = _without(rest, name)
    value = value_of(rest)
    if value is not None:
        return scaled(found, Fraction(1, value))
    lead = rest[-1][1]
    return times(
        found, scaled(_inverse_of(of, scaled(rest, Fraction(1, lead)), ""), Fraction(1, lead))
    )


def _inverse_of(of: Maker, p: Polynomial, name: str) -> Polynomial:
    if name[:1] == "/":
        return unknown(name[1:])
    if name in of.unknowns.divisors:  # which is not zero where its inverse has a value
        return of.unknowns.divisors[name]
    if name in of.unknowns.exponents:
        inverse = of.unknowns.new("/" + name, False)
        of.define(of.unknowns.compare(">", inverse))
        return inverse
    if name and of.is_unit(name):
        return of.unknowns.new("/" + name, False)
    q = of.unknowns
    found = q.of("1/", p, False)
    q.divisors[found[0][0][0]] = p
    one = q.equal(times(p, found), ONE)
    signs = [(q.compare(">", scaled(p, s)), q.compare(">", scaled(found, s))) for s in (1, -1)]
    # Where p is zero, no value is ever taken.
    of.define(either((q.compare("=", p), *(both((*s, one)) for s in signs))))
    return found


def squared(of: Maker, p: Polynomial) -> Polynomial:
    """``p * p``; where a root is multiplied by itself, it is what it is a root of."""
    if len(p) != 1:
        return without_squares(of, times(p, p))
    ((factors, multiple),) = p
    found = constant(multiple * multiple)
    for name in factors:
        inside = of.unknowns.roots.get(name.removeprefix("/"))
        divisor = of.unknowns.divisors.get(name, ())
        if len(divisor) == 1:
            found = times(found, inverse(of, squared(of, divisor)))
        elif inside is None:
            found = times(found, (((name, name), 1),))
        else:
            found = times(found, inverse(of, inside) if name[0] == "/" else inside)
    return found


def without_squares(of: Maker, p: Polynomial) -> Polynomial:
    """Each root that a part has twice, as a factor or a divisor, as what it is a root of."""
    found = ZERO if of.unknowns.roots else p
    for m, c in p if of.unknowns.roots else ():
        left, part = [*m], constant(c)
        for root, inside in of.unknowns.roots.items():
            for name in (root, f"/{root}"):
                while left.count(name) > 1:
                    left.remove(name)
                    left.remove(name)
                    part = times(part, inside if name == root else inverse(of, inside))
        found = add(found, times(part, ((tuple(left), 1),)))
    return found


def root(of: Maker, p: Polynomial) -> Polynomial:
    """``sqrt(p)`` of what is not negative, as an unknown."""
    q = of.unknowns
    found = q.of("sqrt", (p,), False)
    of.define(q.compare(">=", found))
    of.define(q.implies(q.compare(">", p), q.compare(">", found)))
    if len(found) == 1:
        q.roots[found[0][0][0]] = p
    value, unit = value_of(p), 10**CLOSE_DIGITS
    if value is not None and 0 <= value < LARGEST_ROOT:
        whole = math.isqrt(math.floor(value * unit * unit))
        _lies_between(of, found, Fraction(whole, unit), Fraction(whole + 1, unit))
    return found


def logarithm(of: Maker, p: Polynomial) -> Polynomial:
    """``log(p)`` of what is positive, as an unknown: it is above 0 where p is above 1."""
    q = of.unknowns
    found = q.of("log", (p,), False)
    if of.throughout(q.compare(">", p)):
        q.logarithms[found[0][0][0]] = p
    more = add(p, ONE, -1)
    for sign in (1, -1):
        of.define(
            q.implies(q.compare(">", scaled(more, sign)), q.compare(">", scaled(found, sign)))
        )
    of.define(q.implies(q.compare("=", more), q.compare("=", found)))
    value = value_of(p)
    if value is not None and 1 < max(value, 1 / Fraction(value or 1)) < LARGEST_ROOT:
        # Guessed in floats, and then looked up: e to the one is below, to the other above.
        near = Fraction(math.log(value)).limit_denominator(10**CLOSE_DIGITS)
        low, high = near - NEAR, near + NEAR
        if _ends_of_power(low)[1] <= value <= _ends_of_power(high)[0]:
            _lies_between(of, found, low, high)
    return found


def exponential(of: Maker, power: Polynomial) -> Polynomial:
    """``exp(power)`` as a product of powers: exp(2*a + b/3) is exp(a)² · exp(b/3)."""
    found = ONE
    for m, c in power:
        factors = c.numerator if abs(c.numerator) <= MOST_POWER else (1 if c > 0 else -1)
        share = abs(Fraction(c) / factors)
        inside = of.unknowns.logarithms.get(m[0]) if len(m) == 1 and share == 1 else None
        if inside is not None:
            one = inside if factors > 0 else inverse(of, inside)
        else:
            one = _power(of, ((m, share),), factors < 0)
        part = ONE
        for _ in range(abs(factors)):
            part = times(part, one)
        if not m and inside is None:
            _enclose(of, Fraction(c), part)
        found = times(found, part)
    return found


def of_same_sign(of: Maker, amount: Polynomial) -> Polynomial:
    """An amount times powers of e in divisors, but of numbers; and without positive factors."""
    q = of.unknowns
    for name in dict.fromkeys(x[1:] for m, _ in amount for x in m if x[0] == "/"):
        if value_of(q.exponents.get(name, ZERO)) is None:
            while any(f"/{name}" in m for m, _ in amount):
                amount = times(amount, unknown(name))
    for name in dict.fromkeys(amount[0][0] if amount else ()):
        while all(name in m for m, _ in amount) and of.throughout(q.compare(">", unknown(name))):
            amount = times(amount, unknown(name[1:] if name[0] == "/" else f"/{name}"))
    return amount


def tangents(
    of: Maker, positive: Polynomial, shows: Callable[[Condition], bool]
) -> Iterator[Condition]:
    """What is known of powers of e, logarithms and roots where an amount is to be positive.

    Tangents: exp(x) >= 1 + x, of x and of -x; log(x) <= x - 1, of x and of 1 / x.  The square of a
    root.  Powers compare as their exponents do with logarithms, where ``shows`` says how.  Of
    powers that side alone is said that can help.
    """
    q = of.unknowns
    named = ((unknown(name), p) for name, p in q.logarithms.items() if value_of(p) is None)
    logarithms = [(ZERO, ONE), *named]
    for log, p in logarithms[1:]:
        yield q.at_least(add(p, ONE, -1), log)
        yield q.at_least(log, add(ONE, inverse(of, p), -1))
    for name, p in q.roots.items():
        if shows(q.compare(">=", p)):
            yield q.equal(times(unknown(name), unknown(name)), p)
    sides = {(x.removeprefix("/"), (c > 0) == (x[0] != "/")): None for m, c in positive for x in m}
    for name, large in sides:
        power, atom, sign = q.exponents.get(name, ()), unknown(name), 1 if large else -1
        if value_of(power) is not None:
            continue
        less = times(atom, add(ONE, power, -1))
        yield q.at_least(atom, add(ONE, power)) if large else q.at_least(ONE, less)
        for log, p in logarithms:
            if shows(q.compare(">=", scaled(add(power, log, -1), sign))):
                yield q.compare(">=", scaled(add(atom, p, -1), sign))


def _enclose(of: Maker, power: Fraction, amount: Polynomial) -> None:
    """Between which numbers e to a plain number is, which has no other value."""
    if math.ceil(abs(power)) > MOST_ENCLOSED:
        return
    low, high = _ends_of_power(power)
    unit = 10 ** (CLOSE_DIGITS + len(str(math.ceil(1 / low))))
    ends = Fraction(math.floor(low * unit), unit), Fraction(math.ceil(high * unit), unit)
    _lies_between(of, amount, *ends)


def _ends_of_power(power: Fraction) -> tuple[Fraction, Fraction]:
    """Numbers below and above e to a plain number that is not large."""
    steps = max(1, math.ceil(abs(power)))
    spend(steps * 100)
    below, above = near_power_of_e(abs(power) / steps)
    low = Fraction(math.floor(below * FINE), FINE) ** steps
    high = Fraction(math.ceil(above * FINE), FINE) ** steps
    return (low, high) if power > 0 else (1 / high, 1 / low)


def _lies_between(of: Maker, amount: Polynomial, low: Fraction, high: Fraction) -> None:
    q = of.unknowns
    of.define(q.at_least(amount, constant(low)))
    of.define(q.at_least(constant(high), amount))


def _power(of: Maker, base: Polynomial, inverted: bool) -> Polynomial:
    """``exp(base)`` as an unknown, or its inverse."""
    q = of.unknowns
    atom = q.of("exp", base, False)
    more, less = (q.compare(">", scaled(base, s)) for s in (1, -1))
    of.define(q.compare(">", atom))
    of.define(q.implies(more, q.above(atom, ONE)))
    of.define(q.implies(less, q.above(ONE, atom)))
    of.define(q.implies(q.compare("=", base), q.equal(atom, ONE)))
    name = atom[0][0][0]
    q.exponents[name] = base
    return _inverse_of(of, atom, name) if inverted else atom


def log_odds(of: Maker, p: Polynomial) -> Polynomial:
    """The logarithm of p / (1 - p), where that is a power of e.

    Raises:
        Wrong: it is not.
    """
    top, bottom = p, ONE
    for name, divisor in of.unknowns.divisors.items():
        if any(name in m for m, _ in p):
            bottom, top = divisor, ZERO
            for m, c in p:
                rest = tuple(x for x in m if x != name)
                parts = ((rest, c),) if len(rest) < len(m) else times(((m, c),), divisor)
                if len(rest) < len(m) - 1:
                    raise Wrong("the odds of a coin are no power of e")
                top = add(top, parts)
            break
    odds = times(top, inverse(of, add(bottom, top, -1)))
    if len(odds) == 1 and odds[0][1] == 1:
        powers = [(x.removeprefix("/"), -1 if x[0] == "/" else 1) for x in odds[0][0]]
        if all(x in of.unknowns.exponents for x, _ in powers):
            total = ZERO
            for x, sign in powers:
                total = add(total, of.unknowns.exponents[x], sign)
            return total
    raise Wrong("the odds of a coin are no power of e")


def _common(m: Monomial, n: Monomial) -> Monomial:
    """The factors that two monomials share."""
    left, found = list(n), []
    for name in m:
        if name in left:
            left.remove(name)
            found.append(name)
    return tuple(found)


def _without(p: Polynomial, name: str) -> Polynomial:
    """A polynomial with one factor less in each of its terms."""

    def less(m: Monomial) -> Monomial:
        factors = list(m)
        factors.remove(name)
        return tuple(factors)

    return tuple(sorted((less(m), c) for m, c in p))
