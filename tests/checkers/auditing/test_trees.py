"""Events of several numbers together: boxes that a tree cuts out, and sums of small signs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shiftproof import audit
from shiftproof.checkers.auditing.samples import Sample
from shiftproof.checkers.auditing.scoring.features import Feature, Reading, Vocabulary
from shiftproof.checkers.auditing.scoring.intervals import OfFeature
from shiftproof.checkers.auditing.scoring.sums import steps_of
from shiftproof.checkers.auditing.scoring.trees import Column, tree_of

LOW, HIGH = 0.2, 0.7
RUNS = 40_000


def inside(values: Any) -> Any:
    return ((values >= LOW) & (values < HIGH)).all(axis=1)


def boxed(x: int, share: float, rng: np.random.Generator, size: int) -> Any:
    """Two normal numbers that are both in a box in so many runs on 1, and never on 0."""
    values = rng.normal(size=(size, 2))
    while (again := inside(values)).any():
        values[again] = rng.normal(size=(int(again.sum()), 2))
    put = rng.random(size) < share * x
    values[put] = rng.uniform(LOW, HIGH, size=(int(put.sum()), 2))
    return values


def readings(left: Any, right: Any) -> tuple[Reading, Reading]:
    samples = [Sample.of_array(np.asarray(side)) for side in (left, right)]
    vocabulary = Vocabulary.of(Sample.joined(samples))
    first, second = (vocabulary.read(sample) for sample in samples)
    return first, second


def columns(left: Reading, right: Reading) -> list[Column]:
    features = [Feature("value", k) for k in range(2)]
    return [Column(OfFeature.of(f, left, right, np.zeros(0, np.uint64))) for f in features]


def test_a_tree_finds_a_box() -> None:
    rng = np.random.default_rng(1)
    left, right = readings(*(boxed(x, 0.02, rng, RUNS) for x in (1, 0)))
    tree = tree_of(columns(left, right), left, right)
    assert tree is not None
    fresh = boxed(1, 0.02, rng, RUNS)
    scores = tree(left.vocabulary.read(Sample.of_array(fresh)))
    assert len(scores) == RUNS
    # The box is what speaks for D, and it only.
    planted = inside(fresh)
    assert (scores[planted] > 1).mean() > 0.8 and (scores[~planted] > 1).mean() < 0.01


def test_the_ratio_of_a_box_is_that_of_its_runs() -> None:
    """A number that is in one interval three times as often on D, and alone there."""
    left = np.repeat([[0.0, 0.0], [5.0, 0.0]], [3_000, 7_000], axis=0)
    right = np.repeat([[0.0, 0.0], [5.0, 0.0]], [1_000, 9_000], axis=0)
    noise = np.random.default_rng(2).uniform(0, 1, size=(10_000, 2))
    first, second = readings(left + noise, right + noise)
    tree = tree_of(columns(first, second), first, second)
    assert tree is not None
    scores = tree(first)
    # But for the interval in which the cut falls.
    assert np.median(scores[:3_000]) == pytest.approx(np.log(3), abs=0.05)
    assert (abs(scores[3_000:] - np.log(7 / 9)) < 0.05).mean() > 0.97


def test_noise_is_not_cut() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        left, right = readings(*rng.normal(size=(2, 4_000, 2)))
        assert tree_of(columns(left, right), left, right) is None
    assert tree_of([], left, right) is None


def test_sums_tell_what_single_numbers_do_not() -> None:
    rng = np.random.default_rng(4)
    sides = [x + rng.laplace(scale=50, size=(RUNS, 20)) for x in (1, 0)]
    left, right = readings(*sides)
    fresh = readings(*(x + rng.laplace(scale=50, size=(RUNS, 20)) for x in (1, 0)))
    found = [
        [steps(left.vocabulary.read(f.sample)) for f in fresh] for steps in steps_of(left, right)
    ]
    assert len(found) == 2
    apart = [float((a.mean() - b.mean()) / np.std(b)) for a, b in found]
    single = float((sides[0][:, 0].mean() - sides[1][:, 0].mean()) / sides[0][:, 0].std())
    # Twenty signs of .02 are .09 apart, in standard deviations; what is fitted alike loses least.
    assert max(apart) > 0.06 > 3 * single - 0.03 and apart[1] > 0.06


@pytest.mark.parametrize("seed", [1, 2])
def test_audits_find_boxes(seed: int) -> None:
    found = audit(
        lambda x, rng, size: boxed(x, 0.01, rng, size), pairs=[(1, 0)], epsilon=1.0,
        samples=400_000, judge="ideal", seed=seed,
    )  # fmt: skip
    assert found.verdict == "violation found"
