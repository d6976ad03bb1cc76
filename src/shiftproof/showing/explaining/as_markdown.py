"""Markdown with formulas between dollars, as notebooks and code hosts show it."""

from __future__ import annotations

import re

from .explanation import Account, Block, Code, Display, Items, Listing, Maths, Paragraph, Words

#: What would be read as Markdown or HTML in running text.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#$&])")


def as_markdown(explanation: Account) -> str:
    """The whole account, which ends with a line end."""
    e = explanation
    lines = [f"# {_plain(e.mechanism)}: {e.verdict}", "", _words(e.summary)]
    for section in e.sections:
        lines += ["", f"## {_plain(section.title)}"]
        for block in section.blocks:
            lines += ["", *_block(block)]
    return "\n".join(lines) + "\n"


def _block(block: Block) -> list[str]:
    match block:
        case Paragraph(words=words):
            return [_words(words)]
        case Display(formula=formula):
            return ["$$", _formula(formula), "$$"]
        case Items(entries=entries):
            return [
                f"- {f'**{_plain(e.term)}** ' if e.term else ''}{_words(e.words)}" for e in entries
            ]
        case Listing(lines=lines) as listing:
            numbered = zip(listing.numbers, lines, strict=True)
            fence = "```"
            while any(fence in line for line in lines):
                fence += "`"
            return [
                f"{fence}text",
                *(f"{number}  {line}".rstrip() if number else line for number, line in numbered),
                fence,
            ]
    raise AssertionError(block)


def _words(words: Words) -> str:
    return "".join(map(_piece, words)).rstrip()


def _piece(piece: str | Maths | Code) -> str:
    if isinstance(piece, Maths):
        return f"${_formula(piece)}$"
    if isinstance(piece, Code):
        return _code(piece.text)
    return _plain(piece)


def _formula(formula: Maths) -> str:
    """A formula in which nothing looks like a tag of HTML."""
    return re.sub("> ?", r"\\gt ", re.sub("< ?", r"\\lt ", formula.latex))


def _code(text: str) -> str:
    """A word of the program between enough backticks."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * (longest + 1)
    space = " " if longest else ""
    one_line = " ".join(text.split())
    return f"{ticks}{space}{one_line}{space}{ticks}"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
