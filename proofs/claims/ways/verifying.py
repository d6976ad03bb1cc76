"""Mechanisms outside the gallery, decided by ``verify``."""

from __future__ import annotations

from ....checkers.refuting.text import in_words
from ....checkers.verdicts import Verdict
from ....checkers.verify import verify
from ..claim import Finding, Undecided
from .mechanisms import Mechanism


def verified(mechanism: Mechanism) -> Finding:
    """Whether a mechanism keeps its claim, for all sizes and parameters.

    Raises:
        Undecided: ``verify`` finds neither a proof for all sizes nor a counterexample.
    """
    report = verify(mechanism)
    if report.verdict is Verdict.PROVED:
        return Finding(True, f"{report.mechanism} proved: {report.claim}")
    if report.verdict is Verdict.REFUTED and report.refutation is not None:
        words = "; ".join(in_words(report.refutation))
        return Finding(False, f"{report.mechanism} refuted: {words}")
    raise Undecided(f"{report.mechanism} is {report.verdict}: {'; '.join(report.reasons)}")
