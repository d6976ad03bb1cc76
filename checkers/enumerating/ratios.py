"""Numbers that depend on real public parameters: exact rational functions.

The variables are the parameters themselves and, for each product a of parameters that stands in
an exponent, t = e^(a/L).  L is the common denominator of all factors that a is met with; where it
is not known yet, :class:`Finer` says so and everything begins again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .factors import (
    Exponent,
    Factors,
    exponent_text,
    merged,
    power_of_e,
    rational,
    without,
)
from .signs import Domain, Interval

if TYPE_CHECKING:
    from flint import fmpq_mpoly

#: Which exponents occur, each with its L.
Exponents = Mapping[Exponent, int]

#: The highest power of a variable that a number may have.
HIGHEST_POWER = 400


class Declined(Exception):
    """The method does not apply; says why."""


class Finer(Exception):
    """An exponent is met that the variables do not cover; holds all exponents from now on."""

    def __init__(self, exponents: Exponents) -> None:
        self.exponents = exponents
        super().__init__(str(exponents))


class Ratio:
    """A rational function in lowest terms; equal ones of a frame are one object."""

    __slots__ = ("factors", "top")

    def __init__(self, top: fmpq_mpoly, factors: Factors) -> None:
        self.top = top
        self.factors = factors


Number = int | Fraction | Ratio


class Frame:
    """The variables of one choice of sizes, and the numbers over them.

    ``domain`` says what is known of the variables; denominators are positive on all of it.
    """

    def __init__(
        self,
        parameters: Sequence[str],
        positive: Sequence[str],
        exponents: Exponents,
    ) -> None:
        from flint import Ordering, fmpq_mpoly_ctx

        self.parameters = tuple(parameters)
        self.exponents = dict(exponents)
        self.positive = frozenset(positive)
        names = [*(f"x{k}" for k in range(len(parameters)))]
        names += [f"t{k}" for k in range(len(exponents))]
        self.context = fmpq_mpoly_ctx.get(tuple(names) or ("x0",), Ordering.lex)
        self.variables = self.context.gens()
        self._places = {name: k for k, name in enumerate(self.parameters)}
        self._powers = {a: len(parameters) + k for k, a in enumerate(self.exponents)}
        self.one = self.context.constant(1)
        self._factors: list[fmpq_mpoly] = []
        self._numbers: dict[str, int] = {}
        self._interned: dict[tuple[str, Factors], Ratio] = {}
        self._done: dict[tuple[object, ...], Number] = {}
        self.domain = Domain(self.context)
        for name in positive:
            self.domain.bound(self._places[name], Interval(Fraction(0)))
        for exponent, unit in self.exponents.items():
            self.domain.bound(self._powers[exponent], self._range(exponent, unit))

    def _range(self, exponent: Exponent, unit: int) -> Interval:
        if not exponent:
            low, high = power_of_e(Fraction(1, unit))
            return Interval(low, high)
        signs = all(name in self.positive or power % 2 == 0 for name, power in exponent)
        return Interval(Fraction(1 if signs else 0))

    def parameter(self, name: str) -> Number:
        """A real public parameter."""
        return self.made(self.variables[self._places[name]], ())

    def made(self, top: Any, factors: Factors) -> Number:
        """A rational function, in lowest terms; a plain one as a fraction."""
        left: list[tuple[int, int]] = []
        if top == 0:
            return Fraction(0)
        for number, power in factors:
            divisor = self._factors[number]
            while power:
                quotient, rest = divmod(top, divisor)
                if rest != 0:
                    break
                top, power = quotient, power - 1
            if power:
                left.append((number, power))
        if not left and top.is_constant():
            value = top.leading_coefficient()
            return Fraction(int(value.p), int(value.q))
        if max(top.degrees()) > HIGHEST_POWER:
            raise Declined(f"a number has a variable to a power above {HIGHEST_POWER}")
        key = str(top), tuple(left)
        known = self._interned.get(key)
        if known is None:
            known = self._interned[key] = Ratio(top, tuple(left))
        return known

    def split(self, value: Number) -> tuple[Any, Factors]:
        """Numerator and denominator."""
        if isinstance(value, Ratio):
            return value.top, value.factors
        return self.one * rational(value), ()

    def product(self, factors: Factors) -> Any:
        """Factors multiplied out."""
        total = self.one
        for number, power in factors:
            total *= self._factors[number] ** power
        return total

    def add(self, left: Number, right: Number) -> Number:
        """The sum."""
        return self._combined("+", left, right)

    def subtract(self, left: Number, right: Number) -> Number:
        """The difference."""
        return self._combined("-", left, right)

    def multiply(self, left: Number, right: Number) -> Number:
        """The product."""
        return self._combined("*", left, right)

    def divide(self, left: Number, right: Number) -> Number:
        """The quotient.

        Raises:
            Declined: the divisor may be zero.
        """
        return self._combined("/", left, right)

    def _combined(self, operator: str, left: Number, right: Number) -> Number:
        key = operator, left, right
        found = self._done.get(key)
        if found is None:
            (a, below), (b, under) = self.split(left), self.split(right)
            if operator == "*":
                found = self.made(a * b, merged(below, under, sum))
            elif operator == "/":
                factor, factors = self._divisor(b)
                top = a * self.product(under) * factor
                found = self.made(top, merged(below, factors, sum))
            else:
                whole = merged(below, under, max)
                a *= self.product(without(whole, below))
                b *= self.product(without(whole, under))
                found = self.made(a + b if operator == "+" else a - b, whole)
            self._done[key] = found
        return found

    def _divisor(self, subject: Any) -> tuple[Any, Factors]:
        """A polynomial to divide by: one over a constant, and its positive factors."""
        content, parts = subject.factor()
        factors: dict[int, int] = {}
        for part, power in parts:
            key = str(part)
            if key not in self._numbers:
                self._numbers[key] = self._factor(part)
            number = self._numbers[key]
            factors[number] = factors.get(number, 0) + power
            if self._factors[number] != part and power % 2:
                content = -content
        return 1 / content, tuple(sorted(factors.items()))

    def _factor(self, part: Any) -> int:
        for candidate in (part, -part):
            if self.domain.holds(candidate, strict=True):
                self._factors.append(candidate)
                return len(self._factors) - 1
        raise Declined(f"a divisor may be zero: {self.shown(part)}")

    def shown(self, subject: Any) -> str:
        """A polynomial with the names of its parameters."""
        text = str(subject)
        for exponent, k in sorted(self._powers.items(), key=lambda item: -item[1]):
            name = exponent_text(exponent)
            unit = self.exponents[exponent]
            text = text.replace(f"t{k - len(self.parameters)}", f"exp({name}/{unit})")
        for name, k in sorted(self._places.items(), key=lambda item: -item[1]):
            text = text.replace(f"x{k}", name)
        return text

    def exponential(self, power: Number) -> Number:
        """e to a power.

        Raises:
            Finer: the variables do not cover it.
            Declined: the power is no sum of products of parameters.
        """
        key = "exp", power
        found = self._done.get(key)
        if found is None:
            found = self._done[key] = self._exponential(power)
        return found

    def _exponential(self, power: Number) -> Number:
        top, factors = self.split(power)
        under: dict[str, int] = {}
        for number, times in factors:
            base = self._factors[number]
            (monomial, factor), *more = base.to_dict().items()
            places = [k for k, times in enumerate(monomial) if times]
            if more or factor != 1 or len(places) != 1 or places[0] >= len(self.parameters):
                raise Declined("an exponent is divided by more than a parameter")
            under[self.parameters[places[0]]] = times * int(monomial[places[0]])
        above, below = self.one, self.one
        for monomial, k in top.to_dict().items():
            if any(monomial[len(self.parameters) :]):
                raise Declined("e stands to the power of a power of e")
            total = {n: int(p) for n, p in zip(self.parameters, monomial, strict=False) if p}
            for name, times in under.items():
                total[name] = total.get(name, 0) - times
            exponent = tuple(sorted((n, p) for n, p in total.items() if p))
            times = self._times(exponent, Fraction(int(k.p), int(k.q)))
            if abs(times) > HIGHEST_POWER:
                raise Declined(f"an exponent is above {HIGHEST_POWER} units")
            variable = self.variables[self._powers[exponent]]
            if times > 0:
                above *= variable**times
            else:
                below *= variable**-times
        return self.divide(self.made(above, ()), self.made(below, ()))

    def _times(self, exponent: Exponent, factor: Fraction) -> int:
        unit = self.exponents.get(exponent, 0)
        if not unit or (factor * unit).denominator != 1:
            finer = math.lcm(unit or 1, factor.denominator)
            if finer > HIGHEST_POWER:
                raise Declined(f"exponents have the common denominator {finer}")
            raise Finer({**self.exponents, exponent: finer})
        return int(factor * unit)

    def sign_of(self, value: Number, strict: bool) -> bool | None:
        """Whether a number is at least zero (``strict``: above it) for all parameters.

        ``None``: that was not decided, or is not the same for all.
        """
        if not isinstance(value, Ratio):
            return value > 0 if strict else value >= 0
        if self.domain.holds(value.top, strict):
            return True
        return False if self.domain.holds(-value.top, not strict) else None
