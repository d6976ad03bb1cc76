r"""An account as one formula: what MathJax and KaTeX show, and TeX sets in a PDF.

They agree on arrays of letters in ``\text``; what is special inside of it differs, so every
other character stands outside, as a symbol of its own.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from ..account import Account, Fact
from ..words import Block, Listing, Table

#: How many characters a line, and a cell of a table, may have: an array is not broken.
_WIDTH, _CELL = 78, 40
#: A run of these means the same in the text of TeX, MathJax and KaTeX.
_LETTERS = re.compile(r"[A-Za-z0-9 .,:;!?()\[\]/*+=@\"'\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f-]+")
#: Symbols of their own, in braces so that they take no more room than the blanks beside them.
_SYMBOLS = {
    "\\": r"\backslash", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\hat{\phantom{x}}", "~": r"\sim", "|": r"\vert", "<": "<",
    ">": ">", "−": "-", "ε": r"\varepsilon", "∈": r"\in", "·": r"\cdot", "…": r"\dots",
    "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "–": r"\text{--}", "λ": r"\lambda",
    "δ": r"\delta", "→": r"\to", "∞": r"\infty", "≈": r"\approx", "±": r"\pm", "×": r"\times",
    "‘": r"\text{'}", "’": r"\text{'}", "`": r"\text{'}", "“": r"\text{''}", "”": r"\text{''}",
}  # fmt: skip


def card(account: Account) -> str:
    """The account as an array between dollars; without code, and what is folded away."""
    badge = rf"\text{{: }}\textbf{{{_bare(account.verdict)}}}" if account.verdict else ""
    rows = [words(account.title) + badge, *(formula.latex for formula in account.claim)]
    rows += map(words, _wrapped("".join(map(str, account.summary))))
    if account.facts:
        rows.append(_array("ll", [row for fact in account.facts for row in _fact(fact)]))
    rows += [row for section in account.sections for b in section.blocks for row in _block(b)]
    said = (line for text in account.evidence for line in text.split("\n"))
    rows += [words(part) for line in said for part in _wrapped(line)]
    rows += map(words, _wrapped(account.note))
    return formula(rows)


def _block(block: Block) -> list[str]:
    match block:
        case Table():
            return [_table(block)]
        case Listing(lines=lines, first=None, folded=""):
            return [words(part) for line in lines for part in _wrapped(line)]
    return []


def formula(rows: Sequence[str], gap: str = "") -> str:
    """Formulas below each other; ``gap``: what is left free between them, as ``[2ex]``."""
    return rf"$\displaystyle {_array('l', rows, gap)}$"


def words(text: str) -> str:
    """A text inside a formula; of letters that fonts for formulas lack a ``?`` is left."""
    for relation, symbol in ((">=", "≥"), ("<=", "≤"), ("!=", "≠")):
        text = text.replace(relation, symbol)
    found, end = [], 0
    for run in _LETTERS.finditer(text):
        found += [*map(_symbol, text[end : run.start()]), rf"\text{{{run[0]}}}"]
        end = run.end()
    return "".join([*found, *map(_symbol, text[end:])])


def _symbol(character: str) -> str:
    if character == "′":
        return "'"  # a prime is set on what stands before it
    return f"{{{_SYMBOLS.get(character, '?')}}}"


def _bare(text: str) -> str:
    return "".join(_LETTERS.findall(text))


def _fact(fact: Fact) -> list[str]:
    lines = [part for line in fact.text.split("\n") for part in _wrapped(line)]
    return [f"{words(fact.label if k == 0 else '')} & {words(t)}" for k, t in enumerate(lines)]


def _table(table: Table) -> str:
    rows = [" & ".join(words(_cut(cell)) for cell in row) for row in (table.head, *table.rows)]
    return _array("l" * len(table.head), rows)


def _cut(text: str) -> str:
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"


def _array(columns: str, rows: Sequence[str], gap: str = "") -> str:
    return rf"\begin{{array}}{{{columns}}}" + rf" \\{gap} ".join(rows) + r"\end{array}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH)
