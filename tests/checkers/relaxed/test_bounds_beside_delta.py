"""``bound`` of claims with a δ is about δ, and nothing is inferred beside one."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import BadInput, Verdict, bound, verify
from shiftproof.checkers.bound import bounds_text
from shiftproof.showing.answers.comparisons import of_bracket
from tests.loading import source

TEXT = """
from math import exp
from shiftproof import ADP, DP, INFER, Count, Delta, Epsilon, Exponential, Policy, Public
from shiftproof import Uniform, mechanism, sample

@mechanism(ADP(Policy(sensitive={1}), delta=lambda eps, A: exp(-eps * (A - 1)) * SHARE))
def clamped(q: Count, A: Public[float], eps: Epsilon) -> float:
    assert A > 1
    noise = sample(Exponential(1 / eps))
    answer = q + min(A, noise)
    return answer

@mechanism(DP(delta="delta"), budget=BUDGET)
def uniform(q: Count, delta: Delta) -> float:
    noise = sample(Uniform(-1 / (2 * delta), 1 / (2 * delta)))
    return q + noise
"""


def _text(share: str = "1", budget: str = "0") -> str:
    return TEXT.replace("SHARE", share).replace("BUDGET", budget)


def test_what_is_found_is_a_delta_and_no_epsilon(tmp_path: Path) -> None:
    bracket = bound(source(tmp_path, _text())["clamped"], {"A": 2, "eps": 1}, effort=800)
    assert bracket.delta and bracket.epsilon_lower is None and bracket.delta_lower is not None
    assert float(bracket.delta_lower.enclosure.low) == pytest.approx(0.36787944117)
    assert bracket.share == pytest.approx(1) and bracket.tight
    upper, lower = bounds_text(bracket)
    assert upper == "ε ≤ eps with δ = exp(eps)/exp(A*eps), proved"
    assert lower == "δ ≥ 0.367879441171 at ε = 1, 100 % of the claimed δ there"
    facts = {fact.label: fact.text for fact in of_bracket(bracket).facts}
    assert facts["claimed ε"] == "eps" and "no smaller δ holds" in facts["tight"]
    assert not any("nats" in fact for fact in facts.values())


def test_a_delta_that_is_too_small_is_exceeded(tmp_path: Path) -> None:
    mechanism = source(tmp_path, _text(share="0.25"))["clamped"]
    bracket = bound(mechanism, {"A": 2, "eps": 1}, effort=800)
    assert bracket.upper is None and not bracket.tight
    assert bracket.share == pytest.approx(4)


def test_with_no_epsilon_all_is_delta(tmp_path: Path) -> None:
    bracket = bound(source(tmp_path, _text())["uniform"], {"delta": 0.1}, effort=800)
    assert bracket.upper == "0" and bracket.share == 1 and bracket.tight


def test_nothing_is_inferred_beside_a_delta(tmp_path: Path) -> None:
    mechanism = source(tmp_path, _text(budget="INFER"))["uniform"]
    report = verify(mechanism)
    assert report.verdict is Verdict.UNSUPPORTED
    assert "budget=INFER beside a δ" in report.reasons[0] and "say which ε" in report.reasons[0]
    with pytest.raises(BadInput, match="budget=INFER beside a δ"):
        bound(mechanism)
