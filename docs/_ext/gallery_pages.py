"""The gallery as pages: each mechanism with its code, its verdict and its proof.

Everything is read from the mechanisms and from their certificates when the site is built.
"""

from __future__ import annotations

import ast
from functools import cache
from math import floor

from accounts import account_nodes
from brackets import Kept, kept_brackets
from certified import report_of
from docutils import nodes
from interactive import SHOWN
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

from shiftproof import Report, explain
from shiftproof.checkers.refuting.likelihood import against
from shiftproof.workspace.gallery_index import Entry, gallery_index


class folded(nodes.General, nodes.Element):
    """What is shown when its ``summary`` is clicked."""


class Mechanisms(SphinxDirective):
    """``{mechanisms} module``: every mechanism of a file of the gallery, one section each."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The sections."""
        entries = [e for e in _gallery() if e.module == self.arguments[0]]
        if not entries:
            raise self.error(f"no file of the gallery is called {self.arguments[0]!r}")
        self.env.note_dependency(str(entries[0].file))
        lines: list[str] = []
        for entry in entries:
            lines += [f"({label(entry.name)})=", f"## {entry.name}", ""]
            lines += ["```{mechanism} " + entry.name, "```", ""]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


class Mechanism(SphinxDirective):
    """``{mechanism} name``: what there is to say of one, without a heading."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """A table of facts, the code, and the account of its verdict."""
        (entry,) = (e for e in _gallery() if e.name == self.arguments[0])
        bracket = _brackets().get(entry.name)
        report = report_of(entry, bracket)
        text = [*_head(entry, report, bracket), "", "```python", source(entry), "```"]
        account = folded("", *account_nodes(explain(report)), summary=_invitation(report))
        return [*self.parse_text_to_nodes("\n".join(text)), account]


@cache
def _gallery() -> list[Entry]:
    return gallery_index()


@cache
def _brackets() -> dict[str, Kept]:
    return kept_brackets()


def label(name: str) -> str:
    """Where a mechanism of the gallery stands in the site."""
    return f"mechanism-{name.replace('_', '-')}"


def source(entry: Entry) -> str:
    """The text of a mechanism, from its decorator to its last line."""
    text = entry.file.read_text(encoding="utf-8")
    functions = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    (end,) = (node.end_lineno for node in functions if node.name == entry.name)
    return "\n".join(text.splitlines()[entry.line - 1 : end])


def _head(entry: Entry, report: Report, bracket: Kept | None) -> list[str]:
    facts = [
        ("verdict", _verdict(report)),
        ("claim", code(report.claim)),
        ("if", ", ".join(map(code, report.preconditions))),
        (f"true {report.letter}", _long(report, bracket)),
        (
            "again",
            code(f"shiftproof {'verify' if report.refutation is None else 'refute'} {entry.name}"),
        ),
    ]
    if entry.name in SHOWN:
        facts.append(("move it", f"{{interactive}}`two runs, on a page <{entry.name}>`"))
    rows = [f"| {name} | {said} |" for name, said in facts if said]
    return [_escaped(entry.summary), "", "| | |", "|---|---|", *rows]


def _verdict(report: Report) -> str:
    broken = [claim for claim in report.one_sided if claim.outcome == "broken"]
    if broken:
        return f"privacy **{report.verdict}**, but a one-sided claim is **broken**"
    how = f", by {report.method}" if report.method else ""
    sizes = f", sizes {report.sizes}" if report.sizes not in ("", "all") else ""
    return f"**{report.verdict}**{how}{sizes}"


def _long(report: Report, bracket: Kept | None) -> str:
    found = report.refutation
    if found is not None and (bracket is None or bracket["upper"] is None):
        least = "infinite" if found.infinite else f"at least {found.log_ratio} nats"
        ratio = "" if found.infinite else f"; {code(str(against(found)))}"
        return f"{least}, where {found.budget} is claimed{ratio}"
    if bracket is None:
        return ""
    at = ", ".join(f"{name} = {value}" for name, value in bracket["at"].items())
    where = f" at {code(at)}" if at else ""
    most = f"at most {code(bracket['upper'])}, proved; " if bracket["upper"] else ""
    tight = "; no less would do there" if bracket["tight"] else ""
    share = f", {bracket['share']:.4g} of that" if bracket["upper"] and not tight else ""
    return f"{most}at least {bracket['lower']} nats{where}{share}{tight}"


def short_bracket(bracket: Kept | None) -> str:
    """The bracket for a cell of a table."""
    if bracket is None or bracket["upper"] is None:
        return "–"
    if bracket["tight"]:
        return f"{code(bracket['upper'])}, tight"
    percent = floor(1000 * bracket["share"]) / 10  # never more than was found
    return f"{code(bracket['upper'])}, ≥\N{NO-BREAK SPACE}{percent:g}\N{NO-BREAK SPACE}%"


def _invitation(report: Report) -> str:
    return "The counterexample, in full" if report.refutation is not None else "The proof, in full"


def code(text: str) -> str:
    """A text as code in a cell of a table."""
    return f"`{text}`".replace("|", "\\|")


def _escaped(text: str) -> str:
    return text.replace("*", "\\*").replace("<", "\\<").replace("|", "\\|")


def open_details(self: HTML5Translator, node: folded) -> None:
    """The beginning of what is folded."""
    self.body.append(f"<details><summary>{self.encode(node['summary'])}</summary>\n")


def close_details(self: HTML5Translator, node: folded) -> None:
    """Its end."""
    self.body.append("</details>\n")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the directives known."""
    app.add_node(folded, html=(open_details, close_details))
    app.add_directive("mechanisms", Mechanisms)
    app.add_directive("mechanism", Mechanism)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
