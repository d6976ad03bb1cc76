"""Counterexamples: real neighbours, exact likelihoods, and none where there is nothing wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from shiftproof import (
    ADP,
    DP,
    BadInput,
    Blowfish,
    Comparison,
    CountingQueries,
    DataSet,
    LocationCounts,
    Mechanism,
    OneSidedDP,
    Queries,
    Related,
    Report,
    Value,
    Verdict,
    WindowCounts,
    bound,
    comparison_from_json,
    describe,
    is_neighbour,
    likelihood,
    recompute,
    refute,
    seeded,
    verify,
)
from shiftproof.dsl.privacy.inputs import Secret
from shiftproof.workspace.targets import gallery
from tests.dsl.making import made
from tests.places import ROOT
from tests.sampling import every, slow

GALLERY = {m.function.__name__: m for m in gallery(run=True)}
WRONG = sorted(name for name, m in GALLERY.items() if m.expect == "refuted")
RIGHT = sorted(name for name, m in GALLERY.items() if m.expect == "proved")
#: Private, but one of its answers is wrong.
WRONG_WORDS = "location_monitor_wrong_safe"
REFUTED = [name for name in WRONG if name != WRONG_WORDS]
LN2 = math.log(2)
PROOFS = ROOT / "proofs"
#: How many runs a probability is estimated from.
RUNS = 8_000


@cache
def report(name: str) -> Report:
    return verify(GALLERY[name])


@cache
def refutation(name: str) -> Comparison:
    found = report(name).refutation
    assert found is not None, name
    return found


def only(test: Callable[[Comparison], bool]) -> list[str]:
    """Those whose counterexample is of a kind; asked of the inputs alone where that will do."""
    return [name for name in REFUTED if test(refutation(name))]


@pytest.mark.parametrize("name", every(8, WRONG))
def test_what_is_wrong_falls(name: str) -> None:
    found = report(name)
    assert found.as_expected and found.falls and not found.holds
    refuted = found.verdict is Verdict.REFUTED
    assert refuted == (name != WRONG_WORDS) == (found.refutation is not None)
    assert refuted == (found.epsilon_lower is not None)
    assert found.epsilon_upper is None or not refuted
    assert any(claim.refuted for claim in found.one_sided) == (not refuted)


@pytest.mark.parametrize("name", every(8, REFUTED))
def test_the_comparison_is_what_it_says(name: str) -> None:
    c = refutation(name)
    left, right, budget = c.on_left.enclosure, c.on_right.enclosure, c.budget.enclosure
    assert c.breaks and c.mechanism == name and c.left != c.right
    assert c.infinite == (right.high == 0) == (c.ratio == math.inf)
    for one in (left, right, budget):
        assert one.low <= one.high and one.high - one.low <= one.high * Fraction(1, 10**9)
    assert left.low > 0
    if c.log_ratio is not None:
        low, high = math.log(left.low / right.high), math.log(left.high / right.low)
        assert low - 1e-9 <= float(c.log_ratio.enclosure.low)
        assert float(c.log_ratio.enclosure.high) <= high + 1e-9
        assert c.log_ratio.enclosure.low > budget.high > 0
        assert float(report(name).epsilon_lower or "") == pytest.approx(low)
    assert describe(c).startswith(f"{name}: {c.claim}\n")


@pytest.mark.parametrize("name", every(8, REFUTED))
def test_it_is_computed_again_and_read_back(name: str) -> None:
    c = refutation(name)
    assert recompute(c, GALLERY[name]) == c
    assert comparison_from_json(c.as_json()) == c
    assert comparison_from_json(c.as_json().decode()) == c


@pytest.mark.parametrize("name", every(8, REFUTED))
def test_likelihood_agrees(name: str) -> None:
    """The public function, asked for the same inputs and values."""
    c = refutation(name)
    if any(released.kind == "tied" for released in c.outcome):
        pytest.skip("what is tied is computed from the others")
    at = [likelihood(GALLERY[name], values(c), **inputs(c, side)) for side in (c.left, c.right)]
    reals = sum(released.kind == "real" for released in c.outcome)
    unit = LN2**reals if "ln 2" in c.measure else 1
    assert float(at[0].value.low) == pytest.approx(float(c.on_left.enclosure.low) * unit)
    assert float(at[1].value.low) == pytest.approx(float(c.on_right.enclosure.low) * unit)
    assert at[0].reals == reals and at[1].reals in (0, reals)


# Inputs and outcomes as a call takes them.


def plain(value: Any, whole: bool) -> Any:
    if isinstance(value, list | tuple):
        return tuple(plain(v, whole) for v in value)
    return int(value) if whole else Fraction(value)


def inputs(c: Comparison, side: dict[str, Any]) -> dict[str, Any]:
    kinds = GALLERY[c.mechanism].inputs
    records = {n: v for n, v in side.items() if isinstance(kinds[n], DataSet)}
    others = {n: v for n, v in (c.public | side).items() if n not in records}
    return {n: plain(v, kinds[n].whole) for n, v in others.items()} | records | c.epsilon


def called(c: Comparison, side: dict[str, Any]) -> dict[str, Any]:
    """The same with ε as a number."""
    given = inputs(c, side)
    for name, text in c.epsilon.items():
        amount, multiple, _ = text.partition("ln 2")
        given[name] = float(Fraction(amount.strip() or 1)) * (LN2 if multiple else 1)
    return given


def values(c: Comparison) -> tuple[Any, ...]:
    numbers = ("float", "real")
    return tuple(Fraction(str(r.value)) if r.kind in numbers else r.value for r in c.outcome)


# Exact ratios.


@pytest.mark.parametrize("c", every(3, [1, 2, 3]))
def test_the_printed_sparse_vector_costs_one_answer_too_much(c: int) -> None:
    """Exactly (c + 1) / c times what it claims."""
    mechanism, given = GALLERY["asymmetric_sparse_vector_typeset"], {"eps": "ln 2", "c": c}
    found = refute(mechanism, given)
    assert found is not None and found.epsilon == {"eps": "ln 2"} and found.public["c"] == c
    assert found.log_ratio is not None
    # Both likelihoods are powers of 2^(1/c): their c-th powers are rational.
    left, right = found.on_left.enclosure, found.on_right.enclosure
    most = Fraction(2) ** (c + 1)
    assert (left.low / right.high) ** c <= most <= (left.high / right.low) ** c
    assert float(found.log_ratio.enclosure.low) == pytest.approx((c + 1) / c * LN2, rel=1e-12)
    if c == 1:
        assert left.exact and right.exact and left.low / right.low == 4
    bracket = bound(mechanism, given, effort=1500)
    assert bracket.upper == "eps/c + eps" and bracket.tight
    assert bracket.share == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "given", "ratio"),
    [
        ("asymmetric_top_k_typeset", {"eps": "ln 2", "k": 1}, 4),
        ("location_monitor_two_visits", {"eps": "ln 2"}, 4),
        ("location_monitor_unmarked", {"eps": "ln 2"}, 4),
        ("stream_monitor_short_silence", {"eps": "ln 2"}, 4),
        ("truncated_geometric_half_noise", {"eps": "ln 2"}, 4),
        ("truncated_geometric_half_noise", {"eps": "ln 2 / 2"}, 2),
        ("stream_monitor_visitors_only", {}, math.inf),
        ("stream_monitor_private_expiry", {}, math.inf),
        ("threshold_decision_wrong_direction", {}, math.inf),
        ("asymmetric_laplace_everything", {"eps": 3}, math.inf),
        ("sparse_vector_no_query_noise", {"T": 0}, math.inf),
    ],
)
def test_exact_ratios(name: str, given: dict[str, Any], ratio: float) -> None:
    found = refute(GALLERY[name], given)
    assert found is not None and found.breaks
    left, right = found.on_left.enclosure, found.on_right.enclosure
    assert left.exact or "eps" in given
    assert right.exact
    assert found.infinite == (ratio == math.inf)
    if not found.infinite:
        assert left.low / right.low == left.high / right.high == ratio == found.ratio


HALF = GALLERY["sparse_vector_half_noise"]


def half_noise(c: int, t: int) -> float:
    """Its ratio for t refusals of what rises, and c answers from what falls, at eps = 1."""
    outcome = (False,) * t + (True,) * c
    left, right = (
        likelihood(HALF, outcome, f=(low,) * t + (1 - low,) * c, T=0, c=c, eps=1).value
        for low in (0, 1)
    )
    assert left.high / right.low - left.low / right.high < Fraction(1, 10**9)
    return float(left.low / right.high)


@pytest.mark.parametrize(
    ("c", "t", "ratio"), every(3, [(1, 2, 2.936), (2, 3, 2.749), (3, 5, 3.043)])
)
def test_the_sparse_vector_with_half_its_noise(c: int, t: int, ratio: float) -> None:
    assert half_noise(c, t) == pytest.approx(ratio, abs=5e-4)
    assert half_noise(c, t) > math.e
    found = refute(HALF, {"eps": 1, "c": c})
    assert found is not None and found.epsilon == {"eps": "1"} and found.public["c"] == c
    assert math.e < found.ratio < math.e**1.5
    assert found.budget.enclosure.low == found.budget.enclosure.high == 1


def test_its_ratio_tends_to_half_as_much_again() -> None:
    assert half_noise(1, 199) == pytest.approx(math.e**1.5, abs=1e-6)


def test_what_is_given_stays() -> None:
    mechanism = GALLERY["asymmetric_sparse_vector_typeset"]
    found = refute(mechanism, {"eps": Fraction(1, 3), "c": 2, "T": (5, 6, 7)})
    assert found is not None and found.epsilon == {"eps": "1/3"}
    assert found.public == {"c": 2, "T": ["5", "6", "7"]} and len(found.left["f"]) == 3
    assert refute(mechanism, {"c": 2, "T": (5, 6)}) is None  # two answers cost what they may


@pytest.mark.parametrize(
    "given",
    [
        {"f": (1,)},
        {"noise": 1},
        {"c": 1.5},
        {"c": "2"},
        {"eps": 0},
        {"eps": "2 ln 3"},
        {"eps": "-ln 2"},
        {"eps": math.nan},
        {"eps": True},
        {"eps": None},
        {"T": 1.0},
    ],
)
def test_what_cannot_be_given(given: dict[str, Any]) -> None:
    for search in (refute, bound):
        with pytest.raises(BadInput) as error:
            search(GALLERY["asymmetric_sparse_vector_typeset"], given)
        assert next(iter(given)) in str(error.value)


# The pairs, from the definitions.


def data_sets(c: Comparison) -> list[tuple[tuple[int, ...], ...]]:
    """Both data sets behind counts."""
    others = [tuple(record) for record in c.records["others"]]
    ends = (c.records["before"], c.records["after"])
    return [tuple(others + ([] if end is None else [tuple(end)])) for end in ends]


def are_neighbours(privacy: Any, one: Any, two: Any) -> bool:
    if isinstance(privacy, ADP):
        return is_neighbour(one, two, privacy.policy)
    assert isinstance(privacy, DP)
    if privacy.neighbours == "add-remove":
        short, long = sorted((one, two), key=len)
        return len(long) == len(short) + 1 and long[: len(short)] == short
    return len(one) == len(two) and sum(r != s for r, s in zip(one, two)) == 1


def values_are_neighbours(privacy: Any, kind: Any, c: Any, name: str) -> None:
    """Users' values as the definitions of the gallery have them."""
    ones, twos = (
        list(map(Fraction, s[name] if kind.array else [s[name]])) for s in (c.left, c.right)
    )
    pairs = [(a, b) for a, b in zip(ones, twos, strict=True) if a != b]
    if isinstance(kind, Value):
        low, high = (Fraction(c.public.get(b, b)) for b in (kind.low, kind.high))
        assert all(low <= v <= high for v in (*ones, *twos))
    if isinstance(privacy, Related):
        assert all(abs(a - b) <= 1 for a, b in pairs)
        return
    assert len(pairs) <= 1
    if isinstance(privacy, ADP | OneSidedDP):
        assert all(a in privacy.policy.sensitive for a, _ in pairs)
    if isinstance(privacy, Blowfish):
        assert all(abs(a - b) <= 5 for a, b in pairs)


