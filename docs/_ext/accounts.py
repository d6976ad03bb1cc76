"""The account that ``shiftproof explain`` gives, as nodes of a page."""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes

from shiftproof import Explanation
from shiftproof.showing.words import (
    Block,
    Code,
    Display,
    Items,
    Listing,
    Maths,
    Paragraph,
    Piece,
    Words,
)


def account_nodes(explanation: Explanation) -> list[nodes.Node]:
    """The account without its heading and its program, section by section."""
    found: list[nodes.Node] = [nodes.paragraph("", "", *_words(explanation.summary))]
    for section in explanation.sections:
        found.append(nodes.rubric("", section.title))
        found += map(_block, section.blocks)
    return found


def _block(block: Block) -> nodes.Node:
    match block:
        case Paragraph(words=words):
            return nodes.paragraph("", "", *_words(words))
        case Display(formula=formula):
            return nodes.math_block(formula.latex, formula.latex)
        case Items(entries=entries):
            items = []
            for entry in entries:
                term = [nodes.strong("", entry.term), nodes.Text(" ")] if entry.term else []
                words = nodes.paragraph("", "", *term, *_words(entry.words))
                items.append(nodes.list_item("", words))
            return nodes.bullet_list("", *items)
        case Listing(lines=lines, first=None):
            text = "\n".join(lines)
            return nodes.literal_block(text, text, language="text")
        case Listing(lines=lines, first=int(first)):
            text = "\n".join(lines)
            begins = {"linenostart": first}
            return nodes.literal_block(
                text, text, language="python", linenos=True, highlight_args=begins
            )
    raise AssertionError(block)


def _words(words: Words) -> Iterable[nodes.Node]:
    return map(_piece, words)


def _piece(piece: Piece) -> nodes.Node:
    match piece:
        case Maths(latex=latex):
            return nodes.math(latex, latex)
        case Code(text=text):
            return nodes.literal(text, text)
    return nodes.Text(piece)
