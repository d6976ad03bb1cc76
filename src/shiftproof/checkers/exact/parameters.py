"""Expressions and conditions over public parameters, at concrete values of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from ...dsl.errors import LimitReached
from ...dsl.privacy.inputs import EpsilonInput
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import Choice, Formula, Junction, Not, Sign, Truth
from ...dsl.terms.linear import Atom, Exp, Group, Linear, Product, number
from ...dsl.terms.substitution import Substitution, symbols_of
from .numbers import MOST_PRECISION, PRECISION, ZERO, Base, Number, Unit, is_zero, rational, working

#: A number as a sum of rationals, or balls, times powers of ε's unit.
_Powers = dict[int, Number]


@dataclass(frozen=True, slots=True)
class Parameters:
    """Public parameters with their values; ε is in units of ln 2 or of 1."""

    program: Program
    base: Base
    public: Mapping[str, Any]

    def value(self, amount: Linear) -> Number:
        """An expression as a number, an ε in nats.

        Multiples of ε are added up before they are turned into nats, so what cancels is zero.

        Raises:
            LimitReached: it is not defined at these parameters, or not computed.
        """
        try:
            return self._in_nats(self._term(amount))
        except ZeroDivisionError:
            raise LimitReached(
                "BUDGET", "the claimed ε is not defined at some parameters"
            ) from None

    def holds(self, condition: Formula) -> bool:
        """Whether a condition holds.

        Raises:
            LimitReached: that cannot be told.
        """
        match condition:
            case Truth(value=value):
                return value
            case Not(inner=inner):
                return not self.holds(inner)
            case Junction(conjunction=conjunctive, members=members):
                return (all if conjunctive else any)(map(self.holds, members))
            case Sign(subject=subject, relation=relation):
                sign = self._sign(subject)
                return {">=": sign >= 0, ">": sign > 0, "==": sign == 0}[relation]
        raise LimitReached("BUDGET", f"whether {str(condition)[:80]} holds")

    def _sign(self, subject: Linear) -> int:
        precision = PRECISION
        while precision <= MOST_PRECISION:
            with working(precision):
                try:
                    found = self._term(subject)
                except ZeroDivisionError:
                    break
                # One power of a positive unit has the sign of what it is multiplied with.
                value = next(iter(found.values())) if len(found) == 1 else self._in_nats(found)
                if is_zero(value):
                    return 0
                if value > 0:
                    return 1
                if value < 0:
                    return -1
            precision *= 2
        raise LimitReached("BUDGET", f"the sign of {str(subject)[:80]}")

    def _in_nats(self, found: _Powers) -> Number:
        one = Unit(self.base).nats(1)
        return sum((c * one**power if power else c for power, c in found.items()), start=ZERO)

    def _term(self, linear: Linear) -> _Powers:
        total: _Powers = {0: rational(linear.constant)}
        for atom, k in linear.parts:
            for power, factor in self._atom(atom).items():
                total[power] = total.get(power, fmpq(0)) + factor * rational(k)
        return {power: c for power, c in total.items() if not is_zero(c)}

    def _atom(self, atom: Atom) -> _Powers:
        if isinstance(atom, Choice):
            return self._term(atom.yes if self.holds(atom.test) else atom.no)
        if isinstance(atom, Product):
            total: Number = fmpq(1)
            power = 0
            for part, times in atom.powers:
                own, factor = self._single(self._atom(part))
                total, power = total * factor**times, power + own * times
            return {power: total}
        if isinstance(atom, Group):
            return self._term(atom.inner)
        if isinstance(atom, Exp):
            return {0: self._exp(self._term(atom.power))}
        kind = self.program.inputs.get(atom.key)
        if isinstance(kind, EpsilonInput):
            return {1: rational(Fraction(self.public[atom.key]))}
        return {0: self._plain(Linear(0, ((atom, 1),)))}

    def _exp(self, power: _Powers) -> Number:
        """e to a power; a power of 2 where that is a whole multiple of ln 2."""
        if self.base == "2" and set(power) <= {1}:
            times = power.get(1, fmpq(0))
            if isinstance(times, fmpq) and times.q == 1:
                return fmpq(2) ** int(times.p)
        return arb(self._in_nats(power)).exp()

    def _single(self, found: _Powers) -> tuple[int, Number]:
        """A number as one multiple of one power of the unit."""
        if len(found) == 1:
            return next(iter(found.items()))
        return 0, self._in_nats(found)

    def _plain(self, subject: Linear) -> Number:
        """What no ε is in."""
        amounts = self.program.epsilons()
        if self.base == "2" and any(s.key in amounts for s in symbols_of(subject)):
            raise LimitReached("BUDGET", f"{subject} where ε is a multiple of ln 2")
        put: dict[str, Linear] = {}
        for name, value in self.public.items():
            if isinstance(value, tuple):
                put[f"len({name})"] = number(len(value))
            else:
                put[name] = number(Fraction(value))
        found = Substitution(put).linear(subject)
        if not found.is_constant:
            raise LimitReached("BUDGET", f"the value of {str(subject)[:80]}")
        return rational(found.constant)
