"""Claims and the private inputs that go with them, for all definitions and kinds of inputs."""

from __future__ import annotations

from typing import NamedTuple

PREAMBLE = """\
from collections.abc import Iterable, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    ADP, DP, LDP, Bernoulli, Blowfish, Categorical, ContextAwareLDP, Count, CountingQueries,
    CountingQuery, Counts, DPrivacy, DataSet, DiscreteUniform, Epsilon, Exponential, Histogram,
    InputDiscriminativeLDP, IntVector, IntegerValue, IntegerValues, Laplace, LocationCounts, Nat,
    NegativeExponential, NegativeOneSidedGeometric, OneSidedDP, OneSidedGeometric, Policy, Private,
    Public, Queries, Query, Related, Stream, TwoSidedGeometric, Uniform, UtilityOptimizedLDP,
    Value, Values, Vector, WindowCounts, align, argmax, count, ensure, mechanism, other, outcome,
    sample, top_k,
)

visited = Policy(sensitive={1})
stayed = Policy(sensitive={0})
everything = Policy(sensitive={0, 1})
top = Policy(sensitive={2}, universe={0, 1, 2})
middle = Policy(sensitive={1}, universe={0, 1, 2})
bottom = Policy(sensitive={0, 1}, universe={0, 1, 2})


def apart(x: int) -> int:
    return abs(x - other(x))


def both_apart(x: int, y: int) -> int:
    return abs(x - other(x)) + abs(y - other(y))


def close(x: int) -> bool:
    return abs(x - other(x)) <= 1


def of_pair(x: int, fine: float, eps: float) -> float:
    return eps if x == 0 or other(x) == 0 else fine


def of_value(x: int, fine: float, eps: float) -> float:
    return fine if x == 1 else eps


def low(x: int) -> bool:
    return x <= 1


def above(x: int, s: int) -> bool:
    return x > s


def falls(x: float) -> bool:
    return 0 <= x - other(x) <= 1


def falls_whole(x: int) -> bool:
    return other(x) == x or other(x) == x - 1


def moves(f: float) -> bool:
    return -1 <= f - other(f) <= 1


def together(x: float, y: float) -> bool:
    return 0 <= x - other(x) and 0 <= y - other(y) and x - other(x) + y - other(y) <= 1


def first(r):
    return r[0] == 1


def both(r):
    return r[0] == 1 and r[1] == 1


def neither(r):
    return r[0] != 1 and r[1] != 1


def is_value(r, v):
    return r[0] == v


def twice(v):
    return 2 * v


def cut(v, top):
    if v > top:
        return top
    return v
"""


class Setting(NamedTuple):
    """Private inputs under a claim, and which noise hides them.

    Attributes:
        privacy: the claim.
        inputs: the private parameters: ``f``, ``g``, ``z`` are sequences, ``s`` a stream, ``d`` a
            data set, and the others numbers.
        moves: what one number may do from D to D': ``down``, ``up`` or ``both``.
        size: how far one of them moves, for a scale; ``cells``, how far all do in sum.
        whole: whether the numbers are integers.
        public: further parameters that belong to the claim.
    """

    privacy: str
    inputs: str
    moves: str = "both"
    size: str = "1"
    cells: str = "2"
    whole: bool = True
    public: str = ""


COUNTED = (
    "f: Counts",
    "x: Count",
    "f: Counts, x: Count",
    "x: Count, y: Count",
    "f: Counts",
    "x: Count",
)
BIT, GRADE = "Annotated[int, IntegerValue(0, 1)]", "Annotated[int, IntegerValue(0, 2)]"
PAIR = f"x: {BIT}, y: {BIT}"
UNIT = "Annotated[float, Value(0, 1)]"
ABSENT = "Annotated[Sequence[int], CountingQueries({0})]"
WEEK = "Annotated[Sequence[int], WindowCounts(2)]"
PLACED = "Annotated[Sequence[int], LocationCounts(by='place')]"
RECORDS = "Annotated[Sequence[Sequence[int]], DataSet(2)]"


def real(kind: str = "sensitivity=1") -> str:
    return f"Annotated[Sequence[float], Queries({kind})]"


def streamed(kind: str = "sensitivity=1") -> str:
    return f"Annotated[Iterable[float], Stream({kind})]"


DOWN, UP = "direction='decreasing'", "direction='increasing'"

