"""The inputs of a mechanism: what they are, how they are converted, what kind they have.

A parameter's annotation carries one object of this module (through ``typing.Annotated``): type
checkers see plain sequences and numbers, the verifier how the input may differ between neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, TypeVar

from ..errors import BadInput
from .kinds import InputKind as InputKind
from .kinds import Number, shown_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers: TypeAlias = Sequence[int] | NDArray[Any]
    Floats: TypeAlias = Sequence[float] | NDArray[Any]
else:
    Integers = Sequence[int]
    Floats = Sequence[float]

Direction = Literal["both", "decreasing", "increasing"]
Sensitivity = int | float | Fraction | str
Bound = Number | str
NORMS = {"l1": 1, "l2": 2}  # in which all answers may be said to move together


@dataclass(frozen=True, slots=True)
class PublicFloat(InputKind):
    """A public number."""

    public = True


@dataclass(frozen=True, slots=True)
class PublicInt(PublicFloat):
    """A public integer."""

    whole = True


@dataclass(frozen=True, slots=True)
class PublicNat(PublicInt):
    """A public integer that is not negative."""

    minimum = 0


@dataclass(frozen=True, slots=True)
class PublicVector(PublicFloat):
    """A public sequence of numbers, its length public too."""

    array = True


@dataclass(frozen=True, slots=True)
class PublicIntVector(PublicInt):
    """A public sequence of integers."""

    array = True


@dataclass(frozen=True, slots=True)
class EpsilonInput(PublicFloat):
    """A privacy parameter in nats; positive."""

    positive = True


@dataclass(frozen=True, slots=True)
class RhoInput(EpsilonInput):
    """A privacy parameter of a claim of zero-concentrated differential privacy; positive."""


@dataclass(frozen=True, slots=True)
class DeltaInput(PublicFloat):
    """The δ of a claim, in (0, 1)."""

    positive = True
    below = 1


@dataclass(frozen=True, slots=True)
class CountingQueries(InputKind):
    """Counts over the records: answer i is how many records have attribute i in ``counted``.

    How the answers move between neighbours is derived from the record relation.
    ``one_hot``: every record has at most one attribute in ``counted`` (a histogram).
    """

    counted: Collection[int] = frozenset({1})
    one_hot: bool = False
    array = True
    whole = True
    minimum = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "counted", frozenset(self.counted))
        if not self.counted:
            raise BadInput("counted: got no value; at least one is needed")


@dataclass(frozen=True, slots=True)
class CountingQuery(CountingQueries):
    """One count over the records."""

    array = False


@dataclass(frozen=True, slots=True)
class DataSet(InputKind):
    """A data set: records of ``attributes`` integers each, about which ``count`` may ask.

    Under a policy the values that an attribute can have are those of its universe; else any
    integer.
    """

    attributes: int

    def __post_init__(self) -> None:
        if type(self.attributes) is not int or self.attributes < 1:
            raise BadInput(f"DataSet: got {self.attributes!r} attributes; at least 1 is needed")

    def accept(self, name: str, value: Any) -> tuple[tuple[Number, ...], ...]:  # type: ignore[override]
        """The records as tuples of Python ints.

        Raises:
            BadInput: no sequence of sequences of ints, or a record of another length.
        """
        value = value.tolist() if hasattr(value, "tolist") else value
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise BadInput(f"{name}: got {shown_value(value)}; a sequence of records is needed")
        row = PublicIntVector()
        records = tuple(row.accept(f"{name}[{i}]", record) for i, record in enumerate(value))
        for i, record in enumerate(records):
            if not isinstance(record, tuple) or len(record) != self.attributes:
                wanted = f"{self.attributes} attributes are needed"
                raise BadInput(f"{name}[{i}]: got {shown_value(record)}; {wanted}")
        return records  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class LocationCounts(CountingQueries):
    """Counts at locations over time: answer i is for the location ``by[i]``, in any order.

    ``by`` names a parameter of type ``Public[IntVector]``, as long as the answers.  Records
    are one-hot: a person counts at one location at most, there in any number of answers.
    """

    by: str = ""
    one_hot: bool = True

    def __post_init__(self) -> None:
        CountingQueries.__post_init__(self)
        if not self.by:
            raise BadInput("LocationCounts: by= names the parameter that holds the locations")


@dataclass(frozen=True, slots=True)
class WindowCounts(InputKind):
    """Answer t counts the records of the last ``width`` steps; their presence is private.

    The width is a whole number from 1 on, or the name of a public parameter that is one.
    """

    width: int | str
    array = True
    whole = True
    minimum = 0

    def __post_init__(self) -> None:
        w: Any = self.width
        if isinstance(w, str) and w.isidentifier():
            return
        if isinstance(w, bool) or not isinstance(w, Integral) or w < 1:
            wanted = "a whole number from 1 on or the name of a public integer is needed"
            raise BadInput(f"width: got {w!r}; {wanted}")
        object.__setattr__(self, "width", int(w))

    @property
    def named(self) -> dict[str, tuple[str, int]]:
        """Its width, where that has a name."""
        return {self.width: ("the width of a window", 1)} if isinstance(self.width, str) else {}

    def steps(self, public: Mapping[str, Any]) -> int:
        """In how many answers a record is; a width with a name is a public parameter."""
        return int(public[self.width]) if isinstance(self.width, str) else self.width


@dataclass(frozen=True, slots=True)
class Queries(InputKind):
    """Real answers that each move by at most ``sensitivity``, or all of them together.

    A sensitivity is a number or the name of a public parameter.  ``Queries(l1=s)`` says by how much
    all answers move in the ℓ1 norm, where sizes add up, ``Queries(l2=s)`` in the ℓ2 norm.

    ``direction``: ``decreasing`` if no answer is larger on D' than on D (Definition 12); where D'
    and D are neighbours as well, all of them fall together or rise together.
    ``differing``: whether ``all`` answers may move or only ``one``; ``l1`` and ``l2`` as above.
    The sensitivity is the caller's promise; the claim prints it as assumed.
    """

    sensitivity: Sensitivity = 1
    direction: Direction = "both"
    differing: Literal["all", "one", "l1", "l2"] = "all"
    l1: InitVar[Sensitivity | None] = None
    l2: InitVar[Sensitivity | None] = None
    array = True

    def __post_init__(self, l1: Sensitivity | None, l2: Sensitivity | None) -> None:
        norms = {norm: most for norm, most in (("l1", l1), ("l2", l2)) if most is not None}
        if len(norms) > 1 or (norms and (self.sensitivity, self.differing) != (1, "all")):
            raise BadInput("sensitivity: got several; one of sensitivity=, l1=, l2= is needed")
        for norm, most in norms.items():
            object.__setattr__(self, "sensitivity", most)
            object.__setattr__(self, "differing", norm)
        s = self.sensitivity
        if not isinstance(s, str) and not (isinstance(s, Real) and math.isfinite(s) and s >= 0):
            raise BadInput(f"sensitivity: got {s!r}; a number >= 0 or a parameter's name is needed")
        if self.direction not in ("both", "decreasing", "increasing"):
            wanted = "both, decreasing or increasing is needed"
            raise BadInput(f"direction: got {self.direction!r}; {wanted}")
        if self.differing not in ("all", "one", *NORMS):
            raise BadInput(f"differing: got {self.differing!r}; all, one, l1 or l2 is needed")
        if self.norm and not self.array:
            raise BadInput("a norm is of several answers; one has a sensitivity")

    @property
    def norm(self) -> int:
        """In which norm all answers move together; 0 where that is not said."""
        return NORMS.get(self.differing, 0)

    @property
    def named(self) -> dict[str, tuple[str, int]]:
        """Its sensitivity, where that has a name."""
        return {self.sensitivity: ("a sensitivity", 0)} if isinstance(self.sensitivity, str) else {}


@dataclass(frozen=True, slots=True)
class Query(Queries):
    """One real answer that moves by at most ``sensitivity``."""

    array = False


@dataclass(frozen=True, slots=True)
class IntegerQueries(Queries):
    """Integers that each move by at most ``sensitivity``."""

    whole = True


@dataclass(frozen=True, slots=True)
class IntegerQuery(Query):
    """One integer that moves by at most ``sensitivity``."""

    whole = True


@dataclass(frozen=True, slots=True)
class Stream(Queries):
    """Answers that arrive one at a time, to queries that may depend on what was released before.

    Any iterable: one ``for`` loop reads it, which takes the next answer only when it comes to it
    (see ``Mechanism.releases``).  All answers may move.
    """

    def __post_init__(self, l1: Sensitivity | None, l2: Sensitivity | None) -> None:
        Queries.__post_init__(self, l1, l2)
        if self.differing != "all":
            raise BadInput("Stream: all answers of an adaptive stream may differ")

    def accept(self, name: str, value: Any) -> Any:
        """The answers, each converted when it is taken.

        Raises:
            BadInput: the value is not iterable; and, later, an answer is no finite number.
        """
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            raise BadInput(f"{name}: got {shown_value(value)}; an iterable of numbers is needed")
        return (self._number(f"{name}[{i}]", v) for i, v in enumerate(value))


@dataclass(frozen=True, slots=True)
class Value(InputKind):
    """A user's own value in [low, high]; the privacy definition says which are neighbours.

    A bound is a number, or the name of a public scalar parameter.
    """

    low: Bound
    high: Bound

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            plain = isinstance(bound, Real) and not isinstance(bound, bool)
            if not isinstance(bound, str) and not (plain and math.isfinite(bound)):
                wanted = "a finite number or a parameter's name is needed"
                raise BadInput(f"Value: got the bound {bound!r}; {wanted}")
        if self.constant and self.low > self.high:  # type: ignore[operator]
            raise BadInput(f"Value: the bounds {self.low} and {self.high} are in the wrong order")

    @property
    def constant(self) -> bool:
        """Whether both bounds are numbers."""
        return not isinstance(self.low, str) and not isinstance(self.high, str)

    @property
    def never_empty(self) -> bool:
        """Whether the bounds are numbers between which there is a value."""
        if isinstance(self.low, str) or isinstance(self.high, str):
            return False
        return not self.whole or math.floor(self.high) >= math.ceil(self.low)

    def _number(self, name: str, value: object) -> Number:
        found = InputKind._number(self, name, value)
        below = not isinstance(self.low, str) and found < self.low
        if below or (not isinstance(self.high, str) and found > self.high):
            raise BadInput(f"{name}: got {found}; it must lie in [{self.low}, {self.high}]")
        return found


@dataclass(frozen=True, slots=True)
class IntegerValue(Value):
    """A user's own integer in [low, high]."""

    whole = True


