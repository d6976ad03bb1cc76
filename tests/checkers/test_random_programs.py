"""``proved`` against exact enumeration: on random programs, and on some whose truth is known.

By default some programs with fixed seeds; SHIFTPROOF_FULL=1 takes 10,000 of them.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from shiftproof import (
    BadInput,
    Comparison,
    Mechanism,
    Unsupported,
    Verdict,
    recompute,
    recorded,
    refute,
    verify,
)
from tests.checkers.counterexamples import Checked, check
from tests.checkers.enumeration import TooMany, spread
from tests.checkers.neighbouring import becomes, pairs
from tests.checkers.random_programs import program
from tests.checkers.stand_ins import NotWhole
from tests.loading import source
from tests.programs.checkers.enumerated_mechanisms import (
    BAD,
    GOOD,
    cells,
    counted_the_others,
    half_the_noise,
    one_sided_sparse_vector,
    the_same_noise_twice,
    they_cancel,
    two_steps_of_a_window,
    visited,
)
from tests.sampling import every

FULL = bool(os.environ.get("SHIFTPROOF_FULL"))
PROGRAMS, PROVED = (10_000, 500) if FULL else (30, 4)


#: From how many of these programs refutations are asked for, and how many there are at least.
SEARCHED, REFUTED = (2_000, 500) if FULL else (16, 2)


def confirmed(found: Mechanism[..., Any], comparison: Comparison) -> bool:
    """Whether enumeration, which knows nothing of paths and integrals, has the same masses.

    False where it does not reach: real noise, an ε that is no multiple of ln 2, too many runs.
    """
    kinds = found.inputs
    amounts = {n: text.partition("ln 2") for n, text in comparison.epsilon.items()}
    if comparison.measure != "probability" or not all(ln2 for _, ln2, _ in amounts.values()):
        return False
    epsilons = {n: Fraction(amount.strip() or 1) for n, (amount, _, _) in amounts.items()}
    for side, interval in (
        (comparison.left, comparison.on_left),
        (comparison.right, comparison.on_right),
    ):
        given = {n: plain(v, kinds[n].whole) for n, v in (comparison.public | side).items()}
        try:
            masses = spread(found, found.convert(**given, **epsilons), bits=24)
        except (TooMany, NotWhole):
            return False
        outcome = tuple(
            ("real", Fraction(str(r.value)))
            if r.kind == "float"
            else (type(r.value).__name__, r.value)
            for r in comparison.outcome
        )
        if comparison.ending == "error":
            return False
        mass = masses.masses.get(outcome, Fraction(0))
        ends = interval.enclosure
        assert mass <= ends.high and ends.low <= mass + masses.unseen, (comparison, mass)
    return True


def plain(value: Any, whole: bool) -> Any:
    if isinstance(value, list):
        return tuple(plain(v, whole) for v in value)
    return int(value) if whole else Fraction(value)


def test_what_is_refuted_of_random_programs_is_not_private(tmp_path: Path) -> None:
    """Enumeration finds the same masses; and where it finds no violation, none is made up."""
    verdicts: Counter[str] = Counter()
    for seed in range(SEARCHED):
        text = program(seed)
        try:
            found: Mechanism[..., Any] = source(tmp_path, text)["m"]
            report = verify(found)
        except (BadInput, Unsupported, SyntaxError):
            continue
        verdicts[report.verdict.value] += 1
        if report.refutation is not None:
            assert report.refutation.breaks
            assert recompute(report.refutation, found) == report.refutation, text
            verdicts["confirmed"] += confirmed(found, report.refutation)
        sys.modules.pop(found.function.__module__)
    assert verdicts["refuted"] >= REFUTED and verdicts["confirmed"] >= REFUTED // 2, verdicts


def examined(seed: int, folder: Path) -> tuple[str, Checked | None]:
    """The verdict on a program; of a proved one, what enumeration says."""
    text = program(seed)
    try:
        found: Mechanism[..., Any] = source(folder, text)["m"]
        report = verify(found, effort=0)
    except (BadInput, Unsupported, SyntaxError):
        return "refused", None
    except Exception as error:
        raise AssertionError(f"a crash on program {seed}:\n{text}") from error
    # A guard that speaks has caught a wrong proof.
    assert not any("alarm:" in reason for reason in report.reasons), (seed, report.reasons, text)
    # Enumeration takes sequences of at most three, for which "bounded" is a claim, too.
    claimed = report.verdict in (Verdict.PROVED, Verdict.BOUNDED)
    checked = check(found, seed) if claimed else None
    sys.modules.pop(found.function.__module__)  # searching thousands of them takes long
    return report.verdict.value, checked


def test_what_is_proved_of_random_programs_holds(tmp_path: Path) -> None:
    verdicts: Counter[str] = Counter()
    compared = 0
    for seed in range(PROGRAMS):
        verdict, checked = examined(seed, tmp_path)
        verdicts[verdict] += 1
        if checked is not None:
            assert not checked.violation, (seed, checked.violation, program(seed))
            assert not checked.raised, (seed, program(seed))
            compared += checked.pairs > 0 and len(checked.multiples) >= 2
    assert compared >= PROVED, verdicts
    assert compared >= 0.9 * verdicts["proved"], "most proofs must have been looked at"
    assert verdicts["unknown"] >= PROVED, verdicts


def test_a_seed_always_gives_the_same_program() -> None:
    assert program(7) == program(7)
    assert len({program(seed) for seed in range(100)}) > 95


@pytest.mark.parametrize("bad", every(8, BAD), ids=lambda m: m.function.__name__)
def test_what_is_not_private_is_found_out(bad: Mechanism[..., Any]) -> None:
    violation = check(bad, runs=20_000).violation
    assert violation
    assert violation.left != violation.right
    report = verify(bad)
    if bad.function.__name__ == "kind_of_a_number":  # what it does is not in the language
        assert report.verdict is Verdict.UNSUPPORTED
        return
    assert report.verdict is Verdict.REFUTED and report.refutation is not None
    many_values = bad.function.__name__ == "replaced_in_a_histogram"
    assert confirmed(bad, report.refutation) or many_values


@pytest.mark.parametrize("good", every(8, GOOD), ids=lambda m: m.function.__name__)
def test_what_is_private_stands(good: Mechanism[..., Any]) -> None:
    found = check(good, runs=20_000)
    assert not found.violation
    assert found.pairs >= 4 and len(found.multiples) >= 2
    assert refute(good, effort=1500) is None


def test_probabilities_are_those_of_plain_enumeration() -> None:
    """Stand-ins split draws lazily; here every value is drawn, one by one."""
    values = one_sided_sparse_vector.convert(f=[1, 0], T=2, eps=1.0)
    lazy = spread(one_sided_sparse_vector, values, bits=40)
    plain: defaultdict[object, Fraction] = defaultdict(Fraction)
    for draws in product(range(30), repeat=2):
        with recorded(draws):
            plain[one_sided_sparse_vector.run(values)] += Fraction(1, 2 ** (sum(draws) + 2))
    assert lazy.unseen < Fraction(1, 2**38)
    for outcome, mass in lazy.masses.items():
        assert abs(plain[tuple(v for _, v in outcome)] - mass) < Fraction(1, 2**25)
    assert lazy.masses[("NoneType", None), ("int", 2)] == Fraction(1, 2) * Fraction(1, 8)


def test_what_is_cut_counts_as_unseen() -> None:
    values = half_the_noise.convert(x=1, eps=1.0)
    coarse, fine = (spread(half_the_noise, values, bits) for bits in (3, 20))
    assert coarse.unseen > fine.unseen > 0
    assert coarse.masses.items() <= fine.masses.items()


def test_neighbours_are_those_of_the_definitions() -> None:
    assert set(becomes((1, 0), visited)) == {(1, 0), (0, 0)}
    rng = random.Random(1)

    def moves(mechanism: Mechanism[..., Any], name: str) -> set[object]:
        found = pairs(mechanism, {}, {name: 2}, rng)
        return {tuple(a - b for a, b in zip(p.left[name], p.right[name])) for p in found}

    up_and_down = {(1, 0), (0, 1), (-1, 0), (0, -1)}
    assert moves(the_same_noise_twice, "f") == {(1, 0), (0, 1), (1, 1)}
    assert moves(cells, "h") == up_and_down | {(1, -1), (-1, 1)}
    assert moves(two_steps_of_a_window, "f") == {(1, 0), (0, 1), (1, 1)}
    assert moves(counted_the_others, "z") == {(-1, 0), (0, -1), (-1, -1)}
    together = [
        (p.left["x"] - p.right["x"], p.left["y"] - p.right["y"])
        for p in pairs(they_cancel, {}, {}, rng)
    ]
    assert {(1, 1), (-1, -1), (1, 0)} <= set(together) and (1, -1) not in together
