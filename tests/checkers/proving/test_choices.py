"""``min`` of many numbers: each one doubles what is compared, so there is a limit."""

from __future__ import annotations

import json
from pathlib import Path

from shiftproof import Verdict, verify
from shiftproof.checkers.recheck import Rechecker, Standing
from tests.loading import source
from tests.places import ROOT

PROOFS = ROOT / "proofs"
TEXT = """
from shiftproof import DP, Count, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def least(q: Count, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return min(q + noise, {numbers})
"""


def numbers(count: int) -> str:
    return ", ".join(f"{k}.0" for k in range(count))


def test_a_few_are_compared(tmp_path: Path) -> None:
    report = verify(source(tmp_path, TEXT.format(numbers=numbers(3)))["least"])
    assert report.verdict is Verdict.PROVED


def test_many_come_to_a_limit_and_no_further(tmp_path: Path) -> None:
    report = verify(source(tmp_path, TEXT.format(numbers=numbers(60)))["least"])
    assert report.verdict is Verdict.UNKNOWN
    assert any(reason.startswith("choices: ") for reason in report.reasons)


def test_a_certificate_with_many_is_invalid(tmp_path: Path) -> None:
    content = json.loads((PROOFS / "laplace.laplace.json").read_text(encoding="utf-8"))
    content["parts"][0]["shifts"] = [f"max(f, {numbers(500)})"]
    path = tmp_path / "many.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    found = Rechecker().check(path)
    assert found.standing is Standing.INVALID and found.reasons
