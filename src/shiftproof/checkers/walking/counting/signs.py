"""Whether a number is positive for all parameters in range, for counting again.

In one power of e: by Sturm's chain, in whole numbers.  Otherwise a solver is asked.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

from ..solvers import Solver
from .numbers import ONE, Monomial, Numbers, Polynomial, Quotient, variables

# Polynomials in one power of e as rows of whole coefficients, and their signs by Sturm's chain.
#
# The constant comes first.


def row(subject: Polynomial, unit: int) -> list[int]:
    """Whole coefficients of powers of t = e^(a/unit), the constant first."""
    if not subject:
        return [0]
    powers = {int(dict(m[1]).popitem()[1] * unit) if m[1] else 0: k for m, k in subject.items()}
    scale = math.lcm(*(k.denominator for k in powers.values()))
    return [int(powers.get(k, Fraction(0)) * scale) for k in range(max(powers) + 1)]


def power_of_e(power: Fraction) -> tuple[Fraction, Fraction]:
    """Rational numbers below and above e to a power in (0, 1]."""
    # (1 + x/n)^n < e^x for all n, and e^x = Σ x^k/k! < partial sum + last member.
    member, low = Fraction(1), Fraction(1)
    for k in range(1, 40):
        member *= power / k
        low += member
    return low, low + member


def positive_between(
    row: Sequence[int], low: Fraction, high: Fraction | None, strict: bool
) -> bool:
    """Whether a polynomial is at least zero on an open interval, or above it."""
    if low == 1 and min(_from_one(row)) >= 0:
        return any(row) or not strict
    row = _without_root(list(row), low, 1)
    if high is not None:
        row = _without_root(row, high, -1)
    if len(row) == 1:
        return row[0] > 0
    repeated = _gcd(row, _derivative(row))
    if _value(row, _between(row, low, high)) <= 0:
        return False
    simple = _divided(row, repeated)  # each root once
    if not _roots(simple, low, high):
        return True
    if strict:
        return False
    # Roots of even multiplicity do no harm: take them out, level by level.
    level, odd = row, [1]
    k = 1
    while len(level) > 1:
        further = _gcd(level, _derivative(level))
        here = _divided(level, further)  # roots of multiplicity at least k
        after = _divided(further, _gcd(further, _derivative(further))) if len(further) > 1 else [1]
        if k % 2:
            odd = product(odd, _divided(here, after))
        level, k = further, k + 1
    return not _roots(odd, low, high)


def _from_one(row: Sequence[int]) -> list[int]:
    """The coefficients in powers of t - 1."""
    found = list(row)
    for start in range(len(found) - 1):
        for k in range(len(found) - 2, start - 1, -1):
            found[k] += found[k + 1]
    return found


def _between(row: Sequence[int], low: Fraction, high: Fraction | None) -> Fraction:
    """A point of the interval that is no root."""
    at = low + 1 if high is None else (low + high) / 2
    while not _value(row, at):
        at = at + 1 if high is None else (at + low) / 2
    return at


def _value(row: Sequence[int], at: Fraction) -> Fraction:
    total = Fraction(0)
    for k in reversed(row):
        total = total * at + k
    return total


def _without_root(row: list[int], end: Fraction, side: int) -> list[int]:
    """The polynomial without its roots at an end of the interval, which lies on one side of it.

    What it is divided by, t - end or end - t, is positive inside.
    """
    while len(row) > 1 and not _value(row, end):
        row = _divided(row, [-side * end.numerator, side * end.denominator])
    return row


def _roots(row: Sequence[int], low: Fraction, high: Fraction | None) -> int:
    """How many roots a polynomial without repeated ones has in an open interval (Sturm)."""
    if len(row) < 2:
        return 0
    chain = [list(row), _derivative(row)]
    while len(chain[-1]) > 1:
        rest = [-k for k in _remainder(chain[-2], chain[-1])]
        if not any(rest):
            break
        chain.append(_primitive(rest))
    upper = [p[-1] if high is None else _value(p, high) for p in chain]
    return _changes([_value(p, low) for p in chain]) - _changes(upper)


def _changes(values: Sequence[Fraction | int]) -> int:
    signs = [v > 0 for v in values if v]
    return sum(one != two for one, two in itertools.pairwise(signs))


def _derivative(row: Sequence[int]) -> list[int]:
    return [k * c for k, c in enumerate(row)][1:] or [0]


def _trimmed(row: list[int]) -> list[int]:
    while len(row) > 1 and not row[-1]:
        row.pop()
    return row


def _primitive(row: list[int]) -> list[int]:
    """The polynomial without a common positive factor of its coefficients."""
    row = _trimmed(row)
    common = math.gcd(*row)
    return [k // common for k in row] if common > 1 else row


def _remainder(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """A positive multiple of the remainder."""
    row, lead = list(left), right[-1]
    size, sign = abs(lead), 1 if lead > 0 else -1
    while len(row) >= len(right) and any(row):
        head, shift = row[-1] * sign, len(row) - len(right)
        row = [k * size for k in row]
        for k, c in enumerate(right):
            row[k + shift] -= head * c
        row.pop()
        row = _trimmed(row) if row else [0]
        if len(row) < len(right):
            break
    return _primitive(row)


def _gcd(left: Sequence[int], right: Sequence[int]) -> list[int]:
    one, two = _primitive(list(left)), _primitive(list(right))
    while any(two) and len(two) > 1:
        one, two = two, _remainder(one, two)
    found = [1] if any(two) else one
    return found if found[-1] > 0 else [-k for k in found]


def _divided(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """An exact quotient, up to a positive factor."""
    row = [Fraction(k) for k in left]
    found = [Fraction(0)] * (len(left) - len(right) + 1)
    for shift in range(len(found) - 1, -1, -1):
        found[shift] = row[shift + len(right) - 1] / right[-1]
        for k, c in enumerate(right):
            row[shift + k] -= found[shift] * c
    assert not any(row), "no factor"
    scale = math.lcm(*(k.denominator for k in found))
    return _primitive([int(k * scale) for k in found])


def product(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The product of two polynomials."""
    found = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            found[i + j] += a * b
    return found


def difference(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """One polynomial minus another one, without zeros at its end."""
    pairs = itertools.zip_longest(left, right, fillvalue=0)
    return _trimmed([a - b for a, b in pairs])


# Whether a number is positive for all parameters in range, for counting again.
#
# In one power of e: by Sturm's chain, in whole numbers.  Otherwise a solver is asked.

#: Up to which degree a chain is computed, and of how many monomials a solver is told.
DEGREE, LONGEST = 1_000, 400


class Signs:
    """Decides signs; ``positive`` are the parameters that are positive.

    ``facts``: polynomials that are known to be at least zero (or above it).
    """

    def __init__(self, positive: frozenset[str]) -> None:
        self._positive = positive
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
        session = Solver().session()
        session.tell("".join(f"(declare-const {v} Real)" for v in spelled.values()))
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
