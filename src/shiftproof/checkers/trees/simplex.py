"""Comparisons that contradict each other, and how often each is to be taken for a false sum.

The method is the simplex of solvers (Dutertre and de Moura): each linear form is a variable with
bounds, basic ones are combinations of the others.  Monomials are variables of their own here.
Facts can be taken back in the order in which they came; the tableau stays for the next question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from ..kernel.arithmetic import Condition, Monomial, Number, Polynomial, value_of

_Key = TypeVar("_Key")


class TooMuch(Exception):
    """A question takes more work than it may."""


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """A condition that holds at some place of a proof; two of them may say the same."""

    condition: Condition


#: How many times each fact is taken; the sum is a comparison that is false.
Conflict = dict[Fact, Number]
#: A number and a multiple of something infinitely small: x > 0 is x >= 0 + 1 small thing.
Value = tuple[Number, Number]


@dataclass(frozen=True, slots=True)
class _Bound:
    value: Value
    fact: Fact
    weight: int  # weight * fact says by how much the variable is within the bound


@dataclass(slots=True)
class Work:
    """What a question may still spend; counts, so that answers depend on no clock."""

    numbers: int
    nodes: int

    def change(self, numbers: int) -> None:
        """Count numbers that are changed."""
        self.numbers -= numbers
        if self.numbers < 0:
            raise TooMuch

    def node(self) -> None:
        """Count a place in a tree."""
        self.nodes -= 1
        if self.nodes < 0:
            raise TooMuch


class Simplex:
    """Comparisons, added and taken back, and whether they can hold together over the reals."""

    def __init__(self, work: Work) -> None:
        self.work = work
        #: Basic variables as combinations of those that are not, and who occurs in which.
        self._rows: dict[int, dict[int, Number]] = {}
        self._users: dict[int, set[int]] = {}
        self._lower: dict[int, _Bound] = {}
        self._upper: dict[int, _Bound] = {}
        self._values: list[Value] = []
        self._monomials: dict[Monomial, int] = {}
        self._forms: dict[Polynomial, int] = {}
        self._trail: list[tuple[dict[int, _Bound], int, _Bound | None]] = []

    def mark(self) -> int:
        """Where we are now, for :meth:`back`."""
        return len(self._trail)

    def back(self, mark: int) -> None:
        """Take back all facts since a mark."""
        while len(self._trail) > mark:
            side, variable, old = self._trail.pop()
            if old is None:
                del side[variable]
            else:
                side[variable] = old

    def model(self) -> Iterator[tuple[Monomial, Value]]:
        """The monomials with their values, in the order of their appearance."""
        for monomial, variable in self._monomials.items():
            yield monomial, self._values[variable]

    def add(self, fact: Fact) -> Conflict | None:
        """Add a comparison; what it contradicts by itself."""
        relation, p = fact.condition
        value = value_of(p)
        if value is not None:
            holds = {"=": value == 0, ">": value > 0, ">=": value >= 0}[relation]
            return None if holds else {fact: 1}
        free, inner = (p[0][1], p[1:]) if not p[0][0] else (0, p)
        sign = 1 if inner[0][1] > 0 else -1
        variable = self._variable(inner if sign > 0 else tuple((m, -c) for m, c in inner))
        edge, small = -free * sign, int(relation == ">")
        conflict = None
        if relation == "=" or sign > 0:
            conflict = self._bound(variable, _Bound((edge, small), fact, sign), True)
        if conflict is None and (relation == "=" or sign < 0):
            conflict = self._bound(variable, _Bound((edge, -small), fact, -sign), False)
        return conflict

    def _variable(self, form: Polynomial) -> int:
        if len(form) == 1 and form[0][1] == 1:
            return self._monomial(form[0][0])
        if form not in self._forms:
            row: dict[int, Number] = {}
            for monomial, k in form:
                v = self._monomial(monomial)
                for w, c in self._rows[v].items() if v in self._rows else ((v, 1),):
                    _put(row, w, row.get(w, 0) + k * c)
            self._forms[form] = new = len(self._values)
            self._rows[new] = row
            for w in row:
                self._users[w].add(new)
            value = sum(c * self._values[w][0] for w, c in row.items())
            self._values.append((value, sum(c * self._values[w][1] for w, c in row.items())))
        return self._forms[form]

    def _monomial(self, monomial: Monomial) -> int:
        if monomial not in self._monomials:
            self._monomials[monomial] = new = len(self._values)
            self._users[new] = set()
            self._values.append((0, 0))
        return self._monomials[monomial]

    def _bound(self, variable: int, new: _Bound, is_lower: bool) -> Conflict | None:
        side, other = (self._lower, self._upper) if is_lower else (self._upper, self._lower)
        old, against = side.get(variable), other.get(variable)
        if old and (old.value >= new.value if is_lower else old.value <= new.value):
            return None
        self._trail.append((side, variable, old))
        side[variable] = new
        if against and (against.value < new.value if is_lower else against.value > new.value):
            return _together([(new, 1), (against, 1)])
        if variable not in self._rows:
            now = self._values[variable]
            if now < new.value if is_lower else now > new.value:
                self._move(variable, new.value)
        return None

    def _move(self, variable: int, goal: Value) -> None:
        (a, b), (x, y) = goal, self._values[variable]
        self._values[variable] = goal
        a, b = a - x, b - y
        for basic in self._users[variable]:
            k = self._rows[basic][variable]
            x, y = self._values[basic]
            self._values[basic] = (x + k * a, y + k * b)

    def check(self) -> Conflict | None:
        """A conflict among the facts; ``None`` if all hold in the model that it leaves."""
        while (basic := self._violated()) is not None:
            low = self._lower.get(basic)
            too_small = low is not None and self._values[basic] < low.value
            bound = low if too_small else self._upper[basic]
            assert bound is not None
            blocking: list[tuple[_Bound, Number]] = [(bound, 1)]
            chosen = None
            for v, k in self._rows[basic].items():
                limit = (self._upper if (k > 0) == too_small else self._lower).get(v)
                if limit is None or limit.value != self._values[v]:
                    chosen = v if chosen is None else min(chosen, v)
                else:
                    blocking.append((limit, k if k > 0 else -k))
            if chosen is None:
                return _together(blocking)
            self._pivot(basic, chosen, bound.value)
        return None

    def _violated(self) -> int | None:
        """The first basic variable that is out of its bounds; the first, so that this ends."""
        found = None
        for side, sign in ((self._lower, 1), (self._upper, -1)):
            for v, bound in side.items():
                if v not in self._rows or (found is not None and v >= found):
                    continue
                now = self._values[v]
                if now < bound.value if sign > 0 else now > bound.value:
                    found = v
        return found

    def _pivot(self, basic: int, entering: int, goal: Value) -> None:
        """The basic variable takes its bound for a value, and another one becomes basic."""
        row = self._rows.pop(basic)
        k = row.pop(entering)
        (x, y), (a, b) = self._values[basic], goal
        dx, dy = _ratio(a - x, k), _ratio(b - y, k)
        new = {w: _ratio(-c, k) for w, c in row.items()}
        new[basic] = _ratio(1, k)
        users = self._users.pop(entering)
        users.discard(basic)
        for w in row:
            self._users[w].discard(basic)
            self._users[w].add(entering)
        self._users[basic] = {entering}
        self._values[basic] = goal
        x, y = self._values[entering]
        self._values[entering] = (x + dx, y + dy)
        for user in users:
            changed = self._rows[user]
            c = changed.pop(entering)
            x, y = self._values[user]
            self._values[user] = (x + c * dx, y + c * dy)
            for w, d in new.items():
                if _put(changed, w, changed.get(w, 0) + c * d):
                    self._users[w].add(user)
                else:
                    self._users[w].discard(user)
        self._rows[entering] = new
        self.work.change(len(self._values) + len(users) * len(new))


def _together(bounds: list[tuple[_Bound, Number]]) -> Conflict:
    total: Conflict = {}
    for bound, times in bounds:
        _put(total, bound.fact, total.get(bound.fact, 0) + times * bound.weight)
    return total


def _put(total: dict[_Key, Number], key: _Key, value: Number) -> bool:
    """Set a coefficient, or remove it if it is zero."""
    if not value:
        total.pop(key, None)
        return False
    total[key] = value.numerator if value.denominator == 1 else value
    return True


def _ratio(a: Number, b: Number) -> Number:
    if b in (1, -1):
        return a * b
    value = Fraction(a) / b
    return value.numerator if value.denominator == 1 else value
