"""Reconstruction from sanitised reports, its error and cost: `python -m benchmarks.reconstruct`.

First the error: the truth is inside the simplex, so by Theorem 4.4 of the geometric-noise paper
the estimate of EM tends to it, and it does so at the rate N^(-1/2); the slope is fitted where
N is 16,000 or more.  The theory beside it is sqrt(V/N), V being the exact `inversion_error`.  Then
the time and memory of large ones.  Process time of this process, one core if OMP_NUM_THREADS=1.
"""

from __future__ import annotations

import argparse
import math
import time
import tracemalloc
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from shiftproof.estimators.geometric_channel import TruncatedGeometric
from shiftproof.estimators.inversion import RandomisedResponse, inversion_error
from shiftproof.estimators.reconstruction import Method, reconstruct
from shiftproof.showing.plots.drawing import BLUE, RED, check_drawable, new_figure, save

SEED = 4_600
#: The truth of the first part: 9 values, none rare.
TRUTH = [Fraction(k, 50) for k in (3, 5, 8, 9, 8, 6, 4, 3, 4)]
ALPHA = Fraction(1, 2)
SIZES = [10**3 * 4**k for k in range(9)]
#: Those of the second part: n, ε and the method.
SETTINGS: list[tuple[int, float, Method]] = [
    (10_000, 1.0, "interior-point"),
    (10_000, 1.0, "em"),
    (10_000, 0.1, "interior-point"),
    (10_000, 0.1, "em"),
    (10_000, 0.01, "interior-point"),
    (100_000, 0.1, "interior-point"),
]
GREY = "#777777"


@dataclass(frozen=True)
class Curve:
    """One channel: root mean squared L2 errors at each N, of both estimates, and in theory."""

    name: str
    likelihood: list[float]
    inverse: list[float]
    theory: list[float]
    proper: list[float]

    @property
    def slope(self) -> float:
        """Of ln error over ln N, where N is large."""
        return float(np.polyfit(np.log(SIZES[2:]), np.log(self.likelihood[2:]), 1)[0])


