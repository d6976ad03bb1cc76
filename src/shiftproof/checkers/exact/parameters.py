"""Expressions and conditions over public parameters, at concrete values of these."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb

from ...dsl.errors import LimitReached
from ...dsl.privacy.inputs import EpsilonInput
from ...dsl.relations.program import Program, told_of_parameters
from ...dsl.terms.enclosures import applied, settled, sign_of_ball
from ...dsl.terms.formulas import Choice, Formula, Junction, Not, Sign, Truth
from ...dsl.terms.linear import Atom, DivisionByZero, Exp, Group, Linear, Opaque, Product
from ...dsl.terms.substitution import Substitution, symbols_of
from .affine import exp, sign_of
from .numbers import Base, Number
from .powers import LN2, Mixed, Plain, number_of

#: A number that is exact as long as may be, and a ball from then on.
_Known: TypeAlias = Plain | arb


@dataclass(frozen=True, slots=True)
class Parameters:
    """Public parameters with their values; ε is in units of ln 2 or of 1."""

    program: Program
    base: Base
    public: Mapping[str, Any]

    def value(self, amount: Linear) -> Number:
        """An expression as a number, an ε in nats; what cancels is zero.

        Raises:
            LimitReached: it is not defined at these parameters, or not computed.
        """
        try:
            found = self._term(amount)
        except (ZeroDivisionError, DivisionByZero):
            raise LimitReached(
                "BUDGET", "the claimed ε is not defined at some parameters"
            ) from None
        return found if isinstance(found, arb) else number_of(found)

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
                why = f"the sign of {str(subject)[:80]}"
                try:
                    sign = settled(lambda: _sign(self._term(subject)), "BUDGET", why)
                except (ZeroDivisionError, DivisionByZero):
                    raise LimitReached("BUDGET", why) from None
                return {">=": sign >= 0, ">": sign > 0, "==": sign == 0}[relation]
        raise LimitReached("BUDGET", f"whether {str(condition)[:80]} holds")

    def _term(self, linear: Linear) -> _Known:
        total: _Known = Fraction(linear.constant)
        for atom, k in linear.parts:
            total = _of_both(operator.add, total, _of_both(operator.mul, self._atom(atom), k))
        return total

    def _atom(self, atom: Atom) -> _Known:
        match atom:
            case Choice(test=test, yes=yes, no=no):
                return self._term(yes if self.holds(test) else no)
            case Product(powers=powers):
                total: _Known = Fraction(1)
                for part, times in powers:
                    total = _of_both(operator.mul, total, self._atom(part) ** times)
                return total
            case Group(inner=inner):
                return self._term(inner)
            case Exp(power=power):
                return _exp(self._term(power))
            case Opaque(operation="log" | "sqrt" as function, arguments=[inside]):
                return _called(function, _ball(self._term(inside)))
        if isinstance(self.program.inputs.get(atom.key), EpsilonInput):
            amount = Fraction(self.public[atom.key])
            return LN2 * amount if self.base == "2" else amount
        return self._plain(Linear(0, ((atom, 1),)))

    def _plain(self, subject: Linear) -> Fraction:
        """What no ε is in."""
        amounts = self.program.epsilons()
        if self.base == "2" and any(s.key in amounts for s in symbols_of(subject)):
            raise LimitReached("BUDGET", f"{subject} where ε is a multiple of ln 2")
        found = Substitution(told_of_parameters(self.public)).linear(subject)
        if not found.is_constant:
            raise LimitReached("BUDGET", f"the value of {str(subject)[:80]}")
        return Fraction(found.constant)


def _of_both(operation: Callable[[Any, Any], _Known], left: _Known, right: _Known) -> _Known:
    """What an operation makes of two numbers; in balls where that is nothing exact."""
    if not isinstance(left, arb) and not isinstance(right, arb):
        try:
            return operation(left, right)
        except (Mixed, LimitReached):
            pass
    return operation(_ball(left), _ball(right))


def _exp(power: _Known) -> _Known:
    if not isinstance(power, arb):
        try:
            return exp(power)
        except (Mixed, LimitReached):
            pass
    return _ball(power).exp()


def _called(function: str, inside: arb) -> arb:
    """A logarithm or root."""
    found = applied(function, inside)
    if not found.is_finite():
        raise LimitReached("BUDGET", f"{function} of what has none at some parameters")
    return found


def _ball(value: _Known) -> arb:
    return value if isinstance(value, arb) else arb(number_of(value))


def _sign(value: _Known) -> int | None:
    return sign_of_ball(value) if isinstance(value, arb) else sign_of(value)
