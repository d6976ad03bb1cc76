"""The gallery: every mechanism has the verdict that its author expects, and runs."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import pytest

import shiftproof.mechanisms
from shiftproof import DataSet, Mechanism, Value, Values, Verdict, seeded, verify
from tests.sampling import every

MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.walk_packages(
        shiftproof.mechanisms.__path__, f"{shiftproof.mechanisms.__name__}."
    )
]
GALLERY = {
    name: value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, Mechanism)
}
CORRECT = {
    "adaptive_question",
    "adaptive_sparse_vector",
    "adaptive_sparse_vector_free_gap",
    "adaptive_stream_vector",
    "asymmetric_gaussian_histogram",
    "asymmetric_histogram",
    "asymmetric_laplace",
    "asymmetric_laplace_decreasing",
    "asymmetric_laplace_increasing",
    "asymmetric_noisy_argmax",
    "asymmetric_noisy_max",
    "asymmetric_partition_selection",
    "asymmetric_sparse_vector",
    "asymmetric_threshold",
    "asymmetric_thresholds",
    "asymmetric_top_k",
    "asymmetric_top_k_geometric",
    "asymmetric_top_k_measured",
    "blowfish_geometric",
    "blurred_place",
    "classical_gaussian",
    "clamped_exponential",
    "clamped_geometric",
    "clamped_laplace",
    "clamped_one_sided_geometric",
    "concentrated_noisy_max",
    "concentrated_sparse_vector",
    "context_aware_response",
    "count_in_concentrated_rounds",
    "count_in_rounds",
    "discrete_gaussian_count",
    "discrete_gaussian_histogram",
    "exponential_count",
    "first_above",
    "first_above_with_count",
    "free_gap_top_k",
    "gap_sparse_vector",
    "gaussian_count",
    "gaussian_counts",
    "gaussian_histogram_replacement",
    "gaussian_mean",
    "gaussian_prefix_sum",
    "gaussian_prefix_sum_all",
    "gaussian_smart_sum",
    "gaussian_sum",
    "gaussian_two_level_sum",
    "gaussian_value",
    "general_sparse_vector",
    "general_sparse_vector_monotone",
    "geometric",
    "geometric_response",
    "goal_decision_geometric",
    "histogram",
    "histogram_in_parallel",
    "histogram_replacement",
    "input_discriminative_response",
    "k_ary_response",
    "laplace",
    "laplace_parallel",
    "location_monitor",
    "mangat",
    "most_frequent",
    "most_frequent_measured",
    "noisy_argmax",
    "noisy_argmax_exponential",
    "noisy_cell",
    "noisy_count",
    "noisy_max",
    "noisy_max_exponential",
    "noisy_threshold",
    "noisy_top_k",
    "numeric_sparse_vector",
    "one_bit_mean",
    "one_sided_concentrated_count",
    "one_sided_geometric",
    "one_sided_histogram",
    "one_sided_response",
    "one_sided_responses",
    "optimised_unary_encoding",
    "partial_sum",
    "partition_selection",
    "partition_selection_geometric",
    "prefix_sum",
    "prefix_sum_all",
    "private_binary_search",
    "private_binary_search_asking_once",
    "propose_test_release",
    "rappor",
    "redrawn_response",
    "smart_sum",
    "smart_sum_continued",
    "sparse_vector",
    "sparse_vector_fresh_thresholds",
    "sparse_vector_monotone",
    "stability_histogram",
    "staircase",
    "stream_monitor",
    "table_of_values",
    "threshold_decision",
    "threshold_decision_geometric",
    "top_k_by_peeling",
    "truncated_geometric",
    "truncated_geometric_response",
    "two_noisy_thresholds",
    "two_stage_unary_encoding",
    "uniform_count",
    "uniform_value",
    "utility_optimized_response",
    "visitors_of_both",
    "visitors_of_none",
    "warner",
    "whole_uniform_count",
}
#: Correct ones that are proved up to some size only.
BOUNDED = {"exponential_mechanism", "permute_and_flip"}
INCORRECT = {
    "adaptive_sparse_vector_prints_value",
    "asymmetric_laplace_everything",
    "asymmetric_sparse_vector_two_looks",
    "asymmetric_sparse_vector_typeset",
    "asymmetric_top_k_for_one",
    "asymmetric_top_k_measured_for_nothing",
    "asymmetric_top_k_typeset",
    "blowfish_geometric_too_close",
    "blurred_place_for_the_crow",
    "context_aware_response_for_zero",
    "counts_in_parallel",
    "exponential_mechanism_monotone_only",
    "first_above_with_count_for_one",
    "gap_sparse_vector_prints_value",
    "geometric_response_with_zero_marked",
    "goal_decision_upwards",
    "histogram_scale_eps",
    "input_discriminative_response_of_zero",
    "k_ary_response_without_the_last",
    "location_monitor_two_visits",
    "location_monitor_unmarked",
    "location_monitor_wrong_safe",
    "mangat_protecting_zeros",
    "mangat_too_honest",
    "noisy_max_half_noise",
    "noisy_max_value",
    "noisy_max_value_exponential",
    "noisy_top_k_without_noise",
    "one_bit_mean_half_noise",
    "one_sided_histogram_upwards",
    "one_sided_response_to_all",
    "one_sided_response_too_often",
    "partial_sum_half_noise",
    "permute_and_flip_eager",
    "prefix_sum_all_for_one",
    "private_binary_search_asking_twice",
    "private_binary_search_whole_budget",
    "rappor_whole_budget",
    "redrawn_response_among_fewer",
    "smart_sum_raw_blocks",
    "sparse_vector_half_noise",
    "sparse_vector_no_query_noise",
    "sparse_vector_noise_without_limit",
    "sparse_vector_prints_value",
    "sparse_vector_without_limit",
    "staircase_narrow",
    "stream_monitor_private_expiry",
    "stream_monitor_short_silence",
    "stream_monitor_visitors_only",
    "threshold_decision_wrong_direction",
    "truncated_geometric_half_noise",
    "truncated_geometric_response_half_noise",
    "two_stage_unary_encoding_that_shows_both",
    "unary_encoding_with_the_odds_of_a_response",
    "utility_optimized_response_for_two",
    "warner_twice_as_honest",
}
#: Incorrect ones that are private, but say what may be wrong.
WRONG_WORDS = {"location_monitor_wrong_safe"}
#: The ε that is proved, where the claim is not the ``Epsilon`` parameter itself.
PROVED_EPSILON = {
    "adaptive_question": "rho_first + rho_second",
    "adaptive_sparse_vector_free_gap": "eps1 + eps2",
    "asymmetric_thresholds": "eps*len(f)",
    "blurred_place": "eps · (abs(x - other(x)) + abs(y - other(y)))",
    "concentrated_noisy_max": "eps*eps/2",
    "concentrated_sparse_vector": "eps*eps/2",
    "context_aware_response": (
        "0 if x == other(x) else eps if x == 0 or other(x) == 0 else eps_fine"
    ),
    "gaussian_mean": "rho_count + rho_total",
    "gaussian_prefix_sum_all": "n*rho",
    "gaussian_smart_sum": "2*rho",
    "gaussian_two_level_sum": "2*rho",
    "general_sparse_vector": "eps1 + eps2 + eps3",
    "general_sparse_vector_monotone": "eps1 + eps2 + eps3",
    "geometric_response": "eps · (abs(x - other(x)))",
    "input_discriminative_response": (
        "the smaller one of eps_fine if x == 1 else eps for x and for x′"
    ),
    "most_frequent_measured": "eps*eps/2 + rho",
    "prefix_sum_all": "eps*n",
    "propose_test_release": "2*eps",
    "smart_sum": "2*eps",
    "smart_sum_continued": "2*eps",
    "truncated_geometric_response": "eps · (abs(x - other(x)))",
    "two_noisy_thresholds": "2*eps",
    "uniform_count": "0",
    "uniform_value": "0",
    "whole_uniform_count": "0",
}
#: Those of which no alignment is proved but probabilities are compared, exactly.
BY_SUMS = {
    "context_aware_response",
    "input_discriminative_response",
    "k_ary_response",
    "mangat",
    "one_bit_mean",
    "one_sided_response",
    "utility_optimized_response",
    "warner",
}
#: How many answers there are at most when the limit is 1, for those that do not keep to it.
ANSWERS_AT_LIMIT_1 = {"asymmetric_sparse_vector_typeset": 2}
#: How many releases there are at most, where users answer more than once, or there is a sum of all.
RELEASES = {
    "private_binary_search": 2 * 6 + 1,
    "private_binary_search_asking_once": 6 + 1,
    "private_binary_search_asking_twice": 6 + 5 + 1,
    "private_binary_search_whole_budget": 2 * 6 + 1,
}

#: An answer, or as many of them as a sequence has, for every private parameter.
COUNTS = (0, 3, 12, 7, 1, 9)
COUNT = 5
#: A value for every public parameter name of the gallery; a sequence has it at each place.
PUBLIC: dict[str, float] = {
    "A": 3, "D": 1.0, "L": 2, "M": 2, "N": 2, "T": 6.0, "W": 3, "b": 1.0, "c": 2, "delta": 0.01,
    "eps": 1.0, "eps1": 1.0, "eps2": 1.0, "eps3": 1.0, "eps_fine": 0.5, "high": 10.0, "k": 2,
    "low": 0.0, "m": 2, "margin": 3.0, "n": len(COUNTS), "p": 0.5, "place": 1, "places": 3,
    "rho": 0.5, "rho_count": 0.5, "rho_first": 0.5, "rho_second": 0.5, "rho_total": 0.5, "s": 1,
    "share": 0.5, "sigma": 1.0, "step": 1.0, "tau": 2.0,
}  # fmt: skip
#: Noise that only subtracts never lifts a count to a goal above it; a one always says one.
GIVEN: dict[str, dict[str, float]] = {
    "goal_decision_geometric": {"T": 4.0},
    "mangat": {"x": 0},
    "mangat_protecting_zeros": {"x": 0},
    "mangat_too_honest": {"x": 0},
    "redrawn_response_among_fewer": {"k": 3},
}
#: Values of public parameters that preconditions exclude: a limit, a length, a share.
EXCLUDED: dict[str, float] = {
    "A": 0, "D": 0.0, "L": 0, "M": 0, "N": 0, "W": 0, "b": 0.0, "c": 0, "eps_fine": 1.5, "k": 0,
    "low": 10.0, "m": 0, "n": 0, "p": 0.75, "s": 0, "share": 1, "sigma": 0.0, "step": 0.0,
}  # fmt: skip
#: The parameter that says how many answers there may be.
LIMIT = {name: limit for name, m in GALLERY.items() for limit in ("N", "c") if limit in m.inputs}


def arguments(mechanism: Mechanism[..., Any]) -> dict[str, Any]:
    """Inputs for one call."""
    values: dict[str, Any] = {}
    for name, kind in mechanism.inputs.items():
        if kind.public:
            value = int(PUBLIC[name]) if kind.whole else PUBLIC[name]
            values[name] = (value,) * len(COUNTS) if kind.array else value
        elif isinstance(kind, DataSet):
            values[name] = tuple((v % 2,) * kind.attributes for v in COUNTS)
        elif isinstance(kind, Value | Values):
            low, high = (PUBLIC[b] if isinstance(b, str) else b for b in (kind.low, kind.high))
            held = tuple(max(low, min(high, v)) for v in COUNTS)
            values[name] = held if kind.array else max(low, min(high, COUNT))
        else:
            values[name] = COUNTS if kind.array else COUNT
    if "n" in values and "data" in values:
        values["n"] = 2
    return values | GIVEN.get(mechanism.function.__name__, {})


def answers(released: Iterable[object]) -> int:
    """How many releases are answers: no ``None``, no ``False`` and no word."""
    return sum(v is not None and v is not False and not isinstance(v, str) for v in released)


def each(names: set[str], one_in: int = 1) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", every(one_in, sorted(names)))


def test_nothing_is_forgotten() -> None:
    assert set(GALLERY) == CORRECT | BOUNDED | INCORRECT
    assert {name for name, m in GALLERY.items() if m.expect == "proved"} == CORRECT
    assert {name for name, m in GALLERY.items() if m.expect == "bounded"} == BOUNDED
    assert {name for name, m in GALLERY.items() if m.expect == "refuted"} == INCORRECT


def test_names_are_unique() -> None:
    found = [
        v.function.__name__ for m in MODULES for v in vars(m).values() if isinstance(v, Mechanism)
    ]
    assert len(found) == len(set(found)) == len(GALLERY)


def test_correct_and_incorrect_ones_are_in_files_of_their_own() -> None:
    for name, mechanism in GALLERY.items():
        module = mechanism.function.__module__.rpartition(".")[2]
        assert module.startswith("incorrect_") == (name in INCORRECT)


@each(CORRECT, one_in=12)
def test_correct_one_is_proved_for_all_sizes_and_survives_replays(name: str) -> None:
    # A program that calls others cannot be replayed: what the others draw is not recorded.
    report = verify(GALLERY[name], replays=0 if GALLERY[name].program.calls else 20)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.sizes == "all"
    plain = "rho" if "rho" in GALLERY[name].inputs else "eps"
    assert report.epsilon_upper == PROVED_EPSILON.get(name, plain)
    assert report.as_expected
    assert report.holds
    assert all(claim.outcome == "proved" for claim in report.one_sided)
    assert report.method == ("sums" if name in BY_SUMS else "alignment")
    sites = GALLERY[name].program.flow.sites
    assert len(report.alignment) == (0 if name in BY_SUMS else len(sites))


@each(BOUNDED, one_in=2)
def test_bounded_one_is_proved_for_the_sizes_that_are_named(name: str) -> None:
    report = verify(GALLERY[name])
    assert report.verdict is Verdict.BOUNDED, report.reasons
    assert report.sizes == "len(q) up to 8"
    assert report.epsilon_upper == "eps"
    assert report.method == "enumeration"
    assert not report.alignment
    assert not report.reasons  # that no counterexample was found is as expected
    assert report.as_expected
    assert report.holds_for_some_sizes and not report.holds


@each(INCORRECT, one_in=10)
def test_incorrect_one_is_refuted(name: str) -> None:
    report = verify(GALLERY[name], replays=20)
    assert report.expected == "refuted"
    assert report.as_expected
    if name in WRONG_WORDS:
        assert [c.outcome for c in report.one_sided] == ["broken"]
        assert all(c.witness and c.refuted for c in report.one_sided)
        return
    assert report.verdict is Verdict.REFUTED
    assert report.refutation is not None and report.refutation.breaks
    assert report.sizes == ""
    assert report.epsilon_upper is None
    assert report.reasons


@each(set(GALLERY))
def test_runs_and_repeats_under_a_seed(name: str) -> None:
    mechanism = GALLERY[name]
    given = arguments(mechanism)
    seen = set()
    for seed in range(20):
        with seeded(seed):
            first = mechanism(**given)
        with seeded(seed):
            assert mechanism(**given) == first
        assert isinstance(first, tuple)
        words = sum(isinstance(v, str) for v in first)
        assert 1 <= len(first) <= RELEASES.get(name, len(COUNTS) + words)
        seen.add(first)
    assert len(seen) > 1


@each(set(LIMIT))
def test_stops_after_its_limit(name: str) -> None:
    mechanism = GALLERY[name]
    given = arguments(mechanism) | {LIMIT[name]: 1}
    most = 0
    for seed in range(60):
        with seeded(seed):
            most = max(most, answers(mechanism(**given)))
    assert most == ANSWERS_AT_LIMIT_1.get(name, 1)


@each({name for name, m in GALLERY.items() if m.program.preconditions})
def test_enforces_its_preconditions(name: str) -> None:
    mechanism = GALLERY[name]
    given = arguments(mechanism)
    mechanism(**given)
    excluded: list[dict[str, Any]] = [
        {n: EXCLUDED[n]} for n in given if n in EXCLUDED and mechanism.inputs[n].public
    ]
    sequences = [n for n, kind in mechanism.inputs.items() if kind.array]
    if len(sequences) > 1:  # all of one length
        excluded += [{n: given[n][1:]} for n in sequences]
    excluded = excluded or [dict.fromkeys(sequences, ())]  # none at all
    for change in excluded:
        with pytest.raises(shiftproof.BadInput):
            mechanism(**given | change)


@each(set(GALLERY))
def test_docstring_says_what_it_is(name: str) -> None:
    mechanism = GALLERY[name]
    text = mechanism.function.__doc__ or ""
    assert "Source: " in text
    assert "in nats" in text or "eps" not in mechanism.inputs
    for parameter in mechanism.inputs:
        assert f"    {parameter}: " in text
    assert ("Wrong: " in text) == (name in INCORRECT)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])
def test_every_module_names_its_source(module: ModuleType) -> None:
    assert module.__doc__
    held = [m for m in GALLERY.values() if m.function.__module__ == module.__name__]
    assert held
    assert all("Source: " in (m.function.__doc__ or "") for m in held)


@pytest.mark.parametrize("name", sorted(GALLERY))
def test_has_no_annotated_alignment(name: str) -> None:
    assert "align" not in GALLERY[name].function.__code__.co_names
