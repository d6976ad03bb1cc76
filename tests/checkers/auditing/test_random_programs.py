"""The auditor against what is known of random programs: it finds what is wrong, and only that.

By default some programs with fixed seeds; SHIFTPROOF_FULL=1 takes 200 that are refuted and 200
that are proved.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scipy import stats

from shiftproof import BadInput, Comparison, Mechanism, Unsupported, Verdict, recompute, verify
from shiftproof.checkers.auditing.audit import audit
from shiftproof.checkers.auditing.evidence.pure import NEVER, divergence
from shiftproof.checkers.auditing.result import Audit
from tests.checkers.random_programs import program
from tests.checkers.test_random_programs import confirmed, plain
from tests.loading import source

FULL = bool(os.environ.get("SHIFTPROOF_FULL"))
#: How many programs of each kind at most, and how many runs an audit of them may make.
REFUTED, PROVED = 200, 200
RUNS_IF_REFUTED, RUNS_IF_PROVED = (5_000_000, 1_000_000) if FULL else (1_000_000, 30_000)
#: The programs that are taken by default, which are quick.
QUICK = {
    Verdict.REFUTED: (0, 6, 11, 21, 25, 29, 30, 31, 40, 48, 56, 57),
    Verdict.PROVED: (12, 13, 15, 16, 50, 60, 61, 63, 64, 66, 67, 70),
}
#: The evidence in nats that must be expected to be sure of the 5 that are needed: the standard
#: deviation of so much is 7.
SURE = 25.0
#: So small a p-value would say that a proof is wrong.
CONTRADICTION = 1e-6


def programs(folder: Path, wanted: Verdict, most: int) -> Iterator[tuple[int, Any, Any]]:
    """Those of such a verdict: the number, the mechanism, and the report."""
    found = 0
    for seed in itertools.count() if FULL else QUICK[wanted]:
        try:
            mechanism: Mechanism[..., Any] = source(folder, program(seed))["m"]
        except (BadInput, SyntaxError):
            continue
        try:
            report = verify(mechanism)
            shown = report.refutation is not None or wanted is Verdict.PROVED
            if report.verdict is wanted and shown:
                found += 1
                yield seed, mechanism, report
        except Unsupported:
            continue
        finally:
            sys.modules.pop(mechanism.function.__module__, None)
        if found == most:
            return


def audited(
    seed: int, mechanism: Any, runs: int, confidence: float, given: dict[str, Any] | None = None
) -> Audit:
    try:
        return audit(mechanism, given=given, samples=runs, confidence=confidence, seed=seed)
    except Exception as error:
        raise AssertionError(f"a crash on program {seed}:\n{program(seed)}") from error


def enumerated(mechanism: Any, known: Comparison) -> bool:
    """Whether enumeration says the same; it does not where 1 / 3 is a float in the program."""
    try:
        return confirmed(mechanism, known)
    except AssertionError:
        return False


def in_sight(known: Comparison) -> bool:
    """Whether a quarter of the runs, on each side, show the event of a counterexample.

    Not told of a density: how likely its neighbourhood is nobody has said.
    """
    p, q = (float(side.enclosure.high) for side in (known.on_left, known.on_right))
    gain = divergence(min(p, 1 - NEVER), max(q, NEVER), float(known.budget.enclosure.high))
    return known.measure == "probability" and RUNS_IF_REFUTED / 4 * float(gain) > SURE


def public_inputs(mechanism: Any, known: Comparison) -> dict[str, Any]:
    kinds = mechanism.inputs
    return {n: plain(v, kinds[n].whole) for n, v in known.public.items()} | known.epsilon


def test_what_is_refuted_is_found(tmp_path: Path) -> None:
    """At the public inputs that the auditor chooses, or else at those of the counterexample,
    unless nobody could see it in so many runs."""
    overlooked, runs, agreed = [], [], 0
    for seed, mechanism, report in programs(tmp_path, Verdict.REFUTED, REFUTED):
        known = report.refutation
        assert known.breaks and recompute(known, mechanism) == known
        agreed += enumerated(mechanism, known)
        got = audited(seed, mechanism, RUNS_IF_REFUTED, 0.99)
        if got.verdict == "violation found":
            runs.append(got.runs)
            continue
        given = public_inputs(mechanism, known)
        again = audited(seed, mechanism, RUNS_IF_REFUTED, 0.99, given).verdict
        overlooked.append((seed, in_sight(known), again, got.public, known))
    found, count = len(runs), len(runs) + len(overlooked)
    print(f"\nfound {found} of {count}, {agreed} are confirmed by enumeration, with runs:")
    print(*(f"{share:.0%}: {sorted(runs)[int(share * (found - 1))]}" for share in (0.5, 0.9, 1)))
    print("overlooked (number, in sight, at its public inputs, chosen ones, counterexample):")
    print(*overlooked, sep="\n")
    assert not [seed for seed, seen, again, *_ in overlooked if seen and "no " in again]
    assert count >= 10 and found >= 0.95 * count and agreed >= count // 2


def test_no_audit_contradicts_a_proof(tmp_path: Path) -> None:
    alarms, p_values = [], []
    for seed, mechanism, _ in programs(tmp_path, Verdict.PROVED, PROVED):
        got = audited(seed, mechanism, RUNS_IF_PROVED, 0.95)
        p_value = got.judgement.p_value
        assert p_value is not None and p_value > CONTRADICTION, (seed, got)
        p_values.append(p_value)
        if got.verdict == "violation found":
            alarms.append(seed)
    count = len(p_values)
    print(f"\n{len(alarms)} alarms on {count} proved ({alarms}); lowest p {min(p_values):.3g}")
    assert count >= 10 and len(alarms) <= stats.binom.ppf(1 - 1e-4, count, 0.05)
