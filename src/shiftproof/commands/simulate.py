"""``shiftproof simulate``: many runs of a mechanism on one input, summed up."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

import click

from .common.answering import INTERRUPTED, examples, give, the_one
from .common.options import (
    Output,
    executor_option,
    import_option,
    output_options,
    plot_option,
    samples_option,
    seed_option,
    set_option,
    target_argument,
)


@click.command(
    epilog=examples(
        "simulate noisy_argmax --samples 1e6 --set q=3,5,4 --set eps=1 --seed 1",
        "simulate visits.py --import --samples 1e7 --inputs in.json --executor processes",
    ),
    short_help="Run a mechanism very often, and sum up what it releases.",
)
@target_argument("mechanism")
@samples_option()
@set_option
@click.option(
    "--inputs", "file", type=click.Path(path_type=Path), metavar="FILE",
    help="A JSON object with more inputs by name; a data set is a list of lists.",
)  # fmt: skip
@seed_option()
@executor_option
@plot_option
@import_option
@output_options
def simulate(
    mechanism: str,
    samples: int,
    settings: tuple[str, ...],
    file: Path | None,
    seed: int | None,
    executor: str,
    plot: Path | None,
    execute: bool,
    form: str,
    outputs: Sequence[Output],
) -> int:
    """Run a mechanism very often on one input, and sum up what it releases.

    MECHANISM is file.py::name, module::name, or the name of a mechanism of the gallery; --set
    gives its inputs, private and public ones.  Without --seed one is drawn, and told.  Runs
    are for tests and experiments, never for real releases.  However many they are, memory does
    not grow.  Ctrl-C stops it and prints what is there so far.

    \b
    Exit status:
      0    all runs are done
      3    the input is bad, or the mechanism unsupported
      130  it was stopped, after what is printed
    """
    from ..workspace.executors import opener

    opened = opener(executor)
    if plot is not None:
        from ..showing.plots.drawing import check_drawable

        check_drawable(plot)
    from ..showing.report import rate_shown
    from .common.simulating import all_inputs, simulated

    found = the_one(mechanism, execute)
    with redirect_stdout(sys.stderr):
        inputs = all_inputs(found, settings, file)
        with rate_shown(samples) as show:
            runs = simulated(found, inputs, samples, seed=seed, opener=opened, show=show)
    if not runs.summary.runs:
        click.echo("Interrupted before any run was done.", err=True)
        return INTERRUPTED
    if plot is not None:
        from ..showing.summaries.picture import draw

        draw(runs, plot)
    from ..showing.account import Answers
    from ..showing.answers.simulations import of_simulation

    status = INTERRUPTED if runs.interrupted else 0
    answers = Answers("simulate", (of_simulation(runs),), status, single=True)
    return give(answers, form, outputs)
