"""Two neighbours and an outcome; and what notebooks show of reports and certificates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from ...checkers.bound import TIGHT, Bracket, bounds_text
from ...checkers.refuting.comparison import Comparison, Refutation
from ...checkers.refuting.likelihood import Likelihood, in_words
from ...checkers.refuting.refute import Search
from ...checkers.verdicts import Report
from ...checkers.walking.certificate import Certificate
from ...dsl.mechanism import Mechanism
from ...dsl.normalise import read_normalised
from ..account import Account, Fact, Finding, Place, facts_of
from ..printable import presentable, relative
from ..rules import RULES
from ..words import Listing, Section
from . import reports
from .mechanisms import claim_formulas, where


def fact_of(line: str) -> Fact:
    """A line of a comparison in words: ``D: f = (1,)``, ``at eps = ln 2``, ``ratio 4; …``."""
    label, sign, rest = line.partition(" " if line.startswith(("at ", "ratio ")) else ": ")
    return Fact(label, rest) if sign else Fact("", line)


def of_comparison(found: Comparison) -> Account:
    """Two neighbours and an outcome."""
    facts = (Fact("claim", found.claim), *map(fact_of, in_words(found)))
    return Account(
        found.mechanism,
        "refuted" if found.breaks else "within the claim",
        mood="bad" if found.breaks else "plain",
        status=1 if found.breaks else 0,
        facts=facts,
        plain=msgspec.to_builtins(found),
    )


def of_search(mechanism: Mechanism[..., Any], found: Search) -> Account:
    """What came of a search for a counterexample."""
    name, file = mechanism.function.__name__, relative(mechanism.location.file)
    place = Place(file, mechanism.location.line, text=f"{name} begins here")
    if found.comparison is None:
        verdict = "no counterexample found, which proves nothing"
        return presentable(Account(name, verdict, place=place, evidence=(found.why,)))
    finding = Finding(
        RULES["refuted"], f"{name}: refuted", tuple(in_words(found.comparison)), place,
        key=(file, name),
    )  # fmt: skip
    account = replace(of_comparison(found.comparison), place=place, findings=(finding,))
    return presentable(account)


def of_recomputed(saved: Comparison, now: Comparison) -> Account:
    """A saved counterexample, computed again."""
    other = "the mechanism, or its probabilities, are not those that were saved"
    return replace(
        of_comparison(now),
        verdict="still refuted" if now.breaks else "no longer refuted",
        note=other if now != saved else "",
    )


def of_bracket(bracket: Bracket) -> Account:
    """A bracket, which ends in a comparison."""
    upper, lower = bounds_text(bracket)
    tight = TIGHT.format(letter="δ" if bracket.delta else bracket.letter) if bracket.tight else ""
    bounds = {
        f"claimed {bracket.letter}": bracket.claimed,
        "claimed δ": bracket.delta,
        "upper": upper,
        "lower": lower,
        "tight": tight,
    }
    found = [] if bracket.comparison is None else in_words(bracket.comparison)
    return Account(
        bracket.mechanism,
        "tight" if bracket.tight else "bracket",
        mood="good" if bracket.tight else "plain",
        facts=(*facts_of(bounds), *map(fact_of, found)),
        plain={
            "mechanism": bracket.mechanism,
            "claimed": bracket.claimed,
            "epsilon_upper": bracket.upper,
            "epsilon_lower": msgspec.to_builtins(bracket.epsilon_lower),
            "delta": bracket.delta or None,
            "delta_lower": msgspec.to_builtins(bracket.delta_lower),
            "infinite": bracket.comparison is not None and bracket.comparison.infinite,
            "tight": bracket.tight,
            "comparison": msgspec.to_builtins(bracket.comparison),
        },
    )


def of_likelihood(likelihood: Likelihood) -> Account:
    """The likelihood of an outcome."""
    several = "" if likelihood.reals == 1 else "s"
    count = likelihood.reals if several else "one"
    density = f"a density by {count} released real number{several}"
    facts = {
        "value": str(likelihood.value),
        "of": density if likelihood.reals else "a probability",
    }
    exact = "exact" if likelihood.value.exact else "enclosed"
    return Account("likelihood", exact, facts=facts_of(facts))


def of_report(report: Report) -> Account:
    """A report with its witness as facts, and the claim as a formula."""
    account = reports.of_report(report)
    witness = [] if report.refutation is None else in_words(report.refutation)
    short = facts_of({"sizes": report.sizes, "proved ε": report.epsilon_upper or ""})
    text = "" if report.certificate is None else report.certificate.text
    stands = where(report.file, report.line)
    return replace(
        account,
        claim=claim_formulas(read_normalised(text).program) if text else (),
        facts=(*account.facts, *short, *map(fact_of, witness), stands),
        evidence=account.evidence[len(witness) :],
    )


def of_certificate(certificate: Certificate | Refutation) -> Account:
    """What a certificate certifies, of which program, and by what."""
    made, verdict = certificate.made_by, "refuted"
    if isinstance(certificate, Certificate):
        verdict, found = certificate.verdict, facts_of(_proof(certificate))
    else:
        found = tuple(map(fact_of, in_words(certificate.counterexample)))
    said = {"claim": certificate.claim, "if": ", ".join(certificate.preconditions)}
    of = {
        "fingerprint": certificate.fingerprint,
        "made by": f"shiftproof {made.shiftproof}, Python {made.python}, z3 {made.z3}",
    }
    program = Listing(certificate.program, 1, folded="the program")
    return Account(
        certificate.mechanism,
        f"certificate: {verdict}",
        ("All that shiftproof check needs; it trusts nothing that made it.",),
        (Section("", (program,)),),
        claim=claim_formulas(read_normalised(certificate.text).program),
        facts=(*facts_of(said), *found, *facts_of(of)),
    )


def _proof(certificate: Certificate) -> dict[str, str]:
    found = {}
    if certificate.is_summed:
        found["proof"] = "by the probabilities of all outcomes, summed"
    if certificate.enumeration is not None:
        found["proof"] = "by the laws of the outcome on all inputs of some sizes"
    for part in certificate.parts:
        where = f" ({part.case})" if part.case else ""
        invariants = [text for head in part.heads for text in head.invariants]
        found |= {
            f"shifts{where}": "\n".join(part.shifts), f"invariants{where}": "\n".join(invariants)
        }  # fmt: skip
    return found | {"leans on": ", ".join(certificate.leans_on)}
