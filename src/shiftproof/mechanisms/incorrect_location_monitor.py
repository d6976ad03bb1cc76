"""Monitors of many places that do not have the privacy they claim."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    Counts,
    Epsilon,
    Exponential,
    IntVector,
    LocationCounts,
    Nat,
    OneSidedGeometric,
    Policy,
    Public,
    ensure,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(ADP(visited), expect="refuted")
def location_monitor_two_visits(
    f: Counts, place: Public[IntVector], places: Public[Nat], T: Public[float], eps: Epsilon
) -> Iterator[float | str | None]:
    """Algorithm 4 (repaired) where a person may be at several places.

    Wrong: each place is paid for by itself, so a record with two visits costs 2 eps: the
    ratio is e^(2 eps) for two places that both reach the threshold.

    Args:
        f: counts of the sensitive value over any records; each falls by at most 1.
        place: the place that each answer is about.
        places: how many places there are.
        T: the threshold.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Algorithm 4 and Theorem 15, without one-hot records.
    """
    assert len(place) == len(f)
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
                    yield "safe"


@mechanism(ADP(visited), expect="refuted")
def location_monitor_unmarked(
    f: Annotated[Sequence[int], LocationCounts(by="place")],
    place: Public[IntVector],
    T: Public[float],
    eps: Epsilon,
) -> Iterator[float | str]:
    """A monitor that forgets to mark a place after its alarm.

    Wrong: each further update of a place that is not safe costs another eps.

    Args:
        f: at each update, how many of those in the array were at the place.
        place: the place that each answer is about.
        T: the threshold.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Algorithm 4 without its marks.
    """
    for j in range(len(f)):
        noise = sample(Exponential(1 / eps))
        if f[j] + noise >= T:
            yield f[j] + noise
        else:
            yield "safe"


@mechanism(ADP(visited), expect="refuted")
def location_monitor_wrong_safe(
    f: Annotated[Sequence[int], LocationCounts(by="place")],
    place: Public[IntVector],
    places: Public[Nat],
    T: Public[float],
    eps: Epsilon,
) -> Iterator[int | str | None]:
    """Algorithm 4 (repaired) that calls a place safe at the threshold itself.

    Wrong: not its privacy but its word: with f = T and noise 0, of probability 1 - e^(-eps),
    it says safe.

    Args:
        f: at each update, how many of those in the array were at the place.
        place: the place that each answer is about, a number below ``places``.
        places: how many places there are.
        T: the threshold; from here on a place is not safe.
        eps: the privacy parameter in nats; each further unit of noise is e^(-eps) times as likely.

    Source: Asymmetric Differential Privacy, Algorithm 4, with geometric noise and with > for
    its >=.
    """
    marked = [False] * places
    for j in range(len(f)):
        here = place[j]
        if 0 <= here < places:
            if marked[here]:
                yield None
            else:
                noise = sample(OneSidedGeometric(1 / eps))
                if f[j] + noise > T:
                    yield f[j] + noise
                    marked[here] = True
                else:
                    ensure(f[j] < T)
                    yield "safe"
