"""Whether a number is positive for all parameters in range, for counting again.

In one power of e: by Sturm's chain, in whole numbers.  Otherwise a solver is asked.
"""

from __future__ import annotations

import math
from fractions import Fraction

from .enumeration_numbers import ONE, Numbers, Quotient, variables
from .enumeration_rows import difference, positive_between, power_of_e, product, row
from .enumeration_text import Monomial, Polynomial
from .solvers import Name, Solver

#: Up to which degree a chain is computed, and of how many monomials a solver is told.
DEGREE, LONGEST = 1_000, 400


class Signs:
    """Decides signs; ``positive`` are the parameters that are positive.

    ``facts``: polynomials that are known to be at least zero (or above it).
    """

    def __init__(self, positive: frozenset[str], solver: Name = "z3") -> None:
        self._positive = positive
        self._solver: Name = solver
        self.facts: list[tuple[Polynomial, bool]] = []
        self._known: dict[tuple[str, bool], bool] = {}
        self._variables: dict[Quotient, tuple[tuple[tuple[str, ...], dict[str, int]], bool]] = {}
        self._rows: dict[tuple[Quotient, int], tuple[list[int], list[int]]] = {}

    def assume(self, subject: Quotient, strict: bool) -> None:
        """A number is at least zero, or above it."""
        if self._below(subject):
            self.facts.append((subject.top, strict))
            self._known.clear()
            self._variables.clear()

    def _below(self, subject: Quotient) -> bool:
        """Whether the denominator is positive."""
        return self._surely(subject.bottom, True)

    def holds(self, subject: Quotient, strict: bool) -> bool:
        """Whether a number is surely at least zero (``strict``: above it)."""
        key = subject.text, strict
        if key not in self._known:
            if self._below(subject):
                found = self._surely(subject.top, strict)
            else:
                top, bottom = ({m: -k for m, k in p.items()} for p in (subject.top, subject.bottom))
                found = self._surely(bottom, True) and self._surely(top, strict)
            self._known[key] = found
        return self._known[key]

    def _surely(self, subject: Polynomial, strict: bool) -> bool:
        if not subject:
            return not strict
        if set(subject) == {ONE}:
            return subject[ONE] > 0 if strict else subject[ONE] >= 0
        plain, units = variables(subject)
        if not plain and len(units) == 1:
            (name,), (unit,) = units, units.values()
            if name == "1" or name in self._positive:
                coefficients = row(subject, unit)
                low, high = _interval(name, unit)
                if len(coefficients) <= DEGREE and positive_between(
                    coefficients, low, high, strict
                ):
                    return True
                if not self.facts:
                    return False
        return len(subject) <= LONGEST and self._asked((subject, strict)) == "unsat"

    def at_most(self, p: Quotient, factor: Quotient, q: Quotient, numbers: Numbers) -> bool:
        """Whether ``p <= factor * q`` surely."""
        if (p is q and factor is numbers.one) or self._multiplied_out(p, factor, q):
            return True
        gap = numbers.add(numbers.multiply(factor, q), numbers.negative(p))
        return self.holds(gap, False)

    def _multiplied_out(self, p: Quotient, factor: Quotient, q: Quotient) -> bool:
        """The same with all denominators multiplied out, where there is but one power of e."""
        plain, units = set[str](), dict[str, int]()
        for number in (p, factor, q):
            if number not in self._variables:
                both = variables(number.top, number.bottom)
                self._variables[number] = both, self._below(number)
            (names, own), positive = self._variables[number]
            if not positive:
                return False
            plain.update(names)
            for name, unit in own.items():
                units[name] = math.lcm(units.get(name, 1), unit)
        if plain or len(units) != 1:
            return False
        ((name, unit),) = units.items()
        if name != "1" and name not in self._positive:
            return False
        (a, under), (b, below), (c, beneath) = (self._row(n, unit) for n in (p, factor, q))
        found = difference(
            product(product(b, c), under),
            product(product(a, below), beneath),
        )
        if len(found) > DEGREE:
            return False
        return not any(found) or positive_between(found, *_interval(name, unit), False)

    def _row(self, number: Quotient, unit: int) -> tuple[list[int], list[int]]:
        """Numerator and denominator, times the same positive number."""
        key = number, unit
        if key not in self._rows:
            everything = [*number.top.values(), *number.bottom.values()]
            scale = math.lcm(*(k.denominator for k in everything))
            top, bottom = (
                row({m: k * scale for m, k in side.items()}, unit)
                for side in (number.top, number.bottom)
            )
            self._rows[key] = top, bottom
        return self._rows[key]

    def possible(self) -> bool:
        """Whether the facts may hold: not if a solver finds that they contradict each other."""
        return self._asked(None) != "unsat"

    def _asked(self, goal: tuple[Polynomial, bool] | None) -> str:
        """Whether the polynomial can be negative (or zero, if it must be strictly above)."""
        subjects = [p for p, _ in self.facts] + ([goal[0]] if goal else [])
        plain, units = variables(*subjects)
        spelled = {n: f"p{k}" for k, n in enumerate(plain)}
        spelled |= {f"exp {n}": f"t{k}" for k, n in enumerate(units)}
        told = [f"(> {spelled[n]} 0.0)" for n in plain if n in self._positive]
        for name, unit in units.items():
            t = spelled[f"exp {name}"]
            if name == "1":
                low, high = power_of_e(Fraction(1, unit))
                told.append(f"(and (> {t} {_number(low)}) (< {t} {_number(high)}))")
            else:
                bases = [part for part in name.split("*") if part and not _whole(part)]
                growing = all(part in self._positive for part in bases)
                told.append(f"(> {t} {'1.0' if growing else '0.0'})")
        told += [
            f"({'>' if strict else '>='} {_smtlib(p, spelled, units)} 0.0)"
            for p, strict in self.facts
        ]
        if goal:
            told.append(f"({'<=' if goal[1] else '<'} {_smtlib(goal[0], spelled, units)} 0.0)")
        session = Solver(self._solver).session()
        session.declare("".join(f"(declare-const {v} Real)" for v in spelled.values()))
        session.tell("".join(f"(assert {text})" for text in told))
        return session.check()


def _whole(text: str) -> bool:
    return text.lstrip("-").isdigit()


def _smtlib(subject: Polynomial, spelled: dict[str, str], units: dict[str, int]) -> str:
    parts = [_term(m, k, spelled, units) for m, k in sorted(subject.items())]
    return f"(+ 0.0 {' '.join(parts)})"


def _term(monomial: Monomial, k: Fraction, spelled: dict[str, str], units: dict[str, int]) -> str:
    factors = [_number(k), "1.0"]
    for name, power in monomial[0]:
        factors += [spelled[name]] * power
    for name, exponent in monomial[1]:
        factors += [spelled[f"exp {name}"]] * int(exponent * units[name])
    return f"(* {' '.join(factors)})"


def _number(value: Fraction) -> str:
    size = f"(/ {abs(value.numerator)}.0 {value.denominator}.0)"
    return f"(- {size})" if value < 0 else size


def _interval(name: str, unit: int) -> tuple[Fraction, Fraction | None]:
    """Where a power of e lies, of a positive parameter or of 1."""
    return power_of_e(Fraction(1, unit)) if name == "1" else (Fraction(1), None)
