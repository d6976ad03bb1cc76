"""What is known of a logarithm or a root by itself: where it is above zero."""

from __future__ import annotations

from collections.abc import Iterator

from .enclosures import is_plain, rational_ends
from .formulas import Formula, Sign, above, equal, iff
from .linear import Atom, Linear, Opaque, number, term
from .substitution import terms_within


def facts_of_functions(*amounts: Linear) -> list[Formula]:
    """Of all logarithms and roots in some amounts, also within each other and in quotients."""
    found: dict[str, Formula] = {}
    for atom in (a for amount in amounts for part, _ in amount.parts for a in _functions(part)):
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


def _functions(atom: Atom) -> Iterator[Opaque]:
    if isinstance(atom, Opaque):
        yield atom
    for inside in terms_within(atom):
        for part, _ in inside.parts:
            yield from _functions(part)
