"""Small trajectories for tests, and commands that are not yet on the command line by name."""

from __future__ import annotations

from pathlib import Path

import click
from click.testing import CliRunner, Result

from shiftproof.commands.cli import CommandLine
from shiftproof.commands.experiment import monitor, trajectories

HEADER = "person,time,x,y,place\n"

#: Ada is at two places in turn; Bob comes later and stays; Cy is nowhere.
SMALL = (
    HEADER
    + "ada,60,1,2,cafe\n"
    + "ada,0,0,0,\n"
    + "ada,90,1,2,\n"
    + "bob,80,1.5,2.5,cafe\n"
    + "cy,0,9,9,\n"
    + "ada,100,5,5,park\n"
)


@click.group(cls=CommandLine, name="shiftproof")
def _commands() -> None:
    pass


_commands.add_command(monitor)
_commands.add_command(trajectories)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(_commands, [str(a) for a in arguments])


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "town.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
