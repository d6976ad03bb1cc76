"""What the toolkit and its certificates say of a mechanism; statements of logic."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from flint import arb

from ....checkers.recheck import Recheck, Rechecker, Standing
from ....checkers.refuting.comparison import Refutation
from ....checkers.refuting.likelihood import in_words, likelihood
from ....checkers.verdicts import Verdict
from ....checkers.verify import verify
from ....checkers.walking.certificate import read_certificate
from ....dsl.language.declaration import INFER
from ..claim import Finding, Undecided
from .algebra import ball

# What the toolkit says of a mechanism: exact probabilities, and whether an answer is sure.

#: What ``@mechanism`` made.  Type checkers see the gallery's, which says ``shiftproof.dsl``, as
#: another class than that of these modules, which are within ``shiftproof``.
Mechanism: TypeAlias = Any


def probability(mechanism: Mechanism, outcome: object, **inputs: Any) -> Fraction:
    """The exact probability that one thing is released.

    Raises:
        Undecided: it is not rational at these inputs; ε = 2 ln 2 mostly makes it so.
    """
    found = likelihood(mechanism, (outcome,), **inputs).value
    if found.low != found.high:
        raise Undecided(f"{mechanism.function.__name__}: Pr[{outcome}] is not rational")
    return found.low


def enclosed(mechanism: Mechanism, outcome: object, **inputs: Any) -> arb:
    """The probability that one thing is released, as a ball, for any ε."""
    found = likelihood(mechanism, (outcome,), **inputs).value
    return ball(found.low).union(ball(found.high))


def private_and_never_wrong(mechanism: Mechanism) -> Finding:
    """Whether a mechanism keeps its privacy claim and its one-sided ones, for all inputs.

    Raises:
        Undecided: it has no one-sided claim, or a claim is neither proved nor broken.
    """
    report = verify(mechanism)
    claims = report.one_sided
    if not claims or not (report.holds or report.falls):
        raise Undecided(f"{report.mechanism} is {report.verdict}: {claims or 'claims nothing'}")
    told = [f"{c.claim}, {c.outcome} {c.witness and f'at {c.witness}'}".strip() for c in claims]
    return Finding(report.holds, f"{report.mechanism} {report.verdict}; {'; '.join(told)}")


# Mechanisms outside the gallery, decided by ``verify``.


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


def keeps(mechanism: Mechanism, epsilon: str) -> Finding:
    """Whether this is the ε that ``verify`` infers and proves of a mechanism, for all sizes.

    Raises:
        Undecided: it proves none.
    """
    report = verify(mechanism.claiming(INFER))
    if report.verdict is not Verdict.PROVED:
        raise Undecided(f"{report.mechanism}: {'; '.join(report.reasons)}")
    kept = report.epsilon_upper
    return Finding(kept == epsilon, f"{report.mechanism} keeps ε = {kept}, proved")


# What certificates of the gallery show, checked again by the kernel.

_FOLDER = Path(__file__).parents[2]


def private(name: str) -> Finding:
    """Whether a mechanism of the gallery keeps its claim, as its certificate shows.

    Args:
        name: ``file.mechanism``, the name of the certificate.

    Returns:
        True for a proof, for all sizes, of which the kernel finds every obligation valid; false
        for a counterexample whose probabilities are computed again.

    Raises:
        Undecided: the certificate is not valid, is about another source than that of today, or
            proves only some sizes.
    """
    found = _rechecked(name)
    if found.standing is not Standing.VALID:
        raise Undecided(f"{name} is {found.standing.value}: {'; '.join(found.reasons)}")
    if found.verdict == "proved":
        return Finding(True, f"{name} proved, {found.obligations} obligations: {found.claim}")
    if found.verdict == "refuted":
        refutation = read_certificate(_path(name).read_bytes(), Refutation)
        return Finding(False, f"{name} refuted: {'; '.join(in_words(refutation.counterexample))}")
    raise Undecided(f"{name} is only {found.verdict}")


def refuted(name: str) -> Finding:
    """Whether a mechanism of the gallery breaks its claim: the opposite of :func:`private`."""
    found = private(name)
    return Finding(not found.holds, found.detail)


def _path(name: str) -> Path:
    return _FOLDER / f"{name}.json"


@cache
def _rechecked(name: str) -> Recheck:
    """One certificate, checked together with those beside it on which it may lean."""
    files = sorted(_FOLDER.glob(f"{name.partition('.')[0]}.*.json"))
    wanted = str(_path(name))
    return next(r for r in Rechecker().check_all(files) if r.certificate == wanted)
