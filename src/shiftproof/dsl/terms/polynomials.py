"""Terms as fractions of polynomials: e^ε and its roots are unknowns, exact throughout.

before:  exp(eps)/(1 + exp(eps))     (exp(eps/2) occurs too: t is exp(eps/2))
after:   t^2 over 1 + t^2
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import LimitReached
from .formulas import Formula, Junction, Not, Sign
from .linear import Atom, Exp, Group, Linear, Product, Rational

#: How often an unknown may be multiplied with itself: decimals of an exponent make it many times.
MOST_POWER = 20_000
#: The most terms of a polynomial.
MOST_TERMS = 5_000
#: Up to which root of e^ε the powers of it are written as powers of one of those.
COARSEST = 64

#: A polynomial over the rationals (flint's fmpq_mpoly), in the variables of one space.
Polynomial = Any


@dataclass(frozen=True, slots=True)
class Variable:
    """An unknown: an atom, or ``exp(base)`` where ``base`` is given."""

    key: str
    atom: Atom | None = None
    base: Linear | None = None


@dataclass(frozen=True, slots=True)
class Quotient:
    """A polynomial over a product of powers of the space's divisors."""

    over: Polynomial
    under: Mapping[int, int]


class Space:
    """The polynomials in the atoms of some terms."""

    def __init__(self, subjects: Iterable[Linear]) -> None:
        import flint

        atoms: dict[str, Atom] = {}
        factors: dict[Linear, set[Fraction]] = {}
        for subject in subjects:
            for atom in bases_of(subject):
                if isinstance(atom, Exp):
                    factor, base = _root(atom)
                    factors.setdefault(base, set()).add(factor)
                else:
                    atoms[atom.key] = atom
        roots = {base: _unit(found) for base, found in factors.items()}
        self._roots = roots
        self.variables = [Variable(key, atom=atom) for key, atom in sorted(atoms.items())]
        for base, root in sorted(roots.items(), key=lambda item: item[0].key):
            power = base.scaled(1 / root)
            self.variables.append(Variable(f"exp({power})", base=power))
        self._places = {v.key: k for k, v in enumerate(self.variables)}
        names = [f"v{k}" for k in range(len(self.variables))] or ["v0"]
        self.context = flint.fmpq_mpoly_ctx.get(names, "lex")
        self.divisors: list[Polynomial] = []
        self._numbers: dict[str, int] = {}
        self._known: dict[str, Quotient] = {}

    def constant(self, value: Rational) -> Polynomial:
        """A number."""
        import flint

        return self.context.constant(flint.fmpq(value.numerator, value.denominator))

    def variable(self, place: int) -> Polynomial:
        """An unknown."""
        return self.context.gen(place)

    def quotient(self, subject: Linear) -> Quotient:
        """A term as a fraction."""
        if subject.key not in self._known:
            parts = [self._monomial(atom, k) for atom, k in subject.parts]
            parts.append(Quotient(self.constant(subject.constant), {}))
            self._known[subject.key] = self.total(parts)
        return self._known[subject.key]

    def total(self, parts: Iterable[Quotient]) -> Quotient:
        """A sum of fractions over their common divisor."""
        parts = list(parts)
        under: dict[int, int] = {}
        for part in parts:
            for k, power in part.under.items():
                under[k] = max(under.get(k, 0), power)
        over = self.constant(0)
        for part in parts:
            factor = part.over
            for k, power in under.items():
                factor = factor * self.divisors[k] ** (power - part.under.get(k, 0))
            over = over + factor
            if len(over) > MOST_TERMS:
                raise LimitReached("terms", f"a polynomial of more than {MOST_TERMS} terms")
        return Quotient(over, under)

    def times(self, left: Quotient, right: Quotient) -> Quotient:
        """A product of fractions."""
        under = dict(left.under)
        for k, power in right.under.items():
            under[k] = under.get(k, 0) + power
        over = left.over * right.over
        if len(over) > MOST_TERMS:
            raise LimitReached("terms", f"a polynomial of more than {MOST_TERMS} terms")
        return Quotient(over, under)

    def negative(self, subject: Quotient) -> Quotient:
        """The fraction with the other sign."""
        return Quotient(-subject.over, subject.under)

    def _monomial(self, atom: Atom, factor: Rational) -> Quotient:
        total = Quotient(self.constant(factor), {})
        for base, power in atom.powers if isinstance(atom, Product) else ((atom, 1),):
            total = self.times(total, self._power(base, power))
        return total

    def _power(self, base: Atom, power: int) -> Quotient:
        if isinstance(base, Exp):
            factor, root = _root(base)
            power = int(power * factor * self._roots[root])
            key = f"exp({root.scaled(1 / self._roots[root])})"
            value = self.variable(self._places[key])
        elif isinstance(base, Group):
            inner = self.quotient(base.inner)
            if inner.under:
                # (a / b)^-1 is b / a
                below = self.constant(1)
                for k, times in inner.under.items():
                    below = below * self.divisors[k] ** times
                if power < 0:
                    number_ = self._divisor(inner.over)
                    return Quotient(below**-power, {number_: -power})
                return Quotient(inner.over**power, {k: t * power for k, t in inner.under.items()})
            value = inner.over
        else:
            value = self.variable(self._places[base.key])
        if abs(power) > MOST_POWER:
            raise LimitReached("powers", f"a power of an unknown above {MOST_POWER:,}")
        if power >= 0:
            return Quotient(value**power, {})
        return Quotient(self.constant(1), {self._divisor(value): -power})

    def _divisor(self, value: Polynomial) -> int:
        key = str(value)
        if key not in self._numbers:
            self._numbers[key] = len(self.divisors)
            self.divisors.append(value)
        return self._numbers[key]


def _unit(factors: Iterable[Fraction]) -> Fraction:
    """How many times the unknown's exponent is in the base, so that all powers are whole."""
    factors = list(factors)
    root = math.lcm(*(factor.denominator for factor in factors))
    if root <= COARSEST:
        return Fraction(root)
    return Fraction(root, math.gcd(*(int(factor * root) for factor in factors)))


def _root(atom: Exp) -> tuple[Fraction, Linear]:
    """An exponent as a rational factor times a base whose leading coefficient is 1."""
    factor, base = atom.power.split()
    return Fraction(factor), base


def bases_of(subject: Linear) -> Iterator[Atom]:
    """The atoms that a term is a rational function of."""
    for atom, _ in subject.parts:
        for base, _ in atom.powers if isinstance(atom, Product) else ((atom, 1),):
            if isinstance(base, Group):
                yield from bases_of(base.inner)
            else:
                yield base


def subjects_of(formula: Formula) -> Iterator[Linear]:
    """The terms that a condition compares with zero."""
    if isinstance(formula, Sign):
        yield formula.subject
    elif isinstance(formula, Not):
        yield from subjects_of(formula.inner)
    elif isinstance(formula, Junction):
        for member in formula.members:
            yield from subjects_of(member)
