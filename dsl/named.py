"""What a private input names: the public parameters that are its bounds, and the like."""

from __future__ import annotations

from collections.abc import Mapping

from .errors import BadInput
from .inputs import InputKind, LocationCounts, PublicIntVector, Queries, Value
from .quantity import as_term
from .terms import Linear, Symbol, term


def bounds_of(kind: InputKind, inputs: Mapping[str, InputKind]) -> tuple[Linear, Linear]:
    """The range of a user's value; a bound that has a name is a public parameter."""
    assert isinstance(kind, Value)
    low, high = (
        term(Symbol(b, inputs[b].whole, fixed=True)) if isinstance(b, str) else as_term(b)
        for b in (kind.low, kind.high)
    )
    return low, high


def check_named(name: str, kind: InputKind, inputs: Mapping[str, InputKind]) -> None:
    """Make sure that a sensitivity and locations that have names are parameters of the right kind.

    Raises:
        BadInput: one of them is not.
    """
    if isinstance(kind, Queries) and isinstance(kind.sensitivity, str):
        _check_sensitivity(name, kind.sensitivity, inputs)
    if isinstance(kind, LocationCounts):
        _check_locations(name, kind.by, inputs)


def _check_sensitivity(name: str, parameter: str, inputs: Mapping[str, InputKind]) -> None:
    kind = inputs.get(parameter)
    if kind is None or not kind.public or kind.array:
        raise BadInput(f"'{name}': its sensitivity '{parameter}' is no public scalar parameter")


def check_bounds(name: str, kind: Value, inputs: Mapping[str, InputKind]) -> None:
    """Make sure that the bounds of a value that have names are parameters of the right kind.

    Raises:
        BadInput: one of them is not.
    """
    for bound in (kind.low, kind.high):
        named = inputs.get(bound) if isinstance(bound, str) else None
        if isinstance(bound, str) and (named is None or not named.public or named.array):
            raise BadInput(f"'{name}': its bound '{bound}' is no public scalar parameter")
        if kind.whole and named is not None and not named.whole:
            raise BadInput(f"'{name}': its bound '{bound}' is no integer parameter")


def _check_locations(name: str, by: str, inputs: Mapping[str, InputKind]) -> None:
    kind = inputs.get(by)
    if not isinstance(kind, PublicIntVector):
        raise BadInput(f"'{name}': its locations '{by}' are no parameter of type Public[IntVector]")
