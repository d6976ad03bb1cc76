"""Each test of the kernel has as much work as one certificate."""

from __future__ import annotations

import pytest

from shiftproof.checkers.kernel.arithmetic import start_work


@pytest.fixture(autouse=True)
def _work() -> None:
    start_work()
