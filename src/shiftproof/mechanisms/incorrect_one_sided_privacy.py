"""One-sided privacy that protects the wrong records, or none."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    Bernoulli,
    DataSet,
    Epsilon,
    Exponential,
    IntegerValue,
    Nat,
    OneSidedDP,
    Policy,
    Public,
    count,
    mechanism,
    sample,
)

#: Of the values 0 to 9 the last three are sensitive.
last_three = Policy(sensitive={7, 8, 9}, universe=range(10))


def has_value(record: Sequence[int], v: int) -> bool:
    """Whether a record has a value that is not sensitive."""
    return record[0] == v and v < 7


@mechanism(OneSidedDP(last_three), expect="refuted")
def one_sided_response_to_all(x: Annotated[int, IntegerValue(0, 9)], eps: Epsilon) -> int | None:
    """Release any value with probability 1 - e^(-eps), and else nothing.

    Wrong: a released value is the user's own, the sensitive ones too.

    Args:
        x: the value of one user.
        eps: the privacy parameter in nats.

    Source: Kotsogiannis et al., One-Sided Differential Privacy (ICDE 2020), OsdpRR without its
    policy.
    """
    released = sample(Bernoulli(1 - exp(-eps)))
    return x if released else None


@mechanism(OneSidedDP(last_three), expect="refuted")
def one_sided_response_too_often(x: Annotated[int, IntegerValue(0, 9)], eps: Epsilon) -> int | None:
    """Release a value that is not sensitive with probability 1 - e^(-2 eps), and else nothing.

    Wrong: silence is e^(2 eps) times as likely for a sensitive value.

    Args:
        x: the value of one user.
        eps: the privacy parameter in nats.

    Source: Kotsogiannis et al., One-Sided Differential Privacy (ICDE 2020), OsdpRR for twice
    the budget.
    """
    if x >= 7:
        return None
    released = sample(Bernoulli(1 - exp(-2 * eps)))
    return x if released else None


@mechanism(OneSidedDP(last_three), expect="refuted")
def one_sided_histogram_upwards(
    records: Annotated[Sequence[Sequence[int]], DataSet(1)], k: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Release how many records have each value that is not sensitive, with noise that adds.

    Wrong: an answer just above the smaller count is impossible for the larger one.

    Args:
        records: the data; each record is one value.
        k: how many values are asked for.
        eps: the privacy parameter in nats; the noise has mean 1 / eps.

    Source: Kotsogiannis et al., One-Sided Differential Privacy (ICDE 2020), OsdpLaplace with
    the noise of a sensitive count.
    """
    for v in range(k):
        noise = sample(Exponential(1 / eps))
        yield count(has_value, records, v) + noise
