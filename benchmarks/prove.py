"""How long a verdict takes, phase by phase, for each mechanism of the gallery.

``python -m benchmarks.prove [--repeat N] [--cold] [--most R] [NAME ...]`` prints a table of
medians of processor time, on one core and in one process, and how they compare with CheckDP's
times.  With ``--cold`` it also starts the command line afresh, N times, for one mechanism; with
``--most`` it fails if all verdicts together take more than R times a fixed calculation, which is
timed in between, so that machines and what else they do matter little.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from typing import Any, get_args

from benchmarks.peer_times import CHECKDP_PROOFS
from shiftproof import Mechanism, verify
from shiftproof.dsl.privacy.neighbours import derive
from shiftproof.dsl.terms.phases import Phase
from shiftproof.workspace.targets import gallery, one_mechanism

PHASES: tuple[Phase, ...] = get_args(Phase)

#: Which mechanism is started afresh.
COLD = "asymmetric_sparse_vector"
#: How long the fixed calculation is.
CALIBRATION = 20_000

NOTES = """\
Milliseconds of processor time of this process, medians of {repeat} runs; slowest is the slowest run
of verify. Each run reads and derives everything anew. The phases are those of `verify --json`:
reading, runs on recorded noise, the choice of shifts, the proof, kernel and guard, the
counterexample. All together took {ratio:.0f} times the fixed calculation ({unit:.1f} ms).\
"""

CHECKDP_NOTES = """\
CheckDP's seconds were taken once, by somebody else, on another machine (2 cores), for a fixed size
of 5 and eps = 1; here the proof is for all sizes and all eps. Read the ratios as an order of size.
One-directional: the 15.8 s are for one of the two directions, here both are proved. NoisyMax was
not decided within 300 s.\
"""


@dataclass(frozen=True, slots=True)
class Row:
    """The medians of one mechanism, in seconds, its verdict, and a calculation beside it."""

    name: str
    verdict: str
    phases: dict[Phase, float]
    verify: float
    slowest: float
    calibration: float


def fresh(mechanism: Mechanism[..., Any]) -> Mechanism[..., Any]:
    """The same mechanism, not read yet, with nothing derived yet."""
    derive.cache_clear()
    return Mechanism(mechanism.function, mechanism.privacy, mechanism.budget, mechanism.expect)


def calibration() -> float:
    """The seconds of processor time of a fixed calculation with fractions, texts and tables."""
    begun = time.process_time()
    table: dict[str, Fraction] = {}
    for k in range(1, CALIBRATION):
        key = f"{k % 97}/{k % 89}"
        table[key] = table.get(key, Fraction(0)) + Fraction(1, 1 + k % 7)
    assert sum(table.values()) > 0
    return time.process_time() - begun


def measure(mechanism: Mechanism[..., Any], repeat: int) -> Row:
    """Time the whole verdict and its phases, ``repeat`` times."""
    times, phases, calculations = [], [], []
    for _ in range(repeat):
        again = fresh(mechanism)
        begun = time.process_time()
        report = verify(again)
        times.append(time.process_time() - begun)
        phases.append(report.phases)
        calculations.append(calibration())
    return Row(
        mechanism.function.__name__,
        str(report.verdict),
        {name: statistics.median(found[name] for found in phases) for name in PHASES},
        statistics.median(times),
        max(times),
        statistics.median(calculations),
    )


def measure_cold(mechanism: Mechanism[..., Any], repeat: int) -> list[float]:
    """Seconds of the command line from a new process to its end, sorted.

    Raises:
        SystemExit: the command does not prove the mechanism.
    """
    target = f"{mechanism.location.file}::{mechanism.function.__name__}"
    command = [sys.executable, "-m", "shiftproof.commands.cli", "verify", "--json", target]
    seconds = []
    for _ in range(repeat):
        begun = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True)
        seconds.append(time.perf_counter() - begun)
        if done.returncode != 0 or '"proved"' not in done.stdout:
            raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
    return sorted(seconds)


def print_table(title: str, rows: list[Row]) -> None:
    """Print the rows and their summary, if there are any."""
    if not rows:
        return
    heads = "".join(f"{name:>8}" for name in PHASES)
    print(f"\n{title:<36}{heads}{'verify':>9}{'slowest':>9}  verdict")
    for row in rows:
        times = "".join(f"{1000 * row.phases[name]:>8.1f}" for name in PHASES)
        print(
            f"{row.name:<36}{times}{1000 * row.verify:>9.1f}{1000 * row.slowest:>9.1f}"
            f"  {row.verdict}"
        )
    middle = statistics.median(row.verify for row in rows)
    slowest = max(row.slowest for row in rows)
    phases = (statistics.median(row.phases[name] for row in rows) for name in PHASES)
    medians = "".join(f"{1000 * seconds:>8.1f}" for seconds in phases)
    print(
        f"{'medians, and the slowest run':<36}{medians}{1000 * middle:>9.1f}{1000 * slowest:>9.1f}"
    )


def print_ratios(rows: list[Row]) -> None:
    """Print how many times CheckDP's time is ours."""
    print(f"\n{'Against CheckDP':<36}{'its name':<24}{'its s':>8}{'here s':>9}{'ratio':>8}")
    for row in rows:
        if row.name in CHECKDP_PROOFS and row.verdict == "proved":
            theirs, seconds = CHECKDP_PROOFS[row.name]
            here = row.verify
            print(f"{row.name:<36}{theirs:<24}{seconds:>8.1f}{here:>9.3f}{seconds / here:>8.0f}")
    print(CHECKDP_NOTES)


