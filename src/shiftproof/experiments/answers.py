"""What top-k mechanisms answer in many runs, and how good it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of many runs, one after the other; runs may have any number of them.

    Attributes:
        run: of which run each answer is, ascending.
        item: of which item.
        estimates: the estimated counts, by how they were estimated.
        ranked: whether the answer is among those that claim to be the top k; all if ``None``.
    """

    run: Ints
    item: Ints
    estimates: Mapping[str, Floats]
    ranked: Bools | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """How good the answers of each run are; all arrays have one entry a run.

    Attributes:
        squared: the mean squared error of the answers, by the way of estimating; NaN in a run
            without an answer.
        accuracy: the share of the true top k that was released, in [0, 1].
        answers: how many answers there were.
    """

    squared: Mapping[str, Floats]
    accuracy: Floats
    answers: Ints

    def first(self, runs: int) -> Scores:
        """Those of the first runs."""
        squared = {name: values[:runs] for name, values in self.squared.items()}
        return Scores(squared, self.accuracy[:runs], self.answers[:runs])

    @staticmethod
    def joined(parts: list[Scores]) -> Scores:
        """The scores of all runs, in the order of the parts."""
        return Scores(
            {
                name: np.concatenate([part.squared[name] for part in parts])
                for name in parts[0].squared
            },
            np.concatenate([part.accuracy for part in parts]),
            np.concatenate([part.answers for part in parts]),
        )


def scored(answers: Answers, counts: Floats, k: int, runs: int) -> Scores:
    """Score the answers of ``runs`` runs against the true counts.

    An error is that of the value that was released for an item, against the true count of this
    item.  An item is of the true top k if its count is at least the k-th largest one, so all that
    are equal to it are right; k answers at most can be, and who gives fewer than k answers has
    the missing ones wrong.

    Args:
        answers: of the runs 0 to ``runs`` - 1.
        counts: the true count of each item; as many as k at least.
        k: how many items are asked for.
        runs: how many runs there were.
    """
    run, true = answers.run, counts[answers.item]
    given = np.bincount(run, minlength=runs)
    squared = {}
    for name, estimate in answers.estimates.items():
        total = np.bincount(run, (estimate - true) ** 2, minlength=runs)
        squared[name] = np.divide(total, given, out=np.full(runs, np.nan), where=given > 0)
    right = true >= np.partition(counts, -k)[-k]
    if answers.ranked is not None:
        right &= answers.ranked
    return Scores(squared, np.bincount(run, right, minlength=runs) / k, given)
