"""The monitoring experiments: the paper's figures, the gallery's releases, honest rates."""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shiftproof import BadInput, Simulation
from shiftproof.dsl.language.runtime import recorded
from shiftproof.estimators.bands import binomial_band
from shiftproof.experiments import monitor as monitor_module
from shiftproof.experiments import pictures as monitor_picture
from shiftproof.experiments.monitor import monitor_experiment, planned
from shiftproof.experiments.monitor_rates import (
    ALARM,
    SAFE,
    SILENT,
    WINDOW,
    Row,
    rows_of_location,
    rows_of_stream,
    safe_counts,
    stream_states,
)
from shiftproof.experiments.monitor_results import MonitorExperiment
from shiftproof.experiments.monitor_town import Town, first_alarms, rows_of_town
from shiftproof.experiments.trajectories import read_trajectories
from shiftproof.experiments.trajectories_town import generate_trajectories
from shiftproof.mechanisms.location_monitor import location_monitor
from shiftproof.mechanisms.stream_monitor import stream_monitor
from tests.commands.test_laziness import command, loaded
from tests.docs.pages import documented_keys, keys
from tests.experiments.trajectory_files import SMALL, run, written
from tests.places import ROOT

PAGE = ROOT / "docs" / "experiments_monitor.md"


def close(row: Row, sigmas: float = 4) -> bool:
    """Whether a simulated share is where the exact one says."""
    deviation = math.sqrt(row.exact * (1 - row.exact) / row.runs)
    return abs(row.found.mean - row.exact) <= sigmas * deviation


@pytest.fixture(scope="module")
def found() -> MonitorExperiment:
    town = generate_trajectories(people=600, places=300, seed=2)
    return monitor_experiment(
        town, eps=(1, 0.5), thresholds=(10, 5), updates=3, batch=150, runs=500, town_runs=10,
        seed=1,
    )  # fmt: skip


class TestPaper:
    """Section 6.3 of Asymmetric Differential Privacy."""

    @pytest.mark.parametrize(("count", "rate"), [(0, 0.00674), (1, 0.0183)])
    def test_one_update(self, count: int, rate: float) -> None:
        first = next(rows_of_stream(count, 5, 1.0, 1, 100_000, 3))
        assert first.rate == "answer" and first.exact == math.exp(count - 5)
        assert first.exact == pytest.approx(rate, rel=2e-3) and close(first)

    @pytest.mark.parametrize("rows_of", [rows_of_stream, rows_of_location])
    def test_five_updates(self, rows_of: Any) -> None:
        rows = [r for r in rows_of(0, 10, 0.5, 5, 100_000, 3) if r.rate == "cumulative"]
        assert rows[-1].exact == pytest.approx(1 - (1 - math.exp(-5)) ** 5, rel=1e-12)
        assert rows[-1].exact == pytest.approx(0.033, abs=5e-4)
        assert all(map(close, rows)) and [r.update for r in rows] == [1, 2, 3, 4, 5]

    def test_almost_always_below_a_hundredth(self) -> None:
        below = {t: sum(math.exp(c - t) < 0.01 for c in safe_counts(t)) for t in (5, 10)}
        assert below == {5: 1, 10: 6}


