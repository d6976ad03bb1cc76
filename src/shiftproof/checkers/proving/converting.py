"""Claims that follow from a proof of something else: of ρ from one of ε, of ε and δ from one of ρ.

A mechanism of ε is one of ρ = ε, and of ε² / 2 if both ways; one of ρ is one of any ε from ρ on,
with δ = exp(-(ε - ρ)² / (4ρ)).

Source: Bun and Steinke, "Concentrated differential privacy" (TCC 2016), Proposition 1.4, Lemma 3.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, isqrt

from msgspec import structs

from ...dsl.relations.program import Program
from ...dsl.terms.enclosures import is_plain, rational_ends
from ...dsl.terms.formulas import above, at_least
from ...dsl.terms.linear import Linear, Opaque, Rational, factored, monomial, number
from ...dsl.terms.pretty import pretty
from ...dsl.terms.substitution import apply_operation
from ..walking.common import common_facts
from .aligned import by_alignment
from .attempts import Failure, Proof
from .budgets.inferring import inferred
from .loops.amounts import Amounts
from .loops.system import Solver
from .writing import Wording

#: To what part of 1 the logarithm of a number is rounded, and how large it may be: of smaller δ the
#: kernel knows no bound.
DIGITS, MOST_TAIL = 10**9, 64


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


def by_concentration(program: Program) -> Proof | Failure:
    """A proof of a ρ by an alignment, from which the claimed ε and δ follow.

    Which ρ there is is found, and not claimed, in mechanisms that have a use for it.
    """
    spread = any(node.step.distribution.spread for node in program.inlined.flow.sites)
    if not spread or program.delta == number(0):
        return Failure("alignment", declined=True)
    tail = _tail(program.delta)
    if tail.is_constant and tail.constant > MOST_TAIL:
        return Failure("alignment", declined=True)
    privacy = program.privacy.showing("ρ")
    concentrated = replace(program, privacy=privacy, delta=number(0))
    reasons = []
    for rho in inferred(concentrated):
        if not _is_enough(program, rho, tail):
            reasons.append(f"of the ρ that it keeps, {pretty(rho)}, this ε and δ do not follow")
            continue
        found = by_alignment(replace(concentrated, budget=rho))
        if isinstance(found, Proof) and found.complete:
            wording = Wording(program)
            said = {"rho": wording.linear(rho), "tail": wording.linear(tail)}
            parts = tuple(structs.replace(part, **said) for part in found.parts)
            return replace(found, parts=parts, least=program.budget)
    return Failure("alignment", tuple(reasons), declined=not reasons)


def _tail(delta: Linear) -> Linear:
    """A t with e^-t at most δ: the logarithm of 1 / δ, or a number just above it."""
    exact = apply_operation("log", (number(1) / delta,))
    if not is_plain(exact):
        return exact
    _, high = rational_ends(exact)
    return number(Fraction(ceil(high * DIGITS), DIGITS))


def _is_enough(program: Program, rho: Linear, tail: Linear) -> bool:
    """Whether ε and δ follow from a ρ: 4 ρ t is at most (ε - ρ)², ρ at most ε, and δ not zero."""
    left = program.budget - rho
    amounts = Amounts(common_facts(program, program.cases[0]), Solver().follows)
    return (
        amounts.holds(above(program.delta, number(0)))
        and amounts.is_most(left, number(0))
        and amounts.is_most(left * left, (rho * tail).scaled(4))
    )


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
