"""Products of parameters: what is proved of them needs no non-linear arithmetic.

before:  2*eps/c + eps/(3*c) <= 3*eps/c     given eps > 0, c >= 1
after:   2 + 1/3 <= 3                       and, owed before: eps > 0, c > 0

A comparison with zero may be multiplied, or divided, by what is positive.  So denominators are
cleared, factors that all terms share are left out, and that they are positive is owed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from ...dsl.formulas import (
    Choice,
    Formula,
    Junction,
    Not,
    Sign,
    above,
    at_least,
    negation,
    sign,
)
from ...dsl.terms import Atom, Group, Linear, Product, Rational, monomial, number, term
from .obligations import Obligation, Oracle

#: Powers of atoms, and a factor.
Monomial = tuple[dict[Atom, int], Rational]


def products_of(part: Linear | Formula) -> Iterator[Product]:
    """The products that occur."""
    if isinstance(part, Linear):
        for atom, _ in part.parts:
            if isinstance(atom, Product):
                yield atom
            elif isinstance(atom, Choice):
                for inner in (atom.test, atom.yes, atom.no):
                    yield from products_of(inner)
            elif isinstance(atom, Group):
                yield from products_of(atom.inner)
    elif isinstance(part, Sign):
        yield from products_of(part.subject)
    elif isinstance(part, Not):
        yield from products_of(part.inner)
    elif isinstance(part, Junction):
        for member in part.members:
            yield from products_of(member)


def cleared(claim: Sign) -> tuple[Formula, list[Formula]]:
    """A comparison with zero without denominators and common factors, and what that rests on.

    The factors are positive, or at least not negative where that is enough.  All quantities are
    parameters or built from them.
    """
    terms = _monomials(claim.subject)
    least = {b: min(p.get(b, 0) for p, _ in terms) for p, _ in terms for b in p}
    needed = []
    for base, power in least.items():
        if power < 0 or (power > 0 and claim.relation != ">="):
            needed.append(above(_meaning(base), number(0)))
        elif power > 0:
            needed.append(at_least(_meaning(base), number(0)))
    total = number(0)
    for powers, k in terms:
        rest = number(k)
        for base, power in least.items():
            for _ in range(powers.get(base, 0) - power):
                rest = rest * _meaning(base)
        total = total + rest
    return sign(total, claim.relation), needed


def _monomials(subject: Linear) -> list[Monomial]:
    """The term as a sum of products of powers."""
    found = [_with_factor(_powers(atom), k) for atom, k in subject.parts]
    return [*found, ({}, subject.constant)] if subject.constant else found


def _with_factor(powers: Monomial, factor: Rational) -> Monomial:
    return powers[0], powers[1] * factor


def _powers(atom: Atom) -> Monomial:
    """A product by its factors; of a sum that is a factor, what its terms share is one of them.

    before:  (k/eps + 1/eps)**-1
    after:   eps * (k + 1)**-1
    """
    powers: dict[Atom, int] = {}
    total: Rational = 1
    for base, power in atom.powers if isinstance(atom, Product) else ((atom, 1),):
        shared, factor = ({base: 1}, 1) if not isinstance(base, Group) else _parted(base)
        for part, times in shared.items():
            powers[part] = powers.get(part, 0) + times * power
        total = total * Fraction(factor) ** power
    return {base: power for base, power in powers.items() if power}, total


def _parted(group: Group) -> Monomial:
    terms = _monomials(group.inner)
    least = {b: min(p.get(b, 0) for p, _ in terms) for p, _ in terms for b in p}
    rest = number(0)
    for powers, k in terms:
        left = ((b, powers.get(b, 0) - p) for b, p in least.items())
        kept = sorted(((b, p) for b, p in left if p), key=lambda part: part[0].key)
        rest = rest + monomial(tuple(kept), k)
    factor, rest = rest.split()
    shared = {base: power for base, power in least.items() if power}
    if len(rest.parts) + bool(rest.constant) > 1:
        shared[Group(rest)] = 1
    return shared, factor


def _meaning(base: Atom) -> Linear:
    return base.inner if isinstance(base, Group) else term(base)


def sign_of(product: Product) -> tuple[Formula, tuple[Formula, ...]]:
    """The lemma that a product of positive factors is positive: what it says, what it needs."""
    factors: Iterable[Linear] = (_meaning(base) for base, _ in product.powers)
    return above(term(product), number(0)), tuple(above(f, number(0)) for f in factors)


def simplified(obligation: Obligation) -> Iterator[Obligation]:
    """The same in smaller pieces: what is said of parameters alone loses its denominators."""
    claim = obligation.claim
    if claim.fixed and isinstance(claim, Junction) and claim.conjunction:
        for member in claim.members:
            yield from simplified(replace(obligation, claim=member))
        return
    compared = claim.inner if isinstance(claim, Not) else claim
    if not (claim.fixed and isinstance(compared, Sign) and any(products_of(claim))):
        yield obligation
        return
    rest, needed = cleared(compared)
    rest = negation(rest) if isinstance(claim, Not) else rest
    for positive in needed:
        yield from simplified(replace(obligation, claim=positive))
    known = tuple(f for f in obligation.facts if f.fixed)
    yield replace(obligation, facts=known, claim=rest, exact=any(products_of(rest)))


def with_signs(obligations: Sequence[Obligation], oracle: Oracle) -> list[Obligation]:
    """The obligations with the lemma, for each product in them, that it is positive.

    Where its factors are positive, that is: which is owed as well.
    """
    found = {
        product.key: product
        for o in obligations
        for part in (*o.facts, o.claim)
        if not o.exact
        for product in products_of(part)
    }
    lemmas: list[Formula] = []
    owed: list[Obligation] = []
    for key in sorted(found):
        says, needs = sign_of(found[key])
        start = replace(obligations[0], facts=(), condition="preconditions and positivity")
        detail = f"the factors of {found[key]} are positive"
        duties = [replace(start, claim=need, detail=detail, exact=False) for need in needs]
        if all(map(oracle.holds, duties)):
            owed += duties
            lemmas.append(says)
    if not lemmas:
        return list(obligations)
    common = (*obligations[0].common, *lemmas)
    return [*owed, *(o if o.exact else replace(o, common=common) for o in obligations)]
