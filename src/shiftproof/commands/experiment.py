"""``shiftproof experiment``: the experiments of the papers, on any data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .common.answering import examples, print_answer
from .common.measuring import carried_out
from .common.options import (
    csv_option,
    epsilons_option,
    executor_option,
    file_argument,
    json_option,
    plot_option,
    samples_option,
    seed_option,
)
from .common.settings import numbers, samples_of, whole_numbers
from .experiment_local import minimum, reconstruct

if TYPE_CHECKING:
    from ..experiments.monitor import Plan
    from ..experiments.monitor_results import MonitorExperiment


@click.command(
    epilog=examples(
        "experiment monitor --eps 1 --plot rates.png",
        "experiment monitor --trajectories town.csv --map map.png",
    ),
    short_help="Tell how often private monitors are wrong about safe places.",
)
@click.option(
    "--trajectories", "file", type=click.Path(path_type=Path), metavar="FILE",
    help="CSV with the columns person,time,x,y,place; by default a town is generated.",
)  # fmt: skip
@click.option(
    "--time", type=float, metavar="MINUTE",
    help="The designated time; by default when the most people are at some place.",
)  # fmt: skip
@epsilons_option(".5,1,2")
@click.option(
    "--threshold", "thresholds", default="5,10", callback=numbers, show_default=True,
    metavar="LIST", help="From this count on a place is not safe; several between commas.",
)  # fmt: skip
@click.option(
    "--updates", type=click.IntRange(1, 1000), default=5, show_default=True, metavar="N",
    help="How many batches come.",
)  # fmt: skip
@click.option(
    "--batch-size", "batch", type=click.IntRange(min=1), default=500, show_default=True,
    metavar="N", help="How many people are in a batch.",
)  # fmt: skip
@samples_option("--runs", "100_000")
@click.option(
    "--town-runs", default="200", callback=samples_of, show_default=True, metavar="N",
    help="How many runs for the town, each with new batches.",
)  # fmt: skip
@seed_option(0)
@csv_option
@plot_option
@click.option(
    "--map", "map_file", type=click.Path(path_type=Path), metavar="FILE",
    help="Draw a map, too: what is safe, and what is said to be.",
)  # fmt: skip
@json_option
def monitor(
    file: Path | None,
    csv_file: Path | None,
    plot: Path | None,
    map_file: Path | None,
    as_json: bool,
    **wanted: Any,
) -> int:
    """Tell how often private monitors do not say of a safe place that it is safe.

    Algorithms 3 and 4 of the asymmetric privacy paper, repaired, for one place at every count
    below the threshold, and Algorithm 4 on a town: exact rates beside simulated ones with bands
    of 95 %.  For experiments, never for real releases.  Ctrl-C stops it and prints what is there
    so far; then no file is written.  A file that is there already is replaced.

    \b
    Exit status:
      0    all is done
      3    the input is bad
      130  it was stopped, after what is printed
    """
    from ..showing.plots.drawing import check_drawable
    from ..workspace.files import keep_apart, writable

    if csv_file is not None:
        writable(csv_file)
    for picture in filter(None, (plot, map_file)):
        check_drawable(picture)
    keep_apart(**{"--trajectories": file, "--csv": csv_file, "--plot": plot, "--map": map_file})
    from ..experiments.monitor import measured, planned
    from ..experiments.pictures import draw_monitor
    from ..experiments.trajectories import read_trajectories

    def planning() -> Plan:
        town = None if file is None else read_trajectories(file)
        return planned(town, **wanted)

    def drawing(plan: Plan, result: MonitorExperiment) -> None:
        data = "a generated town" if file is None else file.name
        if plot is not None:
            draw_monitor(result, plot, data)
        if map_file is not None:
            plan.draw_map(map_file, data)

    return carried_out(
        planning,
        lambda plan, _, show: measured(plan, show),
        lambda plan, rows, interrupted: plan.result(rows, interrupted),
        drawing,
        as_json,
        csv_file,
    )


@click.command(
    epilog=examples("experiment trajectories town.csv --people 1000 --seed 1"),
    short_help="Generate a day in a town, as a CSV of trajectories.",
)
@file_argument()
@click.option(
    "--people", type=click.IntRange(1, 1_000_000), default=10_000, show_default=True, metavar="N",
    help="How many people there are.",
)  # fmt: skip
@click.option(
    "--places", type=click.IntRange(6, 1_000_000), default=5_835, show_default=True, metavar="N",
    help="How many places there are; most are empty most of the time.",
)  # fmt: skip
@seed_option(0)
def trajectories(file: Path, people: int, places: int, seed: int) -> int:
    """Generate a day in a town that does not exist, as a CSV of trajectories.

    FILE gets the columns person,time,x,y,place: from this minute of the day on, the person is
    there, at a place or at none, until the person's next row.  Kilometres.  Rows without a person
    list the places.  A file that is there already is replaced.

    \b
    Exit status:
      0  the file is written
      3  the input is bad
    """
    from ..workspace.files import writable

    writable(file)
    from ..experiments.trajectories import clock, write_trajectories
    from ..experiments.trajectories_town import generate_trajectories

    found = generate_trajectories(people, places, seed)
    write_trajectories(found, file)
    busiest = found.busiest()
    there = int((found.at(busiest) >= 0).sum())
    print_answer(
        f"{file}: {people:,} people, {places:,} places, {len(found.time):,} rows; "
        f"most people, {there:,}, are at some place at minute {busiest:g} ({clock(busiest)})"
    )
    return 0


# ``shiftproof experiment``: the experiments of the papers, on any data.


@click.group(
    epilog=examples("experiment monitor --plot rates.png", "experiment top-k retail.dat --k 10,100")
)
def experiment() -> None:
    """Repeat an experiment of a paper, on data of your own."""


@experiment.command(
    "top-k", epilog=examples("experiment top-k retail.dat --k 10,100 --runs 1000 --plot errors.png")
)
@file_argument()
@epsilons_option(".1,.3,.5,.7,1")
@click.option(
    "--k", "ks", default="100", callback=whole_numbers, show_default=True, metavar="LIST",
    help="How many items are asked for; several between commas.",
)  # fmt: skip
@samples_option("--runs", "10_000")
@click.option(
    "--mechanism", "mechanisms", multiple=True, metavar="NAME",
    help="Only this one, in all calibrations: 'asymmetric top-k', 'free-gap top-k', 'asymmetric "
    "sparse vector' or 'free-gap sparse vector'; may be given repeatedly.",
)  # fmt: skip
@seed_option(0)
@executor_option
@csv_option
@plot_option
@json_option
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
    from ..showing.plots.drawing import check_drawable
    from ..workspace.executors import opener
    from ..workspace.files import keep_apart, writable

    opened = opener(executor)
    if csv_file is not None:
        writable(csv_file)
    if plot is not None:
        check_drawable(plot)
    keep_apart(FILE=file, **{"--csv": csv_file, "--plot": plot})
    from ..experiments.contenders import MECHANISMS
    from ..experiments.pictures import draw
    from ..experiments.results import TopKExperiment
    from ..experiments.top_k import measured, planned

    return carried_out(
        lambda: planned(file, ks, epsilons, runs, seed, mechanisms or MECHANISMS),
        measured,
        lambda plan, rows, interrupted: TopKExperiment(
            len(plan.counts), runs, seed, tuple(rows), interrupted
        ),
        lambda _, result: None if plot is None else draw(result, plot, file.name),
        as_json,
        csv_file,
        opened,
    )


for command in (monitor, trajectories, minimum, reconstruct):
    experiment.add_command(command)
