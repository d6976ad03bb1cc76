"""``shiftproof verify``: the claims of mechanisms, proved or refuted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..workspace.interrupts import interruptible
from .common.answering import chosen, examples, give
from .common.options import Output, gallery_option, import_option, output_options, targets_argument
from .common.settings import check_named

if TYPE_CHECKING:
    from ..checkers.verdicts import Report


@click.command(
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
    from ..workspace.targets import gallery

    check_named(targets, whole, "files, as in 'src/*.py'")
    if replays and targets and not execute:
        raise click.UsageError(
            "--replay runs the real functions; it needs --import, which executes their files"
        )
    judge = partial(decide, replays=replays)
    if cache is not None and not replays:
        from ..workspace.cache import Cache

        judge = partial(Cache(cache).verified, decide=judge)
    with redirect_stdout(sys.stderr):
        found = chosen(with_mechanisms(targets) if allow_empty else targets, execute)
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
