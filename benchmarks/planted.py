"""What the auditor finds of what is hidden from it: `python -m benchmarks.planted`.

Mechanisms are audited that break a claim on one event only, which is planted: a token, a tail, a
window, a single number, a label and a tail, a rare label, a box of two numbers, a lattice of
floats.  How likely it is, by how much it breaks the claim, how many runs there are and among how
many pairs it hides is drawn at random.  The benchmark prints, for each kind, how much more
evidence than a test needs that knows the event, and how likely an event, is enough for 95 % of
the audits: the figures that ``shiftproof.checkers.auditing.visible`` has.  A second set of plants,
with ``--check``, says whether these figures hold: it ends with status 1 if of some kind less than
95 % (lower end of an interval with confidence 95 %: 90 %) are found.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy import optimize, stats

from shiftproof import audit
from shiftproof.checkers.auditing.course import COST
from shiftproof.checkers.auditing.evidence.pure import divergence
from shiftproof.checkers.auditing.visible import PLANTED, Needs
from shiftproof.workspace.executors import worker_processes

Rng = np.random.Generator

CONFIDENCE, WANTED = 0.95, 0.95
#: The runs of an audit, the pairs of inputs, and the share of the runs on each side of one pair
#: that is left for bets.
RUNS, PAIRS, LEFT = (100_000, 1_000_000), (1, 8), 0.25
#: How much more evidence than is needed plants give, and how often their event comes at least.
EVIDENCE, OFTEN = (1.0, 128.0), 40
#: The largest ε that an event is given.
LARGEST = 30.0
#: Which least numbers of times, and which evidence, are tried as what is enough; and to how many
#: plants at least they must apply.
FEW = 5
TIMES = (0, 100, 200, 400, 800, 1600, 3200, 6400)
FACTORS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0)


@dataclass(frozen=True, slots=True)
class Kind:
    """Where an event is planted.

    Attributes:
        base: outputs without it, of so many runs, which keep the claim.
        inside: which of them are in the region of the event: they are drawn again.
        planted: outputs in the region.
        judge: which of the two verdicts is asked for.
    """

    base: Callable[[int, Rng], Any]
    inside: Callable[[Any], Any]
    planted: Callable[[int, Rng], Any]
    judge: Any = "ideal"


def _numbers(size: int, rng: Rng) -> Any:
    return rng.laplace(size=size)


def _labelled(size: int, rng: Rng) -> Any:
    return np.column_stack([rng.integers(8, size=size).astype(float), rng.laplace(size=size)])


def _two(size: int, rng: Rng) -> Any:
    return rng.normal(size=(size, 2))


def _where(low: float, high: float, size: int, rng: Rng) -> Any:
    return rng.uniform(low, high, size=size)


KINDS: dict[str, Kind] = {
    "token": Kind(
        lambda n, rng: rng.integers(20, size=n), lambda v: v == 7, lambda n, rng: np.full(n, 7)
    ),
    "tail": Kind(
        _numbers, lambda v: v > 2.5, lambda n, rng: 2.5 + rng.exponential(size=n),
    ),
    "window": Kind(_numbers, lambda v: (v >= 0.5) & (v < 0.55), partial(_where, 0.5, 0.55)),
    "single number": Kind(
        _numbers, lambda v: v == 0.375, lambda n, rng: np.full(n, 0.375)
    ),
    "label and tail": Kind(
        _labelled, lambda v: (v[:, 0] == 3) & (v[:, 1] > 1.5),
        lambda n, rng: np.column_stack([np.full(n, 3.0), 1.5 + rng.exponential(size=n)]),
    ),
    "rare label": Kind(
        lambda n, rng: rng.integers(32, size=(n, 2)), lambda v: (v == (5, 9)).all(axis=1),
        lambda n, rng: np.tile([5, 9], (n, 1)),
    ),
    "two numbers": Kind(
        _two, lambda v: ((v >= 0.2) & (v < 0.7)).all(axis=1),
        lambda n, rng: rng.uniform(0.2, 0.7, size=(n, 2)),
    ),
    "lattice": Kind(
        _numbers, lambda v: v != v, lambda n, rng: np.rint(rng.laplace(size=n) * 2**20) / 2**20,
        judge="code",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plant:
    """One mechanism with an event, and how it is audited.

    Attributes:
        likely: the probability of the event on D; on D' it is this by e^-epsilon.
        evidence: how many times the evidence that is needed a test would have that knows it.
    """

    kind: str
    likely: float
    epsilon: float
    claim: float
    runs: int
    pairs: int
    evidence: float
    seed: int

    def outputs(self, data: Any, rng: Rng, size: int) -> Any:
        """The mechanism: D is 1, D' is 0, and larger numbers are inputs without the event."""
        kind = KINDS[self.kind]
        values = kind.base(size, rng)
        while (inside := kind.inside(values)).any():
            values[inside] = kind.base(int(inside.sum()), rng)
        chance = {1: self.likely, 0: self.likely * math.exp(-self.epsilon)}.get(data, 0.0)
        here = rng.random(size) < chance
        values[here] = kind.planted(int(here.sum()), rng)
        return values

    def found(self) -> bool:
        """Whether an audit finds it."""
        others = [(2 * k, 2 * k + 1) for k in range(1, self.pairs)]
        found = audit(
            self.outputs, pairs=[(1, 0), *others], epsilon=self.claim, samples=self.runs,
            confidence=CONFIDENCE, judge=KINDS[self.kind].judge, seed=self.seed,
        )  # fmt: skip
        return found.verdict == "violation found"


