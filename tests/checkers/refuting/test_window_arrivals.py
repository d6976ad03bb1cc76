"""Counts over windows are written down as arrivals exactly where some arrivals have them."""

from __future__ import annotations

from itertools import product

import pytest

from shiftproof.dsl.relations.witnesses import _arrived


def counted(arrivals: dict[int, int], length: int, width: int) -> tuple[int, ...]:
    """How many of them came in the last ``width`` steps, at each time."""
    return tuple(
        sum(arrivals.get(s, 0) for s in range(t - width + 1, t + 1)) for t in range(length)
    )


@pytest.mark.parametrize(("length", "width"), [(1, 1), (4, 1), (3, 2), (4, 2), (4, 3), (2, 5)])
def test_all_small_counts(length: int, width: int) -> None:
    times = range(1 - width, length)
    possible = {
        counted(dict(zip(times, numbers, strict=True)), length, width)
        for numbers in product(range(3), repeat=len(times))
    }
    for counts in product(range(3), repeat=length):
        found = _arrived(counts, width)
        assert (found is not None) == (counts in possible), counts
        if found is not None:
            assert counted({t: found.count(t) for t in found}, length, width) == counts


def test_who_was_there_first_need_not_leave_first() -> None:
    assert _arrived((3, 3, 1, 0), 2) == (-1, 0, 0, 1)
