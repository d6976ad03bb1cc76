"""Claims of ρ by a proof of ε: a mechanism of ε is one of ρ = ε, and of ε² / 2 if both ways.

Source: Bun and Steinke, "Concentrated differential privacy" (TCC 2016), Proposition 1.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import isqrt

from msgspec import structs

from ...dsl.relations.program import Program
from ...dsl.terms.formulas import at_least
from ...dsl.terms.linear import Linear, Opaque, Rational, factored, monomial, number
from ...dsl.terms.substitution import apply_operation
from .aligned import by_alignment
from .attempts import Failure, Proof
from .loops.system import Solver
from .writing import Wording


def by_conversion(program: Program) -> Proof | Failure:
    """A proof of ε by an alignment, from which the claimed ρ follows."""
    found: Proof | Failure = Failure("alignment", declined=True)
    for epsilon in _from_which(program):
        pure = replace(program, privacy=program.privacy.pure, budget=epsilon)
        found = by_alignment(pure)
        if isinstance(found, Proof) and found.complete:
            text = Wording(program).linear(epsilon)
            parts = tuple(structs.replace(part, pure=text) for part in found.parts)
            return replace(found, parts=parts, least=program.budget)
    return found if isinstance(found, Failure) else Failure("alignment", found.reasons)


def _from_which(program: Program) -> Iterator[Linear]:
    """What ε may be: of ε² / 2 it is plain."""
    half = root(program.budget.scaled(2)) if program.privacy.is_symmetric else None
    plain = half is not None and not any(isinstance(a, Opaque) for a, _ in half.parts)
    if not plain:
        yield program.budget
    if half is not None and (plain or _is_not_negative(program)):
        yield half


def _is_not_negative(program: Program) -> bool:
    """Whether ρ has a root, for all parameters."""
    least = at_least(program.budget, number(0))
    return Solver().follows([*program.parameter_facts()], least)


def root(subject: Linear) -> Linear:
    """The root of a term that is not negative: of squares it is no function any more."""
    multiple, powers = factored(subject)
    plain = _root_of(multiple)
    if plain is None or any(power % 2 for _, power in powers):
        return apply_operation("sqrt", (subject,))
    return monomial(tuple((base, power // 2) for base, power in powers), plain)


def _root_of(value: Rational) -> Rational | None:
    """The root of a square."""
    if value < 0:
        return None
    parts = Fraction(value)
    found = Fraction(isqrt(parts.numerator), isqrt(parts.denominator))
    return found if found * found == parts else None
