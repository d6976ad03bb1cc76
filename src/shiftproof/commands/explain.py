"""``shiftproof explain``: the proof of a mechanism, or its counterexample, written out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..workspace.interrupts import interruptible
from .common.answering import BAD_INPUT, chosen, examples, one_by_one, print_answer
from .common.options import import_option, targets_argument

if TYPE_CHECKING:
    from ..showing.explaining.explain import Explanation


@click.command(
    epilog=examples(
        "explain visits.py",
        "explain visits.py --format html --output visits.html",
    ),
    short_help="Write out a proof or a counterexample.",
)
@targets_argument(required=True)
@click.option(
    "--format", "form", type=click.Choice(["markdown", "latex", "html"]), default="markdown",
    show_default=True, help="What to write.",
)  # fmt: skip
@click.option(
    "--fragment", is_flag=True, help="LaTeX without a preamble, for another document.",
)  # fmt: skip
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Write it to a file and print nothing.",
)  # fmt: skip
@import_option
def explain(
    targets: tuple[str, ...], form: str, fragment: bool, output: Path | None, execute: bool
) -> int:
    """Write out why a mechanism is private, or why it is not.

    The claim, the relation, the alignment, its conditions and its cost; or the sums; or the
    counterexample.  TARGET is as for verify.

    \b
    Exit status:
      0  every verdict is explained, whatever it is
      3  shiftproof failed on a mechanism, or the input is bad
    """
    from ..showing.explaining.explain import explain as explained
    from ..workspace.files import writable, write_whole

    if fragment and form != "latex":
        raise click.UsageError(
            "--fragment is for --format latex; Markdown has no preamble, and HTML is one page"
        )
    if output is not None:
        writable(output)
    answered = one_by_one(chosen(targets, execute), explained)
    if not answered.found:
        return BAD_INPUT
    with interruptible():
        text = _written(answered.found, form, fragment)
    if output is None:
        print_answer(text.rstrip("\n"))
    else:
        write_whole(output, text.encode("utf-8", "backslashreplace"))
    faults = any(a.about is not None and a.about.report.fault for a in answered.found)
    return BAD_INPUT if answered.failed or faults else 0


def _written(accounts: list[Explanation], form: str, fragment: bool) -> str:
    """The accounts in a format."""
    if form == "html":
        from ..showing.explaining.as_html import as_html

        return as_html(accounts)
    if form == "latex":
        from ..showing.formats.latex import written

        return written(accounts, fragment=fragment)
    return "\n".join(account.as_markdown() for account in accounts)
