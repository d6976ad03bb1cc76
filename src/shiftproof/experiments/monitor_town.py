"""Algorithm 4 on all places of a town at a designated time.

The gallery's monitor draws noise for one place after another; here all places of a run draw at
once.  On the same noise both release the same, which is tested bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ..dsl.errors import BadInput
from ..estimators.bands import bands_of_rates, rates_of
from .monitor_rates import Rate, Row
from .trajectories import NOWHERE, Floats, Ints, Trajectories


@dataclass(frozen=True, eq=False, slots=True)
class Town:
    """Who is at which place at the designated time, one-hot; and how people come in batches.

    Attributes:
        places: how many places there are.
        present: shape (people,); the place of each person, -1 for nowhere.
        updates: how many batches come.
        batch: how many people are in a batch.
    """

    places: int
    present: Ints
    updates: int
    batch: int

    def counts(self, rng: np.random.Generator) -> Ints:
        """How many of those in the array are at each place, after each batch of random people.

        Shape (updates, places); batches are disjoint, so counts grow from update to update.
        """
        drawn = rng.permutation(len(self.present))[: self.updates * self.batch]
        found = np.zeros((self.updates, self.places), np.int64)
        for update, people in enumerate(self.present[drawn].reshape(self.updates, self.batch)):
            there = people[people != NOWHERE]
            found[update] = np.bincount(there, minlength=self.places)
        return np.cumsum(found, axis=0)


def town_of(trajectories: Trajectories, time: float, updates: int, batch: int) -> Town:
    """The town at a designated time, in minutes.

    Raises:
        BadInput: there are not enough people for the batches.
    """
    people = len(trajectories.people)
    if updates * batch > people:
        raise BadInput(
            f"{updates} batches of {batch} people: there are only {people}; "
            "want fewer or smaller batches, or more people"
        )
    return Town(len(trajectories.places), trajectories.at(time), updates, batch)


def first_alarms(counts: Ints, noise: Floats, threshold: float) -> Ints:
    """In which update each place is marked by the repaired Algorithm 4; ``updates`` if never.

    Until then it is said to be safe, and from then on nothing is said.

    Args:
        counts: shape (updates, places).
        noise: the same shape; exponential, with mean 1 / eps.  What is after an alarm is unused.
        threshold: from here on a place is not safe.

    Source: Asymmetric Differential Privacy, Algorithm 4 (repaired).
    """
    loud = counts + noise >= threshold
    return np.where(loud.any(axis=0), loud.argmax(axis=0), len(counts))


def runs_of_town(town: Town, runs: int, seed: int) -> Iterator[tuple[Ints, Floats]]:
    """For each run its counts, and noise of mean 1; both shaped (updates, places).

    Divided by eps it is the noise for any eps: the same for all, so that they can be compared.
    """
    for child in np.random.SeedSequence(seed).spawn(runs):
        rng = np.random.default_rng(child)
        counts = town.counts(rng)
        yield counts, rng.exponential(size=counts.shape)


def rows_of_town(
    town: Town,
    thresholds: Sequence[float],
    epsilons: Sequence[float],
    runs: int,
    seed: int,
    show: Callable[[], None] = lambda: None,
) -> list[Row]:
    """The rates of Algorithm 4 at each update, over all places that are safe then.

    Each run draws new batches and new noise; bands are of the mean over the runs.

    Args:
        town: who is where.
        thresholds: above 0.
        epsilons: in nats, above 0.
        runs: how many.
        seed: of batches and noise.
        show: is called after each run.

    Source: Asymmetric Differential Privacy, section 6.3.2, figures 6 and 7.
    """
    cases = [(threshold, eps) for threshold in thresholds for eps in epsilons]
    tallies = np.zeros((len(cases), runs, town.updates, 2, 2))
    expected = np.zeros_like(tallies)
    for run, (counts, noise) in enumerate(runs_of_town(town, runs, seed)):
        for k, (threshold, eps) in enumerate(cases):
            marked = first_alarms(counts, noise / eps, threshold)
            tallies[k, run] = _tallied(counts, marked, threshold)
            expected[k, run] = _expected(counts, threshold, eps)
        show()
    where = product(cases, range(1, town.updates + 1), _RATES)
    found = tallies.transpose(0, 2, 3, 1, 4).reshape(-1, runs, 2)
    exact = expected.transpose(0, 2, 3, 1, 4).reshape(-1, runs, 2)
    bands = bands_of_rates(found, seed)
    return [
        Row(4, "town", eps, threshold, None, update, rate, _mean(e, rate), band, len(rates_of(f)))
        for ((threshold, eps), update, rate), f, e, band in zip(
            where, found, exact, bands, strict=True
        )
        if band is not None
    ]


#: In the order of tallies.
_RATES: tuple[Rate, ...] = ("answer", "cumulative")


def _tallied(counts: Ints, marked: Ints, threshold: float) -> NDArray[np.float64]:
    """At each update, of the safe places: alarms and answers; marked ones and all.

    Shape (updates, 2, 2).
    """
    found = np.zeros((len(counts), 2, 2))
    for update, now in enumerate(counts):
        at = marked[now < threshold]
        found[update, 0] = (at == update).sum(), (at >= update).sum()
        found[update, 1] = (at <= update).sum(), len(at)
    return found


def _expected(counts: Ints, threshold: float, eps: float) -> NDArray[np.float64]:
    """What :func:`_tallied` is on average over the noise."""
    empty = int((counts[-1] == 0).sum())
    # Most places are empty to the end: one stands for all of them.
    visited = counts[:, counts[-1] > 0]
    counts = np.hstack([visited, np.zeros((len(counts), 1), np.int64)])
    like = np.append(np.ones(visited.shape[1]), empty)
    alarm = np.exp(-eps * np.maximum(threshold - counts, 0.0))
    found = np.zeros((len(counts), 2, 2))
    marked = np.zeros_like(like)  # summed up as it is: one minus the rest would lose the small
    for update, now in enumerate(counts):
        safe = now < threshold
        answers = like - marked
        alarms = answers * alarm[update]
        marked = marked + alarms
        found[update, 0] = alarms[safe].sum(), answers[safe].sum()
        found[update, 1] = marked[safe].sum(), like[safe].sum()
    return found


def _mean(expected: Floats, rate: Rate) -> float:
    """The rate that is expected: of all answers together, or of each run and then on average."""
    if rate == "answer":
        return float(expected[:, 0].sum() / expected[:, 1].sum())
    return float(rates_of(expected).mean())
