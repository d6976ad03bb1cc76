"""All policies and queries of a small size, and shortest paths by Definition 9 alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import TypeAlias, TypeVar

from ....dsl.policies import DataSet, Policy, neighbours

#: N_P(D) of each data set D.
Steps: TypeAlias = Mapping[DataSet, Sequence[DataSet]]

#: Example 1: having visited is sensitive, not having visited is not.
VISITED = Policy(sensitive={1})

_Member = TypeVar("_Member")


def visits(data: DataSet) -> int:
    """How many ones the records hold."""
    return sum(map(sum, data))


def policies(universe: Sequence[int] = (0, 1)) -> Iterator[Policy]:
    """Every policy on a universe."""
    return (Policy(sensitive, universe) for sensitive in _subsets(universe))


def queries(data: Sequence[DataSet]) -> Iterator[frozenset[DataSet]]:
    """Every decision problem on these data sets, given by where q = 0."""
    return (frozenset(chosen) for chosen in _subsets(data))


def steps_of(data: Sequence[DataSet], policy: Policy) -> Steps:
    """N_P(D) of each of these data sets."""
    return {each: list(neighbours(each, policy)) for each in data}


def distances(starts: Iterable[DataSet], steps: Steps) -> dict[DataSet, int]:
    """The fewest steps from any of the starts to each data set that can be reached at all."""
    found = dict.fromkeys(starts, 0)
    reached, k = set(found), 0
    while reached:
        k += 1
        reached = {other for each in reached for other in steps[each]} - found.keys()
        found |= dict.fromkeys(reached, k)
    return found


def leading_to(ends: Iterable[DataSet], steps: Steps) -> frozenset[DataSet]:
    """The ends, and all data from which steps lead there."""
    back: dict[DataSet, list[DataSet]] = {each: [] for each in steps}
    for each, after in steps.items():
        for other in after:
            back[other].append(each)
    return frozenset(distances(ends, back))


def _subsets(of: Sequence[_Member]) -> Iterator[tuple[_Member, ...]]:
    return chain.from_iterable(combinations(of, size) for size in range(len(of) + 1))
