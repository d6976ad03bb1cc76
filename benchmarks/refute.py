"""How long a refutation takes, and what it comes to, for each incorrect mechanism of the gallery.

``python -m benchmarks.refute [--repeat N] [--brackets] [NAME ...]`` prints medians on one core
and in one process, beside CheckDP's times.  With ``--brackets`` it also prints between which two
numbers the true ε of each correct mechanism lies, which takes a few minutes.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.peer_times import CHECKDP_REFUTATIONS
from benchmarks.prove import begin, fresh
from shiftproof import Comparison, Mechanism, Report, bound, likelihood, refute, verify
from shiftproof.mechanisms.incorrect_sparse_vector import sparse_vector_half_noise

NOTES = """\
Milliseconds, medians of {repeat} runs. refute is the search for the counterexample alone, verify
the failing proof with it; each run reads and derives everything anew. The ratio is that of the
exact likelihoods, allowed is e to the claimed ε at the same parameters. The bars: each refuted
within 2000, with a median of at most 300. CheckDP's seconds were taken once, by somebody else, on
another machine (2 cores), for a fixed size of 5 and eps = 1, without the check of its
counterexample by a second tool; read the ratios as an order of size. BadAdaptiveSVT was not
decided within 300 s.\
"""
#: The sparse vector of the literature's counterexample: so many queries rise, and one falls.
LONG = 199


@dataclass(frozen=True, slots=True)
class Row:
    """One mechanism: medians in seconds, and what came of it."""

    name: str
    searched: float
    verified: float
    report: Report


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """The seconds of a call, and its result."""
    begun = time.perf_counter()
    found = run()
    return time.perf_counter() - begun, found


def measure(mechanism: Mechanism[..., Any], repeat: int) -> Row:
    """Time the search and the whole verdict, each ``repeat`` times."""
    searched, verified = [], []
    for _ in range(repeat):
        searched.append(timed(lambda: refute(fresh(mechanism)))[0])
        seconds, report = timed(lambda: verify(fresh(mechanism)))
        verified.append(seconds)
    name = mechanism.function.__name__
    return Row(name, statistics.median(searched), statistics.median(verified), report)


def print_refutations(rows: list[Row]) -> None:
    """Print the rows, and their medians, if there are any."""
    if not rows:
        return
    heads = f"{'refute':>8}{'verify':>8}{'ratio':>11}{'allowed':>11}"
    print(f"\n{'Incorrect':<38}{heads}  CheckDP's name, s, ratio")
    for row in rows:
        ratio, allowed = ratios(row.report)
        theirs = ""
        if row.name in CHECKDP_REFUTATIONS:
            known, seconds = CHECKDP_REFUTATIONS[row.name]
            theirs = f"{known} {seconds}, {seconds / row.verified:.0f}"
        times = f"{1000 * row.searched:>8.0f}{1000 * row.verified:>8.0f}"
        print(f"{row.name:<38}{times}{ratio:>11}{allowed:>11}  {theirs}")
    for what, pick in (("median", statistics.median), ("slowest", max)):
        searched, verified = pick([r.searched for r in rows]), pick([r.verified for r in rows])
        print(f"{what:<38}{1000 * searched:>8.0f}{1000 * verified:>8.0f}")


def ratios(report: Report) -> tuple[str, str]:
    """The ratio that was found, and the one that is allowed; of a one-sided claim, otherwise."""
    found = report.refutation
    if found is None:
        wrong = next((claim for claim in report.one_sided if claim.refuted), None)
        return (f"P {wrong.probability.split()[0]}" if wrong else "none"), "one-sided"
    allowed = math.exp(float(found.budget.enclosure.high))
    return ("infinite" if found.infinite else f"{found.ratio:.5g}"), f"{allowed:.4g}"


def print_long_vector(repeat: int) -> None:
    """Print how long both probabilities of a long outcome take."""

    def ratio() -> float:
        outcome = [False] * LONG + [True]
        both = [
            likelihood(sparse_vector_half_noise, outcome, f=f, T=0, c=1, eps=1).value
            for f in ((0,) * LONG + (1,), (1,) * LONG + (0,))
        ]
        return float(both[0].low / both[1].low)

    runs = [timed(ratio) for _ in range(repeat)]
    middle = statistics.median(seconds for seconds, _ in runs)
    print(
        f"\nsparse_vector_half_noise with {LONG + 1} queries, eps = 1: ratio {runs[0][1]:.7f} in ",
        end="",
    )
    print(f"{1000 * middle:.0f} ms (both sides; e^1.5 = {math.exp(1.5):.7f}; the bar is 100 ms)")


def print_brackets(mechanisms: list[Mechanism[..., Any]]) -> None:
    """Print what is known of the true ε of each correct mechanism."""
    print(f"\n{'Correct':<38}{'s':>6}  {'proved':<22}{'of it reached':>14}  at")
    for mechanism in mechanisms:
        seconds, bracket = timed(partial(bound, mechanism))
        found: Comparison | None = bracket.comparison
        where = (
            ", ".join(f"{n} = {v}" for n, v in found.epsilon.items()) if found is not None else ""
        )
        share = "exactly" if bracket.tight else f"{bracket.share:.6f}"
        print(f"{bracket.mechanism:<38}{seconds:>6.1f}  {bracket.upper!s:<22}{share:>14}  {where}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.refute", description="Time the refutations of the gallery."
    )
    parser.add_argument("--brackets", action="store_true", help="also bound the correct ones")
    options, mechanisms = begin(parser, 3, "python-flint", "python-flint")
    wrong = [m for m in mechanisms if m.expect == "refuted"]
    print_refutations([measure(m, options.repeat) for m in wrong])
    print(NOTES.format(repeat=options.repeat))
    print_long_vector(options.repeat)
    if options.brackets:
        print_brackets([m for m in mechanisms if m.expect == "proved"])


if __name__ == "__main__":
    main()
