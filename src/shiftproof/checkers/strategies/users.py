"""Values of users: that of one user differs, as the privacy definition lets it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from ...dsl.errors import BadInput
from ...dsl.privacy.definitions import Privacy
from ...dsl.privacy.inputs import InputKind, Value
from ...dsl.privacy.policies import Policy
from ...dsl.reading.rules import rule_of
from ...dsl.terms.formulas import FALSE
from ...dsl.terms.linear import number
from ...dsl.terms.values import NumberKind, exact
from .numbers import between, ends, floats, several
from .ruled import Both, Ruled, Sides

#: How often two values are drawn of which the definition says something.
DRAWS = 8


@dataclass(frozen=True, eq=False)
class Users:
    """The values of users among the private inputs; the bounds are numbers.

    Single values are all of one user.  Of sequences the elements at one index are, and one index
    differs.
    """

    privacy: Privacy
    kinds: Mapping[str, InputKind]
    public: Mapping[str, Any]
    largest: int

    def pairs(self, length: int) -> st.SearchStrategy[Sides]:
        """Neighbours, in which sequences have this length."""
        arrays = {n: k for n, k in self.kinds.items() if k.array}
        single = {n: k for n, k in self.kinds.items() if not k.array}
        if not arrays:
            return self._single()
        if not single:
            return self._rows(length)
        # Whether the two belong to one user is not said: only one of them differs.
        one, several = (replace(self, kinds=kinds) for kinds in (single, arrays))
        parts = st.tuples(one._single(), several._rows(length))
        moves = st.just(1) if length else st.just(0)
        return st.tuples(parts, moves | st.just(0)).map(_joined)

    def _single(self) -> st.SearchStrategy[Sides]:
        return self._user().map(
            lambda both: (
                {n: v for n, (v, _) in both.items()},
                {n: w for n, (_, w) in both.items()},
            )
        )

    def _rows(self, length: int) -> st.SearchStrategy[Sides]:
        if not length:
            nobody: dict[str, Any] = dict.fromkeys(self.kinds, ())
            return st.just((nobody, nobody))
        others = {n: several(self._value(k), length) for n, k in self.kinds.items()}
        return st.builds(
            _at, self._user(), st.integers(0, length - 1), st.fixed_dictionaries(others)
        )

    def _user(self) -> st.SearchStrategy[Both]:
        """The values of the user who differs."""
        if self._graph is not None:
            return _edge(self._graph, self.largest)
        change, policy = self.privacy.record_change, self.privacy.policy_of_values
        if change is not None and policy is not None:
            if change.whole:
                return self._replaced(policy)
            return self._moving({n: _hiding(k, policy) for n, k in self.kinds.items()})
        found = self._moving({n: self._apart(k) for n, k in self.kinds.items()})
        return _defined(found, self._known) if self.privacy.speaks else found

    def _replaced(self, policy: Policy) -> st.SearchStrategy[Both]:
        """One value is sensitive, and all of them become any others."""
        hiding = {n: _hiding(k, policy) for n, k in self.kinds.items()}
        surely = [n for n, found in hiding.items() if found is not None]
        if not surely:
            return self._moving(hiding)
        still = {n: self._value(k).map(lambda v: (v, v)) for n, k in self.kinds.items()}
        free = {n: st.tuples(self._value(k), self._value(k)) for n, k in self.kinds.items()}

        def around(name: str) -> st.SearchStrategy[Both]:
            rest = {n: still[n] | free[n] for n in self.kinds if n != name}
            found = hiding[name]
            assert found is not None
            kept = found.map(lambda p: (p[0], p[0])) if rest else found
            return st.fixed_dictionaries({name: found | kept, **rest}).filter(_differ)

        return st.sampled_from(surely).flatmap(around)

    def _moving(
        self, moves: Mapping[str, st.SearchStrategy[tuple[Any, Any]] | None]
    ) -> st.SearchStrategy[Both]:
        """One value differs for certain, if it can, and others may."""
        names = [n for n, found in moves.items() if found is not None]
        still = {n: self._value(k).map(lambda v: (v, v)) for n, k in self.kinds.items()}
        both = {n: still[n] if found is None else found for n, found in moves.items()}
        chosen = st.tuples(st.integers(0, max(len(names) - 1, 0)), *[st.booleans()] * len(moves))

        def stay(drawn: tuple[Any, ...]) -> Both:
            pairs, (sure, *free) = drawn
            return {
                n: pair if go or (names and n == names[sure]) else (pair[0], pair[0])
                for (n, pair), go in zip(pairs.items(), free, strict=True)
            }

        return st.tuples(st.fixed_dictionaries(both), chosen).map(stay)

    def _apart(self, kind: InputKind) -> st.SearchStrategy[tuple[Any, Any]]:
        """Two values that differ, where there are two."""
        each = self._value(kind)
        if not isinstance(kind, Value):
            return st.tuples(each, each).map(
                lambda p: p if p[0] != p[1] else (p[0], -p[0] or p[0] + 1)
            )
        low, high = ends(kind)
        drawn = st.tuples(each, each)
        found = drawn.map(lambda p: p if p[0] != p[1] else (p[0], high if p[0] == low else low))
        return found | st.sampled_from([(low, high), (high, low)])

    def _value(self, kind: InputKind) -> st.SearchStrategy[Any]:
        if isinstance(kind, Value):
            return between(kind)
        return st.integers(-self.largest, self.largest) if kind.whole else floats(self.largest)

    def _known(self, both: Both) -> bool:
        """Whether the budget of a pair is defined, as far as that can be told."""
        ways = [(0, 1), (1, 0)] if self.privacy.of_one_value else [(0, 1)]
        for function in self.privacy.functions:
            rule = rule_of(function)
            given = set(self.kinds) | set(self.public)
            if not set(rule.parameters) <= given:
                continue
            sides = [
                {n: number(exact(v)) for n, v in self.public.items() if n in rule.parameters}
                | {n: number(exact(v[side])) for n, v in both.items()}
                for side in (0, 1)
            ]
            kinds: dict[str, NumberKind] = {n: self._number_kind(n) for n in rule.parameters}
            for one, two in ways:
                if FALSE in rule.number(sides[one], sides[two], kinds)[1]:
                    return False
        return True

    def _number_kind(self, name: str) -> NumberKind:
        if name in self.kinds:
            return "int" if self.kinds[name].whole else "float"
        return "int" if isinstance(self.public[name], int) else "float"

    @cached_property
    def _graph(self) -> Ruled | None:
        rule = self.privacy.edge_rule
        return None if rule is None else Ruled(rule_of(rule), self.kinds, {}, both_ways=True)

    def check(self) -> None:
        """Make sure that some values are neighbours, where a graph says which are.

        Raises:
            BadInput: none were found.
        """
        if self._graph is not None and not self._graph.edges:
            raise BadInput(
                f"no values of {', '.join(self.kinds)} were found that are neighbours under "
                f"{self.privacy}"
            )


def _differ(both: Both) -> bool:
    return any(one != two for one, two in both.values())


def _joined(drawn: tuple[tuple[Sides, Sides], int]) -> Sides:
    """Of two groups only one differs."""
    sides, moving = drawn
    left: dict[str, Any] = {}
    right: dict[str, Any] = {}
    for k, (one, two) in enumerate(sides):
        left |= one
        right |= two if k == moving else one
    return left, right


def _at(user: Both, place: int, others: Mapping[str, Sequence[Any]]) -> Sides:
    """Rows of values, with those of one user at a place."""
    one, two = (
        {n: (*row[:place], user[n][side], *row[place + 1 :]) for n, row in others.items()}
        for side in (0, 1)
    )
    return one, two


def _hiding(kind: InputKind, policy: Policy) -> st.SearchStrategy[tuple[Any, Any]] | None:
    """A sensitive value of a range and another one; ``None`` if there is no sensitive one."""
    assert isinstance(kind, Value)
    low, high = ends(kind)
    inside = [v for v in policy.universe if low <= v <= high]
    starts = [v for v in inside if v in policy.sensitive]
    if not starts or len(inside) < 2:
        return None
    return st.sampled_from(starts).flatmap(
        lambda v: st.tuples(st.just(v), st.sampled_from([w for w in inside if w != v]))
    )


@st.composite
def _defined(
    draw: st.DrawFn, found: st.SearchStrategy[Both], known: Callable[[Both], bool]
) -> Both:
    for _ in range(DRAWS):
        both = draw(found)
        if known(both):
            return both
    reject()


@st.composite
def _edge(draw: st.DrawFn, ruled: Ruled, largest: int) -> Both:
    """Two values that are neighbours in a graph."""
    known = draw(st.sampled_from(ruled.edges)) if ruled.edges else None
    left = {n: draw(ruled.lefts(n, largest)) for n in ruled.names}
    for _ in range(DRAWS):
        right = {n: draw(st.sampled_from(ruled.rights(n, v))) for n, v in left.items()}
        both = {n: (v, right[n]) for n, v in left.items()}
        if left != right and ruled.holds(both):
            return both
    if known is None:
        reject()
    return known
