"""Every neighbour relation: what is private under it is proved, what is not is refuted."""

from __future__ import annotations

from pathlib import Path

import pytest

from shiftproof import Mechanism, Verdict, likelihood, verify
from tests.loading import source
from tests.programs.checkers import related_mechanisms, related_mechanisms_more
from tests.sampling import every

KNOWN = {
    n: m
    for module in (related_mechanisms, related_mechanisms_more)
    for n, m in vars(module).items()
    if isinstance(m, Mechanism)
}
GOOD = sorted(n for n in KNOWN if n.startswith("good_"))
BAD = sorted(n for n in KNOWN if n.startswith("bad_"))
#: The counterexample is too long for the search.
OPEN = {"bad_window_dp_size"}


@pytest.mark.parametrize("name", every(3, GOOD))
def test_private_ones_are_proved(name: str) -> None:
    report = verify(KNOWN[name], replays=10)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.sizes == "all"
    assert report.epsilon_upper == "eps"


@pytest.mark.parametrize("name", every(3, sorted(set(BAD) - OPEN)))
def test_their_neighbours_are_refuted(name: str) -> None:
    report = verify(KNOWN[name])
    assert report.verdict is Verdict.REFUTED
    assert report.reasons and report.refutation is not None and report.refutation.breaks


def test_one_that_moves_fourteen_answers_is_not_private() -> None:
    mechanism, week = KNOWN["bad_window_dp_size"], (1,) * 7 + (0,) * 7
    assert verify(mechanism, effort=0).verdict is Verdict.UNKNOWN
    outcome = (2.0,) * 7 + (-1.0,) * 7
    left, right = (
        likelihood(mechanism, outcome, f=f, eps="ln 2").value for f in (week, week[::-1])
    )
    assert 3.999 < left.low / right.high < 4.001  # where 2 is allowed


@pytest.mark.parametrize("name", GOOD)
def test_every_private_one_has_a_neighbour(name: str) -> None:
    assert any(bad.startswith(name.replace("good_", "bad_")) for bad in BAD)


CLAIMS = {
    "good_counts_adp": "ADP(Policy(sensitive={1})) with ε = eps; f[i] − f[i]′ ∈ [0, 1]",
    "good_counts_everything": "ADP(Policy(sensitive={0, 1})) with ε = eps; f[i] − f[i]′ ∈ [-1, 1]",
    "good_counted_zeros": "f[i] − f[i]′ ∈ [-1, 0]",
    "good_histogram_adp": "f[i] − f[i]′ ∈ [0, 1], at one place only",
    "good_histogram_dp": "f[i] − f[i]′ ∈ [-1, 1], at two places at most",
    "good_histogram_add_remove": "[0, 1], at one place only or f[i] − f[i]′ ∈ [-1, 0], at one",
    "good_counts_add_remove": "DP(add-remove) with ε = eps; f[i] − f[i]′ ∈ [0, 1] or f[i]",
    "good_window_adp": "[0, 1], within one window only",
    "good_window_dp": "[0, 1], within one window only or f[i] − f[i]′ ∈ [-1, 0], within one window",
    "good_queries_number": "DP with ε = eps; f[i] − f[i]′ ∈ [-2, 2]",
    "good_queries_name": "f − f′ ∈ [-s, s]",
    "good_queries_falling": "f[i] − f[i]′ ∈ [0, 1]",
    "good_queries_rising": "f[i] − f[i]′ ∈ [-1, 0]",
    "good_queries_one": "f[i] − f[i]′ ∈ [-1, 1], at one place only",
    "good_value_dp": "DP with ε = eps; x − x′ ∈ [-1, 1]",
    "good_value_ldp": "LDP with ε = eps; x − x′ ∈ [-1, 1]",
    "good_value_adp": "Policy(sensitive={2}, universe={0, 1, 2})) with ε = eps; x − x′ ∈ [0, 2]",
    "good_rule": "Related(together) with ε = eps; neighbours if ",
    "good_rule_sequence": "neighbours if -1 <= f - other(f) and f - other(f) <= 1 at every index",
    "good_two_inputs": "f[i] − f[i]′ ∈ [0, 1], g − g′ ∈ [0, 1]",
}
ASSUMED = {
    "good_counts_adp": ["sensitivity assumed: f counts values [1]"],
    "good_counted_zeros": ["sensitivity assumed: f counts values [0]"],
    "good_histogram_adp": ["sensitivity assumed: f counts values [1], records are one-hot"],
    "good_window_adp": ["sensitivity assumed: f counts arrivals of the last 7 steps"],
    "good_queries_number": ["sensitivity assumed: f"],
    "good_value_ldp": [],
    "good_value_adp": [],
    "good_rule": ["the relation is the author's own: Related(together)"],
    "good_two_inputs": [
        "sensitivity assumed: f counts values [1]",
        "sensitivity assumed: g counts values [1]",
    ],
}


@pytest.mark.parametrize("name", every(4, GOOD))
def test_the_claim_says_how_the_inputs_move(name: str) -> None:
    report = verify(KNOWN[name])
    assert CLAIMS[name] in report.claim
    assert report.as_json()["claim"] == report.claim
    assert "eps > 0" in report.preconditions


@pytest.mark.parametrize("name", every(2, sorted(ASSUMED)))
def test_the_assumptions_say_what_is_trusted(name: str) -> None:
    report = verify(KNOWN[name])
    about_inputs = [a for a in report.assumptions if "arithmetic is exact" not in a]
    assert about_inputs == ASSUMED[name]


def test_preconditions_are_shown() -> None:
    report = verify(KNOWN["good_queries_name"])
    assert {"eps > 0", "s > 0"} <= set(report.preconditions)
    assert "len(f) >= 2" in verify(KNOWN["good_counts_add_remove"]).preconditions


HEADER = """
from collections.abc import Sequence
from typing import Annotated
from shiftproof import (
    ADP, DP, LDP, Count, Counts, CountingQuery, Epsilon, IntegerValue, Laplace, Policy, Private,
    Public, Query, Related, Value, mechanism, other, sample
)

def rule(x, y):
    return x - other(x) <= 1

"""
#: A privacy definition and the type of the input ``x`` that have no meaning together.
MEANINGLESS = [
    ("LDP()", "Count", "has no neighbours under LDP"),
    ("ADP(Policy({1}))", "Annotated[float, Value(0, 1)]", "has no neighbours under ADP"),
    ("ADP(Policy({1}))", "Annotated[int, IntegerValue(0, 5)]", "does not cover [0, 5]"),
    ("DP()", "Private[float]", "has no neighbours under DP"),
    ("DP()", 'Annotated[float, Query(sensitivity="t")]', "is no public scalar parameter"),
    ("DP()", 'Annotated[float, Query(sensitivity="x")]', "is no public scalar parameter"),
    ("ADP(Policy({1}))", "Annotated[int, CountingQuery(counted={3})]", "not in the universe"),
    ("Related(rule)", "Private[float]", "the rule speaks of x, y"),
]


@pytest.mark.parametrize(("privacy", "kind", "message"), MEANINGLESS)
def test_a_relation_without_meaning_is_unsupported(
    privacy: str, kind: str, message: str, tmp_path: Path
) -> None:
    text = f"""
@mechanism({privacy})
def noisy(x: {kind}, eps: Epsilon) -> float:
    noise = sample(Laplace(1 / eps))
    return x + noise
"""
    report = verify(source(tmp_path, HEADER + text)["noisy"])
    assert report.verdict is Verdict.UNSUPPORTED
    assert message in report.reasons[0]
