"""Binary searches on [-1, 1]: their rules for any number of rounds, and all their runs for few."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import z3

#: The interval before and after a round.
low, high, next_low, next_high = z3.Reals("l r l' r'")
middle = (low + high) / 2


def halved(left: z3.BoolRef, part: Fraction = Fraction(1, 2)) -> z3.BoolRef:
    """One round: the left part of [l, r] is kept if so decided, else the right one."""
    query = low + z3.RealVal(str(part)) * (high - low)
    return z3.And(
        low < high,
        z3.If(
            left,
            z3.And(next_low == low, next_high == query),
            z3.And(next_low == query, next_high == high),
        ),
    )


class Step(NamedTuple):
    """A round of a run: the interval before it, and whether the left half was kept."""

    low: Fraction
    high: Fraction
    left: bool

    @property
    def query(self) -> Fraction:
        """M."""
        return (self.low + self.high) / 2


class Run(NamedTuple):
    """All rounds of a search, and its estimate, the middle of the last interval."""

    steps: tuple[Step, ...]
    estimate: Fraction


def run(go_left: Callable[[int, Fraction], bool], rounds: int) -> Run:
    """The run in which round t = 0, 1, ... with query M decides like this."""
    low, high, steps = Fraction(-1), Fraction(1), []
    for t in range(rounds):
        step = Step(low, high, go_left(t, (low + high) / 2))
        steps.append(step)
        low, high = (low, step.query) if step.left else (step.query, high)
    return Run(tuple(steps), (low + high) / 2)


def all_runs(rounds: int) -> Iterator[Run]:
    """Every run of so many rounds, whatever decides."""
    for left in product((True, False), repeat=rounds):
        yield run(lambda t, _, left=left: left[t], rounds)  # type: ignore[misc]


def grid(steps: int) -> list[Fraction]:
    """-1, ..., 1 in so many steps."""
    return [Fraction(2 * k, steps) - 1 for k in range(steps + 1)]
