"""Trajectories as steps from place to place, and as CSV files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, TextIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..dsl.errors import BadInput, Location
from ..workspace.files import write_whole

# Where people were and when: trajectories as steps from place to place.

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

#: Stands for being at no place.
NOWHERE = -1

#: Times and coordinates are at most so large: then their sums and differences still mean something.
LARGEST = 1e15


@dataclass(frozen=True, eq=False, slots=True)
class Trajectories:
    """The trajectories of n people among m places.

    A row says where a person is from its time on, up to the person's next row.  So at any time
    each person is at one place at most.

    Attributes:
        people: their names, n of them.
        places: their names, m of them.
        place_x: shape (m,); where the places are, for maps.
        place_y: shape (m,).
        listed: whether the list of places was given; else it is that of the places where
            somebody was.
        person: one entry a row, as those below: whose row it is, from 0 to n - 1; ascending.
        time: in minutes, up to :data:`LARGEST`; ascending for each person, no two equal.
        x: where the person is.
        y: where the person is.
        place: at which place, from 0 to m - 1, or :data:`NOWHERE`.
    """

    people: tuple[str, ...]
    places: tuple[str, ...]
    place_x: Floats
    place_y: Floats
    listed: bool
    person: Ints
    time: Floats
    x: Floats
    y: Floats
    place: Ints

    def at(self, time: float) -> Ints:
        """At which place each person is at a time; shape (n,).

        It is the place of the person's last row up to then; :data:`NOWHERE` if there is none.
        So the records of people are one-hot, as Theorem 15 asks for.

        Args:
            time: in minutes.

        Source: Asymmetric Differential Privacy, section 5.3.2.
        """
        rows = np.bincount(self.person, minlength=len(self.people))
        passed = np.bincount(self.person[self.time <= time], minlength=len(self.people))
        last = np.cumsum(rows) - rows + passed - 1
        return np.where(passed > 0, self.place[last], NOWHERE)

    def busiest(self) -> float:
        """The first time, in minutes, at which the most people are at some place; 0 if never."""
        there = (self.place != NOWHERE).astype(np.int64)
        same = self.person[1:] == self.person[:-1]
        before = np.concatenate([[0], np.where(same, there[:-1], 0)])
        times, which = np.unique(self.time, return_inverse=True)
        change = np.bincount(which, weights=there - before)
        return float(times[np.argmax(np.cumsum(change))]) if there.any() else 0.0


def clock(time: float) -> str:
    """A time for people: ``18:05``, and from the second day on ``1 d 18:05``."""
    days, minutes = divmod(int(time), 24 * 60)
    return f"{f'{days} d ' if days else ''}{minutes // 60:02}:{minutes % 60:02}"


# Trajectories as CSV files.
#
# The header names the columns ``person``, ``time``, ``x``, ``y`` and ``place``, in any order; other
# columns are passed over.  A row says where a person is from this time on, up to the person's next
# row; rows may come in any order.
#
# * ``person``: a name.  Rows without one tell of a place that it exists and where it is, whether or
#   not anybody is there; they have no time.  If there are such rows, they are the list of places,
#   and no other may occur.
# * ``time``: minutes since some midnight, a number from 0 on.
# * ``x``, ``y``: numbers; any unit will do, for they are only drawn.  No number is beyond 1e15.
# * ``place``: a name, or empty at no place (at home, or on the way).
#
# Two rows of one person at one time are an error, so each person is at one place at most.

COLUMNS = ("person", "time", "x", "y", "place")

#: The longest line that is read, in characters; it bounds the memory that a wrong file can take.
LONGEST_LINE = 2**16

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_FIELD = re.compile(r'(?:"(?:[^"]|"")*"|[^,])*')
_EXCERPT = 120  # characters of a line that an error shows


def read_trajectories(path: Path | str) -> Trajectories:
    """Read trajectories from a CSV file; the columns are those of this module.

    Raises:
        BadInput: the file is missing, unreadable, no such CSV, or without a person or a place; or
            a row is wrong.  It says where: file, line, column.  A fault of the file as a whole is
            put at 1:1.
    """
    whole = Location(str(path), 1, 1)
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            return _read(file, str(path))
    except FileNotFoundError:
        raise BadInput("no such file", whole) from None
    except IsADirectoryError:
        raise BadInput("is a directory, not a CSV file", whole) from None
    except UnicodeDecodeError:
        raise BadInput("not a text file in UTF-8", whole) from None
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror or error}", whole) from None


def write_trajectories(found: Trajectories, path: Path | str) -> None:
    """Write trajectories as CSV, at once or not at all; read again they are the same.

    The list of places is written too.

    Raises:
        BadInput: the file cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for name, x, y in zip(found.places, found.place_x, found.place_y, strict=True):
        writer.writerow(("", "", _plain(x), _plain(y), name))
    rows = zip(found.person, found.time, found.x, found.y, found.place, strict=True)
    for person, time, x, y, place in rows:
        there = "" if place == NOWHERE else found.places[place]
        writer.writerow((found.people[person], _plain(time), _plain(x), _plain(y), there))
    write_whole(Path(path), text.getvalue().encode())


def _plain(number: float) -> str:
    """A number as short as it can be read again."""
    return repr(float(number)).removesuffix(".0")


