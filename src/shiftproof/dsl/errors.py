"""Errors that a user can act on: what was got, what was wanted, where, and what to do.

Every error of the toolkit is one of three kinds, so that the command line can
map them to an exit status without looking inside:

* :class:`BadInput` — a value, file or option is not what was asked for;
* :class:`Unsupported` — a mechanism leaves the language (``not yet`` or ``never``);
* :class:`LimitReached` — a named resource limit ended the work.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, NoReturn

Outlook = Literal["not yet", "never"]


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a source file: 1-based ``line`` and ``column``, and the line's text."""

    file: str
    line: int
    column: int
    text: str = ""
    width: int = 1

    def __str__(self) -> str:
        return f"{cell_of(self.file) or self.file}:{self.line}:{self.column}"

    def excerpt(self) -> str:
        """The source line with a caret under the place, or nothing if the text is unknown."""
        if not self.text:
            return ""
        bare = self.text.expandtabs(4)
        pad = len(self.text[: self.column - 1].expandtabs(4))
        width = max(1, min(self.width, len(bare) - pad))
        return f"    {bare}\n    {' ' * pad}{'^' * width}"


class ShiftproofError(Exception):
    """Base of every error that the toolkit raises on purpose; it travels between processes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, dict(self.__dict__))


def _again(kind: type[ShiftproofError], args: tuple[Any, ...], state: dict[str, Any]) -> Any:
    """An error as it was: what made it is not what it was made from."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class BadInput(ShiftproofError, ValueError):
    """A value, file or option is not what was asked for."""

    def __init__(self, message: str, location: Location | None = None) -> None:
        self.message = message
        self.location = location
        super().__init__(_rendered(message, location))


class Unsupported(ShiftproofError):
    """A mechanism uses something outside the language.

    ``outlook`` says whether it may come (``not yet``) or cannot be given a sound
    meaning (``never``); ``advice`` says what to write instead.
    """

    def __init__(
        self, message: str, location: Location | None, advice: str, outlook: Outlook = "not yet"
    ) -> None:
        self.message = message
        self.location = location
        self.advice = advice
        self.outlook: Outlook = outlook
        super().__init__(_rendered(f"unsupported ({outlook}): {message}", location, advice))


class LimitReached(ShiftproofError):
    """A named limit (paths, solver resources) ended the work before an answer."""

    def __init__(self, limit: str, message: str) -> None:
        self.limit = limit
        super().__init__(f"{limit}: {message}")


def _rendered(message: str, location: Location | None, advice: str = "") -> str:
    lines = [f"{location}: {message}" if location else message]
    if location and location.excerpt():
        lines.append(location.excerpt())
    if advice:
        lines.append(f"    instead: {advice}")
    return "\n".join(lines)


# Answers that are neither true nor false, so that nobody takes a bad one for a good one.


class NoTruth:
    """Something that is asked by name whether it is good: as a condition it is an error.

    An object is true in Python unless it says otherwise, so ``assert verify(m)`` would pass
    whatever came out.
    """

    __slots__ = ()

    #: What to ask for instead, for the message.
    instead: ClassVar[str] = ""

    def __bool__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} is neither true nor false; {self.instead}")


# What is said of an exception that should not be: where it comes from, and what to report.

#: How every such message begins.
FAULT = "a fault of shiftproof itself"
#: How much of an exception's own message is repeated.
_LONGEST = 200


def fault_text(error: Exception) -> str:
    """An unexpected exception as one reason: its type, its message, and its place in shiftproof.

    It is a verdict on nothing but shiftproof: whoever catches one may go on with what is left.
    """
    said = " ".join(str(error).split())
    said = f"{said[:_LONGEST]}…" if len(said) > _LONGEST else said
    kind = type(error).__name__
    what = f"{kind}: {said}" if said else kind
    return f"{FAULT}: {what} ({_place(error)}); please report it with the mechanism"


def _place(error: Exception) -> str:
    """The innermost place of ours on the way to the exception."""
    root = Path(__file__).parent.parent
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(root)]
    if not ours:
        return "place unknown"
    file = Path(ours[-1].filename).relative_to(root).as_posix()
    return f"{file}, line {ours[-1].lineno}, in {ours[-1].name}"


# Code that stands in a notebook: its file is IPython's own and tells a reader nothing.


def cell_of(file: str) -> str:
    """The cell of a notebook that a file name of IPython's stands for; empty for other files.

    before:  /tmp/ipykernel_4711/2180839249.py
    after:   In[3]
    """
    ipython = sys.modules.get("IPython")  # never loaded for this
    shell = None if ipython is None else ipython.get_ipython()
    named = None if shell is None else shell.compile.format_code_name(file)
    return "" if named is None else str(named[1])


def no_such_file(path: Path) -> BadInput:
    """The error of a Python file that is not there, with the name of one beside it that is near."""
    if path.is_dir():
        return BadInput(f"{path}: is a folder")
    beside = (file.name for file in path.parent.glob("*.py"))
    near = did_you_mean(path.name, beside, "")
    return BadInput(f"{path}: no such file{near and f'; {near}'}")


def did_you_mean(name: str, known: Iterable[str], otherwise: str, most: int = 1) -> str:
    """A question about the known names that are nearest, or else something else to say.

    Args:
        name: what is unknown.
        known: the names that there are.
        otherwise: what is said if none is near.
        most: how many are asked about at most.
    """
    from difflib import get_close_matches

    near = get_close_matches(name, dict.fromkeys(known), n=most, cutoff=0.6 if most == 1 else 0.5)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else otherwise
