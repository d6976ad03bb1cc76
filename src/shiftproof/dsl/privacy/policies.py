"""Which values a policy protects, and which data sets are therefore neighbours.

A *record* is a tuple of attribute values, a *data set* a tuple of records, in which
two people with equal records are still two (a multiset by index).  A policy splits the
values of an attribute into sensitive and non-sensitive ones.  A sensitive value hides
among all values; a non-sensitive one may be known, so it stays as it is.  That makes
the relation directed: 1 may become 0 where only 1 is sensitive, and 0 may not become 1.

Source of everything here: Takagi, Cao and Yoshikawa, "Asymmetric Differential Privacy".
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal, TypeAlias

from ..errors import BadInput, LimitReached

Record: TypeAlias = tuple[int, ...]
DataSet: TypeAlias = tuple[Record, ...]
Query: TypeAlias = Callable[[DataSet], int | float | Fraction]
Monotonicity: TypeAlias = Literal["decreasing", "increasing", "constant"]

#: How often an exhaustive enumeration may ask the query, at most.
EXHAUSTIVE_ANSWERS = 1_000_000


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Policy:
    """Which attribute values are sensitive; public, and the same for every attribute.

    ``universe`` holds the values that an attribute can have, sorted; ``sensitive`` is
    the part of it that is protected.  A policy without sensitive values is allowed: it
    protects nothing, and no data set has a neighbour under it.

    Raises:
        BadInput: the universe is empty, a value is not an integer, or a sensitive
            value lies outside the universe.

    Source: Definition 7 (one function for all attributes); Example 1 is ``Policy({1})``.
    """

    sensitive: frozenset[int]
    universe: tuple[int, ...]

    def __init__(self, sensitive: Iterable[int], universe: Iterable[int] = (0, 1)) -> None:
        values = integers(universe, "the universe of a policy")
        protected = integers(sensitive, "the sensitive values of a policy")
        if not values:
            raise BadInput("the universe of a policy is empty: name every value of an attribute")
        if strangers := protected - values:
            raise BadInput(
                f"sensitive value {min(strangers)} is not in the universe {_braces(values)}: "
                "add it to the universe, or do not call it sensitive"
            )
        object.__setattr__(self, "sensitive", protected)
        object.__setattr__(self, "universe", tuple(sorted(values)))

    @classmethod
    def everything(cls, universe: Iterable[int] = (0, 1)) -> Policy:
        """P^DP, under which every value is sensitive: neighbours as in replacement DP.

        Source: Example 2.
        """
        values = tuple(universe)
        return cls(values, values)

    def is_sensitive(self, value: int) -> bool:
        """P(value) = 1: whether the policy protects this value.

        Raises:
            BadInput: the value is not in the universe.

        Source: Definition 7.
        """
        if value not in self.universe:
            raise BadInput(f"attribute value {value!r} is not in the universe {self.universe}")
        return value in self.sensitive

    def __repr__(self) -> str:
        shown = _braces(self.sensitive)
        if self.universe == (0, 1):
            return f"Policy(sensitive={shown})"
        return f"Policy(sensitive={shown}, universe={_braces(self.universe)})"


def record_neighbours(record: Record, policy: Policy) -> Iterator[Record]:
    """Every r' with record → r', ``record`` itself included, lazily.

    Non-sensitive attributes keep their value, sensitive ones take every value.

    Raises:
        BadInput: the record has a value outside the universe.

    Source: Definition 8, read literally: it is reflexive (Example 3 as printed is not).
    """
    return product(*(policy.universe if policy.is_sensitive(v) else (v,) for v in record))


def is_record_neighbour(record: Record, other: Record, policy: Policy) -> bool:
    """Whether record → other: they agree wherever ``record`` is not sensitive.

    Reflexive and transitive; not symmetric unless the policy protects all values or none.

    Raises:
        BadInput: a record has a value outside the universe.

    Source: Definition 8.
    """
    protected = [policy.is_sensitive(value) for value in record]
    for value in other:
        policy.is_sensitive(value)  # asked only for its check of the universe
    if len(record) != len(other):
        return False
    return all(free or v == w for free, v, w in zip(protected, record, other, strict=True))


def is_neighbour(data: DataSet, other: DataSet, policy: Policy) -> bool:
    """Whether ``other`` is in N_P(data): one record differs, and there r → r' with r ≠ r'.

    The number of records is the same.  Directed: the run on ``data`` is the one whose
    probability is bounded.  Not reflexive, unlike the relation between records.

    Raises:
        BadInput: a differing record has a value outside the universe.

    Source: Definition 9, in the direction that Example 5 needs.
    """
    if len(data) != len(other):
        return False
    changed = [(r, s) for r, s in zip(data, other, strict=True) if r != s]
    return len(changed) == 1 and is_record_neighbour(*changed[0], policy)


def neighbours(data: DataSet, policy: Policy) -> Iterator[DataSet]:
    """Every data set of N_P(data), each once, lazily.

    Raises:
        BadInput: while iterating, a record has a value outside the universe.

    Source: Definition 9.
    """
    for index, record in enumerate(data):
        for changed in record_neighbours(record, policy):
            if changed != record:
                yield (*data[:index], changed, *data[index + 1 :])


def p_sensitivity(query: Query, policy: Policy, size: int, attributes: int) -> Fraction:
    """The P-sensitivity of a query over all data sets of exactly ``size`` records.

    By exhaustive enumeration: the answer says nothing about another number of records
    or of attributes.  0 if no two data sets are neighbours.

    Raises:
        BadInput: ``size`` or ``attributes`` is negative, or an answer is not finite.
        LimitReached: the query would be asked more than ``EXHAUSTIVE_ANSWERS`` times.

    Source: Definition 11, restricted to finite data sets.
    """
    return max(map(abs, _moves(query, policy, size, attributes)), default=Fraction(0))


def monotonicity(query: Query, policy: Policy, size: int, attributes: int) -> Monotonicity | None:
    """How a query moves from D to every D' in N_P(D), over data sets of ``size`` records.

    ``"decreasing"``: never up, and sometimes down; ``"increasing"``: the reverse;
    ``"constant"``: equal on all neighbours, which does not make it equal everywhere;
    ``None``: both ways.  By exhaustive enumeration, as :func:`p_sensitivity`.

    Raises:
        BadInput, LimitReached: as :func:`p_sensitivity`.

    Source: Definition 12, restricted to finite data sets.
    """
    falls = rises = False
    for move in _moves(query, policy, size, attributes):
        falls, rises = falls or move > 0, rises or move < 0
    if falls and rises:
        return None
    return "decreasing" if falls else "increasing" if rises else "constant"


def integers(values: Iterable[int], what: str) -> frozenset[int]:
    """The values as a set of Python integers (NumPy's are converted).

    Raises:
        BadInput: ``values`` is not iterable or holds something else than integers;
            ``what`` names it in the message.
    """
    try:
        members = list(values)
    except TypeError:
        raise BadInput(f"{what}: wanted a set of integers like {{1}}, got {values!r}") from None
    return frozenset(_integer(value, what) for value in members)


def _integer(value: int, what: str) -> int:
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise BadInput(f"{what}: wanted integers, got {value!r}")


def _moves(query: Query, policy: Policy, size: int, attributes: int) -> Iterator[Fraction]:
    """f(D) − f(D') for all D of ``size`` records and all D' in N_P(D)."""
    if size < 0 or attributes < 0:
        raise BadInput(f"wanted sizes of at least 0, got {size} records, {attributes} attributes")
    values, protected = len(policy.universe), len(policy.sensitive)
    # Each D is asked once, and each D' once per place of the record that differs.
    pairs = (protected * values + values - protected) ** attributes
    others = values ** (attributes * max(size - 1, 0))
    if others * (values**attributes + size * pairs) > EXHAUSTIVE_ANSWERS:
        raise LimitReached(
            "EXHAUSTIVE_ANSWERS",
            f"with {size} records of {attributes} attributes the query would be asked "
            f"more than {EXHAUSTIVE_ANSWERS} times: take smaller sizes",
        )
    records = list(product(policy.universe, repeat=attributes))
    for data in product(records, repeat=size):
        answer = _exact(query(data))
        for other in neighbours(data, policy):
            yield answer - _exact(query(other))


def _exact(answer: int | float | Fraction) -> Fraction:
    try:
        return Fraction(answer)
    except (OverflowError, ValueError):
        raise BadInput(f"the query answered {answer!r}: wanted a finite number") from None


def _braces(values: Collection[int]) -> str:
    return f"{{{', '.join(map(str, sorted(values)))}}}" if values else "set()"
