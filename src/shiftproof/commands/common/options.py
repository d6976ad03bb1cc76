"""The options and arguments that several commands have: one name, one meaning, one help each.

What a command takes besides, it defines itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import click
from click.shell_completion import CompletionItem

from ...dsl.errors import BadInput
from ...showing.formats import FORMATS
from .settings import numbers, samples_of

#: What is made of a command's function.
Option: TypeAlias = Callable[[Callable[..., int]], Callable[..., int]]

# What a command is about.

#: ``execute`` is whether files are imported; by default they are read and nothing is executed.
import_option = click.option(
    "--import", "execute", is_flag=True,
    help="Execute the files and modules of TARGET; by default they are only read.",
)  # fmt: skip
#: ``whole`` is whether the gallery is meant; an empty list of files never is.
gallery_option = click.option(
    "--gallery", "whole", is_flag=True, help="The gallery of known mechanisms, all of it."
)
#: ``settings``, for :func:`.settings.parse_settings`.
set_option = click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE",
    help="A value for an input or a parameter: a number, a fraction (1/3), or a list (1,2,3). "
    "Repeatable.",
)  # fmt: skip


def complete_target(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The names of the gallery that go on as typed; the shell's own files if none does."""
    from ...workspace.gallery_index import gallery_index

    named = [entry for entry in gallery_index() if entry.name.startswith(incomplete)]
    if not incomplete or not named:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(entry.name, help=f"{entry.claim}, {entry.expected}") for entry in named]


def targets_argument(*, required: bool) -> Option:
    """Any number of TARGETs, as ``targets``; with --reading they are functions of a library."""
    shown = "TARGET..." if required else "[TARGET]..."
    argument = click.argument(
        "targets", nargs=-1, required=required, metavar=shown, shell_complete=complete_target
    )

    def decorated(command: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(command)
        def with_reading(
            *args: Any, targets: tuple[str, ...], reading: Path | None, **options: Any
        ) -> int:
            return command(*args, targets=read_with(reading, targets), **options)

        return argument(reading_option(with_reading))

    return decorated


#: ``reading`` is what is said beside functions of a library.
reading_option = click.option(
    "--reading", type=click.Path(path_type=Path), metavar="TOML",
    help="TARGET is FILE.py::function or FILE.py::Class.method of a library, read as this file "
    "says.",
)  # fmt: skip


def read_with(reading: Path | None, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Targets of a library, with the file that says how they are read.

    Raises:
        BadInput: one names no function.
    """
    if reading is None:
        return targets
    for target in targets:
        if "::" not in target:
            raise BadInput(f"{target}: with --reading, want FILE.py::function or ::Class.method")
    return tuple(f"{reading}::{target}" for target in targets) or (str(reading),)


def target_argument(name: str, *, required: bool = True) -> Option:
    """One TARGET, as ``name``."""
    return click.argument(name, required=required, shell_complete=complete_target)


def file_argument() -> Option:
    """A file, as ``file``."""
    return click.argument("file", type=click.Path(path_type=Path))


# How much is done, where, and with which randomness.


#: How far a search for counterexamples goes, and one from below for the true ε.
SEARCHING, BRACKETING = 20_000, 12_000


def effort_option(default: int) -> Option:
    """How far a search goes."""
    return click.option(
        "--effort", type=click.IntRange(min=1), default=default, show_default=True, metavar="N",
        help="How far to search: a small integral is one.",
    )  # fmt: skip


def seed_option(default: int | None = None) -> Option:
    """The seed; without a default one is drawn."""
    return click.option(
        "--seed", type=click.IntRange(min=0), default=default, metavar="N",
        show_default=default is not None, help="The same seed gives the same answer, bit for bit.",
    )  # fmt: skip


def samples_option(name: str = "--samples", default: str | None = None) -> Option:
    """How many runs there are; without a default it has to be said."""
    return click.option(
        name, callback=samples_of, default=default, required=default is None,
        show_default=default is not None, metavar="N", help="How many runs, as in 1e6.",
    )  # fmt: skip


executor_option = click.option(
    "--executor", default="here", show_default=True, metavar="SPEC",
    help="Where: here, processes (one a core), processes:N, or dask://host:port.",
)  # fmt: skip


#: ``processes``; None if nobody says.
processes_option = click.option(
    "-j", "--processes", type=click.IntRange(min=1), metavar="N",
    help="In how many processes; by default in more than one where there is much to do.",
)  # fmt: skip


# Which parameter varies.


def epsilons_option(default: str) -> Option:
    """Several values of the privacy parameter, as ``epsilons``."""
    return click.option(
        "--eps", "epsilons", default=default, callback=numbers, show_default=True, metavar="LIST",
        help="The privacy parameter in nats; several between commas.",
    )  # fmt: skip


over_option = click.option(
    "--over", default="eps", show_default=True, metavar="NAME", help="The parameter that varies."
)


def values_option(default: str | None = None) -> Option:
    """Its values; without a default the command has some of its own."""
    return click.option(
        "--values", default=default, show_default=default is not None, metavar="LIST",
        callback=lambda c, o, text: text and numbers(c, o, text),
        help="Its values, between commas.",
    )  # fmt: skip


# What is printed, and what is written.

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
#: ``csv_file``.
csv_option = click.option(
    "--csv", "csv_file", type=click.Path(path_type=Path), metavar="FILE",
    help="Write the rows, too, as CSV.",
)  # fmt: skip
plot_option = click.option(
    "--plot", type=click.Path(path_type=Path), metavar="FILE",
    help="Draw it, too: .png, .svg or .pdf.",
)  # fmt: skip
picture_option = click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), required=True, metavar="FILE",
    help="The picture: .png, .svg or .pdf.",
)  # fmt: skip

#: A file with the format that it gets; None for that of ``--format``.
Output: TypeAlias = tuple[str | None, Path]


def output_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options ``--format``, ``--json`` and ``--output``.

    The command gets ``form``, the name of a format, and ``outputs``, for
    :func:`.answering.give`.
    """

    @click.option(
        "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
        help="What to print.",
    )  # fmt: skip
    @json_option
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
    from ...workspace.files import writable

    outputs: list[Output] = []
    for text in texts:
        form, equals, name = text.partition("=")
        named = bool(equals) and form in FORMATS
        outputs.append((form, Path(name)) if named else (None, Path(text)))
        writable(outputs[-1][1])
    return tuple(outputs)
