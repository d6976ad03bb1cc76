"""Theorems of mechanisms that call others: what the statement says of a call."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import verify
from shiftproof.showing.theorems.folder import Exported, exported, reports_of_called
from shiftproof.workspace.targets import resolve_text
from tests.showing.theorems.tampering import certificates, theorem_of

CALLS = """
from collections.abc import Iterator
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def noisy(x: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise

@mechanism(DP())
def positive(y: Count, eps: Epsilon) -> bool:
    (z,) = noisy(y, eps)
    return z > 0

@mechanism(DP())
def streamed(y: Count, eps: Epsilon) -> Iterator[float]:
    yield 1.0
    yield from noisy(y, eps / 2)

@mechanism(DP())
def both(y: Count, eps: Epsilon) -> Iterator[float]:
    yield from positive(y, eps / 2)
    yield from noisy(y, eps / 2)

@mechanism(DP())
def passing(y: Count, eps: Epsilon) -> Iterator[float]:
    yield from streamed(y, eps)
"""


@pytest.fixture(scope="module")
def found() -> dict[str, Exported]:
    """What becomes of each of them."""
    mechanisms = resolve_text(CALLS)
    return {m.function.__name__: exported(verify(m), reports_of_called(m)) for m in mechanisms}


def statement(found: dict[str, Exported], name: str) -> str:
    theorem = found[name].theorem
    assert theorem is not None, found[name].why
    return theorem.statement


def test_what_is_called_stands_before(found: dict[str, Exported]) -> None:
    text = statement(found, "positive")
    assert text.index("Module noisy.") < text.index("End noisy.") < text.index("related")
    assert "returned within (noisy.next eps y) noisy.L" in text
    assert "(real_at 0 out)" in " ".join(text.split())
    assert "forall (within : nat) (eps : R)" in text


def test_what_is_passed_on_is_released(found: dict[str, Exported]) -> None:
    text = statement(found, "streamed")
    assert "yield from noisy(y, eps / 2)" in text and "Release (VR noisy_1)" in text


def test_what_is_called_in_turn_stands_there_once(found: dict[str, Exported]) -> None:
    text = statement(found, "both")
    assert [text.count(f"Module {name}.") for name in ("noisy", "positive")] == [1, 1]
    assert text.index("Module noisy.") < text.index("Module positive.")
    assert "positive.next within (eps / 2)%R y" in text


def test_what_yields_is_not_called(found: dict[str, Exported]) -> None:
    assert found["passing"].proved and found["passing"].why == "streamed, which yields its values"


def test_without_the_proof_of_what_is_called() -> None:
    named = {m.function.__name__: m for m in resolve_text(CALLS)}
    without = exported(verify(named["positive"]))
    assert without.proved and "whose certificate is not at hand" in without.why


def test_a_callee_is_the_one_that_was_meant() -> None:
    """It is known by its fingerprint, and its head is what the caller takes it for."""
    proofs = certificates()
    caller, callee = proofs["count_in_rounds"], proofs["noisy_count"]
    another: dict[str, Any] = {**callee, "fingerprint": "sha256:0"}
    assert theorem_of(caller, [another]) == theorem_of(caller) == theorem_of(caller, [callee])
    head = [line.replace("q: Count", "q: Count, r: Count") for line in callee["core"]]
    with pytest.raises(Exception, match="another head"):
        theorem_of(caller, [{**callee, "core": head}])
