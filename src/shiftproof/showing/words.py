"""What answers are written with: words, formulas, lists, tables and listings, below headings.

Nothing here is of a format; each format prints it in its own way.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Maths:
    """A formula: ``latex`` without dollars, ``plain`` as the program writes it."""

    latex: str
    plain: str


#: The two inputs that a claim compares.
D, E = Maths("D", "D"), Maths("D'", "D′")


@dataclass(frozen=True, slots=True)
class Code:
    """A word of the program, verbatim."""

    text: str


Piece: TypeAlias = str | Maths | Code
#: A sentence or several: plain words, formulas and words of the program in turn.
Words: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    words: Words


@dataclass(frozen=True, slots=True)
class Display:
    """A formula on a line of its own."""

    formula: Maths


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list; ``term`` is what it is about, if it has a heading."""

    words: Words
    term: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines as they are; those of a program have the numbers that they have in their file.

    Attributes:
        lines: the lines.
        first: the number of the first one; ``None`` if they have none.
        file: where the lines of a program stand.
        folded: under which title they are folded away, where a format can do that.
    """

    lines: tuple[str, ...]
    first: int | None = None
    file: str = ""
    folded: str = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """The number of each line, all of one width; empty texts if they have none."""
        if self.first is None:
            return ("",) * len(self.lines)
        last = self.first + len(self.lines) - 1
        return tuple(f"{k:>{len(str(last))}}" for k in range(self.first, last + 1))


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts below a heading."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block: TypeAlias = Paragraph | Display | Items | Listing | Table


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it."""

    title: str
    blocks: tuple[Block, ...]


def say(template: str, /, **pieces: Piece | Words) -> Words:
    """A sentence with formulas in it: ``say("the shift {s} costs {c}", s=…, c=…)``.

    ``{d}`` and ``{e}`` are the two inputs, unless they are given as something else.
    """
    found: list[Piece] = []
    for words, name, _, _ in string.Formatter().parse(template):
        if words:
            found.append(words)
        if name is not None:
            piece = {"d": D, "e": E, **pieces}[name]
            found += piece if isinstance(piece, tuple) else (piece,)
    return tuple(found)


def paragraph(template: str, /, **pieces: Piece | Words) -> Paragraph:
    """A paragraph, written as for :func:`say`."""
    return Paragraph(say(template, **pieces))


def listed(members: Iterable[Piece | Words], last: str = "and") -> Words:
    """Several things as a person lists them: ``a, b and c``."""
    parts = [m if isinstance(m, tuple) else (m,) for m in members]
    found: list[Piece] = []
    for k, part in enumerate(parts):
        if k:
            found.append(f" {last} " if k == len(parts) - 1 else ", ")
        found += part
    return tuple(found)


def plural(count: int, noun: str, many: str = "") -> str:
    """``1 place`` or ``3 places``."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