def plants(kind: str, count: int, seed: int) -> Iterator[Plant]:
    """So many of a kind, at random."""
    rng = np.random.default_rng([seed, *kind.encode()])
    needed = -math.log(1 - CONFIDENCE) + COST
    while count:
        runs, pairs = int(rng.choice(RUNS)), int(rng.choice(PAIRS))
        left, claim = LEFT * runs, float(rng.choice([0.1, 0.5, 1.0, 2.0]))
        likely = float(np.exp(rng.uniform(math.log(OFTEN / runs), math.log(0.4))))
        evidence = float(np.exp(rng.uniform(*np.log(EVIDENCE))))

        epsilon = _epsilon(likely, claim, evidence * needed / left)
        if epsilon is not None:
            yield Plant(
                kind, likely, epsilon, claim, runs, pairs, evidence, int(rng.integers(2**31))
            )
            count -= 1


def _epsilon(likely: float, claim: float, each: float) -> float | None:
    """From which ε on an event gives so much evidence with each pair of runs."""

    def more(epsilon: float) -> float:
        return float(divergence(likely, likely * math.exp(-epsilon), claim)) - each

    return float(optimize.brentq(more, claim, LARGEST)) if more(LARGEST) > 0 else None


def enough(tried: Sequence[tuple[Plant, bool]], pairs: int) -> Needs | None:
    """The least evidence, and the least likely event, with which nearly all were found."""
    tried = [(plant, found) for plant, found in tried if plant.pairs == pairs]
    best: tuple[int, Needs] | None = None
    for times in TIMES:
        for factor in FACTORS:
            some = [f for p, f in tried if p.evidence >= factor and p.likely * p.runs >= times]
            nearly_all = len(some) >= FEW and sum(some) >= WANTED * len(some)
            if nearly_all and (best is None or len(some) > best[0]):
                best = len(some), Needs(factor, times * LEFT)
    return None if best is None else best[1]


def main() -> None:
    """Print the figures, or check those that are shipped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plants", type=int, default=120, help="of each kind (120)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--check", action="store_true", help="are the figures right?")
    parser.add_argument("kinds", nargs="*", default=[*KINDS], help="all kinds by default")
    options = parser.parse_args()
    with worker_processes(options.workers) as executor:
        if options.check:
            sys.exit(_check(executor, options))
        _measure(executor, options)


def _measure(executor: Executor, options: argparse.Namespace) -> None:
    table = Table("kind", "plants", "found", *(f"enough, pairs: {pairs}" for pairs in PAIRS))
    for kind in options.kinds:
        some = [*plants(kind, options.plants, options.seed)]
        tried = [*zip(some, executor.map(Plant.found, some), strict=True)]
        needs = [enough(tried, pairs) for pairs in PAIRS]
        figures = ["-" if n is None else f"{n.evidence:g}, {n.times:g} times" for n in needs]
        table.add_row(kind, str(len(tried)), str(sum(f for _, f in tried)), *figures)
    Console(width=100).print(table)


def _check(executor: Executor, options: argparse.Namespace) -> int:
    table, failed = Table("kind", "plants", "found", "95 % interval from"), 0
    for kind in options.kinds:
        some = [
            plant
            for plant in plants(kind, 9 * options.plants, options.seed + 1000)
            if (needs := PLANTED[kind][plant.pairs > 1])
            and plant.evidence >= needs.evidence
            and plant.likely * plant.runs * LEFT >= needs.times
        ][: options.plants]
        found = sum(executor.map(Plant.found, some))
        low = float(stats.beta.ppf(0.025, found, len(some) - found + 1)) if found else 0.0
        failed |= low < WANTED - 0.05
        table.add_row(kind, str(len(some)), str(found), f"{low:.3f}")
    Console(width=100).print(table)
    return failed


if __name__ == "__main__":
    main()
