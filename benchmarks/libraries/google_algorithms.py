"""Google's C++ library by its Python package, python-dp: statistics of records, one each.

Neighbours have one record more or less; an algorithm is made for each run, as its noise and its
budget ask for.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pydp.algorithms.laplacian as laplacian  # type: ignore[import-not-found,unused-ignore]
from pydp.algorithms.numerical_mechanisms import (  # type: ignore[import-not-found,unused-ignore]
    LaplaceMechanism,
)
from pydp.distributions import (  # type: ignore[import-not-found,unused-ignore]
    LaplaceDistribution,
)

from benchmarks.libraries.box import EPSILON, NOTHING, VIOLATION, Library, both_ways
from benchmarks.libraries.relations import FLOATS, INTEGERS

LIBRARY = Library("python-dp")
FEW = 40_000
SECURE = "noise is drawn from integers, and the number is rounded to their lattice first"
ONE_MORE = both_ways(((1.0, 9.0), (1.0, 9.0, 10.0)), ((), (10.0,)))


@cache
def _noise() -> Any:
    return LaplaceMechanism(EPSILON, 1.0)


@LIBRARY.box([*FLOATS, *both_ways((0.0, 0.1))], ideal=NOTHING, why=SECURE)
def google_laplace(x: float) -> float:
    """A float with Laplace noise."""
    return float(_noise().add_noise(x))


@LIBRARY.box(INTEGERS, ideal=NOTHING, why=SECURE)
def google_laplace_of_integers(x: int) -> int:
    """An integer with Laplace noise."""
    return int(_noise().add_noise(x))


@cache
def _distribution() -> Any:
    return LaplaceDistribution(EPSILON, 1.0)


@LIBRARY.box(
    both_ways((0.0, 0.1)), ideal=NOTHING, code=VIOLATION,
    why="secure noise is on a lattice, and 0.1 is not on it: one who adds them gets 0.1's bits",
)  # fmt: skip
def google_laplace_added_by_hand(x: float) -> float:
    """A sample of its Laplace distribution, added to a float by its user."""
    return float(x + _distribution().sample())


def _of(name: str, records: Any, dtype: str = "float", **options: Any) -> Any:
    bounds = {} if name == "Count" else {"lower_bound": 0, "upper_bound": 10}
    algorithm = getattr(laplacian, name)(epsilon=EPSILON, dtype=dtype, **bounds, **options)
    return algorithm.quick_result([*records])


@LIBRARY.box(both_ways(((1, 9), (1, 9, 10)), ((), (10,))), ideal=NOTHING, samples=FEW, why=SECURE)
def google_count(records: Any) -> int:
    """How many records there are."""
    return int(_of("Count", records, "int"))


@LIBRARY.box(ONE_MORE, ideal=NOTHING, samples=FEW, why=SECURE)
def google_sum(records: Any) -> float:
    """The sum of records between 0 and 10."""
    return float(_of("BoundedSum", records))


@LIBRARY.box(
    both_ways(((0.0, 9.0), (10.0, 9.0))), ideal=NOTHING, samples=FEW,
    why="a record that is replaced moves the sum by 10 at most, as one that is added does",
)  # fmt: skip
def google_sum_of_replaced(records: Any) -> float:
    """The sum where a record may be replaced."""
    return float(_of("BoundedSum", records))


@LIBRARY.box(
    both_ways((("a", "a"), ("a", "b"))), ideal=VIOLATION, samples=FEW,
    why="a count for each of two groups, with ε each, and a record that changes its group",
)  # fmt: skip
def google_two_counts_of_replaced(records: Any) -> Any:
    """How many records are a, and how many b, where a record may be replaced."""
    return [int(_of("Count", [1] * records.count(name), "int")) for name in "ab"]


@LIBRARY.box(ONE_MORE, ideal=NOTHING, samples=FEW, why="ε is shared by a sum and a count")
def google_mean(records: Any) -> float:
    """The mean of records between 0 and 10."""
    return float(_of("BoundedMean", records))


@LIBRARY.box(ONE_MORE, ideal=NOTHING, samples=FEW, why="ε is shared by two sums and a count")
def google_variance(records: Any) -> float:
    """The variance of records between 0 and 10."""
    return float(_of("BoundedVariance", records))


@LIBRARY.box(
    both_ways(((1.0, 9.0), (1.0, 9.0, 10.0))), ideal=NOTHING, samples=FEW // 2,
    why="a tree of noisy counts, on each level of which a record is once",
)  # fmt: skip
def google_median(records: Any) -> float:
    """The median of records between 0 and 10."""
    return float(_of("Median", records))


@LIBRARY.box(
    both_ways(((1.0, 1.0), (1.0, 1.0, 10.0))), ideal=NOTHING, samples=FEW // 2,
    why="the highest quantile of the same tree",
)  # fmt: skip
def google_max(records: Any) -> float:
    """The largest of records between 0 and 10."""
    return float(_of("Max", records))
