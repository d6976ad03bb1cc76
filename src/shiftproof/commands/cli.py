"""The command line: ``shiftproof verify``, ``refute``, ``run``, ``simulate`` and the others.

Everything heavy is imported by the command that needs it, so ``--help`` is instant.
Exit status of ``verify``: 3 unsupported or bad input, else 1 a wrong claim, else 2
unknown or bounded, else 0; of ``refute`` and ``recompute``: 3, else 1 if a claim is refuted,
else 0; of ``audit``: 3, else 1 if a violation is found, else 0; of ``claims``: 3, else 1 if a
verdict is not the recorded one, else 0; of ``export``: 3, else 1 if Rocq rejects a theorem, else
2 if a target has none, else 0; of ``doctor``: 1 if something needed is missing, else 0;
of all others: 3 or 0.  What is interrupted ends with 130.
"""

from __future__ import annotations

import io
import sys
import traceback
from typing import Any

import click

from .. import __version__
from ..dsl.errors import ShiftproofError
from .audit import audit
from .check import check
from .claims import claims
from .common.answering import BAD_INPUT, INTERRUPTED, check_given_once, examples, print_answer
from .completion import completion
from .doctor import doctor
from .experiment import experiment
from .explain import explain
from .export import export
from .list import list_gallery
from .lsp import lsp
from .mcp import mcp
from .new import new
from .plot import plot
from .read import read
from .refute import bound, recompute, refute
from .run import run
from .simulate import simulate
from .utility import utility
from .verify import verify
from .why import why

CRASHED = 70  # EX_SOFTWARE: a fault of shiftproof, and no verdict


class CommandLine(click.Group):
    """A group of commands that return their exit status and fail with one message."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and exit with its status."""
        sys.stdout = sys.stdout or io.StringIO()  # None if closed, as by >&-
        sys.stderr = sys.stderr or io.StringIO()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            extra = {"prog_name": self.name, **extra, "standalone_mode": False}
            status = super().main(*args, **extra)
        except click.ClickException as error:
            error.show()
            status = BAD_INPUT
        except click.Abort:
            status = INTERRUPTED
        except ShiftproofError as error:
            from ..showing.printable import shortened

            click.echo(f"Error: {shortened(str(error))}", err=True)
            status = BAD_INPUT
        except Exception:
            traceback.print_exc()
            click.echo("Error: a fault of shiftproof itself; please report it", err=True)
            status = CRASHED
        sys.exit(status)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command, whose options are given once each."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not ctx.resilient_parsing:
            check_given_once(command, ctx, rest)
        return name, command, rest


@click.group(
    cls=CommandLine,
    name="shiftproof",
    invoke_without_command=True,
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
    epilog=examples("new visits", "verify visits.py", "refute visits.py", "verify --help"),
)
@click.version_option(__version__, prog_name="shiftproof")
@click.pass_context
def main(context: click.Context) -> int:
    """Prove the differential privacy of mechanisms that are written as Python functions.

    What is not private is refuted by two neighbouring inputs and an outcome.
    """
    if context.invoked_subcommand is None:
        print_answer(context.get_help())
    return 0


for _command in (
    verify, why, refute, recompute, bound, read, run, check, explain, export, claims, simulate,
    audit, utility, experiment, plot, new, lsp, mcp, list_gallery, doctor, completion,
):  # fmt: skip
    main.add_command(_command)


if __name__ == "__main__":
    main()
