"""A proof leans on every mechanism that is called, whatever their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Mechanism, Verdict, bound, one_mechanism, verify

PART = """\
from shiftproof import DP, Count, Epsilon, TwoSidedGeometric, mechanism, sample

@mechanism(DP())
def part(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric({scale} / eps))
    return f + noise
"""
BOTH = """\
from {first} import part as one
from {second} import part as two
from shiftproof import DP, Count, Epsilon, mechanism

@mechanism(DP(), budget=lambda eps: 2 * eps)
def both(f: Count, eps: Epsilon):
    (a,) = one(f, eps)
    (b,) = two(f, eps)
    return a, b
"""


def both(folder: Path, first: str, second: str, *, run: bool = False) -> Mechanism:
    for name, scale in (("right", "1"), ("wrong", "1 / 5"), ("other", "2")):
        (folder / f"{name}_part.py").write_text(PART.format(scale=scale), encoding="utf-8")
    path = folder / f"{first}_{second}.py"
    path.write_text(BOTH.format(first=f"{first}_part", second=f"{second}_part"), encoding="utf-8")
    return one_mechanism(f"{path}::both", run=run)


@pytest.mark.parametrize(("first", "second"), [("right", "wrong"), ("wrong", "right")])
def test_of_two_with_one_name_both_are_proved(tmp_path: Path, first: str, second: str) -> None:
    mechanism = both(tmp_path, first, second)
    report = verify(mechanism, effort=0)
    assert report.verdict is Verdict.UNKNOWN and report.certificate is None
    assert "it calls part, which is not proved" in report.reasons[-1]
    assert bound(mechanism).upper is None


def test_two_right_ones_with_one_name_are_enough(tmp_path: Path) -> None:
    report = verify(both(tmp_path, "right", "other"), effort=0)
    assert report.verdict is Verdict.PROVED, report.reasons
