"""``audit``: what it finds, what it does not, and that it is the same wherever it runs."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from shiftproof import (
    ADP,
    DP,
    Audit,
    BadInput,
    CallableBox,
    Count,
    Counts,
    Epsilon,
    Laplace,
    Mechanism,
    Policy,
    Public,
    Unsupported,
    audit,
    mechanism,
    one_mechanism,
    pairs_of_relation,
    sample,
)
from shiftproof.checkers.auditing.audit import prepare
from shiftproof.workspace.executors import worker_processes
from shiftproof.workspace.targets import gallery
from tests.programs.checkers import audited_functions as functions
from tests.sampling import every

ONE_STEP = [(0.0, 1.0)]


def found(target: Any, pairs: Any, **options: Any) -> Audit:
    return audit(target, pairs=pairs, **{"seed": 7, "samples": 200_000, **options})


class TestFound:
    @pytest.mark.parametrize(
        ("function", "pair", "loss"),
        [
            (functions.laplace_of_half, (0.0, 1.0), 2.0),
            (functions.bits, ((1, *[0] * 19), (0, 1, *[0] * 18)), 2.0),
            (functions.counts_up, (1, 0), math.log(1.5)),
            (functions.hidden_in_the_difference, (1.0, 0.0), 2.0),
            (functions.clamped, (0.0, 2.0), 2.0),
        ],
    )
    def test_nearly_all_of_the_loss(self, function: Any, pair: Any, loss: float) -> None:
        options = {"samples": 30_000} if function is functions.counts_up else {}
        result = found(function, [pair], judge="ideal", **options)
        assert 0.7 * loss < result.lower_bound <= loss
        wrong = found(function, [pair], epsilon=0.7 * loss, judge="ideal", **options)
        assert wrong.verdict == "violation found" and wrong.runs < wrong.asked

    def test_outputs_of_all_kinds(self) -> None:
        result = found(functions.word, [(1, 0)], samples=20_000, epsilon=0.5)
        assert result.verdict == "violation found"
        assert "'yes'" in result.tested[0].event and "None" in result.tested[0].event

    def test_exceptions_are_outputs(self) -> None:
        result = found(functions.aborts, [(1, 0)], samples=20_000, epsilon=1.0)
        assert result.verdict == "violation found" and "raises" in result.tested[0].event
        assert any("ArithmeticError" in note for note in result.notes)

    def test_an_event_that_only_one_side_can_produce(self) -> None:
        result = found(functions.one_sided, [(0.0, 1.0)], epsilon=3.0, stop=False)
        assert result.verdict == "violation found" and result.lower_bound > 8
        best = result.tested[0]
        assert best.on_right == 0 and best.log_ratio == math.inf

    def test_a_rare_event(self) -> None:
        result = found(functions.rare, [(1, 0)], epsilon=0.1, samples=400_000)
        assert result.verdict == "violation found" and result.tested[0].event.endswith("7")

    def test_only_with_the_bits_of_floats(self) -> None:
        """The noise of NumPy at 0 is finer than that at 1."""
        ideal = found(functions.laplace, ONE_STEP, epsilon=1.0, samples=400_000, judge="ideal")
        code = found(functions.laplace, ONE_STEP, epsilon=1.0, samples=400_000, stop=False)
        assert ideal.verdict == "no violation found" and ideal.code is None
        assert code.code is not None and code.code.verdict == "violation found"
        assert code.ideal.verdict == "no violation found"
        assert code.lower_bound > 4 and not code.tested[0].ideal


class TestDirection:
    """Only what is owed is judged: D' is a neighbour of D, not the other way round."""

    def test_mangat(self) -> None:
        owed = found(functions.mangat, [(1, 0)], epsilon=math.log(2.001))
        assert owed.verdict == "no violation found"
        other = found(functions.mangat, [(0, 1)], epsilon=math.log(2.001), stop=False)
        assert other.verdict == "violation found" and other.lower_bound > 4

    def test_one_sided_noise(self) -> None:
        owed = found(functions.one_sided, [(1.0, 0.0)], epsilon=1.02, judge="ideal")
        assert owed.verdict == "no violation found" and owed.lower_bound > 0.9

    def test_of_a_policy(self) -> None:
        @mechanism(ADP(Policy({1})))
        def shifted(f: Count, eps: Epsilon) -> float:
            noise = sample(Laplace(1 / (2 * eps)))
            return f + noise

        result = audit(shifted, given={"eps": 1.0}, seed=1, exact=False, samples=100_000)
        assert result.verdict == "violation found"
        assert all(t.left["f"] >= t.right["f"] for t in result.tested)


