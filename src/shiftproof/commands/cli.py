"""The command line: ``shiftproof verify``, ``refute``, ``run``, ``simulate`` and the others.

Everything heavy is imported by the command that needs it, so ``--help`` is instant.
Exit status of ``verify``: 3 unsupported or bad input, else 1 a wrong claim, else 2
unknown or bounded, else 0; of ``refute`` and ``recompute``: 3, else 1 if a claim is refuted,
else 0; of ``audit``: 3, else 1 if a violation is found, else 0; of ``claims``: 3, else 1 if a
verdict is not the recorded one, else 0; of ``doctor``: 1 if something needed is missing, else 0;
of all others: 3 or 0.  What is interrupted ends with 130.
"""

from __future__ import annotations

import io
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import __version__
from ..dsl.errors import ShiftproofError
from ..workspace.interrupts import interruptible
from .audit import audit
from .check import check
from .claims import claims
from .common.answering import BAD_INPUT, INTERRUPTED, check_given_once, examples, give, print_answer
from .common.options import (
    Output,
    gallery_option,
    import_option,
    json_option,
    output_options,
    seed_option,
    set_option,
    target_argument,
    targets_argument,
)
from .common.settings import check_named, check_replays
from .completion import completion
from .doctor import doctor
from .experiment import experiment
from .explain import explain
from .list import list_gallery
from .new import new
from .plot import plot
from .refute import bound, recompute, refute
from .simulate import simulate
from .utility import utility

if TYPE_CHECKING:
    from ..checkers.verdicts import Report

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
    context_settings={"max_content_width": 100},
    epilog=examples("new visits", "verify visits.py", "refute visits.py", "verify --help"),
)
@click.version_option(__version__, prog_name="shiftproof")
def main() -> None:
    """Prove the differential privacy of mechanisms that are written as Python functions.

    What is not private is refuted by two neighbouring inputs and an outcome.
    """


@main.command(
    epilog=examples(
        "verify visits.py",
        "verify visits.py::busy_places --certificates proofs",
        "verify src/*.py --allow-empty --cache .shiftproof --output sarif=out.sarif",
    ),
    short_help="Prove the claims of mechanisms, or refute them.",
)
@targets_argument(required=False)
@gallery_option
@output_options
@click.option(
    "--replay", "replays", type=click.IntRange(min=0), default=0, metavar="N",
    help="Hold each proof against at least N runs of the real function; needs --import.",
)  # fmt: skip
@import_option
@click.option(
    "--certificates", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
    help="Write a certificate of each proof and each refutation there.",
)  # fmt: skip
@click.option(
    "--cache", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
    help="Keep verdicts there, and take those of unchanged mechanisms from there.",
)  # fmt: skip
@click.option("--allow-empty", is_flag=True, help="Leave out files that name no mechanism.")
def verify(
    targets: tuple[str, ...],
    whole: bool,
    replays: int,
    execute: bool,
    certificates: Path | None,
    cache: Path | None,
    allow_empty: bool,
    form: str,
    outputs: Sequence[Output],
) -> int:
    """Prove the claims of mechanisms, refute them, or say what is in the way.

    TARGET is a file, file.py::name, a dotted module, module::name, or the name of a mechanism
    of the gallery.

    \b
    Exit status:
      0  every claim is proved, and nothing that should fall is
      1  a claim is refuted, or what should fall is proved
      2  a claim is neither proved nor refuted, or only up to a size
      3  a mechanism is unsupported, shiftproof failed on one, or the input is bad
    """
    from ..checkers.verify import verify as decide
    from ..showing.answers.reports import of_reports
    from ..showing.report import progress
    from ..workspace.importing import with_mechanisms
    from ..workspace.targets import gallery, resolve

    check_named(targets, whole, "files, as in 'src/*.py'")
    check_replays(replays, targets, execute)
    judge = partial(decide, replays=replays)
    if cache is not None and not replays:
        from ..workspace.cache import Cache

        judge = partial(Cache(cache).verified, decide=judge)
    with redirect_stdout(sys.stderr):  # what users' files print is no part of the answer
        chosen = with_mechanisms(targets) if allow_empty else targets
        found = [m for target in chosen for m in resolve(target, execute)]
        found += gallery(run=execute or replays > 0) if whole else []
        reports: list[Report] = []
        with progress(len(found)) as show:
            for mechanism in found:
                show(len(reports), mechanism.function.__name__)
                with interruptible():
                    reports.append(judge(mechanism))
    if certificates is not None:
        from ..workspace.files import write_certificates

        write_certificates(reports, certificates)
    return give(of_reports(reports), form, outputs)


@main.command(
    epilog=examples(
        "run asymmetric_sparse_vector --data retail.dat --set eps=1 --set c=100 --set T=2000"
    )
)
@target_argument("mechanism")
@click.option(
    "--data", "file", type=click.Path(path_type=Path), required=True,
    help="Baskets in the FIMI format: one a line, item ids separated by blanks.",
)  # fmt: skip
@set_option
@seed_option()
@click.option("--limit", type=click.IntRange(min=0), metavar="K", help="Print at most K values.")
@json_option
def run(
    mechanism: str,
    file: Path,
    settings: tuple[str, ...],
    seed: int | None,
    limit: int | None,
    as_json: bool,
) -> int:
    """Run a mechanism on the item counts of real baskets.

    Prints what it releases: each value with its item, and how often it released nothing.
    MECHANISM is file.py::name, module::name, or the name of a mechanism of the gallery.
    It must have one private input, a sequence: the counts, by ascending item id.  --set gives the
    public ones; one number for a vector is repeated for every item.  --seed is for demonstrations
    only: whoever knows it can repeat the noise.
    """
    from ..showing.report import json_text
    from .common.running import run_on_baskets

    with redirect_stdout(sys.stderr):
        outcome = run_on_baskets(mechanism, file, settings, seed)
    for warning in outcome.warnings:
        click.echo(warning, err=True)
    print_answer(json_text(outcome.as_json(limit)) if as_json else outcome.as_text(limit))
    return 0


for _command in (
    refute, recompute, bound, check, explain, claims, simulate, audit, utility, experiment, plot,
    new, list_gallery, doctor, completion,
):  # fmt: skip
    main.add_command(_command)


if __name__ == "__main__":
    main()
