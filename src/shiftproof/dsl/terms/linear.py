"""Symbolic numbers and conditions in a canonical form.

A *term* is what an expression means once its variables are known: a linear combination of atoms
with exact rational coefficients.  Equal combinations are the same object structure, so most proof
obligations of an alignment (``f + λ = f' + λ + (f − f')``) disappear as soon as they are written.

Atoms are symbols in the paired run, unknown coefficients in searches; the interpreter has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from ..errors import LimitReached, ShiftproofError

#: An exact number; whole ones are ints, because they are much faster.
Rational = int | Fraction


#: How many terms a product of two sums may have.
LONGEST_PRODUCT = 1_000


class DivisionByZero(ShiftproofError):
    """A divisor is the constant zero."""


class Atom:
    """A quantity that is not taken apart further; two atoms are equal if their keys are.

    ``integral``: its values are integers.  ``fixed``: it is built from immutable
    public parameters only, so it may stand in a scale or be a factor.
    """

    __slots__ = ("fixed", "integral", "key")

    def __init__(self, key: str, integral: bool, fixed: bool) -> None:
        self.key = key
        self.integral = integral
        self.fixed = fixed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return self.key

    def times(self, factor: Linear) -> Linear | None:
        """The product with a term, where it is not just one more product of powers."""
        return None


class Symbol(Atom):
    """An unknown number (or, as a ``Flag``, an unknown Boolean) with a unique name.

    A name in which another text stands open, such as a rate in ``cost of c + z``, is put in
    braces: else the key of a sum could be that of another one.
    ``private``: its value may differ between two neighbouring inputs or is noise.
    Solvers may then take it for a real number even if it is integral.
    """

    __slots__ = ("private",)

    def __init__(
        self, name: str, integral: bool = False, fixed: bool = False, private: bool = False
    ) -> None:
        super().__init__(f"{{{name}}}" if _is_open(name) else name, integral, fixed)
        self.private = private


#: What joins the parts of a key: terms of a sum, factors, arguments, sides of a comparison.
_JOINT = re.compile(r"[([{]|[)\]}]| [+<>=]|\*|,")


@lru_cache(maxsize=4096)
def _is_open(name: str) -> bool:
    """Whether a name has a joint of keys outside all brackets."""
    depth = 0
    for found in _JOINT.finditer(name):
        part = found[0]
        if part in "([{":
            depth += 1
        elif part in ")]}":
            depth -= 1
        elif depth == 0:
            return True
    return False


class Indexed(Symbol):
    """The element of an unknown sequence at an index: ``stem`` with the index put in for ``{}``."""

    __slots__ = ("index", "stem")

    def __init__(self, stem: str, index: Linear, integral: bool, private: bool) -> None:
        super().__init__(stem.format(index), integral, private=private)
        self.stem, self.index = stem, index


class Product(Atom):
    """A product of powers: ``c**1 * eps**-1``."""

    __slots__ = ("powers",)

    def __init__(self, powers: tuple[tuple[Atom, int], ...]) -> None:
        shown = "*".join(f"{base}**{power}" for base, power in powers)
        super().__init__(
            f"[{shown}]",
            all(b.integral and p > 0 for b, p in powers),
            all(b.fixed for b, _ in powers),
        )
        self.powers = powers


class Group(Atom):
    """A sum that serves as one factor of a product: the ``(c + 1)`` of ``(c + 1) / eps``."""

    __slots__ = ("inner",)

    def __init__(self, inner: Linear) -> None:
        super().__init__(f"({inner})", inner.integral, inner.fixed)
        self.inner = inner


class Opaque(Atom):
    """A function of terms about which nothing is assumed but that it is a function."""

    __slots__ = ("arguments", "operation")

    def __init__(self, operation: str, arguments: tuple[Linear, ...], integral: bool) -> None:
        shown = ", ".join(map(str, arguments))
        super().__init__(f"{operation}({shown})", integral, all(a.fixed for a in arguments))
        self.operation, self.arguments = operation, arguments


class Exp(Opaque):
    """e to a power, in nats: a positive number."""

    __slots__ = ()

    def __init__(self, power: Linear) -> None:
        super().__init__("exp", (power,), False)

    @property
    def power(self) -> Linear:
        """The exponent."""
        return self.arguments[0]


class Linear:
    """``constant + Σ coefficient · atom``, with no zero coefficient and atoms in order."""

    __slots__ = ("_key", "constant", "parts")

    def __init__(self, constant: Rational, parts: tuple[tuple[Atom, Rational], ...] = ()) -> None:
        self.constant = constant
        self.parts = parts
        self._key: str | None = None

    @property
    def key(self) -> str:
        """A text that two terms share exactly if they are the same combination."""
        if self._key is None:
            try:
                pieces = [f"{k}*{a.key}" if k != 1 else a.key for a, k in self.parts]
                pieces += [str(self.constant)] if self.constant or not pieces else []
            except ValueError:  # Python writes no number that is so long
                raise LimitReached("digits", "a number with thousands of digits") from None
            self._key = " + ".join(pieces)
        return self._key

    @property
    def integral(self) -> bool:
        """Whether every value of the term is an integer, by its form."""
        return self.constant.denominator == 1 and all(
            k.denominator == 1 and a.integral for a, k in self.parts
        )

    @property
    def fixed(self) -> bool:
        """Whether the term is built from immutable public parameters only."""
        return all(a.fixed for a, _ in self.parts)

    @property
    def is_constant(self) -> bool:
        """Whether the term is a plain number."""
        return not self.parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linear) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return self.key

    def __add__(self, other: Linear) -> Linear:
        return _sum(self, other)

    def __sub__(self, other: Linear) -> Linear:
        if not other.parts:
            return Linear(shortest(self.constant - other.constant), self.parts)
        return _sum(self, -other)

    def __neg__(self) -> Linear:
        return Linear(-self.constant, tuple([(a, -k) for a, k in self.parts]))

    def scaled(self, factor: Rational) -> Linear:
        """The term times a constant."""
        if factor == 1:
            return self
        if factor == 0:
            return number(0)
        if factor == -1:
            return -self
        parts = tuple([(a, shortest(k * factor)) for a, k in self.parts])
        return Linear(shortest(self.constant * factor), parts)

    def __mul__(self, other: Linear) -> Linear:
        if self.is_constant:
            return other.scaled(self.constant)
        if other.is_constant:
            return self.scaled(other.constant)
        for one, another in ((self, other), (other, self)):
            for atom, k in one.parts:
                chosen = atom.times(another)
                if chosen is not None:
                    rest = Linear(one.constant, tuple(p for p in one.parts if p[0] != atom))
                    return chosen.scaled(k) + rest * another
            for part in another.parts:
                whole = _cancelled(one, part)
                if whole is not None:
                    others = tuple(p for p in another.parts if p != part)
                    return whole + one * Linear(another.constant, others)
        if len(self.parts) * len(other.parts) > LONGEST_PRODUCT:
            raise LimitReached("products", f"a product with over {LONGEST_PRODUCT:,} terms")
        total = number(0)
        for left, k in _monomials(self):
            for right, m in _monomials(other):
                total = total + _from_powers(left, right, k * m)
        return total

    def __truediv__(self, other: Linear) -> Linear:
        if other.is_constant:
            if other.constant == 0:
                raise DivisionByZero(f"{self} divided by zero")
            return self.scaled(inverted(other.constant))
        return self * _inverse(other)

    def split(self) -> tuple[Rational, Linear]:
        """The term as ``factor · rest`` with the rest's leading coefficient 1 (0 gives (0, 0))."""
        lead = self.parts[0][1] if self.parts else self.constant
        return (0, self) if lead == 0 else (lead, self.scaled(inverted(lead)))


