"""Summaries of runs: what they say is what the outcomes say, and they stay small."""

from __future__ import annotations

import io
import json
import math
import pickle
import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from shiftproof import Ending, Outcomes, Simulation
from shiftproof.dsl.simulation.outcomes import FIRST_ATOM, FLOAT, INT, TRUE
from shiftproof.showing.account import Answers
from shiftproof.showing.answers.simulations import WIDTH, of_simulation
from shiftproof.showing.formats import rendered
from shiftproof.showing.summaries.as_json import as_json
from shiftproof.showing.summaries.counts import (
    ANY_FLOAT,
    BARS,
    KEPT,
    SINGLE,
    VALUES,
    Numbers,
    bins_for,
    numbers_of,
    quantile,
)
from shiftproof.showing.summaries.summary import POSITIONS, Simulated, Summariser, Summary
from shiftproof.workspace.targets import one_mechanism

ATOMS = (None, "above")
Run = Sequence[Any]


def outcomes(
    runs: Sequence[Run], endings: Sequence[Ending] = (), wrong: Sequence[bool] | None = None
) -> Outcomes:
    """Outcomes made by hand."""
    codes, payload = [], []
    for value in (v for run in runs for v in run):
        bits = 0
        if isinstance(value, bool):
            code = TRUE if value else TRUE - 1
        elif isinstance(value, int):
            code, bits = INT, value
        elif isinstance(value, float):
            code, bits = FLOAT, int(np.float64(value).view(np.int64))
        else:
            code = FIRST_ATOM + ATOMS.index(value)
        codes.append(code)
        payload.append(bits)
    return Outcomes(
        np.array([len(run) for run in runs], np.int64),
        np.array(codes, np.uint8),
        np.array(payload, np.int64) if any(payload) or INT in codes or FLOAT in codes else None,
        np.array(endings or [Ending.END] * len(runs), np.uint8),
        None if wrong is None else np.array(wrong, np.bool_),
        ATOMS,
    )


def summary(parts: Sequence[Outcomes]) -> Summary:
    summarise = Summariser.after(parts[0])
    found = Summary(summarise.bins)
    for part in parts:
        found.add(pickle.loads(pickle.dumps(summarise(part))))
    return found


def account(found: Summary, samples: int | None = None) -> Simulated:
    return Simulated("m", {"x": 1}, samples or found.runs, 7, 0.5, found)


def as_text(found: Simulated) -> str:
    return rendered(Answers("simulate", (of_simulation(found),), 0, single=True), "text")


def masked(run: Run) -> tuple[str, ...]:
    return tuple("<float>" if isinstance(v, float) else repr(v) for v in run)


def random_runs(rng: random.Random, n: int) -> list[list[Any]]:
    def value() -> Any:
        return rng.choice([None, "above", True, False, rng.randrange(-3, 3), rng.gauss(5, 2)])

    return [[value() for _ in range(rng.randrange(4))] for _ in range(n)]


class TestTable:
    @pytest.mark.parametrize("seed", range(5))
    def test_counts_what_came(self, seed: int) -> None:
        rng = random.Random(seed)
        runs = [random_runs(rng, 400) for _ in range(3)]
        found = summary([outcomes(part) for part in runs])
        expected = Counter(masked(run) for part in runs for run in part)
        counts = {
            tuple(map(repr, outcome.values)): count
            for outcome, count in found.table.most_frequent(10**6)
        }
        assert counts == expected
        assert found.table.others == 0
        assert list(counts.values()) == sorted(counts.values(), reverse=True)

    def test_tells_endings_apart(self) -> None:
        runs = [[1], [1], [1], [True], [0], [], [None]]
        endings = [Ending.END, Ending.RAISED, Ending.UNFINISHED, *[Ending.END] * 4]
        found = summary([outcomes(runs, endings)])
        assert len(found.table.counts) == 7
        assert found.endings == {Ending.END: 5, Ending.RAISED: 1, Ending.UNFINISHED: 1}
        text = as_text(account(found))
        assert "1, then an exception" in text and "1, then no end" in text
        assert "  raised  1 run (14.29 %) ended with an exception" in text
        assert "(nothing)" in text

    def test_large_and_negative_ints(self) -> None:
        runs = [[2**53 - 1, -(2**53) + 1], [0, -1], [-1, 0], [256, 1]] * 2
        found = summary([outcomes(runs)])
        assert {o.values: n for o, n in found.table.most_frequent(9)} == {
            tuple(run): 2 for run in runs
        }

    def test_long_ones_count_by_their_beginning(self) -> None:
        same = [[1] * 40, [1] * 39 + [2]]
        found = summary([outcomes([*same, [1] * 41])])
        assert [(o.length, n) for o, n in found.table.most_frequent(9)] == [(40, 2), (41, 1)]
        assert found.table.most_frequent(1)[0][0].values == (1,) * VALUES
        assert "16 × 1, … 24 more" in as_text(account(found))

    def test_no_more_are_kept_than_fit(self) -> None:
        n = 2**16
        parts = [outcomes([[k + j * n] for k in range(n)] + [[5]] * n) for j in range(3)]
        found = summary(parts)
        assert len(found.table.counts) == KEPT
        assert found.table.others == found.runs - sum(found.table.counts.values())
        ((first, count),) = found.table.most_frequent(1)
        assert first.values == (5,) and count == 3 * n + 1
        assert len(pickle.dumps(Summariser()(parts[0]))) < 2**18
        assert as_json(account(found))["outcomes"]["complete"] is False
        text = as_text(account(found))
        assert "… all others" in text and "the counts are at least these" in text


