"""How long it takes to check the gallery's certificates again: `python -m benchmarks.check`.

Times are wall clock and process time; machines differ and are noisy, so medians and ratios count.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from shiftproof.checkers.recheck import Rechecker
from shiftproof.checkers.walking.certificate import kind_of_certificate
from shiftproof.checkers.walking.solvers import Name, solvers_of
from shiftproof.dsl.errors import BadInput
from shiftproof.workspace.files import certificate_files, gallery_certificates


def main() -> None:
    """Print what one check takes, and what the command takes from a cold start."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3, help="how often each thing is timed")
    parser.add_argument("names", nargs="*", help="only of mechanisms whose names begin like this")
    options = parser.parse_args()
    repeat, beginnings = options.repeat, tuple(options.names) or ("",)
    every = certificate_files((gallery_certificates(),))
    files = [file for file in every if file.stem.partition(".")[2].startswith(beginnings)]
    proofs = [f for f in files if kind_of_certificate(f.read_bytes()) == "proof"]
    refutations = [f for f in files if f not in proofs]
    table = Table("checked", "certificates", "median", "slowest", "in all")
    for title, chosen, solver in (
        ("proofs, Z3", proofs, "z3"),
        ("proofs, cvc5", proofs, "cvc5"),
        ("refutations", refutations, "z3"),
    ):
        if not chosen:
            continue
        try:
            times = _times(chosen, solvers_of(solver), repeat)
        except BadInput as error:
            print(f"{title}: {error.message}")
            continue
        median, total = statistics.median(times), sum(times)
        row = (f"{x * 1000:.0f} ms" for x in (median, max(times), total))
        table.add_row(title, str(len(chosen)), *row)
    Console().print(table)
    for title, arguments in (
        ("everything, Z3", [*map(str, files)]),
        ("everything, both solvers", [*map(str, files), "--solver", "both"]),
    ):
        seconds = [_cold(arguments) for _ in range(repeat)]
        print(f"cold start, {title}: median {statistics.median(seconds):.2f} s of {repeat}")


def _times(files: list[Path], solvers: tuple[Name, ...], repeat: int) -> list[float]:
    """The median process time of checking each file, the source left out."""
    Rechecker(solvers).check(files[0])  # what is imported at first use
    found = []
    for file in files:
        rounds = []
        for _ in range(repeat):
            checker = Rechecker(solvers)
            begun = time.process_time()
            checker.check(file)
            rounds.append(time.process_time() - begun)
        found.append(statistics.median(rounds))
    return found


def _cold(arguments: list[str]) -> float:
    begun = time.perf_counter()
    command = [sys.executable, "-m", "shiftproof", "check", *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
