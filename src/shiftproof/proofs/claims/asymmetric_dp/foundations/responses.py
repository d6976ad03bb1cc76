"""Mangat's response and noisy counts, with what Section 1 claims of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Annotated

from .....dsl.language.runtime import count, ensure, sample
from .....dsl.mechanism import mechanism
from .....dsl.noise import Bernoulli, Exponential
from .....dsl.privacy.definitions import ADP, OneSidedDP, UtilityOptimizedLDP
from .....dsl.privacy.inputs import DataSet, Epsilon, IntegerValue, Public
from .....dsl.privacy.policies import Policy

#: A one ("yes") is sensitive, a zero ("no") is not.
ones = Policy(sensitive={1})


def is_yes(x: int) -> bool:
    """Whether a value, or an answer, is "yes"."""
    return x == 1


def is_no(x: int) -> bool:
    """Whether it is "no"."""
    return x == 0


@mechanism(ADP(ones), expect="refuted")
def mangat_yes_is_certain(
    x: Annotated[int, IntegerValue(0, 1)], p: Public[float], eps: Epsilon
) -> int:
    """Who has the sensitive one says one; who has zero admits it with probability p."""
    assert 0 < p <= 1 - exp(-eps)
    honest = sample(Bernoulli(p))
    if x == 0 and honest:
        return 0
    ensure(x == 1)
    return 1


@mechanism(ADP(ones))
def mangat_no_is_certain(
    x: Annotated[int, IntegerValue(0, 1)], p: Public[float], eps: Epsilon
) -> int:
    """The same, of which the other answer is claimed."""
    assert 0 < p <= 1 - exp(-eps)
    honest = sample(Bernoulli(p))
    if x == 0 and honest:
        ensure(x == 0)
        return 0
    return 1


@mechanism(UtilityOptimizedLDP(is_yes, protected=is_yes))
def mangat_utility_optimized(
    x: Annotated[int, IntegerValue(0, 1)], p: Public[float], eps: Epsilon
) -> int:
    """The same, of which utility-optimised LDP is claimed."""
    assert 0 < p <= 1 - exp(-eps)
    honest = sample(Bernoulli(p))
    return 0 if x == 0 and honest else 1


@mechanism(UtilityOptimizedLDP(is_no, protected=is_no), expect="refuted")
def mangat_for_no(x: Annotated[int, IntegerValue(0, 1)], p: Public[float], eps: Epsilon) -> int:
    """The same for who wants to hide a "no"."""
    assert 0 < p <= 1 - exp(-eps)
    honest = sample(Bernoulli(p))
    return 0 if x == 0 and honest else 1


@mechanism(ADP(ones))
def mangat_at_its_most_honest(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    """The same with the largest p that is private."""
    honest = sample(Bernoulli(1 - exp(-eps)))
    return 0 if x == 0 and honest else 1


def was_there(record: Sequence[int]) -> bool:
    """Whether the first value of a record is a visit."""
    return record[0] == 1


@mechanism(OneSidedDP(ones))
def count_of_values(records: Annotated[Sequence[Sequence[int]], DataSet(1)], eps: Epsilon) -> float:
    """A count over records of one value, with one-sided noise, under one-sided DP."""
    noise = sample(Exponential(1 / eps))
    return count(was_there, records) + noise


@mechanism(OneSidedDP(ones), expect="refuted")
def count_of_visits(records: Annotated[Sequence[Sequence[int]], DataSet(2)], eps: Epsilon) -> float:
    """The same over records of two values: a visit elsewhere may become one here."""
    noise = sample(Exponential(1 / eps))
    return count(was_there, records) + noise


@mechanism(ADP(ones))
def count_of_visits_under_adp(
    records: Annotated[Sequence[Sequence[int]], DataSet(2)], eps: Epsilon
) -> float:
    """The same under ADP: not having been there stays as it is."""
    noise = sample(Exponential(1 / eps))
    return count(was_there, records) + noise
