"""Links that leave ``docs``: right in the repository, and nowhere in a site.

The README is a page of the site; of any other file only the words of the link stay.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata


def without_links_outside(app: Sphinx, page: str, source: list[str]) -> None:
    """Rewrite the text of a page before it is read."""
    del app, page
    text = source[0].replace("](../README.md", "](overview.md")
    source[0] = re.sub(r"\[([^\]\n]*)\]\(\.\./[^)\n]*\)", r"\1", text)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Do so for every page."""
    app.connect("source-read", without_links_outside)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
