"""A prover with a bug proves what is not private; the kernel alone notices.

The other guards (recorded runs against the proof, a search for its vacuity) are off.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from shiftproof import Mechanism, Verdict, refute, verify
from shiftproof.checkers.certify import Text, certificate_of, placed
from shiftproof.checkers.kernel.arithmetic import Wrong
from shiftproof.checkers.proving.aligned import Finding, findings_of
from shiftproof.checkers.proving.attempts import Proof
from shiftproof.checkers.proving.one_sided import Answers
from shiftproof.checkers.trees.confirming import Confirming
from shiftproof.dsl.normalise import core_text
from tests.checkers.kernel.broken_provers import BROKEN, weakening, without_guards
from tests.mechanisms.test_gallery import GALLERY
from tests.programs.checkers import overlooked_mechanisms
from tests.sampling import every

WRONG = {n: m for n, m in vars(overlooked_mechanisms).items() if isinstance(m, Mechanism)}
#: What the kernel objects to, by the mechanism or by the bug that hid it from the prover.
OBJECTION = {
    "no_support": ": support: ",
    "no_measure": ": measure: ",
    "costs_of_the_wrong_sign": ": cost: ",
    "costs_of_the_wrong_sign_aligned": ": loop invariant: 0 >= cost(eps)",
    "costs_halved": ": cost: ",
    "costs_halved_in_a_loop": ": loop invariant: the costs are",
    "proposals_kept": ": loop invariant: ",
    "assumed_in_the_loop": ": definedness and end: an index of f",
    "a_second_pass_is_free": ": loop invariant: ",
    "no_same_output": ": same output: ",
    "no_same_samples": ": same samples: ",
    "no_definedness": ": definedness and end: ",
    "no_prophecy": ": prophecy: ",
    "a_rate_forgotten": "a cost of which the certificate has no rate",
    "budgets_always_met": ": cost: ",
    "neighbours_the_wrong_way": ": support: ",
    "neighbours_too_near": ": cost: ",
}


def bug_of(name: str) -> str:
    (found,) = [bug for bug in BROKEN if name.startswith(bug)]
    return found


def found_by(mechanism: Mechanism[..., Any]) -> list[Finding]:
    """What the prover finds; it must have a proof of each case."""
    findings = findings_of(mechanism.program)
    assert findings and all(f.verdict is Verdict.PROVED and f.part for f in findings), findings
    return findings


def rejected(mechanism: Mechanism[..., Any]) -> str:
    """The kernel's objections, case by case, to what the prover, as it is now, finds."""
    text = Text.of(mechanism)
    parts = [placed(f.part, text.program) for f in found_by(mechanism) if f.part]
    kernel, problems = Confirming(core_text(text.program)), []
    for part in parts:
        try:
            kernel.part(part)
        except Wrong as error:
            problems.append(str(error))
    assert problems
    with pytest.raises(Wrong, match=re.escape(problems[0])):
        certificate_of(text, Proof(tuple(parts)), Answers(()))
    report = verify(mechanism, effort=0)
    assert report.verdict is Verdict.UNKNOWN
    assert report.certificate is None and report.epsilon_upper is None
    assert any("the kernel rejects the proof" in reason for reason in report.reasons)
    return "\n".join(problems)


@pytest.mark.parametrize("name", every(3, sorted(WRONG)))
def test_the_kernel_rejects_what_a_broken_prover_proves(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_guards(monkeypatch)
    BROKEN[bug_of(name)](monkeypatch)
    wanted = OBJECTION.get(name) or OBJECTION[bug_of(name)]
    assert wanted in rejected(WRONG[name])


@pytest.mark.parametrize("name", sorted(WRONG))
def test_the_prover_itself_does_not_prove_it(name: str) -> None:
    """With all its parts, and without the guards that would notice a mistake of its own."""
    with pytest.MonkeyPatch.context() as patch:
        without_guards(patch)
        findings = findings_of(WRONG[name].program)
    assert findings[-1].verdict is not Verdict.PROVED


@pytest.mark.parametrize("name", sorted(WRONG))
def test_it_is_not_private(name: str) -> None:
    found = refute(WRONG[name], effort=4000)
    assert found is not None and found.breaks


def test_every_bug_has_a_mechanism() -> None:
    assert set(map(bug_of, WRONG)) == set(BROKEN) == set(map(bug_of, OBJECTION))


@pytest.mark.parametrize("name", every(2, ["sparse_vector", "noisy_max", "partial_sum"]))
@pytest.mark.parametrize("at", [0, -1])
def test_every_invariant_that_is_written_down_is_needed(
    name: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One conjunct less, and what is true is not proved any more."""
    without_guards(monkeypatch)
    weakening(lambda kept: tuple(f for f in kept if f is not kept[at]))(monkeypatch)
    assert "there is no proof of it" in rejected(GALLERY[name])


def test_without_any_invariant(monkeypatch: pytest.MonkeyPatch) -> None:
    without_guards(monkeypatch)
    weakening(lambda kept: ())(monkeypatch)
    assert ": cost: " in rejected(GALLERY["sparse_vector"])
