"""How commands that answer mechanism by mechanism print their answers, and save them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .formats import FORMATS
from .terminal import print_answer

if TYPE_CHECKING:
    from .formats.record import Answers


def output_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options ``--format``, ``--json`` and ``--output``.

    The command gets ``form``, the name of a format, and ``output``, a file or None.
    """

    @click.option(
        "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
        help="What to print.",
    )  # fmt: skip
    @click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
    @click.option(
        "--output", type=click.Path(path_type=Path), metavar="FILE", callback=_checked,
        help="Write that to a file, and print the table.",
    )  # fmt: skip
    @functools.wraps(command)
    def with_form(*arguments: Any, form: str, as_json: bool, **others: Any) -> int:
        return command(*arguments, form="json" if as_json else form, **others)

    return with_form


def _checked(context: click.Context, option: click.Parameter, file: Path | None) -> Path | None:
    """A file that can be written once the answers are there."""
    from .files import writable

    if file is not None:
        writable(file)
    return file


def give(answers: Answers, form: str, output: Path | None) -> int:
    """Print the answers, or save them and print the table.

    Returns:
        The exit status that they amount to.

    Raises:
        BadInput: the file cannot be written.
    """
    from .files import write_whole
    from .formats import rendered

    if output is not None:
        text = rendered(answers, form)
        write_whole(output, f"{text}\n".encode("utf-8", "backslashreplace"))
        form = "table"
    print_answer(rendered(answers, form, printed=True))
    return answers.status
