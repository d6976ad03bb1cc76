"""The report of ``verify``: the verdict, the claim, and the proof or what is in the way."""

from __future__ import annotations

from ..checkers.refuting.text import in_words
from ..checkers.verdicts import Report
from ..dsl.normalise import read_normalised
from ..formats.of_reports import record_of
from .card import Card, Listing, Mood, fact
from .claims import claim_formulas
from .of_comparisons import fact_of
from .of_mechanisms import where

_CLOSING = "The proof is about exact real arithmetic and ideal noise."


def card_of(report: Report) -> Card:
    """The card of a report."""
    record = record_of(report)
    words = [] if report.refutation is None else in_words(report.refutation)
    found = {
        **record.details,
        "sizes": report.sizes,
        "proved ε": report.epsilon_upper or "",
    }
    reasons = "\n".join(record.explanation[len(words) :])
    text = "" if report.certificate is None else report.certificate.text
    return Card(
        report.mechanism,
        str(report.verdict),
        mood(report),
        formulas=claim_formulas(read_normalised(text).program) if text else (),
        lead=report.verdict.meaning,
        facts=(
            *(fact(label, said) for label, said in found.items() if said),
            *map(fact_of, words),
            where(report.file, report.line),
        ),
        listings=(Listing(tuple(reasons.split("\n"))),) if reasons else (),
        note=_CLOSING if report.epsilon_upper else "",
    )


def mood(report: Report) -> Mood:
    """What the verdict says of the mechanism, whatever its author expects."""
    if report.falls:
        return "bad"
    return "good" if report.holds else "open"