class TestNumbers:
    @pytest.mark.parametrize("offset", [0.0, 1e9])
    def test_moments(self, offset: float) -> None:
        values = np.random.default_rng(1).laplace(offset, 2, 10_000)
        parts = np.split(values, [1, 2, 64, 3000])
        found = Numbers()
        for part in parts:
            found.add(numbers_of(part, False, None))
        assert found.count == 10_000
        assert found.mean == pytest.approx(values.mean(), rel=1e-14)
        assert found.deviation == pytest.approx(values.std(ddof=1), rel=1e-7)
        assert (found.least, found.most) == (values.min(), values.max())

    def test_quantiles(self) -> None:
        values = np.random.default_rng(2).laplace(100, 2, 50_000)
        bins = bins_for(values[:2000], False)
        assert bins is not None
        found = numbers_of(values, False, bins)
        for share in (0.05, 0.25, 0.5, 0.75, 0.95):
            near = quantile(found, bins, share)
            assert near == pytest.approx(np.quantile(values, share), abs=bins.step)
        assert quantile(found, bins, 0.0) is None
        assert quantile(found, None, 0.5) is None

    def test_quantiles_of_whole_numbers_are_exact(self) -> None:
        values = np.random.default_rng(3).binomial(50, 0.3, 50_000).astype(float)
        bins = bins_for(values[:2000], True)
        assert bins is not None and bins.step == 1
        found = numbers_of(values, True, bins)
        for share in (0.05, 0.25, 0.5, 0.75, 0.95):
            exact = np.quantile(values, share, method="inverted_cdf")
            assert quantile(found, bins, share) == exact

    def test_what_is_not_finite_is_counted_apart(self) -> None:
        values = np.array([1.0, math.inf, math.nan, 3.0])
        found = numbers_of(values, False, bins_for(values, False))
        assert (found.count, found.special, found.mean) == (2, 2, 2.0)
        nothing = numbers_of(values[1:3], False, None)
        assert (nothing.count, nothing.special) == (0, 2)
        found = summary([outcomes([[math.inf], [math.nan], [1e308], [-1e308]] * 2)])
        text = json.dumps(as_json(account(found)), allow_nan=False)
        assert json.loads(text)["positions"][0]["not_finite"] == 4
        assert "50.00 % not finite" in as_text(account(found))

    def test_ints_and_floats_together(self) -> None:
        found = summary([outcomes([[1], [2.5], [None], [True], []])])
        (position,) = as_json(account(found))["positions"]
        assert (position["ints"], position["floats"], position["runs"]) == (1, 1, 4)
        assert position["values"] == [{"value": None, "count": 1}, {"value": True, "count": 1}]
        assert position["numbers"]["mean"] == 1.75


CLOUDS = [
    np.random.default_rng(k).laplace(centre, scale, 2000)
    for k, (centre, scale) in enumerate([(0, 1), (412, 2), (-3, 1e-9), (1e12, 1), (0, 1e200)])
]


class TestBins:
    @pytest.mark.parametrize("values", CLOUDS)
    def test_hold_almost_all(self, values: NDArray[np.float64]) -> None:
        bins = bins_for(values, False)
        assert bins is not None and BARS / 3 <= bins.bars <= BARS + 2
        places = bins.counted(values)
        assert places.sum() == len(values) and len(places) == bins.count + 2
        assert places[0] + places[-1] <= 0.01 * len(values)
        limits = [bins.limit(k) for k in range(bins.bars + 1)]
        expected, _ = np.histogram(values, limits)
        found = places[1:-1].reshape(bins.bars, bins.fine).sum(axis=1)
        assert np.abs(found - expected).sum() <= 2  # limits are decimals, not quite doubles

    @pytest.mark.parametrize("width", [1, 2, 29, 30, 100, 1000, 12345])
    def test_whole_numbers_are_never_parted(self, width: int) -> None:
        values = np.arange(7.0, 7 + width)
        bins = bins_for(values, True)
        assert bins is not None and bins.whole
        assert bins.step == int(bins.step) and bins.low == int(bins.low)
        assert (bins.width == 1) == (width <= SINGLE)
        assert bins.counted(values)[1:-1].sum() >= 0.99 * width

    @pytest.mark.parametrize("values", [[], [math.nan], [math.inf], [-1e308, 1e308]])
    def test_none(self, values: list[float]) -> None:
        assert bins_for(np.array(values), False) is None

    @pytest.mark.parametrize("value", [0.0, 5.0, -1e15, 1e-12])
    def test_a_single_value(self, value: float) -> None:
        for whole in (False, True):
            bins = bins_for(np.full(10, value), whole)
            assert bins is not None and bins.bars == 1
            assert bins.counted(np.full(10, value))[1:-1].sum() == 10


