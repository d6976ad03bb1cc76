"""What every format renders: an answer for each mechanism."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

#: A reason begins with its place if it has one.
_PLACE = re.compile(r"(?P<file>[^\n]+?):(?P<line>[0-9]+):(?P<column>[0-9]+): (?P<text>[^\n]*)")


class Level(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file, relative to the current folder; a line or column of 0 is not known.

    ``text`` says what is there, where several places belong to one finding.
    """

    file: str
    line: int = 0
    column: int = 0
    text: str = ""

    def __str__(self) -> str:
        parts = [self.file, *(str(n) for n in (self.line, self.column) if n)]
        return ":".join(parts)


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding.

    Attributes:
        name: how programs know it; it never changes.
        level: how bad it is.
        title: what it is, in a few words.
        meaning: what it says, in one sentence.
        advice: what to do about it.
    """

    name: str
    level: Level
    title: str
    meaning: str
    advice: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about one mechanism that is to be looked at.

    Attributes:
        rule: what kind of thing it is.
        headline: what it is, in one line.
        lines: the witness or the reasons.
        place: where it is to be seen.
        related: further places, each with what is there.
        key: what tells it from other findings of its rule, wherever it moves in its file.
        expected: why it is no fault, if the author expects it.
    """

    rule: Rule
    headline: str
    lines: tuple[str, ...]
    place: Place
    related: tuple[Place, ...] = ()
    key: tuple[str, ...] = ()
    expected: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """The answer for one mechanism, or for one certificate of it.

    Attributes:
        name: the mechanism's name.
        place: where it is.
        answer: the answer in one word.
        status: the exit status that it asks for; 0 if all is as it should be.
        columns: the short facts, by the names of the columns, the answer among them.
        details: the long facts, by their labels.
        explanation: the witness or the reasons, line by line.
        findings: what is to be looked at; those that are expected come with a status of 0.
        seconds: how long it took.
        plain: everything as JSON values.
    """

    name: str
    place: Place
    answer: str
    status: int
    columns: Mapping[str, str]
    details: Mapping[str, str]
    explanation: tuple[str, ...]
    findings: tuple[Finding, ...]
    seconds: float
    plain: Mapping[str, Any] = field(repr=False)

    @property
    def unexpected(self) -> tuple[Finding, ...]:
        """The findings that somebody has to do something about."""
        return tuple(finding for finding in self.findings if not finding.expected)


@dataclass(frozen=True, slots=True)
class Answers:
    """What one command answers.

    Attributes:
        command: its name.
        records: the answers, in their order.
        status: the exit status.
        columns: the columns of a table after the name, with their widths.
        meanings: what each answer that can be means, in the order in which they are counted.
        closing: what holds for all answers; may be empty.
        good: what is said if there is nothing to look at.
        bad: what is said of the number of those that there are.
        subject: what an answer is about.
    """

    command: str
    records: tuple[Record, ...]
    status: int
    columns: Mapping[str, int]
    meanings: Mapping[str, str]
    closing: str
    good: str
    bad: str
    subject: str = "mechanism"

    @property
    def seen(self) -> tuple[str, ...]:
        """The answers that were given, each once, in the order in which they are counted."""
        given = {record.answer for record in self.records}
        return tuple(answer for answer in self.meanings if answer in given)

    @property
    def summary(self) -> str:
        """How many there are of each answer, and how many are to be looked at."""
        counts = Counter(record.answer for record in self.records)
        found = ", ".join(f"{counts[answer]} {answer}" for answer in self.seen)
        wrong = sum(record.status > 0 for record in self.records)
        return f"{found or 'nothing found'}; {f'{wrong} {self.bad}' if wrong else self.good}"


def presentable(record: Record) -> Record:
    """The record with texts that any output can hold, and without the current folder."""

    def whole(text: str) -> str:
        return cleaned(shortened(text))

    def place(it: Place) -> Place:
        return replace(it, text=whole(it.text))  # its file's name goes into URIs as it is

    def sound(it: Finding) -> Finding:
        here, others = place(it.place), dict.fromkeys(map(place, it.related))
        return replace(
            it,
            headline=whole(it.headline),
            lines=tuple(map(whole, it.lines)),
            place=here,
            related=tuple(other for other in others if other != here),
        )

    return replace(
        record,
        name=cleaned(record.name),
        place=place(record.place),
        columns={name: whole(text) for name, text in record.columns.items()},
        details={label: whole(text) for label, text in record.details.items()},
        explanation=tuple(map(whole, record.explanation)),
        findings=tuple(map(sound, record.findings)),
        plain=_relative_names(record.plain),
    )


def _relative_names(value: Any) -> Any:
    if isinstance(value, str):
        return shortened(value)
    if isinstance(value, Mapping):
        return {key: _relative_names(inner) for key, inner in value.items()}
    return [_relative_names(inner) for inner in value] if isinstance(value, list) else value


def places_of(reasons: Iterable[str]) -> tuple[Place, ...]:
    """The places that reasons begin with, each with the rest of the reason's first line."""
    found = (_PLACE.match(reason) for reason in reasons)
    return tuple(
        Place(relative(m["file"]), int(m["line"]), int(m["column"]), m["text"]) for m in found if m
    )


# File names and texts as they may appear in any output: relative, printable, valid.

#: What no format can hold as it is, or what shows something else than it says: control
#: characters, halves of surrogate pairs, line separators, marks that turn the direction of text.
_UNFIT = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd"
    "\U00010000-\U0010fffd]"
)


def cleaned(text: str) -> str:
    """The text with what is unfit for print written as Python would escape it."""
    return _UNFIT.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def shortened(text: str) -> str:
    """The text with file names below the current folder relative to it."""
    here = os.path.join(os.getcwd(), "")
    return re.sub(rf"(?<!\S){re.escape(here)}(?=\S)", "", text)


def relative(file: str) -> str:
    """A file below the current folder relative to it, with ``/``; any other as it is."""
    path = os.path.abspath(file) if file else ""
    here = os.path.join(os.getcwd(), "")
    return PurePath(path[len(here) :]).as_posix() if path.startswith(here) else path


def uri(file: str) -> str:
    """A file as a URI, relative if the file is below the current folder."""
    name = relative(file)
    if os.path.isabs(name):
        return PurePath(name).as_uri()
    try:
        raw = os.fsencode(name)
    except UnicodeEncodeError:  # no file is called so; it is named all the same
        raw = name.encode("utf-8", "backslashreplace")
    return quote(raw, safe="/")


# One answer in full as plain lines, where there is room for a single mechanism's.


def message(record: Record) -> str:
    """What is to be looked at, the claim, where it stands, and the witness or the reasons."""
    headlines = [finding.headline for finding in record.unexpected]
    first = headlines[0] if headlines else f"{record.name}: {record.answer}"
    lines = [first, *headlines[1:], f"  at: {cleaned(str(record.place))}"]
    for label in ("certificate", "claim", "if"):
        if label in record.details:
            lines.append(f"  {label}: {record.details[label]}")
    for text in record.explanation:
        lines += [f"  {line}" for line in text.splitlines()]
    return "\n".join(lines)
