"""What once ended in a fault of shiftproof itself; ``tests/conftest.py`` lets none pass."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import Mechanism, verify
from shiftproof.workspace.targets import resolve
from tests.places import PROGRAMS

ONCE = {m.function.__name__: m for m in resolve(str(PROGRAMS / "checkers" / "once_faults.py"))}


@pytest.mark.parametrize("name", ONCE)
def test_it_is_decided(name: str) -> None:
    subject: Mechanism[..., Any] = ONCE[name]
    assert name.startswith(f"{verify(subject).verdict}_")
