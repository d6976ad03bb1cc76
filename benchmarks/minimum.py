"""How the error of LDP minimum finding falls with the number of users, against theory.

``python -m benchmarks.minimum [--runs R] [--plot FILE]`` prints, for uniform values on an interval
of length 1 in [-1, 1] whose place is varied: errors and their slopes in ln N beside those of the
rates of the paper at the same N, the slope in ln ε, the baseline with Laplace noise, what is gained
by asking each user once, and the proved bounds.  All seeds are fixed.  One core, about a minute.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shiftproof.estimators.binary_search import BinarySearch, SearchPlan, search_plan
from shiftproof.estimators.minimum import laplace_minimum, run_search
from shiftproof.estimators.minimum_bounds import minimum_error_bound
from shiftproof.showing.plots.drawing import BLUE, RED, check_drawable, new_figure, save

SEED = 20_210
EPS = 1.0
USERS = tuple(2**k for k in range(10, 29, 2))
#: All N, and those of the slopes -0.386 and -0.273 that were predicted beforehand.
WINDOWS = ((2**10, 2**28), (2**14, 2**24))
#: Where the values begin, so that no place in the lattice of halvings is favoured.
PLACES = tuple(-0.75 + 0.5 * (k + 0.5) / 32 for k in range(32))
BAR = 0.10


@dataclass(frozen=True)
class Series:
    """One way to search; the rate is ((ln N)^power / (ε² N))^(1/(2 fatness))."""

    name: str
    power: int
    known: bool
    once: bool
    fatness: float = 1.0

    def plan(self, users: int, eps: float = EPS) -> SearchPlan:
        """The rounds and the threshold for so many users."""
        return search_plan(users, eps, alpha=self.fatness if self.known else None, once=self.once)

    def rate(self, users: int) -> float:
        """The rate at ε = 1."""
        return float((math.log(users) ** self.power / users) ** (1 / (2 * self.fatness)))


SERIES = (
    Series("α known", 3, True, False),
    Series("α unknown", 6, False, False),
    Series("α known, asked once", 2, True, True),
    Series("α unknown, asked once", 4, False, True),
)
OTHERS = tuple(
    Series(f"{name}, α = {fatness:g}", power, known, False, fatness)
    for fatness in (0.5, 2.0)
    for name, power, known in (("known", 3, True), ("unknown", 6, False))
)


def errors(plan: SearchPlan, fatness: float, runs: int, seed: list[int]) -> NDArray[np.float64]:
    """Absolute errors, ``runs`` for each place; fixed data with #{x ≤ y} / N ≈ (y - min)^α."""
    rng, n, found = np.random.default_rng(seed), plan.users, []
    for least in PLACES:

        def below(query: float, least: float = least) -> int:
            return math.ceil(n * min(max(query - least, 0.0), 1.0) ** fatness)

        for _ in range(runs):
            found.append(abs(run_search(BinarySearch(plan), below, rng).value - least))
    return np.array(found)


def slope(users: NDArray[np.float64], values: NDArray[np.float64]) -> Any:
    """The slope of ln(value) in ln N, by least squares; one for each column of values."""
    return np.polyfit(np.log(users), np.log(values), 1)[0]


def bootstrapped(found: list[NDArray[np.float64]], users: NDArray[np.float64]) -> tuple[Any, Any]:
    """The middle 95 % of the slopes of resampled runs."""
    rng = np.random.default_rng(SEED)
    means = [rng.choice(e, (500, e.size)).mean(axis=1) for e in found]
    low, high = np.quantile(slope(users, np.array(means)), (0.025, 0.975))
    return low, high


def print_slopes(series: Series, number: int, runs: int) -> list[float]:
    """Measure one way to search at all N, and print its slopes."""
    found = [errors(series.plan(n), series.fatness, runs, [SEED, number, n]) for n in USERS]
    for first, last in WINDOWS:
        chosen = [k for k, n in enumerate(USERS) if first <= n <= last]
        users = np.array([USERS[k] for k in chosen], dtype=float)
        means = np.array([found[k].mean() for k in chosen])
        measured = float(slope(users, means))
        predicted = float(slope(users, np.array([series.rate(USERS[k]) for k in chosen])))
        low, high = bootstrapped([found[k] for k in chosen], users)
        off = measured / predicted - 1
        window = f"2^{int(math.log2(first))} to 2^{int(math.log2(last))}"
        print(
            f"{series.name:<24}{window:<14}{measured:>9.3f}  [{low:.3f}, {high:.3f}]"
            f"{predicted:>11.3f}{100 * off:>+9.1f} %  {'met' if abs(off) <= BAR else 'MISSED'}"
        )
    return [float(e.mean()) for e in found]


def print_errors(table: dict[str, list[float]]) -> None:
    """Print mean errors, N by N."""
    print("\nMean errors (rounds, threshold)")
    print(f"{'N':<8}" + "".join(f"{s.name:>28}" for s in SERIES))
    for k, n in enumerate(USERS):
        cells = []
        for s in SERIES:
            plan = s.plan(n)
            cells.append(f"{table[s.name][k]:.4f} ({plan.rounds}, {plan.threshold:.4f})")
        print(f"2^{int(math.log2(n)):<6}" + "".join(f"{c:>28}" for c in cells))


