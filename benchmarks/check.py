"""How long it takes to check the gallery's certificates again: `python -m benchmarks.check`.

Times are wall clock and process time; machines differ and are noisy, so medians and ratios count.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from shiftproof.checkers.kernel.check import check_file
from shiftproof.checkers.recheck import Rechecker
from shiftproof.checkers.walking.certificate import kind_of_certificate
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
    for title, chosen, check in (
        ("proofs, the kernel alone", proofs, _by_the_kernel),
        ("proofs", proofs, Rechecker().check),
        ("refutations", refutations, Rechecker().check),
    ):
        if not chosen:
            continue
        times = _times(chosen, check, repeat)
        median, total = statistics.median(times), sum(times)
        row = (f"{x * 1000:.0f} ms" for x in (median, max(times), total))
        table.add_row(title, str(len(chosen)), *row)
    Console().print(table)
    seconds = [_cold([*map(str, files)]) for _ in range(repeat)]
    print(f"cold start, everything: median {statistics.median(seconds):.2f} s of {repeat}")


def _by_the_kernel(file: Path) -> object:
    return check_file(file.read_bytes())


def _times(files: list[Path], check: Callable[[Path], object], repeat: int) -> list[float]:
    """The median process time of checking each file."""
    check(files[0])  # what is imported at first use
    found = []
    for file in files:
        rounds = []
        for _ in range(repeat):
            begun = time.process_time()
            check(file)
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
