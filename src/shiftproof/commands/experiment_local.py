"""``shiftproof experiment``: what users' own values tell, each masked by the user."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..dsl.errors import BadInput
from .common.answering import examples
from .common.measuring import carried_out
from .common.options import (
    csv_option,
    epsilons_option,
    json_option,
    plot_option,
    samples_option,
    seed_option,
)
from .common.settings import numbers, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy import float64
    from numpy.typing import NDArray

#: What both experiments are given, and what they write.
_DATA = (
    click.argument("file", required=False, type=click.Path(path_type=Path)),
    click.option(
        "--baskets", is_flag=True,
        help="FILE holds market baskets in the FIMI format; a value is the size of one.",
    ),
)  # fmt: skip
_USERS = click.option(
    "--users", callback=lambda c, o, text: text and whole_numbers(c, o, text), metavar="LIST",
    help="How many users there are; several between commas. By default powers of 4.",
)  # fmt: skip


def _data(command: Callable[..., int]) -> Callable[..., int]:
    for add in reversed(_DATA):
        command = add(command)
    return command


def _read(file: Path | None, baskets: bool) -> NDArray[float64] | None:
    from ..workspace.data.numbers import read_basket_sizes, read_numbers

    if file is None and baskets:
        raise BadInput("--baskets: there is no FILE of which it could speak")
    if file is None:
        return None
    return read_basket_sizes(file) if baskets else read_numbers(file)


def _check_files(file: Path | None, csv_file: Path | None, plot: Path | None) -> None:
    from ..showing.plots.drawing import check_drawable
    from ..workspace.files import keep_apart, writable

    if csv_file is not None:
        writable(csv_file)
    if plot is not None:
        check_drawable(plot)
    keep_apart(FILE=file, **{"--csv": csv_file, "--plot": plot})


@click.command(
    epilog=examples(
        "experiment minimum --alpha .5,1,2 --plot minimum.png",
        "experiment minimum ages.txt --low 0 --high 128",
        "experiment minimum retail.dat --baskets --low 0 --high 128",
    ),
    short_help="Tell how well a minimum is found under local privacy.",
)
@_data
@click.option(
    "--low", type=float, metavar="X",
    help="Where searches of the values in FILE begin, known without looking.",
)  # fmt: skip
@click.option("--high", type=float, metavar="X", help="Where they end; likewise.")
@click.option(
    "--alpha", "alphas", default="1", callback=numbers, show_default=True, metavar="LIST",
    help="Of generated values F(x) = (x - min)^alpha; several between commas.",
)  # fmt: skip
@_USERS
@epsilons_option(".5,1,2")
@samples_option("--runs", "1000")
@seed_option(0)
@csv_option
@plot_option
@json_option
def minimum(
    file: Path | None,
    baskets: bool,
    low: float | None,
    high: float | None,
    csv_file: Path | None,
    plot: Path | None,
    as_json: bool,
    users: tuple[int, ...] | None,
    **wanted: Any,
) -> int:
    """Tell how far the private binary search is from the minimum, over N and ε.

    Without FILE values are generated, as fixed data and i.i.d., and searched with α known and
    unknown. FILE holds one number a line; of these so many as there are users are drawn anew in
    each run, and both ends are searched. Users are asked in every round, and once. Told are mean
    errors, and the α for which the rate of theory has their slope; in the CSV are the quantiles of
    5 % and 95 %, too. For experiments, never for real releases. Ctrl-C stops it and prints what
    is there so far; then no file is written. A file that is there already is replaced.

    \b
    Exit status:
      0    all is done
      3    the input is bad
      130  it was stopped, after what is printed
    """
    _check_files(file, csv_file, plot)
    if (file is None) != (low is None) or (low is None) != (high is None):
        raise BadInput("--low and --high: they belong to the values in FILE, which needs both")
    from ..experiments.local_pictures import draw_minimum
    from ..experiments.minimum import measured, planned

    ends = (-1.0 if low is None else low, 1.0 if high is None else high)
    return carried_out(
        lambda: planned(_read(file, baskets), *ends, users=users, **wanted),
        lambda plan, _, show: measured(plan, show),
        lambda plan, rows, interrupted: plan.result(rows, interrupted),
        lambda _, result: None if plot is None else draw_minimum(result, plot, _name(file)),
        as_json,
        csv_file,
    )


@click.command(
    "reconstruct",
    epilog=examples(
        "experiment reconstruct --plot errors.png",
        "experiment reconstruct retail.dat --baskets --largest 30 --users 1000,100000",
    ),
    short_help="Tell how well a distribution is found from sanitised reports.",
)
@_data
@click.option(
    "--largest", type=click.IntRange(min=1), metavar="N",
    help="Greater values are counted as N. By default the greatest in FILE.",
)  # fmt: skip
@_USERS
@epsilons_option(".5,1,2")
@samples_option("--runs", "100")
@seed_option(0)
@csv_option
@plot_option
@json_option
def reconstruct(
    file: Path | None,
    baskets: bool,
    csv_file: Path | None,
    plot: Path | None,
    as_json: bool,
    users: tuple[int, ...] | None,
    **wanted: Any,
) -> int:
    """Tell how far reconstructed distributions are from the truth, over N and ε.

    FILE holds one whole number from 0 on a line; without it nine values have fixed shares. In each
    run so many users as are asked for are drawn, and report through a truncated geometric channel,
    or by randomised response, for the same ε per step. Told are the distances of the estimates by
    maximum likelihood and by the inverse, beside what theory says of the latter. For experiments,
    never for real releases. Ctrl-C stops it and prints what is there so far; then no file is
    written. A file that is there already is replaced.

    \b
    Exit status:
      0    all is done
      3    the input is bad
      130  it was stopped, after what is printed
    """
    _check_files(file, csv_file, plot)
    from ..experiments.local_pictures import draw_reconstruction
    from ..experiments.reconstruction import USERS, measured, planned

    return carried_out(
        lambda: planned(_read(file, baskets), users=users or USERS, **wanted),
        lambda plan, _, show: measured(plan, show),
        lambda plan, rows, interrupted: plan.result(rows, interrupted),
        lambda _, result: None if plot is None else draw_reconstruction(result, plot, _name(file)),
        as_json,
        csv_file,
    )


def _name(file: Path | None) -> str:
    """What a picture calls the data."""
    return "generated values" if file is None else file.name
