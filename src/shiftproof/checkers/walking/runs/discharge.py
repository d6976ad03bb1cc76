"""Putting obligations to the solver, one walk at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ....dsl.terms.formulas import (
    Choice,
    Formula,
    Junction,
    Not,
    Sign,
    Truth,
    above,
    at_least,
    equal,
    negation,
    sign,
)
from ....dsl.terms.linear import Atom, Group, Linear, Product, Rational, factored, number, term
from ....dsl.terms.smt import Writer
from ..solvers import Answer, Session, Solver
from .state import Obligation


@dataclass(slots=True)
class Questioner:
    """One solver, asked about one walk: facts that obligations share are told once."""

    solver: Solver
    _sessions: dict[tuple[tuple[str, ...], bool], tuple[Session, Writer, set[str]]] = field(
        default_factory=dict
    )
    _answers: dict[tuple[frozenset[str], str, bool], Answer] = field(default_factory=dict)

    def answer(self, obligation: Obligation) -> Answer:
        """``unsat`` if the claim follows."""
        key = obligation.key
        if key not in self._answers:
            answer = self._asked(obligation)
            if answer != "unsat" and obligation.claim.fixed and not obligation.exact:
                # What is said of parameters alone may rest on their products.
                known = tuple(f for f in (*obligation.common, *obligation.facts) if f.fixed)
                written_out = replace(obligation, common=(), facts=known, exact=True)
                answer = self._asked(written_out) if any(map(_has_product, known)) else answer
            self._answers[key] = answer
        return self._answers[key]

    def holds(self, obligation: Obligation) -> bool:
        """Whether the claim follows, as far as this solver says."""
        return self.answer(obligation) == "unsat"

    def _asked(self, obligation: Obligation) -> Answer:
        if isinstance(obligation.claim, Truth) and obligation.claim.value:
            return "unsat"
        asked, writer, declared = self._session(obligation)
        asked.push()
        _tell(asked, writer, declared, (*obligation.facts, negation(obligation.claim)))
        found = asked.check()
        asked.pop()
        return found

    def _session(self, obligation: Obligation) -> tuple[Session, Writer, set[str]]:
        key = tuple(f.key for f in obligation.common), obligation.exact
        if key not in self._sessions:
            self._sessions[key] = (
                self.solver.session(),
                Writer(exact_products=obligation.exact),
                set(),
            )
            _tell(*self._sessions[key], obligation.common)
        return self._sessions[key]


def _has_product(fact: Formula) -> bool:
    return any(products_of(fact))


def _tell(asked: Session, writer: Writer, declared: set[str], facts: Iterable[Formula]) -> None:
    """Facts, and before them the unknowns in them that are new."""
    assertions = "".join(f"(assert {writer.formula(f)})" for f in facts)
    new = [(name, sort) for name, sort in writer.sorts.items() if name not in declared]
    declared.update(name for name, _ in new)
    asked.tell("".join(f"(declare-const {name} {sort})" for name, sort in new))
    asked.tell(assertions)


# Products of parameters: what is proved of them needs no non-linear arithmetic.
#
# before:  2*eps/c + eps/(3*c) <= 3*eps/c     given eps > 0, c >= 1
# after:   2 + 1/3 <= 3                       and, owed before: eps > 0, c > 0
#
# A comparison with zero may be multiplied, or divided, by what is positive.  So denominators are
# cleared, factors that all terms share are left out, and that they are positive is owed.

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

    The factors are positive, or at least not negative where that is enough; even powers are so of
    what is not zero.  All quantities are parameters or built from them.
    """
    terms = _monomials(claim.subject)
    least = {b: min(p.get(b, 0) for p, _ in terms) for p, _ in terms for b in p}
    needed = []
    for base, power in least.items():
        strict = power < 0 or (power > 0 and claim.relation != ">=")
        if power % 2 == 0:
            if strict:
                needed.append(negation(equal(_meaning(base), number(0))))
        elif strict:
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
        factor, shared = factored(base.inner) if isinstance(base, Group) else (1, ((base, 1),))
        for part, times in shared:
            powers[part] = powers.get(part, 0) + times * power
        total = total * Fraction(factor) ** power
    return {base: power for base, power in powers.items() if power}, total


def _meaning(base: Atom) -> Linear:
    return base.inner if isinstance(base, Group) else term(base)


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
    if claim in needed:  # a larger or smaller one of two: its products are inside
        yield obligation
        return
    rest = negation(rest) if isinstance(claim, Not) else rest
    for positive in needed:
        yield from simplified(replace(obligation, claim=positive))
    exact = any(products_of(rest))
    known = tuple(f for f in obligation.facts if f.fixed or not exact)
    yield replace(obligation, facts=known, claim=rest, exact=exact)
