"""Small random mechanisms, discrete ones: shapes that are often private, then perturbed.

A shape chooses its reads, noise and releases at random, mostly such that they fit; the
edits of :mod:`.random_edits` then spoil some of that.  Nothing knows what is private.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple

from tests.checkers.random_edits import edited

PREAMBLE = """\
from collections.abc import Sequence
from typing import Annotated

from shiftproof import (
    ADP, DP, LDP, Bernoulli, Count, CountingQueries, Counts, Epsilon, Histogram, IntegerValue,
    Nat, NegativeOneSidedGeometric, OneSidedGeometric, Policy, Private, Public, Queries, Query,
    Related, TwoSidedGeometric, Value, Vector, WindowCounts, align, mechanism, other, sample,
)

visited = Policy(sensitive={1})
stayed = Policy(sensitive={0})
all_values = Policy.everything()
top = Policy(sensitive={2}, universe={0, 1, 2})
middle = Policy(sensitive={1}, universe={0, 1, 2})
bottom = Policy(sensitive={0}, universe={0, 1, 2})
Absences = Annotated[Sequence[int], CountingQueries(counted={0})]
Bit = Annotated[int, IntegerValue(0, 1)]
Grade = Annotated[int, IntegerValue(0, 2)]
Side = Annotated[int, IntegerValue(-1, 1)]
Unit = Annotated[float, Value(0, 1)]
One = Annotated[float, Query(sensitivity=1)]
Two = Annotated[float, Query(sensitivity=2)]
Named = Annotated[float, Query(sensitivity="s")]
Ones = Annotated[Sequence[float], Queries(sensitivity=1)]
Falling = Annotated[Sequence[float], Queries(sensitivity=1, direction="decreasing")]
OneMoves = Annotated[Sequence[float], Queries(sensitivity=1, differing="one")]
Week = Annotated[Sequence[int], WindowCounts(2)]


def close(f):
    return -1 <= f - other(f) <= 1


def step(x):
    return other(x) == x or other(x) == x - 1


def together(x, y):
    return 0 <= x - other(x) and 0 <= y - other(y) and x - other(x) + y - other(y) <= 1


def steps(x, y):
    return (other(x) == x or other(x) == x - 1) and (other(y) == y or other(y) == y - 1)
