"""The pairs of inputs that many boxes share."""

from __future__ import annotations

from benchmarks.libraries.box import Pairs, both_ways
from shiftproof import pairs_of_relation


def answers(relation: str) -> Pairs:
    """The pairs of a relation such as ``all:5``, as StatDP has them."""
    return [(pair.name, pair.left, pair.right) for pair in pairs_of_relation(relation)]


#: A number that moves by 1.
FLOATS, INTEGERS = both_ways((0.0, 1.0)), both_ways((0, 1))
#: Three answers that may all move by 1; and ten, the first of which moves against the others.
SCORES = answers("all:3")
AGAINST = both_ways(((0.0,) + (1.0,) * 9, (1.0,) + (0.0,) * 9))
#: A truth value.
BITS = both_ways((True, False))
#: The counts of a histogram: one record more or less, or one that moves to another bin.
ONE_MORE, MOVED = both_ways(((2, 3, 1), (2, 4, 1))), both_ways(((2, 3, 1), (1, 4, 1)))
#: Records between 0 and 1: one more or less, or one that is replaced.
RECORDS_MORE = both_ways(((1.0,), (1.0, 1.0)), ((0.0, 1.0), (0.0, 1.0, 1.0)))
RECORDS_REPLACED = both_ways(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
#: One of four categories, by its index; all of them are neighbours.
CATEGORIES = [(one, other) for one in range(4) for other in range(4) if one != other]
