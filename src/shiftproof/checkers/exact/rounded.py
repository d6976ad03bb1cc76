"""What noise is rounded to: an integer k with ``k <= s < k + 1``, where s is a number with noise.

Where an outcome says what k is, it is like any integer draw.  Where it does not, k is gone once
all that is asked of it is asked of s.

before:  k <= s < k + 1, k >= 3/2
after:   s >= 2
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...dsl.errors import LimitReached
from ...dsl.terms.linear import shortest
from .affine import Affine
from .ties import OnBoundary, Tie, first_whole, last_whole


def fixed(ties: Sequence[Tie], k: int) -> bool:
    """Whether at most one integer is left."""
    ends: dict[bool, list[int]] = {True: [], False: []}
    for tie in ties:
        if tie.parts.keys() == {k}:
            below, bound = tie.bound(k)
            end = first_whole if below else last_whole
            ends[below].append(end(bound.constant, tie.strict))
    return all(ends.values()) and min(ends[False]) <= max(ends[True])


def without_floor(ties: Sequence[Tie], k: int, solved: Iterable[Affine]) -> list[Tie]:
    """The ties of the draws without what one of them is rounded to.

    ``solved``: what draws are that a release tells.

    Raises:
        LimitReached: it is tied to other noise, or part of a release, too.
        OnBoundary: what is asked of it changes as a released value moves a little.
    """
    own = [tie for tie in ties if k in tie.parts]
    asked = [tie for tie in own if tie.parts.keys() == {k}]
    what = [tie for tie in own if tie.parts.keys() != {k}]
    told = any(k in value.parts for value in solved)
    if told or len(what) != 2 or what[0].parts != {d: -f for d, f in what[1].parts.items()}:
        raise LimitReached("ROUNDED", "rounded noise meets other noise")
    lower, upper = sorted(what, key=lambda tie: tie.parts[k])  # s - k >= 0, and k + 1 - s > 0
    found = [tie for tie in ties if k not in tie.parts]
    for tie in asked:
        below, bound = tie.bound(k)
        if tie.exposed and bound.constant.denominator == 1:
            raise OnBoundary
        if below:
            found.append(_moved(lower, k, -first_whole(bound.constant, tie.strict)))
        else:
            found.append(_moved(upper, k, last_whole(bound.constant, tie.strict)))
    return found


def _moved(tie: Tie, k: int, by: int) -> Tie:
    parts = {d: f for d, f in tie.parts.items() if d != k}
    return replace(tie, parts=parts, constant=shortest(tie.constant + by))
