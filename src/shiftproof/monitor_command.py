"""``shiftproof experiment monitor`` and ``trajectories``: location monitoring, on any data."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .examples import examples
from .experiment_answers import give_result
from .lists import numbers
from .simulate_command import samples_of
from .terminal import Interrupts, print_answer

if TYPE_CHECKING:
    from .experiments.monitor import Plan
    from .experiments.monitor_rows import Row


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
@click.option(
    "--eps", "epsilons", default=".5,1,2", callback=numbers, show_default=True, metavar="LIST",
    help="The privacy parameter in nats; several between commas.",
)  # fmt: skip
@click.option(
    "--threshold", "thresholds", default="5,10", callback=numbers, show_default=True,
    metavar="LIST", help="From this count on a place is not safe; several between commas.",
)  # fmt: skip
@click.option(
    "--updates", type=click.IntRange(1, 1000), default=5, show_default=True, metavar="N",
    help="How many batches come.",
)  # fmt: skip
@click.option(
    "--batch", type=click.IntRange(min=1), default=500, show_default=True, metavar="N",
    help="How many people are in a batch.",
)  # fmt: skip
@click.option(
    "--runs", default="100_000", callback=samples_of, show_default=True, metavar="N",
    help="How many runs for each count.",
)  # fmt: skip
@click.option(
    "--town-runs", default="200", callback=samples_of, show_default=True, metavar="N",
    help="How many runs for the town, each with new batches.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True,
    help="The same seed gives the same result.",
)  # fmt: skip
@click.option(
    "--csv", "csv_file", type=click.Path(path_type=Path), metavar="FILE",
    help="Write the rows, too, as CSV.",
)  # fmt: skip
@click.option(
    "--plot", type=click.Path(path_type=Path), metavar="FILE",
    help="Draw the rates, too: .png, .svg or .pdf.",
)  # fmt: skip
@click.option(
    "--map", "map_file", type=click.Path(path_type=Path), metavar="FILE",
    help="Draw a map, too: what is safe, and what is said to be.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def monitor(
    file: Path | None,
    time: float | None,
    epsilons: tuple[float, ...],
    thresholds: tuple[float, ...],
    updates: int,
    batch: int,
    runs: int,
    town_runs: int,
    seed: int,
    csv_file: Path | None,
    plot: Path | None,
    map_file: Path | None,
    as_json: bool,
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
    from .apart import keep_apart
    from .drawing import check_drawable
    from .files import writable

    if csv_file is not None:
        writable(csv_file)
    for picture in filter(None, (plot, map_file)):
        check_drawable(picture)
    keep_apart(**{"--trajectories": file, "--csv": csv_file, "--plot": plot, "--map": map_file})
    from .experiments.monitor import measured, planned
    from .experiments.monitor_picture import draw_monitor
    from .experiments.trajectories_file import read_trajectories
    from .report import progress

    plan: Plan | None = None
    rows: list[Row] = []
    interrupted = False
    with Interrupts() as interrupts:
        with redirect_stdout(sys.stderr):
            try:
                with interrupts.allowed():
                    town = None if file is None else read_trajectories(file)
                    plan = planned(
                        town, time, epsilons, thresholds, updates, batch, runs, town_runs, seed
                    )
                with progress(plan.tasks) as show:
                    for row in interrupts.each(measured(plan, show)):
                        rows.append(row)
            except KeyboardInterrupt:
                interrupted = True
        # Ctrl-C comes too late from here on: all is measured, and all files are written.
        if plan is None or not rows:
            return give_result(None, interrupted, as_json, csv_file, ())
        result = plan.result(rows, interrupted)
        pictures: list[Callable[[], None]] = []
        if plot is not None:
            pictures.append(partial(draw_monitor, result, plot))
        if map_file is not None:
            pictures.append(partial(plan.draw_map, map_file))
        return give_result(result, interrupted, as_json, csv_file, pictures)


@click.command(
    epilog=examples("experiment trajectories town.csv --people 1000 --seed 1"),
    short_help="Generate a day in a town, as a CSV of trajectories.",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--people", type=click.IntRange(1, 1_000_000), default=10_000, show_default=True, metavar="N",
    help="How many people there are.",
)  # fmt: skip
@click.option(
    "--places", type=click.IntRange(6, 1_000_000), default=5_835, show_default=True, metavar="N",
    help="How many places there are; most are empty most of the time.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True,
    help="The same seed gives the same town.",
)  # fmt: skip
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
    from .files import writable

    writable(file)
    from .experiments.trajectories import clock
    from .experiments.trajectories_file import write_trajectories
    from .experiments.trajectories_town import generate_trajectories

    found = generate_trajectories(people, places, seed)
    write_trajectories(found, file)
    busiest = found.busiest()
    there = int((found.at(busiest) >= 0).sum())
    print_answer(
        f"{file}: {people:,} people, {places:,} places, {len(found.time):,} rows; "
        f"most people, {there:,}, are at some place at minute {busiest:g} ({clock(busiest)})"
    )
    return 0
