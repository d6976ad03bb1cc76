"""Putting values in for symbols, and listing the symbols of a term.

Evaluation at a point is substitution by constants: what is left is a constant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from .exponentials import exponent_of, exponential
from .formulas import (
    Choice,
    Flag,
    Formula,
    Junction,
    Not,
    Sign,
    Truth,
    choice,
    conjunction,
    disjunction,
    negation,
    sign,
)
from .linear import Atom, Exp, Group, Indexed, Linear, Opaque, Product, Symbol, number, term


def floor_division(a: Fraction, b: Fraction) -> Fraction:
    """Python's ``a // b``."""
    return Fraction(a // b)


def modulo(a: Fraction, b: Fraction) -> Fraction:
    """Python's ``a % b``."""
    return a % b


def truncated(a: Fraction) -> Fraction:
    """Python's ``int(a)``: towards zero."""
    return Fraction(math.trunc(a))


def rounded(a: Fraction) -> Fraction:
    """Python's ``round(a)``: ties to even."""
    return Fraction(round(a))


OPERATIONS: dict[str, Callable[..., Fraction]] = {
    "//": floor_division,
    "%": modulo,
    "int": truncated,
    "round": rounded,
}


def apply_operation(operation: str, arguments: tuple[Linear, ...]) -> Linear:
    """``operation`` on terms: computed on constants, opaque otherwise.

    The result of ``//``, ``int`` and ``round`` is an integer; ``%`` of two integers is one.
    """
    if operation == "exp":
        return exponential(arguments[0])
    if operation == "log" and (power := _power_of_e(arguments[0])) is not None:
        return power
    if operation in OPERATIONS and all(a.is_constant for a in arguments):
        return number(OPERATIONS[operation](*(Fraction(a.constant) for a in arguments)))
    integral = operation in ("//", "int", "round") or (
        operation == "%" and all(a.integral for a in arguments)
    )
    return term(Opaque(operation, arguments, integral))


def _power_of_e(subject: Linear) -> Linear | None:
    """What it is a power of e to, if that is plain: of 1 it is 0."""
    if len(subject.parts) == 1 and not subject.constant and subject.parts[0][1] == 1:
        return exponent_of(subject.parts[0][0])
    return number(0) if subject == number(1) else None


@dataclass(frozen=True, slots=True)
class Substitution:
    """Values for symbols by name; symbols that are not named stay as they are."""

    numbers: Mapping[str, Linear] = field(default_factory=dict)
    flags: Mapping[str, Formula] = field(default_factory=dict)

    def linear(self, subject: Linear) -> Linear:
        """The term with the values put in."""
        if not subject.parts:
            return subject
        total = number(subject.constant)
        for atom, k in subject.parts:
            total = total + self._atom(atom).scaled(k)
        return total

    def _atom(self, atom: Atom) -> Linear:
        if type(atom) is Symbol:  # the most frequent ones
            return self.numbers.get(atom.key) or term(atom)
        if isinstance(atom, Product):
            total = number(1)
            for base, power in atom.powers:
                factor, times = self._atom(base), abs(power)
                if len(factor.parts) + bool(factor.constant) == 1:
                    # Of e to a small number there may be a million powers.
                    factor, times = _power(factor, times), 1
                for _ in range(times):
                    total = total * factor if power > 0 else total / factor
            return total
        if isinstance(atom, Group):
            return self.linear(atom.inner)
        if isinstance(atom, Choice):
            test = self.formula(atom.test)
            if isinstance(test, Truth):  # the other arm may not be defined
                return self.linear(atom.yes if test.value else atom.no)
            return choice(test, self.linear(atom.yes), self.linear(atom.no))
        if isinstance(atom, Opaque):
            return apply_operation(atom.operation, tuple(map(self.linear, atom.arguments)))
        if isinstance(atom, Indexed) and atom.key not in self.numbers:
            index = self.linear(atom.index)
            return term(Indexed(atom.stem, index, atom.integral, atom.private))
        return self.numbers.get(atom.key, term(atom))

    def formula(self, subject: Formula) -> Formula:
        """The condition with the values put in."""
        if isinstance(subject, Sign):
            return sign(self.linear(subject.subject), subject.relation)
        if isinstance(subject, Flag):
            return self.flags.get(subject.symbol.key, subject)
        if isinstance(subject, Not):
            return negation(self.formula(subject.inner))
        if isinstance(subject, Junction):
            join = conjunction if subject.conjunction else disjunction
            return join(map(self.formula, subject.members))
        return subject


def _power(factor: Linear, times: int) -> Linear:
    """A product of equal factors."""
    found = number(1)
    for bit in f"{times:b}":
        found = found * found
        if bit == "1":
            found = found * factor
    return found


def symbols_of(subject: Linear | Formula) -> Iterator[Symbol]:
    """Every symbol that occurs, with repetitions."""
    if isinstance(subject, Linear):
        for atom, _ in subject.parts:
            yield from _symbols_of_atom(atom)
    elif isinstance(subject, Sign):
        yield from symbols_of(subject.subject)
    elif isinstance(subject, Flag):
        yield subject.symbol
    elif isinstance(subject, Not):
        yield from symbols_of(subject.inner)
    elif isinstance(subject, Junction):
        for member in subject.members:
            yield from symbols_of(member)


def _symbols_of_atom(atom: Atom) -> Iterator[Symbol]:
    if isinstance(atom, Symbol):
        yield atom
        if isinstance(atom, Indexed):
            yield from symbols_of(atom.index)
    elif isinstance(atom, Product):
        for base, _ in atom.powers:
            yield from _symbols_of_atom(base)
    elif isinstance(atom, Group):
        yield from symbols_of(atom.inner)
    elif isinstance(atom, Choice):
        yield from symbols_of(atom.test)
        yield from symbols_of(atom.yes)
        yield from symbols_of(atom.no)
    elif isinstance(atom, Opaque):
        for argument in atom.arguments:
            yield from symbols_of(argument)


def exponentials_of(part: Linear | Formula) -> Iterator[Exp]:
    """The powers of e that occur."""
    if isinstance(part, Linear):
        for atom, _ in part.parts:
            yield from _exponentials(atom)
    elif isinstance(part, Sign):
        yield from exponentials_of(part.subject)
    elif isinstance(part, Not):
        yield from exponentials_of(part.inner)
    elif isinstance(part, Junction):
        for member in part.members:
            yield from exponentials_of(member)


def _exponentials(atom: Atom) -> Iterator[Exp]:
    if isinstance(atom, Exp):
        yield atom
    elif isinstance(atom, Product):
        for base, _ in atom.powers:
            yield from _exponentials(base)
    elif isinstance(atom, Group):
        yield from exponentials_of(atom.inner)
    elif isinstance(atom, Choice):
        for part in (atom.test, atom.yes, atom.no):
            yield from exponentials_of(part)


def divisors_of(subject: Linear) -> Iterator[Linear]:
    """What a term divides by, also within powers of e, roots and logarithms."""
    for atom, _ in subject.parts:
        for base, power in atom.powers if isinstance(atom, Product) else ():
            if power < 0:
                yield base.inner if isinstance(base, Group) else term(base)
        for inside in terms_within(atom):
            yield from divisors_of(inside)


def terms_within(atom: Atom) -> Iterator[Linear]:
    """The terms that something else than a sum is made of."""
    match atom:
        case Exp(power=power):
            yield power
        case Group(inner=inner):
            yield inner
        case Opaque(arguments=arguments):
            yield from arguments
        case Product(powers=powers):
            yield from (term(base) for base, _ in powers)
