"""Pages with runs to move: what ``shiftproof explain NAME --format html`` writes, as site pages.

They are made when the site is built.  The role ``{interactive}`` is a link to one of them, by the
name of its mechanism: ``{interactive}`Move a run <noisy_max>```.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import ReferenceRole
from sphinx.util.osutil import relative_uri
from sphinx.util.typing import ExtensionMetadata

from shiftproof import explain, one_mechanism

#: A proof that only ADP has, the best-known selection, and an attempt that fails as one moves it.
SHOWN = ("asymmetric_sparse_vector", "noisy_max", "sparse_vector_half_noise")
FOLDER = "interactive"


class Interactive(ReferenceRole):
    """A link to the page of a mechanism."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The link, or an error where there is no such page."""
        if self.target not in SHOWN:
            told = f"no interactive page of {self.target!r}; those are in docs/_ext/interactive.py"
            error = self.inliner.reporter.error(told, line=self.lineno)
            return [], [error]
        here = f"{self.env.docname}.html"
        address = relative_uri(here, f"{FOLDER}/{self.target}.html")
        link = nodes.reference("", self.title, refuri=address, internal=True)
        return [link], []


def write_pages(app: Sphinx, error: Exception | None) -> None:
    """Write every page beside those that Sphinx wrote."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / FOLDER
    folder.mkdir(exist_ok=True)
    for name in SHOWN:
        page = with_way_back(explain(one_mechanism(name)).as_html(), name)
        (folder / f"{name}.html").write_text(page, encoding="utf-8")


def with_way_back(page: str, name: str) -> str:
    """A page that knows the site it stands in."""
    before, main, after = page.partition("<main>\n")
    if not main:
        raise ValueError(f"the page of {name} has no <main>")
    links = '<a href="../index.html">shiftproof</a> · <a href="../gallery.html">gallery</a>'
    return f'{before}{main}<nav aria-label="Site">{links}</nav>\n{after}'


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the role known, and write the pages at the end."""
    app.add_role("interactive", Interactive())
    app.connect("build-finished", write_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
