"""Random programs over lists: what is proved of them, and what the kernel alone accepts, holds.

By default some programs with fixed seeds; SHIFTPROOF_FULL=1 takes thousands of them.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from shiftproof import BadInput, Mechanism, Unsupported, Verdict, verify
from shiftproof.checkers.walking.certificate import Part
from shiftproof.dsl.normalise import read_normalised
from tests.checkers.counterexamples import check
from tests.checkers.kernel.finding import problems
from tests.checkers.random_lists import program
from tests.loading import source

FULL = bool(os.environ.get("SHIFTPROOF_FULL"))
#: Of these a kernel that follows an element through any number of indices accepts all.
MISJUDGED = (124, 245, 312)
#: About which programs the kernel and the prover are asked; by default some that take no time.
CHECKED, PROVED = (range(3000), range(600)) if FULL else ((*range(9), *MISJUDGED), (0, 3, 9))


def compared(text: str, seed: int, folder: Path) -> bool:
    """Exact enumeration finds no neighbours that break the claim; whether it looked at any."""
    found: Mechanism[..., Any] = source(folder, text)["m"]
    checked = check(found, seed, runs=2000)
    sys.modules.pop(found.function.__module__)
    assert not checked.violation, (seed, checked.violation, text)
    assert not checked.raised, (seed, text)
    return checked.pairs > 0


def shifts_of(text: str, sites: int, rng: random.Random) -> tuple[str, ...]:
    """An alignment that may fit: each draw follows one private value, or stays."""
    options = ["0", *(["f - other(f)"] if "f: Count" in text else [])]
    if "g: Counts" in text:
        options += [f"g[{i}] - other(g[{i}])" for i in range(3)]
    return tuple(rng.choice(options) for _ in range(sites))


def test_the_kernel_alone_accepts_no_wrong_claim(tmp_path: Path) -> None:
    """Proofs that say next to nothing: whatever else is needed, the kernel finds or misses."""
    verdicts: Counter[str] = Counter()
    for seed in CHECKED:
        text = program(seed, loops=False)
        found = read_normalised(text).program
        shifts = shifts_of(text, len(found.flow.sites), random.Random(seed))
        parts = [Part(case.name, shifts=shifts, costs={"eps": "1"}) for case in found.cases]
        accepted = not problems(found, parts)
        verdicts["accepted" if accepted else "refused"] += 1
        verdicts["compared"] += accepted and compared(text, seed, tmp_path)
    assert min(verdicts["compared"], verdicts["refused"]) >= len(CHECKED) // 5, verdicts
    assert verdicts["compared"] >= 0.9 * verdicts["accepted"], verdicts


def test_what_is_proved_of_programs_over_lists_holds(tmp_path: Path) -> None:
    verdicts: Counter[str] = Counter()
    for seed in PROVED:
        text = program(seed)
        try:
            report = verify(read_normalised(text), effort=0)
        except (BadInput, Unsupported):
            continue
        assert not any("alarm:" in reason for reason in report.reasons), (seed, text)
        claimed = report.verdict in (Verdict.PROVED, Verdict.BOUNDED)
        verdicts["claimed"] += claimed
        verdicts["compared"] += claimed and compared(text, seed, tmp_path)
    assert verdicts["compared"] >= max(1, len(PROVED) // 10), verdicts
    assert verdicts["compared"] >= 0.9 * verdicts["claimed"], verdicts


def test_a_seed_always_gives_the_same_program() -> None:
    assert program(7) == program(7)
    assert len({program(seed) for seed in range(100)}) > 95
