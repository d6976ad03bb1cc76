"""Calls of private mechanisms that cost more than is claimed."""

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Public, mechanism

from . import composition


@mechanism(DP(), expect="refuted")
def first_above_with_count_for_one(
    f: Counts, T: Public[float], eps: Epsilon
) -> Iterator[int | float]:
    """Both questions with all of ε, as if it were spent once.

    Wrong: the two answers together are as unlikely as e^(2 eps).

    Args:
        f: counts over the records.
        T: the threshold, which is public.
        eps: the privacy parameter in nats.

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), Section
    3.5.1, without dividing ε.
    """
    (i,) = composition.first_above(f, T, eps)
    yield i
    if 0 <= i < len(f):
        yield from composition.noisy_count(f[i], eps)


@mechanism(DP("add-remove"), expect="refuted")
def counts_in_parallel(f: Counts, eps: Epsilon) -> Iterator[int]:
    """One call for each count, as if a record counted in one of them only.

    Wrong: a record may count in all of them, and then ε is spent for each.

    Args:
        f: counts over the records, in any number of which a record counts.
        eps: the privacy parameter in nats.

    Source: McSherry, Privacy Integrated Queries (SIGMOD 2009), Theorem 4, on data that are not
    disjoint.
    """
    for i in range(len(f)):
        (x,) = composition.noisy_cell(f[i], eps)
        yield x