class TestLanguage:
    @pytest.mark.parametrize(
        "name",
        every(3, ["noisy_max_value", "sparse_vector_no_query_noise", "asymmetric_top_k_typeset",
         "location_monitor_unmarked", "smart_sum_raw_blocks"]),
    )  # fmt: skip
    def test_incorrect_ones_are_found(self, name: str) -> None:
        result = audit(one_mechanism(name), seed=1, samples=3_000_000, confidence=0.99)
        assert result.verdict == "violation found"

    @pytest.mark.parametrize(
        "name",
        every(5, sorted(m.function.__name__ for m in gallery() if m.expect == "proved")[::6]),
    )
    def test_no_audit_contradicts_a_proof(self, name: str) -> None:
        result = audit(one_mechanism(name), seed=1, samples=100_000, confidence=0.999, exact=False)
        assert result.verdict == "no violation found"

    def test_pairs_of_ones_own(self) -> None:
        target = one_mechanism("laplace")
        pairs = [({"f": 3.0}, {"f": 4.0}), ("named", {"f": 1.0}, {"f": 0.0})]
        result = audit(target, pairs=pairs, given={"eps": 1.0}, seed=1, samples=100_000)
        assert result.claim == 1.0 and result.pairs == 2 and result.public == {"eps": 1.0}
        assert result.verdict == "no violation found" and 0.85 < result.lower_bound < 1.0

    def test_streams_are_read_before(self) -> None:
        result = audit(one_mechanism("adaptive_stream_vector"), seed=1, samples=20_000)
        assert result.verdict == "no violation found" and result.lower_bound > 0

    def test_another_claim_than_its_own(self) -> None:
        target = one_mechanism("laplace")
        assert audit(target, epsilon=0.5, given={"eps": 1.0}, seed=1).verdict == "violation found"

    def test_the_runs_choose_public_inputs(self) -> None:
        """Where exact likelihoods say nothing; in `given` ones nothing is chosen."""

        @mechanism(DP())
        def twice(n: Count, k: Public[int], eps: Epsilon) -> float:
            noise = sample(Laplace(1 / eps))
            return n + n + noise if k >= 2 else n + noise

        options: dict[str, Any] = {"seed": 1, "exact": False, "samples": 100_000}
        result = audit(twice, **options)
        assert result.verdict == "violation found"
        assert result.public["k"] >= 2
        kept = audit(twice, given={"k": 1}, **options)
        assert kept.verdict == "no violation found"
        assert kept.public["k"] == 1

    def test_public_inputs_must_be_equal(self) -> None:
        pair = ({"f": 3.0, "eps": 1.0}, {"f": 4.0, "eps": 2.0})
        with pytest.raises(BadInput, match="public inputs must be the same"):
            audit(one_mechanism("laplace"), pairs=[pair])

    def test_an_input_that_is_no_mapping(self) -> None:
        with pytest.raises(BadInput, match="a mapping with values for f, eps is needed"):
            audit(one_mechanism("laplace"), pairs=[(1.0, 2.0)])

    def test_outside_the_language(self) -> None:
        @mechanism(DP())
        def unreadable(f: Count, eps: Epsilon) -> float:
            return float(np.random.default_rng().laplace(f, 1 / eps))

        with pytest.raises(Unsupported, match="audit a function that calls it"):
            audit(unreadable)

    def test_thresholds_and_lists(self) -> None:
        @mechanism(DP())
        def argmin(f: Counts, T: Public[float], eps: Epsilon) -> int:
            smallest, at = f[0], 0
            for i in range(len(f)):
                noise = sample(Laplace(1 / eps))
                if f[i] + noise < smallest + T:
                    smallest, at = f[i] + noise, i
            return at

        result = audit(argmin, given={"eps": 0.5, "T": 0.0}, seed=1, exact=False)
        assert result.claim == 0.5 and result.verdict == "violation found"


class TestTheSame:
    """With one seed, on any executor."""

    def test_executors(self) -> None:
        options: dict[str, Any] = {"epsilon": 1.0, "stop": False, "samples": 300_000}
        here = found(functions.laplace, ONE_STEP, **options)
        with ThreadPoolExecutor(3) as threads:
            assert found(functions.laplace, ONE_STEP, executor=threads, **options).tested == (
                here.tested
            )
        with worker_processes(2) as processes:
            there = found(functions.laplace, ONE_STEP, executor=processes, **options)
        assert (there.tested, there.lower_bound, there.runs) == (
            here.tested, here.lower_bound, here.runs,
        )  # fmt: skip

    def test_seeds(self) -> None:
        one = found(functions.laplace, ONE_STEP, epsilon=1.0)
        assert one.tested == found(functions.laplace, ONE_STEP, epsilon=1.0).tested
        assert one.tested != found(functions.laplace, ONE_STEP, epsilon=1.0, seed=4).tested

    def test_a_mechanism_of_the_language(self) -> None:
        target: Mechanism[..., Any] = one_mechanism("noisy_argmax")
        here = audit(target, seed=2, samples=50_000, exact=False)
        with worker_processes(2) as processes:
            there = audit(target, seed=2, samples=50_000, exact=False, executor=processes)
        assert (there.tested, there.verdict) == (here.tested, here.verdict)


