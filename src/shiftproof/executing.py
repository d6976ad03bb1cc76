"""What a command is given, whether it may execute that, and what needs it."""

from __future__ import annotations

from collections.abc import Sequence

import click

#: ``execute`` is whether files are imported; by default they are read and nothing is executed.
import_option = click.option(
    "--import", "execute", is_flag=True,
    help="Execute the files and modules of TARGET; by default they are only read.",
)  # fmt: skip


#: ``whole`` is whether the gallery is meant; an empty list of files never is.
gallery_option = click.option(
    "--gallery", "whole", is_flag=True, help="The gallery of known mechanisms, all of it."
)


def check_named(places: Sequence[object], whole: bool, wanted: str) -> None:
    """Refuse to do nothing: a pattern that no file matches must not look like success.

    Args:
        places: what is named on the command line.
        whole: whether the gallery is meant, too.
        wanted: what else to name, for the message.

    Raises:
        click.UsageError: nothing is named, not even the gallery.
    """
    if not places and not whole:
        raise click.UsageError(f"nothing is named: want {wanted}, or --gallery")


def check_replays(replays: int, targets: tuple[str, ...], execute: bool) -> None:
    """Refuse to replay runs of functions that are not executed.

    Raises:
        click.UsageError: there are such.
    """
    if replays and targets and not execute:
        raise click.UsageError(
            "--replay runs the real functions; it needs --import, which executes their files"
        )
