"""Which pairs of inputs are neighbours: decided from the definitions, input by input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from ...dsl.errors import BadInput
from ...dsl.formulas import TRUE
from ...dsl.inputs import (
    CountingQueries,
    DataSet,
    InputKind,
    Queries,
    Value,
    WindowCounts,
)
from ...dsl.policies import is_neighbour
from ...dsl.privacy import ADP, DP, LDP, Related
from ...dsl.program import Program
from ...dsl.rules import rule_of
from ...dsl.terms import number
from ...dsl.values import exact
from .inputs import Inputs, Instance, plain_inputs
from .records import Arrivals, People, arrivals, people


@dataclass(frozen=True, slots=True)
class Witnesses:
    """Who makes two inputs neighbours, where the relation is about people."""

    people: People | None = None
    arrivals: Mapping[str, Arrivals] | None = None


class Relation:
    """The neighbour relation of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._privacy = program.privacy
        self.private = {n: k for n, k in program.inputs.items() if not k.public}

    def admits(self, instance: Instance) -> bool:
        """Whether the preconditions hold for both inputs, and they are neighbours that differ."""
        differ = instance.left != instance.right
        return differ and self.accepts(instance) and self.witnesses(instance) is not None

    def accepts(self, instance: Instance) -> bool:
        """Whether the preconditions hold for both inputs."""
        for side in (instance.left, instance.right):
            values = plain_inputs(self._program, instance.base, instance.public, side)
            try:
                for name, kind in self._program.inputs.items():
                    kind.accept(name, values[name])
                self._program.check_preconditions(values)
            except BadInput:
                return False
        return True

    def witnesses(self, instance: Instance) -> Witnesses | None:
        """Who makes the inputs neighbours; ``None`` if they are not."""
        left, right, public = instance.left, instance.right, instance.public
        if any(
            _length(left[n]) != _length(right[n])
            for n, k in self.private.items()
            if not isinstance(k, DataSet)
        ):
            return None
        if isinstance(self._privacy, Related):
            return Witnesses() if self._ruled(left, right) else None
        found: People | None = None
        came: dict[str, Arrivals] = {}
        counted = {n: k for n, k in self.private.items() if isinstance(k, CountingQueries)}
        if counted:
            found = people(self._privacy, counted, left, right, public)
            if found is None and any(left[n] != right[n] for n in counted):
                return None
        for name, kind in self.private.items():
            if isinstance(kind, WindowCounts):
                one, two = cast(Any, left[name]), cast(Any, right[name])
                seen = arrivals(self._privacy, kind, one, two)
                if seen is None:
                    return None
                came[name] = seen
            elif not isinstance(kind, CountingQueries) and not self._near(name, kind, instance):
                return None
        return Witnesses(found, came or None)

    def _near(self, name: str, kind: InputKind, instance: Instance) -> bool:
        """Whether one private input of no record moves as it may."""
        one, two = cast(Any, instance.left[name]), cast(Any, instance.right[name])
        match kind:
            case Queries():
                return _declared(kind, one, two, instance.public)
            case Value():
                policy = self._privacy.policy if isinstance(self._privacy, ADP) else None
                free = policy is None or one in policy.sensitive
                inside = all(kind.low <= v <= kind.high for v in (one, two))
                known = policy is None or {one, two} <= set(policy.universe)
                allowed = isinstance(self._privacy, DP | LDP | ADP)
                return inside and known and allowed and (free or one == two)
            case DataSet():
                return self._data_sets(one, two)
        return False

    def _data_sets(
        self, one: tuple[tuple[int, ...], ...], two: tuple[tuple[int, ...], ...]
    ) -> bool:
        privacy = self._privacy
        if isinstance(privacy, ADP):
            return one == two or is_neighbour(one, two, privacy.policy)
        if isinstance(privacy, DP) and privacy.neighbours == "add-remove":
            short, long = sorted((one, two), key=len)
            return len(long) == len(short) + 1 and any(
                (*long[:k], *long[k + 1 :]) == short for k in range(len(long))
            )
        same = len(one) == len(two)
        return same and sum(r != s for r, s in zip(one, two, strict=True)) <= 1

    def _ruled(self, left: Inputs, right: Inputs) -> bool:
        """Whether the user's rule holds at every index."""
        assert isinstance(self._privacy, Related)
        rule = rule_of(self._privacy.rule)
        lengths = {_length(left[n]) for n in rule.parameters if self.private[n].array}
        if len(lengths) > 1:
            return False
        kinds = {n: "int" if self.private[n].whole else "float" for n in rule.parameters}
        for i in range(max(lengths, default=1)):
            sides = [
                {n: number(Fraction(_element(side[n], i))) for n in rule.parameters}
                for side in (left, right)
            ]
            if any(fact != TRUE for fact in rule.facts(sides[0], sides[1], kinds)):  # type: ignore[arg-type]
                return False
        return True


def _declared(kind: Queries, one: Any, two: Any, public: Inputs) -> bool:
    """Whether answers move by at most their sensitivity, in their direction."""
    given = kind.sensitivity
    most = Fraction(cast(Any, public[given])) if isinstance(given, str) else exact(given)
    ones, twos = (one, two) if kind.array else ((one,), (two,))
    moves = [Fraction(a) - Fraction(b) for a, b in zip(ones, twos, strict=True)]
    low = Fraction(0) if kind.direction == "decreasing" else -most
    high = Fraction(0) if kind.direction == "increasing" else most
    few = kind.differing == "all" or sum(move != 0 for move in moves) <= 1
    return few and all(low <= move <= high for move in moves)


def _length(value: object) -> int:
    return len(value) if isinstance(value, tuple) else 0


def _element(value: Any, i: int) -> Any:
    return value[i] if isinstance(value, tuple) else value
