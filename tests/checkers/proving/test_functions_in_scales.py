"""Scales of noise, budgets and conditions of callees that are logarithms or roots of parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Verdict
from tests.verifying import verified

HEAD = """
from collections.abc import Iterator
from math import log, sqrt
from shiftproof import DP, Count, Epsilon, Laplace, Public, mechanism, sample
"""
ONE = """
@mechanism(DP(), budget=lambda k, eps: BUDGET)
def m(q: Count, k: Public[float], eps: Epsilon) -> float:
    assert k > 1
    scale = SCALE
    noise = sample(Laplace(scale))
    return q + noise
"""
CALL = """
@mechanism(DP(), budget=lambda k: log(k))
def inner(q: Count, k: Public[float]) -> float:
    assert k > 1 and log(k) > 0
    noise = sample(Laplace(1 / log(k)))
    return q + noise

@mechanism(DP(), budget=lambda k: log(k))
def m(q: Count, k: Public[float]) -> Iterator[float]:
    assert k > LEAST
    yield from inner(q, k)
"""


def _verdict(tmp_path: Path, text: str) -> Verdict:
    return verified(tmp_path, HEAD + text).verdict


@pytest.mark.parametrize(
    ("budget", "scale", "verdict"),
    [
        ("eps", "1 / (sqrt(eps) * sqrt(eps))", Verdict.PROVED),
        ("log(k)", "1 / log(k)", Verdict.PROVED),
        ("eps * sqrt(k)", "1 / (eps * sqrt(k))", Verdict.PROVED),
        ("eps", "1 / (2 * sqrt(eps) * sqrt(eps))", Verdict.REFUTED),
        ("log(k)", "1 / (2 * log(k))", Verdict.REFUTED),
        ("eps * sqrt(k)", "1 / (eps * k)", Verdict.REFUTED),
    ],
)
def test_a_scale(tmp_path: Path, budget: str, scale: str, verdict: Verdict) -> None:
    text = ONE.replace("BUDGET", budget).replace("SCALE", scale)
    assert _verdict(tmp_path, text) is verdict


def test_a_callee_may_ask_for_a_logarithm_above_zero(tmp_path: Path) -> None:
    assert _verdict(tmp_path, CALL.replace("LEAST", "1")) is Verdict.PROVED
    assert _verdict(tmp_path, CALL.replace("LEAST", "1 / 2")) is not Verdict.PROVED
