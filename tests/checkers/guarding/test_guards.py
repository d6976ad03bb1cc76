"""Two doubts about every proof: is it about something, and do runs agree with it?"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from shiftproof import Mechanism, Report, Verdict, verify
from shiftproof.alignments.alignment import annotated_shifts
from shiftproof.checkers.guarding.hold import Looked, guarded
from shiftproof.dsl.language.syntax import NOWHERE, BooleanConstant, Constant, Expression
from shiftproof.dsl.normalise import normalised
from tests.programs.checkers import broken_conditions, guarded_mechanisms
from tests.sampling import every

KNOWN = {n: m for n, m in vars(guarded_mechanisms).items() if isinstance(m, Mechanism)}
#: What single runs can show; the measure is not about them.
SHOWN = ("support", "same_samples", "same_output", "cost")
BROKEN = {
    n: m
    for n, m in vars(broken_conditions).items()
    if n.startswith(SHOWN) and n != "support_between_the_integers"
}
NOISES = sorted(n for n in KNOWN if n.startswith("noise_"))


def place(name: str) -> str:
    lines, first = inspect.getsourcelines(KNOWN[name].function)
    (line,) = [first + k for k, text in enumerate(lines) if "# here" in text]
    return f"guarded_mechanisms.py:{line}:"


def looked(mechanism: Mechanism, shifts: Mapping[int, Expression]) -> Looked:
    """What runs say against an alignment."""
    return guarded(mechanism.program, normalised(mechanism), [shifts])


@pytest.mark.parametrize("name", every(3, NOISES))
def test_runs_agree_with_the_proof(name: str) -> None:
    report = verify(KNOWN[name], replays=30)
    assert report.verdict is Verdict.PROVED, report.reasons
    assert report.reasons == ()


def test_every_noise_is_run() -> None:
    used = {node.step.distribution for name in NOISES for node in KNOWN[name].program.flow.sites}
    assert len(used) == 8


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_wrong_alignment_breaks_in_a_run(name: str) -> None:
    found = looked(BROKEN[name], annotated_shifts(BROKEN[name].program))
    assert found.runs >= 1
    condition = next(c for c in SHOWN if name.startswith(c))
    words = "the alignment costs " if condition == "cost" else "' is broken"
    assert words in found.alarm and condition.replace("_", " ") in found.alarm
    assert "; D and D' are " in found.alarm


@pytest.mark.parametrize("shift", [0, 1, -1])
@pytest.mark.parametrize("name", ["noise_laplace", "noise_two_sided_geometric"])
def test_a_constant_shift_breaks_in_a_run(name: str, shift: int) -> None:
    found = looked(KNOWN[name], {0: Constant(NOWHERE, Fraction(shift), "int")})
    assert "'same output' is broken" in found.alarm


def test_a_constant_flip_breaks_in_a_run() -> None:
    """To flip always is right for every two values that differ."""
    never, always = (BooleanConstant(NOWHERE, flip) for flip in (False, True))
    assert "'same output' is broken" in looked(KNOWN["noise_bernoulli"], {0: never}).alarm
    assert not looked(KNOWN["noise_bernoulli"], {0: always}).alarm


def test_a_shift_off_the_lattice_breaks_in_a_run() -> None:
    mechanism = broken_conditions.support_between_the_integers
    found = looked(mechanism, annotated_shifts(mechanism.program))
    assert "'support' is broken" in found.alarm


@pytest.mark.parametrize("replays", [0, 30])
def test_a_function_that_runs_otherwise_is_noticed(
    replays: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Mechanism.run

    def leaks(self: Any, values: dict[str, Any]) -> tuple[Any, ...]:
        return (*run(self, values), values["f"])

    monkeypatch.setattr(Mechanism, "run", leaks)
    report = verify(KNOWN["noise_laplace"], replays=replays)
    assert report.verdict is Verdict.UNKNOWN
    reason, _ = report.reasons  # and that no counterexample was found
    assert reason.startswith("alarm: the guard: the imported function releases (")
    assert report.epsilon_upper is None and report.certificate is None


def test_noise_that_is_left_over_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mechanism, "run", lambda self, values: (int(values["f"] > 0),))
    report = verify(KNOWN["noise_laplace"])
    assert report.verdict is Verdict.UNKNOWN
    assert "noise left over" in report.reasons[0]


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


@pytest.mark.parametrize("name", every(2, ["endless_with_noise", "endless"]))
def test_what_never_ends_is_not_proved(name: str) -> None:
    report = verify(KNOWN[name], effort=100 if os.environ.get("SHIFTPROOF_FULL") else 10)
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
