"""Which pairs of inputs are neighbours: decided from the definitions, input by input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, cast

from ...dsl.errors import BadInput
from ...dsl.privacy.definitions import Privacy
from ...dsl.privacy.inputs import (
    CountingQueries,
    DataSet,
    InputKind,
    Queries,
    Secret,
    Value,
    WindowCounts,
    of_users,
)
from ...dsl.privacy.policies import Policy
from ...dsl.relations.pairs import Rule, as_rule
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import TRUE
from ...dsl.terms.linear import number
from ...dsl.terms.values import NumberKind, exact
from .chains import chained, declared_steps
from .inputs import Inputs, Instance, plain_inputs, preconditions_hold
from .records import Arrivals, People, arrivals, people

_Side: TypeAlias = dict[str, Any]


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
            if not preconditions_hold(self._program, instance.base, instance.public, side):
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
        if self._privacy.group_size > 1:
            near = Relation(self._program.one_step).witnesses(instance)
            inside = all(_inside(k, n, instance) for n, k in self.private.items())
            return near or (Witnesses() if inside and chained(self._program, instance) else None)
        if self._privacy.input_rule is not None:
            rule = as_rule(self._privacy.input_rule)
            return Witnesses() if self._ruled(rule, left, right, public) else None
        if self._privacy.adding and not self._one_way(left, right):
            return None
        counts = any(isinstance(k, CountingQueries | WindowCounts) for k in self.private.values())
        change = self._privacy.record_change
        if counts and (change is None or change.whole):
            return None
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
            elif not (
                isinstance(kind, CountingQueries)
                or of_users(kind)
                or self._near(name, kind, instance)
            ):
                return None
        if not are_neighbours(self._program, instance):
            return None
        return Witnesses(found, came or None)

    def _one_way(self, left: Inputs, right: Inputs) -> bool:
        """Whether nothing that counts records rises where something else falls."""
        ways = set[bool]()
        for name, kind in self.private.items():
            one, two = cast(Any, left[name]), cast(Any, right[name])
            if isinstance(kind, DataSet):
                ways |= {len(one) > len(two)}
            elif isinstance(kind, CountingQueries | WindowCounts):
                rows = (one, two) if kind.array else ((one,), (two,))
                ways |= {a > b for a, b in zip(*rows, strict=True) if a != b}
        return len(ways) <= 1

    def _near(self, name: str, kind: InputKind, instance: Instance) -> bool:
        """Whether one private input of no record moves as it may."""
        one, two = cast(Any, instance.left[name]), cast(Any, instance.right[name])
        match kind:
            case Queries():
                rows = (one, two) if kind.array else ((one,), (two,))
                return declared_steps(kind, rows, instance.public) <= 1
            case DataSet():
                change = self._privacy.record_change
                same = one == two and not self._privacy.adding
                return change is not None and (same or change.relates(one, two))
        return False

    def _ruled(self, rule: Rule, left: Inputs, right: Inputs, public: Inputs) -> bool:
        """Whether the user's rule holds at every index."""
        inputs = self._program.inputs
        lengths = {_length(left[n]) for n in rule.parameters if inputs[n].array}
        if len(lengths) > 1:
            return False
        kinds = {n: "int" if inputs[n].whole else "float" for n in rule.parameters}
        for i in range(max(lengths, default=1)):
            sides = [
                {n: number(Fraction(_element({**public, **side}[n], i))) for n in rule.parameters}
                for side in (left, right)
            ]
            if any(fact != TRUE for fact in rule.facts(sides[0], sides[1], kinds)):  # type: ignore[arg-type]
                return False
        return True


def _length(value: object) -> int:
    return len(value) if isinstance(value, tuple) else 0


def _element(value: Any, i: int) -> Any:
    return value[i] if isinstance(value, tuple) else value