@dataclass(frozen=True, slots=True)
class Values(Value):
    """The values of many users, each in [low, high]; that of one user differs."""

    array = True


@dataclass(frozen=True, slots=True)
class IntegerValues(Values):
    """The integers of many users, each in [low, high]; that of one user differs."""

    whole = True


@dataclass(frozen=True, slots=True)
class Secret(InputKind):
    """A private number about which only the mechanism's own relation speaks (see ``Related``)."""


@dataclass(frozen=True, slots=True)
class SecretInteger(Secret):
    """A private integer about which only the mechanism's own relation speaks."""

    whole = True


@dataclass(frozen=True, slots=True)
class Secrets(Secret):
    """A private sequence about which only the mechanism's own relation speaks."""

    array = True


def of_users(kind: InputKind) -> bool:
    """Whether an input is a user's own value, or those of many users."""
    return isinstance(kind, Value | Secret)


T = TypeVar("T")

#: Marks a parameter as public: ``Public[float]``, ``Public[Nat]``, ``Public[Vector]``.
Public: TypeAlias = Annotated[T, "public"]
Nat: TypeAlias = Annotated[int, PublicNat()]
Vector: TypeAlias = Annotated[Floats, PublicVector()]
IntVector: TypeAlias = Annotated[Integers, PublicIntVector()]
Epsilon: TypeAlias = Annotated[float | Fraction, EpsilonInput()]
Rho: TypeAlias = Annotated[float | Fraction, RhoInput()]
Delta: TypeAlias = Annotated[float | Fraction, DeltaInput()]
Counts: TypeAlias = Annotated[Integers, CountingQueries()]
Count: TypeAlias = Annotated[int, CountingQuery()]
Histogram: TypeAlias = Annotated[Integers, CountingQueries(one_hot=True)]
Private: TypeAlias = Annotated[T, "private"]

#: The kinds that have a name of their own.
ALIASES: tuple[tuple[InputKind, str], ...] = (
    (EpsilonInput(), "Epsilon"),
    (RhoInput(), "Rho"),
    (DeltaInput(), "Delta"),
    (CountingQueries(), "Counts"),
    (CountingQuery(), "Count"),
    (CountingQueries(one_hot=True), "Histogram"),
)


def kind_name(kind: InputKind) -> str:
    """What a kind is called where it is written."""
    if isinstance(kind, Secret):
        return f"Private[{'list[float]' if kind.array else 'int' if kind.whole else 'float'}]"
    return next((name for known, name in ALIASES if kind == known), type(kind).__name__)
