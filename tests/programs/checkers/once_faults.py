"""What once ended in a fault of shiftproof itself, each with the verdict that it should have."""

from collections.abc import Sequence
from math import exp
from typing import Annotated

from shiftproof import DP, Count, DataSet, Epsilon, Laplace, Public, count, mechanism, sample


@mechanism(DP(), expect="refuted")
def refuted_scale_with_a_power(f: Count, T: Public[float], eps: Epsilon) -> float:
    noise = sample(Laplace(exp(T) / eps))
    return f + noise


@mechanism(DP(), expect="refuted")
def refuted_scale_with_a_smaller_power(f: Count, T: Public[float], eps: Epsilon) -> float:
    assert T < 0
    noise = sample(Laplace(exp(T) / eps))
    return f + noise


@mechanism(DP("add-remove"), expect="refuted")
def refuted_predicate_that_divides(
    data: Annotated[Sequence[Sequence[int]], DataSet(1)], eps: Epsilon
) -> bool:
    def positive(r: Sequence[int]) -> bool:
        return 1 / r[0] > 0

    noise = sample(Laplace(1 / eps))
    return count(positive, data) + noise > 3
