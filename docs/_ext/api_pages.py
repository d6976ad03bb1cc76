"""``{api} shiftproof``: the documentation of the names that stand in the directive's text.

Whether a name is a function or a class is looked up.  A module, or an alias of a type, has no
docstring of its own: its line says what it is, after a colon.  ``{api-index}`` has every name of
the pages of a folder, and leads to it.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.inspect import stringify_signature
from sphinx.util.typing import ExtensionMetadata


class Api(SphinxDirective):
    """The names of a module that are listed, in their order, one a line."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Their documentation, by Sphinx's ``autodoc``."""
        module = importlib.import_module(self.arguments[0])
        lines = ["````{eval-rst}"]
        for line in self.content:
            name, _, said = line.partition(": ")
            lines += [*_entry(module, name, said), ""]
        return self.parse_text_to_nodes("\n".join([*lines, "````"]))


class ApiIndex(SphinxDirective):
    """Every name of the pages in the folder that is called as this page, with its first sentence.

    A name stands at the anchor that its documentation has on its own page, so that links to a
    name from when all were on one page still lead to it.
    """

    def run(self) -> list[nodes.Node]:
        """A list in the order of the alphabet."""
        folder = Path(self.env.doc2path(self.env.docname)).with_suffix("")
        for page in folder.glob("*.md"):
            self.env.note_dependency(str(page))
        found = sorted(names_on_pages(folder), key=lambda name: (name[1].lower(), name))
        lines = [f"- {{py:obj}}`{n} <{m}.{n}>`: {said or _told(m, n)}" for m, n, said in found]
        (listed,) = self.parse_text_to_nodes("\n".join(lines))
        listed["classes"].append("names")
        for item, (module, name, _) in zip(listed.children, found, strict=True):
            item["ids"].append(f"{module}.{name}")
        return [listed]


def names_on_pages(folder: Path) -> Iterator[tuple[str, str, str]]:
    """The module, the name, and what its line says of it, for each on the pages of a folder."""
    for page in sorted(folder.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for module, lines in re.findall(r"^```\{api\} (.*)\n((?:.*\n)*?)```$", text, re.MULTILINE):
            for line in lines.splitlines():
                name, _, said = line.partition(": ")
                yield module, name, said


def _told(module: str, name: str) -> str:
    """The first sentence of a docstring, in Markdown."""
    paragraph = (inspect.getdoc(getattr(importlib.import_module(module), name)) or "").split("\n\n")
    sentence = re.split(r"(?<=\.)\s", paragraph[0].replace("\n", " "))[0]
    return re.sub(r":\w+:`~?([^`]*)`", r"``\1``", sentence)


def _entry(module: ModuleType, name: str, said: str) -> list[str]:
    value, path = getattr(module, name), f"{module.__name__}.{name}"
    if said:
        return [f".. py:data:: {path}", "", f"   {said}"]
    if inspect.isclass(value):
        return [f".. autoclass:: {path}", "   :members:"]
    return [f".. autofunction:: {path}"]


def as_written(
    app: Sphinx, what: str, name: str, value: Any, options: object,
    signature: str | None, returned: str | None,
) -> tuple[str, str] | None:  # fmt: skip
    """A signature with its types as the source has them, not as they are worked out."""
    del app, what, name, options, returned
    if signature is None:
        return None
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    parameters = [p for name, p in found.parameters.items() if name != "self"]
    text = stringify_signature(found.replace(parameters=parameters))
    call, arrow, answer = text.partition(" -> ")
    return call, answer if arrow else ""


def no_types_before_colons(
    app: Sphinx, what: str, name: str, value: Any, options: object, lines: list[str]
) -> None:
    """Keep napoleon from taking ``Which values: on this lattice`` for a type and what it is.

    It looks at the first line only, which becomes an empty comment.
    """
    del app, name, value, options
    if what in ("attribute", "data", "property"):
        lines[:0] = ["..", ""]


def bars_as_they_are(
    app: Sphinx, what: str, name: str, value: Any, options: object, lines: list[str]
) -> None:
    """Keep ``|d|``, an absolute value, from being read as a substitution."""
    del app, what, name, value, options
    for k, line in enumerate(lines):
        parts = line.split("``")
        parts[::2] = [part.replace("|", "\\|") for part in parts[::2]]
        lines[k] = "``".join(parts)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the directives known, and set autodoc up for docstrings as they are here."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.napoleon")
    app.add_directive("api", Api)
    app.add_directive("api-index", ApiIndex)
    app.connect("autodoc-process-signature", as_written)
    before = 400  # napoleon comes at 500
    app.connect("autodoc-process-docstring", no_types_before_colons, priority=before)
    app.connect("autodoc-process-docstring", bars_as_they_are)
    app.config.autodoc_member_order = "bysource"
    app.config.autodoc_preserve_defaults = True
    app.config.napoleon_numpy_docstring = False
    app.config.napoleon_use_rtype = False
    app.config.napoleon_use_ivar = True
    app.config.napoleon_custom_sections = [("Source", "notes_style")]
    app.config.maximum_signature_line_length = 80
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
