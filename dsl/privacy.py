"""Privacy definitions: which pairs of inputs are neighbours, and in which direction.

Every definition is the same inequality, Pr[m(D) ∈ S] <= e^ε Pr[m(D') ∈ S] for all
ordered neighbours (D, D'); they differ in the neighbour relation alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from .errors import BadInput
from .policies import Policy


@dataclass(frozen=True, slots=True)
class Privacy:
    """Base of the privacy definitions."""


@dataclass(frozen=True, slots=True)
class ADP(Privacy):
    """(P, ε)-asymmetric differential privacy: one record changes, and only sensitive values of it.

    Source: Asymmetric Differential Privacy, Definition 10 (one direction only).
    """

    policy: Policy

    def __str__(self) -> str:
        return f"ADP({self.policy})"


@dataclass(frozen=True, slots=True)
class DP(Privacy):
    """ε-differential privacy; neighbours by ``replacement`` of a record, or ``add-remove``."""

    neighbours: Literal["replacement", "add-remove"] = "replacement"

    def __post_init__(self) -> None:
        if self.neighbours not in ("replacement", "add-remove"):
            raise BadInput(f"DP: got {self.neighbours!r}; 'replacement' or 'add-remove' is needed")

    def __str__(self) -> str:
        return "DP" if self.neighbours == "replacement" else "DP(add-remove)"


@dataclass(frozen=True, slots=True)
class LDP(Privacy):
    """ε-local differential privacy: any two values of one user are neighbours."""

    def __str__(self) -> str:
        return "LDP"


@dataclass(frozen=True, slots=True)
class Related(Privacy):
    """A relation of the user's own, over all private inputs at once.

    ``rule`` is a function of the language whose parameters are private inputs of the
    mechanism; it says of D (plain names) and D' (``other(...)``) when they are
    neighbours.  For sequences the rule holds at every index, and lengths are public::

        def one_person(visits: float, stays: float) -> bool:
            return 0 <= visits - other(visits) and 0 <= stays - other(stays) \\
                and visits - other(visits) + stays - other(stays) <= 1
    """

    rule: Callable[..., Any]

    def __str__(self) -> str:
        return f"Related({getattr(self.rule, '__name__', self.rule)})"
