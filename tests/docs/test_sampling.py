"""What runs by default, and what only runs if it is asked for."""

from __future__ import annotations

import pytest

from tests.sampling import every, slow

pytest_plugins = ["pytester"]

TEXT = """
import pytest
from tests.sampling import every

@pytest.mark.parametrize("x", every(3, "abcdefg"))
def test_of_many(x):
    pass

@pytest.mark.slow
def test_of_ages():
    pass
"""


def test_every_third() -> None:
    marked = every(3, [1, (2, 3), pytest.param(4, id="four"), 5])
    assert marked[0] == 1 and marked[3] == 5
    assert [p.values for p in marked[1:3]] == [(2, 3), (4,)]
    assert all(m.name == "slow" for p in marked[1:3] for m in p.marks) and marked[2].id == "four"
    assert [p.values for p in map(slow, ["one", ("two", 3)])] == [("one",), ("two", 3)]


@pytest.mark.parametrize(
    ("arguments", "selected"),
    [([], 3), (["-m", "slow"], 5), (["-m", "not slow"], 3), (["test_text.py::test_of_ages"], 1)],
)
def test_what_is_selected(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    selected: int,
) -> None:
    monkeypatch.delenv("SHIFTPROOF_FULL", raising=False)
    assert _selected(pytester, *arguments) == selected


def test_all_of_everything(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIFTPROOF_FULL", "1")
    assert _selected(pytester) == 8


def _selected(pytester: pytest.Pytester, *arguments: str) -> int:
    pytester.makeini("[pytest]\nmarkers =\n    slow\n")
    pytester.makepyfile(test_text=TEXT)
    options = ["--collect-only", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    found = pytester.runpytest_inprocess(*options, *arguments)
    return sum("::" in line for line in found.outlines)
