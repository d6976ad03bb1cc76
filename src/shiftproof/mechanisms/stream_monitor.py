"""Monitoring a place over time: safe until the noisy count of recent visitors is too large."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    Epsilon,
    Exponential,
    Nat,
    Policy,
    Public,
    WindowCounts,
    ensure,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})


@mechanism(ADP(visited))
def stream_monitor(
    f: Annotated[Sequence[int], WindowCounts("W")], W: Public[Nat], T: Public[float], eps: Epsilon
) -> Iterator[float | str]:
    """Say of each step whether the place is safe; after an alarm, nothing until it expires.

    Repaired by a reading: the queue holds every record of the last steps, visitor or not,
    and records expire by the public time of their batch.  So "some record in the queue is
    marked" means that the last alarm is less than W steps ago, which everyone can see.

    Args:
        f: how many of the records in the queue have the sensitive value, step by step; one
            record counts in W consecutive steps at most.
        W: how many steps a record stays in the queue, from 1 on.
        T: the threshold; from here on it is not safe.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Algorithm 3 (repaired) and Theorem 14.
    """
    silent = 0
    for t in range(len(f)):
        if silent > 0:
            silent -= 1
        else:
            noise = sample(Exponential(1 / eps))
            z = f[t] + noise
            if z >= T:
                yield z
                silent = W - 1
            else:
                ensure(f[t] < T)
                yield "safe"
