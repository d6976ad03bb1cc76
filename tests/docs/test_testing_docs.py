"""``docs/testing.md``: what is on the page runs, and prints what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import settings

import shiftproof
from shiftproof import SensitivityViolated, strategies
from tests.places import ROOT

PAGE = ROOT / "docs" / "testing.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fewer examples than a reader of the page gets: it is the page that is tested."""
    few = partial(shiftproof.assert_p_sensitivity, examples=15)
    monkeypatch.setattr(shiftproof, "assert_p_sensitivity", few)
    usual = settings.default
    settings.register_profile("quick", max_examples=5, database=None, derandomize=True)
    settings.load_profile("quick")
    yield
    settings.register_profile("usual", usual)
    settings.load_profile("usual")


@pytest.mark.usefixtures("quick")
def test_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    message, printed = blocks("text")
    space: dict[str, Any] = {}
    failed = []
    for block in blocks("python"):
        try:
            exec(compile(block, str(PAGE), "exec"), space)
        except SensitivityViolated as error:
            failed.append(f"{error}\n")
    assert failed == [message]
    assert capsys.readouterr().out == printed
    tests = [value for name, value in space.items() if name.startswith("test_")]
    assert len(tests) == 5
    for test in tests:
        test()


def test_every_strategy_is_on_it() -> None:
    words = set(re.findall(r"\w+", PAGE.read_text()))
    assert set(strategies.__all__) - {"CornerPattern"} <= words
