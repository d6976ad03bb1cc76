"""How long a verdict takes: to parse, to align and to prove each mechanism of the gallery.

``python -m benchmarks.prove [--repeat N] [--cold] [NAME ...]`` prints a table of medians, on
one core and in one process, and how they compare with CheckDP's times.  With ``--cold`` it
also starts the command line afresh, N times, for one mechanism.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from benchmarks.peer_times import CHECKDP_PROOFS
from shiftproof import Mechanism, verify
from shiftproof.checkers.finite.methods import is_finite
from shiftproof.checkers.proving.aligned import CANDIDATES, SEARCHES
from shiftproof.checkers.proving.loops.system import Solver
from shiftproof.checkers.proving.prove import prove
from shiftproof.checkers.proving.search import Search
from shiftproof.checkers.walking.common import common_facts
from shiftproof.dsl.privacy.neighbours import derive
from shiftproof.dsl.relations.cases import Case
from shiftproof.dsl.relations.program import Program
from shiftproof.dsl.terms.smt import one_context
from shiftproof.workspace.targets import gallery, one_mechanism

PHASES = ("parse", "align", "prove", "verify")

#: Which mechanism is started afresh.
COLD = "asymmetric_sparse_vector"

NOTES = """\
Milliseconds, medians of {repeat} runs; slowest is the slowest run of verify. Each run reads and
derives everything anew. align holds the neighbour relation and the search, over all cases and
candidates, and neither it nor prove is timed where the noise is finite, which may be proved in
other ways; verify is timed by itself and adds the guard against vacuous proofs, the certificate and
its check, or for what is not proved the bounded attempt, the reasons and the counterexample.\
"""

CHECKDP_NOTES = """\
CheckDP's seconds were taken once, by somebody else, on another machine (2 cores), for a fixed size
of 5 and eps = 1; here the proof is for all sizes and all eps. Read the ratios as an order of size.
One-directional: the 15.8 s are for one of the two directions, here both are proved. NoisyMax was
not decided within 300 s.\
"""


class Stopwatch:
    """Adds up the seconds of each phase."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PHASES, 0.0)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Count the time of the block as part of a phase."""
        begun = time.perf_counter()
        yield
        self.seconds[name] += time.perf_counter() - begun


@dataclass(frozen=True, slots=True)
class Row:
    """The medians of one mechanism, in seconds, and its verdict."""

    name: str
    verdict: str
    medians: dict[str, float]
    slowest: float


def fresh(mechanism: Mechanism[..., Any]) -> Mechanism[..., Any]:
    """The same mechanism, not read yet, with nothing derived yet."""
    derive.cache_clear()
    return Mechanism(mechanism.function, mechanism.privacy, mechanism.budget, mechanism.expect)


def decide(mechanism: Mechanism[..., Any], watch: Stopwatch) -> None:
    """What ``verify`` does up to the proof, with a stopwatch between the phases."""
    with watch.phase("parse"):
        program = mechanism.program
    if is_finite(program):
        return
    with watch.phase("align"):
        cases = program.cases
    for case in cases:
        if not _align_and_prove(program, case, watch):
            break


def _align_and_prove(program: Program, case: Case, watch: Stopwatch) -> bool:
    """One case, for at most as many alignments as ``verify`` tries; whether one was proved."""
    with watch.phase("align"):
        solver = Solver()
        search = Search(program, case, common_facts(program, case))
        candidates = search.candidates()
    for _ in range(CANDIDATES):
        with watch.phase("align"):
            alignment = next(candidates, None)
        if alignment is None:
            break
        with watch.phase("prove"):
            attempt = prove(program, case, alignment, solver)
        if attempt.outcome == "proved":
            return True
        if solver.searches >= SEARCHES:
            break
    return False


def measure(mechanism: Mechanism[..., Any], repeat: int) -> Row:
    """Time the phases and the whole verdict, each ``repeat`` times."""
    watches = []
    for _ in range(repeat):
        watch = Stopwatch()
        with one_context():
            decide(fresh(mechanism), watch)
        again = fresh(mechanism)
        with watch.phase("verify"):
            report = verify(again)
        watches.append(watch.seconds)
    medians = {phase: statistics.median(w[phase] for w in watches) for phase in PHASES}
    slowest = max(w["verify"] for w in watches)
    return Row(mechanism.function.__name__, str(report.verdict), medians, slowest)


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
    print(f"\n{title:<36}{'parse':>8}{'align':>8}{'prove':>8}{'verify':>9}{'slowest':>9}  verdict")
    for row in rows:
        times = {phase: f"{1000 * s:.1f}" if s else "" for phase, s in row.medians.items()}
        print(
            f"{row.name:<36}{times['parse']:>8}{times['align']:>8}{times['prove']:>8}"
            f"{times['verify']:>9}{1000 * row.slowest:>9.1f}  {row.verdict}"
        )
    middle = statistics.median(row.medians["verify"] for row in rows)
    slowest = max(row.slowest for row in rows)
    print(f"{'median of them, and the slowest run':<60}{1000 * middle:>9.1f}{1000 * slowest:>9.1f}")


def print_ratios(rows: list[Row]) -> None:
    """Print how many times CheckDP's time is ours."""
    print(f"\n{'Against CheckDP':<36}{'its name':<24}{'its s':>8}{'here s':>9}{'ratio':>8}")
    for row in rows:
        if row.name in CHECKDP_PROOFS and row.verdict == "proved":
            theirs, seconds = CHECKDP_PROOFS[row.name]
            here = row.medians["verify"]
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
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.prove", description="Time the verdicts of the gallery."
    )
    parser.add_argument("--cold", action="store_true", help="also time the command line")
    options, mechanisms = begin(parser, 5, "z3", "z3-solver")
    correct = [measure(m, options.repeat) for m in mechanisms if m.expect == "proved"]
    print_table("Correct", correct)
    incorrect = [measure(m, options.repeat) for m in mechanisms if m.expect == "refuted"]
    print_table("Incorrect", incorrect)
    print(NOTES.format(repeat=options.repeat))
    print_ratios(correct)
    if options.cold:
        print_cold(one_mechanism(COLD, run=True), options.repeat)


if __name__ == "__main__":
    main()
