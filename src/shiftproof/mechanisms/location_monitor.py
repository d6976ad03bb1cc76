"""Monitoring many places at once: each is safe until its noisy count is too large."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    Epsilon,
    Exponential,
    IntVector,
    LocationCounts,
    Nat,
    Policy,
    Public,
    ensure,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(ADP(visited))
def location_monitor(
    f: Annotated[Sequence[int], LocationCounts(by="place")],
    place: Public[IntVector],
    places: Public[Nat],
    T: Public[float],
    eps: Epsilon,
) -> Iterator[float | str | None]:
    """Say of each place at each update whether it is safe; after its alarm, nothing more.

    Repaired: a place that is marked is passed over by itself, and the others are not.

    Args:
        f: at each update, for each place in turn, how many of those in the array were there;
            a person is at one place at most.
        place: the place that each answer is about, a number below ``places``.
        places: how many places there are; answers about any other number are not released.
        T: the threshold; from here on a place is not safe.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Algorithm 4 (repaired) and Theorem 15.
    """
    marked = [False] * places
    for j in range(len(f)):
        here = place[j]
        if 0 <= here < places:
            if marked[here]:
                yield None
            else:
                noise = sample(Exponential(1 / eps))
                if f[j] + noise >= T:
                    yield f[j] + noise
                    marked[here] = True
                else:
                    ensure(f[j] < T)
                    yield "safe"
