"""What is asked of a kind of input before pairs of it are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dsl.errors import BadInput
from ...dsl.inputs import (
    CountingQueries,
    DataSet,
    InputKind,
    LocationCounts,
    Queries,
    Value,
    input_kind,
)
from ...dsl.moves import moves_of
from ...dsl.privacy import ADP, Privacy, Related
from ...dsl.rules import rule_of


def checked_kind(
    kind: InputKind | object, privacy: Privacy, length: int, public: Mapping[str, Any] | None
) -> tuple[str, InputKind]:
    """The kind that is meant, if it has neighbours, and a name for the input.

    Raises:
        BadInput: it is none, or is public; it has no neighbours under this relation; a public
            input that it names is missing; the length is no natural number.
    """
    found = input_kind(kind)
    if found is None or found.public:
        raise BadInput(f"got {kind!r}; a kind of private input like Counts is needed")
    if type(length) is not int or length < 0:
        raise BadInput(f"length: got {length!r}; an int of at least 0 is needed")
    name = "answers"
    if isinstance(privacy, Related) and len(rule_of(privacy.rule).parameters) == 1:
        (name,) = rule_of(privacy.rule).parameters
    check_named(name, found, public or {}, length)
    check_kinds(privacy, {name: found})
    return name, found


def check_named(name: str, kind: InputKind, public: Mapping[str, Any], length: int) -> None:
    """Make sure that what a kind names is given.

    Raises:
        BadInput: it is not, or the locations are not as many as the answers.
    """
    needed = kind.sensitivity if isinstance(kind, Queries) else ""
    needed = kind.by if isinstance(kind, LocationCounts) else needed
    if isinstance(needed, str) and needed and needed not in public:
        raise BadInput(f"{name}: the public input '{needed}' is needed: public={{'{needed}': …}}")
    if isinstance(kind, LocationCounts) and len(public[kind.by]) != length:
        raise BadInput(f"{name}: {length} answers and {len(public[kind.by])} locations")


def check_kinds(privacy: Privacy, kinds: Mapping[str, InputKind]) -> None:
    """Make sure that these private inputs have neighbours.

    Raises:
        BadInput: the relation does not speak of such inputs, or no two of them are neighbours.
    """
    if not isinstance(privacy, Privacy):
        raise BadInput(f"got {privacy!r}; a privacy definition such as DP() is needed")
    if isinstance(privacy, Related):
        _check_rule(privacy, kinds)
        return
    for name, kind in kinds.items():
        moves_of(privacy, name, kind, kinds)
        if isinstance(kind, Queries) or not isinstance(privacy, ADP):
            continue
        policy = privacy.policy
        if not policy.sensitive or len(policy.universe) < 2:
            raise BadInput(f"{name}: no record has another one to hide among under {policy}")
        if isinstance(kind, Value) and not any(
            kind.low <= v <= kind.high for v in policy.sensitive
        ):
            raise BadInput(f"{name}: no value in [{kind.low}, {kind.high}] is sensitive")
        if isinstance(kind, CountingQueries) and kind.one_hot:
            _check_one_hot(name, kind, policy.universe)


def _check_one_hot(name: str, kind: CountingQueries, universe: tuple[int, ...]) -> None:
    if kind.array and not set(universe) - set(kind.counted):
        raise BadInput(f"{name}: one-hot records need a value besides {sorted(kind.counted)}")


def _check_rule(privacy: Related, kinds: Mapping[str, InputKind]) -> None:
    parameters = rule_of(privacy.rule).parameters
    if set(parameters) != set(kinds):
        raise BadInput(
            f"{privacy}: the rule speaks of {', '.join(parameters) or 'nothing'}; the private "
            f"inputs are {', '.join(kinds) or 'none'}"
        )
    if any(isinstance(kind, DataSet) for kind in kinds.values()):
        raise BadInput(f"{privacy}: a rule speaks of numbers, not of records")
