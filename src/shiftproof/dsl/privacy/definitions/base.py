"""What a privacy definition states: its neighbours, its budget, and its words.

Every definition is the same inequality, Pr[m(D) ∈ S] <= e^β Pr[m(D') ∈ S] for all ordered
neighbours (D, D'); β is in nats.  They differ in the neighbours and in the budget β of a pair,
and each states its own in a file of its own, as data and as functions over the two sides.  With
``zcdp`` the inequality is another one: the Rényi divergence of order α of m(D) from m(D') is at
most αβ for every α > 1, and β is called ρ.
Whoever proves, refutes, tests or explains asks a definition for these, and never for its class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

from ...errors import BadInput
from ..policies import DataSet, Policy, is_record_neighbour

Function = Callable[..., Any]
#: A δ: a number, a parameter by its name, or a function of parameters.
Delta = int | float | Fraction | str | Function
#: On what the budget depends: not on the pair; on a distance, as a factor; on the pair alone.
PairBudget = Literal["", "distance", "budget"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RecordChange:
    """How data sets of neighbours differ: in one record.

    ``policy``: the values that there are, and which of them are protected; ``None``: any
    integers, all of them protected.  ``whole``: all of a record is replaced as soon as one of
    its values is sensitive; else only sensitive values change.  ``adding``: only one of the
    two data sets has the record.
    """

    policy: Policy | None = None
    whole: bool = False
    adding: bool = False

    def relates(self, data: DataSet, other: DataSet) -> bool:
        """Whether D and D' are two data sets that differ so.

        Raises:
            BadInput: a differing record has a value outside the universe of the policy.
        """
        if self.adding:
            short, long = sorted((data, other), key=len)
            without = ((*long[:k], *long[k + 1 :]) for k in range(len(long)))
            return len(long) == len(short) + 1 and short in without
        changed = [(r, s) for r, s in zip(data, other, strict=False) if r != s]
        if len(data) != len(other) or len(changed) != 1:
            return False
        ((before, after),) = changed
        if self.whole and self.policy is not None:
            sensitive = [self.policy.is_sensitive(v) for v in (*before, *after)]
            return len(before) == len(after) and any(sensitive[: len(before)])
        return self.policy is None or is_record_neighbour(before, after, self.policy)


@dataclass(frozen=True, slots=True)
class PairSides(Generic[T]):
    """Two values of a user, in D and in D', to which functions of a definition are applied.

    ``declared``: the ε of the mechanism.  ``of``: what a function says of D, where ``other(…)`` is
    D'; ``back``: the reverse.  ``times``, ``smaller``: the product, and the smaller one, of two.
    """

    declared: T
    of: Callable[[Function], T]
    back: Callable[[Function], T]
    times: Callable[[T, T], T]
    smaller: Callable[[T, T], T]


class OutputClaim(NamedTuple):
    """The bound is owed of protected outputs only; others come from one value, not sensitive."""

    sensitive: Function
    protected: Function


class Told(NamedTuple):
    """A definition in words: its name, and who is a neighbour of whom.

    In ``neighbours`` stand ``{d}`` and ``{e}`` for D and D', ``{p}`` for P, and the names of the
    ``parts``: conditions of the author's own, and sets of values.
    """

    name: str
    neighbours: str
    parts: Mapping[str, Function | frozenset[int]] = {}


@dataclass(frozen=True, slots=True)
class Privacy:
    """Base of the privacy definitions.

    A subclass states what is its own: see "A definition in one file" in the documentation.

    Args:
        delta: δ of an approximate claim, Pr[m(D) ∈ S] <= e^β Pr[m(D') ∈ S] + δ: a number, the name
            of a public parameter, or a function of public parameters by name, as ``budget`` is one.
        zcdp: whether ρ of zero-concentrated differential privacy is claimed, and not ε.

    Raises:
        BadInput: either of a definition for which it is not said what it means, or a δ that is
            none.

    Source of ``zcdp``: Bun and Steinke, "Concentrated differential privacy: simplifications,
    extensions, and lower bounds" (TCC 2016), Definition 1.1, in the direction that is owed.
    """

    delta: Delta | None = field(default=None, kw_only=True)
    zcdp: bool = field(default=False, kw_only=True)

    #: Whether D' and D are neighbours wherever D and D' are, by the definition itself.
    is_symmetric: ClassVar[bool] = False
    #: Whether δ can be claimed beside ε, or ρ in its place.
    relaxes: ClassVar[bool] = False
    #: Whether any two values of one user are neighbours, as far as ``edge_rule`` lets them.
    is_local: ClassVar[bool] = False
    #: Whether budgets add up, so that a mechanism may call another one that claims the same.
    composes: ClassVar[bool] = True
    #: On what ``budget_of_pair`` depends.
    pair_budget: ClassVar[PairBudget] = ""
    #: Whether its functions are about one value each, and never about ``other(…)``.
    of_one_value: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not isinstance(self.zcdp, bool):
            raise BadInput(
                f"{type(self).__name__}: got zcdp={self.zcdp!r}; True or False is needed"
            )
        said = "zcdp" if self.zcdp else "delta"
        relaxes = self.relaxes and not self.pair_budget and not self.output_claim
        if self.is_relaxed and not relaxes:
            raise BadInput(
                f"{type(self).__name__}: {said} is claimed of DP, ADP, OneSidedDP, LDP, Blowfish "
                "or Related, whose budget is the same for all neighbours"
            )
        if self.zcdp and self.delta is not None:
            raise BadInput(f"{type(self).__name__}: ρ or δ is claimed, not both: leave one out")
        given = self.delta
        number = isinstance(given, int | float | Fraction) and not isinstance(given, bool)
        if number and not 0 <= given < 1:  # type: ignore[operator]
            raise BadInput(f"{type(self).__name__}: got delta={given}; it lies in [0, 1)")
        if not (number or given is None or isinstance(given, str) or callable(given)):
            raise BadInput(
                f"{type(self).__name__}: got delta={given!r}; a number, the name of a public "
                "parameter, or a function of public parameters is needed"
            )

    @property
    def record_change(self) -> RecordChange | None:
        """How data sets differ; ``None`` where it does not speak of records."""
        return None

    @property
    def policy_of_values(self) -> Policy | None:
        """The policy that says which values records have; ``None``: any."""
        return None if self.record_change is None else self.record_change.policy

    @property
    def adding(self) -> bool:
        """Whether a record appears or disappears; all that it moves, it moves in one direction."""
        return self.record_change is not None and self.record_change.adding

    @property
    def whole(self) -> bool:
        """Whether all of a record is replaced as soon as one of its values is sensitive."""
        return self.record_change is not None and self.record_change.whole

    @property
    def both_ways(self) -> bool:
        """Whether D' and D are neighbours, too, wherever records of D and D' make them such."""
        policy = self.policy_of_values
        return policy is None or policy.sensitive >= set(policy.universe)

    @property
    def input_rule(self) -> Function | None:
        """A rule that alone says of all private inputs when they are neighbours."""
        return None

    @property
    def edge_rule(self) -> Function | None:
        """A rule that, one way or the other, two values of a user must meet as well."""
        return None

    @property
    def output_claim(self) -> OutputClaim | None:
        """Of which outputs the bound is owed; ``None``: of all."""
        return None

    @property
    def group_size(self) -> int:
        """At most how many steps of ``one_step`` lead from D to D', one after the other."""
        return 1

    @property
    def one_step(self) -> Privacy:
        """The definition of one step: a chain of steps has the budgets of all of them."""
        return self

    @property
    def of_inputs(self) -> Privacy:
        """The definition that has the same neighbours and owes the bound of all outputs."""
        return self

    def budget_of_pair(self, pair: PairSides[T]) -> T:
        """The budget β of a pair, in nats."""
        return pair.declared

    def told(self) -> Told:
        """The definition in words."""
        return Told(str(self), "{d} and {e} are neighbours under " + str(self) + ".")

    @property
    def made_of(self) -> tuple[Any, ...]:
        """What it was made of, as far as that is not the default."""
        given = [(f, getattr(self, f.name)) for f in fields(self) if not f.kw_only]
        return tuple(value for f, value in given if value != f.default)

    @property
    def options(self) -> tuple[Field[Any], ...]:
        """Which of its options it was given, as far as that is not the default."""
        return tuple(f for f in fields(self) if f.kw_only and getattr(self, f.name) != f.default)

    @property
    def is_relaxed(self) -> bool:
        """Whether it claims a ρ, or a δ beside its ε."""
        return self.zcdp or self.delta is not None

    @property
    def letter(self) -> str:
        """What its budget is called: ε, or ρ."""
        return "ρ" if self.zcdp else "ε"

    @property
    def exactly(self) -> Privacy:
        """The same definition without δ."""
        return self if self.delta is None else replace(self, delta=None)

    @property
    def pure(self) -> Privacy:
        """The definition of ε that has the same neighbours."""
        return replace(self, delta=None, zcdp=False) if self.is_relaxed else self

    def showing(self, letter: str) -> Privacy:
        """The definition of ``ε`` or ``ρ`` alone with the same neighbours; itself for nothing."""
        if letter == "ρ":
            return self if self.zcdp else replace(self, delta=None, zcdp=True)
        return self.pure if letter else self

    def implies_part_of(self, other: Privacy) -> bool:
        """Whether a mechanism with this claim may be a part of one with the other claim."""
        weaker = (self.zcdp and not other.zcdp) or (self.delta is not None and other.delta is None)
        return self.pure == other.pure and not weaker

    @property
    def functions(self) -> tuple[Function, ...]:
        """The user's functions that the definition is made of."""
        return tuple(filter(callable, self.made_of))

    @property
    def speaks(self) -> bool:
        """Whether functions of the user's own speak of a pair of values, beside its ranges."""
        return bool(self.pair_budget) or self.edge_rule is not None

    def __str__(self) -> str:
        said = [str(getattr(a, "__name__", a)) for a in self.made_of]
        said += [f"{f.name}={_told_option(getattr(self, f.name))}" for f in self.options]
        return type(self).__name__ + (f"({', '.join(said)})" if said else "")


def told_values(policy: Policy) -> tuple[str, dict[str, frozenset[int]]]:
    """Which values a policy calls sensitive, and which not, for :class:`Told`."""
    others = frozenset(policy.universe) - policy.sensitive
    rest = "{others} not" if others else "and there are no other values"
    return rest, {"values": policy.sensitive, "others": others}


def _told_option(given: object) -> str:
    """An option as one writes it, a function by its name."""
    return str(getattr(given, "__name__", given)).replace("<lambda>", "…")
