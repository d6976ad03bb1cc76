"""Monitoring a place over time with a silence that is too short, or that tells too much."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from shiftproof import (
    ADP,
    DataSet,
    Epsilon,
    Exponential,
    Policy,
    Public,
    WindowCounts,
    count,
    mechanism,
    sample,
)

#: A one (having visited) is sensitive, a zero is not.
visited = Policy(sensitive={1})
#: How many steps a record stays in the queue.
WINDOW = 3
Visitors = Annotated[Sequence[int], WindowCounts(WINDOW)]


@mechanism(ADP(visited), expect="refuted")
def stream_monitor_short_silence(
    f: Visitors, T: Public[float], eps: Epsilon
) -> Iterator[float | str]:
    """After an alarm it speaks again one step before the last marked record expires.

    Wrong: a record that arrives with the first alarm is still in the queue at the next one,
    so it is paid for twice.  At T = 0 all that is released are alarms, and for the counts
    (1, 1, 1) and then (0, 0, 0) the ratio is e^(2 eps).

    Args:
        f: how many of the records in the queue have the sensitive value, step by step; one
            record counts in WINDOW consecutive steps at most.
        T: the threshold; from here on it is not safe.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Algorithm 3, with the test of line 8 off by one.
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
                silent = WINDOW - 2
            else:
                yield "safe"


@mechanism(ADP(visited), expect="refuted")
def stream_monitor_visitors_only(
    f: Visitors, T: Public[float], eps: Epsilon
) -> Iterator[float | str]:
    """The queue holds visitors only: an alarm marks nothing where there was none.

    Wrong: the silence shows that somebody was there.  At T = 1, for the counts (1, 1) and
    then (0, 0), an alarm and then nothing has probability 1 and then none: the ratio is
    infinite.

    Args:
        f: how many records are in the queue, step by step; one record counts in WINDOW
            consecutive steps at most.
        T: the threshold; from here on it is not safe.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Algorithm 3, read with a queue of those records
    only that the query counts; simplified, since those who are marked may expire sooner.
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
                if f[t] > 0:
                    silent = WINDOW - 1
            else:
                yield "safe"


def present(r: tuple[int, ...], first: int, last: int) -> bool:
    """Whether somebody visited in one of the steps from the first to the last."""
    return (
        (r[0] == 1 and first <= 0 <= last)
        or (r[1] == 1 and first <= 1 <= last)
        or (r[2] == 1 and first <= 2 <= last)
    )


@mechanism(ADP(visited), expect="refuted")
def stream_monitor_private_expiry(
    data: Annotated[Sequence[Sequence[int]], DataSet(3)], T: Public[float], eps: Epsilon
) -> Iterator[float | str]:
    """A record expires a while after its own visit, and so do the marks; for three steps.

    Wrong: the time of a visit is private, and the end of the silence shows it.  At T = 1 and
    for one visitor at step 1 or none, an alarm at step 1 and silence at step 2 has
    probability 1 and then none: the ratio is infinite.

    Args:
        data: for each person, whether they visited in step 0, 1 and 2.
        T: the threshold; from here on it is not safe.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Asymmetric Differential Privacy, Algorithm 3, read with an expiry that runs from
    the visit of each person, which is what its text says.
    """
    alarm = -1
    for t in range(3):
        marked = count(present, data, t - 1, alarm)
        if marked == 0:
            noise = sample(Exponential(1 / eps))
            z = count(present, data, t - 1, t) + noise
            if z >= T:
                yield z
                alarm = t
            else:
                yield "safe"