@pytest.mark.parametrize("name", every(8, REFUTED))
def test_the_inputs_are_neighbours(name: str) -> None:
    mechanism, c = GALLERY[name], refutation(name)
    private = {n: k for n, k in mechanism.inputs.items() if not k.public}
    counted = {n: k for n, k in private.items() if isinstance(k, CountingQueries)}
    assert ("others" in c.records) == bool(counted)
    for side in (c.left, c.right):
        mechanism.convert(**called(c, side))  # it meets the preconditions
    if counted:
        sets = data_sets(c)
        assert are_neighbours(mechanism.privacy, *sets)
        for data, side in zip(sets, (c.left, c.right)):
            start = 0
            for n, kind in counted.items():
                wanted = side[n] if kind.array else [side[n]]
                columns = range(start, start + len(wanted))
                assert wanted == [sum(r[i] in kind.counted for r in data) for i in columns]
                start = columns.stop
                places = c.public[kind.by] if isinstance(kind, LocationCounts) else columns
                for record in data if kind.one_hot else ():
                    assert len({places[i] for i in columns if record[i] in kind.counted}) <= 1
            assert all(len(record) == start for record in data)
    for n, kind in private.items():
        if isinstance(kind, WindowCounts):
            came = c.records[f"arrivals of {n}"]
            assert came["before"] is not None  # under the policy, who came may not have
            assert came["after"] is None
            for end, side in (("before", c.left), ("after", c.right)):
                times = [t for t in (*came["others"], came[end]) if t is not None]
                steps = range(len(side[n]))
                assert side[n] == [
                    sum(s <= t < s + kind.steps(c.public) for s in times) for t in steps
                ]
        elif isinstance(mechanism.privacy, OneSidedDP) and n == "records":
            changed = [(r, s) for r, s in zip(c.left[n], c.right[n], strict=True) if r != s]
            assert len(changed) == 1 and changed[0][0][0] in mechanism.privacy.policy.sensitive
        elif n == "data":
            one, two = (tuple(map(tuple, side[n])) for side in (c.left, c.right))
            assert are_neighbours(mechanism.privacy, one, two)
        elif isinstance(kind, Queries):
            most = c.public.get(kind.sensitivity, kind.sensitivity)
            assert kind.direction == "both"
            sides = [s[n] if kind.array else [s[n]] for s in (c.left, c.right)]
            moves = [abs(Fraction(a) - Fraction(b)) for a, b in zip(*sides)]
            assert max(moves) <= Fraction(most)
            assert kind.differing == "all" or sum(move > 0 for move in moves) == 1
        elif isinstance(kind, Value | Secret):
            values_are_neighbours(mechanism.privacy, kind, c, n)
        else:
            assert n in counted


