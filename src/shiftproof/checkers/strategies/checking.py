"""What is asked of a kind of input before pairs of it are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dsl.errors import BadInput
from ...dsl.language.annotations import input_kind
from ...dsl.privacy.definitions import Privacy
from ...dsl.privacy.inputs import (
    CountingQueries,
    InputKind,
    LocationCounts,
    PublicFloat,
    PublicInt,
    PublicIntVector,
    Queries,
    Value,
    kind_name,
    of_users,
)
from ...dsl.privacy.policies import Policy
from ...dsl.reading.rules import read_definition, rule_of
from ...dsl.relations import moves
from ...dsl.relations.cases import cases_of
from ...dsl.relations.pairs import Pairing
from .numbers import ends, resolved


def checked_kind(
    kind: InputKind | object, privacy: Privacy, length: int, public: Mapping[str, Any] | None
) -> tuple[str, InputKind]:
    """The kind that is meant, if it has neighbours, and a name for the input.

    Raises:
        BadInput: it is none, or is public; it has no neighbours under this relation; a public
            input that it names is missing; the length is no natural number.
    """
    found, given = input_kind(kind), public or {}
    if found is None or found.public:
        raise BadInput(f"got {kind!r}; a kind of private input like Counts is needed")
    if type(length) is not int or length < 0:
        raise BadInput(f"length: got {length!r}; an int of at least 0 is needed")
    if not isinstance(privacy, Privacy):
        raise BadInput(f"got {privacy!r}; a privacy definition such as DP() is needed")
    name = "answers"
    if privacy.input_rule is not None or privacy.speaks:
        named = [n for n in rule_of(privacy.functions[0]).parameters if n not in given]
        name = named[0] if named else name
        for missing in named[1:]:
            raise BadInput(
                f"{privacy}: one private input is meant; '{missing}' is another one, or the public "
                f"input '{missing}' is needed: public={{'{missing}': …}}"
            )
    check_named(name, found, given, length)
    found = resolved(found, given)
    kinds = {n: _public_kind(v) for n, v in given.items()} | {name: found}
    check_kinds(privacy, kinds)
    return name, found


def _public_kind(value: Any) -> InputKind:
    """The kind of a public input of which only the value is known."""
    if isinstance(value, list | tuple):
        return PublicIntVector()
    return PublicInt() if isinstance(value, int) else PublicFloat()


def check_named(name: str, kind: InputKind, public: Mapping[str, Any], length: int) -> None:
    """Make sure that what a kind names is given.

    Raises:
        BadInput: it is not, or the locations are not as many as the answers.
    """
    for needed in named_by(kind):
        if needed not in public:
            raise BadInput(
                f"{name}: the public input '{needed}' is needed: public={{'{needed}': …}}"
            )
    if isinstance(kind, LocationCounts) and len(public[kind.by]) != length:
        raise BadInput(f"{name}: {length} answers and {len(public[kind.by])} locations")


def named_by(kind: InputKind) -> list[str]:
    """The public inputs that a kind of private input names."""
    fields = [getattr(kind, field, "") for field in ("by", "low", "high")]
    return [*kind.named, *(name for name in fields if isinstance(name, str) and name)]


def check_kinds(privacy: Privacy, inputs: Mapping[str, InputKind]) -> None:
    """Make sure that the private ones of these inputs have neighbours.

    Raises:
        BadInput: the relation does not speak of such inputs, or no two of them are neighbours.
    """
    kinds = {n: k for n, k in inputs.items() if not k.public}
    if privacy.input_rule is not None:
        cases_of(read_definition(privacy), inputs)
        return
    policy = privacy.policy_of_values
    for name, kind in kinds.items():
        moves.moves_of(privacy.of_inputs, name, kind, inputs)
        if isinstance(kind, Value) and kind.constant and len(kinds) == 1:
            _check_range(name, kind)
        if policy is not None and not isinstance(kind, Queries):
            _check_policy(name, kind, policy)
    if privacy.speaks:
        _check_together(privacy, inputs, kinds)


def _check_range(name: str, kind: Value) -> None:
    low, high = ends(kind)
    if low >= high:
        what = "no integer" if low > high else "one value only"
        raise BadInput(f"{name}: there is {what} in [{kind.low}, {kind.high}], so no neighbours")


def _check_policy(name: str, kind: InputKind, policy: Policy) -> None:
    if not policy.sensitive or len(policy.universe) < 2:
        raise BadInput(f"{name}: no record has another one to hide among under {policy}")
    if isinstance(kind, Value):
        low, high = ends(kind)
        if not any(low <= v <= high for v in policy.sensitive):
            raise BadInput(f"{name}: no value in [{kind.low}, {kind.high}] is sensitive")
    if (
        isinstance(kind, CountingQueries)
        and (kind.one_hot and kind.array)
        and not set(policy.universe) - set(kind.counted)
    ):
        raise BadInput(f"{name}: one-hot records need a value besides {sorted(kind.counted)}")


def _check_together(
    privacy: Privacy, inputs: Mapping[str, InputKind], kinds: Mapping[str, InputKind]
) -> None:
    """A definition that speaks of all private inputs must know which belong to one user."""
    for name, kind in kinds.items():
        if not of_users(kind):
            raise BadInput(f"'{name}': {kind_name(kind)} has no neighbours under {privacy}")
    if len({kind.array for kind in kinds.values()}) > 1:
        raise BadInput(
            f"{privacy}: which of the values in {', '.join(kinds)} are those of one user is not "
            "said; single values or sequences are needed, not both"
        )
    Pairing(read_definition(privacy), inputs)
