"""Pages in a real browser.

Playwright drives Debian's Chromium: it hears the console and every request, sets colours, sizes
and JavaScript for each page, and needs no driver that fits the browser's version.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


class Opened:
    """A page, and whatever it said or asked for."""

    def __init__(self, browser: Any, folder: Path, text: str, **options: Any) -> None:
        file = folder / "page.html"
        file.write_text(text, "utf-8")
        self.page = browser.new_context(**options).new_page()
        self.heard: list[str] = []
        self.page.on("console", lambda message: self.heard.append(message.text))
        self.page.on("pageerror", lambda error: self.heard.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.goto(file.as_uri())

    def _asked(self, url: str) -> None:
        if not url.startswith(("file:", "data:,")):
            self.heard.append(url)

    def close(self) -> None:
        self.page.context.close()
        assert not self.heard
