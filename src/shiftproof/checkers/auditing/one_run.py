"""Auditing in one run: from how many of many independent canaries somebody guesses rightly.

Each of m canaries is put into the data or left out by a fair coin; the mechanism runs once, on all
of them.  Who then guesses r of the coins, and abstains from the others, is right by chance no more
often than randomised response would allow, whatever else the output tells.

Source: Steinke, Nasr and Jagielski, Privacy Auditing with One (1) Training Run (NeurIPS 2023),
Theorem 5.2 for the bound, Section 5 for how guesses come of scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from ...dsl.errors import BadInput, NoTruth
from .result import check_number

#: The largest ε that is told apart from a larger one, in nats; how near a bound is found.
LARGEST, NEAR = 100.0, 1e-6


@dataclass(frozen=True, slots=True)
class OneRunAudit(NoTruth):
    """What one run with canaries came to.

    Attributes:
        canaries: m, how many coins were thrown.
        guesses: r, of how many was guessed.
        right: v, how many of these guesses are right.
        claim: the ε that is claimed, in nats; ``None`` without a claim.
        delta: the δ of the claim.
        confidence: of the bound, and of a violation.
        lower_bound: ε is at least this, in nats, for this δ, with the confidence.
        p_value: the probability of so many right guesses, at most, if the claim holds; ``None``
            without a claim.
    """

    instead: ClassVar[str] = "ask for its verdict, or for its lower_bound"

    canaries: int
    guesses: int
    right: int
    claim: float | None
    delta: float
    confidence: float
    lower_bound: float
    p_value: float | None

    @property
    def verdict(self) -> Literal["violation found", "no violation found"]:
        """``no violation found`` is no proof; without a claim it is that."""
        found = self.p_value is not None and self.p_value <= 1 - self.confidence
        return "violation found" if found else "no violation found"

    def __str__(self) -> str:
        claim = "no claim" if self.claim is None else f"claimed ε = {self.claim:g}"
        delta = f", δ = {self.delta:g}" if self.delta else ""
        p = "" if self.p_value is None else f"; p-value {self.p_value:.2g}"
        return (
            f"{self.verdict}: {self.right:,} of {self.guesses:,} guesses are right, about "
            f"{self.canaries:,} canaries; ε ≥ {self.lower_bound:.3f} with confidence "
            f"{100 * self.confidence:g} %{delta}, {claim}{p}"
        )


def audit_one_run(
    guesses: Iterable[bool | None],
    included: Iterable[bool],
    *,
    epsilon: float | None = None,
    delta: float = 0.0,
    confidence: float = 0.95,
) -> OneRunAudit:
    """Bound ε from below by guesses about canaries in a single run.

    Neighbours differ in one record that is added or removed.  The coins must be fair and
    independent, and nothing but the output of the run may tell of them.

    Args:
        guesses: for each canary whether it was in the data; ``None`` to abstain.
        included: for each canary whether it was.
        epsilon: the claim in nats, if there is one; from 0 to 100.
        delta: the δ of the claim, from 0 to below 1.
        confidence: between 0 and 1.

    Raises:
        BadInput: there is no canary, not one guess for each, or a number is out of range.

    Source: Steinke, Nasr and Jagielski (NeurIPS 2023), Theorem 5.2.
    """
    told, truth = list(guesses), list(included)
    if not truth or len(told) != len(truth):
        raise BadInput(f"got {len(told)} guesses about {len(truth)} canaries; want one for each")
    for k, (guess, was) in enumerate(zip(told, truth, strict=True)):
        if not _is_bool(was):
            raise BadInput(f"included[{k}]: got {was!r:.60}; True or False is needed")
        if guess is not None and not _is_bool(guess):
            raise BadInput(f"guesses[{k}]: got {guess!r:.60}; True, False or None is needed")
    if epsilon is not None:
        check_number("epsilon", epsilon, 0, LARGEST)
    check_number("delta", delta, 0, 1 - 1e-12)
    check_number("confidence", confidence, 1e-12, 1 - 1e-12)
    made = [(bool(g), bool(w)) for g, w in zip(told, truth, strict=True) if g is not None]
    right = sum(guess == was for guess, was in made)
    m, r = len(truth), len(made)
    return OneRunAudit(
        m, r, right, epsilon, delta, confidence,
        _lower_bound(m, r, right, delta, 1 - confidence),
        None if epsilon is None else chance_of_guesses(m, r, right, epsilon, delta),
    )  # fmt: skip


def guesses_by_score(
    scores: Sequence[float] | NDArray[np.float64], included: int, excluded: int
) -> list[bool | None]:
    """Guesses that the canaries of the largest scores were in, and those of the smallest were not.

    Args:
        scores: one for each canary, larger where it looks as if it was in the data: the negative
            loss of a trained model, say.
        included: how many are guessed to be in.
        excluded: how many are guessed to be left out.

    Raises:
        BadInput: these are more than there are canaries, or a score is not a number.
    """
    found = np.asarray(scores, dtype=np.float64)
    if found.ndim != 1 or np.isnan(found).any():
        raise BadInput("scores: want one number for each canary, none of them NaN")
    if min(included, excluded) < 0 or included + excluded > len(found):
        raise BadInput(
            f"got {included} + {excluded} guesses about {len(found)} canaries; want from 0 to as "
            "many as there are"
        )
    order = np.argsort(-found, kind="stable")
    guesses: list[bool | None] = [None] * len(found)
    for k in order[:included]:
        guesses[int(k)] = True
    for k in order[len(order) - excluded :]:
        guesses[int(k)] = False
    return guesses


def chance_of_guesses(
    canaries: int, guesses: int, right: int, epsilon: float, delta: float
) -> float:
    """The probability that so many guesses, or more, are right, at most, under (ε, δ)-DP.

    With B ~ Binomial(r, e^ε/(1 + e^ε)), it is P(B >= v) + 2 m δ max_i P(v > B >= v - i) / i.
    """
    from scipy.stats import binom

    share = 1 / (1 + math.exp(-epsilon))
    chance = float(binom.sf(right - 1, guesses, share))
    if delta and right:
        # P(v > B >= v - i) for i = 1, ..., v: the probabilities below v, from the largest down.
        below = np.cumsum(binom.pmf(np.arange(right - 1, -1, -1), guesses, share))
        chance += 2 * canaries * delta * float((below / np.arange(1, right + 1)).max())
    return min(1.0, chance)


def _lower_bound(canaries: int, guesses: int, right: int, delta: float, level: float) -> float:
    """The largest ε, or almost, at which so many right guesses are rarer than ``level``."""
    low, high = 0.0, LARGEST
    if chance_of_guesses(canaries, guesses, right, low, delta) > level:
        return 0.0
    while high - low > NEAR:
        middle = (low + high) / 2
        rare = chance_of_guesses(canaries, guesses, right, middle, delta) <= level
        low, high = (middle, high) if rare else (low, middle)
    return low


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool | np.bool_)