# Likelihoods, by running.


def often(mechanism: Mechanism[..., Any], given: dict[str, Any], outcome: tuple[Any, ...]) -> int:
    typed = [(type(v) if not isinstance(v, Fraction) else float, v) for v in outcome]
    with seeded(7):
        runs = (mechanism(**given) for _ in range(RUNS))
        return sum([(type(v), v) for v in run] == typed for run in runs)


NO_DENSITY = [
    "asymmetric_top_k_for_one", "blowfish_geometric_too_close", "context_aware_response_for_zero",
    "counts_in_parallel", "exponential_mechanism_monotone_only",
    "geometric_response_with_zero_marked", "goal_decision_upwards",
    "input_discriminative_response_of_zero", "k_ary_response_without_the_last",
    "mangat_protecting_zeros", "mangat_too_honest", "noisy_max_half_noise",
    "noisy_top_k_without_noise", "one_bit_mean_half_noise", "one_sided_response_to_all",
    "one_sided_response_too_often", "permute_and_flip_eager", "private_binary_search_asking_twice",
    "private_binary_search_whole_budget", "rappor_whole_budget", "redrawn_response_among_fewer",
    "smart_sum_raw_blocks",
    "sparse_vector_half_noise", "sparse_vector_no_query_noise", "sparse_vector_noise_without_limit",
    "sparse_vector_without_limit", "threshold_decision_wrong_direction",
    "truncated_geometric_half_noise", "truncated_geometric_response_half_noise",
    "two_stage_unary_encoding_that_shows_both", "unary_encoding_with_the_odds_of_a_response",
    "utility_optimized_response_for_two", "warner_twice_as_honest",
]  # fmt: skip


