"""What the toolkit says of a mechanism: exact probabilities, and whether an answer is sure."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb

from ....checkers.refuting.likelihood import likelihood
from ....checkers.verify import verify
from ..claim import Finding, Undecided
from .balls import ball

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
