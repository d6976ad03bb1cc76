"""Texts and names of files as any output can hold them: relative, printable, valid."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from ..dsl.errors import cell_of
from .account import Account, Fact, Finding, Place

#: A reason begins with its place if it has one.
_PLACE = re.compile(r"(?P<file>[^\n]+?):(?P<line>[0-9]+):(?P<column>[0-9]+): (?P<text>[^\n]*)")


def presentable(account: Account) -> Account:
    """The account with texts that any output can hold, and without the current folder."""

    def whole(value: Any) -> Any:
        match value:
            case str():
                return cleaned(shortened(value))
            case tuple():
                return tuple(map(whole, value))
            case Mapping():
                return {key: whole(inner) for key, inner in value.items()}
            case Fact(text=text) | Place(text=text):
                return replace(value, text=whole(text))  # a file's name goes into URIs as it is
            case Finding(headline=headline, lines=lines, place=place, related=related):
                here, others = whole(place), dict.fromkeys(map(whole, related))
                return replace(
                    value, headline=whole(headline), lines=whole(lines), place=here,
                    related=tuple(other for other in others if other != here),
                )  # fmt: skip
        raise AssertionError(value)

    parts = ("place", "columns", "facts", "evidence", "findings")
    changed = {part: whole(getattr(account, part)) for part in parts}
    plain = _relative_names(account.plain)
    return replace(account, title=cleaned(account.title), plain=plain, **changed)


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


def short_name(file: str) -> str:
    """A file by its name alone, or the cell of a notebook that it is."""
    return cell_of(file) or PurePath(file).name


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


def message(account: Account) -> str:
    """What is to be looked at, the claim, where it stands, and the witness or the reasons."""
    headlines = [finding.headline for finding in account.unexpected]
    first = headlines[0] if headlines else f"{account.title}: {account.verdict}"
    lines = [first, *headlines[1:], f"  at: {cleaned(str(account.place))}"]
    for label, text in account.details.items():
        if not account.columns or label in ("certificate", "claim", "if"):
            lines.append(f"  {label}: {text}")
    for text in account.evidence:
        lines += [f"  {line}" for line in text.splitlines()]
    return "\n".join(lines)
