"""Audits of one-sided claims: what is wrong is found, what is right never is."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
import pytest

from shiftproof import (
    ADP,
    DP,
    BadInput,
    Count,
    Counts,
    DataSet,
    Epsilon,
    Exponential,
    LimitReached,
    Mechanism,
    NegativeExponential,
    OneSidedGeometric,
    Policy,
    Public,
    Queries,
    Query,
    Stream,
    TwoSidedGeometric,
    count,
    ensure,
    mechanism,
    sample,
)
from shiftproof.checkers.auditing.edges import one_sided_rate_adp, one_sided_rate_attained
from shiftproof.checkers.auditing.one_sided import OneSidedAudit, audit_one_sided
from shiftproof.dsl.language.flow import EnsureNode
from shiftproof.workspace.targets import gallery
from tests.programs.checkers import one_sided_mechanisms as known
from tests.sampling import every

visited = Policy(sensitive={1})
NAMED = {n: m for n, m in vars(known).items() if isinstance(m, Mechanism)}
CLAIMING = [
    m for m in gallery() if any(isinstance(n, EnsureNode) for n in m.program.inlined.flow.nodes)
]


def audited(target: Any, inputs: Any = None, **options: Any) -> OneSidedAudit:
    return audit_one_sided(target, inputs, **{"samples": 2000, "seed": 1, **options})


# Mechanisms whose verdict is known.


@pytest.mark.parametrize("m", every(2, CLAIMING), ids=lambda m: m.function.__name__)
def test_the_gallery(m: Mechanism[..., Any]) -> None:
    found = audited(m)
    expected = "no wrong answer found" if m.expect == "proved" else "refuted"
    assert found.verdict == expected, found.as_text()


def test_the_gallery_has_both() -> None:
    assert {m.expect for m in CLAIMING} == {"proved", "refuted"} and len(CLAIMING) >= 5


@pytest.mark.parametrize("name", every(4, [n for n in NAMED if n.startswith("right")]))
def test_what_is_proved_is_never_wrong(name: str) -> None:
    found = audited(NAMED[name])
    assert found.verdict == "no wrong answer found", found.as_text()
    assert len(found.inputs) >= 20 and all(row.wrong == 0 for row in found.inputs)


@pytest.mark.parametrize("name", every(2, [n for n in NAMED if n.startswith(("wrong", "unseen"))]))
def test_what_is_wrong_is_seen(name: str) -> None:
    """Also where the verifier finds no run."""
    assert audited(NAMED[name]).verdict == "refuted"


# At the edge.


@mechanism(ADP(visited))
def wrong_at_ties(f: Annotated[float, Query()], T: Public[float], eps: Epsilon) -> str:
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise <= T:
        ensure(f < T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def wrong_right_above(f: Annotated[float, Query()], T: Public[float], eps: Epsilon) -> str:
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise < T + 2e-15:
        ensure(f <= T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def wrong_at_a_constant(f: Count, eps: Epsilon) -> str:
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise <= 1000:
        ensure(f < 1000)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def wrong_between_integers(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(OneSidedGeometric(1 / eps))
    if f + noise < T:
        ensure(f <= T - 1)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def wrong_by_rounding(f: Annotated[float, Query()], T: Public[float], eps: Epsilon) -> str:
    noise = sample(Exponential(1 / eps))
    if f + 1 + noise <= T:
        ensure(f < T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def wrong_by_rounding_of_a_count(f: Count, T: Public[float], eps: Epsilon) -> str:
    noise = sample(Exponential(1 / eps))
    if f + 0.5 + noise <= T:
        ensure(f < T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def wrong_for_equal_answers(f: Counts, eps: Epsilon) -> Iterator[str]:
    for i in range(1, len(f)):
        noise = sample(NegativeExponential(1 / eps))
        if f[i] + noise < f[0] + 1 / 4:
            ensure(f[i] != f[0] + 1)
            yield "not above by 1"
        else:
            yield "above"


def seen(r: tuple[int, ...]) -> bool:
    return r[0] == 1


@mechanism(ADP(visited))
def wrong_about_records(
    data: Annotated[Sequence[Sequence[int]], DataSet(1)], T: Public[float], eps: Epsilon
) -> str:
    noise = sample(OneSidedGeometric(1 / eps))
    if count(seen, data) + noise <= T:
        ensure(count(seen, data) < T)
        return "safe"
    return "alarm"


@mechanism(ADP(visited))
def wrong_in_a_stream(
    answers: Annotated[Sequence[float], Stream(direction="decreasing")],
    T: Public[float],
    eps: Epsilon,
) -> Iterator[str]:
    for x in answers:
        noise = sample(OneSidedGeometric(1 / eps))
        if x + noise <= T:
            ensure(x < T)
            yield "safe"
        else:
            return


@mechanism(ADP(visited))
def right_in_a_loop_without_end(
    f: Annotated[Sequence[float], Queries(direction="decreasing")],
    T: Public[float],
    eps: Epsilon,
) -> int:
    rounds = 0
    x = 0.0
    while x < T:
        x = x + 1
        rounds = rounds + 1
    ensure(x >= T)
    return rounds


EDGES = [
    wrong_at_ties, wrong_right_above, wrong_at_a_constant, wrong_between_integers,
    wrong_by_rounding, wrong_by_rounding_of_a_count, wrong_for_equal_answers,
    wrong_about_records, wrong_in_a_stream,
]  # fmt: skip


@pytest.mark.parametrize("m", EDGES, ids=lambda m: m.function.__name__)
def test_inputs_at_the_edge(m: Mechanism[..., Any]) -> None:
    assert audited(m).verdict == "refuted"


def test_wrong_at_ties_only() -> None:
    for row in audited(wrong_at_ties).inputs:
        assert (row.wrong > 0) == (row.inputs["f"] == row.inputs["T"])
        assert row.example == ("'safe'" if row.wrong else "")


def test_rounding_is_seen_where_numbers_are_large() -> None:
    broken = [row.inputs for row in audited(wrong_by_rounding).inputs if row.wrong]
    assert {2.0**53, 1e300} <= {inputs["f"] for inputs in broken}
    assert all(inputs["f"] >= 2**52 for inputs in broken)


def test_loops_do_not_count_to_large_numbers() -> None:
    found = audited(right_in_a_loop_without_end)
    assert found.verdict == "no wrong answer found"
    assert max(row.inputs["T"] for row in found.inputs) <= 100


# Bounds and rows.


@pytest.mark.parametrize(("samples", "confidence"), [(1, 0.95), (500, 0.9), (70_000, 0.999)])
def test_the_bound_where_nothing_is_wrong(samples: int, confidence: float) -> None:
    given = [{"f": 3, "T": 5.0, "eps": 1.0}]
    found = audited(known.right_safe, given, samples=samples, confidence=confidence)
    (row,) = found.inputs
    assert (row.runs, row.wrong, row.failed, row.rate) == (samples, 0, 0, None)
    assert row.bound == pytest.approx(1 - (1 - confidence) ** (1 / samples), rel=1e-9)
    assert (found.confidence, found.seed, found.left_out) == (confidence, 1, 0)


def test_the_bound_where_something_is_wrong() -> None:
    given = [{"f": 5, "T": 5, "eps": math.log(2)}, {"f": 6, "T": 5, "eps": 1.0}]
    always, never = audited(known.wrong_safe_at_the_threshold, given).inputs
    assert 900 < always.wrong < 1100 and always.wrong / 2000 < always.bound < 0.55
    assert never.wrong == 0 and never.inputs == given[1]
    (row,) = audited(known.first_of_two_wrong, [{"f": 9, "T": 1.0, "eps": 1.0}]).inputs
    assert row.wrong == row.runs == 2000 and row.bound == 1


def test_a_bound_is_too_low_as_rarely_as_it_says() -> None:
    """A wrong answer of probability 1/100: for how many seeds is the bound below it?"""
    eps = -math.log(0.99)
    given = [{"f": 5, "T": 5, "eps": eps}] * 600
    rows = audited(known.wrong_safe_at_the_threshold, given, samples=250, confidence=0.9).inputs
    assert len({row.wrong for row in rows}) > 3
    assert sum(row.bound < 0.01 for row in rows) <= 60 + 4 * math.sqrt(600 * 0.1 * 0.9)


def test_runs_that_say_nothing_are_told() -> None:
    found = audited(known.raw_by_a_claim_that_crashes, [{"f": 5, "eps": 1.0}])
    assert found.inputs[0].failed == 2000 and "2000 runs raised" in found.as_text()


def test_the_same_seed_gives_the_same_audit_on_any_executor() -> None:
    given = [{"f": k, "T": 5.0, "eps": 1.0} for k in range(8)]
    here = audited(known.wrong_with_two_sided_noise, given, samples=70_000)
    with ThreadPoolExecutor(2) as pool:
        there = audited(known.wrong_with_two_sided_noise, given, samples=70_000, executor=pool)
    assert here == there and here.verdict == "refuted"
    assert here != audited(known.wrong_with_two_sided_noise, given, samples=70_000, seed=2)
    assert audit_one_sided(known.right_safe, given, samples=1).seed >= 0


def test_streams_and_fractions() -> None:
    given = [{"answers": iter([1, 5.0]), "T": Fraction(5), "eps": Fraction(1)}]
    found = audited(wrong_in_a_stream, given)
    assert found.verdict == "refuted" and found.inputs[0].inputs["answers"] == (1.0, 5.0)
    assert found.as_json()["inputs"][0]["inputs"] == {"answers": [1.0, 5.0], "T": "5", "eps": "1"}


def test_text() -> None:
    right = audited(known.right_safe).as_text()
    assert "no proof" in right and "certain" not in right
    assert right.startswith("right_safe: no wrong answer found\n  2000 runs on each of 77 inputs")
    assert "at most 0.0015, with confidence 0.95" in right and right.endswith("seed 1")
    wrong = audited(wrong_at_ties, [{"f": 5, "T": 5, "eps": 100.0}]).as_text()
    assert "wrong in 2000 of 2000 runs on f = 5.0, T = 5.0, eps = 100.0" in wrong
    assert "it put out 'safe'" in wrong and "certain" in wrong and "no proof" not in wrong


def test_json() -> None:
    found = audited(wrong_by_rounding)
    shown = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert shown["verdict"] == "refuted" and shown["mechanism"] == "wrong_by_rounding"
    assert len(shown["inputs"]) == len(found.inputs)
    assert shown["inputs"][0].keys() == {
        "inputs", "runs", "wrong", "bound", "example", "failed", "rate"
    }  # fmt: skip


# Functions.


def noisy_safe(f: int, T: float, eps: float, rng: np.random.Generator) -> str:
    return "safe" if f + rng.exponential(1 / eps) < T else "alarm"


def wrong_safe(data: dict[str, Any], output: str) -> bool:
    return output == "safe" and data["f"] >= data["T"]


def is_safe(output: str) -> bool:
    return output == "safe"


def test_a_function_and_how_often_it_says_so() -> None:
    given = [{"f": f, "T": T, "eps": 1.0} for f, T in ((4, 5), (2, 5), (4, 4.5), (6, 5))]
    found = audited(
        noisy_safe, given, wrong=wrong_safe, says=is_safe, samples=20_000, confidence=0.9999
    )
    assert found.verdict == "no wrong answer found" and found.mechanism == "noisy_safe"
    for row, steps, attained in zip(found.inputs, (1, 3, 1, 0), (True, True, False, True)):
        assert row.rate is not None
        low, high = row.rate
        rate = one_sided_rate_attained(1.0, steps)
        assert (low <= rate <= high) == attained and high - low < 0.03
        assert low <= one_sided_rate_adp(1.0, steps)
    assert "says so with probability" in found.as_text()
    assert found.as_json()["inputs"][3]["rate"] == [0.0, found.inputs[3].rate[1]]


def noisy_many(f: int, size: int, rng: np.random.Generator) -> Any:
    return f + rng.geometric(0.5, size) - 1


def test_many_outputs_at_a_time() -> None:
    found = audited(
        noisy_many, [3, 4], wrong=lambda f, output: output == f == 4, says=lambda z: z > 5,
        samples=40_000, confidence=0.9999,
    )  # fmt: skip
    three, four = found.inputs
    assert (three.wrong, four.example) == (0, "4") and abs(four.wrong - 20_000) < 1000
    assert three.rate is not None and three.rate[0] < 1 / 8 < three.rate[1]
    assert three.runs == four.runs == 40_000


def test_functions_in_other_processes() -> None:
    given = [{"f": 4, "T": 5.0, "eps": 1.0}] * 2
    here = audited(noisy_safe, given, wrong=wrong_safe, says=is_safe)
    with ProcessPoolExecutor(1) as pool:
        there = audited(noisy_safe, given, wrong=wrong_safe, says=is_safe, executor=pool)
    assert here == there and here.inputs[0].rate != here.inputs[1].rate


def test_runs_that_raise_say_nothing() -> None:
    def fails(f: int, rng: np.random.Generator) -> int:
        return 1 // int(rng.integers(2))

    (row,) = audited(fails, [0], wrong=lambda f, output: False, says=lambda z: True).inputs
    assert 900 < row.failed < 1100 and row.rate is not None
    assert row.rate[0] < 1 - row.failed / row.runs < row.rate[1]


def test_a_function_that_only_raises() -> None:
    def fails(f: int) -> int:
        return 1 // f

    with pytest.raises(
        BadInput, match=r"raises ZeroDivisionError(.|\n)*so does every run on every input"
    ):
        audited(fails, [0], wrong=lambda f, output: False)


def test_a_judge_that_raises() -> None:
    with pytest.raises(BadInput, match=r"^wrong or says: raises KeyError: 'x', on the output 'al"):
        audited(noisy_safe, [{"f": 9, "T": 1, "eps": 1}], wrong=lambda d, output: d["x"] > 1)


# Wrong arguments.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 0}, "samples: got 0"),
        ({"samples": True}, "samples: got True"),
        ({"samples": 1.5}, "samples: got 1.5"),
        ({"seed": -1}, "seed: got -1"),
        ({"seed": "1"}, "seed: got '1'"),
        ({"confidence": 1.0}, "confidence: got 1.0"),
        ({"confidence": 0}, "confidence: got 0"),
        ({"confidence": math.nan}, "confidence: got nan"),
        ({"inputs": []}, "inputs: got none"),
        ({"inputs": {"f": 3}}, "inputs: got {'f': 3}; a list of inputs is needed"),
        ({"inputs": 3}, "inputs: got 3; a list"),
        ({"inputs": [3]}, "inputs: got 3; a mapping with f, T, eps is needed"),
        ({"inputs": [{"f": 3}]}, "right_safe: missing a required argument: 'T'"),
        ({"inputs": [{"f": -3, "T": 1, "eps": 1}]}, "f: got int -3; it must be at least 0"),
        ({"wrong": wrong_safe}, "says by ensure what is wrong"),
        ({"says": is_safe}, "says by ensure what is wrong"),
    ],
)
def test_arguments_out_of_range(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as error:
        audited(known.right_safe, **options)
    assert message in str(error.value)


@mechanism(DP())
def without_a_claim(f: Count, eps: Epsilon) -> int:
    noise = sample(TwoSidedGeometric(1 / eps))
    return f + noise


def test_a_mechanism_that_claims_nothing() -> None:
    with pytest.raises(BadInput, match=r"^without_a_claim: it has no ensure"):
        audited(without_a_claim)


def test_a_function_needs_inputs_and_what_is_wrong() -> None:
    calls: list[Callable[[], Any]] = [
        lambda: audited(noisy_safe, wrong=wrong_safe),
        lambda: audited(noisy_safe, [{"f": 3}]),
    ]
    for call in calls:
        with pytest.raises(BadInput, match="needs inputs=, and wrong="):
            call()


def test_numbers_too_large_to_simulate() -> None:
    with pytest.raises(LimitReached, match=r"2\^53"):
        audited(known.right_safe_up_to_the_threshold, [{"f": 2**53 - 2, "T": 3, "eps": 0.1}])
    assert audited(known.wrong_safe_at_the_threshold).left_out > 0
