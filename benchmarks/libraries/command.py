"""Mechanisms that nobody here wrote, audited as black boxes: `python -m benchmarks.libraries`.

Each box says what its audit should come to, and why; the exit status is 1 if one comes to
something else.  `pip install -e ".[libraries]"` installs the two large libraries; those that are
not there are left out.  dp_auditorium is on no registry: `--auditorium` takes the folder
`python/dp_auditorium` of a clone of https://github.com/google/differential-privacy.

Most libraries draw their noise from the operating system, so an audit of them cannot be repeated
exactly, whatever the seed.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from benchmarks.libraries.box import REFUSED, VIOLATION, Box, Library
from shiftproof import Audit, audit
from shiftproof.checkers.auditing.audit import FEWEST, FEWEST_OF_PAIR
from shiftproof.dsl.errors import BadInput

#: Wrong once in a thousand audits: all boxes together should hardly ever give a false alarm.
CONFIDENCE = 0.999
#: What each package is had by, and the modules with its boxes.
SUITES = (
    ("numpy", "pip install numpy", ("numpy_right", "numpy_wrong", "numpy_wrong_choices")),
    (
        "diffprivlib", "pip install -e '.[libraries]'",
        ("diffprivlib_mechanisms", "diffprivlib_tools", "diffprivlib_models"),
    ),
    ("opendp", "pip install -e '.[libraries]'", ("opendp_measurements",)),
    ("pydp", "pip install python-dp", ("google_algorithms",)),
    ("pure_ldp", "pip install pure-ldp statsmodels", ("pure_ldp_clients",)),
    ("multi_freq_ldpy", "pip install multi-freq-ldpy", ("multi_freq_clients",)),
    ("diffpriv_pure", "pip install diffpriv-pure", ("diffpriv_pure_queries",)),
    # It asks for exact versions of NumPy and others, which are not needed.
    ("trasgodp", "pip install pandas && pip install --no-deps trasgodp", ("trasgodp_records",)),
    ("dp_auditorium", "say where it is with --auditorium PATH", ("auditorium",)),
)  # fmt: skip
COLUMNS = "{:<43} {:<7} {:>6}  {:<7} {:<7} {:>6} {:>9} {:>5}  {}"
SHORT = {VIOLATION: "found", REFUSED: "refused"}


@dataclass(frozen=True)
class Outcome:
    """What the audits of a box came to."""

    ideal: str
    code: str
    bound: float
    runs: int
    event: str

    def is_expected(self, box: Box) -> bool:
        """Whether it is what the box expects."""
        return (self.ideal, self.code) == (box.ideal, box.code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit the boxes, print the table; 1 if an outcome is not the expected one."""
    options = _options(arguments)
    if options.auditorium:
        sys.path.insert(0, str(_auditorium(options.auditorium)))
    print(COLUMNS.format(*"box,version,claim,ideal,code,bound,runs,s,expected?".split(",")))
    told, count, begun = [], 0, time.monotonic()
    for library in _libraries():
        for box in library.boxes:
            if not options.names or box.name.startswith(tuple(options.names)):
                count += 1
                outcome = _row(box, library.version, options.samples, options.seed)
                if not outcome.is_expected(box):
                    told.append(_unexpected(box, outcome))
                elif options.why:
                    print(f"    {box.why}")
    print(
        "found: a violation; -: none; refused: it cannot be audited; bound: ε of the code, at least"
    )
    print(f"{count} boxes in {time.monotonic() - begun:.0f} s: {count - len(told)} as expected")
    print(*told, sep="\n", end="\n" if told else "")
    return 1 if told else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="only boxes whose names begin like this")
    parser.add_argument("--samples", type=int, help="runs for each box, instead of its own number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--auditorium", type=Path, metavar="PATH", help="where dp_auditorium is")
    parser.add_argument("--why", action="store_true", help="say why each outcome is expected")
    return parser.parse_args(arguments)


def _auditorium(path: Path) -> Path:
    """The folder that holds the package, if a clone or one of its folders was given."""
    folders = (path, path / "dp_auditorium", path / "python" / "dp_auditorium")
    for folder in folders:
        if (folder / "dp_auditorium" / "mechanisms" / "mean.py").exists():
            return folder
    raise SystemExit(f"--auditorium {path}: dp_auditorium/mechanisms/mean.py is not there")


def _libraries() -> Iterator[Library]:
    """Those that can be imported; a line for each package that cannot."""
    for package, how, modules in SUITES:
        try:
            found = [import_module(f"benchmarks.libraries.{module}") for module in modules]
        except ImportError as error:
            print(f"left out: {package} ({error}); {how}")
        else:
            warnings.simplefilter("ignore")  # some would warn in each run, and ask to be heard
            yield from (module.LIBRARY for module in found)


def _row(box: Box, version: str, samples: int | None, seed: int) -> Outcome:
    """Audit a box, and print its row."""
    begun = time.monotonic()
    outcome = _outcome(
        box, max(samples or box.samples, FEWEST, FEWEST_OF_PAIR * len(box.pairs)), seed
    )
    print(
        COLUMNS.format(
            box.name, version, f"{box.epsilon:.4g}", SHORT.get(outcome.ideal, "-"),
            SHORT.get(outcome.code, "-"), f"{outcome.bound:.3f}", f"{outcome.runs:,}",
            f"{time.monotonic() - begun:.1f}", "yes" if outcome.is_expected(box) else "NO",
        ),
        flush=True,
    )  # fmt: skip
    return outcome


def _outcome(box: Box, samples: int, seed: int) -> Outcome:
    """Audit the code; and the ideal mechanism alone where the code fell before it was decided."""

    def audited(judge: str) -> Audit:
        return audit(
            box.function, pairs=box.pairs, epsilon=box.epsilon, samples=samples,
            confidence=CONFIDENCE, judge=judge, seed=seed,
        )  # fmt: skip

    try:
        found = audited("code")
    except BadInput as error:
        return Outcome(REFUSED, REFUSED, 0.0, 0, str(error))
    event = found.tested[0].event if found.tested else ""
    ideal, runs = found.ideal, found.runs
    if ideal.verdict == "not decided":
        again = audited("ideal")
        ideal, runs = again.ideal, runs + again.runs
    return Outcome(ideal.verdict, found.verdict, found.lower_bound, runs, event)


def _unexpected(box: Box, outcome: Outcome) -> str:
    """What is told about a box that did not do what was expected."""
    return (
        f"{box.name}: ideal {outcome.ideal}, code {outcome.code} ({outcome.event[:300]})\n"
        f"    expected: ideal {box.ideal}, code {box.code}: {box.why}"
    )
