"""The two guards over every proof: it is about something, and real runs agree with it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from shiftproof import Mechanism, Report, Verdict, verify
from shiftproof.alignments.alignment import Alignment, annotated_shifts
from shiftproof.checkers import aligned as pipeline
from shiftproof.checkers.replay import Replayed, replay
from shiftproof.checkers.system import global_facts
from shiftproof.dsl.relations import cases_of
from shiftproof.dsl.syntax import NOWHERE, BooleanConstant, Constant, Expression
from tests.checkers import broken_conditions, guarded_mechanisms

KNOWN = {n: m for n, m in vars(guarded_mechanisms).items() if isinstance(m, Mechanism)}
#: What a replay can see; the measure is not about single runs.
REPLAYED = ("support", "same_samples", "same_output", "cost")
BROKEN = {
    n: m
    for n, m in vars(broken_conditions).items()
    if n.startswith(REPLAYED) and n != "support_between_the_integers"
}
NOISES = sorted(n for n in KNOWN if n.startswith("noise_"))


def place(name: str) -> str:
    lines, first = inspect.getsourcelines(KNOWN[name].function)
    (line,) = [first + k for k, text in enumerate(lines) if "# here" in text]
    return f"guarded_mechanisms.py:{line}:"


def replayed(mechanism: Mechanism, shifts: Mapping[int, Expression]) -> Replayed:
    """What replaying finds of an alignment, in the first case of the relation."""
    program = mechanism.program
    case = cases_of(program.privacy, program.inputs)[0]
    return replay(mechanism, case, global_facts(program, case), Alignment(shifts, "found"), 30)


@pytest.mark.parametrize("name", NOISES)
def test_replays_agree_with_the_proof(name: str) -> None:
    report = verify(KNOWN[name], replays=30)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.reasons == ()


def test_every_noise_is_replayed() -> None:
    used = {node.step.distribution for name in NOISES for node in KNOWN[name].program.flow.sites}
    assert len(used) == 8


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_wrong_alignment_breaks_in_a_replay(name: str) -> None:
    found = replayed(BROKEN[name], annotated_shifts(BROKEN[name].program))
    assert found.runs >= 1
    condition = next(c for c in REPLAYED if name.startswith(c))
    assert f"{condition.replace('_', ' ')}: " in found.failure
    assert "D = {" in found.failure and "D' = {" in found.failure


@pytest.mark.parametrize("shift", [0, 1, -1])
@pytest.mark.parametrize("name", ["noise_laplace", "noise_two_sided_geometric"])
def test_a_constant_shift_breaks_in_a_replay(name: str, shift: int) -> None:
    found = replayed(KNOWN[name], {0: Constant(NOWHERE, Fraction(shift), "int")})
    assert "same output: " in found.failure


@pytest.mark.parametrize("flip", [True, False])
def test_a_constant_flip_breaks_in_a_replay(flip: bool) -> None:
    found = replayed(KNOWN["noise_bernoulli"], {0: BooleanConstant(NOWHERE, flip)})
    assert "same output: " in found.failure


def test_a_shift_off_the_lattice_breaks_in_a_replay() -> None:
    mechanism = broken_conditions.support_between_the_integers
    found = replayed(mechanism, annotated_shifts(mechanism.program))
    assert "support: " in found.failure


def test_a_function_that_runs_otherwise_breaks_in_a_replay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = Mechanism.run

    def leaks(self: Any, values: dict[str, Any]) -> tuple[Any, ...]:
        return (*run(self, values), values["f"])

    monkeypatch.setattr(Mechanism, "run", leaks)
    report = verify(KNOWN["noise_laplace"], replays=30)
    assert report.verdict is Verdict.UNKNOWN
    reason, searched = report.reasons
    assert searched.startswith("no counterexample found: ")  # what is searched does not leak
    assert reason.startswith("alarm: a replay broke a promise of the proof: same output: ")
    assert report.epsilon_upper is None


def test_noise_that_is_left_over_breaks_in_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mechanism, "run", lambda self, values: (int(values["f"] > 0),))
    report = verify(KNOWN["noise_laplace"], replays=30)
    assert report.verdict is Verdict.UNKNOWN
    assert "noise left over" in report.reasons[0]


def test_without_replays_none_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> Replayed:
        raise AssertionError

    monkeypatch.setattr(inspect.getmodule(pipeline) or pipeline, "replay", refuse)
    assert verify(KNOWN["noise_laplace"]).verdict is Verdict.PROVED


def test_an_output_that_only_the_solver_reaches_is_reached() -> None:
    assert verify(KNOWN["rare_but_reached"]).verdict is Verdict.PROVED


def unreached(report: Report, name: str) -> bool:
    return any(
        place(name) in reason and reason.endswith("no run was found that releases this")
        for reason in report.reasons
    )


@pytest.mark.parametrize("name", sorted(n for n in KNOWN if n.startswith("unreached_")))
def test_a_proof_about_an_output_that_is_never_reached_is_none(name: str) -> None:
    report = verify(KNOWN[name])
    assert report.verdict is Verdict.UNKNOWN
    assert unreached(report, name), report.reasons
    assert report.epsilon_upper is None


@pytest.mark.parametrize("name", ["endless", "endless_with_noise"])
def test_what_never_ends_is_not_proved(name: str) -> None:
    report = verify(KNOWN[name], effort=100)
    assert report.verdict is Verdict.UNKNOWN
    assert report.reasons


@pytest.mark.parametrize("name", ["contradictory", "contradictory_sizes"])
def test_contradictory_preconditions_are_unsupported(name: str) -> None:
    report = verify(KNOWN[name])
    assert report.verdict is Verdict.UNSUPPORTED
    (reason,) = report.reasons
    assert place(name) in reason
    assert "its preconditions contradict each other; it can never be called" in reason


def test_a_contradiction_in_a_product_is_not_proved() -> None:
    assert verify(KNOWN["contradictory_product"]).verdict is not Verdict.PROVED
