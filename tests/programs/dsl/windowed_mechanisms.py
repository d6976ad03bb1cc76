"""Monitors whose window has a width that is a public parameter."""

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
    mechanism,
    sample,
)
from shiftproof.mechanisms.stream_monitor import stream_monitor

visited = Policy(sensitive={1})
Recent = Annotated[Sequence[int], WindowCounts("W")]


@mechanism(ADP(visited), expect="refuted")
def silent_too_short(
    f: Recent, W: Public[Nat], T: Public[float], eps: Epsilon
) -> Iterator[float | str]:
    silent = 0
    for t in range(len(f)):
        if silent > 0:
            silent -= 1
        else:
            noise = sample(Exponential(1 / eps))
            z = f[t] + noise
            if z >= T:
                yield z
                silent = W - 2
            else:
                yield "safe"


@mechanism(ADP(visited), expect="refuted")
def another_width(
    f: Recent, W: Public[Nat], V: Public[Nat], T: Public[float], eps: Epsilon
) -> Iterator[float | str]:
    assert V >= 1
    yield from stream_monitor(f, V, T, eps)


@mechanism(ADP(visited))
def the_same_width(
    f: Recent, W: Public[Nat], T: Public[float], eps: Epsilon
) -> Iterator[float | str]:
    yield from stream_monitor(f, W, T, eps)
