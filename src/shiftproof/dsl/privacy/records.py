"""Counts over the records of a data set: what they say of D and of D'.

One record differs.  A count is what it is over the others, which both data sets have, plus
one if the differing record meets the condition; so how far a count moves, in which direction,
and together with which others, follows from the policy, and nothing is assumed.

Conditions are written over a *generic* record, whose attributes are symbols; for each
record that they are asked about, its attributes are put in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from ..terms.formulas import TRUE, Formula, at_least, choice, conjunction, disjunction, equal
from ..terms.linear import Indexed, Linear, Symbol, number, term
from ..terms.substitution import Substitution, symbols_of
from .policies import Policy

#: How the name begins that one record of a data set goes by.
RECORD = "record@"
#: How the attributes of the differing record are called, before and after the change.
BEFORE, AFTER = "before@", "after@"


def attribute(record: str, index: Linear) -> Linear:
    """An attribute of a record, as a symbol."""
    return term(Indexed(record + "[{}]", index, True, private=True))


def is_of_record(symbol: Symbol) -> bool:
    """Whether a symbol is an attribute of the generic record of some data set."""
    return isinstance(symbol, Indexed) and symbol.stem.startswith(RECORD)


def _attributes(test: Formula, data: str) -> Iterator[Indexed]:
    """The attributes of the generic record that a condition reads; their indices do not."""
    for symbol in symbols_of(test):
        if isinstance(symbol, Indexed) and symbol.stem == f"{RECORD}{data}[{{}}]":
            # Else what stands at the index would be that of another record.
            assert not any(map(is_of_record, symbols_of(symbol.index)))
            yield symbol


def _for_record(test: Formula, data: str, value: Callable[[Linear], Linear]) -> Formula:
    """A condition on the generic record, with a record's attributes put in."""
    known = {symbol.key: value(symbol.index) for symbol in _attributes(test, data)}
    return Substitution(known).formula(test)


def recorded_count(test: Formula, data: str, records: Sequence[Sequence[Fraction]]) -> Linear:
    """The count over known records."""
    total = 0
    for record in records:

        def value(index: Linear, record: Sequence[Fraction] = record) -> Linear:
            i = index.constant
            inside = i.denominator == 1 and 0 <= i < len(record)
            return number(record[int(i)] if inside else 0)  # else a duty has failed already

        total += _for_record(test, data, value) == TRUE
    return number(total)


def count_of(test: Formula, data: str, name: str) -> Linear:
    """The count over all records but one, plus one if that one (``name``) meets the condition."""
    own = _for_record(test, data, lambda index: attribute(name + data, index))
    return others(test, data) + choice(own, number(1), number(0))


def others(test: Formula, data: str) -> Linear:
    """How many of the records that both data sets have meet a condition."""
    return term(Symbol(f"others of {data} with {test}", True, private=True))


def facts_of(test: Formula, data: str, policy: Policy | None, both: bool) -> Iterator[Formula]:
    """What is known of the symbols of :func:`count_of`; ``both`` data sets have the record."""
    yield at_least(others(test, data), number(0))
    for symbol in _attributes(test, data):
        yield from changes(data, symbol.index, policy, both)


def changes(data: str, index: Linear, policy: Policy | None, both: bool) -> Iterator[Formula]:
    """How an attribute of the differing record may change; without a policy, in any way.

    Source: Asymmetric Differential Privacy, Definitions 8 and 9.
    """
    if policy is None:
        return
    before, after = (attribute(n + data, index) for n in (BEFORE, AFTER))
    said = list(kept(before, after, policy))
    yield from said if both else said[:2]


def kept(before: Linear, after: Linear, policy: Policy) -> Iterator[Formula]:
    """How one value may change along a policy.

    Source: Asymmetric Differential Privacy, Definition 8.
    """
    for value in (before, after):
        yield _among(value, policy.universe)
    yield disjunction((_among(before, policy.sensitive), equal(before, after)))


def replaced(pairs: Sequence[tuple[Linear, Linear]], policy: Policy) -> Formula:
    """The differing record had a sensitive value, or it did not change at all.

    ``pairs``: its values, before and after.
    Source: Kotsogiannis et al., "One-sided differential privacy".
    """
    sensitive = disjunction(_among(before, policy.sensitive) for before, _ in pairs)
    return disjunction((sensitive, conjunction(equal(*pair) for pair in pairs)))


def _among(value: Linear, members: Iterable[int]) -> Formula:
    return disjunction(equal(value, number(m)) for m in sorted(members))
