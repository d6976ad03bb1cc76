"""The tools of diffprivlib: statistics of records.

Their sensitivities are those of records that are replaced, except that of the histograms.
"""

from __future__ import annotations

from typing import Any

import diffprivlib.tools as tools  # type: ignore[import-not-found,unused-ignore]
import numpy as np

from benchmarks.libraries.box import EPSILON, NOTHING, VIOLATION, Library, both_ways
from benchmarks.libraries.relations import RECORDS_REPLACED

LIBRARY = Library("diffprivlib")
FEW = 10_000
LATTICE = "the floats of a sum, as in its Laplace mechanism"
NAN = float("nan")
#: One of ten records is replaced; the others say nothing.
SILENT = both_ways(((1.0,) + (NAN,) * 9, (0.0,) + (NAN,) * 9))
SILENT_TWO = both_ways(((0.0, 1.0) + (NAN,) * 8, (0.0, 0.0) + (NAN,) * 8))


def _of(name: str, records: Any, bounds: Any = (0.0, 1.0), **options: Any) -> Any:
    options = {"epsilon": EPSILON, "bounds": bounds, **options}
    return getattr(tools, name)(np.array(records), **options)


@LIBRARY.box(RECORDS_REPLACED, ideal=NOTHING, code=VIOLATION, samples=2 * FEW, why=LATTICE)
def diffprivlib_mean(records: Any) -> float:
    """The mean of records between 0 and 1."""
    return float(_of("mean", records))


@LIBRARY.box(
    both_ways(((1.0, 1.0), (1.0,))), 0.1, ideal=VIOLATION, samples=4 * FEW,
    why="its noise is made for the number of records: one more makes it up to twice as likely",
)  # fmt: skip
def diffprivlib_mean_of_more(records: Any) -> float:
    """The same mean where records may be added or removed."""
    return float(_of("mean", records, epsilon=0.1))


@LIBRARY.box(
    both_ways(((0.5, 0.5, 0.5), (0.5, 0.5, NAN))), ideal=VIOLATION, samples=FEW,
    why="a record that is no number makes the mean no number (their issue 80)",
)  # fmt: skip
def diffprivlib_mean_of_nan(records: Any) -> float:
    """A mean of records, one of which may be NaN."""
    return float(_of("mean", records))


@LIBRARY.box(
    SILENT, ideal=VIOLATION, samples=FEW,
    why="the sensitivity is that of ten records, and only one of them is a number: 10 ε",
)  # fmt: skip
def diffprivlib_nanmean(records: Any) -> float:
    """A mean that leaves out NaN."""
    return float(_of("nanmean", records))


@LIBRARY.box(
    SILENT_TWO, 2.0, ideal=VIOLATION, samples=FEW,
    why="the sensitivity is that of ten records, and only two of them are numbers: ε is 4",
)  # fmt: skip
def diffprivlib_nanvar(records: Any) -> float:
    """A variance that leaves out NaN."""
    return float(_of("nanvar", records, epsilon=2.0))


@LIBRARY.box(
    both_ways(((5.5, 6.0), (5.5, NAN))), ideal=VIOLATION, samples=FEW,
    why="a number that becomes NaN takes up to 6 from the sum; the noise is made for 6 - 5",
)  # fmt: skip
def diffprivlib_nansum(records: Any) -> float:
    """A sum that leaves out NaN."""
    return float(_of("nansum", records, (5.0, 6.0)))


@LIBRARY.box(RECORDS_REPLACED, ideal=NOTHING, code=VIOLATION, samples=2 * FEW, why=LATTICE)
def diffprivlib_sum(records: Any) -> float:
    """The sum of records between 0 and 1."""
    return float(_of("sum", records))


@LIBRARY.box(
    both_ways(((5.5, 6.0), (5.5,))), ideal=VIOLATION, samples=FEW,
    why="a record more is up to 6 more; the noise is made for 6 - 5",
)  # fmt: skip
def diffprivlib_sum_of_more(records: Any) -> float:
    """A sum where records may be added or removed."""
    return float(_of("sum", records, (5.0, 6.0)))


@LIBRARY.box(
    both_ways(((3, 1), (0, 1))), ideal=NOTHING, samples=FEW, why="integers, with geometric noise"
)
def diffprivlib_sum_of_integers(records: Any) -> int:
    """The sum of integers from 0 to 3."""
    return int(_of("sum", records, (0, 3), dtype=int))


@LIBRARY.box(both_ways(((1, 1), (0, 1))), ideal=NOTHING, samples=FEW, why="a sum of truth values")
def diffprivlib_count_nonzero(records: Any) -> int:
    """How many records are not 0."""
    return int(tools.count_nonzero(np.array(records), epsilon=EPSILON))


@LIBRARY.box(RECORDS_REPLACED, ideal=NOTHING, code=VIOLATION, samples=FEW, why=LATTICE)
def diffprivlib_var(records: Any) -> float:
    """The variance of records between 0 and 1."""
    return float(_of("var", records))


@LIBRARY.box(
    RECORDS_REPLACED, ideal=NOTHING, samples=FEW,
    why="other floats come of other data here too, but a square root leaves no pattern in them",
)  # fmt: skip
def diffprivlib_std(records: Any) -> float:
    """The standard deviation of records between 0 and 1."""
    return float(_of("std", records))


@LIBRARY.box(
    both_ways(((0.25, 0.5, 0.5), (0.3, 0.5, 0.5))), ideal=NOTHING, code=VIOLATION, samples=FEW,
    why="53 random bits are stretched from one record to the next: times 1/4, not 0.3, they stay",
)  # fmt: skip
def diffprivlib_median(records: Any) -> float:
    """The median of records between 0 and 1."""
    return float(_of("median", records))


@LIBRARY.box(
    both_ways(((0.3,), (0.25, 0.3))), ideal=NOTHING, code=VIOLATION, samples=FEW,
    why="a record more moves a rank by 1 at most; the last bits are as for the median",
)  # fmt: skip
def diffprivlib_quantile_of_more(records: Any) -> float:
    """A quantile of records that may be added or removed."""
    return float(_of("quantile", records, quant=0.25))


BINS = {"bins": 3, "range": (0.0, 3.0)}


@LIBRARY.box(
    both_ways(((0.5, 1.5), (0.5, 1.5, 1.5))), ideal=NOTHING, samples=FEW,
    why="one record more moves one count by 1",
)  # fmt: skip
def diffprivlib_histogram(records: Any) -> Any:
    """A histogram of records that may be added or removed."""
    return tools.histogram(np.array(records), epsilon=EPSILON, **BINS)[0].tolist()


@LIBRARY.box(
    both_ways(((0.5, 0.5, 1.5), (0.5, 1.5, 1.5))), ideal=VIOLATION, samples=FEW,
    why="a record that is replaced, as for its other tools, moves two counts: 2 ε",
)  # fmt: skip
def diffprivlib_histogram_of_replaced(records: Any) -> Any:
    """A histogram of records that may be replaced."""
    return tools.histogram(np.array(records), epsilon=EPSILON, **BINS)[0].tolist()


@LIBRARY.box(
    both_ways(((0.5, 1.5), (0.5, 2.5))), ideal=VIOLATION, samples=FEW,
    why="without a range the edges are those of the data (it warns)",
)  # fmt: skip
def diffprivlib_histogram_without_range(records: Any) -> Any:
    """A histogram whose edges are left to the library."""
    counts, edges = tools.histogram(np.array(records), epsilon=EPSILON, bins=3)
    return [*counts.tolist(), *edges.tolist()]
