"""Random mechanisms with discrete noise that claim a δ or a ρ: every verdict against a judge.

The judge executes the text (:mod:`.judging`).  What is proved holds on all small neighbours, and
the judge finds a counterexample to be one.  Programs are those of :mod:`.random_relaxed`.

By default some with fixed seeds; SHIFTPROOF_FULL=1 takes 5,000 of them (about an hour), as does
``python -m tests.checkers.relaxed.trials --programs 5000 --seed 0``, which tells what it found.
"""

from __future__ import annotations

import os
from collections import Counter
from decimal import Decimal

import pytest

from tests.checkers.relaxed.judging import (
    D,
    Judged,
    divergence,
    excess,
    judged,
    noise_of,
    precisely,
)
from tests.checkers.relaxed.random_relaxed import program
from tests.checkers.relaxed.trials import tried

PROGRAMS = 5_000 if os.environ.get("SHIFTPROOF_FULL") else 30
#: Which share of the claims of a kind has to be proved, and which refuted, at least.
SHARE = 0.15


def test_no_verdict_is_wrong() -> None:
    verdicts: Counter[tuple[str, str]] = Counter()
    compared: Counter[str] = Counter()
    for seed in range(PROGRAMS):
        found = tried(program(seed))
        assert not found.problem, (seed, found.problem, found.program.text)
        verdicts[found.program.notion, found.verdict] += 1
        compared[found.verdict] += found.compared > 0
    for notion in ("delta", "rho"):
        claims = sum(n for (of, _), n in verdicts.items() if of == notion)
        assert claims >= PROGRAMS / 4, verdicts
        for verdict in ("proved", "refuted"):
            assert verdicts[notion, verdict] >= SHARE * claims, verdicts
    for verdict in ("proved", "refuted"):
        most = verdicts["delta", verdict] + verdicts["rho", verdict]
        assert compared[verdict] >= 0.9 * most, (verdict, compared, verdicts)


def test_a_seed_always_gives_the_same_program() -> None:
    assert program(7) == program(7)
    assert len({program(seed).text for seed in range(60)}) > 50


def test_programs_are_of_all_kinds() -> None:
    some = [program(seed) for seed in range(150)]
    texts = "\n".join(p.text for p in some)
    for word in (
        "OneSidedGeometric", "NegativeOneSidedGeometric", "TwoSidedGeometric", "DiscreteLaplace",
        "Bernoulli", "Categorical", "DiscreteUniform", "DiscreteGaussian", "min(", "max(",
        "for x in f", "return\n", "break\n", "yield from inner(", "ADP(", 'DP("add-remove"',
        "LDP(", "Histogram", "Counts", 'delta="delta"', "log(", "rho: Rho", "budget=0", ">= T",
    ):  # fmt: skip
        assert word in texts, word


TIGHT = """
@mechanism(DP("add-remove", delta=lambda eps, T: exp(-eps * T) / (1 + exp(-eps))))
def m(q: Count, T: Public[int], eps: Epsilon) -> int | None:
    noise = sample(TwoSidedGeometric(1 / eps))
    if q > 0 and q + noise > T:
        return q + noise
    return None
"""
AT = [{"eps": D("0.7"), "T": t} for t in (0, 1, 3)]


@pytest.mark.parametrize(
    ("old", "new"),
    [("> T", ">= T"), ("/ (1 +", "/ (2 +"), ("q > 0 and ", ""), ("1 / eps", "1 / (2 * eps)")],
)
def test_the_judge_sees_what_is_a_little_off(old: str, new: str) -> None:
    right = judged(Judged(TIGHT), ("q", "count"), AT, (1,), D("1e-16"))
    assert right.violation is None and right.compared == 18 and right.closest > 0.999
    wrong = Judged(TIGHT.replace(old, new))
    found = judged(wrong, ("q", "count"), AT, (1,), D("1e-16"))
    assert (found.violation is None) == (new == ""), found  # without a guard it is no worse


def test_an_unseen_tail_counts_for_whoever_is_accused() -> None:
    """However early noise is cut off, the truth is between what is said."""
    read = Judged(TIGHT)
    with precisely():
        true = (D("-2.1")).exp() / (1 + D("-0.7").exp())
        for tail in ("1e-1", "1e-3", "1e-9", "1e-20"):
            one, two = (read.law({"eps": D("0.7"), "T": 3, "q": q}, D(tail)) for q in (1, 0))
            low, high = excess(one, two, D("0.7"))
            assert low <= true <= high
        assert high - low < D("1e-19")


@pytest.mark.parametrize("sigma", ["0.6", "1", "2"])
def test_normal_noise_on_the_integers_has_its_divergence(sigma: str) -> None:
    read = Judged(
        f"@mechanism(ZCDP())\ndef m(q):\n    return q + sample(DiscreteGaussian({sigma}))"
    )
    with precisely():
        one, two = (read.law({"q": q}, D("1e-150")) for q in (1, 0))
        for order in (2.0, 4.0):  # of whole orders it is that of real noise
            for found in divergence(one, two, order):
                assert found == pytest.approx(order / (2 * float(sigma) ** 2), rel=1e-9)


def test_laws_sum_up_to_one() -> None:
    with precisely():
        for name, given in (
            ("OneSidedGeometric", (2,)), ("NegativeOneSidedGeometric", (D("0.5"),)),
            ("TwoSidedGeometric", (3,)), ("DiscreteGaussian", (2,)), ("Bernoulli", (D("0.3"),)),
            ("Categorical", (1, 2, 1)), ("DiscreteUniform", (-2, 5)),
        ):  # fmt: skip
            law = noise_of(name, given, D("1e-9"))
            seen = sum((p for _, p in law.values), Decimal(0))
            assert seen <= 1 + D("1e-30") and seen + law.beyond >= 1 - D("1e-30")
            assert law.beyond < D("1e-8")
