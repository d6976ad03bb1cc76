"""File names and texts as they may appear in any output: relative, printable, valid."""

from __future__ import annotations

import os
import re
from pathlib import PurePath
from urllib.parse import quote

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
