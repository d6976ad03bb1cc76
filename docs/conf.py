"""How the pages become a site: ``sphinx-build -W -b html docs build/html``.

Nothing is fetched, neither here nor by whoever reads the site.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from shiftproof import __version__

project = "shiftproof"
author = "the shiftproof authors"
copyright = author
release = version = __version__
language = "en_GB"
smartquotes = False  # quotes stay as they are written, in programs and in prose

extensions = [
    "myst_parser",
    "formulas",
    "interactive",
    "gallery_pages",
    "gallery_table",
    "api_pages",
    "outside",
]
exclude_patterns = ["_ext", "_static"]

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = f"shiftproof {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("copy.js", {"defer": "defer"})]
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "monokai"
