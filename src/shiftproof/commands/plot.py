"""``shiftproof plot``: pictures of alignments, bounds, audits and utility."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..workspace.interrupts import interruptible
from .common.answering import examples, the_one
from .common.options import (
    effort_option,
    file_argument,
    import_option,
    over_option,
    picture_option,
    seed_option,
    set_option,
    target_argument,
    values_option,
)
from .common.settings import numbers, whole_numbers
from .utility import COMPARED

if TYPE_CHECKING:
    from ..checkers.bound import Bracket


@click.group(
    epilog=examples(
        "plot alignment sparse_vector --output alignment.svg",
        "plot bracket sparse_vector --output bracket.pdf",
        "plot utility --output utility.png",
    )
)
def plot() -> None:
    """Draw a proof, a bound, an audit, or what noise costs.

    Vector graphics or pixels, by the ending of the file.  All of it needs matplotlib:
    pip install 'shiftproof[plot]'.
    """


@plot.command(
    epilog=examples(
        "plot alignment sparse_vector --output alignment.svg",
        "plot alignment laplace --set f=3 --set eps=1/2 --other f=4 --noise 0.7 --output a.pdf",
    ),
    short_help="How a proof moves the noise of a run, and what it costs.",
)
@target_argument("target")
@picture_option
@set_option
@click.option(
    "--other", "others", multiple=True, metavar="NAME=VALUE",
    help="A private input on D′, where it is another one than on D.",
)  # fmt: skip
@click.option(
    "--noise", callback=lambda c, o, text: text and numbers(c, o, text), metavar="LIST",
    help="The first draws on D, between commas; a bit is 0 or 1.",
)  # fmt: skip
@click.option(
    "--draws", callback=lambda c, o, text: text and whole_numbers(c, o, text), metavar="LIST",
    help="Which draws are shown, from 1 on; by default up to four that move.",
)  # fmt: skip
@seed_option(0)
@import_option
def alignment(
    target: str,
    output: Path,
    settings: tuple[str, ...],
    others: tuple[str, ...],
    noise: tuple[float, ...] | None,
    draws: tuple[int, ...] | None,
    seed: int,
    execute: bool,
) -> int:
    """Draw how a proof moves the noise of a run on D to the run on D′.

    Of each draw its density, where the shift takes it, the draw itself with its arrow, and below
    what the shift costs, for every value that might have been drawn.  TARGET is one mechanism
    that is proved by an alignment: file.py::name, module::name or a name of the gallery.  --set
    gives the inputs on D; with none but public ones, D and D′ are chosen.  --seed is that of the
    noise that is not given.

    \b
    Exit status:
      0  it is drawn
      3  the input is bad, or there is no alignment
    """
    from ..showing.plots.alignment import plot_alignment
    from ..showing.plots.drawing import check_drawable, save
    from .common.settings import parse_settings

    check_drawable(output)
    mechanism = the_one(target, execute)
    private = [name for name, kind in mechanism.inputs.items() if not kind.public]
    inputs = parse_settings(settings, list(mechanism.inputs))
    other = parse_settings(others, private)
    with redirect_stdout(sys.stderr), interruptible():
        figure = plot_alignment(
            mechanism, inputs, other, noise=noise or (), draws=draws, seed=seed
        )  # fmt: skip
        save(figure, output)
    return 0


@plot.command(
    epilog=examples(
        "plot bracket sparse_vector --output bracket.svg",
        "plot bracket sparse_vector --over c --values 1,2,3 --set eps=1 --output bracket.pdf",
    ),
    short_help="The proved and the found ε over a parameter.",
)
@target_argument("target")
@picture_option
@over_option
@values_option(".25,.5,1,2")
@set_option
@effort_option(3_000)
@import_option
def bracket(
    target: str,
    output: Path,
    over: str,
    values: tuple[float, ...],
    settings: tuple[str, ...],
    effort: int,
    execute: bool,
) -> int:
    """Draw between which numbers the true ε lies, for several values of a parameter.

    Above the ε that is proved and the largest exact log ratio that was found; below how much of
    the one the other is.  TARGET is one mechanism; --set keeps its other public inputs at a value,
    and --effort is for each value.

    \b
    Exit status:
      0  it is drawn
      3  the input is bad, or no pair of inputs was compared
    """
    from ..checkers.bound import bound
    from ..dsl.errors import BadInput
    from ..showing.plots.audit import plot_bracket
    from ..showing.plots.drawing import check_drawable, save
    from ..showing.report import progress
    from .common.counterexamples import given_inputs

    check_drawable(output)
    with redirect_stdout(sys.stderr):
        mechanism = the_one(target, execute)
        given = given_inputs(settings, mechanism)
        public = [name for name, kind in mechanism.inputs.items() if kind.public]
        if over not in public:
            raise BadInput(
                f"{mechanism.function.__name__}: '{over}' is no public input; say with --over NAME "
                f"which one varies, of {', '.join(public) or 'none'}"
            )
        found: dict[float, Bracket] = {}
        with progress(len(values)) as show:
            for value in values:
                show(len(found), f"{over} = {value:g}")
                with interruptible():
                    here = {**given, over: int(value) if value.is_integer() else value}
                    found[value] = bound(mechanism, here, effort=effort)
        save(plot_bracket(found, over), output)
    return 0


@plot.command(
    epilog=examples("plot audit audit.json --output audit.svg"),
    short_help="The events of an audit, against what is claimed.",
)
@file_argument()
@picture_option
def audit(file: Path, output: Path) -> int:
    """Draw how often events came on D and on D′, and their log ratios beside the claim.

    FILE is what shiftproof audit --json printed.  Audits are also drawn by audit --plot.

    \b
    Exit status:
      0  it is drawn
      3  the input is bad
    """
    from ..showing.formats.audits import audit_from_json
    from ..showing.plots.audit import plot_audit
    from ..showing.plots.drawing import check_drawable, save
    from ..workspace.files import read_whole

    check_drawable(output)
    save(plot_audit(read_whole(file, audit_from_json)), output)
    return 0


@plot.command(
    epilog=examples(
        "plot utility --output utility.svg",
        'plot utility "Laplace(c/eps)" "Exponential(c/eps)" --set c=10 --output utility.pdf',
    ),
    short_help="RMSE, E|error| and bias of noise, over ε.",
)
@click.argument("noises", nargs=-1, metavar="[NOISE]...")
@picture_option
@over_option
@values_option()
@set_option
@click.option(
    "--debias", type=click.Choice(["mean", "median"]),
    help="Draw only answers less this, which costs no privacy.  By default biased noise is drawn "
    "as it is, and less its mean.",
)  # fmt: skip
def utility(
    noises: tuple[str, ...],
    output: Path,
    over: str,
    values: tuple[float, ...] | None,
    settings: tuple[str, ...],
    debias: Any,
) -> int:
    """Draw RMSE, E|error| and bias of an answer with additive noise, over a parameter.

    NOISE is as for shiftproof utility; without any, the same ones are compared.  --set gives the
    other parameters.  Without --values they go from 0.05 to 5.

    \b
    Exit status:
      0  it is drawn
      3  the input is bad
    """
    from ..estimators.noise_utility import noise_utility
    from ..showing.plots.drawing import check_drawable, save
    from ..showing.plots.utility import EPSILONS, plot_utility
    from .common.settings import parse_settings

    check_drawable(output)
    wanted = noises or COMPARED
    found = [noise_utility(noise, debias) for noise in wanted]
    known = {name for u in found for name in u.parameters} - {over}
    given: Any = parse_settings(settings, known)
    drawn = found if debias else wanted
    save(plot_utility(drawn, over, values or EPSILONS, given=given), output)
    return 0
