"""``shiftproof experiment``: the experiments of the papers, on any data."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from .examples import examples
from .experiment_answers import give_result
from .lists import numbers, whole_numbers
from .monitor_command import monitor, trajectories
from .simulate_command import samples_of
from .terminal import Interrupts


@click.group(
    epilog=examples("experiment monitor --plot rates.png", "experiment top-k retail.dat --k 10,100")
)
def experiment() -> None:
    """Repeat an experiment of a paper, on data of your own."""


@experiment.command(
    "top-k", epilog=examples("experiment top-k retail.dat --k 10,100 --runs 1000 --plot errors.png")
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--eps", "epsilons", default=".1,.3,.5,.7,1", callback=numbers, show_default=True,
    metavar="LIST", help="The whole budget in nats; several between commas.",
)  # fmt: skip
@click.option(
    "--k", "ks", default="100", callback=whole_numbers, show_default=True, metavar="LIST",
    help="How many items are asked for; several between commas.",
)  # fmt: skip
@click.option(
    "--runs", default="10_000", callback=samples_of, show_default=True, metavar="N",
    help="How often each mechanism is run at each point.",
)  # fmt: skip
@click.option(
    "--mechanism", "mechanisms", multiple=True, metavar="NAME",
    help="Only this one, in all calibrations: 'asymmetric top-k', 'free-gap top-k', 'asymmetric "
    "sparse vector' or 'free-gap sparse vector'; may be given repeatedly.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True,
    help="The same seed gives the same result, however many workers there are.",
)  # fmt: skip
@click.option(
    "--executor", default="here", show_default=True, metavar="SPEC",
    help="Where: here, processes (one a core), processes:N, or dask://host:port.",
)  # fmt: skip
@click.option(
    "--csv", "csv_file", type=click.Path(path_type=Path), metavar="FILE",
    help="Write the rows, too, as CSV.",
)  # fmt: skip
@click.option(
    "--plot", type=click.Path(path_type=Path), metavar="FILE",
    help="Draw it, too: .png, .svg or .pdf.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def top_k(
    file: Path,
    epsilons: tuple[float, ...],
    ks: tuple[int, ...],
    runs: int,
    mechanisms: tuple[str, ...],
    seed: int,
    executor: str,
    csv_file: Path | None,
    plot: Path | None,
    as_json: bool,
) -> int:
    """Compare asymmetric top-k mechanisms with the free-gap ones.

    FILE holds market baskets in the FIMI format: one a line, item ids between blanks.  Every k
    is combined with every ε.  Told are the mean squared error of what is released, and the share
    of the true top k, with bootstrapped bands of 95 %.  Thresholds of sparse vectors are taken
    from the data, as in the paper.  For experiments, never for real releases.  Ctrl-C stops it
    and prints what is there so far; then no file is written.  A file that is there already is
    replaced.

    \b
    Exit status:
      0    all is done
      3    the input is bad
      130  it was stopped, after what is printed
    """
    from .apart import keep_apart
    from .drawing import check_drawable
    from .executors import opener
    from .files import writable

    opened = opener(executor)
    if csv_file is not None:
        writable(csv_file)
    if plot is not None:
        check_drawable(plot)
    keep_apart(FILE=file, **{"--csv": csv_file, "--plot": plot})
    from .experiments.contenders import MECHANISMS
    from .experiments.results import Row, TopKExperiment
    from .experiments.top_k import measured, planned
    from .experiments.top_k_picture import draw as drawn
    from .report import progress

    rows: list[Row] = []
    plan, interrupted = None, False
    with Interrupts() as interrupts:
        try:
            with interrupts.allowed():
                plan = planned(file, ks, epsilons, runs, seed, mechanisms or MECHANISMS)
            with opened() as workers, progress(plan.tasks) as show:
                for row in interrupts.each(measured(plan, workers, show)):
                    rows.append(row)
        except KeyboardInterrupt:
            interrupted = True
        # Ctrl-C comes too late from here on: all is measured, and all files are written.
        if plan is None or not rows:
            return give_result(None, interrupted, as_json, csv_file, ())
        result = TopKExperiment(len(plan.counts), runs, seed, tuple(rows), interrupted)
        pictures = () if plot is None else (partial(drawn, result, plot),)
        return give_result(result, interrupted, as_json, csv_file, pictures)


experiment.add_command(monitor)
experiment.add_command(trajectories)
