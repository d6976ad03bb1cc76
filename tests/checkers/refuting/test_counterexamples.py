"""Counterexamples are true, none is missed, and no file that somebody edited is believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shiftproof import (
    BadInput,
    Comparison,
    Mechanism,
    Verdict,
    comparison_from_json,
    likelihood,
    recompute,
    refute,
    verify,
)
from tests.dsl.making import body, made
from tests.loading import load, source
from tests.places import PROGRAMS

FOUND = load(PROGRAMS / "checkers" / "refuted_mechanisms.py")


def counterexample(name: str) -> Comparison:
    found = refute(FOUND[name], effort=6000)
    assert found is not None
    return found


@pytest.mark.parametrize("name", FOUND)
def test_is_refuted(name: str) -> None:
    found = counterexample(name)
    assert found.breaks
    assert recompute(found, FOUND[name]) == found


def test_a_point_of_a_density_is_no_atom_of_the_other_side() -> None:
    mechanism = FOUND["an_atom_where_the_other_has_a_density"]
    found = counterexample("an_atom_where_the_other_has_a_density")
    if found.infinite:
        (released,) = found.outcome
        there = likelihood(mechanism, [float(str(released.value))], **found.right, eps="ln 2")
        assert there.value.high == 0


def test_a_point_of_a_density_is_not_on_the_diagonal_of_the_other_side() -> None:
    found = counterexample("a_diagonal_where_the_other_has_a_density")
    kinds = [released.kind for released in found.outcome]
    if kinds == ["real", "real"]:
        assert found.outcome[0].value != found.outcome[1].value


Edit = Callable[[dict[str, Any]], object]


def edited(edit: Edit, name: str = "one_input_of_two") -> Comparison:
    plain = json.loads(counterexample(name).as_json())
    edit(plain)
    return comparison_from_json(json.dumps(plain))


@pytest.mark.parametrize(
    "edit",
    [
        lambda c: c["left"].update(f=0.5),
        lambda c: c["left"].update(f="1"),
        lambda c: c["left"].update(f=True),
        lambda c: c["left"].update(f=[1]),
        lambda c: c["left"].update(f=10**30),
        lambda c: c["right"].update(f=7),
        lambda c: c["left"].pop("g"),
        lambda c: c.update(ending="x"),
        lambda c: c.update(mechanism="x"),
        lambda c: c.update(version=2),
        lambda c: c.update(epsilon={"eps": "-1"}),
        lambda c: c["outcome"][0].update(value="1/0"),
        lambda c: c["outcome"][0].update(value="nan"),
        lambda c: c["outcome"][0].update(value=True),
        lambda c: c["outcome"][0].update(kind="x"),
        lambda c: c.update(more=1),
    ],
)
def test_an_edited_file_is_bad_input(edit: Edit) -> None:
    with pytest.raises(BadInput):
        recompute(edited(edit), FOUND["one_input_of_two"])


def test_what_a_file_says_of_likelihoods_is_not_believed() -> None:
    def wrong(c: dict[str, Any]) -> None:
        c["on_left"] = {"low": "1", "high": "1"}
        c["breaks"] = False
        c.pop("records")

    mechanism = FOUND["one_input_of_two"]
    assert recompute(edited(wrong), mechanism) == counterexample("one_input_of_two")


def test_an_outcome_that_is_impossible_on_both_sides_is_no_counterexample() -> None:
    def longer(c: dict[str, Any]) -> None:
        c["outcome"].append(c["outcome"][0])

    now = recompute(edited(longer), FOUND["one_input_of_two"])
    assert not now.breaks and not now.infinite
    assert now.log_ratio is None


def test_a_mended_mechanism_is_no_longer_refuted() -> None:
    def halved(c: dict[str, Any]) -> None:
        c["left"], c["right"] = c["right"], c["left"]

    swapped = edited(halved)
    assert not recompute(swapped, FOUND["one_input_of_two"]).breaks


def test_two_mechanisms_of_one_name(tmp_path: Path) -> None:
    found = counterexample("a_number_for_a_budget")
    other: Mechanism[..., Any] = FOUND["only_for_one_epsilon"]
    with pytest.raises(BadInput, match="about a_number_for_a_budget"):
        recompute(found, other)


@pytest.mark.parametrize("budget", [True, float("nan"), float("inf"), "1"])
def test_a_budget_that_is_no_number_is_said_to_be_none(budget: Any) -> None:
    plain = FOUND["a_number_for_a_budget"]
    report = verify(Mechanism(plain.function, plain.privacy, budget, "proved"))
    assert report.verdict is Verdict.UNSUPPORTED
    assert "the budget is no finite number" in report.reasons[0]


NO_ORDER = """
from shiftproof import DP, Counts, Epsilon, Laplace, mechanism, sample

@mechanism(DP())
def compared(f: Counts, eps: Epsilon) -> int:
    best = None
    noise = sample(Laplace(1 / eps))
    if best {operation}:
        return 1
    return 0
"""


@pytest.mark.parametrize("operation", [">= 0", "< noise", "+ 1 > 0", "- noise > 0", "* 2 == 0"])
def test_what_raises_a_type_error_is_no_fault_of_ours(operation: str, tmp_path: Path) -> None:
    """Python raises on every run: there is no outcome, and no counterexample."""
    found = source(tmp_path, NO_ORDER.format(operation=operation))["compared"]
    assert refute(found) is None
    assert str(verify(found).verdict) == "unsupported"


#: Private: the precondition rules out ln 2, or 2 ln 2, where more would be released.
EXACTLY_AT_LN_2 = {
    "below 2": "assert exp(eps) < 2\nif exp(eps) >= 2:\n    yield x\nyield 0",
    "not 2": "assert exp(eps) != 2\nif exp(eps) == 2:\n    yield x\nyield 0",
    "below 4": "assert exp(eps) < 4\nif exp(eps) >= 4:\n    yield x\nyield 0",
    "a power": "assert exp(2 * eps) < 4\nif exp(2 * eps) >= 4:\n    yield x\nyield 0",
    "a half": "assert exp(-eps) > 1 / 2\nif exp(-eps) <= 1 / 2:\n    yield x\nyield 0",
    "a product": "assert exp(eps) * exp(eps) < 4\nif exp(eps) >= 2:\n    yield x\nyield 0",
    "above 2": "assert exp(eps) > 2\nif exp(eps) <= 2:\n    yield x\nyield 0",
    "or": "assert exp(eps) < 2 or exp(eps) > 2\nif exp(eps) == 2:\n    yield x\nyield 0",
}


@pytest.mark.parametrize("name", EXACTLY_AT_LN_2)
def test_a_precondition_is_asked_at_ln_2_itself(name: str) -> None:
    found = made("from math import exp\n" + body(EXACTLY_AT_LN_2[name], "x: Count"))
    assert refute(found, effort=500) is None


def test_what_a_precondition_admits_at_ln_2_is_refuted() -> None:
    text = "assert exp(eps) <= 2\nif exp(eps) >= 2:\n    yield x\nyield 0"
    found = refute(made("from math import exp\n" + body(text, "x: Count")), effort=500)
    assert found is not None and found.breaks
