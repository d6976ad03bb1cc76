"""How commands that answer mechanism by mechanism print their answers, and save them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from .formats import FORMATS
from .terminal import print_answer

if TYPE_CHECKING:
    from .formats.record import Answers


#: A file with the format that it gets; None for that of ``--format``.
Output: TypeAlias = tuple[str | None, Path]


def output_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options ``--format``, ``--json`` and ``--output``.

    The command gets ``form``, the name of a format, and ``outputs``, for :func:`give`.
    """

    @click.option(
        "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
        help="What to print.",
    )  # fmt: skip
    @click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
    @click.option(
        "--output", "outputs", multiple=True, metavar="[FORMAT=]FILE", callback=_checked,
        help="Write it to a file and print the table; FORMAT=FILE writes another one. Repeatable.",
    )  # fmt: skip
    @functools.wraps(command)
    def with_form(*arguments: Any, form: str, as_json: bool, **others: Any) -> int:
        return command(*arguments, form="json" if as_json else form, **others)

    return with_form


def _checked(
    context: click.Context, option: click.Parameter, texts: Sequence[str]
) -> tuple[Output, ...]:
    """The files with their formats, each of which can be written once the answers are there."""
    from .files import writable

    outputs: list[Output] = []
    for text in texts:
        form, equals, name = text.partition("=")
        named = bool(equals) and form in FORMATS
        outputs.append((form, Path(name)) if named else (None, Path(text)))
        writable(outputs[-1][1])
    return tuple(outputs)


def give(answers: Answers, form: str, outputs: Sequence[Output] = ()) -> int:
    """Print the answers and save them.

    Args:
        answers: what ``of_reports`` or ``of_rechecks`` made.
        form: the format that is printed; if a file gets it, the table is printed instead.
        outputs: the files.

    Returns:
        The exit status that they amount to.

    Raises:
        BadInput: a file cannot be written.
    """
    from .files import write_whole
    from .formats import rendered

    for chosen, file in outputs:
        text = rendered(answers, chosen or form)
        write_whole(file, f"{text}\n".encode("utf-8", "backslashreplace"))
    saved = any(chosen is None for chosen, _ in outputs)
    print_answer(rendered(answers, "table" if saved else form, printed=True))
    return answers.status
