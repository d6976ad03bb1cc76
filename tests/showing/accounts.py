"""Accounts of the gallery from its certificates: what was proved once is not proved again."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import shiftproof.proofs
from shiftproof.checkers.refuting.comparison import Refutation
from shiftproof.checkers.verdicts import Report, Verdict
from shiftproof.checkers.walking.certificate import (
    Certificate,
    kind_of_certificate,
    read_certificate,
)
from shiftproof.showing.explaining.explain import Explanation, explain

FILES = {
    file.stem.rpartition(".")[2]: file
    for file in sorted(Path(str(files(shiftproof.proofs))).glob("*.json"))
}


@cache
def account(name: str) -> Explanation:
    """The account of a certificate, by the name of its mechanism."""
    data = FILES[name].read_bytes()
    if kind_of_certificate(data) == "proof":
        return explain(_of_proof(read_certificate(data, Certificate)))
    refuted = read_certificate(data, Refutation)
    return explain(_report(refuted, Verdict.REFUTED))


def _of_proof(proof: Certificate) -> Report:
    if proof.is_summed:
        return _report(proof, Verdict.PROVED, "sums")
    if proof.enumeration is not None:
        verdict = Verdict.PROVED if proof.enumeration.complete else Verdict.BOUNDED
        return _report(proof, verdict, "enumeration")
    return _report(proof, Verdict.PROVED, "alignment")


def _report(found: Certificate | Refutation, verdict: Verdict, method: str = "") -> Report:
    return Report(
        found.mechanism, found.source, 1, found.claim, found.preconditions, verdict, "proved",
        refutation=found.counterexample if isinstance(found, Refutation) else None,
        method=method,  # type: ignore[arg-type]
        assumptions=found.assumptions, certificate=found,
    )  # fmt: skip
