"""How mechanisms choose what to answer, for many runs at once.

Every function takes noisy values that were drawn before, so that it can be held against the
mechanism itself on the same noise.  Rows are runs.
"""

from __future__ import annotations

import numpy as np

from .answers import Bools, Floats, Ints


def top_of(values: Floats, k: int) -> Ints:
    """The columns of the k largest values of each row, largest first; of equal ones the first.

    Args:
        values: shape (runs, items).
        k: at least 1, at most the number of items.

    Returns:
        Shape (runs, k); each row is what ``top_k`` of the language says.
    """
    least = np.partition(values, -k, axis=1)[:, -k]
    chosen = values >= least[:, None]
    for row in np.flatnonzero(np.count_nonzero(chosen, axis=1) > k):  # ties, hardly ever
        first = np.argsort(-values[row], kind="stable")[:k]
        chosen[row] = False
        chosen[row, first] = True
    items = np.nonzero(chosen)[1].reshape(len(values), k)
    order = np.argsort(-np.take_along_axis(values, items, axis=1), axis=1, kind="stable")
    return np.take_along_axis(items, order, axis=1)


def first_of(reached: Bools, limit: int) -> tuple[Ints, Ints]:
    """The run and the column of the first ``limit`` true entries of each row, in order."""
    found = np.cumsum(reached, axis=1, dtype=np.int32) <= limit
    run, column = np.nonzero(reached & found)
    return run, column


def within_budget(first: Floats, second: Floats, sigma: float, k: int) -> tuple[Ints, Ints, Bools]:
    """The answers of the sparse vector that takes a cheap look, and a second one if in doubt.

    A first gap of at least ``sigma`` is an answer of cost 1/2; a smaller one, if positive, is
    looked at again, and a positive second gap is an answer of cost 1.  Others are free.  The run
    ends before the answer that would bring the cost above k.

    Args:
        first: by how much each query is above the threshold, with the larger noise; shape
            (runs, queries), in the order of asking.
        second: the same with the smaller noise.
        sigma: what is beyond doubt.
        k: the whole budget.

    Returns:
        The run and the column of each answer, and whether it was a cheap one.
    """
    cheap = first >= sigma
    dear = (first > 0) & ~cheap & (second > 0)
    halves = np.cumsum(cheap + 2 * dear, axis=1, dtype=np.int32)
    run, column = np.nonzero((cheap | dear) & (halves <= 2 * k))
    return run, column, cheap[run, column]


def best_of_each_run(run: Ints, value: Floats, k: int) -> Bools:
    """Whether each value is among the k largest of its run; of equal ones the first.

    Args:
        run: of each value, ascending.
        value: as many.
        k: at least 1.
    """
    order = np.lexsort((-value, run))
    rank = np.empty(len(run), np.int64)
    rank[order] = np.arange(len(run)) - np.searchsorted(run, run[order])
    return rank < k
