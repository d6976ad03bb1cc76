"""Where a search begins: at the numbers that a program and its claim speak of."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import Mechanism, Verdict, verify
from shiftproof.workspace.targets import resolve
from tests.places import PROGRAMS
from tests.sampling import every

FOUND = [
    mechanism
    for name in ("seeded_by_literals", "seeded_by_claims", "seeded_by_shapes")
    for mechanism in resolve(str(PROGRAMS / "checkers" / f"{name}.py"))
]


@pytest.mark.parametrize("mechanism", every(3, FOUND), ids=[m.function.__name__ for m in FOUND])
def test_it_is_refuted(mechanism: Mechanism[..., Any]) -> None:
    assert verify(mechanism).verdict is Verdict.REFUTED
