"""``shiftproof verify``: the claims of mechanisms, proved or refuted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from ..dsl.errors import ShiftproofError
from .common.answering import INTERRUPTED, examples, give, print_answer
from .common.options import (
    Output,
    gallery_option,
    import_option,
    output_options,
    processes_option,
    targets_argument,
)
from .common.settings import check_named

if TYPE_CHECKING:
    from ..checkers.verdicts import Report
    from ..workspace.verifying import Wanted


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
@processes_option
@click.option(
    "--watch",
    is_flag=True,
    help="Go on: verify what changes in the files, and show what is different.",
)
def verify(
    targets: tuple[str, ...],
    whole: bool,
    replays: int,
    execute: bool,
    certificates: Path | None,
    cache: Path | None,
    allow_empty: bool,
    processes: int | None,
    watch: bool,
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
    from ..workspace.watching import check_watchable

    check_named(targets, whole, "files or folders, as in 'src'")
    if replays and targets and not execute:
        raise click.UsageError(
            "--replay runs the real functions; it needs --import, which executes their files"
        )
    if execute and processes and processes > 1:
        raise click.UsageError("--import executes files in this process only: leave out -j")
    if watch and (execute or whole):
        raise click.UsageError("--watch reads files again: leave out --import and --gallery")
    if watch:
        check_watchable()
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
    return _watched(targets, wanted, list(got.values())) if watch else status


def _watched(targets: Sequence[str], wanted: Wanted, reports: Sequence[Report]) -> int:
    """Verify again what changes, until Ctrl-C; the exit status is that of the last verdicts.

    What does not change is kept in a cache: in one of its own, if none is wanted.
    """
    from ..showing.answers.reports import of_reports
    from ..showing.formats import rendered
    from ..showing.printable import shortened
    from ..workspace.folders import with_files
    from ..workspace.watching import by_key, changes, different

    known = by_key(reports)
    click.echo("watching; Ctrl-C ends it", err=True)
    with TemporaryDirectory() as own, suppress(KeyboardInterrupt):
        wanted = replace(wanted, cache=wanted.cache or Path(own))
        for _ in changes(targets, [report.file for report in reports]):
            try:
                again = replace(wanted, targets=tuple(with_files(targets)))
                now = by_key(again.report(mechanism) for mechanism in again.mechanisms())
            except ShiftproofError as error:
                click.echo(f"Error: {shortened(str(error))}", err=True)
                continue
            changed, lines = different(known, now)
            known = now
            if changed:
                print_answer(rendered(of_reports(changed), "table", printed=True))
            print_answer("\n".join([*lines, f"{len(now) - len(changed)} as before"]))
    return of_reports(list(known.values())).status
