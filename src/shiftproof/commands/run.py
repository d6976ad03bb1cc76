"""``shiftproof run``: one run of a mechanism, on the counts of baskets or of a column."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path

import click

from .common.answering import examples, print_found
from .common.options import json_option, seed_option, set_option, target_argument


@click.command(
    epilog=examples(
        "run asymmetric_sparse_vector --data retail.dat --set eps=1 --set c=100 --set T=2000",
        "run histogram --data visits.csv --column place --set eps=1",
    )
)
@target_argument("mechanism")
@click.option(
    "--data", "file", type=click.Path(path_type=Path), required=True,
    help="Baskets in the FIMI format: one a line, item ids separated by blanks; or see --column.",
)  # fmt: skip
@click.option("--column", metavar="NAME", help="FILE is CSV: count the values of this column.")
@set_option
@seed_option()
@click.option("--limit", type=click.IntRange(min=0), metavar="K", help="Print at most K values.")
@json_option
def run(
    mechanism: str,
    file: Path,
    column: str | None,
    settings: tuple[str, ...],
    seed: int | None,
    limit: int | None,
    as_json: bool,
) -> int:
    """Run a mechanism on the item counts of real baskets, or on the counts of a column's values.

    Prints what it releases: each value with its item, and how often it released nothing.
    MECHANISM is file.py::name, module::name, or the name of a mechanism of the gallery.
    It must have one private input, a sequence: the counts, by ascending item.  --set gives the
    public ones; one number for a vector is repeated for every item.  --seed is for demonstrations
    only: whoever knows it can repeat the noise.
    """
    from .common.running import run_on_counts

    with redirect_stdout(sys.stderr):
        outcome = run_on_counts(mechanism, file, column, settings, seed)
    for warning in outcome.warnings:
        click.echo(warning, err=True)
    print_found(as_json, lambda: outcome.as_json(limit), lambda: outcome.as_text(limit))
    return 0
