"""One-sided privacy: records that are not sensitive may be released, or counted, as they are."""

from collections.abc import Iterator, Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    Bernoulli,
    DataSet,
    Epsilon,
    IntegerValue,
    IntegerValues,
    Nat,
    NegativeExponential,
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


@mechanism(OneSidedDP(last_three))
def one_sided_response(x: Annotated[int, IntegerValue(0, 9)], eps: Epsilon) -> int | None:
    """Release a value that is not sensitive with probability 1 - e^(-eps), and else nothing.

    A sensitive value is never released.

    Args:
        x: the value of one user.
        eps: the privacy parameter in nats.

    Source: Kotsogiannis et al., One-Sided Differential Privacy (ICDE 2020), OsdpRR for one
    record.
    """
    if x >= 7:
        return None
    released = sample(Bernoulli(1 - exp(-eps)))
    return x if released else None


@mechanism(OneSidedDP(last_three))
def one_sided_responses(
    x: Annotated[Sequence[int], IntegerValues(0, 9)], eps: Epsilon
) -> Iterator[int | None]:
    """Do the same for every record of a data set.

    Args:
        x: the records; each is one value.
        eps: the privacy parameter in nats.

    Source: Kotsogiannis et al., One-Sided Differential Privacy (ICDE 2020), OsdpRR.
    """
    for i in range(len(x)):
        yield from one_sided_response(x[i], eps)


@mechanism(OneSidedDP(last_three))
def one_sided_histogram(
    records: Annotated[Sequence[Sequence[int]], DataSet(1)], k: Public[Nat], eps: Epsilon
) -> Iterator[float]:
    """Release how many records have each value that is not sensitive, with noise that subtracts.

    A sensitive record that becomes another one can only add to one of these counts.

    Args:
        records: the data; each record is one value.
        k: how many values are asked for.
        eps: the privacy parameter in nats; the noise has mean -1 / eps.

    Source: Kotsogiannis et al., One-Sided Differential Privacy (ICDE 2020), OsdpLaplace.
    """
    for v in range(k):
        noise = sample(NegativeExponential(1 / eps))
        yield count(has_value, records, v) + noise
