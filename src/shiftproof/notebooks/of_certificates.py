"""A certificate: what it certifies, of which program, and by what."""

from __future__ import annotations

from ..checkers.kernel.certificate import Certificate
from ..checkers.refuting.certificate import Refutation
from ..checkers.refuting.text import in_words
from ..dsl.normalise import read_normalised
from .card import Card, Fact, Listing, fact
from .claims import claim_formulas
from .of_comparisons import fact_of


def card_of(certificate: Certificate | Refutation) -> Card:
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
    if certificate.sums is not None:
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
