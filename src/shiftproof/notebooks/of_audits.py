"""Audits: what was found by sampling, which is never a proof."""

from __future__ import annotations

from ..audits.as_text import claim_text, inputs_text, judgement_text, ratio_text, value_text
from ..checkers.auditing.one_sided import OneSidedAudit
from ..checkers.auditing.result import Audit
from .card import Card, Listing, Table, fact

#: How many events are listed.
LISTED = 5
_NO_PROOF = "That no violation was found does not mean that there is none."


def card_of(audit: Audit | OneSidedAudit) -> Card:
    """The card of an audit."""
    return _one_sided(audit) if isinstance(audit, OneSidedAudit) else _privacy(audit)


def _privacy(audit: Audit) -> Card:
    violated = audit.verdict == "violation found"
    runs = f"{audit.runs:,} of {audit.asked:,}, seed {audit.seed}"
    public = ", ".join(f"{name} = {value_text(value)}" for name, value in audit.public.items())
    found = {
        "claim": claim_text(audit),
        "at": public,
        "ideal": judgement_text(audit.ideal, audit),
        "code": "" if audit.code is None else judgement_text(audit.code, audit),
        "runs": f"interrupted after {runs}" if audit.interrupted else runs,
        "note": "\n".join(audit.notes),
    }
    tested = [t for t in audit.tested if t.runs][:LISTED]
    rows = tuple(
        (
            t.event, inputs_text(t.left, audit.public), inputs_text(t.right, audit.public),
            f"{t.on_left:,}, {t.on_right:,} of {t.runs:,}",
            ratio_text(t).removeprefix("a ratio of "),
        )
        for t in tested
    )  # fmt: skip
    head = ("event", "D", "D′", "came on D, on D′", "ratio")
    return Card(
        audit.mechanism,
        audit.verdict,
        "bad" if violated else "plain",
        facts=tuple(fact(label, text) for label, text in found.items() if text),
        tables=(Table(head, rows),) if rows else (),
        note="" if violated else _NO_PROOF,
    )


def _one_sided(audit: OneSidedAudit) -> Card:
    lines = audit.as_text().split("\n")[1:]
    return Card(
        audit.mechanism,
        audit.verdict,
        "bad" if audit.verdict == "refuted" else "plain",
        listings=(Listing(tuple(line.removeprefix("  ") for line in lines)),),
    )
