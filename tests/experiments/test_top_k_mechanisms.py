"""The mechanisms of the top-k experiment: they run what the gallery has, and are scored right."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shiftproof import Exponential, Laplace
from shiftproof.experiments.contenders import (
    CONTENDERS,
    Contender,
    best_of_each_run,
    first_of,
    top_of,
    within_budget,
)
from shiftproof.experiments.point import Answers, Point, asked, scored
from shiftproof.mechanisms.asymmetric_sparse_vector import asymmetric_sparse_vector
from shiftproof.mechanisms.gap_sparse_vector import gap_sparse_vector
from shiftproof.mechanisms.noisy_max import asymmetric_noisy_argmax
from shiftproof.mechanisms.top_k import (
    asymmetric_top_k,
    asymmetric_top_k_measured,
    free_gap_top_k,
    noisy_top_k,
)
from tests.experiments.plain_top_k import released, scores, two_looks, with_gaps

RUNS = 30
#: Ties, zeros, and a few large ones.
COUNTS = [3, 40, 0, 12, 12, 41, 7, 0, 12, 25, 1, 18]


def generator() -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(20_220))


def at(k: int, eps: float) -> Point:
    counts = np.array(COUNTS, dtype=float)
    return Point(counts, np.sort(counts)[::-1], k, eps)


def contender(mechanism: str, calibration: str) -> Contender:
    name = f"{mechanism}, {calibration}"
    return next(c for c in CONTENDERS if c.name == name)


def answered(answers: Answers, run: int, estimate: str) -> list[tuple[int, float]]:
    of_run = answers.run == run
    items, values = answers.item[of_run], answers.estimates[estimate][of_run]
    return list(zip(items.tolist(), values.tolist(), strict=True))


def near(found: list[tuple[int, float]], expected: list[tuple[int, float]]) -> bool:
    """The same items, their values equal up to rounding."""
    items = [int(item) for item, _ in expected]
    values = pytest.approx([float(value) for _, value in expected], rel=1e-9, abs=1e-9)
    return [item for item, _ in found] == items and [value for _, value in found] == values


class TestTopK:
    @pytest.mark.parametrize("k", [1, 4, 12])
    @pytest.mark.parametrize("eps", [0.3, 4.0])
    def test_asymmetric_is_the_one_of_the_gallery(self, k: int, eps: float) -> None:
        found = contender("asymmetric top-k", "proved").run(at(k, eps), generator(), RUNS)
        noise = Exponential(k / eps).draw_many(generator(), RUNS * 12).reshape(RUNS, 12)
        for run in range(RUNS):
            expected, scales = released(asymmetric_top_k, noise[run], COUNTS, k, eps)
            raw = answered(found, run, "raw")
            assert [part for answer in raw for part in answer] == list(expected)
            assert scales == {k / eps}
            debiased = [value - k / eps for _, value in raw]
            assert [value for _, value in answered(found, run, "debiased")] == debiased
            if k == 1:
                argmax, _ = released(asymmetric_noisy_argmax, noise[run], COUNTS, eps)
                assert (raw[0][0],) == argmax

    @pytest.mark.parametrize("k", [2, 5])
    @pytest.mark.parametrize(
        ("calibration", "choosing", "measuring"),
        [("monotone", 2, 2), ("replacement", 4, 2), ("as coded", 4, 4)],
    )
    def test_free_gap_is_the_one_of_the_gallery(
        self, k: int, calibration: str, choosing: int, measuring: int
    ) -> None:
        eps = 2.0
        found = contender("free-gap top-k", calibration).run(at(k, eps), generator(), RUNS)
        source = generator()
        noise = Laplace(choosing * k / eps).draw_many(source, RUNS * 12).reshape(RUNS, 12)
        fresh = Laplace(measuring * k / eps).draw_many(source, RUNS * k).reshape(RUNS, k)
        # The gallery's budget for choosing; monotone counts cost half of it.
        budget = 2 * eps / choosing
        for run in range(RUNS):
            order, scales = released(noisy_top_k, noise[run], COUNTS, k, budget)
            assert scales == {choosing * k / eps}
            paired, scales = released(free_gap_top_k, noise[run], COUNTS, k - 1, budget)
            assert scales == {choosing * k / eps} and paired[::2] == order[:-1]
            measured = [COUNTS[i] + x for i, x in zip(order, fresh[run].tolist(), strict=True)]
            assert answered(found, run, "measured") == list(zip(order, measured, strict=True))
            both = with_gaps(measured, paired[1::2], (choosing / measuring) ** 2)
            items, values = zip(*answered(found, run, "with gaps"), strict=True)
            assert items == order and values == pytest.approx(both, rel=1e-9, abs=1e-9)

    def test_measured_again_chooses_with_half_of_the_budget(self) -> None:
        k, eps = 3, 2.0
        run = contender("asymmetric top-k", "measured again").run
        found, source = run(at(k, eps), generator(), RUNS), generator()
        noise = Exponential(2 * k / eps).draw_many(source, RUNS * 12).reshape(RUNS, 12)
        fresh = Exponential(2 * k / eps).draw_many(source, RUNS * k).reshape(RUNS, k)
        for run_ in range(RUNS):
            both = np.concatenate([noise[run_], fresh[run_]])
            chosen, scales = released(asymmetric_top_k_measured, both, COUNTS, k, eps)
            assert scales == {2 * k / eps}
            gaps = [a - b for a, b in zip(chosen[1::3], chosen[4::3])]
            measured = [value - 2 * k / eps for value in chosen[2::3]]
            assert answered(found, run_, "measured") == list(zip(chosen[::3], measured))
            values = [value for _, value in answered(found, run_, "with gaps")]
            assert values == pytest.approx(with_gaps(measured, gaps, 1), rel=1e-9, abs=1e-9)

    def test_ties(self) -> None:
        rng = np.random.default_rng(7)
        values = rng.integers(0, 4, (200, 9)).astype(float)
        for k in range(1, 10):
            expected = [sorted(range(9), key=lambda i: (-row[i], i))[:k] for row in values]
            assert top_of(values, k).tolist() == expected


class TestSparseVector:
    @pytest.mark.parametrize("k", [1, 3, 12])
    def test_asymmetric_is_the_one_of_the_gallery(self, k: int) -> None:
        eps = 1.5
        found = contender("asymmetric sparse vector", "proved").run(at(k, eps), generator(), RUNS)
        source = generator()
        order, threshold = asked(at(k, eps), source, RUNS)
        noise = Exponential(k / eps).draw_many(source, RUNS * 12).reshape(RUNS, 12)
        for run in range(RUNS):
            f = [COUNTS[i] for i in order[run]]
            bar = float(threshold[run])
            expected, scales = released(asymmetric_sparse_vector, noise[run], f, [bar] * 12, k, eps)
            assert scales == {k / eps}
            above = [(order[run, j], z) for j, z in enumerate(expected) if z is not None]
            assert answered(found, run, "raw") == above
            debiased = [(item, z - k / eps) for item, z in above]
            assert answered(found, run, "debiased") == debiased

    @pytest.mark.parametrize("k", [1, 3])
    @pytest.mark.parametrize(("calibration", "factor"), [("monotone", 1), ("replacement", 2)])
    def test_free_gap_is_the_one_of_the_gallery(
        self, k: int, calibration: str, factor: int
    ) -> None:
        eps = 3.0
        run_of = contender("free-gap sparse vector", calibration).run
        found, source = run_of(at(k, eps), generator(), RUNS), generator()
        # ε/2 for choosing, of which the queries have (factor k)^(2/3) times what the threshold has.
        one = (eps / 2) / (1 + (factor * k) ** (2 / 3))
        two = eps / 2 - one
        order, threshold = asked(at(k, eps), source, RUNS)
        shift = Laplace(1 / one).draw_many(source, RUNS)
        noise = Laplace(factor * k / two).draw_many(source, RUNS * 12).reshape(RUNS, 12)
        fresh = iter(Laplace(1).draw_many(source, len(found.run)).tolist())
        silent = 0
        for run in range(RUNS):
            f = [COUNTS[i] for i in order[run]]
            bar = float(threshold[run])
            gaps, _ = released(gap_sparse_vector, [shift[run], *noise[run]], f, bar, k, eps)
            above = [(order[run, j], gap) for j, gap in enumerate(gaps) if gap is not None]
            scale = len(above) / (eps / 2)
            measured = [(i, COUNTS[i] + scale * next(fresh)) for i, _ in above]
            assert near(answered(found, run, "measured"), measured)
            noisy = 2 / one**2 + 2 * (factor * k / two) ** 2
            weights = 1 / (2 * scale**2) if above else 0.0, 1 / noisy
            both = [
                (i, (weights[0] * alpha + weights[1] * (gap + bar)) / sum(weights))
                for (i, alpha), (_, gap) in zip(measured, above, strict=True)
            ]
            assert near(answered(found, run, "with gaps"), both)
            silent += not above
        assert silent or k > 1  # some run has no answer

    def test_thresholds_are_among_the_counts_from_k_to_2k(self) -> None:
        for k in (1, 3, 8):
            order, threshold = asked(at(k, 1.0), generator(), 2000)
            allowed = sorted(COUNTS, reverse=True)[k - 1 : 2 * k]
            assert set(threshold.tolist()) == set(allowed)
            assert (np.sort(order, axis=1) == np.arange(12)).all()
        places = np.mean(order == 0, axis=0)
        assert np.abs(places - 1 / 12).max() < 0.02  # an item is asked for anywhere

    def test_the_first_that_reach_it(self) -> None:
        rng = np.random.default_rng(3)
        reached = rng.random((100, 9)) < 0.4
        for limit in (1, 2, 9):
            run, column = first_of(reached, limit)
            expected = [(r, c) for r in range(100) for c in np.flatnonzero(reached[r])[:limit]]
            assert list(zip(run.tolist(), column.tolist(), strict=True)) == expected


class TestTwoBranches:
    def test_the_budget(self) -> None:
        rng = np.random.default_rng(5)
        first, second = rng.normal(size=(300, 14)), rng.normal(size=(300, 14))
        for k in (1, 2, 5):
            run, column, cheap = within_budget(first, second, 0.8, k)
            for r in range(300):
                own = run == r
                places = list(zip(column[own].tolist(), cheap[own].tolist(), strict=True))
                expected = two_looks(first[r].tolist(), second[r].tolist(), 0.8, k)
                assert places == [(place, half) for place, _, half in expected]

    @pytest.mark.parametrize("k", [1, 4])
    def test_asymmetric(self, k: int) -> None:
        eps = 40.0
        run_of = contender("asymmetric sparse vector", "as coded").run
        found, source = run_of(at(k, eps), generator(), RUNS), generator()
        order, threshold = asked(at(k, eps), source, RUNS)
        gaps = np.array(COUNTS)[order] - threshold[:, None]
        first = gaps + Exponential(2 * k / eps).draw_many(source, RUNS * 12).reshape(RUNS, 12)
        share = k ** (2 / 3) / (1 + k ** (2 / 3))
        sigma = 8 * math.sqrt(2) * k / (eps * share)
        looked = (first > 0) & (first < sigma)
        second = np.full(first.shape, -1.0)
        second[looked] = gaps[looked] + Exponential(k / eps).draw_many(source, looked.sum())
        cheap = 0
        for run in range(RUNS):
            answers = two_looks(first[run].tolist(), second[run].tolist(), sigma, k)
            expected = [
                (order[run, place], gap + threshold[run] - (2 if half else 1) * k / eps)
                for place, gap, half in answers
            ]
            assert near(answered(found, run, "debiased"), expected)
            cheap += sum(half for _, _, half in answers)
        assert 0 < cheap < len(found.run)  # both branches were taken

    @pytest.mark.parametrize("k", [1, 4])
    def test_free_gap(self, k: int) -> None:
        eps = 40.0
        run_of = contender("free-gap sparse vector", "as coded").run
        found, source = run_of(at(k, eps), generator(), RUNS), generator()
        order, threshold = asked(at(k, eps), source, RUNS)
        one = (eps / 2) / (1 + k ** (2 / 3))
        two, size = eps / 2 - one, RUNS * 12
        gaps = np.array(COUNTS)[order] - threshold[:, None]
        first = gaps + Laplace(4 * k / two).draw_many(source, size).reshape(RUNS, 12)
        first -= Laplace(2 / one).draw_many(source, size).reshape(RUNS, 12)
        sigma = 8 * math.sqrt(2) * k / two
        looked = (first > 0) & (first < sigma)
        second = np.full(first.shape, -1.0)
        second[looked] = gaps[looked] + Laplace(2 * k / two).draw_many(source, looked.sum())
        second[looked] -= Laplace(2 / one).draw_many(source, looked.sum())
        fresh = Laplace(4 * k / eps).draw_many(source, len(found.run)).tolist()
        count = 0
        for run in range(RUNS):
            expected = []
            for place, gap, half in two_looks(first[run].tolist(), second[run].tolist(), sigma, k):
                alpha = COUNTS[order[run, place]] + fresh[count]
                precisions = (
                    (eps / 2) ** 2 / (8 * k**2),
                    (two / 2 if half else two) ** 2 / (8 * (1 + k ** (2 / 3)) ** 3),
                )
                value = precisions[0] * alpha + precisions[1] * (gap + threshold[run])
                expected.append((order[run, place], value / sum(precisions)))
                count += 1
            assert near(answered(found, run, "with gaps"), expected)
        assert count == len(found.run)

    def test_of_more_than_k_answers_the_k_largest_count(self) -> None:
        run = np.array([0, 0, 0, 2, 2, 2, 2])
        value = np.array([1.0, 3.0, 3.0, 5.0, 1.0, 9.0, 7.0])
        best = best_of_each_run(run, value, 2)
        assert best.tolist() == [False, True, True, False, False, True, True]
        assert best_of_each_run(run[:0], value[:0], 2).tolist() == []


class TestScores:
    def test_against_plain_python(self) -> None:
        rng = np.random.default_rng(11)
        run = np.sort(rng.integers(0, 20, 50))
        item, value = rng.integers(0, 12, 50), rng.normal(10, 9, 50)
        found = scored(Answers(run, item, {"raw": value}), np.array(COUNTS, dtype=float), 3, 25)
        assert found.answers.sum() == 50 and np.isnan(found.squared["raw"]).sum() >= 5
        for r in range(25):
            of_run = [(int(i), float(v)) for i, v in zip(item[run == r], value[run == r])]
            error, accuracy = scores(of_run, COUNTS, 3)
            assert found.accuracy[r] == pytest.approx(accuracy)
            assert found.squared["raw"][r] == pytest.approx(
                math.nan if error is None else error, nan_ok=True
            )

    def test_equal_counts_are_all_right_and_missing_answers_wrong(self) -> None:
        counts = np.array([5.0, 5.0, 5.0, 9.0])
        answers = Answers(np.array([0, 0, 1]), np.array([2, 3, 0]), {"raw": np.zeros(3)})
        assert scored(answers, counts, 2, 3).accuracy.tolist() == [1.0, 0.5, 0.0]
