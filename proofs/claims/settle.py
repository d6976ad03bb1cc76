"""From the findings of its checks to the verdict on a claim."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from .claim import Check, Claim, Finding, Role, Undecided, Verdict


@dataclass(frozen=True, slots=True)
class Settled:
    """A claim whose checks have run.

    Attributes:
        claim: which one.
        verdict: what the checks amount to.
        findings: what each check found, in their order.
        seconds: how long they took.
    """

    claim: Claim
    verdict: Verdict
    findings: tuple[tuple[Check, Finding], ...]
    seconds: float

    @property
    def as_recorded(self) -> bool:
        """Whether the checks came to the verdict that the entry records."""
        return self.verdict is self.claim.verdict


def settle(claim: Claim) -> Settled:
    """Run the checks of a claim and draw the verdict from them."""
    begun = time.perf_counter()
    findings = tuple((check, _found(check)) for check in claim.checks)
    verdict = verdict_of([(check.role, finding.holds) for check, finding in findings])
    if any(finding.detail.startswith(_OPEN) for _, finding in findings):
        verdict = Verdict.UNSETTLED
    return Settled(claim, verdict, findings, time.perf_counter() - begun)


_OPEN = "undecided: "


def _found(check: Check) -> Finding:
    try:
        return check()
    except Undecided as reason:
        return Finding(False, f"{_OPEN}{reason}")


def verdict_of(found: Sequence[tuple[Role, bool]]) -> Verdict:
    """What findings amount to.

    What is offered instead of a statement, as the hypothesis that it lacks, or besides, must
    hold; otherwise nothing is settled.  Of several ways to read it, some true and some false, the
    statement is ambiguous.
    """
    if not found:
        return Verdict.NOT_CHECKED
    stated = (Role.PRINTED, Role.READING)
    if not all(holds for role, holds in found if role not in stated):
        return Verdict.UNSETTLED
    readings = [holds for role, holds in found if role is Role.READING]
    if any(readings) and not all(readings):
        return Verdict.AMBIGUOUS
    of_text = [holds for role, holds in found if role in stated]
    if not of_text:
        return Verdict.UNSETTLED
    if all(of_text):
        return Verdict.TRUE
    return Verdict.TRUE_UNDER if Role.UNDER in dict(found) else Verdict.FALSE
