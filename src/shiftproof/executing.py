"""The option that lets a command execute the files that it is given, and what needs it."""

from __future__ import annotations

import click

#: ``execute`` is whether files are imported; by default they are read and nothing is executed.
import_option = click.option(
    "--import", "execute", is_flag=True,
    help="Execute the files and modules of TARGET; by default they are only read.",
)  # fmt: skip


def check_replays(replays: int, targets: tuple[str, ...], execute: bool) -> None:
    """Refuse to replay runs of functions that are not executed.

    Raises:
        click.UsageError: there are such.
    """
    if replays and targets and not execute:
        raise click.UsageError(
            "--replay runs the real functions; it needs --import, which executes their files"
        )
