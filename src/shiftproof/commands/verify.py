"""``shiftproof verify``: the claims of mechanisms, proved or refuted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common.answering import INTERRUPTED, examples, give
from .common.options import Output, gallery_option, import_option, output_options, targets_argument
from .common.settings import check_named

if TYPE_CHECKING:
    from ..checkers.verdicts import Report


@click.command(
    epilog=examples(
        "verify visits.py",
        "verify visits.py::busy_places --certificates proofs",
        "verify src -j 4 --cache .shiftproof --output sarif=out.sarif",
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
@click.option(
    "-j", "--processes", type=click.IntRange(min=1), metavar="N",
    help="In how many processes; by default in more than one where there is much to do.",
)  # fmt: skip
def verify(
    targets: tuple[str, ...],
    whole: bool,
    replays: int,
    execute: bool,
    certificates: Path | None,
    cache: Path | None,
    allow_empty: bool,
    processes: int | None,
    form: str,
    outputs: Sequence[Output],
) -> int:
    """Prove the claims of mechanisms, refute them, or say what is in the way.

    TARGET is a file, file.py::name, a folder (its Python files, without what .gitignore names), a
    dotted module, module::name, or the name of a mechanism of the gallery.

    Ctrl-C keeps the verdicts that are there, and says which are missing.

    \b
    Exit status:
      0  every claim is proved, and nothing that should fall is
      1  a claim is refuted, or what should fall is proved
      2  a claim is neither proved nor refuted, or only up to a size
      3  a mechanism is unsupported, shiftproof failed on one, or the input is bad
    """
    from ..showing.answers.reports import of_reports
    from ..showing.report import progress
    from ..workspace.files import check_certificates_apart, write_certificates
    from ..workspace.folders import with_files
    from ..workspace.importing import with_mechanisms
    from ..workspace.verifying import Wanted, collected, processes_for, reports

    check_named(targets, whole, "files or folders, as in 'src'")
    if replays and targets and not execute:
        raise click.UsageError(
            "--replay runs the real functions; it needs --import, which executes their files"
        )
    if execute and processes and processes > 1:
        raise click.UsageError("--import executes files in this process only: leave out -j")
    named = with_files(with_mechanisms(targets) if allow_empty else targets)
    wanted = Wanted(tuple(named), whole, execute, replays, cache)
    with redirect_stdout(sys.stderr):
        found = wanted.mechanisms()
        if certificates is not None:
            check_certificates_apart(found, certificates)
        done: list[Report] = []
        with progress(len(found)) as show:
            show(0, found[0].function.__name__ if found else "")

            def note(report: Report) -> None:
                done.append(report)
                show(len(done), "", f"{report.verdict!s:12} {report.mechanism}")
                if certificates is not None:
                    write_certificates([report], certificates)

            several = processes or processes_for(found, wanted)
            got, interrupted = collected(reports(found, wanted, several), note)
    status = 0
    if got or not interrupted:
        status = give(of_reports([got[k] for k in sorted(got)]), form, outputs)
    if interrupted:
        missing = [m.function.__name__ for k, m in enumerate(found) if k not in got]
        click.echo(f"interrupted: no verdict of {', '.join(missing)}", err=True)
        return INTERRUPTED
    return status
