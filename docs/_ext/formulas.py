"""Formulas as MathML, made when the site is built: readers need neither a network nor a script."""

from __future__ import annotations

import re
from html import escape

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator

_SETS = {"N": "ℕ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"}
_LOGGER = logging.getLogger(__name__)


def inline(self: HTML5Translator, node: nodes.math) -> None:
    """A formula in a line."""
    self.body.append(_mathml(node, "inline"))
    raise nodes.SkipNode


def display(self: HTML5Translator, node: nodes.math_block) -> None:
    """A formula of its own, which scrolls by itself where the screen is narrow."""
    self.body.append(f'<div class="formula" tabindex="0">{_mathml(node, "block")}</div>\n')
    raise nodes.SkipNode


def _mathml(node: nodes.Element, style: str) -> str:
    # Bars that open and close stand closer to what is between them than bars that only stand there.
    latex = re.sub(r"\\([lr])(vert|floor)\b", _sided, node.astext())
    # Browsers know no "double-struck"; the letters are there by themselves.
    latex = re.sub(r"\\mathbb *\{?([NQRZ])\}?", lambda m: _SETS[m[1]], latex)
    try:
        return convert(latex, display=style)
    except Exception as error:  # its own errors have no common class, and some are ValueErrors
        _LOGGER.warning("no MathML of %s: %r", latex, error, location=node)
        return escape(latex)


def _sided(bar: re.Match[str]) -> str:
    return rf"\{'left' if bar[1] == 'l' else 'right'}{bar[0]}"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Show formulas in this way."""
    app.add_html_math_renderer(
        "mathml", inline_renderers=(inline, None), block_renderers=(display, None)
    )
    app.config.html_math_renderer = "mathml"
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
