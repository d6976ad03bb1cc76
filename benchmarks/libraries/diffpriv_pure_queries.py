"""Queries of diffpriv-pure, a package without dependencies."""

from __future__ import annotations

from typing import Any

import diffpriv_pure  # type: ignore[import-not-found,unused-ignore]

from benchmarks.libraries.box import EPSILON, NOTHING, VIOLATION, Library, both_ways
from benchmarks.libraries.relations import INTEGERS, RECORDS_REPLACED

LIBRARY = Library("diffpriv-pure")


@LIBRARY.box(
    INTEGERS, ideal=VIOLATION, why="its geometric noise is never negative, so 0 never comes of 1"
)
def diffpriv_pure_count(count: int) -> int:
    """A count."""
    return int(diffpriv_pure.private_count(count, EPSILON))


@LIBRARY.box(
    RECORDS_REPLACED, ideal=NOTHING, code=VIOLATION, why="one uniform float makes its Laplace noise"
)
def diffpriv_pure_mean(records: Any) -> float:
    """The mean of records between 0 and 1."""
    return float(diffpriv_pure.private_mean([*records], (0.0, 1.0), EPSILON))


@LIBRARY.box(
    both_ways(((5.5, 6.0), (5.5,))), ideal=VIOLATION,
    why="a record more is up to 6 more; the noise is made for 6 - 5",
)  # fmt: skip
def diffpriv_pure_sum_of_more(records: Any) -> float:
    """The sum of records between 5 and 6, of which one may be added or removed."""
    return float(diffpriv_pure.private_sum([*records], (5.0, 6.0), EPSILON))
