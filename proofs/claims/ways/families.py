"""All small data sets of binary records, and which of them differ by one record."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ....dsl.policies import DataSet, Policy, Record, neighbours

everything = Policy.everything()


def records(attributes: int) -> tuple[Record, ...]:
    """Every binary record of so many attributes."""
    return tuple(product((0, 1), repeat=attributes))


def data_sets(size: int, attributes: int) -> Iterator[DataSet]:
    """Every data set of so many records, as a family: two people with equal records are two."""
    return product(records(attributes), repeat=size)


def replacements(size: int, attributes: int) -> Iterator[tuple[DataSet, DataSet]]:
    """Every pair of such data sets of which exactly one record differs."""
    for data in data_sets(size, attributes):
        for other in data_sets(size, attributes):
            if sum(r != s for r, s in zip(data, other, strict=True)) == 1:
                yield data, other


def protected(size: int, attributes: int, policy: Policy) -> Iterator[tuple[DataSet, DataSet]]:
    """Every pair D, D' of such data sets with D' in N_P(D)."""
    for data in data_sets(size, attributes):
        for other in neighbours(data, policy):
            yield data, other
