"""What people write with public factors and states is proved at once, or refuted."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import verify
from shiftproof.dsl.mechanism import Mechanism
from shiftproof.workspace.targets import resolve
from tests.places import PROGRAMS
from tests.sampling import every

FOUND = [
    mechanism
    for name in (
        *("factored", "measured", "replaced", "sized", "integer", "written_out"),
        *("alike", "multiplied"),
    )
    for mechanism in resolve(str(PROGRAMS / "checkers" / f"{name}_mechanisms.py"))
]


@pytest.mark.parametrize("mechanism", every(9, FOUND), ids=[m.function.__name__ for m in FOUND])
def test_as_expected(mechanism: Mechanism[..., Any]) -> None:
    report = verify(mechanism)
    assert report.as_expected, report
