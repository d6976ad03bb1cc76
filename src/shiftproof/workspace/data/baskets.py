"""Market baskets in the FIMI format: one basket a line, item ids between blanks or tabs.

A basket is a set of items, so an id repeated in a line counts once; a leading zero does not
make another item.  Line ends may be LF or CRLF, and a byte order mark of UTF-8 may stand
before everything.  Nothing is guessed: whatever is not such a file is a :class:`BadInput`
that says where.
"""

from __future__ import annotations

import re
import reprlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from ...dsl.errors import BadInput, Location

#: The largest item id that is read.
LARGEST_ITEM = 2**63 - 1
#: The longest line that is read, in bytes; it bounds the memory that a wrong file can take.
LONGEST_LINE = 2**24
_LONGEST_EXCERPT = 120  # characters of a line that an error shows
_TOKEN = re.compile(rb"[^ \t]+")


@dataclass(frozen=True, slots=True)
class ItemCounts:
    """In how many baskets each item occurs.

    ``items`` are the distinct item ids, ascending; ``counts[i]`` is the number of
    baskets that hold ``items[i]`` (at least 1); ``baskets`` is the number of baskets, and
    ``sizes`` how many of them have so many items.  Of a column of a table, a row is a basket
    with one item: the text that it has there.
    """

    items: tuple[int, ...] | tuple[str, ...]
    counts: tuple[int, ...]
    baskets: int
    sizes: Mapping[int, int]


def read_item_counts(path: Path) -> ItemCounts:
    """Count the items of the basket file ``path``, reading it line by line.

    Blank lines may end the file; anywhere else they are an error.

    Raises:
        BadInput: the file is missing, a directory, unreadable or without a basket, or a
            line is blank, overlong, or holds something that is no item id (an integer
            from 0 to ``LARGEST_ITEM``).  A fault of the file as a whole is put at 1:1.
    """
    name = str(path)
    whole = Location(name, 1, 1)
    try:
        with path.open("rb") as file:
            return _count(file, name)
    except FileNotFoundError:
        raise BadInput("no such file", whole) from None
    except IsADirectoryError:
        raise BadInput("is a directory, not a basket file", whole) from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror or error}", whole) from error


def _count(file: BinaryIO, name: str) -> ItemCounts:
    counts: Counter[int] = Counter()
    sizes: Counter[int] = Counter()
    baskets = 0
    for number, line in enumerate(_lines(file, name), start=1):
        try:
            basket = _items(line)
        except ValueError:
            raise _bad_line(line, name, number) from None
        if not basket:
            continue
        if number != baskets + 1:
            message = "blank line among the baskets (the format has no empty basket): remove it"
            raise BadInput(message, Location(name, baskets + 1, 1))
        counts.update(basket)
        sizes[len(basket)] += 1
        baskets = number
    if not baskets:
        message = "no basket in the file: want one a line, as in '3 14 15'"
        raise BadInput(message, Location(name, 1, 1))
    items = tuple(sorted(counts))
    return ItemCounts(items, tuple(counts[item] for item in items), baskets, sizes)


def _lines(file: BinaryIO, name: str) -> Iterator[bytes]:
    """The lines of ``file`` without their ends."""
    for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), b""), start=1):
        if len(line) > LONGEST_LINE:
            message = f"line of more than {LONGEST_LINE} bytes: no basket file"
            raise BadInput(message, Location(name, number, 1))
        line = line.removeprefix(BOM_UTF8) if number == 1 else line
        yield line.removesuffix(b"\n").removesuffix(b"\r")


def _items(line: bytes) -> set[int]:
    """The item ids of ``line``; ValueError if it holds anything else."""
    if line.translate(None, b"0123456789 \t"):
        raise ValueError
    items = set(map(int, line.split()))
    if max(items, default=0) > LARGEST_ITEM:
        raise ValueError
    return items


def _spells_item(token: bytes) -> bool:
    try:
        return bool(_items(token))
    except ValueError:
        return False


def _bad_line(line: bytes, name: str, number: int) -> BadInput:
    """The error for the first token of ``line``, line ``number`` of ``name``, that is no item."""
    match = next(match for match in _TOKEN.finditer(line) if not _spells_item(match[0]))
    token, column = match[0], match.start() + 1  # only ASCII precedes: bytes are characters
    try:
        text = token.decode()
    except UnicodeDecodeError as error:
        message = f"not a text file: byte 0x{token[error.start]:02x}"
        return BadInput(message, Location(name, number, column))
    if "\0" in text:
        return BadInput("not a text file: byte 0x00", Location(name, number, column))
    if token.isdigit():
        message = f"item id {reprlib.repr(text)} is too large: want at most {LARGEST_ITEM}"
    else:
        message = f"{reprlib.repr(text)} is no item id: want an integer from 0 on"
    excerpt = _excerpt(line) if column <= _LONGEST_EXCERPT else ""
    return BadInput(message, Location(name, number, column, excerpt, len(text)))


def _excerpt(line: bytes) -> str:
    """The beginning of ``line``, safe to print: one character for each of its characters."""
    text = line[: 4 * _LONGEST_EXCERPT].decode(errors="replace")[:_LONGEST_EXCERPT]
    return "".join(char if char.isprintable() or char == "\t" else "?" for char in text)
