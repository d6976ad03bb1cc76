"""Errors that a user can act on: what was got, what was wanted, where, and what to do.

Every error of the toolkit is one of three kinds, so that the command line can
map them to an exit status without looking inside:

* :class:`BadInput` — a value, file or option is not what was asked for;
* :class:`Unsupported` — a mechanism leaves the language (``not yet`` or ``never``);
* :class:`LimitReached` — a named resource limit ended the work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .cells import cell_of

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
