"""``{gallery-table}``: every mechanism of the gallery in a row that a script can filter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from brackets import kept_brackets
from docutils import nodes
from gallery_pages import code, label, short_bracket
from interactive import SHOWN
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from shiftproof import one_mechanism
from shiftproof.workspace.gallery_index import Entry, gallery_index

SCRIPT = "gallery.js"
_MOVE = "▶ move it".replace(" ", "\N{NO-BREAK SPACE}")


class mechanism_row(nodes.row):
    """A row with ``facts``: what filters ask for, by the name of the filter."""


class GalleryTable(SphinxDirective):
    """Every mechanism with its claim, its verdict and its bracket; a table for each file."""

    def run(self) -> list[nodes.Node]:
        """The tables."""
        found: list[nodes.Node] = []
        for module, entries in groupby(gallery_index(), key=lambda entry: entry.module):
            group = nodes.container("", classes=["gallery-file"])
            group += self._file(module, list(entries))
            found.append(group)
        return found

    def _file(self, module: str, entries: Sequence[Entry]) -> list[nodes.Node]:
        lines = [f"**{module}.py**", "", "| mechanism | claim | verdict | true ε |"]
        lines += ["|---|---|---|---|", *map(_line, entries)]
        parsed = self.parse_text_to_nodes("\n".join(lines))
        (table,) = (node for node in parsed if isinstance(node, nodes.table))
        (body,) = table.findall(nodes.tbody)
        for entry, row in zip(entries, list(body.children), strict=True):
            body.replace(row, mechanism_row("", *row.children, facts=facts_of(entry)))
        return parsed


def _line(entry: Entry) -> str:
    moved = f" {{interactive}}`{_MOVE} <{entry.name}>`" if entry.name in SHOWN else ""
    return (
        f"| [{entry.name}](#{label(entry.name)}){moved} | {code(entry.claim)} "
        f"| {entry.expected} | {short_bracket(kept_brackets().get(entry.name))} |"
    )


def facts_of(entry: Entry) -> dict[str, str]:
    """What filters ask for: the notion of privacy, all laws that are drawn from, the verdict."""
    sites = one_mechanism(entry.target).program.inlined.flow.sites
    return {
        "notion": entry.claim.partition("(")[0],
        "noise": " ".join(sorted({node.step.distribution.__name__ for node in sites})),
        "verdict": entry.expected,
    }


def open_row(self: HTML5Translator, node: mechanism_row) -> None:
    """The beginning of a row."""
    data = {f"data-{name}": value for name, value in node["facts"].items()}
    self.body.append(self.starttag(node, "tr", "", **data))
    node.column = 0


def close_row(self: HTML5Translator, node: mechanism_row) -> None:
    """Its end."""
    del node
    self.body.append("</tr>\n")


def with_script(
    app: Sphinx, page: str, template: str, context: object, doctree: nodes.document | None
) -> None:
    """Give the script to the page that has the table, and to no other."""
    del page, template, context
    if doctree is not None and next(doctree.findall(mechanism_row), None) is not None:
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the directive known."""
    app.add_node(mechanism_row, html=(open_row, close_row))
    app.add_directive("gallery-table", GalleryTable)
    app.connect("html-page-context", with_script)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
