"""Conditions over symbolic numbers, simplified as they are built."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..errors import LimitReached
from .allowance import spend
from .enclosures import is_plain, sign_of_number
from .exponentials import exponent_of
from .linear import Atom, Exp, Group, Linear, Opaque, Product, Symbol, inverted, term

#: The longest text of one choice: each ``min`` of a ``min`` doubles it.
LONGEST_CHOICE = 100_000


class Formula:
    """A condition; equal conditions have equal keys."""

    __slots__ = ("fixed", "key", "negated")

    def __init__(self, key: str, fixed: bool) -> None:
        self.key = key
        self.fixed = fixed
        self.negated: Formula | None = None  # once it was asked for: junctions ask all the time

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return self.key


class Truth(Formula):
    """Always true, or always false."""

    __slots__ = ("value",)

    def __init__(self, value: bool) -> None:
        super().__init__("true" if value else "false", True)
        self.value = value


class Sign(Formula):
    """A term compared with zero: ``relation`` is ``>=``, ``>`` or ``==``."""

    __slots__ = ("relation", "subject")

    def __init__(self, subject: Linear, relation: str) -> None:
        super().__init__(f"{subject.key} {relation} 0", subject.fixed)
        self.subject, self.relation = subject, relation


class Flag(Formula):
    """An unknown Boolean."""

    __slots__ = ("symbol",)

    def __init__(self, symbol: Symbol) -> None:
        super().__init__(symbol.key, symbol.fixed)
        self.symbol = symbol


class Not(Formula):
    """The negation of a condition."""

    __slots__ = ("inner",)

    def __init__(self, inner: Formula) -> None:
        super().__init__(f"not ({inner})", inner.fixed)
        self.inner = inner


class Junction(Formula):
    """All (``conjunction``) or at least one of several conditions."""

    __slots__ = ("conjunction", "members")

    def __init__(self, conjunction: bool, members: tuple[Formula, ...]) -> None:
        word = " and " if conjunction else " or "
        super().__init__(f"({word.join(m.key for m in members)})", all(m.fixed for m in members))
        self.conjunction, self.members = conjunction, members


class Choice(Atom):
    """``yes`` where ``test`` holds, else ``no``."""

    __slots__ = ("no", "test", "yes")

    def __init__(self, test: Formula, yes: Linear, no: Linear) -> None:
        size = len(test.key) + len(yes.key) + len(no.key)
        if size > LONGEST_CHOICE:
            raise LimitReached("choices", f"a value with {size} characters of nested choices")
        spend(size)
        super().__init__(
            f"({yes} if {test} else {no})",
            yes.integral and no.integral,
            yes.fixed and no.fixed and test.fixed,
        )
        self.test, self.yes, self.no = test, yes, no

    def times(self, factor: Linear) -> Linear | None:
        """The choice between the products; one of parameters stays a factor of its own."""
        if self.fixed and factor.fixed:
            return None
        return choice(self.test, self.yes * factor, self.no * factor)


TRUE = Truth(True)
FALSE = Truth(False)


#: What a relation means of numbers.
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, ">": operator.gt, "==": operator.eq,
}  # fmt: skip


def truth(value: bool) -> Formula:
    """``TRUE`` or ``FALSE``."""
    return TRUE if value else FALSE


def sign(subject: Linear, relation: str) -> Formula:
    """``subject relation 0``, decided at once if the subject is a plain number."""
    if not subject.parts:
        return TRUE if _COMPARE[relation](subject.constant, 0) else FALSE
    known = sign_of_powers(subject, relation)
    if known is not None:
        return known
    lead = subject.parts[0][1]
    size = lead if relation == "==" or lead > 0 else -lead
    return Sign(subject.scaled(inverted(size)), relation)


def sign_of_powers(subject: Linear, relation: str) -> Formula | None:
    """A comparison with zero of powers of e, where it is simpler than it looks.

    before:  2*exp(eps) + 1 > 0     3*exp(eps)/(1 + exp(eps)) >= 0     exp(-eps) - 1 < 0
    after:   true                   true                               eps > 0
    """
    parts, constant = subject.parts, subject.constant
    first = parts[0][0]
    if isinstance(first, Opaque) and first.operation == "sqrt" and len(parts) == 1 and not constant:
        return _sign_of_root(first.arguments[0], parts[0][1] > 0, relation)
    if not isinstance(first, Exp | Product | Group) and not (
        isinstance(first, Opaque) and first.operation in ("sqrt", "log")
    ):
        return None
    signs = {k > 0 for _, k in parts} | ({constant > 0} if constant else set())
    if len(signs) == 1 and all(_is_positive(atom) for atom, _ in parts):
        above_zero = signs.pop()
        return truth(relation != "==" and above_zero)
    if is_plain(subject):
        above_zero = sign_of_number(subject) > 0
        return truth(relation != "==" and above_zero)
    if len(parts) == 1 and parts[0][1] == -constant:
        power = exponent_of(first)
        if power is not None:
            return sign(power if constant < 0 else -power, relation)
    return None


def _sign_of_root(inside: Linear, is_plus: bool, relation: str) -> Formula:
    """The same of a root, or of its negative: it is zero where what is inside is."""
    if relation == "==" or (relation == ">=" and not is_plus):
        return sign(inside, "==")
    return TRUE if relation == ">=" else sign(inside, ">") if is_plus else FALSE


def _is_positive(atom: Atom) -> bool:
    """Whether an atom is positive by its form: powers of e, and their sums and products."""
    if isinstance(atom, Product):
        return all(_is_positive(base) for base, _ in atom.powers)
    if isinstance(atom, Group):
        inner = atom.inner
        return inner.constant >= 0 and all(k > 0 and _is_positive(a) for a, k in inner.parts)
    return isinstance(atom, Exp)


def at_least(left: Linear, right: Linear) -> Formula:
    """``left >= right``."""
    return _compared(left, ">=", right)


def above(left: Linear, right: Linear) -> Formula:
    """``left > right``."""
    return _compared(left, ">", right)


def equal(left: Linear, right: Linear) -> Formula:
    """``left == right``."""
    return _compared(left, "==", right)


def _compared(left: Linear, relation: str, right: Linear) -> Formula:
    if not left.parts and not right.parts:  # most are, and a difference takes longer
        return TRUE if _COMPARE[relation](left.constant, right.constant) else FALSE
    return sign(left - right, relation)


def negation(formula: Formula) -> Formula:
    """``not formula``."""
    if formula.negated is None:
        formula.negated = _negation(formula)
    return formula.negated


def _negation(formula: Formula) -> Formula:
    if isinstance(formula, Truth):
        return truth(not formula.value)
    if isinstance(formula, Not):
        return formula.inner
    if isinstance(formula, Sign) and formula.relation != "==":
        # What is not simpler than it looks is not so with the other sign.
        found = Sign(-formula.subject, ">" if formula.relation == ">=" else ">=")
        found.negated = formula
        return found
    if isinstance(formula, Junction):
        return _junction(not formula.conjunction, map(negation, formula.members))
    return Not(formula)


def conjunction(formulas: Iterable[Formula]) -> Formula:
    """All of them."""
    return _junction(True, formulas)


def disjunction(formulas: Iterable[Formula]) -> Formula:
    """At least one of them."""
    return _junction(False, formulas)


def _junction(conjunctive: bool, formulas: Iterable[Formula]) -> Formula:
    members: dict[str, Formula] = {}
    for formula in formulas:
        if isinstance(formula, Truth):
            if formula.value != conjunctive:
                return formula
        elif isinstance(formula, Junction) and formula.conjunction == conjunctive:
            members.update((m.key, m) for m in formula.members)
        else:
            members[formula.key] = formula
    if len(members) < 2:
        return next(iter(members.values()), truth(conjunctive))
    if _is_with_its_negation(members):
        return truth(not conjunctive)
    return Junction(conjunctive, tuple(members.values()))


def _is_with_its_negation(members: Mapping[str, Formula]) -> bool:
    """Whether one of several conditions is the negation of another one, as far as it is seen."""
    seen: set[object] = set()
    alike = False
    for member in members.values():
        if isinstance(member, Not):
            if member.inner.key in members:
                return True
        elif isinstance(member, Sign) and member.relation != "==":
            subject = member.subject
            mark = len(subject.parts), subject.parts[0][0].key, abs(subject.constant)
            alike = alike or mark in seen
            seen.add(mark)
    # Only these may be; to write negations takes longer.
    return alike and any(negation(m).key in members for m in members.values() if _is_order(m))


def _is_order(formula: Formula) -> bool:
    return isinstance(formula, Sign) and formula.relation != "=="


def within(index: Linear, length: Linear) -> Formula:
    """``0 <= index < length``: whether a sequence has an element there."""
    return conjunction((sign(index, ">="), above(length, index)))


def implies(premise: Formula, conclusion: Formula) -> Formula:
    """``premise ⇒ conclusion``."""
    return disjunction((negation(premise), conclusion))


def iff(left: Formula, right: Formula) -> Formula:
    """The two conditions have the same value."""
    if left == right:
        return TRUE
    return disjunction((conjunction((left, right)), conjunction((negation(left), negation(right)))))


def choice(test: Formula, yes: Linear, no: Linear) -> Linear:
    """``yes if test else no`` as a term."""
    if isinstance(test, Truth):
        return yes if test.value else no
    return yes if yes == no else term(Choice(test, yes, no))


def first_choice(subject: Linear) -> Choice | None:
    """A choice that the term is a combination of, if there is one."""
    return next((atom for atom, _ in subject.parts if isinstance(atom, Choice)), None)
