"""Audits of claims with a δ, beside the histogram tester of dp_auditorium.

``python -m benchmarks.deltas [--auditorium PATH] [--runs N] [--times K]`` holds mechanisms against
claims, right and wrong, K times each with N runs in all, and prints how often a violation was
found, with a confidence of 95 %, and the seconds of one time.  The tester of Gilbert and McMillan
needs NumPy alone; it gets half of the runs on each input of the one pair, and the range of the
outputs.  Those of dp_auditorium that need TensorFlow are left out, and the one of mean
discrepancies.  Without PATH, the folder `python/dp_auditorium` of a clone of
https://github.com/google/differential-privacy, only the audits run.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from scipy import optimize, stats

from benchmarks.machine import machine
from shiftproof import audit

#: How many runs a time has, how many times there are, and how often a test may be wrong.
RUNS, TIMES, LEVEL = 200_000, 20, 0.05
#: Bins for numbers; for whole numbers there is one for each.
BINS = 50


@dataclass(frozen=True, slots=True)
class Row:
    """A mechanism on a pair, and a claim.

    Attributes:
        function: takes an input, a generator and how many outputs are wanted.
        wrong: whether the claim is false.
        low, high: where its outputs mostly are; whole numbers if ``whole``.
    """

    name: str
    function: Callable[..., Any]
    pair: tuple[Any, Any]
    epsilon: float
    delta: float
    wrong: bool
    low: float
    high: float
    whole: bool = False


def rows(library: Any = None) -> list[Row]:
    """Each mechanism with a right claim and a wrong one; those of dp_auditorium if it is there."""
    exact = _exact_scale(1.0, 0.01)
    kept, dropped = (math.exp(-k) / (1 + math.exp(-1)) for k in (4, 5))
    found = []
    for name, scale, wrong in (("", exact, False), (", .8 of the noise", 0.8 * exact, True)):
        some = _gaussian(scale)
        found.append(Row(f"Gaussian{name}", some, (1.0, 0.0), 1.0, 0.01, wrong, -9, 10))
    classical = math.sqrt(2 * math.log(1.25 / 0.3)) / 8
    found.append(
        Row("Gaussian, classical σ", _gaussian(classical), (1.0, 0.0), 8.0, 0.3, True, -1, 2)
    )
    for epsilon, wrong in ((1.0, False), (0.8, True), (0.5, True)):
        found.append(Row("Laplace", _laplace, (1.0, 0.0), epsilon, 0.01, wrong, -5, 6))
    for delta, wrong in ((kept, False), (dropped, True)):
        found.append(
            Row("threshold 5, 5 is kept", _threshold, (1, 0), 1.0, delta, wrong, 0, 20, True)
        )
    if library is not None:
        pair = (0.0,), (1.0,)
        for name, noisy, wrong in (("", False, False), (" of noisy counts", True, True)):
            some = library.mean(noisy, 0.9, 0.1)
            found.append(Row(f"its mean{name}", some, pair, 0.9, 0.1, wrong, -2, 2))
    return found


def _exact_scale(epsilon: float, delta: float) -> float:
    """Of the Gaussian noise that is just enough: Balle and Wang (ICML 2018), Theorem 8."""

    def more(scale: float) -> float:
        half, far = 1 / (2 * scale), epsilon * scale
        tail = math.exp(float(stats.norm.logcdf(-half - far)) + epsilon)
        return float(stats.norm.cdf(half - far)) - tail - delta

    return float(optimize.brentq(more, 0.01, 1_000))


def _gaussian(scale: float) -> Callable[..., Any]:
    def gaussian(x: float, rng: np.random.Generator, size: int) -> Any:
        return x + rng.normal(scale=scale, size=size)

    return gaussian


def _laplace(x: float, rng: np.random.Generator, size: int) -> Any:
    return x + rng.laplace(size=size)


def _threshold(x: int, rng: np.random.Generator, size: int) -> Any:
    """A count with discrete Laplace noise of scale 1; 0 for no record, and below 5."""
    up, down = rng.geometric(-math.expm1(-1), (2, size))
    noisy = x + up - down
    return np.where((x > 0) & (noisy >= 5), noisy, 0)


class Auditorium:
    """What is needed of dp_auditorium, without what needs TensorFlow."""

    def __init__(self, path: Path) -> None:
        folders = (path, path / "dp_auditorium", path / "python" / "dp_auditorium")
        known = [f for f in folders if (f / "dp_auditorium" / "testers").is_dir()]
        if not known:
            raise SystemExit(f"--auditorium {path}: dp_auditorium/testers is not there")
        sys.path.insert(0, str(known[0]))
        # It names a type of array that is asked for in annotations alone.
        types: Any = ModuleType("etils.array_types")
        types.IntArray = np.ndarray
        sys.modules.setdefault("etils", ModuleType("etils"))
        sys.modules.setdefault("etils.array_types", types)
        from benchmarks.libraries.auditorium import without_init

        without_init("dp_auditorium.testers", known[0] / "dp_auditorium" / "testers")
        self.property, self.tester, self.mechanism = (
            import_module(f"dp_auditorium.configs.{name}")
            for name in ("privacy_property", "property_tester_config", "mechanism_config")
        )
        self.means = import_module("dp_auditorium.mechanisms.mean")
        self.histogram = import_module("dp_auditorium.testers.histogram_tester")

    def mean(self, noisy: bool, epsilon: float, delta: float) -> Callable[..., Any]:
        """Its mean with Gaussian noise; of noisy counts it is what it calls private."""
        config = self.mechanism.MeanMechanismConfig(
            epsilon=epsilon, delta=delta, max_value=1.0, min_value=0.0,
            use_noised_counts_for_calculating_mean=noisy,
            use_noised_counts_for_calculating_noise_scale=noisy,
        )  # fmt: skip

        def mean(x: Sequence[float], rng: np.random.Generator, size: int) -> Any:
            return self.means.MeanMechanism(config, rng)(np.array(x), size)[:, 0]

        return mean

    def refuses(self, row: Row, runs: int, seed: int) -> bool:
        """Whether the histogram tester refuses the claim."""
        claim = self.property.ApproximateDp(row.epsilon, row.delta)
        size = int(row.high) + 1 if row.whole else BINS
        config = self.tester.HistogramPropertyTesterConfig(
            row.whole, size, row.low, row.high, claim
        )
        tester = self.histogram.HistogramTester(config)
        rng = np.random.default_rng(seed)
        sides = [row.function(side, rng, runs // 2) for side in row.pair]
        if row.whole:
            sides = [np.clip(side, row.low, row.high) for side in sides]
        return bool(tester.reject_property(tester.estimate_lower_bound(*sides, LEVEL)))


def _audited(row: Row, runs: int, seed: int) -> bool:
    found = audit(
        row.function, pairs=[row.pair], epsilon=row.epsilon, delta=row.delta, samples=runs,
        confidence=1 - LEVEL, judge="ideal", seed=seed,
    )  # fmt: skip
    return found.verdict == "violation found"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deltas")
    parser.add_argument("--auditorium", type=Path, metavar="PATH", help="where dp_auditorium is")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--times", type=int, default=TIMES)
    options = parser.parse_args()
    library = Auditorium(options.auditorium) if options.auditorium else None
    testers = {"audit": _audited} | ({"histogram tester": library.refuses} if library else {})
    print(machine())
    print(f"{options.runs:,} runs, {options.times} times each: how often found, s a time\n")
    print(f"{'mechanism':<34}{'ε':>5}{'δ':>9}  claim" + "".join(f"{n:>19}" for n in testers))
    for row in rows(library):
        cells = []
        for refuses in testers.values():
            begun = time.monotonic()
            hits = sum(refuses(row, options.runs, seed) for seed in range(options.times))
            seconds = (time.monotonic() - begun) / options.times
            cells.append(f"{hits:>11}, {seconds:.3f}")
        claim = "wrong" if row.wrong else "right"
        print(
            f"{row.name:<34}{row.epsilon:>5g}{row.delta:>9.3g}  {claim:<5}"
            + "".join(f"{cell:>19}" for cell in cells), flush=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