#: Those whose floats are not the exact numbers of the outcome.
ROUNDED = {"one_bit_mean_half_noise"}


@pytest.mark.parametrize("name", every(14, [n for n in NO_DENSITY if n not in ROUNDED]))
def test_runs_come_to_the_outcome_as_often(name: str) -> None:
    c = refutation(name)
    assert c.measure == "probability" and c.ending == "end"
    for side, interval in ((c.left, c.on_left), (c.right, c.on_right)):
        p = float(interval.enclosure.low)
        seen = often(GALLERY[name], called(c, side), values(c))
        assert abs(seen - RUNS * p) <= 5 * math.sqrt(RUNS * p * (1 - p)), (side, seen, p)


def test_no_other_has_none() -> None:
    """As the certificates have it, which are checked elsewhere: it is much to search for again."""
    found = [json.loads(path.read_text()) for path in PROOFS.glob("incorrect_*.json")]
    measures = {
        one["mechanism"]: one["counterexample"]["measure"]
        for one in found
        if one["kind"] == "refutation"
    }
    assert [n for n in REFUTED if measures[n] == "probability"] == NO_DENSITY


# What is right.


@pytest.mark.parametrize("name", every(12, RIGHT))
def test_nothing_right_is_refuted(name: str) -> None:
    assert refute(GALLERY[name], effort=800) is None


