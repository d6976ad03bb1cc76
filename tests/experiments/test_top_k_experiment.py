"""The top-k experiment: what it finds, that nothing else changes it, and the command."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from shiftproof import BadInput
from shiftproof.commands.cli import CommandLine
from shiftproof.commands.experiment import experiment
from shiftproof.estimators.bands import Band, bootstrapped, bootstrapped_columns
from shiftproof.experiments import top_k
from shiftproof.experiments.contenders import MECHANISMS
from shiftproof.experiments.point import Floats
from shiftproof.experiments.top_k import top_k_experiment

#: Ties, zeros, and a few large ones.
COUNTS = [3, 40, 0, 12, 12, 41, 7, 0, 12, 25, 1, 18]
#: So far apart that no noise changes which are the largest.
APART = [1e6 * i for i in range(12)]


def row(found: Any, name: str) -> Any:
    return next(r for r in found.rows if r.name == name)


class TestExperiment:
    def test_errors_are_those_of_theory_where_the_choice_is_clear(self) -> None:
        k, runs = 5, 4000
        found = top_k_experiment(APART, ks=[k], epsilons=[1], runs=runs)
        # In units of (k/ε)²; gaps bring (1 + r k)/(k + r k), r the ratio of variances.
        theory = {
            "asymmetric top-k, proved, raw": 2.0,
            "asymmetric top-k, proved, debiased": 1.0,
            "asymmetric top-k, measured again, measured": 4.0,
            "asymmetric top-k, measured again, with gaps": 4 * 6 / 10,
            "free-gap top-k, monotone, measured": 8.0,
            "free-gap top-k, monotone, with gaps": 8 * 6 / 10,
            "free-gap top-k, replacement, with gaps": 8 * 21 / 25,
            "free-gap top-k, as coded, measured": 32.0,
            "free-gap top-k, as coded, with gaps": 32 * 6 / 10,
            "asymmetric sparse vector, proved, raw": 2.0,
            "asymmetric sparse vector, proved, debiased": 1.0,
            "free-gap sparse vector, as coded, measured": 32.0,
        }
        for name, expected in theory.items():
            mse = row(found, name).mse
            margin = (mse.high - mse.low) / k**2  # twice that of the band
            assert abs(mse.mean / k**2 - expected) < margin < 0.15 * expected, name
        # A clear gap goes by half the price and twice the noise.
        coded = row(found, "asymmetric sparse vector, as coded, debiased")
        assert coded.mse.mean / k**2 == pytest.approx(4, rel=0.1) and coded.answers > k

    def test_accuracy_where_the_choice_is_clear(self) -> None:
        k = 5
        found = top_k_experiment(APART, ks=[k], epsilons=[1], runs=2000)
        for r in found.rows:
            if r.kind == "top-k":
                assert r.accuracy == Band(1, 1, 1) and r.answers == k
        # One of the i largest is as likely to be asked for first as another.
        share = sum(k / i for i in range(k, 2 * k + 1)) / (k + 1)
        exact = row(found, "asymmetric sparse vector, proved, raw").accuracy
        assert exact.low < share < exact.high and exact.high - exact.low < 0.03

    def test_the_asymmetric_one_is_not_better_for_every_epsilon(self) -> None:
        """Noise chooses what it has made large, if ε is small; without ε it is the other way."""
        counts = [10_000 / i for i in range(1, 1500)]
        found = top_k_experiment(
            counts, ks=[20], epsilons=[0.02, 5], runs=60, mechanisms=MECHANISMS[:2]
        )
        ratios = found.ratios("asymmetric top-k, proved, debiased")
        fair = "free-gap top-k, monotone, with gaps"
        assert ratios[20, 0.02][fair] < 0.5 < 2 < ratios[20, 5.0][fair]
        again = "asymmetric top-k, measured again, with gaps"
        assert ratios[20, 0.02][again] < ratios[20, 0.02][fair]

    def test_runs_without_an_answer_are_left_out_and_counted(self) -> None:
        found = top_k_experiment(
            [5.0, 0, 0], ks=[1], epsilons=[0.5], runs=400, mechanisms=["free-gap sparse vector"]
        )
        fair = row(found, "free-gap sparse vector, monotone, measured")
        assert 5 < fair.silent < 200 and math.isfinite(fair.mse.mean)
        assert fair.answers == pytest.approx(1 - fair.silent / 400)

    def test_nothing_depends_on_workers_nor_on_what_else_is_asked(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(top_k, "BLOCK", 7 * len(COUNTS))
        asked_for: dict[str, Any] = {"ks": [3], "epsilons": [2], "runs": 40, "seed": 9}
        here = top_k_experiment(COUNTS, **asked_for)
        monkeypatch.setattr(top_k, "TASK", 2)
        with ThreadPoolExecutor(3) as pool:
            assert repr(top_k_experiment(COUNTS, **asked_for, executor=pool)) == repr(here)
        part = top_k_experiment(
            COUNTS, ks=[3], epsilons=[2], runs=40, seed=9, mechanisms=MECHANISMS[2:3]
        )
        assert repr(part.rows) == repr(
            tuple(r for r in here.at(3, 2.0) if r.mechanism == MECHANISMS[2])
        )
        other = top_k_experiment(COUNTS, **{**asked_for, "seed": 8})
        assert all(a.mse != b.mse for a, b in zip(here.rows, other.rows, strict=True))

    def test_fewer_runs_are_the_first_of_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(top_k, "BLOCK", 7 * len(COUNTS))
        kept: list[Any] = []
        joined = top_k.Scores.joined

        def keep(parts: Any) -> Any:
            kept.append(joined(parts))
            return kept[-1]

        monkeypatch.setattr(top_k.Scores, "joined", staticmethod(keep))
        for runs in (10, 25):
            top_k_experiment(
                COUNTS, ks=[2], epsilons=[1], runs=runs, mechanisms=["asymmetric top-k"]
            )
        few, many = (s for s in kept[1::4])
        assert (len(few.accuracy), len(many.accuracy)) == (10, 25)
        assert (few.squared["raw"] == many.squared["raw"][:10]).all()

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"ks": [13]}, "k: got 13; want a whole number from 1 to 12, the number of items"),
            ({"ks": [0]}, "k: got 0; want"),
            ({"ks": [2.0]}, "k: got 2.0; want"),
            ({"ks": [True]}, "k: got True; want"),
            ({"ks": []}, "ks: got none; want at least one"),
            ({"ks": 5}, "ks: got 5; want a list"),
            ({"epsilons": 1.0}, "epsilons: got 1.0; want a list"),
            ({"mechanisms": None}, "mechanisms: got None; want a list"),
            ({"mechanisms": MECHANISMS[0]}, "mechanisms: got 'asymmetric top-k'; want a list"),
            ({"epsilons": [0]}, "epsilons: got 0; want numbers from 1e-6 to 1e6, in nats"),
            ({"epsilons": [math.nan]}, "epsilons: got nan; want"),
            ({"epsilons": ["1"]}, "epsilons: got '1'; want"),
            ({"epsilons": [1e7]}, "epsilons: got 10000000.0; want"),
            ({"runs": 0}, "runs: got 0; want a whole number from 1 to 1,000,000"),
            ({"runs": 10**7}, "runs: got 10000000; want"),
            ({"seed": -1}, "seed: got -1; want a whole number from 0 on"),
            ({"mechanisms": ["top"]}, "mechanisms: got 'top'; want some of asymmetric top-k, "),
            ({"mechanisms": []}, "mechanisms: got none"),
        ],
    )
    def test_bad_input(self, wrong: dict[str, Any], message: str) -> None:
        with pytest.raises(BadInput) as caught:
            top_k_experiment(COUNTS, **{"ks": [2], "runs": 10, **wrong})
        assert str(caught.value).startswith(message)

    @pytest.mark.parametrize(
        ("counts", "message"),
        [
            ([], "counts: want a list of at least one number, or the path of a basket file"),
            ([[1, 2]], "counts: want a list"),
            (["a"], "counts: want a list"),
            ([1, -1], r"counts\[1\]: got -1; want a number from 0 to 2\^53"),
            ([math.nan], r"counts\[0\]: got nan"),
            ("nowhere.dat", "no such file"),
        ],
    )
    def test_bad_counts(self, counts: Any, message: str) -> None:
        with pytest.raises(BadInput, match=message):
            top_k_experiment(counts, ks=[1])

    def test_ratios_want_a_row(self) -> None:
        found = top_k_experiment([1, 2], ks=[1], epsilons=[1], runs=2)
        with pytest.raises(BadInput, match="baseline: got 'x'; want one of asymmetric top-k, "):
            found.ratios("x")
        assert all(r["free-gap top-k, monotone, measured"] == 1 for r in found.ratios(
            "free-gap top-k, monotone, measured").values())  # fmt: skip


class TestBands:
    def test_against_scipy(self) -> None:
        from scipy.stats import bootstrap

        values = np.random.default_rng(4).exponential(size=900)
        found = bootstrapped(values, 1, resamples=2000)
        ends = bootstrap(
            (values,), np.mean, n_resamples=2000, method="percentile", rng=np.random.default_rng(2)
        ).confidence_interval
        width = ends.high - ends.low
        assert found.mean == pytest.approx(values.mean())
        assert abs(found.low - ends.low) < 0.08 * width
        assert abs(found.high - ends.high) < 0.08 * width

    def test_equal_values_and_columns(self) -> None:
        assert bootstrapped(np.full(50, 0.1), 1) == Band(0.1, 0.1, 0.1)
        assert bootstrapped(np.array([3.0]), 1) == Band(3, 3, 3)
        values: Floats = np.random.default_rng(5).normal(size=(200, 3))
        values[:, 1] = 7
        bands = bootstrapped_columns(values, 6)
        assert bands[1] == Band(7, 7, 7)
        alone = bootstrapped(values[:, 2].copy(), 6)
        assert bands[2].low == pytest.approx(alone.low) and bands[2].high > bands[2].low
        assert bootstrapped(values[:, 2], 6, confidence=0.5).low > alone.low


COMMANDS = CommandLine(name="shiftproof")
COMMANDS.add_command(experiment)


def run_command(*arguments: object) -> Result:
    return CliRunner().invoke(COMMANDS, ["experiment", "top-k", *map(str, arguments)])


@pytest.fixture
def baskets(tmp_path: Path) -> Path:
    """Item i, from 1 to 9, is in 10 i baskets."""
    file = tmp_path / "small.dat"
    lines = (" ".join(str(i) for i in range(1, 10) if 10 * i > n) for n in range(90))
    file.write_text("\n".join(lines) + "\n")
    return file


class TestCommand:
    def test_json_csv_and_text_agree(self, baskets: Path, tmp_path: Path) -> None:
        names = MECHANISMS[0], MECHANISMS[3]
        options = (baskets, "--k", "2,3", "--eps", ".5", "--runs", "50", "--seed", 4,
                   "--mechanism", names[0], "--mechanism", names[1])  # fmt: skip
        file = tmp_path / "rows.csv"
        result = run_command(*options, "--json", "--csv", file)
        assert result.exit_code == 0 and result.stderr == ""
        found = json.loads(result.stdout)
        same = top_k_experiment(
            [10 * i for i in range(1, 10)],
            ks=[2, 3],
            epsilons=[0.5],
            runs=50,
            seed=4,
            mechanisms=names,
        )
        assert found == same.as_json() and (found["items"], found["runs"]) == (9, 50)
        rows = list(csv.DictReader(io.StringIO(file.read_text())))
        assert [float(r["mse"]) for r in rows] == [r["mse"] for r in found["rows"]]
        assert {(r["k"], r["eps"]) for r in rows} == {("2", "0.5"), ("3", "0.5")}
        text = run_command(*options).stdout
        assert text.startswith("top-k of 9 items, 50 runs, seed 4\n")
        assert text.count("\nk = ") == 2 and max(map(len, text.splitlines())) <= 110
        line = next(x for x in text.splitlines() if x.startswith("asymmetric top-k, proved") and
                    "debiased" in x)  # fmt: skip
        assert line.endswith(" 1.00") and f"{same.rows[1].mse.mean:.3g}" in line

    def test_processes_give_the_same(self, baskets: Path) -> None:
        options = (baskets, "--k", "2", "--eps", "1", "--runs", "50", "--json",
                   "--mechanism", "free-gap top-k")  # fmt: skip
        here, there = run_command(*options), run_command(*options, "--executor", "processes:1")
        assert here.stdout == there.stdout and here.exit_code == there.exit_code == 0

    def test_json_has_no_nan(self, tmp_path: Path) -> None:
        file = tmp_path / "one.dat"
        file.write_text("7\n")
        options = (file, "--k", 1, "--eps", "1e-6", "--runs", 2, "--seed", 1)
        result = run_command(*options, "--json", "--csv", tmp_path / "a.csv")
        found = json.loads(result.stdout, parse_constant=lambda text: pytest.fail(text))
        silent = [r for r in found["rows"] if r["silent"] == 2]
        assert silent and all(r["mse"] is None for r in silent)
        assert ",,,,0.0," in (tmp_path / "a.csv").read_text()
        assert "2 runs without an answer" in run_command(*options).stdout

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--k", "10"), "k: got 10; want a whole number from 1 to 9, the number of items"),
            (("--k", "2,x"), "'2,x': want whole numbers between commas"),
            (("--eps", "0"), "epsilons: got 0.0; want"),
            (("--eps", "nan"), "'nan': want numbers between commas"),
            (("--eps", ""), "'': want numbers between commas"),
            (("--runs", "0"), "'0': want a whole number from 1 on"),
            (("--runs", "1e9"), "runs: got 1000000000; want"),
            (("--mechanism", "x"), "mechanisms: got 'x'; want"),
            (("--executor", "x"), "--executor 'x': no such executor"),
            (("--csv", "nowhere/a.csv"), "there is no folder nowhere"),
            (("--plot", "a.txt"), "what kind of picture?"),
        ],
    )
    def test_bad_input(self, baskets: Path, options: tuple[str, ...], message: str) -> None:
        usual = () if options[0] == "--k" else ("--k", "2")
        result = run_command(baskets, *usual, *options)
        assert result.exit_code == 3 and message in result.stderr
        assert result.stdout == "" and "Traceback" not in result.stderr

    def test_files_that_are_the_same(self, baskets: Path, tmp_path: Path) -> None:
        before = baskets.read_bytes()
        link = tmp_path / "link.csv"
        link.symlink_to(baskets)
        result = run_command(baskets, "--k", 2, "--runs", 5, "--csv", link)
        assert result.exit_code == 3 and "it is FILE and --csv at once" in result.stderr
        assert baskets.read_bytes() == before

    def test_a_file_that_is_none(self, tmp_path: Path) -> None:
        (tmp_path / "bad.dat").write_text("1 2\n3 x\n")
        result = run_command(tmp_path / "bad.dat")
        assert result.exit_code == 3 and "bad.dat:2:3: 'x' is no item id" in result.stderr
        assert run_command(tmp_path / "none.dat").exit_code == 3

    @pytest.fixture
    def listening(self) -> Iterator[None]:
        """Ctrl-C as it is at a terminal; what runs in the background may ignore it."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

    @pytest.mark.usefixtures("listening")
    @pytest.mark.parametrize("done", [0, 4])
    def test_ctrl_c(
        self, baskets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: int
    ) -> None:
        before, calls = top_k._done, []

        def stopped(task: Any) -> Any:
            calls.append(task)
            if len(calls) > done:
                signal.raise_signal(signal.SIGINT)
            return before(task)

        monkeypatch.setattr(top_k, "_done", stopped)
        monkeypatch.chdir(tmp_path)
        result = run_command(
            baskets, "--k", 2, "--runs", 20, "--csv", "a.csv", "--plot", "a.png", "--json"
        )
        assert result.exit_code == 130 and os.listdir(tmp_path) == ["small.dat"]
        if done:
            found = json.loads(result.stdout)
            assert found["interrupted"] is True
            assert len(found["rows"]) == 2 * done
        else:
            assert result.stderr == "Interrupted before anything was measured.\n"
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    @pytest.mark.parametrize("axis", [("--k", "1,2,3", "--eps", "1"), ("--k", 2, "--eps", "1,2")])
    def test_plot(self, baskets: Path, tmp_path: Path, axis: tuple[str, ...]) -> None:
        pytest.importorskip("matplotlib")
        file = tmp_path / "a.svg"
        only = ("--mechanism", MECHANISMS[0], "--mechanism", MECHANISMS[2])
        result = run_command(baskets, *axis, *only, "--runs", 20, "--plot", file)
        assert result.exit_code == 0 and file.read_bytes().startswith(b"<?xml")
