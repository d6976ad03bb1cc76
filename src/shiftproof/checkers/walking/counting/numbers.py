"""Quotients of polynomials over real public parameters and powers of e, for counting again.

A polynomial is a table of monomials, with any rational exponents; nothing is decided by a library.
A common factor that a library suggests is divided out only if multiplying it back gives the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ....dsl.errors import LimitReached
from ....dsl.terms.linear import Exp, Group, Linear, Product, Symbol

# How a certificate by counting shows outcomes and probabilities.

#: Powers of parameters, and powers of e by what they are powers of; each in order, none zero.
Monomial = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, Fraction], ...]]
Polynomial = Mapping[Monomial, Fraction]

#: Tables with more rows are left out.
MOST_ROWS = 64


def quotient_text(top: Polynomial, bottom: Polynomial) -> str:
    """A fraction of two polynomials without a common factor: with coprime whole coefficients."""
    everything = [*top.values(), *bottom.values()]
    unit = Fraction(math.lcm(*(k.denominator for k in everything)))
    unit /= math.gcd(*(int(k * unit) for k in everything)) or 1
    if bottom[max(bottom)] < 0:
        unit = -unit
    above, below = ([(m, int(p[m] * unit)) for m in sorted(p, reverse=True)] for p in (top, bottom))
    shown = _sum_text(above)
    if below == [(((), ()), 1)]:
        return shown
    first = f"({shown})" if len(above) > 1 else shown
    plain = len(below) == 1 and (below[0][0] == ((), ()) or below[0][1] == 1)
    second = _sum_text(below)
    return f"{first}/{second}" if plain and "*" not in second else f"{first}/({second})"


def _sum_text(parts: Sequence[tuple[Monomial, int]]) -> str:
    text = ""
    for monomial, k in parts:
        size = abs(k)
        shown = _monomial_text(monomial)
        term = str(size) if not shown else shown if size == 1 else f"{size}*{shown}"
        if text:
            text += f" - {term}" if k < 0 else f" + {term}"
        else:
            text = f"-{term}" if k < 0 else term
    return text or "0"


def _monomial_text(monomial: Monomial) -> str:
    plain, powers = monomial
    factors = [name if power == 1 else f"{name}**{power}" for name, power in plain]
    if powers:
        factors.append(f"exp({' + '.join(_scaled(name, k) for name, k in powers)})")
    return "*".join(factors)


def _scaled(name: str, k: Fraction) -> str:
    if name == "1":
        return str(k)
    top = name if k.numerator == 1 else f"{k.numerator}*{name}"
    return top if k.denominator == 1 else f"{top}/{k.denominator}"


def value_text(value: bool | int | Fraction | str | None) -> str:
    """A released value; a float has a point or is a fraction."""
    if isinstance(value, Fraction):
        return f"{value}.0" if value.denominator == 1 else str(value)
    return repr(value)


def outcome_text(values: Iterable[str]) -> str:
    """All that one run releases."""
    return ", ".join(values) or "nothing"


def row_text(inputs: Mapping[str, object], outcome: str, probability: str) -> str:
    """One line of a table."""
    shown = ", ".join(f"{name} = {value}" for name, value in inputs.items())
    return f"{shown or 'always'}: {outcome} with probability {probability}"


# Quotients of polynomials over real public parameters and powers of e, for counting again.
#
# A polynomial is a table of monomials, with any rational exponents; nothing is decided by a
# library. A common factor that a library suggests is divided out only if multiplying it back
# gives the same.

ONE: Monomial = ((), ())
#: How many monomials a polynomial may have.
LONGEST = 20_000


class Quotient:
    """A quotient in lowest terms; equal ones are one object."""

    __slots__ = ("bottom", "text", "top")

    def __init__(self, top: Polynomial, bottom: Polynomial, text: str) -> None:
        self.top = top
        self.bottom = bottom
        self.text = text


class Numbers:
    """All quotients of one check, and what was computed of them before."""

    def __init__(self) -> None:
        self._known: dict[str, Quotient] = {}
        self._sums: dict[tuple[Quotient, Quotient], Quotient] = {}
        self._products: dict[tuple[Quotient, Quotient], Quotient] = {}
        self._terms: dict[Linear, Quotient] = {}
        self.zero = self.plain(Fraction(0))
        self.one = self.plain(Fraction(1))

    def plain(self, value: Fraction | int) -> Quotient:
        """A rational number."""
        return self.made({ONE: Fraction(value)} if value else {}, {ONE: Fraction(1)})

    def made(self, top: Polynomial, bottom: Polynomial) -> Quotient:
        """The quotient of two polynomials, of which the second is not zero."""
        if max(len(top), len(bottom)) > LONGEST:
            raise LimitReached("LONGEST", f"a polynomial of more than {LONGEST} monomials")
        top, bottom = _reduced(top, bottom)
        text = quotient_text(top, bottom)
        return self._known.setdefault(text, Quotient(top, bottom, text))

    def add(self, left: Quotient, right: Quotient) -> Quotient:
        """The sum."""
        if left is self.zero:
            return right
        key = left, right
        if key not in self._sums:
            if left.bottom == right.bottom:
                found = self.made(added(left.top, right.top), left.bottom)
            else:
                top = added(times(left.top, right.bottom), times(right.top, left.bottom))
                found = self.made(top, times(left.bottom, right.bottom))
            self._sums[key] = found
        return self._sums[key]

    def multiply(self, left: Quotient, right: Quotient) -> Quotient:
        """The product."""
        if left is self.one:
            return right
        key = left, right
        if key not in self._products:
            found = self.made(times(left.top, right.top), times(left.bottom, right.bottom))
            self._products[key] = found
        return self._products[key]

    def negative(self, value: Quotient) -> Quotient:
        """Minus the number."""
        return self.made({m: -k for m, k in value.top.items()}, value.bottom)

    def inverse(self, value: Quotient) -> Quotient:
        """One divided by it; it must have been shown not to be zero."""
        if not value.top:
            raise LimitReached("division", "a quotient is divided by zero")
        return self.made(value.bottom, value.top)

    def of(self, term: Linear) -> Quotient:
        """A term of the language over real parameters.

        Raises:
            LimitReached: it is more than sums, products and powers of e.
        """
        if term not in self._terms:
            total = self.plain(Fraction(term.constant))
            for atom, k in term.parts:
                total = self.add(total, self.multiply(self.plain(Fraction(k)), self._atom(atom)))
            self._terms[term] = total
        return self._terms[term]

    def _atom(self, atom: object) -> Quotient:
        one = {ONE: Fraction(1)}
        if isinstance(atom, Symbol):
            return self.made({(((atom.key, 1),), ()): Fraction(1)}, one)
        if isinstance(atom, Group):
            return self.of(atom.inner)
        if isinstance(atom, Product):
            total = self.one
            for base, power in atom.powers:
                factor = self._atom(base)
                factor = factor if power > 0 else self.inverse(factor)
                for _ in range(abs(power)):
                    total = self.multiply(total, factor)
            return total
        if isinstance(atom, Exp):
            powers = {_exponent(a): Fraction(k) for a, k in atom.power.parts}
            if atom.power.constant:
                powers["1"] = Fraction(atom.power.constant)
            above = tuple(sorted((n, k) for n, k in powers.items() if k > 0))
            below = tuple(sorted((n, -k) for n, k in powers.items() if k < 0))
            return self.made({((), above): Fraction(1)}, {((), below): Fraction(1)})
        raise LimitReached("terms", f"{atom} is no sum of products and powers of e")

    def exponential(self, power: Linear) -> Quotient:
        """e to a power."""
        return self._atom(Exp(power)) if power.parts or power.constant else self.one


def _exponent(atom: object) -> str:
    """What stands in an exponent: a parameter, or a product of powers of parameters."""
    powers = atom.powers if isinstance(atom, Product) else ((atom, 1),)
    if not all(isinstance(base, Symbol) for base, _ in powers):
        raise LimitReached("terms", f"e to the power of {atom}")
    return "*".join(str(b) if p == 1 else f"{b}**{p}" for b, p in powers)


def added(left: Polynomial, right: Polynomial) -> Polynomial:
    """The sum of two polynomials."""
    found = dict(left)
    for monomial, k in right.items():
        total = found.pop(monomial, Fraction(0)) + k
        if total:
            found[monomial] = total
    return found


def times(left: Polynomial, right: Polynomial) -> Polynomial:
    """The product of two polynomials."""
    if len(right) == 1 and right.get(ONE) == 1:
        return left
    found: dict[Monomial, Fraction] = {}
    for one, k in left.items():
        for two, m in right.items():
            both = _joined(one, two)
            found[both] = found.get(both, Fraction(0)) + k * m
    return {monomial: k for monomial, k in found.items() if k}


def _joined(one: Monomial, two: Monomial) -> Monomial:
    if one == ONE:
        return two
    if two == ONE:
        return one
    return _merged(one[0], two[0]), _merged(one[1], two[1])


def _merged(one: tuple[Any, ...], two: tuple[Any, ...]) -> tuple[Any, ...]:
    if not one or not two:
        return one or two
    found = dict(one)
    for name, power in two:
        found[name] = found.get(name, 0) + power
    return tuple(sorted(found.items()))


def variables(*polynomials: Polynomial) -> tuple[tuple[str, ...], dict[str, int]]:
    """The parameters, and of each exponent the common denominator of its factors."""
    plain: set[str] = set()
    units: dict[str, int] = {}
    for polynomial in polynomials:
        for parameters, powers in polynomial:
            plain.update(name for name, _ in parameters)
            for name, power in powers:
                units[name] = math.lcm(units.get(name, 1), power.denominator)
    return tuple(sorted(plain)), dict(sorted(units.items()))


def _reduced(top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Both without their common factor."""
    if not top:
        return top, {ONE: Fraction(1)}
    if len(bottom) == 1 and ONE in bottom:
        return {m: k / bottom[ONE] for m, k in top.items()}, {ONE: Fraction(1)}
    from flint import Ordering, fmpq, fmpq_mpoly_ctx

    names, units = variables(top, bottom)
    count = len(names) + len(units)
    context = fmpq_mpoly_ctx.get(tuple(f"v{k}" for k in range(count)), Ordering.lex)

    def there(polynomial: Polynomial) -> Any:
        parts = {}
        for (plain, powers), k in polynomial.items():
            one, two = dict(plain), dict(powers)
            key = (
                *(one.get(n, 0) for n in names),
                *(int(two.get(n, Fraction(0)) * unit) for n, unit in units.items()),
            )
            parts[key] = fmpq(k.numerator, k.denominator)
        return context.from_dict(parts)

    def back(polynomial: Any) -> Polynomial:
        found: dict[Monomial, Fraction] = {}
        for key, k in polynomial.to_dict().items():
            plain = tuple((n, int(p)) for n, p in zip(names, key, strict=False) if p)
            powers = tuple(
                (n, Fraction(int(p), unit))
                for (n, unit), p in zip(units.items(), key[len(names) :], strict=True)
                if p
            )
            found[plain, powers] = Fraction(int(k.p), int(k.q))
        return found

    above, below = there(top), there(bottom)
    common = above.gcd(below)
    if common.is_constant():
        return top, bottom
    shared = back(common)
    parts = [back(divmod(side, common)[0]) for side in (above, below)]
    # Whoever suggested it, a factor is one only if the product is what it should be.
    if times(parts[0], shared) != dict(top) or times(parts[1], shared) != dict(bottom):
        return top, bottom
    return parts[0], parts[1]