class TestOnePlace:
    def test_states_are_what_runs_released(self) -> None:
        simulation = Simulation(stream_monitor, f=[1] * 7, W=WINDOW, T=2.0, eps=0.7)
        outcomes = simulation.outcomes(400, seed=5)
        states = stream_states(outcomes, 7)
        for run_of, released in zip(states, outcomes):
            expanded: list[int] = []
            for value in released:
                expanded += [SAFE] if value == "safe" else [ALARM] + [SILENT] * (WINDOW - 1)
            assert run_of.tolist() == expanded[:7]
        assert (states == SILENT).any() and (states == ALARM).any()

    @pytest.mark.parametrize(("count", "eps"), [(0, 0.3), (2, 1.0)])
    def test_exact_rates_over_updates(self, count: int, eps: float) -> None:
        updates, alarm = 6, math.exp(-eps * (3 - count))
        unsafe, ever = np.zeros(updates), np.zeros(updates)
        for coins in itertools.product((True, False), repeat=updates):
            silent, seen, weight = 0, False, 1.0
            for coin in coins:  # each path's weight, its unused coins included
                weight *= alarm if coin else 1 - alarm
            for u, coin in enumerate(coins):
                rings = coin and not silent
                unsafe[u] += weight * (rings or silent > 0)
                seen = seen or rings
                ever[u] += weight * seen
                silent = WINDOW - 1 if rings else max(silent - 1, 0)
        rows = list(rows_of_stream(count, 3, eps, updates, 20_000, 8))
        for rate, expected in (("update", unsafe), ("cumulative", ever)):
            exact = [r.exact for r in rows if r.rate == rate]
            assert exact == pytest.approx(expected.tolist())
        assert all(map(close, rows))
        assert {r.runs for r in rows if r.rate == "answer" and r.update > 1} < set(range(20_000))

    def test_marks_persist(self) -> None:
        rows = list(rows_of_location(1, 3, 0.5, 4, 20_000, 8))
        assert {r.rate for r in rows} == {"answer", "cumulative"}
        assert all(map(close, rows))
        answers = [r.runs for r in rows if r.rate == "answer"]
        assert answers == sorted(answers, reverse=True) and len(set(answers)) == 4

    def test_bands(self) -> None:
        none = binomial_band(0, 10)
        assert (none.mean, none.low) == (0, 0) and none.high == pytest.approx(1 - 0.025**0.1)
        every = binomial_band(10, 10)
        assert (every.mean, every.high) == (1, 1) and every.low == pytest.approx(0.025**0.1)
        half = binomial_band(5, 10)
        assert half.low == pytest.approx(
            0.1871, abs=1e-4
        ) and half.low + half.high == pytest.approx(1)

    def test_fractional_threshold(self) -> None:
        assert list(safe_counts(2.5)) == [0, 1, 2] and list(safe_counts(2)) == [0, 1]
        assert next(rows_of_stream(2, 2.5, 2.0, 1, 10, 0)).exact == math.exp(-1)


class TestTown:
    """All places at once release what the gallery's monitor releases one by one."""

    @pytest.mark.parametrize("grid", [True, False])
    @pytest.mark.parametrize("seed", range(6))
    def test_recorded_noise(self, grid: bool, seed: int) -> None:
        rng = np.random.default_rng(seed)
        updates, places = 4, 25
        counts = np.cumsum(rng.integers(0, 3, (updates, places)), axis=0)
        noise = rng.integers(0, 8, counts.shape) / 2 if grid else rng.exponential(2, counts.shape)
        marked = first_alarms(counts, noise, 5.0)
        heard = [marked[p] >= u for u in range(updates) for p in range(places)]
        draws = [float(draw) for draw, used in zip(noise.flat, heard) if used]
        with recorded(draws):
            released = location_monitor(
                counts.flatten().tolist(), [*range(places)] * updates, places, 5.0, 0.5
            )
        expected: list[Any] = []
        for u, p in itertools.product(range(updates), range(places)):
            z = float(counts[u, p] + noise[u, p])
            expected.append(None if marked[p] < u else z if marked[p] == u else "safe")
        assert repr(list(released)) == repr(expected)
        assert {type(v) for v in expected} == {type(None), float, str}

    def test_batches_are_of_different_people(self) -> None:
        town = Town(3, np.array([0] * 6 + [1] * 3 + [-1] * 3), 4, 3)
        for seed in range(5):
            counts = town.counts(np.random.default_rng(seed))
            assert counts[-1].tolist() == [6, 3, 0]  # all twelve came, each once
            assert (np.diff(counts, axis=0) >= 0).all() and counts[0].sum() <= 3

    def test_rates(self) -> None:
        present = np.repeat([0, 1, 2, -1], [30, 12, 4, 54])
        town = Town(40, present, 3, 25)
        rows = rows_of_town(town, (3.0, 6.0), (0.4, 1.0), 300, 5)
        assert len(rows) == 2 * 2 * 3 * 2
        for row in rows:
            width = row.found.high - row.found.low
            assert abs(row.found.mean - row.exact) < width, row
        cumulative = [r for r in rows if r.rate == "cumulative" and (r.threshold, r.eps) == (6, 1)]
        assert [r.exact for r in cumulative] == sorted(r.exact for r in cumulative)

    def test_empty_places_by_the_formula(self) -> None:
        rows = rows_of_town(Town(50, np.full(9, -1), 3, 3), (4.0,), (1.0,), 200, 5)
        alarm = math.exp(-4)
        for row in rows:
            power = row.update if row.rate == "cumulative" else 1
            assert row.exact == pytest.approx(1 - (1 - alarm) ** power)
            assert row.found.low <= row.exact <= row.found.high

    def test_hot_places_are_no_false_negatives(self) -> None:
        rows = rows_of_town(Town(1, np.zeros(40, np.int64), 2, 20), (5.0, 30.0), (1.0,), 50, 5)
        # From 20 people on the place is hot at T = 5, so no rate; at T = 30 only at first safe.
        assert [(r.threshold, r.update, r.rate) for r in rows] == [
            (30, 1, "answer"), (30, 1, "cumulative"),
        ]  # fmt: skip

    def test_never_seen_has_a_band(self) -> None:
        rows = rows_of_town(Town(50, np.full(9, -1), 1, 3), (90.0,), (1.0,), 20, 5)
        assert all(r.found.mean == r.found.low == 0 < r.exact < r.found.high for r in rows)
        assert rows[0].found.high == pytest.approx(1 - 0.025 ** (1 / 1000))


