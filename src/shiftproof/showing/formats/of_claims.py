"""The answers of ``claims`` as records: statements of the papers, decided by machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from inspect import getsourcefile, getsourcelines
from typing import TYPE_CHECKING, Any

from .record import Answers, Finding, Level, Place, Record, Rule, presentable, relative

if TYPE_CHECKING:
    from ...proofs.claims import Claim, Settled

_COLUMNS = {"verdict": len("not machine-checked"), "time": 8}
_OTHER = Rule(
    "other-claim-verdict",
    Level.ERROR,
    "A claim has another verdict than the recorded one",
    "The checks of a paper's claim came to another verdict than its entry records.",
    "Find out whether the entry, a check or the toolkit is wrong.",
)
RULES = (_OTHER,)


def of_claims(settled: Sequence[Settled], detailed: bool = False) -> Answers:
    """What ``claims`` answers, for any format.

    Args:
        settled: the claims after their checks have run.
        detailed: whether to show what each check says and found.
    """
    from ...proofs.claims import Verdict

    records = tuple(record_of(each, detailed) for each in settled)
    return Answers(
        command="claims",
        records=records,
        status=max((record.status for record in records), default=0),
        columns=_COLUMNS,
        meanings={verdict.text: verdict.meaning for verdict in Verdict},
        closing="Verdicts are about the statements as they are printed; ε is in nats.",
        good="all as recorded" if records else "no claim",
        bad="not as recorded",
        subject="claim",
    )


def record_of(settled: Settled, detailed: bool) -> Record:
    """One claim as a record."""
    claim = settled.claim
    status = 0 if settled.as_recorded else 1
    return presentable(
        Record(
            name=f"{claim.paper.key} {claim.name}",
            place=_place(settled),
            answer=settled.verdict.text,
            status=status,
            columns={
                "verdict": settled.verdict.text,
                "time": f"{settled.seconds:.2f} s",
            },
            details=_details(settled) if detailed or status else {},
            explanation=(),
            findings=_findings(settled),
            seconds=settled.seconds,
            plain=_plain(settled),
        )
    )


def _place(settled: Settled) -> Place:
    """The first check; a claim without any has no place of its own."""
    for check in settled.claim.checks:
        file = getsourcefile(check.decide)
        if file:
            return Place(relative(file), getsourcelines(check.decide)[1], text="its first check")
    return Place("")


def _details(settled: Settled) -> dict[str, str]:
    """What is stated, how it is read, and what each check found; each has a label of its own."""
    claim = settled.claim
    found = {"states": claim.states, "reading": claim.reading}
    seen: Counter[str] = Counter()
    for check, finding in settled.findings:
        answer = "holds" if finding.holds else "fails"
        role = check.role.value
        seen[role] += 1
        label = role if seen[role] == 1 else f"{role} {seen[role]}"
        found[label] = f"{check.says} ({check.method})\n{answer}: {finding.detail}"
    found["argument"] = claim.argument
    return {label: text for label, text in found.items() if text}


def _findings(settled: Settled) -> tuple[Finding, ...]:
    if settled.as_recorded:
        return ()
    claim = settled.claim
    return (
        Finding(
            rule=_OTHER,
            headline=f"{claim.name}: {settled.verdict.text}, recorded is {claim.verdict.text}",
            lines=tuple(f"{check.says}: {found.detail}" for check, found in settled.findings),
            place=_place(settled),
            key=(claim.paper.key, claim.name),
        ),
    )


def _plain(settled: Settled) -> dict[str, Any]:
    claim: Claim = settled.claim
    return {
        "paper": claim.paper.key,
        "claim": claim.name,
        "states": claim.states,
        "reading": claim.reading,
        "verdict": settled.verdict.text,
        "recorded": claim.verdict.text,
        "checks": [
            {
                "role": check.role.value,
                "says": check.says,
                "method": check.method,
                "how": check.how,
                "holds": finding.holds,
                "found": finding.detail,
            }
            for check, finding in settled.findings
        ],
        "argument": claim.argument,
        "seconds": round(settled.seconds, 3),
    }
