"""Composition: what calls private mechanisms within its budget is proved, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shiftproof import Mechanism, Verdict, verify
from shiftproof.checkers.proving.aligned import findings_of
from shiftproof.checkers.proving.one_sided import one_sided_claims
from shiftproof.checkers.walking.certificate import Part
from shiftproof.dsl.errors import Unsupported
from shiftproof.dsl.normalise import normalised, read_normalised, same_program
from shiftproof.dsl.relations.program import Program
from tests.checkers.kernel.finding import problems
from tests.loading import source
from tests.programs.checkers import composed_mechanisms
from tests.programs.checkers.miscomposed_mechanisms import (
    NOT_PROVED,
    RAISING,
    REFUTED,
    believes_its_callee,
    budget_that_varies,
    told_what_holds,
)
from tests.sampling import every

CALLING = {
    name: value
    for name, value in vars(composed_mechanisms).items()
    if isinstance(value, Mechanism) and value.program.calls
}
TEXT = Path(composed_mechanisms.__file__).read_text(encoding="utf-8")


def parts_of(mechanism: Mechanism[..., Any], program: Program) -> list[Part] | None:
    """The proof of a claim, if there is one: of the rule alone, with the callees believed."""
    findings = findings_of(program)
    parts = [f.part for f in findings if f.verdict is Verdict.PROVED and f.part is not None]
    return parts if len(parts) == len(findings) else None


def overspent() -> Iterator[tuple[str, str]]:
    """Each mechanism with one of its shares of ε spent in full, as a file's text."""
    for name in CALLING:
        start = TEXT.index(f"\ndef {name}(")
        end = (TEXT + "\n\n\n").index("\n\n\n", start)
        for share in ("eps / 2", "eps / 3", "eps / 4", "eps / k"):
            at = TEXT.find(share, start, end)
            while at >= 0:
                yield name, f"{TEXT[:at]}eps{TEXT[at + len(share) :]}"
                at = TEXT.find(share, at + 1, end)


OVERSPENT = [*overspent()]


def half(program: Program) -> Program:
    """The same mechanism with half its claim."""
    return replace(program, budget=program.budget.scaled(Fraction(1, 2)))


class TestRight:
    def test_there_are_many(self) -> None:
        assert len(CALLING) >= 19 and len(OVERSPENT) >= 25

    @pytest.mark.parametrize("name", every(3, CALLING))
    def test_prover_and_kernel_agree(self, name: str) -> None:
        mechanism = CALLING[name]
        parts = parts_of(mechanism, mechanism.program)
        assert parts is not None
        assert parts and not problems(mechanism.program, parts)
        # The same proof does not do for half the claim, and there is none.
        halved = half(mechanism.program)
        assert problems(mechanism.program, parts, "{} / 2")
        assert parts_of(mechanism, halved) is None

    @pytest.mark.parametrize(
        "name", every(2, ["then_its_count", "cell_by_cell", "chained", "all_of_both"])
    )
    def test_verdict(self, name: str) -> None:
        assert verify(CALLING[name]).verdict is Verdict.PROVED

    @pytest.mark.parametrize("case", every(5, range(len(OVERSPENT))), ids=lambda k: OVERSPENT[k][0])
    def test_no_share_can_be_spent_in_full(self, case: int, tmp_path: Path) -> None:
        name, text = OVERSPENT[case]
        mechanism = source(tmp_path, text)[name]
        assert parts_of(mechanism, mechanism.program) is None

    @pytest.mark.parametrize("name", every(2, CALLING))
    def test_normalised_text(self, name: str) -> None:
        text = normalised(CALLING[name])
        again = read_normalised(text)
        assert same_program(CALLING[name].program, again.program) and normalised(again) == text


class TestWrong:
    @pytest.mark.parametrize("mechanism", every(4, REFUTED), ids=lambda m: m.__name__)
    def test_refuted(self, mechanism: Mechanism[..., Any]) -> None:
        assert verify(mechanism).verdict is Verdict.REFUTED

    @pytest.mark.parametrize("mechanism", RAISING, ids=lambda m: m.__name__)
    def test_raising(self, mechanism: Mechanism[..., Any]) -> None:
        report = verify(mechanism)
        assert report.verdict is Verdict.UNSUPPORTED and "raises" in report.reasons[0]

    @pytest.mark.parametrize("mechanism", NOT_PROVED, ids=lambda m: m.__name__)
    def test_not_proved(self, mechanism: Mechanism[..., Any]) -> None:
        verdict = verify(mechanism, effort=0).verdict
        assert verdict in (Verdict.UNKNOWN, Verdict.UNSUPPORTED)

    @pytest.mark.parametrize(
        "mechanism", every(2, [*REFUTED, *NOT_PROVED]), ids=lambda m: m.__name__
    )
    def test_the_kernel_takes_no_proof_of_another_for_it(
        self, mechanism: Mechanism[..., Any]
    ) -> None:
        # Without samples of its own, a claim that was proved would be of just this shape.
        part = Part("", costs={"eps": "1"})
        assert problems(mechanism.program, [part])

    def test_a_budget_must_not_vary(self) -> None:
        with pytest.raises(Unsupported, match="budget of noisy that varies"):
            parts_of(budget_that_varies, budget_that_varies.program)

    def test_what_a_callee_ensures_is_not_known(self) -> None:
        (claim,) = one_sided_claims(believes_its_callee.program).claims
        assert claim.outcome == "broken"
        (claim,) = one_sided_claims(told_what_holds.program).claims
        assert claim.outcome == "unknown"


class TestGuards:
    @pytest.mark.parametrize("name", ["two_counts"])
    def test_runs_with_calls_are_held_against_the_proof(self, name: str) -> None:
        mechanism = CALLING[name]
        report = verify(mechanism, replays=12)
        assert report.verdict is Verdict.PROVED, report.reasons