class TestSummary:
    def test_says_what_the_outcomes_say(self) -> None:
        values = {"f": [1, 5, 2, 8], "T": [3.0] * 4, "c": 2, "eps": 1.0}
        simulation = Simulation(one_mechanism("asymmetric_sparse_vector"), **values)
        parts = list(simulation.blocks(20_000, seed=1))
        found = as_json(account(summary(parts)))
        runs = list(Outcomes.joined(parts))
        lengths = [len(run) for run in runs]
        assert found["lengths"] == {
            "least": min(lengths),
            "mean": sum(lengths) / 20_000,
            "most": max(lengths),
        }
        counts = Counter(masked(run) for run in runs)
        listed = found["outcomes"]["most_frequent"]
        assert [entry["count"] for entry in listed] == sorted(counts.values(), reverse=True)
        for entry in listed:
            key = ["<float>" if isinstance(v, dict) else repr(v) for v in entry["values"]]
            assert counts[tuple(key)] == entry["count"] == round(entry["share"] * 20_000)
        for k, position in enumerate(found["positions"]):
            numbers = [run[k] for run in runs if len(run) > k and run[k] is not None]
            nothing = sum(len(run) > k and run[k] is None for run in runs)
            assert position["values"] == ([{"value": None, "count": nothing}] if nothing else [])
            assert position["numbers"]["count"] == position["floats"] == len(numbers)
            assert position["numbers"]["mean"] == pytest.approx(np.mean(numbers), rel=1e-12)
            assert position["numbers"]["most"] == max(numbers)

    def test_wrong_claims(self) -> None:
        found = summary([outcomes([[1], [2]]), outcomes([[1], [2]], wrong=[True, False])])
        assert found.wrong == 1
        assert "  ensure  1 run (25.00 %) released something that is wrong" in as_text(
            account(found)
        )
        assert summary([outcomes([[1]])]).wrong is None

    def test_positions_are_limited(self) -> None:
        found = summary([outcomes([[1.5] * 30, [2.5] * 3])])
        assert len(found.positions) == POSITIONS and found.longer == 1
        text = as_text(account(found))
        assert "(positions after 8, which 1 run (50.00 %) has, are not shown)" in text

    def test_a_position_that_comes_late_has_no_histogram(self) -> None:
        found = summary([outcomes([[1.5]]), outcomes([[1.5, 3]])])
        late = as_json(account(found))["positions"][1]["numbers"]
        assert late["histogram"] is None and late["quantiles"] == {} and late["mean"] == 3
        assert " ? " in as_text(account(found))


class TestText:
    def test_ascii(self, monkeypatch: pytest.MonkeyPatch) -> None:
        runs = [[random.Random(k).gauss(0, 1)] + [k % 2] * (k % 3) for k in range(300)]
        found = summary([outcomes(runs)])
        answers = Answers("simulate", (of_simulation(account(found)),), 0, single=True)
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
        text = rendered(answers, "text", printed=True)
        assert text.isascii() and "#" in text
        assert max(map(len, text.splitlines())) <= 100

    def test_bars(self) -> None:
        found = summary([outcomes([[1]] * 80 + [[2]] * 40 + [[4]])])
        bars = as_text(account(found)).split("\n\n")[-1]
        assert bars == f"1  80  {'█' * WIDTH}\n2  40  {'█' * (WIDTH // 2)}\n3   0\n4   1  ▌"

    def test_bars_of_several_whole_numbers(self) -> None:
        found = summary([outcomes([[k] for k in range(100)])])
        bars = as_text(account(found)).split("\n\n")[-1]
        assert bars.splitlines()[0].startswith("  0 to 4  5  ███")
        assert bars.splitlines()[-1].startswith("95 to 99  5  ███")

    def test_interrupted(self) -> None:
        text = as_text(account(summary([outcomes([[1]] * 1000)]), 10**9))
        assert text.startswith("m: interrupted after 1,000 of 1,000,000,000 runs\n")
        assert as_json(account(summary([outcomes([[1]])]), 2))["interrupted"] is True

    def test_any_float_is_shown_as_one(self) -> None:
        assert repr(ANY_FLOAT) == "<float>"
