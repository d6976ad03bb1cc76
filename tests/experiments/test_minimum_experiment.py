"""The experiments on minimum finding: data, errors and fits, held against plain ones."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from shiftproof import BadInput, find_minimum, minimum_experiment
from shiftproof.commands.cli import main
from shiftproof.experiments.minimum import PLACES, _generated, _Split, _subsampled
from shiftproof.workspace.data.numbers import read_basket_sizes, read_numbers

#: Small sizes of baskets are frequent, large ones are rare: the two tails differ.
SIZES = np.repeat([1.0, 2.0, 3.0, 4.0, 6.0, 9.0, 20.0, 60.0], [900, 700, 500, 300, 150, 60, 12, 1])


class TestData:
    def test_iid_counts_are_those_of_drawn_values(self) -> None:
        """Counts below queries, in any order, have the joint law of values that are drawn."""
        rng = np.random.default_rng(4)
        queries = (0.1, 0.35, 0.2, 0.9)
        draw = _generated(2.0, iid=True).draw
        found = []
        for _ in range(20_000):
            least, below = draw(3, 6, rng)
            assert least == PLACES[3]
            found.append([below(least + q) for q in queries])
        values = np.sqrt(rng.random((20_000, 6)))
        plain = np.stack([(values < q).sum(axis=1) for q in queries], axis=1)
        for one, other in ((np.array(found), plain),):
            assert np.abs(one.mean(axis=0) - other.mean(axis=0)).max() < 0.03
            assert np.abs(np.cov(one.T) - np.cov(other.T)).max() < 0.04

    def test_a_query_that_was_asked_has_the_same_answer(self) -> None:
        rng = np.random.default_rng(1)
        _, below = _generated(1.0, iid=True).draw(0, 1000, rng)
        first = below(0.0)
        assert [below(-0.5), below(0.0), below(0.25), below(0.0)][1::2] == [first, first]

    def test_all_of_the_values_are_the_values(self) -> None:
        numbers = np.sort(np.random.default_rng(2).normal(size=500))
        _, below = _subsampled("minimum", numbers, -9, 9).draw(0, 500, np.random.default_rng(3))
        for query in (0.0, -1.0, 2.0, -8.0, 0.5):
            assert below(query) == int((numbers < query).sum())

    def test_subsamples_are_drawn_without_replacement(self) -> None:
        numbers = np.arange(10.0)
        rng = np.random.default_rng(5)
        draw = _subsampled("minimum", numbers, -1, 11).draw
        found = np.array(
            [[below(3.0), below(7.0)] for _, below in (draw(0, 5, rng) for _ in range(9000))]
        )
        picked = np.array([rng.choice(numbers, 5, replace=False) for _ in range(9000)])
        plain = np.stack([(picked < q).sum(axis=1) for q in (3, 7)], axis=1)
        assert np.abs(found.mean(axis=0) - plain.mean(axis=0)).max() < 0.04
        assert np.abs(np.cov(found.T) - np.cov(plain.T)).max() < 0.05

    def test_nothing_is_asked_of_an_empty_part(self) -> None:
        split = _Split(4, lambda q: 0.0 if q < 1 else 1.0, 1.0, lambda users, part, mass: users)
        assert split(0.5) == 4  # whatever falls into a part without mass is the law's business


class TestErrors:
    def test_they_are_those_of_the_search(self) -> None:
        """On given values, all of them, the errors are those that ``find_minimum`` makes."""
        values = np.linspace(-0.4, 0.9, 400)
        found = minimum_experiment(values, users=[400], epsilons=[3], runs=600, seed=1)
        (row,) = found.of(end="minimum", once=False)
        plain = [abs(find_minimum(values, 3, seed=k).value + 0.4) for k in range(600)]
        assert row.error == pytest.approx(np.mean(plain), abs=4 * np.std(plain) / 600**0.5 * 2**0.5)
        assert row.low <= row.error <= row.high

    def test_the_maximum_is_the_minimum_of_the_negated(self) -> None:
        both = {}
        for sign in (1, -1):
            values = sign * np.random.default_rng(1).beta(1, 3, 3000)
            found = minimum_experiment(values, users=[3000], epsilons=[2], runs=500)
            both[sign] = found.of(end="minimum" if sign > 0 else "maximum", once=True)[0].error
        assert both[1] == pytest.approx(both[-1], rel=0.15)

    def test_generated_values_have_the_rates_of_theory(self) -> None:
        """Section 6.1: slopes in N are as predicted, for each α, known or not."""
        users = [2**k for k in range(14, 25, 2)]
        for alpha in (1.0, 2.0):
            found = minimum_experiment(alphas=[alpha], users=users, epsilons=[1], runs=192)
            for fit in found.fits:
                assert fit.alpha == pytest.approx(alpha, rel=0.2), fit
                assert fit.low <= fit.alpha <= fit.high

    def test_two_runs_are_the_same_and_other_seeds_are_not(self) -> None:
        def rows(seed: int, epsilons: tuple[float, ...] = (1,)) -> list[float]:
            found = minimum_experiment(users=[256], epsilons=epsilons, runs=40, seed=seed)
            return [row.error for row in found.of(eps=1)]

        assert rows(1) == rows(1) != rows(2)
        assert rows(1) == rows(1, (1, 2))  # whatever else is asked

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ({"alphas": [0]}, "alphas: got 0; want numbers above 0"),
            ({"epsilons": [math.inf]}, "epsilons: got inf"),
            ({"users": [0]}, "users: got 0; want a whole number from 1"),
            ({"users": []}, "users: got none"),
            ({"runs": 0}, "runs: got 0"),
            ({"values": [0.5, 0.2], "users": [3]}, "to 2, the number of values"),
            ({"values": [2.0]}, "2.0"),
            ({"values": [0.5], "low": 1, "high": 0}, "low"),
        ],
    )
    def test_what_is_refused(self, arguments: dict[str, Any], said: str) -> None:
        with pytest.raises(BadInput, match="(?s)" + said.replace("(", r"\(")):
            minimum_experiment(**arguments)


def test_on_real_tails_the_rate_adapts() -> None:
    """Sections 6.2 and 6.3: the longer tail has the larger α, and so the slower rate."""
    found = minimum_experiment(
        SIZES, low=0, high=100, users=[256, 1024, 2600], epsilons=[2], runs=300
    )
    (short,) = (f for f in found.fits if f.series.end == "minimum" and f.series.once)
    (long,) = (f for f in found.fits if f.series.end == "maximum" and f.series.once)
    assert short.high < long.low


class TestCommand:
    def run(self, *arguments: str) -> str:
        found = CliRunner().invoke(main, ["experiment", "minimum", *arguments])
        assert found.exit_code == 0, found.output
        return found.stdout

    def test_generated(self, tmp_path: Path) -> None:
        plot, rows = tmp_path / "a.svg", tmp_path / "a.csv"
        small = ("--users", "64,256,1024", "--runs", "8", "--eps", "1,2,4")
        told = self.run(*small, "--plot", str(plot), "--csv", str(rows))
        assert "fixed, α = 1, minimum, α known, asked always" in told and "α over N" in told
        assert len(rows.read_text().splitlines()) == 1 + 8 * 3 * 3
        picture = plot.read_text()
        for text in ("minimum finding on generated values", "users N", "distance from the minimum"):
            assert text in picture

    def test_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "ages.txt"
        file.write_text("\n".join(map(str, SIZES)))
        told = json.loads(
            self.run(
                str(file), "--low", "0", "--high", "64", "--runs", "5", "--users", "50", "--json"
            )
        )
        assert told["values"] == len(SIZES) and len(told["rows"]) == 4 * 3
        baskets = tmp_path / "baskets.dat"
        baskets.write_text("1 2 3\n7\n7 8\n")
        assert read_basket_sizes(baskets).tolist() == [1, 2, 3]
        told = json.loads(
            self.run(
                str(baskets), "--baskets", "--low", "0", "--high", "4", "--runs", "2", "--json"
            )
        )
        assert told["values"] == 3

    def test_what_is_refused(self, tmp_path: Path) -> None:
        file = tmp_path / "x.txt"
        file.write_text("1.5\n2,5\n")
        for arguments, said in (
            ([str(file), "--low", "0", "--high", "9"], ":2:1: '2,5' is no number"),
            ([str(file)], "--low and --high"),
            (["--low", "0", "--high", "9"], "--low and --high"),
            (["--baskets"], "--baskets: there is no FILE"),
            ([str(tmp_path / "none"), "--low", "0", "--high", "9"], "cannot be read"),
        ):
            found = CliRunner().invoke(main, ["experiment", "minimum", *arguments])
            assert found.exit_code == 3 and said in found.output, found.output

    def test_numbers(self, tmp_path: Path) -> None:
        file = tmp_path / "x.txt"
        file.write_text("3\n-1.5\n2e3\n\n")
        assert read_numbers(file).tolist() == [3, -1.5, 2000]
        file.write_text("nan\n")
        with pytest.raises(BadInput, match="'nan' is no number"):
            read_numbers(file)