def are_neighbours(program: Program, instance: Instance) -> bool:
    """Whether users' values are neighbours, as far as the input is users' values."""
    kinds = {n: k for n, k in program.inputs.items() if not k.public and of_users(k)}
    if not kinds:
        return True
    sides = one_user(program, kinds, instance)
    if sides is None:
        return False
    left, right = sides
    if not left:
        return True  # no user at all
    kinds = {n: k for n, k in kinds.items() if n in left}
    privacy = program.privacy
    near = all(_near(privacy, k, left[n], right[n]) for n, k in kinds.items())
    change = privacy.record_change
    if change and change.whole and change.policy:
        near = near and _replaced(change.policy, kinds, left, right)
    if not near or not all(_inside(k, n, instance) for n, k in kinds.items()):
        return False
    if privacy.edge_rule is not None and left != right:
        return _edge(as_rule(privacy.edge_rule), kinds, left, right)
    return True


def one_user(
    program: Program, kinds: Mapping[str, InputKind], instance: Instance
) -> tuple[_Side, _Side] | None:
    """The values of the user who differs (or of the first one), if there is one such user.

    With several sequences it is the same user in all of them; where they are empty, single
    values are all that users have.
    """
    arrays = [n for n, k in kinds.items() if k.array]
    one, two = cast(_Side, instance.left), cast(_Side, instance.right)
    if arrays and len(kinds) > len(arrays):
        moved = (
            any(one[n] != two[n] for n in arrays),
            any(one[n] != two[n] for n in kinds if n not in arrays),
        )
        if all(moved) or program.privacy.speaks:
            return None  # whether these belong together is not said
    places = {
        i for n in arrays for i, (a, b) in enumerate(zip(one[n], two[n], strict=True)) if a != b
    }
    if len(places) > 1:
        return None
    at = min(places, default=0)
    if any(len(one[n]) <= at for n in arrays):
        if any(map(len, (one[n] for n in arrays))):
            return None
        kinds = {n: k for n, k in kinds.items() if not k.array}

    def value(side: _Side, name: str) -> Any:
        return side[name][at] if kinds[name].array else side[name]

    return {n: value(one, n) for n in kinds}, {n: value(two, n) for n in kinds}


def _replaced(policy: Policy, kinds: Mapping[str, InputKind], left: _Side, right: _Side) -> bool:
    """Whether values that change are of a record of which one is sensitive.

    Single values are of one record, those of a user in sequences of another one.
    """
    records = [[n for n, k in kinds.items() if k.array is array] for array in (False, True)]
    return all(
        all(left[n] == right[n] for n in names) or any(left[n] in policy.sensitive for n in names)
        for names in records
    )


def _near(privacy: Privacy, kind: InputKind, one: Any, two: Any) -> bool:
    """Whether one value may become another one, whatever the functions of the definition say."""
    if isinstance(kind, Secret):
        return privacy.is_local and not kind.array
    assert isinstance(kind, Value)
    change, policy = privacy.record_change, privacy.policy_of_values
    if change is not None and policy is not None:
        known = {one, two} <= set(policy.universe)
        # If the record is replaced as a whole, it decides, not each of its values.
        return kind.whole and known and (change.whole or one == two or one in policy.sensitive)
    return privacy.is_local or change is not None


def _inside(kind: InputKind, name: str, instance: Instance) -> bool:
    """Whether all users' values lie in their range, on both sides."""
    if not isinstance(kind, Value):
        return True
    low, high = bounds(kind, instance.public)
    for side in (instance.left, instance.right):
        row = cast(Any, side[name]) if kind.array else (cast(Any, side[name]),)
        if not all(low <= v <= high for v in row):
            return False
    return True


def bounds(kind: Value, public: Inputs) -> tuple[Fraction, Fraction]:
    """The range of a value; a bound with a name is a public parameter."""
    low, high = (
        Fraction(cast(Any, public[b])) if isinstance(b, str) else exact(b)
        for b in (kind.low, kind.high)
    )
    return low, high


def _edge(rule: Rule, kinds: Mapping[str, InputKind], left: _Side, right: _Side) -> bool:
    """Whether a rule is defined both ways, and holds one way or the other."""
    types: dict[str, NumberKind] = {n: "int" if k.whole else "float" for n, k in kinds.items()}
    one, two = ({n: number(Fraction(v)) for n, v in side.items()} for side in (left, right))
    return all(fact == TRUE for fact in rule.edge(one, two, types))