def print_in_eps(runs: int) -> None:
    """Print slopes in ln ε; the rate says -1 for α = 1, for small ε."""
    given = np.array([0.125, 0.25, 0.5, 1.0])
    for s in SERIES:
        n = 2**26
        means = [
            errors(s.plan(n, float(e)), 1.0, runs, [SEED, 99, int(1000 * e)]).mean() for e in given
        ]
        print(f"{s.name:<24}N = 2^26, ε from 1/8 to 1: {float(slope(given, np.array(means))):.3f}")


def baseline(runs: int) -> Iterator[tuple[int, float]]:
    """Mean errors of the least noisy value, up to 2^20 users, values uniform on [-0.5, 0.5]."""
    rng = np.random.default_rng([SEED, 7])
    for n in (n for n in USERS if n <= 2**20):
        values = -0.5 + np.arange(n) / n
        found = [abs(laplace_minimum(values, EPS, seed=rng) + 0.5) for _ in range(runs)]
        yield n, float(np.mean(found))


def print_gain(runs: int) -> None:
    """Print the effective users of both ways, and their errors, for the same rounds."""
    print("\nAsked once against asked in every round, ε = 1, N = 2^20")
    print(f"{'L':<6}{'effective users':>24}{'gain':>8}{'errors':>22}{'ratio':>8}{'√gain':>8}")
    for rounds in (10, 20):
        plans = [search_plan(2**20, EPS, alpha=1, rounds=rounds, once=o) for o in (False, True)]
        every, once = (p.effective_users for p in plans)
        means = [errors(p, 1.0, runs, [SEED, 5, rounds]).mean() for p in plans]
        print(
            f"{rounds:<6}{every:>12.0f}{once:>12.0f}{once / every:>8.2f}{means[0]:>12.4f}"
            f"{means[1]:>10.4f}{means[0] / means[1]:>8.2f}{math.sqrt(once / every):>8.2f}"
        )


def print_bounds(table: dict[str, list[float]]) -> None:
    """Print the proved bounds beside the errors; these values have F(x) = x - min for 1."""
    print("\nProved bound / mean error")
    for s in SERIES:
        bounds = [minimum_error_bound(s.plan(n), alpha=1, c=1, reach=1).total for n in USERS]
        shown = "".join(f"{b / e:>7.2f}" for b, e in zip(bounds, table[s.name]))
        print(f"{s.name:<24}{shown}")


def draw(table: dict[str, list[float]], noisy: list[tuple[int, float]], file: Path) -> None:
    """Draw errors over N, and the rates as dashed lines."""
    figure = new_figure(7.2, 5.0)
    ax = figure.subplots()
    users = np.array(USERS, dtype=float)
    looks = ((BLUE, "o"), (RED, "s"), (BLUE, "^"), (RED, "D"))
    for s, (color, mark) in zip(SERIES, looks):
        means = np.array(table[s.name])
        rate = np.array([s.rate(n) for n in USERS])
        # A rate says nothing of the factor: the line is drawn at the mean height of the points.
        level = math.exp(float(np.mean(np.log(means / rate))))
        face = "white" if s.once else color
        ax.plot(users, level * rate, "--", color=color, lw=1, alpha=0.7)
        ax.plot(users, means, mark, color=color, ms=5.5, mfc=face, label=s.name)
    ax.plot(*zip(*noisy), "x-", color="0.4", lw=1, ms=6, label="Laplace noise, least value")
    ax.plot([], [], "--", color="0.4", lw=1, label="predicted rates, heights fitted")
    ax.axhline(2, color="0.75", lw=0.8)
    ax.annotate("length of the range", (users[-1], 2.3), ha="right", fontsize=8, color="0.5")
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xticks(users)
    ax.set(xlabel="users N", ylabel="mean absolute error", ylim=(3e-4, 60))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(fontsize=8, frameon=False, loc="lower left")
    ax.set_title(
        "Minimum of values in [−1, 1] under local differential privacy, ε = 1", fontsize=10
    )
    save(figure, file)


def main() -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.minimum", description=__doc__)
    parser.add_argument("--runs", type=int, default=60, help="runs for each of 32 places")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="a .png, .svg or .pdf to draw")
    options = parser.parse_args()
    if options.plot:
        check_drawable(options.plot)
    print(
        f"ε = {EPS:g}; {options.runs * len(PLACES)} runs for each N; bands by the bootstrap, 95 %"
    )
    heads = f"{'measured':>9}  {'band':<16}{'predicted':>11}{'off':>11}"
    print(f"\n{'Slope in ln N':<24}{'N':<14}{heads}  within 10 %")
    table = {s.name: print_slopes(s, k, options.runs) for k, s in enumerate((*SERIES, *OTHERS))}
    print_errors(table)
    print("\nSlope in ln ε (the rate says -1)")
    print_in_eps(options.runs)
    noisy = list(baseline(200))
    print("\nLaplace noise, least value: mean errors")
    print(", ".join(f"{error:.1f} (2^{int(math.log2(n))})" for n, error in noisy))
    print_gain(options.runs)
    print_bounds(table)
    if options.plot:
        draw(table, noisy, options.plot)


if __name__ == "__main__":
    main()
