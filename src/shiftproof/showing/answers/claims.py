"""The answers of ``claims``: statements of the papers, decided by machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from inspect import getsourcefile, getsourcelines
from typing import TYPE_CHECKING, Any

from ..account import Account, Answers, Finding, Place, facts_of
from ..printable import presentable, relative
from ..rules import RULES

if TYPE_CHECKING:
    from ...proofs.claims import Claim, Settled

_COLUMNS = {"verdict": len("not machine-checked"), "time": 8}


def of_claims(settled: Sequence[Settled], detailed: bool = False) -> Answers:
    """What ``claims`` answers, for any format.

    Args:
        settled: the claims after their checks have run.
        detailed: whether to show what each check says and found.
    """
    from ...proofs.claims import Verdict

    accounts = tuple(of_claim(each, detailed) for each in settled)
    return Answers(
        command="claims",
        accounts=accounts,
        status=max((account.status for account in accounts), default=0),
        columns=_COLUMNS,
        meanings={verdict.text: verdict.meaning for verdict in Verdict},
        closing="Verdicts are about the statements as they are printed; ε is in nats.",
        good="all as recorded" if accounts else "no claim",
        bad="not as recorded",
        subject="claim",
    )


def of_claim(settled: Settled, detailed: bool) -> Account:
    """One of them."""
    claim = settled.claim
    status = 0 if settled.as_recorded else 1
    return presentable(
        Account(
            title=f"{claim.paper.key} {claim.name}",
            place=_place(settled),
            verdict=settled.verdict.text,
            status=status,
            columns={
                "verdict": settled.verdict.text,
                "time": f"{settled.seconds:.2f} s",
            },
            facts=facts_of(_details(settled)) if detailed or status else (),
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
    return found


def _findings(settled: Settled) -> tuple[Finding, ...]:
    if settled.as_recorded:
        return ()
    claim = settled.claim
    return (
        Finding(
            rule=RULES["other-claim-verdict"],
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
