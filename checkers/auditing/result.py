"""What an audit came to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from ...dsl.showing import Shown
from ...dsl.truth import NoTruth
from .evidence import GRID, divergence

#: Of what a claim is a multiple where pairs have an ε of their own: the distance of the two
#: inputs, or the budget of the pair; empty where the claim is the ε of all pairs.
Unit: TypeAlias = Literal["", "distance", "budget"]
Finding: TypeAlias = Literal["violation found", "no violation found"]

#: Event probabilities for which it is told what could have been seen.
PROBABILITIES = (0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-5)

_VERDICT = "ask for its verdict, as in 'audit.verdict == \"no violation found\"'"


@dataclass(frozen=True, slots=True)
class Judgement(NoTruth):
    """One of the two verdicts: on the ideal mechanism, or on the code as it is.

    Attributes:
        verdict: ``violation found``, with the confidence of the audit; or ``no violation
            found``, which is no proof.  Without a claim it is the latter.
        allowed: the ε that was held against it, in nats; ``None`` without a claim.
        lower_bound: ε is at least this, in nats, with the confidence of the audit.
        p_value: the smallest α at which the claim is refused, valid whenever the audit stops;
            ``None`` without a claim.
    """

    instead: ClassVar[str] = _VERDICT

    verdict: Finding
    allowed: float | None
    lower_bound: float
    p_value: float | None


@dataclass(frozen=True, slots=True)
class Tested:
    """An event on which was bet, and how often it came in fresh runs.

    Attributes:
        pair: the name of the pair.
        left, right: its inputs D and D'.
        event: what it is, in words.
        ideal: whether it is an event of the mechanism itself, not of its floats.
        runs: how many fresh runs were made on each side.
        on_left, on_right: in how many of them it came.
        owed: the ε that the pair owes, in nats; ``None`` without a claim.
    """

    pair: str
    left: Any
    right: Any
    event: str
    ideal: bool
    runs: int
    on_left: int
    on_right: int
    owed: float | None = None

    @property
    def log_ratio(self) -> float:
        """The log of the ratio of the two frequencies: an estimate, no bound."""
        if not self.on_left:
            return -math.inf
        return math.log(self.on_left / self.on_right) if self.on_right else math.inf


@dataclass(frozen=True, slots=True)
class Visible:
    """From which ε on an event of this probability on D would have been seen, about.

    ``epsilon`` is ``None`` if no ε up to 36 would.
    """

    probability: float
    epsilon: float | None


@dataclass(frozen=True, slots=True)
class Audit(Shown, NoTruth):
    """What an audit came to.

    Attributes:
        mechanism: its name.
        claim: the claimed ε in nats, or ``None``.  Where pairs have an ε of their own it is
            this many times their distance, or their budget, which ``unit`` says; so are bounds.
        confidence: of what it says.
        ideal: on the mechanism, ``tolerance`` above the claim.
        code: on the code as it is, the bits of floats included; ``None`` if not asked for.
        tested: the events on which was bet, the one with the most evidence first.
        visible: what could have been seen.
        pairs: how many ordered pairs were audited.
        public: the public inputs of a mechanism of the language.
        runs: how many runs were made, on all inputs together.
        asked: how many might have been made.
        seed: the same seed gives the same audit, if the mechanism keeps to it.
        seconds: how long it took.
        notes: what is worth knowing, in sentences.
        interrupted: whether it was stopped from outside.
        unit: of what claim and bounds are multiples; mostly of nothing.
    """

    instead: ClassVar[str] = _VERDICT

    mechanism: str
    claim: float | None
    confidence: float
    ideal: Judgement
    code: Judgement | None
    tested: tuple[Tested, ...]
    visible: tuple[Visible, ...]
    pairs: int
    public: Mapping[str, Any]
    runs: int
    asked: int
    seed: int
    seconds: float
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    tolerance: float = field(default=0.0)
    unit: Unit = ""

    @property
    def judgement(self) -> Judgement:
        """The verdict on the code if it was asked for, otherwise on the ideal mechanism."""
        return self.ideal if self.code is None else self.code

    @property
    def verdict(self) -> Finding:
        """``violation found`` or ``no violation found``."""
        return self.judgement.verdict

    @property
    def lower_bound(self) -> float:
        """ε is at least this, in nats, with the confidence of the audit."""
        return self.judgement.lower_bound


def visible(runs: int, needed: float, claim: float | None, rarest: float) -> tuple[Visible, ...]:
    """What could have been seen in so many fresh runs on each side of one pair.

    ``rarest``: rarer events on D would not have been chosen.
    """
    found = []
    least = claim or 0.0
    grid = GRID[least < GRID]
    none = np.zeros(len(grid), np.bool_)
    for p in PROBABILITIES:
        enough = runs * divergence(p, p * np.exp(-grid), least) >= needed if p >= rarest else none
        found.append(Visible(p, float(grid[int(enough.argmax())]) if enough.any() else None))
    return tuple(found)