def print_cold(mechanism: Mechanism[..., Any], repeat: int) -> None:
    """Print how long the command line takes from a new process."""
    seconds = measure_cold(mechanism, repeat)
    print(f"\nCold start: a new process of shiftproof verify for {COLD}, {repeat} times")
    middle = statistics.median(seconds)
    print(f"min {seconds[0]:.3f} s, median {middle:.3f} s, max {seconds[-1]:.3f} s")


def begin(
    parser: argparse.ArgumentParser, repeat: int, solver: str, package: str
) -> tuple[argparse.Namespace, list[Mechanism[..., Any]]]:
    """The options, and what they choose of the gallery; from here on it is one core."""
    help_text = f"runs of each ({repeat})"
    parser.add_argument("--repeat", type=int, default=repeat, metavar="N", help=help_text)
    help_text = "only the mechanisms whose names begin like this"
    parser.add_argument("names", nargs="*", metavar="NAME", help=help_text)
    options = parser.parse_args()
    if options.repeat < 1:
        parser.error(f"--repeat: got {options.repeat}; at least 1 is needed")
    if sys.platform == "linux":  # processes started from here inherit it
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    chosen = tuple(options.names) or ("",)
    mechanisms = [m for m in gallery(run=True) if m.function.__name__.startswith(chosen)]
    if not mechanisms:
        parser.error(f"no mechanism of the gallery begins with {' or '.join(options.names)}")
    verify(fresh(mechanisms[0]))  # the first verdict in a process pays for importing z3
    python = platform.python_version()
    print(f"Python {python}, {solver} {version(package)}, {platform.machine()}, one core")
    return options, mechanisms


def main() -> None:
    """Measure and print.

    Raises:
        SystemExit: all verdicts together take longer than they may.
    """
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.prove", description="Time the verdicts of the gallery."
    )
    parser.add_argument("--cold", action="store_true", help="also time the command line")
    help_text = "fail if all take more than so many times a fixed calculation"
    parser.add_argument("--most", type=float, metavar="R", help=help_text)
    options, mechanisms = begin(parser, 5, "z3", "z3-solver")
    rows = [(m.expect, measure(m, options.repeat)) for m in mechanisms]
    correct = [row for expect, row in rows if expect == "proved"]
    print_table("Correct", correct)
    print_table("Incorrect", [row for expect, row in rows if expect == "refuted"])
    unit = statistics.median(row.calibration for _, row in rows)
    ratio = sum(row.verify for _, row in rows) / unit
    print(NOTES.format(repeat=options.repeat, ratio=ratio, unit=1000 * unit))
    print_ratios(correct)
    if options.cold:
        print_cold(one_mechanism(COLD, run=True), options.repeat)
    if options.most is not None and ratio > options.most:
        raise SystemExit(f"that is more than {options.most:g} times")


if __name__ == "__main__":
    main()