SETTINGS = (
    *(Setting("ADP(visited)", p, "down") for p in COUNTED),
    *(Setting("ADP(stayed)", p, "up") for p in COUNTED[:3]),
    *(Setting("ADP(everything)", p) for p in COUNTED[:2]),
    *(Setting("DP()", p) for p in COUNTED),
    *(Setting("DP()", p) for p in COUNTED),
    *(Setting("DP('add-remove')", p) for p in COUNTED[:4]),
    Setting("ADP(visited)", "f: Histogram", "down", cells="1"),
    Setting("ADP(stayed)", "f: Histogram", "up", cells="1"),
    Setting("DP()", "f: Histogram"),
    Setting("DP('add-remove')", "f: Histogram", cells="1"),
    Setting("ADP(visited)", f"f: {ABSENT}", "up"),
    Setting("DP('add-remove')", f"f: Counts, z: {ABSENT}"),
    Setting("ADP(visited)", f"f: {WEEK}", "down"),
    Setting("DP()", f"f: {WEEK}"),
    Setting("DP('add-remove')", f"f: {WEEK}"),
    Setting("ADP(visited)", f"f: {PLACED}", "down", cells="1", public="place: Public[IntVector]"),
    Setting("DP()", f"f: {PLACED}", public="place: Public[IntVector]"),
    Setting("DP('add-remove')", f"f: {PLACED}", cells="1", public="place: Public[IntVector]"),
    Setting("ADP(visited)", f"d: {RECORDS}", "down"),
    Setting("DP()", f"d: {RECORDS}"),
    Setting("DP('add-remove')", f"d: {RECORDS}"),
    Setting("OneSidedDP(visited)", f"d: {RECORDS}"),
    Setting("DP()", f"f: {real()}", whole=False),
    Setting("DP()", f"f: {real(DOWN)}", "down", whole=False),
    Setting("ADP(visited)", f"f: {real(UP)}", "up", whole=False),
    Setting("DP()", f"f: {real(chr(39).join(('differing=', 'one', '')))}", cells="1", whole=False),
    Setting("DP()", "x: Annotated[float, Query(sensitivity=2)]", size="2", whole=False),
    Setting(
        "DP()", "x: Annotated[float, Query(sensitivity='far')]", size="far", whole=False,
        public="far: Public[float]",
    ),
    Setting("DP()", f"s: {streamed()}", whole=False),
    Setting("ADP(visited)", f"s: {streamed(DOWN)}", "down", whole=False),
    Setting("DP()", f"x: {BIT}"),
    Setting("DP()", "f: Annotated[Sequence[int], IntegerValues(0, 2)]", size="2"),
    Setting("LDP()", f"x: {BIT}"),
    Setting("LDP()", f"x: {BIT}"),
    Setting("LDP()", PAIR),
    Setting("LDP()", f"x: {GRADE}", size="2"),
    Setting("LDP()", f"x: {UNIT}", whole=False),
    Setting("LDP()", "f: Annotated[Sequence[int], IntegerValues(0, 1)]", cells="1"),
    Setting("LDP()", "f: Annotated[Sequence[float], Values(0, 1)]", cells="1", whole=False),
    Setting("ADP(visited)", f"x: {BIT}", "down"),
    Setting("ADP(visited)", PAIR, "down"),
    Setting("ADP(top)", f"x: {GRADE}", "down", "2"),
    Setting("ADP(middle)", f"x: {GRADE}"),
    Setting("ADP(bottom)", f"x: {GRADE}", "both", "2"),
    Setting("OneSidedDP(visited)", f"x: {BIT}", "down"),
    Setting("OneSidedDP(visited)", PAIR),
    Setting("OneSidedDP(top)", f"x: {GRADE}", "down", "2"),
    Setting("OneSidedDP(visited)", "f: Annotated[Sequence[int], IntegerValues(0, 1)]", "down"),
    Setting("DPrivacy(apart)", "x: Private[int]"),
    Setting("DPrivacy(apart)", f"x: {GRADE}"),
    Setting("DPrivacy(both_apart)", "x: Private[int], y: Private[int]", cells="1"),
    Setting("Blowfish(close)", "x: Private[int]"),
    Setting("Blowfish(close)", f"x: {GRADE}"),
    Setting("ContextAwareLDP(of_pair)", f"x: {BIT}", public="fine: Epsilon"),
    Setting("ContextAwareLDP(of_pair)", f"x: {GRADE}", size="2", public="fine: Epsilon"),
    Setting("InputDiscriminativeLDP(of_value)", f"x: {BIT}", public="fine: Epsilon"),
    Setting("UtilityOptimizedLDP(low, protected=low)", f"x: {GRADE}"),
    Setting("UtilityOptimizedLDP(low, protected=low)", f"x: {BIT}"),
    Setting("UtilityOptimizedLDP(low, protected=low)", "x: Annotated[int, IntegerValue(2, 3)]"),
    Setting("UtilityOptimizedLDP(above, protected=above)", f"x: {GRADE}", public="s: Public[int]"),
    Setting("Related(falls)", "x: Private[float]", "down", whole=False),
    Setting("Related(falls_whole)", "x: Private[int]", "down"),
    Setting("Related(moves)", "f: Private[list[float]]", whole=False),
    Setting("Related(together)", "x: Private[float], y: Private[float]", "down", whole=False),
)  # fmt: skip
