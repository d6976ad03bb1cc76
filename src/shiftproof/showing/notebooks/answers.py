"""Cards of what is found out of a mechanism: reports, comparisons, certificates."""

from __future__ import annotations

from ...checkers.bound import TIGHT, Bracket, bounds_text
from ...checkers.refuting.comparison import Comparison, Refutation
from ...checkers.refuting.likelihood import Likelihood, in_words
from ...checkers.verdicts import Report
from ...checkers.walking.certificate import Certificate
from ...dsl.normalise import read_normalised
from ..formats.of_reports import record_of
from .card import Card, Fact, Listing, Mood, claim_formulas, fact
from .mechanisms import where

# Two neighbours and an outcome; a bracket, which ends in one; the likelihood of an outcome.


def of_comparison(value: Comparison | Bracket | Likelihood) -> Card:
    """The card of one of them."""
    if isinstance(value, Bracket):
        return _bracket(value)
    return _likelihood(value) if isinstance(value, Likelihood) else _comparison(value)


def fact_of(line: str) -> Fact:
    """A line of a comparison in words: ``D: f = (1,)``, ``at eps = ln 2``, ``ratio 4; …``."""
    label, sign, rest = line.partition(" " if line.startswith(("at ", "ratio ")) else ": ")
    return fact(label, rest) if sign else fact("", line)


def _comparison(found: Comparison) -> Card:
    facts = (fact("claim", found.claim), *map(fact_of, in_words(found)))
    if found.breaks:
        return Card(found.mechanism, "refuted", "bad", facts=facts)
    return Card(found.mechanism, "within the claim", "plain", facts=facts)


def _bracket(bracket: Bracket) -> Card:
    upper, lower = bounds_text(bracket)
    found = [] if bracket.comparison is None else in_words(bracket.comparison)
    tight = (fact("tight", TIGHT),) if bracket.tight else ()
    bounds = (fact("claimed ε", bracket.claimed), fact("upper", upper), fact("lower", lower))
    return Card(
        bracket.mechanism,
        "tight" if bracket.tight else "bracket",
        "good" if bracket.tight else "plain",
        facts=(*bounds, *tight, *map(fact_of, found)),
    )


def _likelihood(likelihood: Likelihood) -> Card:
    numbers = f"a density by {likelihood.reals} released real numbers"
    of = "a density by one released real number" if likelihood.reals == 1 else numbers
    exact = "exact" if likelihood.value.exact else "enclosed"
    return Card(
        "likelihood",
        exact,
        facts=(
            fact("value", str(likelihood.value)),
            fact("of", of if likelihood.reals else "a probability"),
        ),
    )


# The report of ``verify``: the verdict, the claim, and the proof or what is in the way.

_CLOSING = "The proof is about exact real arithmetic and ideal noise."


def of_report(report: Report) -> Card:
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


# A certificate: what it certifies, of which program, and by what.


def of_certificate(certificate: Certificate | Refutation) -> Card:
    """The card of a certificate."""
    made, verdict = certificate.made_by, "refuted"
    if isinstance(certificate, Certificate):
        verdict, found = certificate.verdict, _proof(certificate)
    else:
        found = list(map(fact_of, in_words(certificate.counterexample)))
    return Card(
        certificate.mechanism,
        f"certificate: {verdict}",
        formulas=claim_formulas(read_normalised(certificate.text).program),
        lead="All that shiftproof check needs; it trusts nothing that made it.",
        facts=(
            fact("claim", certificate.claim),
            *([fact("if", ", ".join(certificate.preconditions))] * bool(certificate.preconditions)),
            *found,
            fact("fingerprint", certificate.fingerprint),
            fact("made by", f"shiftproof {made.shiftproof}, Python {made.python}, z3 {made.z3}"),
        ),
        listings=(Listing(certificate.program, 1, folded="the program"),),
    )


def _proof(certificate: Certificate) -> list[Fact]:
    found = []
    if certificate.is_summed:
        found.append(fact("proof", "by the probabilities of all outcomes, summed"))
    if certificate.enumeration is not None:
        found.append(fact("proof", "by the laws of the outcome on all inputs of some sizes"))
    for part in certificate.parts:
        where = f" ({part.case})" if part.case else ""
        if part.shifts:
            found.append(Fact(f"shifts{where}", part.shifts))
        invariants = [text for head in part.heads for text in head.invariants]
        if invariants:
            found.append(Fact(f"invariants{where}", tuple(invariants)))
    if certificate.leans_on:
        found.append(fact("leans on", ", ".join(certificate.leans_on)))
    return found
