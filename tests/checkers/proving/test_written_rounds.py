"""Loops of which it is written how often they go round: the claim does not tell what one costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Verdict, verify
from tests.loading import source

TEXT = """
from collections.abc import Iterator
from shiftproof import DP, INFER, ZCDP, Count, Epsilon, Gaussian, Laplace, mechanism, sample

@mechanism(CLAIM)
def m(f: Count, eps: Epsilon) -> Iterator[float]:
    for _ in range(ROUNDS):
        noise = sample(NOISE)
        yield f + noise
"""


def _verified(tmp_path: Path, claim: str, rounds: int, noise: str) -> tuple[Verdict, str | None]:
    text = TEXT.replace("CLAIM", claim).replace("ROUNDS", str(rounds)).replace("NOISE", noise)
    report = verify(source(tmp_path, text)["m"], effort=0)
    return report.verdict, report.epsilon_upper


@pytest.mark.parametrize(
    ("claim", "rounds", "noise", "kept"),
    [
        ("DP()", 10, "Laplace(10 / eps)", "eps"),
        ("DP()", 30, "Laplace(30 / eps)", "eps"),
        ("DP()", 64, "Laplace(64 / eps)", "eps"),
        ("DP(), budget=lambda eps: 12 * eps", 12, "Laplace(1 / eps)", "12*eps"),
        ("DP(), budget=0.5", 10, "Laplace(20.0)", "1/2"),
        ("DP(), budget=INFER", 10, "Laplace(20.0)", "1/2"),
        ("DP(), budget=INFER", 1, "Laplace(20.0)", "1/20"),
        ("ZCDP(), budget=INFER", 7, "Gaussian(5.0)", "7/50"),
    ],
)
def test_it_is_proved(tmp_path: Path, claim: str, rounds: int, noise: str, kept: str) -> None:
    assert _verified(tmp_path, claim, rounds, noise) == (Verdict.PROVED, kept)


@pytest.mark.parametrize(
    ("claim", "rounds", "noise"),
    [
        ("DP()", 31, "Laplace(30 / eps)"),
        ("DP(), budget=lambda eps: 12 * eps", 13, "Laplace(1 / eps)"),
        ("DP(), budget=0.5", 11, "Laplace(20.0)"),
    ],
)
def test_a_round_more_is_not(tmp_path: Path, claim: str, rounds: int, noise: str) -> None:
    assert _verified(tmp_path, claim, rounds, noise)[0] is Verdict.UNKNOWN
