"""What is read of published packages, and what is found: `python -m benchmarks.readings`.

Each function is read as it stands and verified.  Where its package is installed it is run as well,
on five settings of its inputs, beside what was read of it: an audit then looks for an event that
is likelier in one of them than in the other.  A claim that is refuted must fall in an audit of the
package alone, too.  `--page FILE` writes the table into docs/findings.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.readings.runs import inputs_of, run_of
from benchmarks.table import table
from shiftproof import audit, verify
from shiftproof.dsl.errors import BadInput, Unsupported
from shiftproof.libraries.mechanisms import mechanism_of
from shiftproof.libraries.reading import Reading, readings_of
from shiftproof.workspace.importing import import_file

FOLDER = Path(__file__).parent
#: Runs of each side of a comparison; what both must be within, in nats, and with what confidence.
RUNS, ALIKE, CONFIDENCE = 10_000, 1e-4, 0.999
HEAD = ("function", "claim", "verdict", "sizes", "s", "like the package", "the package itself")
#: What stands around the table in a page.
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of one function."""

    name: str
    cells: tuple[str, ...]
    right: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if something is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readings", description=__doc__)
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the table into this page")
    parser.add_argument("--runs", type=int, default=RUNS, help="of each side of a comparison")
    parser.add_argument("names", nargs="*", help="only those whose names begin like this")
    options = parser.parse_args(arguments)
    found = []
    for file in sorted(FOLDER.glob("*.toml")):
        for reading in readings_of(file):
            name = f"{file.stem}.{reading.called}"
            if options.names and not reading.called.startswith(tuple(options.names)):
                continue
            print(name, file=sys.stderr, flush=True)
            found.append(_of(name, reading, file, options.runs))
    rows = [(f"`{one.name}`", *one.cells) for one in found]
    text = table(HEAD, rows)
    print(text)
    wrong = [one.name for one in found if not one.right]
    if wrong:
        print(f"not as expected: {', '.join(wrong)}", file=sys.stderr)
    if options.page:
        page = options.page.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        options.page.write_text(
            f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}", encoding="utf-8"
        )
    return 1 if wrong else 0


def _of(name: str, reading: Reading, file: Path, runs: int) -> Found:
    claim = f"{reading.privacy}, {reading.budget.partition(': ')[2] or 'epsilon'}"
    try:
        written, mechanism = mechanism_of(reading, file)
    except (Unsupported, BadInput) as error:
        line = "" if error.location is None else f", line {error.location.line}"
        return Found(name, (claim, f"not read: {error.message}{line}", "", "", "", ""), True)
    begun = time.process_time()
    report = verify(mechanism)
    seconds = time.process_time() - begun
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{reading.called}_read.py"
        path.write_text(written.text, encoding="utf-8")
        executed = dict(import_file(path))[reading.called]
        like, alike = _compared(name, reading, executed, runs)
    falls, seen = "", True
    if str(report.verdict) == "refuted":
        falls, seen = _falls(name, reading, runs)
    expected = reading.expect or "proved"
    right = alike and seen and str(report.verdict) in (expected, "unknown")
    cells = (claim, str(report.verdict), report.sizes, f"{seconds:.1f}", like, falls)
    return Found(name, cells, right)


def _plain(value: Any) -> Any:
    """A number as it is, whatever its type: arrays of floats hold whole numbers as floats."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _sampled(sides: Sequence[Callable[[], Any]]) -> Callable[[int, int], list[Any]]:
    def several(side: int, size: int) -> list[Any]:
        return [[_plain(v) for v in sides[side]()] for _ in range(size)]

    return several


def _compared(name: str, reading: Reading, executed: Any, runs: int) -> tuple[str, bool]:
    """On how many inputs the package does as what was read, of those that were tried."""
    tried = same = 0
    for seed, inputs in enumerate(inputs_of(name, reading.inputs)):
        try:
            package = run_of(name, inputs)
            if package is not None:
                package()
        except ImportError:
            return "not installed", True
        if package is None:
            return "", True
        np.random.seed(seed)
        random.seed(seed)
        sides = (package, lambda inputs=inputs: executed(**inputs))
        result = audit(
            _sampled(sides), pairs=[(0, 1), (1, 0)], epsilon=ALIKE, samples=2 * runs,
            confidence=CONFIDENCE, judge="ideal", seed=seed,
        )  # fmt: skip
        tried += 1
        same += result.verdict != "violation found"
    return f"{same} of {tried}", same == tried


def _falls(name: str, reading: Reading, runs: int) -> tuple[str, bool]:
    """Whether an audit of the package alone finds that it breaks its claim."""
    inputs = inputs_of(name, reading.inputs)[0]
    private = [
        n for n, a in reading.inputs.items() if not a.startswith("Public") and a != "Epsilon"
    ]
    other = dict(inputs.items())
    for n in private:
        other[n] = int(inputs[n]) + 1
        if "m" in inputs:
            other[n] %= int(inputs["m"]) + 1
    try:
        sides = [run_of(name, one) for one in (inputs, other)]
    except ImportError:
        return "not installed", True
    if None in sides:
        return "", True
    claimed = float(inputs[next(n for n, a in reading.inputs.items() if a == "Epsilon")])
    result = audit(
        _sampled([side for side in sides if side is not None]), pairs=[(0, 1), (1, 0)],
        epsilon=claimed, samples=10 * runs, confidence=CONFIDENCE, judge="ideal", seed=1,
    )  # fmt: skip
    found = result.verdict == "violation found"
    return f"{'falls' if found else 'NOT SEEN'}: ε ≥ {result.lower_bound:.2f}", found


if __name__ == "__main__":
    sys.exit(main())
