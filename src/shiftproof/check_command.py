"""``shiftproof check``: certificates, checked again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from .answering import Output, give, output_options
from .examples import examples
from .executing import check_named, gallery_option

DISAGREE = 4


@click.command(
    epilog=examples("check proofs", "check --gallery", "check proofs --source src --solver both")
)
@click.argument("places", nargs=-1, type=click.Path(path_type=Path), metavar="[PLACE]...")
@gallery_option
@click.option(
    "--source", "sources", multiple=True, type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="A file or folder with the mechanisms as they are now; by default each certificate "
    "says where its own is.",
)  # fmt: skip
@click.option(
    "--solver", type=click.Choice(["z3", "cvc5", "both"]), default="z3", show_default=True,
    help="Which solver must find every obligation valid; cvc5 is an extra.",
)  # fmt: skip
@output_options
@click.option("--trusted-base", is_flag=True, help="Print what a check rests on, in lines.")
def check(
    places: tuple[Path, ...],
    whole: bool,
    sources: tuple[Path, ...],
    solver: str,
    trusted_base: bool,
    form: str,
    outputs: Sequence[Output],
) -> int:
    """Check certificates again, without the prover that made them.

    PLACE is a certificate or a folder of them.  Nothing of the mechanisms' files is executed.

    \b
    Exit status:
      0  every certificate is valid
      1  a certificate is invalid
      3  none is invalid, but one is unreadable, or the input is bad
      2  nothing worse than that a source has changed since
      4  two solvers contradict each other
    """
    if trusted_base:
        from .trusted_base import trusted_base_text

        click.echo(trusted_base_text())
        return 0
    from .certificate_files import certificate_files, gallery_certificates
    from .checkers.kernel.discharge import Disagreement
    from .checkers.kernel.solvers import solvers_of
    from .checkers.recheck import Rechecker
    from .formats.of_rechecks import of_rechecks

    check_named(places, whole, "certificates or a folder of them")
    files = certificate_files([*places, *([gallery_certificates()] if whole else [])])
    rechecker = Rechecker(solvers_of(solver), sources)
    try:
        return give(of_rechecks(rechecker.check_all(files)), form, outputs)
    except Disagreement as error:
        file = Path("disagreement.smt2")
        from .files import write_whole

        write_whole(file, error.smtlib.encode())
        click.echo(f"Error: {error}; the obligation is in {file}", err=True)
        return DISAGREE
