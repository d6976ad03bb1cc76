"""Markdown: answers as a table with what is to be looked at below it, or an account at length."""

from __future__ import annotations

import re
from dataclasses import replace

from ..account import Account, Answers, Finding
from ..printable import cleaned
from ..words import (
    Block,
    Code,
    Display,
    Entry,
    Items,
    Listing,
    Maths,
    Paragraph,
    Section,
    Table,
    Words,
)

_SIGNS = {"error": "❌", "warning": "⚠️"}
#: What would be read as Markdown or HTML, or end a cell of a table.
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#|~!&@$])")


def render(answers: Answers, printed: bool = False) -> str:
    """The answers as a table, witnesses and reasons below it; or each answer in full."""
    if not answers.columns:
        return "\n".join(written(_in_full(account)) for account in answers.accounts).rstrip()
    columns = [name for name in answers.columns if name != "time"]  # it differs every time
    says = "claim" if answers.subject == "mechanism" else "states"
    head = [answers.subject, *columns, says]
    lines = [f"## shiftproof {answers.command}", "", _row(head), _row(["---"] * len(head))]
    for account in answers.accounts:
        cells = [_plain(account.columns[name]) for name in columns]
        cells[0] = f"{_sign(account)} {cells[0]}"
        lines.append(_row([_plain(account.title), *cells, _plain(account.details.get(says, "–"))]))
    for account in answers.accounts:
        for finding in account.findings:
            lines += ["", *_section(finding)]
    lines += ["", f"{_plain(answers.summary)}.", "", f"_{answers.closing}_"]
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _sign(account: Account) -> str:
    levels = [finding.rule.level for finding in account.unexpected]
    return _SIGNS[min(levels)] if levels else "✅"  # "error" comes before "warning"


def _section(finding: Finding) -> list[str]:
    expected = " (as expected)" if finding.expected else ""
    lines = [f"### {_plain(finding.headline)}{expected}", "", _code(str(finding.place))]
    text = "\n".join(finding.lines)
    if not text:
        return lines
    fence = "`" * max(3, 1 + _longest_run_of_ticks(text))
    return [*lines, "", f"{fence}text", *text.splitlines(), fence]


def _code(text: str) -> str:
    """A short text as code, whatever ticks it holds."""
    text = cleaned(text).replace("\n", " ")
    ticks = "`" * (1 + _longest_run_of_ticks(text))
    pad = " " if "`" in text else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _longest_run_of_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _plain(text: str) -> str:
    """A text on one line that means nothing but itself."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _in_full(account: Account) -> Account:
    """The account with all that it says as sections."""
    facts = Items(tuple(Entry((fact.text,), fact.label) for fact in account.facts))
    said: list[Block] = [facts] if account.facts else []
    said += [Listing(account.evidence)] if account.evidence else []
    note = (Section("", (Paragraph((account.note,)),)),) if account.note else ()
    return replace(account, sections=(Section("", tuple(said)), *account.sections, *note))


# An account at length, section by section.

#: What would be read as Markdown or HTML in running text.
_IN_PROSE = re.compile(r"([\\`*_\[\]<>|~#$&])")


def written(e: Account) -> str:
    """An account at length, with formulas between dollars, as notebooks and code hosts show it."""
    lines = [f"# {_prose(e.title)}: {e.verdict}", "", _words(e.summary)]
    for section in e.sections:
        lines += ["", f"## {_prose(section.title)}"] if section.title else []
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
                f"- {f'**{_prose(e.term)}** ' if e.term else ''}{_words(e.words)}" for e in entries
            ]
        case Listing(lines=lines) as listing:
            numbered = zip(listing.numbers, lines, strict=True)
            fence = "`" * max(3, 1 + _longest_run_of_ticks("\n".join(lines)))
            return [
                f"{fence}text",
                *(f"{number}  {line}".rstrip() if number else line for number, line in numbered),
                fence,
            ]
        case Table(head=head, rows=rows):
            return [_row(list(map(_plain, row))) for row in (head, ("---",) * len(head), *rows)]
    raise AssertionError(block)


def _words(words: Words) -> str:
    return "".join(map(_piece, words)).rstrip()


def _piece(piece: str | Maths | Code) -> str:
    if isinstance(piece, Maths):
        return f"${_formula(piece)}$"
    if isinstance(piece, Code):
        return _code(piece.text)
    return _prose(piece)


def _formula(formula: Maths) -> str:
    """A formula in which nothing looks like a tag of HTML."""
    return re.sub("> ?", r"\\gt ", re.sub("< ?", r"\\lt ", formula.latex))


def _prose(text: str) -> str:
    """Running text that means nothing but itself."""
    return _IN_PROSE.sub(r"\\\1", text)
