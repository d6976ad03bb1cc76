"""Broken mechanisms whose fault shows on inputs of one shape: level, split, long, or at an edge."""

from collections.abc import Iterator, Sequence
from math import floor
from typing import Annotated

from shiftproof import (
    DP,
    LDP,
    Counts,
    Epsilon,
    IntegerValues,
    Laplace,
    Private,
    Public,
    Value,
    Values,
    mechanism,
    sample,
)


@mechanism(DP(), expect="refuted")
def spread(f: Counts, eps: Epsilon) -> float:
    """Equal counts part by two."""
    assert len(f) >= 1
    most = f[0]
    least = f[0]
    for x in f:
        most = max(most, x)
        least = min(least, x)
    noise = sample(Laplace(1 / eps))
    return most - least + noise


@mechanism(DP(), expect="refuted")
def middle(pay: Annotated[Sequence[float], Values(0, 6)], eps: Epsilon) -> float:
    """One user decides between those at either end."""
    assert len(pay) == 3
    low = min(pay[0], pay[1])
    high = max(pay[0], pay[1])
    noise = sample(Laplace(3 / eps))
    return max(low, min(high, pay[2])) + noise


@mechanism(DP(), expect="refuted")
def weekdays(f: Counts, eps: Epsilon) -> Iterator[float]:
    """Six answers are paid for, and the eighth day is the seventh one."""
    for i in range(len(f)):
        if i % 7 != 6:
            noise = sample(Laplace(6 / eps))
            yield f[i] + noise


@mechanism(DP(), expect="refuted")
def between_integers(f: Counts, T: Public[float], eps: Epsilon) -> Iterator[bool]:
    """No noise where a count cannot meet the threshold."""
    lift = sample(Laplace(2 / eps))
    for x in f:
        noise = sample(Laplace(4 / eps))
        above = x >= T + lift if T > floor(T) else x + noise >= T + lift
        yield above
        if above:
            return


@mechanism(LDP(), expect="refuted")
def upside_down(x: Annotated[float, Value(0, 1)], eps: Epsilon) -> float:
    """The scale is the inverse of what it should be, which is enough from 1 on."""
    assert 10 * eps >= 9
    noise = sample(Laplace(eps))
    return x + noise


@mechanism(DP(), expect="refuted")
def to_the_next_ten(x: Annotated[Sequence[int], IntegerValues(0, 1)], eps: Epsilon) -> float:
    """One more than five of them makes ten."""
    total = 0
    for v in x:
        total += v
    noise = sample(Laplace(1 / eps))
    return 10 * round(total / 10) + noise


@mechanism(LDP(), expect="refuted")
def only_its_sign(v: Private[float], b: Public[float], eps: Epsilon) -> float:
    """Clipped to one, whatever the bound is."""
    assert b > 0
    noise = sample(Laplace(2 * b / eps))
    kept = v if abs(v) < b else v / abs(v)
    return kept + noise
