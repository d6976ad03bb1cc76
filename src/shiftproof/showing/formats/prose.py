"""Running text with formulas as HTML, for pages and for cards."""

from __future__ import annotations

from html import escape

from ..printable import cleaned
from ..words import Block, Code, Display, Entry, Items, Maths, Paragraph, Words
from .mathml import display, inline


def text(some: str) -> str:
    """A text that means nothing but itself, with nothing in it that hides or turns it."""
    return escape(cleaned(some))


def words(some: Words) -> str:
    """A sentence, its formulas as MathML."""
    return "".join(map(_piece, some)).rstrip()


def block(some: Block) -> str:
    """A paragraph, a formula on a line of its own, or a list; empty for any other block."""
    match some:
        case Paragraph():
            return f"<p>{words(some.words)}</p>\n"
        case Display(formula=formula):
            return f'<div class="scroll">{display(formula)}</div>\n'
        case Items(entries=entries):
            return f"<ul>{''.join(map(_entry, entries))}</ul>\n"
    return ""


def _entry(entry: Entry) -> str:
    term = f"<b>{text(entry.term)}</b> " if entry.term else ""
    return f"<li>{term}{words(entry.words)}</li>"


def _piece(piece: str | Maths | Code) -> str:
    if isinstance(piece, Maths):
        return inline(piece)
    if isinstance(piece, Code):
        return f"<code>{text(piece.text)}</code>"
    return text(piece)
