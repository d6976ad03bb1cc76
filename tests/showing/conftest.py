"""The browser in which pages are opened, for the tests that want one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.showing.browsing import CHROMIUM, FLAGS


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium to show pages in")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()
