"""Answers for people: a table with reasons and a summary below it, or each answer in full."""

from __future__ import annotations

import io
import os
import re
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..account import Account, Answers
from ..printable import cleaned
from ..report import prints_unicode
from ..words import Block, Listing
from ..words import Table as Rows

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

#: The width when the output is no terminal and ``COLUMNS`` is not set.
PIPED = 100
#: Below this width lines run over the edge rather than fall into pieces.
NARROWEST = 60
#: An answer's colour by the exit status that it asks for.
COLOURS = {0: "green", 1: "red", 2: "yellow", 3: "red"}


def render(answers: Answers, printed: bool = False) -> str:
    """The answers, laid out for standard output or for a file."""
    if not answers.columns:
        text = "\n\n".join(map(_card, answers.accounts))
        return text if not printed or prints_unicode() else text.translate(_ASCII)
    from rich.rule import Rule

    written = io.StringIO()
    console = _console(written, printed)
    console.print(_row(answers, answers.subject, *answers.columns), Rule(style="none"))
    for account in answers.accounts:
        cells = (account.columns[name] for name in answers.columns)
        row = _row(answers, account.title, *cells, style=COLOURS[account.status])
        console.print(row, *([_details(account), ""] if account.details else []))
    below = [_explained(account, console.width) for account in answers.accounts if account.evidence]
    table = "\n".join(map(str.rstrip, written.getvalue().rstrip().splitlines()))
    return "\n".join([table, "", *below, *_closing(answers, console.width)])


def _console(written: io.StringIO, printed: bool) -> Console:
    """What lines are laid out by, for standard output or for a file; nothing is printed yet."""
    from rich.console import Console

    if not printed:
        return Console(file=written, width=PIPED, color_system=None)
    terminal = sys.stdout.isatty()
    piped = not terminal and "COLUMNS" not in os.environ
    console = Console(file=written, force_terminal=terminal, width=PIPED if piped else None)
    console.width = max(console.width, NARROWEST)
    return console


def _row(answers: Answers, *cells: str, style: str = "") -> Table:
    """One line of short cells; a long one goes on below, nothing is cut off."""
    from rich.table import Table
    from rich.text import Text

    row = Table.grid(padding=(0, 2), expand=True)
    row.add_column(ratio=1, overflow="fold")
    for name, width in answers.columns.items():
        row.add_column(width=width, overflow="fold", justify="right" if name == "time" else "left")
    first, answer, *others = cells
    row.add_row(Text(first), Text(answer, style=style), *map(Text, others))
    return row


def _details(account: Account) -> Table:
    """The long cells, each under the name with a label."""
    from rich.table import Table
    from rich.text import Text

    details = Table.grid(padding=(0, 2, 0, 0))
    details.add_column(width=max(len("  alignment"), *(len(f"  {x}") for x in account.details), 0))
    details.add_column(overflow="fold")
    for label, text in account.details.items():
        details.add_row(Text(f"  {label}", style="dim"), Text(text))
    return details


def _explained(account: Account, width: int) -> str:
    """The witness or the reasons, at a place if it is unexpected; excerpts stay as they are."""
    place = f"{cleaned(str(account.place))}: " if account.status and account.place.line else ""
    lines = [f"{place}{account.title}: {account.verdict}"]
    for reason in account.evidence:
        first, *excerpt = reason.splitlines() or [""]
        lines += [*_wrapped(first, width, "  "), *(f"  {line}" for line in excerpt)]
    return "\n".join(lines) + "\n"


def _closing(answers: Answers, width: int) -> list[str]:
    lines = [f"{answer}: {answers.meanings[answer]}" for answer in answers.seen]
    lines += [answers.closing, answers.summary]
    return [part for line in lines for part in _wrapped(line, width)]


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


# An answer in full: the verdict, the facts, and sections with their tables.

#: What stands for the signs of cards where the output holds only ASCII.
_ASCII = str.maketrans(
    {"ε": "eps", "≥": ">=", "≤": "<=", "≈": "~", "′": "'", "…": "...", "×": "x", "→": "->"}
    | dict(zip("▁▂▃▄▅▆▇█▏▎▍▌▋▊▉", [*"_.:-=+*#", "", "", "", *"####"], strict=True))
)
_NUMBER = re.compile(r"[-+]?[0-9][0-9,.]*(e[-+]?[0-9]+)?( %)?|-?inf|nan|[-?]")


def _card(account: Account) -> str:
    head = f"{account.title}: {account.verdict}" if account.verdict else account.title
    wide = max((len(fact.label) for fact in account.facts), default=0)
    lines = [head]
    for fact in account.facts:
        first, *others = fact.text.split("\n")
        lines.append(f"  {fact.label:{wide}}  {first}")
        lines += [f"  {'':{wide}}  {line}" for line in others]
    lines += [f"  {line}" for text in account.evidence for line in text.split("\n")]
    parts = [lines]
    for section in account.sections:
        title = [section.title] if section.title else []
        parts.append([*title, *(line for block in section.blocks for line in _block(block))])
    parts += [[account.note]] if account.note else []
    return "\n\n".join("\n".join(map(str.rstrip, part)) for part in parts)


def _block(block: Block) -> Sequence[str]:
    match block:
        case Listing(lines=lines):
            return lines
        case Rows(head=head, rows=rows):
            return _aligned(head, rows)
    raise AssertionError(block)  # cards have no running text


def _aligned(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Columns below their names, numbers to the right; the last one may be as long as it likes."""
    signs = []
    for column in list(zip(head, *rows, strict=True))[:-1]:
        side = ">" if all(map(_NUMBER.fullmatch, column[1:])) else "<"
        signs.append(f"{side}{max(map(len, column))}")
    return [
        "  ".join(f"{cell:{sign}}" for cell, sign in zip(row, [*signs, ""], strict=True))
        for row in (head, *rows)
    ]