def main() -> None:
    """Print both tables; draw the picture if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=100, help="data sets for each N")
    parser.add_argument("--reports", type=int, default=10**7, help="reports in the second part")
    parser.add_argument("--em-limit", type=int, default=3_000, help="iterations of EM in it")
    parser.add_argument("--plot", type=Path, help="a picture: .png, .svg or .pdf")
    options = parser.parse_args()
    if options.plot:
        check_drawable(options.plot)
    console = Console(width=110)
    curves = [
        _curve("truncated geometric", TruncatedGeometric(len(TRUTH) - 1, ALPHA), options.repeat),
        _curve("randomised response", RandomisedResponse(len(TRUTH), ALPHA), options.repeat),
    ]
    for curve in curves:
        console.print(_errors(curve))
    console.print(_costs(options.reports, options.em_limit))
    if options.plot:
        _draw(curves, options.plot)


def _curve(name: str, channel: TruncatedGeometric | RandomisedResponse, repeat: int) -> Curve:
    generator = np.random.default_rng(SEED)
    truth = np.array(TRUTH, dtype=np.float64)
    law = channel.forward(truth)
    value = float(inversion_error(channel.exact_matrix(), TRUTH))
    curve = Curve(name, [], [], [math.sqrt(value / n) for n in SIZES], [])
    for n in SIZES:
        likelihood, inverse, proper = [], [], 0
        for counts in generator.multinomial(n, law, size=repeat):
            best = reconstruct(channel, counts=counts, method="em", tolerance=1e-10)
            plain = reconstruct(channel, counts=counts, method="inverse")
            assert best.converged
            likelihood.append(float(((best.distribution - truth) ** 2).sum()))
            inverse.append(float(((plain.distribution - truth) ** 2).sum()))
            proper += plain.optimality is not None
        curve.likelihood.append(math.sqrt(np.mean(likelihood)))
        curve.inverse.append(math.sqrt(np.mean(inverse)))
        curve.proper.append(proper / repeat)
    return curve


def _errors(curve: Curve) -> Table:
    table = Table(
        "N", "EM", "inverse", "theory of it", "inverse is a distribution",
        title=f"{curve.name}, {len(TRUTH)} values, α = {ALPHA}: root mean squared L2 error\n"
        f"slope of ln error over ln N: {curve.slope:.3f}",
    )  # fmt: skip
    rows = zip(SIZES, curve.likelihood, curve.inverse, curve.theory, curve.proper)
    for n, likelihood, inverse, theory, proper in rows:
        table.add_row(
            f"{n:,}", f"{likelihood:.5f}", f"{inverse:.5f}", f"{theory:.5f}", f"{proper:.0%}"
        )
    return table


def _costs(reports: int, em_limit: int) -> Table:
    table = Table(
        "n", "ε", "method", "iterations", "gap (nats/report)", "s", "peak MB",
        title=f"truncated geometric, {reports:,} reports; counting them included",
    )  # fmt: skip
    for n, eps, method in SETTINGS:
        data = _reports(n, eps, reports)
        channel = TruncatedGeometric.of_epsilon(n, eps)
        limit = em_limit if method == "em" else None
        begun = time.process_time()
        found = reconstruct(channel, reports=data, method=method, limit=limit)
        seconds = time.process_time() - begun
        tracemalloc.start()  # slows it down, so another time
        reconstruct(channel, reports=data, method=method, limit=5)
        peak = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        gap = found.optimality.gap if found.optimality else math.inf
        table.add_row(
            f"{n:,}", f"{eps:g}", method, f"{found.iterations:,}",
            f"{gap:.1e}{'' if found.converged else ' (limit)'}", f"{seconds:.2f}", f"{peak:.0f}",
        )  # fmt: skip
    return table


def _reports(n: int, eps: float, size: int) -> NDArray[np.int64]:
    """Values from a mixture of two bumps, sanitised."""
    generator = np.random.default_rng(SEED)
    share = np.where(
        generator.random(size) < 0.6, generator.beta(8, 20, size), generator.beta(30, 12, size)
    )
    stay = 1 - math.exp(-eps)
    noise = generator.geometric(stay, size) - generator.geometric(stay, size)
    return np.clip(np.rint(share * n).astype(np.int64) + noise, 0, n)


def _draw(curves: list[Curve], file: Path) -> None:
    figure = new_figure(11, 4.3)
    left, right = figure.subplots(1, 2)
    for curve, colour in zip(curves, (BLUE, RED)):
        left.loglog(SIZES, curve.theory, color=colour, linewidth=1, alpha=0.7)
        left.loglog(SIZES, curve.inverse, "x", color=colour, markersize=5)
        left.loglog(SIZES, curve.likelihood, "o", color=colour, markersize=9, fillstyle="none")
        left.plot([], [], color=colour, linewidth=4, label=f"{curve.name}, slope {curve.slope:.3f}")
    left.plot([], [], "o", color=GREY, markersize=9, fillstyle="none", label="EM")
    left.plot([], [], "x", color=GREY, markersize=5, label="inverse q C⁻¹")
    left.plot([], [], color=GREY, linewidth=1, label="√(V/N), V exact")
    left.set(xlabel="reports N", ylabel="root mean squared L2 error")
    left.set_title(f"{len(TRUTH)} values, α = {ALPHA}", fontsize=11)
    left.legend(frameon=False, fontsize=8)
    left.grid(alpha=0.25)
    _draw_example(right)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    save(figure, file)


def _draw_example(axes: Any) -> None:
    n, eps, size = 60, 0.4, 10**6
    values = np.arange(n + 1)
    truth = np.exp(-((values - 18) ** 2) / 40) + 0.8 * np.exp(-((values - 40) ** 2) / 90)
    truth /= truth.sum()
    channel = TruncatedGeometric.of_epsilon(n, eps)
    counts = np.random.default_rng(SEED).multinomial(size, channel.forward(truth))
    found = reconstruct(channel, counts=counts).distribution
    axes.fill_between(values, truth, step="mid", color=GREY, alpha=0.3, linewidth=0, label="truth")
    axes.step(values, counts / size, where="mid", color=RED, linewidth=1.2, label="reports")
    axes.plot(values, found, "o", color=BLUE, markersize=3.5, label="maximum likelihood")
    axes.set(xlabel="value", ylabel="share", ylim=(0, None))
    axes.set_title(f"truncated geometric, ε = {eps:g}, N = 10⁶", fontsize=11)
    axes.legend(frameon=False, fontsize=8)


if __name__ == "__main__":
    main()
