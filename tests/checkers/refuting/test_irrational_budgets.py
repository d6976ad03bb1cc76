"""Budgets with roots and logarithms: proved, and refuted, as those without are."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Verdict, verify
from tests.loading import source

TEXT = """
from math import log, sqrt
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP(), budget=lambda eps: BUDGET)
def m(f: Count, eps: Epsilon) -> float:
    return f + sample(Laplace(1 / SCALE))
"""


@pytest.mark.parametrize(
    ("budget", "scale", "verdict"),
    [
        ("eps * sqrt(2)", "eps", Verdict.PROVED),
        ("eps * sqrt(2)", "(1.4142135 * eps)", Verdict.PROVED),
        ("eps * sqrt(2)", "(1.4142136 * eps)", Verdict.REFUTED),
        ("eps * log(3)", "(1.0986122 * eps)", Verdict.PROVED),
        ("eps * log(3)", "(1.0986123 * eps)", Verdict.REFUTED),
        ("eps * log(1 / 3) + 2.0986123 * eps", "eps", Verdict.PROVED),
        ("eps * log(1 / 3) + 2.0986122 * eps", "eps", Verdict.REFUTED),
        ("sqrt(eps) / 10", "eps", Verdict.REFUTED),
        ("log(1 + eps) / 2", "eps", Verdict.REFUTED),
    ],
)
def test_it_is_decided(tmp_path: Path, budget: str, scale: str, verdict: Verdict) -> None:
    text = TEXT.replace("BUDGET", budget).replace("SCALE", scale)
    report = verify(source(tmp_path, text)["m"])
    assert report.verdict is verdict, report
