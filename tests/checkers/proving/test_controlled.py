"""Loops that go by states, intervals and spent budgets are proved, refuted, or told why not."""

from __future__ import annotations

from typing import Any

import pytest

from shiftproof import Verdict, verify
from shiftproof.alignments.control import finite_variables
from shiftproof.dsl.mechanism import Mechanism
from shiftproof.workspace.targets import resolve
from tests.places import PROGRAMS
from tests.sampling import every


def programs(name: str) -> list[Mechanism[..., Any]]:
    return resolve(str(PROGRAMS / "checkers" / f"{name}_mechanisms.py"))


CONTROLLED = programs("controlled")
SERIES = CONTROLLED[-2:]
AUTOMATA = [*programs("automata"), *programs("range_automata")]
LEAKING = [*programs("leaking_cycle"), *programs("leaking_pair")]


def name_of(mechanism: Mechanism[..., Any]) -> str:
    return mechanism.function.__name__


@pytest.mark.parametrize("mechanism", every(4, CONTROLLED[:-2]), ids=name_of)
def test_what_people_write_is_decided(mechanism: Mechanism[..., Any]) -> None:
    report = verify(mechanism)
    assert report.as_expected, report


@pytest.mark.parametrize("mechanism", every(6, AUTOMATA), ids=name_of)
def test_a_well_formed_automaton_is_proved(mechanism: Mechanism[..., Any]) -> None:
    report = verify(mechanism)
    assert report.verdict is Verdict.PROVED, report


@pytest.mark.parametrize("mechanism", every(8, LEAKING), ids=name_of)
def test_a_leaking_automaton_is_refuted(mechanism: Mechanism[..., Any]) -> None:
    report = verify(mechanism)
    assert report.verdict is Verdict.REFUTED, report


@pytest.mark.parametrize("mechanism", SERIES, ids=name_of)
def test_a_scale_that_changes_is_told_to_be_fixed(mechanism: Mechanism[..., Any]) -> None:
    report = verify(mechanism)
    assert report.verdict is Verdict.UNSUPPORTED
    assert "a scale must be fixed" in report.reasons[0], report


def test_states_are_the_variables_that_loops_go_by() -> None:
    by_name = {name_of(m): finite_variables(m.program.flow) for m in CONTROLLED}
    assert by_name["two_levels"] == {"state"}
    assert by_name["every_second_one"] == {"turn"}  # (turn + 1) % 2 has two values
    assert by_name["first_of_some"] == {"closed"}  # and `found` has as many as one likes
    assert by_name["spent"] == by_name["which_side"] == frozenset()
