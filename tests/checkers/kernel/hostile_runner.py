"""Checks files under a limit; prints for each its standing, its work, and the peak memory so far.

The kernel is asked besides: what is wrong with the rest of a file must not hide what it says.

Run as a process of its own: ``python hostile_runner.py MEGABYTES SECONDS FILE...``.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from pathlib import Path


def peak() -> int:
    """Megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def of_kernel(data: bytes) -> str:
    """What the kernel alone has against a file; nothing if it is right."""
    from shiftproof.checkers.kernel.arithmetic import Wrong
    from shiftproof.checkers.kernel.check import LARGEST_FILE, check_file

    try:
        check_file(data[: LARGEST_FILE + 1])
    except Wrong as error:
        return str(error) or "nothing is said"
    except BaseException as error:
        return f"fault: {error!r}"[:300]
    return ""


def main() -> None:
    from shiftproof.checkers.recheck import Rechecker
    from tests.checkers.walking.certificates import PROOFS
    from tests.working import counted

    most, seconds, *files = sys.argv[1:]
    for path in (*PROOFS.glob("*noisy_max.json"), *PROOFS.glob("incorrect_noisy*")):
        Rechecker().check(path)  # loads everything
    start = peak()
    print(json.dumps(start), flush=True)
    size = (start + 16 * int(most)) * 2**20  # a stop for what would take all there is
    resource.setrlimit(resource.RLIMIT_AS, (max(size, 4 * 2**30), resource.RLIM_INFINITY))
    for file in files:
        print(json.dumps([file]), flush=True)
        signal.alarm(int(seconds))  # kills, where no Python runs any more
        with counted() as work:
            found = Rechecker().check(Path(file))
            kernel = of_kernel(Path(file).read_bytes())
        record = [
            os.fspath(file),
            str(found.standing),
            work.calls,
            peak() - start,
            kernel[:300],
            [r[:300] for r in found.reasons][:3],
        ]
        print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
