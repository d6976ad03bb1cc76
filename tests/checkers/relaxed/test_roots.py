"""Roots in the width of normal noise: what they are roots of is reckoned with, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Verdict
from tests.verifying import verified

TEXT = """
from math import sqrt
from shiftproof import ZCDP, Count, Gaussian, Public, Rho, mechanism, sample

@mechanism(ZCDP())
def m(f: Count, a: Public[float], b: Public[float], rho: Rho) -> float:
    assert a > 0 and b > 0
    x = sample(Gaussian(SIGMA))
    return f + x
"""
#: All of these are sqrt(1 / (2 rho)), or more.
WIDE = (
    "sqrt(1 / (2 * rho))",
    "1 / sqrt(2 * rho)",
    "sqrt(1 / rho) / sqrt(2)",
    "sqrt(2) / (2 * sqrt(rho))",
    "sqrt(0.5 / rho)",
    "sqrt(a / rho) / sqrt(2 * a)",
    "sqrt(1 / (2 * rho)) * sqrt(1 / (2 * rho)) * sqrt(2 * rho)",
    "sqrt((a + b) / rho) / sqrt(2 * (a + b))",
    "sqrt(1 + a) / sqrt(2 * rho)",
)
#: None of these is, at some rho, a and b: each is what a rule of roots would give that is wrong.
NARROW = (
    "sqrt(1 / (3 * rho))",
    "1 / (2 * rho)",
    "1 / (2 * sqrt(rho))",
    "sqrt(1 / rho) / 2",
    "sqrt(a) * sqrt(b) / sqrt(2 * rho)",
    "sqrt(a + b) / sqrt(2 * rho)",
    "sqrt(a / (a + b)) / sqrt(2 * rho)",
    "sqrt(a * a) / sqrt(2 * rho)",
    "sqrt(sqrt(1 / (2 * rho)))",
    "sqrt(1 / (2 * rho)) * sqrt(1 / (2 * rho))",
    "(sqrt(a) + sqrt(b)) / (sqrt(a + b) * 2 * sqrt(rho))",
)


def _verdict(tmp_path: Path, sigma: str) -> Verdict:
    return verified(tmp_path, TEXT.replace("SIGMA", sigma), effort=0).verdict


@pytest.mark.parametrize("sigma", WIDE)
def test_noise_that_is_wide_enough_is_proved(tmp_path: Path, sigma: str) -> None:
    assert _verdict(tmp_path, sigma) is Verdict.PROVED


@pytest.mark.parametrize("sigma", NARROW)
def test_noise_that_is_too_narrow_is_not(tmp_path: Path, sigma: str) -> None:
    assert _verdict(tmp_path, sigma) is Verdict.UNKNOWN
