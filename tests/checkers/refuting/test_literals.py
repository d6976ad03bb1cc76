"""Where a search begins: at the numbers that stand in a program's tests, at an ε for each ratio."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import Mechanism, Verdict, verify
from shiftproof.workspace.targets import resolve
from tests.places import PROGRAMS

FOUND = resolve(str(PROGRAMS / "checkers" / "seeded_by_literals.py"))


@pytest.mark.parametrize("mechanism", FOUND, ids=[m.function.__name__ for m in FOUND])
def test_it_is_refuted(mechanism: Mechanism[..., Any]) -> None:
    assert verify(mechanism).verdict is Verdict.REFUTED