"""
DOWN, UP, BOTH = "OneSidedGeometric", "NegativeOneSidedGeometric", "TwoSidedGeometric"


class Setting(NamedTuple):
    """Private inputs under a claim, with what fits them."""

    privacy: str
    parameters: str
    noise: str
    size: str = "1"  # how far one answer moves
    cells: str = "2"  # how far all of them move, or a guess


SETTINGS = [
    *(Setting("ADP(visited)", p, DOWN) for p in ("f: Counts", "x: Count", "f: Counts, x: Count")),
    *(Setting("ADP(visited)", p, DOWN) for p in ("f: Counts", "x: Bit", "x: Bit, y: Bit")),
    *(Setting("ADP(stayed)", p, UP) for p in ("f: Counts", "x: Count", "x: Bit")),
    *(Setting("ADP(all_values)", p, BOTH) for p in ("f: Counts", "x: Count")),
    *(Setting("DP()", p, BOTH) for p in ("f: Counts", "x: Count", "x: Count, y: Count", "x: Bit")),
    *(Setting("DP('add-remove')", p, BOTH) for p in ("f: Counts", "x: Count, y: Count")),
    Setting("ADP(visited)", "f: Histogram", DOWN, cells="1"),
    Setting("ADP(stayed)", "f: Histogram", UP, cells="1"),
    Setting("DP()", "f: Histogram", BOTH),
    Setting("DP('add-remove')", "f: Histogram", BOTH, cells="1"),
    Setting("ADP(visited)", "f: Absences", UP),
    Setting("DP('add-remove')", "f: Counts, z: Absences", BOTH),
    *(Setting("LDP()", p, BOTH) for p in ("x: Bit", "x: Bit, y: Bit", "x: Unit")),
    *(Setting("LDP()", p, BOTH, "2") for p in ("x: Grade", "x: Side")),
    Setting("ADP(top)", "x: Grade", DOWN, "2"),
    Setting("ADP(middle)", "x: Grade", BOTH),
    Setting("ADP(bottom)", "x: Grade", UP, "2"),
    *(Setting("DP()", p, BOTH) for p in ("x: One", "f: Ones", "f: OneMoves")),
    Setting("DP()", "x: Two", BOTH, "2"),
    Setting("DP()", "x: Named, s: Public[int]", BOTH, "s"),
    Setting("DP()", "f: Falling", DOWN),
    Setting("ADP(visited)", "f: Week", DOWN),
    *(Setting(p, "f: Week", BOTH) for p in ("DP()", "DP('add-remove')")),
    Setting("Related(close)", "f: Private[Sequence[float]]", BOTH),
    Setting("Related(step)", "x: Private[float]", DOWN),
    Setting("Related(together)", "x: Private[float], y: Private[float]", DOWN),
    Setting("Related(steps)", "x: Private[float], y: Private[float]", DOWN, cells="2"),
]


class Writer:
    """Writes one mechanism; what it picks mostly fits, with luck as chosen at the start."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.setting = rng.choice(SETTINGS)
        self.luck = rng.choice((1, 1, 0.9, 0.7))
        self.helpers = ""
        names = re.findall(r"\b([fzxy]):", self.setting.parameters)
        self.arrays = [n for n in names if n in "fz"]
        self.scalars = [n for n in names if n in "xy"]
        self.threshold = rng.choice(("T", "T", "T", "1", "2"))

    def any(self, *options: str) -> str:
        return self.rng.choice(options)

    def good(self, right: str, *wrong: str) -> str:
        return right if self.rng.random() < self.luck else self.any(*wrong)

    def noise(self, share: str = "1", fits: str = "") -> str:
        """A sample whose scale fits so many uses."""
        kind = self.good(self.any(fits or self.setting.noise, BOTH), DOWN, UP, BOTH)
        size = "" if self.setting.size == "1" else f"{self.setting.size} * "
        return f"sample({kind}({size}{self.good(share, '1', '2', '(1 / 2)', 'c')} / eps))"

    def reads(self) -> list[str]:
        """Private numbers: the scalars, or answers at fixed places."""
        cells = [f"{a}[{i}]" for a in self.arrays for i in range(2)]
        if not self.scalars or (cells and self.rng.random() < 0.3):
            return cells[:1] if self.rng.random() < 0.7 else cells[:2]
        if self.arrays or self.rng.random() < 0.3:
            return self.scalars[:1]
        return self.scalars

    def loop(self) -> tuple[str, str, str]:
        """The head of a loop over answers, how to read one, and the threshold beside it."""
        f = self.rng.choice(self.arrays)
        t = self.threshold
        return self.rng.choice(
            [
                (f"for i in range(len({f})):", f"{f}[i]", t),
                (f"for v in {f}:", "v", t),
                (f"for i, v in enumerate({f}):", "v", t),
                (f"for v, t in zip({f}, ts):", "v", "t"),
                (f"for i in range(len({f})):", f"{f}[i]", "ts[i]"),
            ]
        )

    def test(self, noisy: str, threshold: str) -> str:
        operator = self.any(">=", ">=", ">", "<", "<=", "==", "!=")
        if self.rng.random() < 0.1:
            return f"{self.any('max', 'min')}({noisy}, 0) {operator} {threshold}"
        return f"{noisy} {operator} {threshold}"

    def release(self, noisy: str, plain: str = "k") -> str:
        """What one branch of a test releases."""
        simple = self.any("None", "True", "False", "'above'", "1", "0")
        return self.any(simple, simple, simple, noisy, noisy, plain, f"{noisy} - T", f"-({noisy})")

    def post(self, noisy: str) -> str:
        """A function of what was noisy already."""
        if self.rng.random() < 0.5:
            return noisy
        if self.rng.random() < 0.2:
            body = self.any("max(v, 0)", "v if v >= 1 else None", "v >= T", "2 * v", "abs(v)")
            self.helpers = f"def after(v):\n    return {body}"
            return f"after({noisy})"
        return self.any(
            f"max({noisy}, T)",
            f"min({noisy}, 2)",
            f"abs({noisy})",
            f"{noisy} if {noisy} >= T else None",
            f"2 * ({noisy})",
            f"({noisy}) / 2",
            f"{noisy} >= T",
            f"'high' if {noisy} > 1 else 'low'",
        )


def indent(text: str) -> str:
    return "\n".join("    " + line for line in text.split("\n"))


def written(rng: random.Random, shapes: dict[str, Callable[[Writer], str]]) -> str:
    """One function of a random shape, not perturbed yet."""
    writer = Writer(rng)
    fitting = [s for name, s in shapes.items() if writer.arrays or not name.startswith("loop_")]
    body = rng.choice(fitting)(writer)
    uses = {name for name in ("T", "ts", "c") if re.search(rf"\b{name}\b", body + writer.helpers)}
    facts = ["c >= 1"] if "c" in uses else []
    if rng.random() < 0.5 and "s: " in writer.setting.parameters:
        facts.append("s >= 1")
    elif "s: " in writer.setting.parameters:
        facts.append("s > 0")
    facts += [f"len(ts) == len({a})" for a in writer.arrays if "ts" in uses]
    facts += [f"len({a}) >= 2" for a in writer.arrays if f"{a}[1]" in body or f"{a}[0]" in body]
    public = ["c: Public[Nat]"] if "c" in uses else []
    public += ["ts: Public[Vector]"] if "ts" in uses else []
    if "T" in uses:
        public.append(f"T: Public[{writer.any('int', 'int', 'float')}]")
    budget = (
        "" if rng.random() < 0.9 else f", budget=lambda eps: {writer.any('2 * eps', 'eps / 2')}"
    )
    parameters = ", ".join([writer.setting.parameters, *public, "eps: Epsilon"])
    head = f"@mechanism({writer.setting.privacy}{budget})\ndef m({parameters}):"
    given = [f"assert {' and '.join(facts)}"] if facts else []
    lines = "\n".join([*given, *([writer.helpers] if writer.helpers else []), body])
    return f"{head}\n{indent(lines)}"


def program(seed: int) -> str:
    """The source of a file with one mechanism, ``m``."""
    from tests.checkers.random_shapes import SHAPES

    rng = random.Random(seed)
    function = written(rng, SHAPES)
    return f"{PREAMBLE}\n\n{edited(function, rng, rng.choice((0, 1, 1, 1, 2, 2, 3, 4)))}\n"