class TestResult:
    def test_it_stops_or_goes_on(self) -> None:
        short = found(functions.laplace_of_half, ONE_STEP, epsilon=1.0)
        long = found(functions.laplace_of_half, ONE_STEP, epsilon=1.0, stop=False)
        assert short.runs < long.runs / 2 and long.runs <= long.asked
        assert long.lower_bound > short.lower_bound

    def test_tolerance(self) -> None:
        strict = found(functions.laplace_of_half, ONE_STEP, epsilon=1.5, judge="ideal")
        kind = found(functions.laplace_of_half, ONE_STEP, epsilon=1.5, tolerance=0.6, judge="ideal")
        assert strict.verdict == "violation found"
        assert kind.verdict == "no violation found" and kind.ideal.allowed == pytest.approx(2.1)

    def test_what_could_have_been_seen(self) -> None:
        result = found(functions.laplace, ONE_STEP, epsilon=1.0, judge="ideal")
        amounts = [v.epsilon for v in result.visible if v.epsilon is not None]
        assert amounts == sorted(amounts) and amounts[0] < 1.1
        assert result.visible[-1].epsilon is None

    def test_more_runs_see_more(self) -> None:
        few = found(functions.laplace, ONE_STEP, epsilon=1.0, judge="ideal", samples=20_000)
        many = found(functions.laplace, ONE_STEP, epsilon=1.0, judge="ideal", samples=500_000)
        for one, other in zip(few.visible, many.visible, strict=True):
            assert other.epsilon is None or one.epsilon is None or other.epsilon < one.epsilon

    def test_without_a_claim(self) -> None:
        result = found(functions.laplace, ONE_STEP, judge="ideal")
        assert result.claim is None and result.judgement.p_value is None
        assert result.verdict == "no violation found" and result.lower_bound > 0.9


class TestRelations:
    @pytest.mark.parametrize(
        ("text", "count"), [("number", 4), ("all:5", 16), ("one:3", 4), ("all-falling:2", 4)]
    )
    def test_pairs(self, text: str, count: int) -> None:
        assert len(pairs_of_relation(text)) == count

    def test_directions_and_steps(self) -> None:
        for _, left, right in pairs_of_relation("one-falling:4", 0.5):
            falls = [a - b for a, b in zip(left, right, strict=True)]
            assert sorted(falls) == [0, 0, 0, 0.5]

    @pytest.mark.parametrize("text", ["", "number:1", "all", "all:0", "some:3", "all:x"])
    def test_others_are_refused(self, text: str) -> None:
        with pytest.raises(BadInput, match="no such relation"):
            pairs_of_relation(text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": -0.1}, "epsilon: got -0.1; a number from 0.0001 to 100 is needed"),
        ({"epsilon": 400}, "epsilon: got 400; a number from 0.0001 to 100 is needed"),
        ({"pairs": 5}, "pairs: got 5; a list of pairs"),
        ({"pairs": [(0.0, 1.0)] * 40}, "samples: got 5,000 for 40 pairs; at least 8,000"),
        ({"executor": "processes"}, "executor: got 'processes'"),
        ({"pairs": None, "relation": 3}, "relation: got 3"),
        ({"pairs": None, "relation": "number", "sensitivity": 1e308}, "sensitivity: got 1e\\+308"),
        ({"epsilon": math.nan}, "epsilon: got nan"),
        ({"epsilon": "1"}, "epsilon: got '1'"),
        ({"confidence": 1.0}, "confidence: got 1.0"),
        ({"tolerance": -0.1}, "tolerance: got -0.1"),
        ({"samples": 10}, "samples: got 10; an int of at least 1000"),
        ({"samples": 1e6}, "samples: got 1000000.0"),
        ({"seed": -1}, "seed: got -1"),
        ({"judge": "both"}, "judge: got 'both'"),
        ({"pairs": []}, "pairs: got none"),
        ({"pairs": [3]}, "pairs: got 3"),
        ({"pairs": None}, "no pairs of inputs"),
        ({"relation": "number"}, "give pairs, a relation or a space"),
        ({"given": {"eps": 1}}, "only a mechanism of the language"),
    ],
)
def test_bad_input(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        audit(functions.laplace, **{"pairs": ONE_STEP, "samples": 5_000, **options})


def test_boxes_can_be_given() -> None:
    box = CallableBox(functions.one_at_a_time)
    result = audit(box, pairs=ONE_STEP, samples=5_000, seed=1, judge="ideal")
    assert result.mechanism == "one_at_a_time" and 0 < result.lower_bound < 1


def test_nothing_to_bet_on_is_no_more_than_that() -> None:
    result = audit(lambda x: "c", epsilon=1.0, pairs=ONE_STEP, samples=5_000, seed=1)
    assert not result.tested
    assert any("none looked more likely on D" in note for note in result.notes)


def test_an_audit_that_is_stopped_while_it_learns_says_what_it_learnt() -> None:
    def shifted(x: float, rng: np.random.Generator, size: int) -> Any:
        return 3 * x + rng.laplace(size=size)

    prepared = prepare(shifted, epsilon=1.0, pairs=[(0.0, 1.0), (1.0, 0.0)], samples=50_000, seed=1)

    def stop(runs: int, seconds: float) -> None:
        if prepared.search.learning.hope is not None:
            raise KeyboardInterrupt

    prepared.run(show=stop)
    (note,) = (n for n in prepared.result().notes if "It was stopped while it learnt" in n)
    assert "number 1" in note and "which is no test yet" in note
