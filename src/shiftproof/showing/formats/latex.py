"""LaTeX: an article that stands alone, or a fragment for another document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..account import Account
from ..words import Block, Code, Display, Items, Listing, Maths, Paragraph, Section, Words

_PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb,amsthm}
\setlength{\emergencystretch}{3em}
\begin{document}
"""
#: The section that is the theorem of a proof; what comes after it is the proof.
_THEOREM = "Claim"
#: Other documents may have theorems of their own.
_NO_THEOREM_YET = r"\ifdefined\theorem\else\newtheorem{theorem}{Theorem}\fi"
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_\allowbreak{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "[": "{[}", "]": "{]}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}", "'": "'", "−": "$-$", "′": "$'$", "ε": r"$\varepsilon$",
    "∈": r"$\in$", "·": r"$\cdot$", "…": r"\dots{}", "≤": r"$\leq$", "≥": r"$\geq$",
    "‘": "`", "’": "'", "“": "``", "”": "''", "–": "--", "λ": r"$\lambda$", "→": r"$\to$",
    "∞": r"$\infty$", "≈": r"$\approx$", "±": r"$\pm$", "×": r"$\times$",
}  # fmt: skip


def written(accounts: Sequence[Account], *, fragment: bool = False) -> str:
    """One or several accounts; ``fragment``: without preamble, for another document."""
    body = "\n".join(_account(e) for e in accounts)
    return body if fragment else f"{_PREAMBLE}{body}\\end{{document}}\n"


def _account(e: Account) -> str:
    name, label = rf"\texttt{{{plain(e.title)}}}", re.sub(r"[\W_]+", "-", e.title, flags=re.ASCII)
    lines = [rf"\section{{{name}: {e.verdict}}}\label{{sec:{label}}}", "", _words(e.summary)]
    titles = [section.title for section in e.sections]
    theorem = (
        titles.index(_THEOREM) if e.verdict == "proved" and _THEOREM in titles else len(titles)
    )
    for section in e.sections[:theorem]:
        lines += ["", rf"\subsection*{{{plain(section.title)}}}", *_blocks(section)]
    for section in e.sections[theorem : theorem + 1]:
        begin = rf"\begin{{theorem}}[{name}]\label{{thm:{label}}}"
        lines += ["", _NO_THEOREM_YET, begin, *_blocks(section), r"\end{theorem}"]
    if theorem + 1 < len(titles):
        lines += ["", rf"\begin{{proof}}[Proof of Theorem~\ref{{thm:{label}}}]"]
        for section in e.sections[theorem + 1 :]:
            lines += ["", rf"\paragraph{{{plain(section.title)}.}}", *_blocks(section)]
        lines.append(r"\end{proof}")
    return "\n".join(lines) + "\n"


def _blocks(section: Section) -> list[str]:
    return [line for block in section.blocks for line in ("", *_block(block))]


def _block(block: Block) -> list[str]:
    match block:
        case Paragraph(words=words):
            return [_words(words)]
        case Display(formula=formula):
            return [r"\[", _formula(formula), r"\]"]
        case Items(entries=entries):
            shown = [rf"\item {_heading(entry.term)}{_words(entry.words)}" for entry in entries]
            return [r"\begin{itemize}", *shown, r"\end{itemize}"]
        case Listing() as listing:
            return [
                r"\begin{footnotesize}\begin{flushleft}\frenchspacing",
                *_listing(listing),
                r"\end{flushleft}\end{footnotesize}",
            ]
    raise AssertionError(block)


def _heading(term: str) -> str:
    return rf"\textbf{{{plain(term)}}} " if term else ""


def _listing(listing: Listing) -> list[str]:
    """Lines whose blanks at the beginning are kept; nothing of them is verbatim."""
    found = []
    for number, line in zip(listing.numbers, listing.lines, strict=True):
        indent = "~" * (len(line) - len(line.lstrip()))
        label = f"{number.replace(' ', '~')} " if number else ""
        text = plain(line.strip()).replace("  ", "~ ")
        found.append(rf"\texttt{{{label}{indent}{text}}}\\")
    return found


def _words(words: Words) -> str:
    return "".join(map(_piece, words)).rstrip()


def _piece(piece: str | Maths | Code) -> str:
    if isinstance(piece, Maths):
        return f"${_formula(piece)}$"
    if isinstance(piece, Code):
        return rf"\texttt{{{plain(' '.join(piece.text.split()))}}}"
    return plain(piece)


def _formula(formula: Maths) -> str:
    """Names in it may have letters that the fonts lack."""
    return "".join(c if c <= "\u017f" or c in "‘’" else "?" for c in formula.latex)


def plain(text: str) -> str:
    """Running text: what TeX reads is escaped; of letters that its fonts lack a ``?`` is left."""
    return "".join(_SPECIAL.get(c, c if " " <= c <= "\u017f" else "?") for c in text)
