"""The experiments on minimum finding: errors over the number of users and over ε.

Source: LDP minimum finding, Section 6.
"""

from __future__ import annotations

import math
import zlib
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..estimators.binary_search import BinarySearch, SearchPlan, search_plan
from ..estimators.minimum import run_search
from ..estimators.minimum_inputs import checked_range, checked_values
from .minimum_results import Fit, MinimumExperiment, Row, Series
from .point import above_zero, several, whole

#: The defaults: numbers of users, ε in nats, α of the generated values.
USERS = tuple(2**k for k in range(10, 21, 2))
EPSILONS, ALPHAS = (0.5, 1.0, 2.0), (1.0,)
#: Where generated values begin, so that no place in the lattice of halvings is favoured.
PLACES = tuple(-0.75 + 0.5 * (k + 0.5) / 32 for k in range(32))
MOST_USERS, MOST_RUNS = 10**9 - 1, 10**6
#: How often a fit is made anew from resampled runs, and from how many points on.
RESAMPLES, FEWEST = 500, 3
#: The slope below which an error does not fall.
FLAT = 1e-3


def minimum_experiment(
    values: Any = None,
    *,
    low: float = -1.0,
    high: float = 1.0,
    alphas: Iterable[float] = ALPHAS,
    users: Iterable[int] | None = None,
    epsilons: Iterable[float] = EPSILONS,
    runs: int = 1000,
    seed: int = 0,
) -> MinimumExperiment:
    """Measure the error of :func:`find_minimum` at every number of users and every ε.

    Without values they are generated: F(x) = (x − min)^α on an interval of length 1 in [−1, 1],
    as fixed data, which are its quantiles, and i.i.d., each with α known and unknown.  Of given
    values as many as there are users are drawn without replacement, anew in each run; searched
    are both ends, α unknown.  Users are asked in every round, and once.

    Args:
        values: one number for each user, shape (N,), in [low, high]; or ``None``.
        low: where searches of given values begin; known without looking at them.
        high: where they end; likewise.
        alphas: of the generated values, each above 0.
        users: from 1 to 10^9 − 1, of given values at most so many as there are; by default
            powers of 4 from 2^10 to 2^20, as far as they go.
        epsilons: what a user spends in all, in nats, each above 0.
        runs: how often each search is run at each point, from 1 to a million.
        seed: of everything, not negative.

    Raises:
        BadInput: one of these is out of range.

    Source: LDP minimum finding, Section 6; asking once is not in the paper.
    """
    plan = planned(values, low, high, alphas, users, epsilons, runs, seed)
    return plan.result(list(measured(plan)))


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is asked for, checked."""

    populations: tuple[Population, ...]
    users: tuple[int, ...]
    epsilons: tuple[float, ...]
    runs: int
    seed: int

    @property
    def points(self) -> list[tuple[Population, Series, int, float]]:
        """What is measured, each with the number of users and ε."""
        return [
            (population, series, n, eps)
            for population in self.populations
            for series in population.series
            for eps in self.epsilons
            for n in self.users
        ]

    @property
    def tasks(self) -> int:
        """How many points there are."""
        return len(self.points)

    def result(self, found: Sequence[Measured], interrupted: bool = False) -> MinimumExperiment:
        """The rows, and the α that fit them."""
        rows = tuple(one.row for one in found)
        fits = tuple(_fits(found, self.seed))
        values = self.populations[0].values
        return MinimumExperiment(values, self.runs, self.seed, rows, fits, interrupted)


@dataclass(frozen=True, slots=True)
class Measured:
    """A row, and the errors of its runs."""

    row: Row
    errors: NDArray[np.float64]


#: How many values of a run are below a query.
Below = Callable[[float], int]


@dataclass(frozen=True, slots=True)
class Population:
    """What users hold.

    Attributes:
        series: the searches that are made.
        values: how many there are; ``None`` if they are generated.
        low: where searches begin.
        high: where they end.
        draw: the data of one run, by its number: their minimum, and how many are below a query.
    """

    series: tuple[Series, ...]
    values: int | None
    low: float
    high: float
    draw: Callable[[int, int, np.random.Generator], tuple[float, Below]]


def planned(
    values: Any,
    low: float,
    high: float,
    alphas: Iterable[float],
    users: Iterable[int] | None,
    epsilons: Iterable[float],
    runs: int,
    seed: int,
) -> Plan:
    """Check what is asked for; see :func:`minimum_experiment`."""
    if values is None:
        wanted = [above_zero("alphas", alpha) for alpha in several("alphas", alphas)]
        populations = [_generated(a, iid) for a in dict.fromkeys(wanted) for iid in (False, True)]
        most, why = MOST_USERS, ""
    else:
        first, last = checked_range(low, high)
        numbers = np.sort(checked_values(values, first, last))
        populations = [
            _subsampled("minimum", numbers, first, last),
            _subsampled("maximum", -numbers[::-1], -last, -first),
        ]
        most, why = len(numbers), "the number of values"
    if users is None:
        users = [n for n in USERS if n <= most] or [most]
    return Plan(
        tuple(populations),
        tuple(sorted({whole("users", n, 1, most, why) for n in several("users", users)})),
        tuple(sorted({above_zero("epsilons", e) for e in several("epsilons", epsilons)})),
        whole("runs", runs, 1, MOST_RUNS),
        whole("seed", seed, 0),
    )


def _generated(alpha: float, iid: bool) -> Population:
    """Values from F(x) = (x − min)^α."""

    def draw(run: int, users: int, rng: np.random.Generator) -> tuple[float, Below]:
        least = PLACES[run % len(PLACES)]

        def share(query: float) -> float:
            return float(min(max(query - least, 0.0), 1.0) ** alpha)

        if iid:
            return least, _Split(users, share, 1.0, _binomial(rng))
        return least, lambda query: math.ceil(users * share(query))

    data = f"{'i.i.d.' if iid else 'fixed'}, α = {alpha:g}"
    series = tuple(
        Series(data, "minimum", alpha if known else None, once)
        for known in (True, False)
        for once in (False, True)
    )
    return Population(series, None, -1.0, 1.0, draw)


def _subsampled(end: str, numbers: NDArray[np.float64], low: float, high: float) -> Population:
    """Some of these values, which are sorted; the least of all is the minimum."""

    def number(query: float) -> float:
        return float(np.searchsorted(numbers, query))

    def draw(run: int, users: int, rng: np.random.Generator) -> tuple[float, Below]:
        del run
        return float(numbers[0]), _Split(users, number, len(numbers), _hypergeometric(rng))

    series = tuple(Series("subsampled", end, None, once) for once in (False, True))
    return Population(series, len(numbers), low, high, draw)


#: How many of so many users fall into a part of an interval: the part, and the whole of its mass.
Falls = Callable[[int, float, float], int]


def _binomial(rng: np.random.Generator) -> Falls:
    return lambda users, part, mass: int(rng.binomial(users, part / mass)) if part else 0


def _hypergeometric(rng: np.random.Generator) -> Falls:
    return lambda users, part, mass: int(rng.hypergeometric(int(part), int(mass - part), users))


class _Split:
    """How many of some random values are below a query, which are drawn only as far as asked.

    Between two queries that were asked before lie as many as was found; so between them, and only
    there, the new query splits them by the mass on its two sides.
    """

    def __init__(
        self, users: int, mass: Callable[[float], float], total: float, falls: Falls
    ) -> None:
        self._mass, self._falls = mass, falls
        #: The queries, and below each the mass and the number of values.
        self._at = [-math.inf, math.inf]
        self._known = [(0.0, 0), (float(total), users)]

    def __call__(self, query: float) -> int:
        """The number of values below the query."""
        k = bisect(self._at, query)
        if self._at[k - 1] == query:
            return self._known[k - 1][1]
        (before, below), (after, upto) = self._known[k - 1], self._known[k]
        mass = self._mass(query)
        count = below + self._falls(upto - below, mass - before, after - before)
        self._at.insert(k, query)
        self._known.insert(k, (mass, count))
        return count


def measured(
    plan: Plan, show: Callable[[int, str], None] = lambda done, what: None
) -> Iterator[Measured]:
    """The rows in order, as soon as each is there; ``show`` is told of every point."""
    for done, (population, series, users, eps) in enumerate(plan.points, start=1):
        search = search_plan(users, eps, alpha=series.alpha, once=series.once)
        name = f"{series.name} {users} {eps!r}"
        sequence = np.random.SeedSequence(plan.seed, spawn_key=(zlib.crc32(name.encode()),))
        errors = _errors(population, search, plan.runs, np.random.default_rng(sequence))
        low, high = (float(q) for q in np.quantile(errors, (0.05, 0.95)))
        row = Row(
            series, users, eps, search.rounds, search.threshold, float(errors.mean()), low, high
        )
        show(done, f"{series.name}, N = {users:,}, ε = {eps:g}")
        yield Measured(row, errors)


def _errors(
    population: Population, search: SearchPlan, runs: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    found = np.empty(runs)
    for run in range(runs):
        least, below = population.draw(run, search.users, rng)
        begun = BinarySearch(search, population.low, population.high)
        found[run] = abs(run_search(begun, below, rng).value - least)
    return found


def _fits(found: Sequence[Measured], seed: int) -> Iterator[Fit]:
    """The α with which the rates of theory have the slopes that were measured, series by series.

    The rate is ((ln N)^p / (ε² N))^(1/(2α)) with p = 3 or 6 if α is known or not, and 2 or 4 if
    users are asked once.
    """
    for series in dict.fromkeys(one.row.series for one in found):
        own = [one for one in found if one.row.series == series]
        for eps in dict.fromkeys(one.row.eps for one in own):
            yield from _fitted("users", eps, [one for one in own if one.row.eps == eps], seed)
        for users in dict.fromkeys(one.row.users for one in own):
            yield from _fitted("eps", users, [one for one in own if one.row.users == users], seed)


def _fitted(over: str, at: float, own: Sequence[Measured], seed: int) -> Iterator[Fit]:
    if len(own) < FEWEST or not all(one.row.error > 0 for one in own):
        return
    series = own[0].row.series
    x = np.array([series.log_rate(one.row.users, one.row.eps) for one in own])
    rng = np.random.default_rng(seed)
    means = np.array([[one.row.error] * RESAMPLES for one in own])
    for k, one in enumerate(own):
        means[k, 1:] = rng.choice(one.errors, (RESAMPLES - 1, len(one.errors))).mean(axis=1)
    slopes = np.polyfit(x, np.log(np.maximum(means, 1e-300)), 1)[0]
    low, high = np.quantile(slopes, (0.025, 0.975))
    yield Fit(series, over, at, *(_alpha(float(s)) for s in (slopes[0], high, low)))


def _alpha(slope: float) -> float:
    """α of the slope 1/(2α); infinite where the error hardly falls, or does not."""
    return 1 / (2 * slope) if slope > FLAT else math.inf