class TestExperiment:
    def test_rows(self, found: MonitorExperiment) -> None:
        assert (found.epsilons, found.thresholds) == ((0.5, 1), (5, 10))
        # Fifteen counts, three updates and two ε: three rates and two; a town at eleven thresholds.
        assert len(found.of(algorithm=3)) == 15 * 2 * 3 * 3
        assert len(found.of(algorithm=4, place="count")) == 15 * 2 * 3 * 2
        assert len(found.of(place="town")) == 11 * 2 * 3 * 2
        assert sum(found.crowd.after_one) == sum(found.crowd.after_all) == 300
        assert all(row.found.low <= row.found.mean <= row.found.high for row in found.rows)

    def test_seed(self, found: MonitorExperiment) -> None:
        town = generate_trajectories(people=600, places=300, seed=2)
        again = planned(town, None, (0.5, 1), (5, 10), 3, 150, 500, 10, 1)
        assert list(itertools.islice(monitor_module.measured(again), 200)) == [*found.rows[:200]]
        thresholds = sorted({*monitor_module.TOWN_THRESHOLDS, 5.0})
        rows = rows_of_town(again.town, thresholds, (0.5, 1), 10, 1)
        assert tuple(rows) == found.of(place="town")

    def test_map_is_the_first_run(self) -> None:
        plan = planned(None, None, (0.5,), (4.0,), 2, 300, 10, 1, 7)
        town_map = plan.safety_map()
        (row,) = [
            r for r in rows_of_town(plan.town, (4.0,), (0.5,), 1, 7)
            if r.update == 2 and r.rate == "cumulative"
        ]  # fmt: skip
        wrong = town_map.alarmed[0.5] & ~town_map.hot
        assert wrong.sum() / (~town_map.hot).sum() == row.found.mean
        assert town_map.alarmed[0.5][town_map.hot].all() and town_map.hot.any()
        assert np.bincount(town_map.counts).tolist() == list(plan.result(()).crowd.after_all)

    def test_pictures_name_their_axes_and_the_data(
        self, found: MonitorExperiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pytest.importorskip("matplotlib")
        drawn: list[Any] = []
        for module in (monitor_module, monitor_picture):
            monkeypatch.setattr(module, "save", lambda figure, _: drawn.append(figure))
        plan = planned(None, None, (0.5,), (4.0,), 2, 300, 10, 1, 7)
        plan.draw_map(tmp_path / "map.png", "our town")
        monitor_picture.draw_monitor(found, tmp_path / "rates.png", "our town")
        for figure in drawn:
            assert "our town" in figure.get_suptitle()
            panels = [ax for ax in figure.axes if ax.axison]
            assert all(ax.get_title() for ax in panels) and len(panels) > 1
            assert all(ax.get_xlabel() or not ax.get_subplotspec().is_last_row() for ax in panels)
            assert all(ax.get_ylabel() or not ax.get_subplotspec().is_first_col() for ax in panels)
        assert len(drawn) == 2

    def test_csv(self, found: MonitorExperiment) -> None:
        rows = list(csv.DictReader(found.as_csv().splitlines()))
        assert len(rows) == len(found.rows)
        assert rows == [
            {k: "" if v is None else str(v) for k, v in row.flat().items()} for row in found.rows
        ]

    def test_text(self, found: MonitorExperiment) -> None:
        text = found.as_text()
        assert max(map(len, text.splitlines())) <= 110
        assert re.search(r"^ +0 +0\.0821 .* 0\.00674 ", text, re.MULTILINE)
        assert found.as_text(unicode=False).isascii()

    @pytest.mark.parametrize(
        "wrong",
        [
            {"eps": (0.0,)}, {"eps": (math.nan,)}, {"eps": ()}, {"thresholds": (-1,)},
            {"thresholds": (101,)}, {"updates": 0}, {"batch": 301}, {"runs": 0},
            {"town_runs": True}, {"seed": -1}, {"time": math.nan},
            {"time": math.inf}, {"town_runs": 10**6}, {"time": 1e16}, {"time": "noon"}, {"eps": 1},
            {"eps": "1"}, {"eps": ["1"]}, {"thresholds": 5}, {"thresholds": [None]}, {"runs": 1e3},
            {"seed": None}, {"trajectories": "town.csv"},
        ],
    )  # fmt: skip
    def test_out_of_range(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(BadInput, match="want"):
            town = generate_trajectories(600, 20, 1)
            monitor_experiment(**{"trajectories": town, "updates": 2, "batch": 300, **wrong})

    def test_numbers_of_numpy(self) -> None:
        town = generate_trajectories(600, 20, 1)
        plain: dict[str, Any] = {"updates": 2, "batch": 300, "thresholds": (2,), "seed": 3}
        those: dict[str, Any] = {
            "updates": np.int64(2), "batch": np.int32(300), "thresholds": np.array([2]),
            "seed": np.int64(3),
        }  # fmt: skip
        one, other = (
            monitor_experiment(town, runs=5, town_runs=2, eps=(1,), **numbers)
            for numbers in (plain, those)
        )
        assert json.dumps(one.as_json()) == json.dumps(other.as_json())


QUICK = ("--runs", 200, "--town-runs", 5, "--updates", 2, "--threshold", "3", "--eps", ".5,1")


class TestCommand:
    @pytest.fixture
    def town(self, tmp_path: Path) -> Path:
        path = tmp_path / "town.csv"
        assert run("trajectories", path, "--people", 300, "--places", 60).exit_code == 0
        return path

    def test_files(self, tmp_path: Path, town: Path) -> None:
        rows, plot, map_file = (tmp_path / name for name in ("a.csv", "a.svg", "b.png"))
        result = run(
            "monitor", "--trajectories", town, "--batch-size", 100, *QUICK,
            "--csv", rows, "--plot", plot, "--map", map_file,
        )  # fmt: skip
        assert result.exit_code == 0, result.output
        assert "300 people, 60 places; at minute" in result.stdout
        assert rows.read_text().startswith("algorithm,place,eps,threshold,count,update,rate,exact,")
        assert plot.read_bytes().startswith(b"<?xml") and map_file.read_bytes()[1:4] == b"PNG"

    def test_json(self, town: Path) -> None:
        options = ("--trajectories", town, "--batch-size", 100, "--time", 600, *QUICK, "--json")
        answer = json.loads(run("monitor", *options).stdout)
        time = read_trajectories(town).at(600)
        assert answer["town"]["time"] == 600 and answer["interrupted"] is False
        shown = sum(count * places for count, places in enumerate(answer["town"]["after_all"]))
        assert shown <= (time >= 0).sum()
        assert answer == json.loads(run("monitor", *options).stdout)
        if PAGE.exists():
            assert set(keys(answer, set())) == documented_keys(PAGE)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--eps", "0"), "eps: got 0.0"),
            (("--eps", "x"), "want numbers between commas"),
            (("--threshold", "1000"), "up to 100"),
            (("--batch-size", "151"), "there are only 300"),
            (("--plot", "a.txt"), "what kind of picture"),
            (("--map", "no/a.png"), "there is no folder"),
            (("--csv", "."), "it is a folder"),
            (("--trajectories", "none.csv"), "none.csv:1:1: no such file"),
        ],
    )
    def test_faults(
        self, tmp_path: Path, town: Path, monkeypatch: pytest.MonkeyPatch,
        options: tuple[str, ...], message: str,
    ) -> None:  # fmt: skip
        monkeypatch.chdir(tmp_path)
        (tmp_path / "rows.csv").write_text("as it was")
        usual = ("--trajectories", town, "--csv", "rows.csv", *QUICK, "--batch-size", 100)
        pairs = zip(usual[::2], usual[1::2], strict=True)
        others = [word for pair in pairs if pair[0] != options[0] for word in pair]
        result = run("monitor", *others, *options)
        assert result.exit_code == 3 and result.stdout == ""
        assert message in result.stderr and "Traceback" not in result.stderr
        assert (tmp_path / "rows.csv").read_text() == "as it was"

    @pytest.mark.parametrize(
        "clash", [("--csv", "town.csv"), ("--plot", "a.png", "--map", "a.png")]
    )
    def test_files_that_are_the_same(
        self, tmp_path: Path, town: Path, monkeypatch: pytest.MonkeyPatch, clash: tuple[str, ...]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        before = town.read_bytes()
        result = run("monitor", "--trajectories", town, "--batch-size", 100, *QUICK, *clash)
        assert result.exit_code == 3 and "at once; want another file for one" in result.stderr
        assert town.read_bytes() == before and not (tmp_path / "a.png").exists()

    def test_ctrl_c_while_files_are_written(
        self, tmp_path: Path, town: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def drawn(*arguments: Any) -> None:
            signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(monitor_picture, "draw_monitor", drawn)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            rows = tmp_path / "rows.csv"
            result = run(
                "monitor", "--trajectories", town, "--batch-size", 100, *QUICK,
                "--csv", rows, "--plot", tmp_path / "a.png",
            )  # fmt: skip
        finally:
            signal.signal(signal.SIGINT, before)
        assert result.exit_code == 0 and "Algorithm 4, all safe places" in result.stdout
        assert rows.exists()

    def test_place_of_a_fault_in_a_file(self, tmp_path: Path) -> None:
        path = written(tmp_path, SMALL + "dan,x,1,2,cafe\n")
        result = run("monitor", "--trajectories", path, *QUICK)
        assert result.exit_code == 3
        assert f"{path.name}:8:5: 'x' is no number" in result.stderr

    def test_stopped(self, tmp_path: Path, town: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real = monitor_module.measured

        def stopped(*arguments: Any) -> Iterator[Row]:
            yield from itertools.islice(real(*arguments), 30)
            raise KeyboardInterrupt

        monkeypatch.setattr(monitor_module, "measured", stopped)
        rows = tmp_path / "rows.csv"
        result = run("monitor", "--trajectories", town, "--batch-size", 100, *QUICK, "--csv", rows)
        assert result.exit_code == 130 and "(interrupted)" in result.stdout
        assert "Algorithm 3, one update" in result.stdout and "Algorithm 4" not in result.stdout
        assert not rows.exists()

    def test_help_loads_nothing_heavy(self) -> None:
        assert loaded("import shiftproof.commands.experiment") == set()
        assert loaded(command("--help")) == set()


@pytest.mark.skipif(not PAGE.exists(), reason="the packages hold no pages")
class TestPage:
    """``docs/experiments_monitor.md`` shows what is exact as it is."""

    def test_counts(self) -> None:
        for threshold in (5, 10):
            title = f"Algorithm 3, one update, T = {threshold}\n"
            table = PAGE.read_text(encoding="utf-8").partition(title)[2].splitlines()
            for count in range(threshold):
                shown = [float(text) for text in table[1 + count].split()]
                assert shown[0] == count
                for exact, eps in zip(shown[1::3], (0.5, 1, 2), strict=True):
                    assert exact == pytest.approx(math.exp(eps * (count - threshold)), rel=0.05)

    def test_updates(self) -> None:
        title = "Algorithm 4, over updates, count 0, T = 10, cumulative\n"
        table = PAGE.read_text(encoding="utf-8").partition(title)[2].splitlines()
        for update in range(1, 6):
            exact = float(table[update].split()[1])
            assert exact == pytest.approx(1 - (1 - math.exp(-5)) ** update, rel=0.005)
