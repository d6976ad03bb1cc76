"""What is slow does not run by default: ``-m slow``, a name or SHIFTPROOF_FULL=1 runs it."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, settings

from tests.showing.browsing import CHROMIUM, FLAGS

# No test fails because a machine is slow, and none by chance: by default examples are the same.
settings.register_profile(
    "steady", deadline=None, derandomize=not os.environ.get("SHIFTPROOF_FULL"),
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
settings.load_profile("steady")


@pytest.fixture(scope="session", autouse=True)
def a_fault_is_raised() -> Iterator[None]:
    """What users get as ``unknown`` fails a test: no crash may pass for a careful verdict."""

    def fail(report: object, error: Exception) -> NoReturn:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shiftproof.checkers.verify.faulty", fail)
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The browser in which pages are opened, for the tests that want one."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium to show pages in")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is slow, unless it is asked for: by a mark, by name, or all of everything."""
    asked = any("::" in str(a) for a in config.args) or "slow" in config.option.markexpr
    if asked or os.environ.get("SHIFTPROOF_FULL"):
        return
    left_out = [item for item in items if item.get_closest_marker("slow")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """Look through all that is left while there is time for it.

    Later pytest does it once more, and a worker of pytest-xdist that takes five seconds to end is
    sent a Ctrl-C by execnet: it comes out of whatever is being destroyed just then.
    """
    gc.collect()
    gc.freeze()