Powers = tuple[tuple[Atom, int], ...]


def shortest(value: Rational) -> Rational:
    """The same number, as an int if it is whole."""
    if type(value) is int:
        return value
    return value.numerator if value.denominator == 1 else value


def inverted(value: Rational) -> Rational:
    """One divided by the number, exactly."""
    if value == 1 or value == -1:
        return value.numerator
    return shortest(Fraction(value.denominator, value.numerator))


def number(value: Rational) -> Linear:
    """A plain number as a term."""
    return Linear(shortest(value))


def term(atom: Atom) -> Linear:
    """An atom as a term."""
    return Linear(0, ((atom, 1),))


def monomial(powers: Powers, factor: Rational) -> Linear:
    """``factor`` times a product of powers of atoms."""
    return _from_powers(powers, (), factor)


def _sum(left: Linear, right: Linear) -> Linear:
    constant = shortest(left.constant + right.constant)
    if not right.parts:
        return Linear(constant, left.parts)
    if not left.parts:
        return Linear(constant, right.parts)
    merged: list[tuple[Atom, Rational]] = []
    rest = iter(right.parts)
    other = next(rest, None)
    for part in left.parts:  # both are in order
        key = part[0].key
        while other is not None and other[0].key < key:
            merged.append(other)
            other = next(rest, None)
        if other is not None and other[0].key == key:
            total = part[1] + other[1]
            if total:
                merged.append((part[0], shortest(total)))
            other = next(rest, None)
        else:
            merged.append(part)
    left_over = () if other is None else (other, *rest)
    return Linear(constant, (*merged, *left_over))