#: Where the search comes to no more than a part of the proved ε.
LOOSE = {
    "adaptive_sparse_vector", "adaptive_sparse_vector_free_gap", "free_gap_top_k",
    "gap_sparse_vector", "general_sparse_vector", "general_sparse_vector_monotone",
    "noisy_argmax", "noisy_argmax_exponential", "noisy_max", "noisy_max_exponential",
    "noisy_top_k", "numeric_sparse_vector", "sparse_vector", "sparse_vector_fresh_thresholds",
    "sparse_vector_monotone", "top_k_by_peeling",
}  # fmt: skip
QUICK = {"laplace", "truncated_geometric", "asymmetric_laplace"}


@pytest.mark.parametrize("name", [n if n in QUICK else slow(n) for n in RIGHT])
def test_bounds_meet_or_leave_a_gap(name: str) -> None:
    bracket = bound(GALLERY[name], effort=800)
    assert bracket.mechanism == name
    assert bracket.upper == bracket.claimed == verify(GALLERY[name]).epsilon_upper
    assert bracket.tight == (name not in LOOSE)
    assert 0 < bracket.share <= 1 and bracket.tight == (bracket.share > 1 - 1e-12)
    c = bracket.comparison
    assert c is not None and not c.breaks and not c.infinite
    assert bracket.epsilon_lower == c.log_ratio
    assert recompute(c, GALLERY[name]) == c


def test_a_claim_of_too_much_is_bounded_by_what_is_proved() -> None:
    """The bracket is about what holds, not about what is claimed."""
    head = "@mechanism(DP(), budget=lambda eps: {})\ndef m(q: Count, eps: Epsilon):\n"
    body = "    noise = sample(Laplace(1 / eps))\n    return q + noise"
    generous, stingy = (made(head.format(claim) + body) for claim in ("2 * eps", "eps / 2"))
    bracket = bound(generous)
    assert bracket.claimed == "2*eps" and bracket.upper == "eps" and bracket.tight
    bracket = bound(stingy)
    assert bracket.claimed == "eps/2" and bracket.upper == "eps" and bracket.tight
    assert bracket.share == pytest.approx(1)
    found = refute(stingy)
    assert found is not None and found.ratio == pytest.approx(math.e ** float(LN2))
    assert refute(generous) is None


def test_no_effort_is_no_search() -> None:
    found = verify(GALLERY["laplace"], effort=0)
    assert found.verdict is Verdict.PROVED
    found = verify(HALF, effort=0)
    assert found.verdict is Verdict.UNKNOWN and found.refutation is None
    assert found.epsilon_lower is None and not found.falls and not found.as_expected
