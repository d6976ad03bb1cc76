"""Thresholds of an unknown kind, hence perhaps the data."""

from collections.abc import Iterator, Sequence

from shiftproof import ADP, Counts, Epsilon, Policy, mechanism

visited = Policy(sensitive={1})


# truth: t may be taken from the data, and is released: 1 against 0
@mechanism(ADP(visited))
def single_unannotated(f: Counts, t: Sequence[float], eps: Epsilon) -> Iterator[float]:
    for low in t:
        yield low
