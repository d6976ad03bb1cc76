"""A crash of the solver is no answer, and no end of the program that asked."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from shiftproof.checkers.proving.loops.isolated import isolated

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be forked there")


def test_the_answer_comes_back() -> None:
    assert isolated(lambda: "reachable", "unknown") == "reachable"


def test_what_is_done_there_changes_nothing_here() -> None:
    here: list[int] = []

    def work() -> str:
        here.append(1)
        return str(len(here))

    assert isolated(work, "unknown") == "1"
    assert here == []


def test_an_error_is_no_answer() -> None:
    assert isolated(lambda: str(1 / 0), "unknown") == "unknown"


def test_a_crash_is_no_answer() -> None:
    def crash() -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return "reachable"

    assert isolated(crash, "unknown") == "unknown"
