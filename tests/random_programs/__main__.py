"""``python -m tests.random_programs``: as many random programs as one likes, on several cores."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from .trials import Trial, trial


def main() -> int:
    """Run the trials, tell what they found; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="tests.random_programs", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="how many (20000 at full size)")
    parser.add_argument("--certificates", action="store_true", help="random certificates instead")
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--finds", type=Path, help="a folder for programs that tell of a fault")
    given = parser.parse_args()
    one: Callable[[int], Trial] = trial
    if given.certificates:
        from .certificates import certificate_trial as one
    begun = time.perf_counter()
    verdicts: Counter[str] = Counter()
    with multiprocessing.Pool(given.jobs, maxtasksperchild=300) as pool:
        for found in pool.imap_unordered(
            one, range(given.seed, given.seed + given.programs), chunksize=10
        ):
            verdicts[found.verdict] += 1
            verdicts["compared"] += found.pairs > 0
            verdicts["not known: " + found.unknowable] += bool(found.unknowable)
            if found.problem:
                verdicts["wrong"] += 1
                _tell(found, given.finds)
    seconds = time.perf_counter() - begun
    for what, count in verdicts.most_common():
        if count:
            print(f"{count:7} {what}")
    print(f"{given.programs} in {seconds:.0f} s")
    return 1 if verdicts["wrong"] else 0


def _tell(found: Trial, folder: Path | None) -> None:
    body = found.text[found.text.rfind("@mechanism") :]
    print(f"seed {found.seed}: {found.problem}\n{body}", flush=True)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        said = "".join(f"# {line}\n" for line in found.problem.splitlines())
        (folder / f"seed_{found.seed}.py").write_text(said + found.text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
