"""How the commands of experiments end: files are written, and the answer is printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import click

from .terminal import INTERRUPTED, print_answer


class Result(Protocol):
    """What was measured."""

    def as_csv(self) -> str:
        """A line for each row, below their names."""
        ...

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON values."""
        ...

    def as_text(self, unicode: bool = True) -> str:
        """Tables to read."""
        ...


def give_result(
    result: Result | None,
    interrupted: bool,
    as_json: bool,
    csv_file: Path | None,
    pictures: Sequence[Callable[[], None]],
) -> int:
    """Write the files and print the answer; what was interrupted is printed only.

    Args:
        result: what was measured; ``None`` if nothing was before the interruption.
        interrupted: whether Ctrl-C came before all was measured.
        as_json: whether to print JSON.
        csv_file: where the rows go; may be ``None``.
        pictures: what draws each picture into its file.

    Returns:
        The exit status.

    Raises:
        BadInput: a file cannot be written.
    """
    from .files import write_whole
    from .report import json_text, prints_unicode

    if result is None:
        click.echo("Interrupted before anything was measured.", err=True)
        return INTERRUPTED
    if not interrupted:
        if csv_file is not None:
            write_whole(csv_file, result.as_csv().encode())
        for draw in pictures:
            draw()
    print_answer(json_text(result.as_json()) if as_json else result.as_text(prints_unicode()))
    return INTERRUPTED if interrupted else 0
