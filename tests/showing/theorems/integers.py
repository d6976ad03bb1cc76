"""Algorithms 1, 2 and 4 of Asymmetric Differential Privacy, repaired, with noise on the integers.

The gallery has them with exponential noise, as they are printed; the first one for k = 1 here.
"""

#: By their names, as somebody would write them in files of their own.
PROGRAMS = {
    "largest_count": '''
@mechanism(ADP(visited))
def largest_count(f: Counts, eps: Epsilon) -> Iterator[int]:
    """Algorithm 1 for k = 1: the largest noisy count, after its index."""
    assert len(f) >= 1
    best = 0
    top = 0
    for i in range(len(f)):
        noise = sample(OneSidedGeometric(1 / eps))
        if i == 0 or f[i] + noise > top:
            top = f[i] + noise
            best = i
    yield best
    yield top
''',
    "counts_above": '''
@mechanism(ADP(visited))
def counts_above(
    f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon
) -> Iterator[int | None]:
    """Algorithm 2: noisy counts that reach their thresholds, until c of them did."""
    assert c >= 1 and len(T) == len(f)
    answered = 0
    for i in range(len(f)):
        noise = sample(OneSidedGeometric(c / eps))
        if f[i] + noise >= T[i]:
            yield f[i] + noise
            answered += 1
            if answered >= c:
                return
        else:
            yield None
''',
    "places": '''
@mechanism(ADP(visited))
def places(
    f: Annotated[Sequence[int], LocationCounts(by="place")],
    place: Public[IntVector],
    many: Public[Nat],
    T: Public[float],
    eps: Epsilon,
) -> Iterator[int | str | None]:
    """Algorithm 4: each place is safe until its noisy count is too large."""
    marked = [False] * many
    for j in range(len(f)):
        here = place[j]
        if 0 <= here < many:
            if marked[here]:
                yield None
            else:
                noise = sample(OneSidedGeometric(1 / eps))
                if f[j] + noise >= T:
                    yield f[j] + noise
                    marked[here] = True
                else:
                    yield "safe"
''',
}
#: What stands before each of them.
WORDS = """
from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP, Counts, Epsilon, IntVector, LocationCounts, Nat, OneSidedGeometric, Policy, Public,
    Vector, mechanism, sample,
)

visited = Policy(sensitive={1})
"""
