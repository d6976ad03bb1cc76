"""A column of a CSV file with a header: how many rows have each of its values."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

from ...dsl.errors import BadInput, Location, did_you_mean
from ..files import read_whole
from .baskets import ItemCounts


def read_column_counts(path: Path, column: str) -> ItemCounts:
    """Count the values of a column, as texts; numbers are in their order, other texts in theirs.

    Raises:
        BadInput: the file cannot be read or is no UTF-8, has no row or no such column, or a row
            has more or fewer cells than the header; says where.
    """
    name = str(path)
    text = _decoded(read_whole(path, bytes), name)
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    counts: Counter[str] = Counter()
    try:
        header = next(rows, [])
        if column not in header:
            wanted = did_you_mean(column, header, f"want one of {', '.join(header) or 'none'}")
            raise BadInput(f"no column {column!r}; {wanted}", Location(name, 1, 1))
        for row in rows:
            if len(row) != len(header):
                message = f"{len(row)} cells in a row; want {len(header)}, as in the header"
                raise BadInput(message, Location(name, rows.line_num, 1))
            counts[row[header.index(column)]] += 1
    except csv.Error as error:
        raise BadInput(f"no CSV: {error}", Location(name, rows.line_num, 1)) from None
    if not counts:
        raise BadInput("no row below the header", Location(name, 1, 1))
    values = tuple(sorted(counts, key=_order))
    size = sum(counts.values())
    return ItemCounts(values, tuple(counts[v] for v in values), size, {1: size})


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        message = f"not a text file in UTF-8: byte 0x{content[error.start]:02x}"
        raise BadInput(message, Location(name, line, 1)) from None


def _order(value: str) -> tuple[bool, float, str]:
    try:
        return False, float(value), value
    except ValueError:
        return True, 0.0, value
