"""The batch simulator releases, run by run, what a plain call releases on the same noise."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import combinations, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shiftproof import BadInput, Laplace, LimitReached, Mechanism
from shiftproof.dsl.simulation import machine as endless
from shiftproof.dsl.simulation.outcomes import Ending, Outcomes
from shiftproof.dsl.simulation.simulate import SMALLEST, Simulation
from shiftproof.workspace.targets import gallery, one_mechanism
from tests.dsl.making import body, made
from tests.dsl.simulation.taping import Tape, Tapes, agree, examples, native, numbers, simulated
from tests.loading import load
from tests.places import PROGRAMS, REWRITES
from tests.sampling import every

GALLERY = {m.function.__name__: m for m in gallery(run=True)}
OWN = load(PROGRAMS / "dsl" / "simulated_mechanisms.py")
ATTACKS = [
    PROGRAMS / "attacks" / name
    for name in (
        "control/calls.py", "control/loops_and_branches.py", "noise/alignments_no_bijections.py",
        "noise/scales_and_ties.py", "values/lists.py", "values/meaning_in_python.py",
        "values/partial_operations.py",
    )
]  # fmt: skip
SPARSE = {"f": [3, 3, 4, 2, 3], "T": 3.0, "c": 2, "eps": 0.5}


@pytest.fixture(scope="module")
def sparse() -> Simulation:
    return Simulation(one_mechanism("numeric_sparse_vector"), **SPARSE)


def same(one: Outcomes, other: Outcomes) -> bool:
    arrays = zip(_arrays(one), _arrays(other), strict=True)
    return all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in arrays)


def _arrays(outcomes: Outcomes) -> list[Any]:
    found = (outcomes.lengths, outcomes.codes, outcomes.payload, outcomes.endings, outcomes.wrong)
    return [np.zeros(0) if a is None else a for a in found]


class TestRecordedNoise:
    """The same draws give the same releases, bit for bit and with the same types."""

    @pytest.mark.parametrize("name", every(5, GALLERY))
    def test_gallery(self, name: str) -> None:
        found = examples(GALLERY[name], 3, seed=1)
        assert found
        for seed, inputs in enumerate(found):
            assert agree(GALLERY[name], inputs, runs=60, seed=seed) == 0

    @pytest.mark.parametrize("name", OWN)
    def test_what_is_easily_got_wrong(self, name: str) -> None:
        raised = [agree(OWN[name], i, runs=300, seed=5) for i in examples(OWN[name], 4, seed=2)]
        some = name in ("raises_for_some", "scales_that_vary")
        assert any(raised) == some, raised

    @pytest.mark.parametrize("path", every(3, [*REWRITES, *ATTACKS]), ids=lambda p: p.stem)
    def test_files(self, path: Path) -> None:
        for mechanism in load(path).values():
            try:
                found = examples(mechanism, 1, seed=3)
            except Exception:
                continue  # what is outside the language is not simulated
            for inputs in found:
                _agree_where_runs_end(mechanism, inputs)

    def test_a_row_alone(self) -> None:
        mechanism, table = OWN["arms_that_end"], numbers(200, seed=8)
        inputs = {"f": (1, 2, 3), "T": 2.0, "c": 2, "eps": 1.0}
        outcomes = simulated(mechanism, inputs, table)
        for run in range(0, 200, 7):
            alone = simulated(mechanism, inputs, table[run : run + 1])
            assert alone[0] == outcomes[run]


def _agree_where_runs_end(mechanism: Mechanism[..., Any], inputs: dict[str, Any]) -> None:
    table = numbers(30, seed=4)
    outcomes = simulated(mechanism, inputs, table)
    for run in np.flatnonzero(outcomes.endings != Ending.UNFINISHED):
        alone = native(mechanism, inputs, Tape(table[run]))
        assert (alone is None) == (outcomes.endings[run] == Ending.RAISED)
        if alone is not None:
            assert repr(alone) == repr([(type(v), v) for v in outcomes[int(run)]])


class TestEnds:
    """Runs that raise or never end are told apart from those that end."""

    @pytest.mark.parametrize(
        "text",
        [
            "while True:\n    pass",
            "y = sample(Laplace(1 / eps))\nwhile True:\n    y = 0 - y",
            "k = 0\nwhile True:\n    k = k + 1",
            "yield 1\nwhile True:\n    y = sample(Laplace(1 / eps))",
        ],
    )
    def test_never(self, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(endless, "MOST_ROUNDS", 2_000)
        outcomes = Simulation(made(body(f"{text}\nyield 1", "x: Count")), x=1, eps=1.0).outcomes(9)
        assert (outcomes.endings == Ending.UNFINISHED).all()

    def test_only_some(self) -> None:
        text = (
            "y = sample(Laplace(1 / eps))\nwhile y > 0:\n    pass\nyield 1 / (1 if y < -1 else 0)"
        )
        outcomes = Simulation(made(body(text, "x: Count")), x=1, eps=1.0).outcomes(4000, seed=1)
        ends = np.bincount(outcomes.endings, minlength=3) / 4000
        assert abs(ends - [np.exp(-1) / 2, (1 - np.exp(-1)) / 2, 0.5]).max() < 0.04
        assert {outcome for outcome, _ in outcomes.counts()} == {(), (1.0,)}

    def test_long_loops_that_end(self) -> None:
        text = "k = 0\nwhile k < 1000:\n    k += 1\nyield k"
        outcomes = Simulation(made(body(text, "x: Count")), x=1, eps=1.0).outcomes(5)
        assert outcomes.counts() == [((1000,), 5)]

    @pytest.mark.parametrize(
        "text",
        [
            "n = sample(TwoSidedGeometric(1 / eps))\nfor k in range(60):\n    n = n + n\nyield n",
            "n = sample(TwoSidedGeometric(1e12))\nyield n * n",
            "n = sample(TwoSidedGeometric(3e9))\nfor k in range(9):\n    n = n * 65536\nyield n",
            "n = sample(Laplace(1e17))\nyield int(n)",
            "n = sample(TwoSidedGeometric(1e16))\nyield n",
            "n = sample(TwoSidedGeometric(1 / eps))\nyield 9223372036854775808 if n > 0 else n",
            "n = sample(TwoSidedGeometric(1 / eps))\nyield n / 9007199254740993",
            "yield 9223372036854775808",
        ],
    )
    def test_numbers_that_grow_too_large(self, text: str) -> None:
        simulation = Simulation(made(body(text, "x: Count")), x=1, eps=0.1)
        with pytest.raises(LimitReached, match="2\\^53"):
            simulation.outcomes(500, seed=1)


class TestBlocks:
    """The runs depend on the seed and on nothing else."""

    def test_fewer_runs_are_the_beginning_of_more(self, sparse: Simulation) -> None:
        all_of_them = sparse.outcomes(40_000, seed=3)
        for samples in (1, SMALLEST, SMALLEST + 1, 5_000, 39_999):
            assert same(sparse.outcomes(samples, seed=3), all_of_them[:samples])

    @pytest.mark.parametrize("size", [1, 7, SMALLEST, 1_000, 4_999, 9_000])
    def test_batches(self, sparse: Simulation, size: int) -> None:
        parts = list(sparse.batches(5_000, size, seed=3))
        assert {len(part) for part in parts[:-1]} <= {size}
        assert 0 < len(parts[-1]) <= size
        assert same(Outcomes.joined(parts), sparse.outcomes(5_000, seed=3))

    def test_map(self, sparse: Simulation) -> None:
        lengths = list(sparse.map(len, 5_000, seed=3))
        assert lengths == list(map(len, sparse.blocks(5_000, seed=3)))
        assert sum(lengths) == 5_000

    def test_seeds(self, sparse: Simulation) -> None:
        found = [sparse.outcomes(100, seed=seed) for seed in (2, 3, 4, 2**70)]
        assert not any(same(a, b) for a, b in combinations(found, 2))
        assert not same(sparse.outcomes(100), sparse.outcomes(100))

    def test_blocks_differ(self, sparse: Simulation) -> None:
        first, second, *_ = sparse.blocks(2 * SMALLEST, seed=3)
        assert not same(first, second)

    def test_memory_does_not_grow(self, sparse: Simulation) -> None:
        peaks = []
        for samples in (300_000, 3_000_000):
            tracemalloc.start()
            for _ in sparse.blocks(samples, seed=3):
                pass
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert peaks[1] < 1.2 * peaks[0]

    def test_blocks_of_large_runs_are_small(self) -> None:
        simulation = Simulation(one_mechanism("histogram"), f=[1] * 3_000, eps=1.0)
        sizes = list(map(len, simulation.blocks(1_100, seed=1)))
        assert sizes == [64, 64, 128, 256, 256, 256, 76]

    def test_long_lists(self) -> None:
        text = "kept = [0.0] * 30000\ny = sample(Laplace(1 / eps))\nkept[0] = y\nyield argmax(kept)"
        simulation = Simulation(made(body(text, "x: Count")), x=1, eps=1.0)
        assert max(map(len, simulation.blocks(1_000, seed=1))) <= 256

    @pytest.mark.parametrize("samples", [0, -1, 1.5, True, "10", None])
    def test_samples_out_of_range(self, sparse: Simulation, samples: Any) -> None:
        with pytest.raises(BadInput, match=r"samples: got .* at least 1"):
            sparse.blocks(samples)
        with pytest.raises(BadInput, match=r"size: got .* at least 1"):
            next(sparse.batches(10, samples))

    @pytest.mark.parametrize("seed", [-1, 0.5, True, "x"])
    def test_seed_out_of_range(self, sparse: Simulation, seed: Any) -> None:
        with pytest.raises(BadInput, match=r"seed: got .* not negative"):
            sparse.blocks(10, seed=seed)

    def test_endless_streams(self) -> None:
        stream = GALLERY["adaptive_stream_vector"]
        inputs = examples(stream, 1, seed=1)[0]
        (name,) = (n for n, kind in stream.inputs.items() if not kind.public)
        with pytest.raises(BadInput, match="more than 1000000 answers"):
            Simulation(stream, **{**inputs, name: repeat(1.0)})
        given = Simulation(stream, **{**inputs, name: iter([1.0] * 3)})
        listed = Simulation(stream, **{**inputs, name: [1.0] * 3})
        assert same(given.outcomes(200, seed=1), listed.outcomes(200, seed=1))

    def test_inputs_are_checked(self) -> None:
        with pytest.raises(BadInput, match="precondition"):
            Simulation(one_mechanism("sparse_vector"), **{**SPARSE, "c": 0})
        with pytest.raises(BadInput, match="missing"):
            Simulation(one_mechanism("sparse_vector"), f=[1])


class TestOutcomes:
    """Packed outcomes read as the tuples that they are."""

    @pytest.fixture
    def outcomes(self) -> Outcomes:
        inputs = {"f": (1, 2, 3, 1), "T": 2.0, "c": 2, "eps": 1.0}
        return simulated(OWN["arms_that_end"], inputs, numbers(400, 9))

    def test_counts(self, outcomes: Outcomes) -> None:
        counts = outcomes.counts()
        assert dict(counts) == Counter(iter(outcomes))
        assert [n for _, n in counts] == sorted((n for _, n in counts), reverse=True)
        assert len(counts) > 50

    def test_parts(self, outcomes: Outcomes) -> None:
        whole = list(outcomes)
        for part in (slice(0, 5), slice(100, 230), slice(399, 400), slice(7, 7), slice(350, 900)):
            assert list(outcomes[part]) == whole[part]
        assert outcomes[-1] == whole[-1]
        assert same(Outcomes.joined([outcomes[:150], outcomes[150:]]), outcomes)

    def test_wrong_answers(self) -> None:
        inputs = {"f": (1, 5), "T": 0.0, "c": 2, "eps": 1.0}
        assert not np.any(simulated(OWN["arms_that_end"], inputs, numbers(100, 9)).wrong)
        monitor = GALLERY["location_monitor_wrong_safe"]
        outcomes = [simulated(monitor, i, numbers(200, 9)) for i in examples(monitor, 20, seed=1)]
        assert any(o.wrong is not None and o.wrong.any() for o in outcomes)

    def test_tapes_differ(self) -> None:
        # What the comparison rests on: rows draw their own noise, each draw once.
        table = numbers(50, seed=1)
        one = Tapes(table)
        first = one.draw(_LAW, np.arange(50))
        second = one.draw(_LAW, np.arange(0, 50, 2))
        assert not np.array_equal(first[::2], second)


_LAW = Laplace(1.0)
