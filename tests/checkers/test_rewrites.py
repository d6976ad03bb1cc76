"""The sparse-vector family written in other ways gives the same verdicts."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import Mechanism, Verdict, likelihood, refute, verify
from tests.loading import everything
from tests.places import PROGRAMS
from tests.sampling import every

FOLDER = PROGRAMS / "rewrites"
CORRECT = dict(everything(FOLDER, "correct_*.py"))
INCORRECT = dict(everything(FOLDER, "incorrect*.py"))
#: Incorrect ones of which no counterexample is found within the effort of ``verify``.
OPEN = {
    "incorrect_asymmetric::asymmetric_noisy_refusal",
    "incorrect_asymmetric::asymmetric_shrinking_scale",
    "incorrect_lists_and_records::another_place_is_marked",
    "incorrect_lists_and_records::remembers_one_place",
    "incorrect_lists_and_records::stream_shows_the_one_before",
    "incorrect_noisy_max::peeling_for_one",
    "incorrect_noisy_max::top_k_for_one",
    "incorrect_noisy_max::the_next_value",
    "incorrect_two_thresholds::two_thresholds_one_noise",
}


@pytest.mark.parametrize("mechanism", every(33, CORRECT.values()), ids=CORRECT.keys())
def test_correct_rewrites_are_proved(mechanism: Mechanism) -> None:
    """Renamed, reordered, with other loops and other constants: still proved, and replayed."""
    report = verify(mechanism, replays=10)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.sizes == "all"
    assert report.epsilon_upper


@pytest.mark.parametrize("name", every(9, sorted(INCORRECT.keys() - OPEN)))
def test_incorrect_rewrites_are_refuted(name: str) -> None:
    """One small fault, in the same style: marked as expected to fall, and it falls."""
    report = verify(INCORRECT[name])
    assert report.verdict is Verdict.REFUTED, report.reasons
    assert report.refutation is not None and report.refutation.breaks
    assert report.expected == "refuted" and report.as_expected


@pytest.mark.parametrize("name", every(3, sorted(OPEN)))
def test_the_others_are_not_proved(name: str) -> None:
    report = verify(INCORRECT[name], effort=0)
    assert report.verdict in (Verdict.UNKNOWN, Verdict.UNSUPPORTED), report.alignment
    assert report.expected == "refuted" and not report.as_expected


#: What falls with more effort, the quickest first.
DEEP: list[tuple[str, dict[str, Any]]] = [
    ("incorrect_asymmetric::asymmetric_shrinking_scale", {}),
    ("incorrect_asymmetric::asymmetric_noisy_refusal", {"eps": "ln 2", "c": 1, "T": 9}),
    ("incorrect_lists_and_records::another_place_is_marked", {"eps": "ln 2", "places": 2}),
    ("incorrect_noisy_max::peeling_for_one", {}),
    ("incorrect_noisy_max::top_k_for_one", {}),
    ("incorrect_two_thresholds::two_thresholds_one_noise", {}),
]


@pytest.mark.parametrize(("name", "given"), every(6, DEEP))
def test_most_of_them_fall_with_more_effort(name: str, given: dict[str, Any]) -> None:
    found = refute(INCORRECT[name], given, effort=40_000)
    assert found is not None and found.breaks


#: Counterexamples that the search does not come to.
MISSED: list[tuple[str, dict[str, Any], dict[str, Any], tuple[Any, ...]]] = [
    (
        "incorrect_lists_and_records::remembers_one_place",
        {"f": (1, 0, 1), "place": (0, 1, 0)},
        {"f": (0, 0, 0)},
        (2.0, 1.0, 2.0),
    ),
    (
        "incorrect_lists_and_records::stream_shows_the_one_before",
        {"s": (1, 1), "T": 5},
        {"s": (0, 0)},
        (6.0, 2.0),
    ),
    ("incorrect_noisy_max::the_next_value", {"q": (1, 1), "k": 1}, {"q": (0, 0)}, (3.0, 2.0)),
]


@pytest.mark.parametrize(("name", "left", "right", "outcome"), MISSED)
def test_they_are_not_private(
    name: str, left: dict[str, Any], right: dict[str, Any], outcome: tuple[Any, ...]
) -> None:
    on_left, on_right = (
        likelihood(INCORRECT[name], outcome, **side, eps="ln 2").value
        for side in (left, left | right)
    )
    assert on_left.low > 2 * on_right.high > 0
