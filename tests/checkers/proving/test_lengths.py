"""A budget may speak of the length of a sequence, and of nothing else of it."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import BadInput, Mechanism, Unsupported, Verdict, verify
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.claim.policies import whole_budget
from shiftproof.checkers.kernel.language.text import read
from tests.dsl.making import made
from tests.programs.checkers import lengths_in_budgets

FOUND = {n: m for n, m in vars(lengths_in_budgets).items() if isinstance(m, Mechanism)}


@pytest.mark.parametrize("name", sorted(FOUND.keys() - {"of_the_other"}))
def test_as_expected(name: str) -> None:
    report = verify(FOUND[name], replays=5)
    assert report.as_expected, report
    assert not any("no run was held" in line for line in report.assumptions)


def test_the_length_of_the_other_sequence_is_not_enough() -> None:
    assert verify(FOUND["of_the_other"], effort=0).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("said", ["f[0] * eps", "f * eps", "len(eps) * eps", "len(f[0])"])
def test_nothing_else_is_read(said: str) -> None:
    text = f"@mechanism(DP(), budget=lambda eps, f: {said})\ndef m(f: Counts, eps: Epsilon):\n"
    with pytest.raises((BadInput, Unsupported)):
        program: Any = made(text + "    yield 1").program
        assert program is None
    core = f"@mechanism(DP(), budget=lambda eps, f: {said})\ndef m(f: Counts, eps: Epsilon):\n"
    header = read(core + "    yield (1,)").header
    with pytest.raises(Wrong):
        whole_budget(header)
