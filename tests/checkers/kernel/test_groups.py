"""Groups in the kernel: a step is checked with its part of the budget, and nothing else passes."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
import pytest

from shiftproof import Verdict, verify
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.kernel.check import check
from shiftproof.checkers.kernel.claim import policies
from shiftproof.dsl.relations.program import Program
from tests.checkers.kernel.finding import found_anew
from tests.programs.checkers import groups

Certificate = dict[str, Any]


@cache
def proof(name: str) -> str:
    report = verify(getattr(groups, name))
    assert report.verdict is Verdict.PROVED
    return msgspec.json.encode(report.certificate).decode()


def with_claim(name: str, claim: str) -> Certificate:
    found: Certificate = json.loads(proof(name))
    found = copy.deepcopy(found)
    (k,) = (k for k, line in enumerate(found["core"]) if line.startswith("@mechanism(Group"))
    tail = found["core"][k].partition("Group(DP(), 2)")[2]
    found["core"][k] = f"@mechanism({claim}{tail}"
    return found


def test_what_is_proved_is_of_the_ends_of_a_chain() -> None:
    said = check(with_claim("of_histogram", "Group(DP(), 2)")).statement
    assert "β = eps / 2:" in said.replace("(eps)", "eps")
    assert "with β = eps, of the ends of any chain of 2 such pairs" in said


@pytest.mark.parametrize(
    "claim",
    [
        "Group(DP(), 3)",
        "Group(DP(), 200)",
        "Group(DP('replacement'), 3)",
        "Group(DP('add-remove'), 3)",
        "Group(DP(), 0)",
        "Group(DP(), -2)",
        "Group(DP(), 2.0)",
        "Group(DP(), True)",
        "Group(DP(), '2')",
        "Group(DP(), 4 / 2)",
        "Group(DP(), eps)",
        "Group(DP(), len)",
        "Group(DP())",
        "Group(2, DP())",
        "Group(DP(), 2, 3)",
        "Group(DP(), size=2)",
        "Group(definition=DP(), size=2)",
        "Group(DP(), *2)",
        "Group(DP(), 2, size=3)",
        "Group(LDP(), 2)",
        "Group(DP, 2)",
        "Group(ADP(Policy({1})), 2)",
        "Group(OneSidedDP(Policy({1})), 2)",
        "Group(Group(DP(), 1), 2)",
        "Group(Group(DP(), 2), 1)",
        "Group(UtilityOptimizedLDP(f, f), 2)",
        "Groups(DP(), 2)",
        "(Group)(DP(), 3)",
        "DP().Group(DP(), 3)",
    ],
)
@pytest.mark.parametrize("anew", [False, True])
def test_other_claims_are_not_proved_by_it(claim: str, anew: bool) -> None:
    changed = with_claim("of_histogram", claim)
    with pytest.raises((Wrong, KeyError, TypeError)):
        found_anew(changed) if anew else check(changed)
    with pytest.raises(Wrong):
        check(changed)


@pytest.mark.parametrize("claim", ["Group(DP(), 1)", "DP()", "Group(DP('replacement'), 2)"])
def test_weaker_claims_follow_with_trees_of_their_own(claim: str) -> None:
    assert check(found_anew(with_claim("of_histogram", claim)))


def test_a_prover_that_forgets_to_divide_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own proof goes through; the kernel's division objects."""

    def forgetful(program: Program) -> Program:
        return replace(program, privacy=program.privacy.one_step)

    monkeypatch.setattr(Program, "one_step", property(forgetful))
    report = verify(groups.two_are_paid, effort=0)
    assert report.verdict is Verdict.UNKNOWN
    report = verify(groups.one_is_paid, effort=0)
    assert report.verdict is Verdict.UNKNOWN
    assert any("the kernel rejects the proof" in reason for reason in report.reasons)


def test_a_kernel_that_forgets_too_is_found_out_by_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(program: Program) -> Program:
        return replace(program, privacy=program.privacy.one_step)

    monkeypatch.setattr(Program, "one_step", property(forgetful))
    monkeypatch.setattr(policies, "steps", lambda header: 1)
    report = verify(groups.one_is_paid, effort=0)
    assert report.verdict is Verdict.UNKNOWN
    assert any("the guard" in reason for reason in report.reasons), report.reasons
