"""What an alignment costs, as a sum over rates: only where a sum says more than the ε does."""

from __future__ import annotations

import pytest

from shiftproof import one_mechanism, verify


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("asymmetric_sparse_vector", ("c · eps/c = eps",)),
        ("sparse_vector", ("1/2 · eps + c/2 · eps/c = eps",)),
        ("laplace", ("eps",)),
        ("utility_optimized_response", ()),  # by sums: there is no alignment
    ],
)
def test_costs(name: str, cost: tuple[str, ...]) -> None:
    report = verify(one_mechanism(name))
    assert report.holds and report.cost == cost
    assert report.as_json()["cost"] == list(cost)
    assert ("  cost  " in str(report)) is any("=" in each for each in cost)
