"""What is known of a logarithm, a root or a power of e by itself: its sign, and its tangent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .enclosures import is_plain, rational_ends
from .formulas import Formula, Sign, above, at_least, equal, iff, implies
from .linear import Atom, Exp, Linear, Opaque, Product, number, term
from .polynomials import subjects_of
from .substitution import terms_within


def facts_of_functions(*amounts: Linear) -> list[Formula]:
    """Of all logarithms and roots in some amounts, also within each other and in quotients."""
    found: dict[str, Formula] = {}
    for atom in _within(*amounts):
        found |= {fact.key: fact for fact in signs_of(atom)}
    return list(found.values())


def signs_of(function: Opaque) -> Iterator[Formula]:
    """Where a logarithm is above zero, and where it is zero; the same of a root.

    Of those of numbers, between which numbers they are.  All is said of the function itself:
    comparisons are made into those of what is inside otherwise.
    """
    value, inside = term(function), function.arguments[0]
    if is_plain(value):
        low, high = rational_ends(value)
        yield from (Sign(value - number(low), ">="), Sign(number(high) - value, ">="))
        return
    if function.operation == "log":
        for relation in (above, equal):
            yield iff(relation(value, number(0)), relation(inside, number(1)))
    elif function.operation == "sqrt":
        yield Sign(value, ">=")
        yield iff(Sign(value, ">"), above(inside, number(0)))


def tangents(positive: Linear, facts: Iterable[Formula] = ()) -> list[Formula]:
    """What is known of powers of e, logarithms and roots where an amount is to be positive.

    Tangents: exp(x) >= 1 + x, of x and of -x; log(x) <= x - 1, of x and of 1 / x.  Powers compare
    as their exponents do with logarithms.  The square of a root.  Logarithms and roots in the
    facts are meant, too; of powers that side alone is said that can help.
    """
    own, found = dict.fromkeys(_within(positive)), list[Formula]()
    others = dict.fromkeys(f for fact in facts for f in _within(*subjects_of(fact)))
    sides = dict.fromkeys(_sides(positive))
    for power, sign in sides:
        found += [Sign(term(power), ">"), _tangent_of(power, sign)]
    for atom in {**own, **others}:
        value = term(atom)
        if is_plain(value):
            found += signs_of(atom)
        elif atom.operation == "log":
            inside = atom.arguments[0]
            found.append(at_least(inside - value, number(1)))
            found.append(at_least(value * inside, inside - number(1)))
            for power, sign in sides:
                pair = (power.power - value, term(power) - inside)
                found.append(implies(*(at_least(by.scaled(sign), number(0)) for by in pair)))
        elif atom.operation == "sqrt":
            square = Linear(0, ((Product(((atom, 2),)), 1),))
            inside = atom.arguments[0]
            found.append(implies(at_least(inside, number(0)), Sign(square - inside, "==")))
    return list({fact.key: fact for fact in found}.values())


def _sides(positive: Linear) -> Iterator[tuple[Exp, int]]:
    """Powers of e in an amount that is to be positive, and whether they had better be large."""
    for atom, k in positive.parts:
        for base, power in atom.powers if isinstance(atom, Product) else ((atom, 1),):
            if isinstance(base, Exp) and not is_plain(term(base)):
                yield base, 1 if (k > 0) == (power > 0) else -1


def _tangent_of(power: Exp, sign: int) -> Formula:
    value, one = term(power), number(1)
    if sign > 0:
        return at_least(value, one + power.power)
    return at_least(one, value * (one - power.power))


def _within(*amounts: Linear) -> Iterator[Opaque]:
    for amount in amounts:
        for atom, _ in amount.parts:
            yield from _functions(atom)


def _functions(atom: Atom) -> Iterator[Opaque]:
    if isinstance(atom, Opaque):
        yield atom
    for inside in terms_within(atom):
        for part, _ in inside.parts:
            yield from _functions(part)
