"""Privacy definitions: which pairs of inputs are neighbours, and in which direction.

Every definition is the same inequality, Pr[m(D) ∈ S] <= e^ε Pr[m(D') ∈ S] for all
ordered neighbours (D, D'); they differ in the neighbour relation alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from ..errors import BadInput
from .policies import Policy

Function = Callable[..., Any]


def _named(function: object) -> str:
    return str(getattr(function, "__name__", function))


@dataclass(frozen=True, slots=True)
class Privacy:
    """Base of the privacy definitions."""

    @property
    def functions(self) -> tuple[Function, ...]:
        """The user's functions that the definition is made of."""
        return ()


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

    ``rule`` is a function of the language whose parameters are the private inputs of the
    mechanism, and public scalar ones where it needs them; it says of D (plain names) and D'
    (``other(...)``) when they are neighbours.  For sequences the rule holds at every index,
    and lengths are public::

        def one_person(visits: float, stays: float) -> bool:
            return 0 <= visits - other(visits) and 0 <= stays - other(stays) \\
                and visits - other(visits) + stays - other(stays) <= 1
    """

    rule: Function

    @property
    def functions(self) -> tuple[Function, ...]:
        """The rule."""
        return (self.rule,)

    def __str__(self) -> str:
        return f"Related({_named(self.rule)})"


@dataclass(frozen=True, slots=True)
class OneSidedDP(Privacy):
    """ε-one-sided differential privacy: a sensitive record is replaced by any other one.

    A record is sensitive if one of its attributes is; all of it may then change, while
    (P, ε)-ADP lets its sensitive attributes change only.  The two are one for records of one
    value.  Source: Kotsogiannis et al., "One-sided differential privacy" (ICDE 2020).
    """

    policy: Policy

    def __str__(self) -> str:
        return f"OneSidedDP({self.policy})"


@dataclass(frozen=True, slots=True)
class DPrivacy(LDP):
    """d-privacy: any two values are neighbours, with the budget ε · d(x, x').

    ``distance`` is a function of the language whose parameters are the private inputs of the
    mechanism; it gives the distance of D (plain names) from D' (``other(...)``)::

        def distance(x: int) -> int:
            return abs(x - other(x))

    Source: Chatzikokolakis et al., "Broadening the scope of differential privacy using
    metrics" (PETS 2013); the geometric-noise paper, definition (3).
    """

    distance: Function

    @property
    def functions(self) -> tuple[Function, ...]:
        """The distance."""
        return (self.distance,)

    def __str__(self) -> str:
        return f"DPrivacy({_named(self.distance)})"


@dataclass(frozen=True, slots=True)
class ContextAwareLDP(LDP):
    """Context-aware LDP: each ordered pair of values has a budget of its own, in nats.

    ``budget`` is a function of the language; its parameters are the private inputs, and any
    public scalar ones.  It takes the place of the mechanism's ``budget``.
    Source: Acharya et al., "Context-aware local differential privacy" (ICML 2020).
    """

    budget: Function

    @property
    def functions(self) -> tuple[Function, ...]:
        """The budget of a pair."""
        return (self.budget,)

    def __str__(self) -> str:
        return f"ContextAwareLDP({_named(self.budget)})"


@dataclass(frozen=True, slots=True)
class InputDiscriminativeLDP(LDP):
    """Input-discriminative LDP: each value has a budget; a pair has the smaller one of its two.

    ``budget`` is a function of the language: the private inputs, and any public scalar ones,
    to nats.  It takes the place of the mechanism's ``budget``.
    Source: Gu et al., "Providing input-discriminative protection for local differential
    privacy" (ICDE 2020), MinID-LDP.
    """

    budget: Function

    @property
    def functions(self) -> tuple[Function, ...]:
        """The budget of a value."""
        return (self.budget,)

    def __str__(self) -> str:
        return f"InputDiscriminativeLDP({_named(self.budget)})"


@dataclass(frozen=True, slots=True)
class Blowfish(LDP):
    """Blowfish privacy of a value: neighbours are the edges of a graph of secrets, both ways.

    ``secrets`` is a rule of the language over the private inputs: whether D (plain names) and
    D' (``other(...)``) are to be told apart by nobody::

        def close(x: int) -> bool:
            return abs(x - other(x)) <= 5

    Source: He, Machanavajjhala and Ding, "Blowfish privacy" (SIGMOD 2014), without
    constraints on the data.
    """

    secrets: Function

    @property
    def functions(self) -> tuple[Function, ...]:
        """The graph of secrets."""
        return (self.secrets,)

    def __str__(self) -> str:
        return f"Blowfish({_named(self.secrets)})"


@dataclass(frozen=True, slots=True)
class UtilityOptimizedLDP(LDP):
    """Utility-optimised LDP: some outputs are protected, others name a value that may be known.

    ``sensitive`` tells of a value whether it is sensitive, ``protected`` of a released value
    whether it is a protected one; both are functions of one parameter, in the language, which
    may use public scalar parameters of the mechanism by name as further ones.  For a protected
    output the bound holds between any two values.  Any other output comes from one value
    alone, and that is not sensitive.
    Source: Murakami and Kawamoto, "Utility-optimized local differential privacy mechanisms
    for distribution estimation" (USENIX Security 2019).
    """

    sensitive: Function
    protected: Function

    @property
    def functions(self) -> tuple[Function, ...]:
        """Which values are sensitive, and which outputs are protected."""
        return self.sensitive, self.protected

    def __str__(self) -> str:
        return f"UtilityOptimizedLDP({_named(self.sensitive)}, {_named(self.protected)})"
