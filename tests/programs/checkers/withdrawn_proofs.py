"""Proofs that were wrong, as a prover with these holes wrote them: a text and its alignment.

``meaning`` is another text, where the language once took the first one for it; both are run.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD = """from collections.abc import Iterator, Sequence
from typing import Annotated
from shiftproof import *
"""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A mechanism that is not private, and the shifts that its proof said, in the order of draws.

    ``says``: a part of what the guard has against it.
    """

    text: str
    shifts: tuple[str, ...] = ()
    says: str = ""
    meaning: str = ""
    #: Whether the proof was by the probabilities of outcomes.
    summed: bool = False


WRONG: dict[str, Wrong] = {
    # A parameter that is assigned in one of the runs only.
    "a parameter assigned on one side": Wrong(
        """
@mechanism(ADP(Policy({1})))
def leak(f: Count, T: Public[float], eps: Epsilon) -> float:
    if f < 1:
        T = 0.0
    return T
""",
        says="the runs release (",
    ),
    "a scale assigned on one side": Wrong(
        """
@mechanism(ADP(Policy({1})))
def leak(f: Count, T: Public[float], eps: Epsilon) -> float:
    assert T > 0
    if f < 1:
        T = 1000.0
    noise = sample(Laplace(T))
    return noise
""",
        ("0",),
        says="the runs draw from ((Laplace, (",
    ),
    "a private parameter before a loop": Wrong(
        """
@mechanism(DP())
def leak(f: Count, n: Public[Nat], eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    if f < 1:
        f = 1
    for i in range(n):
        yield f + noise
""",
        ("0",),
        says="the runs release (",
    ),
    "under add-remove": Wrong(
        """
@mechanism(DP("add-remove"))
def leak(f: Count, T: Public[float], eps: Epsilon) -> float:
    if f == 1:
        T = T + 1
    noise = sample(Laplace(1 / eps))
    return T + noise
""",
        ("0",),
        says="the runs release (",
    ),
    "of a user": Wrong(
        """
@mechanism(LDP())
def leak(x: Annotated[int, IntegerValue(0, 3)], k: Public[Nat], eps: Epsilon) -> int:
    if x == 2:
        k = 0
    return k
""",
        says="the runs release (",
    ),
    # A list that is bound again while it is looped over.
    "a list bound again in its loop": Wrong(
        """
@mechanism(DP())
def leak(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0, f]
    for x in a:
        a = [0, 0]
        yield x
""",
        meaning="""
@mechanism(DP())
def leak(f: Count, eps: Epsilon) -> Iterator[int]:
    a = [0, f]
    for i in range(len(a)):
        x = a[i]
        a = [0, 0]
        yield x
""",
        says="the runs release (0, 0) on D and (0, 1) on D'",
    ),
    "a list that grows in its loop": Wrong(
        """
@mechanism(DP())
def leak(f: Count, eps: Epsilon) -> Iterator[float]:
    a = [0]
    for x in a:
        a = [0, 0]
        noise = sample(Laplace(1 / eps))
        yield f + noise
""",
        ("f - other(f)",),
        meaning="""
@mechanism(DP())
def leak(f: Count, eps: Epsilon) -> Iterator[float]:
    a = [0]
    i = 0
    while i < len(a):
        a = [0, 0]
        i += 1
        noise = sample(Laplace(1 / eps))
        yield f + noise
""",
        says="Python draws from ",
    ),
    # A record that is replaced by one at the same location.
    "two answers at one location": Wrong(
        """
@mechanism(DP())
def leak(
    f: Annotated[Sequence[int], LocationCounts(by="place")], place: Public[IntVector], eps: Epsilon
) -> float:
    assert len(place) == 2 and place[0] == place[1]
    noise = sample(Laplace(1 / eps))
    return f[0] - f[1] + noise
""",
        ("f[0] - other(f[0]) + (other(f[1]) - f[1])",),
        says="the alignment costs 2.0",
    ),
    # A record of which all values may change.
    "a value beside a sensitive one": Wrong(
        """
@mechanism(OneSidedDP(Policy({2}, {0, 1, 2})))
def leak(
    x: Annotated[int, IntegerValue(0, 2)], y: Annotated[int, IntegerValue(0, 1)], eps: Epsilon
) -> int:
    return y
""",
        says="the runs release (",
    ),
    # Outcomes that are the same where two parameters are.
    "outcomes told apart by their names": Wrong(
        """
def sensitive(x):
    return x == 2

def protected(y):
    return y == 100

@mechanism(UtilityOptimizedLDP(sensitive, protected))
def leak(
    x: Annotated[int, IntegerValue(0, 2)], T: Public[int], U: Public[int], eps: Epsilon
) -> int:
    assert T < 50 and U < 50 and eps >= 1
    b = sample(Bernoulli(0.5))
    if x == 2 or b:
        return 100
    return T if x == 1 else U
""",
        summed=True,
        says="is not protected, but does not come from one value alone",
    ),
    # Of other kinds.
    "a budget paid once and spent twice": Wrong(
        """
@mechanism(DP())
def noisy(f: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return f + noise

@mechanism(DP())
def leak(f: Count, eps: Epsilon) -> Iterator[float]:
    yield from noisy(f, eps)
    (x,) = noisy(f, eps)
    yield x
""",
        says="the alignment costs 1.0, and the budget is 1/2",
    ),
    "an endless loop": Wrong(
        """
@mechanism(DP())
def leak(f: Count, eps: Epsilon) -> Iterator[float]:
    i = 0
    while i >= 0:
        i += 1
        noise = sample(Laplace(1 / eps))
        yield f + noise
""",
        ("other(f) - f",),
        says="the runs release (",
    ),
    "an endless loop that is aligned": Wrong(
        """
@mechanism(DP())
def leak(f: Count, eps: Epsilon) -> Iterator[float]:
    i = 0
    while i >= 0:
        i += 1
        noise = sample(Laplace(1 / eps))
        yield f + noise
""",
        ("f - other(f)",),
        says="the alignment costs ",
    ),
    "a coin of the wrong weight": Wrong(
        """
@mechanism(LDP())
def leak(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    honest = sample(Bernoulli(9 / 10))
    return x if honest else 1 - x
""",
        summed=True,
        says="(0,) has probability 0.9 on D and at most 0.1 on D'",
    ),
    "discrete noise with a fast tail": Wrong(
        """
@mechanism(DP())
def leak(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / (2 * eps)))
    return f + noise
""",
        summed=True,
        says=" has probability ",
    ),
}
