"""Hypothesis strategies: records, data sets, answers and inputs, and pairs of neighbours.

    from hypothesis import given
    from shiftproof import Policy
    from shiftproof.strategies import neighbouring_data_sets

    @given(neighbouring_data_sets(Policy(sensitive={1}), attributes=2))
    def test_visits_only_fall(pair):
        data, neighbour = pair
        assert visits(neighbour) <= visits(data)

A pair is ordered, (D, D'): what a mechanism does on D is bounded by what it does on D'.
"""

from __future__ import annotations

from .checkers.strategies.answers import CornerPattern, corner_patterns, query_answers
from .checkers.strategies.data_sets import (
    data_sets,
    neighbouring_data_sets,
    neighbouring_records,
    records,
)
from .checkers.strategies.inputs import neighbouring_inputs

__all__ = [
    "CornerPattern",
    "corner_patterns",
    "data_sets",
    "neighbouring_data_sets",
    "neighbouring_inputs",
    "neighbouring_records",
    "query_answers",
    "records",
]