@dataclass
class _Reader:
    """A file as it is read, and where its reading is."""

    lines: Iterator[str]
    name: str
    text: str = ""
    line: int = 0

    def rows(self) -> Iterator[list[str]]:
        """The fields of each line."""
        reader = csv.reader(self._counted(), strict=True)
        read = 0
        try:
            for fields in reader:
                if self.line != read + 1:
                    self.line = read + 1
                    self.text = ""
                    self.fail("a quote that is not closed in its line: close it")
                read = self.line
                yield fields
        except csv.Error as error:
            if "unexpected end" in str(error):
                self.fail("a quote that is not closed in its line: close it")
            self.fail(f"no CSV: {error}")

    def _counted(self) -> Iterator[str]:
        for text in self.lines:
            self.line, self.text = self.line + 1, text
            yield text

    def fail(self, message: str, column: int | None = None) -> NoReturn:
        """Raise the error at a field of the line that was read last, or at the line."""
        text = self.text.rstrip("\r\n")
        start, width = 0, 1
        if column is not None:
            for _ in range(column):
                field = _FIELD.match(text, start)
                start = min(field.end() + 1, len(text)) if field else start
            field = _FIELD.match(text, start)
            width = max(1, field.end() - start) if field else 1
        shown = "".join(c if c.isprintable() or c == "\t" else "?" for c in text[:_EXCERPT])
        shown = shown if start < _EXCERPT else ""
        raise BadInput(message, Location(self.name, self.line or 1, start + 1, shown, width))


@dataclass
class _Names:
    """Names, numbered as they come."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))


def _lines(file: TextIO) -> Iterator[str]:
    while line := file.readline(LONGEST_LINE + 1):
        yield line


def _read(file: TextIO, name: str) -> Trajectories:
    reader = _Reader(_lines(file), name)
    rows = reader.rows()
    header = [column.strip() for column in next(rows, [])]
    for column in COLUMNS:
        if header.count(column) != 1:
            wrong = "no column" if column not in header else "more than one column"
            reader.fail(f"{wrong} {column!r} in the header: want {','.join(COLUMNS)}")
    where = [header.index(column) for column in COLUMNS]
    people, places = _Names(), _Names()
    listed: dict[int, tuple[float, float]] = {}
    found: list[tuple[int, float, float, float, int, int]] = []
    first_visit: dict[int, tuple[int, str]] = {}
    for fields in rows:
        if len(reader.text) > LONGEST_LINE:
            reader.text = ""
            reader.fail(f"a line of more than {LONGEST_LINE} characters: no trajectories")
        if len(fields) != len(header):
            reader.fail(f"{len(fields)} fields: want {len(header)}, as in the header")
        person, time, x, y, place = (fields[k].strip() for k in where)
        position = _number(reader, x, where[2]), _number(reader, y, where[3])
        at = places.number(place) if place else NOWHERE
        if not person:
            if time:
                message = "a time but no person: want both (or none, to list a place)"
                reader.fail(message, where[1])
            if not place:
                reader.fail("neither person nor place: want one of them at least", where[4])
            if listed.setdefault(at, position) != position:
                message = f"place {place!r} is listed at another position before: want one"
                reader.fail(message, where[4])
            continue
        minutes = _number(reader, time, where[1])
        if minutes < 0:
            reader.fail(f"time {time!r} is negative: want minutes from 0 on", where[1])
        if place and at not in first_visit:
            first_visit[at] = reader.line, place
        found.append((people.number(person), minutes, *position, at, reader.line))
    if not found:
        raise BadInput("no person in the file: want a row or more", Location(name, 1, 1))
    if not places.numbers:
        raise BadInput("no place in the file: nobody is anywhere", Location(name, 1, 1))
    if listed:
        for at, (line, place) in first_visit.items():
            if at not in listed:
                message = f"place {place!r} is not among those that are listed: list it, too"
                raise BadInput(message, Location(name, line, 1))
    return _assembled(found, tuple(people.numbers), tuple(places.numbers), listed, name)


def _number(reader: _Reader, text: str, column: int) -> float:
    if not _NUMBER.fullmatch(text):
        reader.fail(f"{text[:40]!r} is no number: want one, as in 481 or 3.125", column)
    value = float(text)
    if abs(value) > LARGEST:
        reader.fail(f"{text[:40]!r} is too large: want at most {LARGEST:g}", column)
    return value


def _assembled(
    rows: Sequence[tuple[int, float, float, float, int, int]],
    people: tuple[str, ...],
    places: tuple[str, ...],
    listed: dict[int, tuple[float, float]],
    name: str,
) -> Trajectories:
    """The rows in order, if no person is twice at one time; places where they are on average."""
    table = np.array(rows)
    # Lines last: of two rows at one time, the later one is at fault.
    table = table[np.lexsort((table[:, 5], table[:, 1], table[:, 0]))]
    twice = np.flatnonzero((np.diff(table[:, :2], axis=0) == 0).all(axis=1))
    if len(twice):
        k = twice[np.argmin(table[twice + 1, 5])]
        message = (
            f"person {people[int(table[k, 0])]!r} has a row at time {_plain(table[k, 1])} already, "
            f"in line {int(table[k, 5])}: want one place at a time"
        )
        raise BadInput(message, Location(name, int(table[k + 1, 5]), 1))
    person, place = table[:, 0].astype(np.int64), table[:, 4].astype(np.int64)
    if listed:
        centres = np.array([listed[k] for k in range(len(places))])
    else:
        there = place != NOWHERE
        visits = np.bincount(place[there], minlength=len(places))
        sums = [np.bincount(place[there], table[there, k], len(places)) for k in (2, 3)]
        centres = np.stack(sums, axis=1) / visits[:, None]
    return Trajectories(
        people, places, centres[:, 0].copy(), centres[:, 1].copy(), bool(listed),
        person, table[:, 1].copy(), table[:, 2].copy(), table[:, 3].copy(), place,
    )  # fmt: skip