def _monomials(linear: Linear) -> Iterable[tuple[Powers, Rational]]:
    for atom, k in linear.parts:
        yield (atom.powers if isinstance(atom, Product) else ((atom, 1),)), k
    if linear.constant:
        yield (), linear.constant


def _from_powers(left: Powers, right: Powers, factor: Rational) -> Linear:
    powers: dict[Atom, int] = {}
    for base, power in (*left, *right):
        powers[base] = powers.get(base, 0) + power
    for base, power in powers.items():
        if isinstance(base, Opaque) and base.operation == "sqrt" and not -2 < power < 2:
            return _without_root(powers, base, factor)
    kept = tuple(sorted(((b, p) for b, p in powers.items() if p), key=lambda bp: bp[0].key))
    if not kept:
        return number(factor)
    atom = kept[0][0] if len(kept) == 1 and kept[0][1] == 1 else Product(kept)
    if isinstance(atom, Group):
        return atom.inner.scaled(factor)
    return Linear(0, ((atom, shortest(factor)),))


def _without_root(powers: dict[Atom, int], root: Opaque, factor: Rational) -> Linear:
    """A product in which a root is multiplied by itself: ``sqrt(2*x)**3`` is 2 x sqrt(2*x)."""
    power = powers[root]
    pairs, rest = abs(power) // 2, abs(power) % 2
    sign = 1 if power > 0 else -1
    multiple, inside = factored(root.arguments[0])
    if not multiple:  # the root of zero
        return _from_powers(tuple({**powers, root: sign * rest}.items()), (), 0)
    squared = tuple((base, sign * pairs * p) for base, p in inside)
    others = tuple({**powers, root: sign * rest}.items())
    whole = Fraction(multiple) ** (sign * pairs)
    return _from_powers(others, squared, shortest(factor * whole))


def _cancelled(subject: Linear, part: tuple[Atom, Rational]) -> Linear | None:
    """The product of a sum with what is divided by it, or by a part of it.

    ``(b + c + x) * d / (b + c)`` is ``d + x * d / (b + c)``.
    """
    divided, multiple = part
    size = len(subject.parts) + bool(subject.constant)
    if not isinstance(divided, Product) or size < 2:
        return None
    for group in (base for base, power in divided.powers if isinstance(base, Group) and power < 0):
        factor, shared = factored(subject)
        if not factor:
            return number(0)
        if shared[-1][0] == group:
            return _from_powers(shared, divided.powers, factor * multiple)
        lead, k = group.inner.parts[0]
        times = shortest(Fraction(dict(subject.parts).get(lead, 0)) / k)
        rest = subject - group.inner.scaled(times)
        parts = len(group.inner.parts) + bool(group.inner.constant)
        if times and len(rest.parts) + bool(rest.constant) == size - parts:
            whole = _from_powers(((group, 1),), divided.powers, times * multiple)
            return whole + rest * Linear(0, (part,))
    return None


def _inverse(linear: Linear) -> Linear:
    factor, powers = factored(linear)
    if not factor:
        raise DivisionByZero(f"a division by {linear}")
    return _from_powers(tuple((base, -power) for base, power in powers), (), inverted(factor))


def factored(linear: Linear) -> tuple[Rational, Powers]:
    """A number, what all terms share, and the rest: ``2*a - 2*a*b`` is 2, a and (1 - b)."""
    terms = [(dict(powers), k) for powers, k in _monomials(linear)]
    bases = {base for powers, _ in terms for base in powers}
    shared = {base: min(powers.get(base, 0) for powers, _ in terms) for base in bases}
    common = tuple((base, power) for base, power in shared.items() if power)
    if len(terms) == 1:
        return terms[0][1], common
    inverse = tuple((base, -power) for base, power in common)
    inner = number(0)
    for powers, k in terms:
        inner = inner + _from_powers(tuple(powers.items()), inverse, k)
    lead = inner.split()[0]
    if inner.is_constant:
        return inner.constant, common  # the terms cancel, though it was not seen
    size = lead if lead > 0 else -lead
    return size, (*common, (Group(inner.scaled(inverted(size))), 1))
