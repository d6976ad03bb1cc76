"""What an audit could have seen: of whom knows the event, and of events planted to be found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .evidence.notions import PURE, Notion

#: Event probabilities for which it is told.
PROBABILITIES = (0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-5)


@dataclass(frozen=True, slots=True)
class Needs:
    """What is enough for 95 % of audits to find a planted event.

    Attributes:
        evidence: how many times what a test needs that knows the event.
        times: how often the event must come on D in as many runs as there are bets.
    """

    evidence: float
    times: float


#: Of the pairs that are looked at one alone has the event: up to so few are as one, and so many
#: were measured.
ALONE, MANY = 2, 8
#: For each kind, with one pair and with many: measured by `python -m benchmarks.planted`, on audits
#: of 100,000 and of a million runs.
PLANTED: Mapping[str, tuple[Needs, Needs]] = {
    "token": (Needs(3, 0), Needs(12, 200)),
    "tail": (Needs(3, 0), Needs(16, 400)),
    "window": (Needs(16, 150), Needs(96, 4800)),
    "single number": (Needs(6, 50), Needs(32, 1600)),
    "label and tail": (Needs(14, 300), Needs(72, 2400)),
    "rare label": (Needs(8, 100), Needs(96, 3200)),
    "two numbers": (Needs(48, 200), Needs(96, 3200)),
    "lattice": (Needs(4, 50), Needs(24, 1600)),
}
#: Kinds that stand out; a lattice is an event of the bits of floats.
SIMPLE, BITS = ("token", "tail"), ("lattice",)


@dataclass(frozen=True, slots=True)
class Visible:
    """From which ε (or ρ) on an event of this probability on D would have been seen.

    Each is ``None`` if none would, or if that was not measured.

    Attributes:
        probability: of the event on D.
        epsilon: at best: by a test that knows the event.
        simple: if the event is a token or the tail of a number, in 95 % of audits.
        hidden: if it is one of the other kinds that were planted to calibrate the auditor.
    """

    probability: float
    epsilon: float | None
    simple: float | None
    hidden: float | None


def visible(
    runs: int,
    needed: float,
    claim: float | None,
    rarest: float,
    pairs: int,
    notion: Notion = PURE,
) -> tuple[Visible, ...]:
    """What could have been seen in so many fresh runs on each side of one pair.

    Args:
        runs: on each side of one pair, to bet on.
        needed: the evidence that is needed, in nats.
        claim: the ε, or the ρ, that was held against it; ``None`` for 0.
        rarest: rarer events on D would not have been chosen.
        pairs: how many were looked at; among more than were measured, so much more is needed.
        notion: of the claim.  What is nearly always found was measured for pure ones alone.
    """
    least = claim or 0.0

    def first(p: float, evidence: float, times: float) -> float | None:
        if p < rarest or p * runs < times:
            return None
        q, amounts = notion.rarer(p)
        enough = (amounts > least) & (runs * notion.gain(p, q, least) >= evidence * needed)
        return float(amounts[int(enough.argmax())]) if enough.any() else None

    several, more = pairs > ALONE, max(pairs / MANY, 1.0)

    def planted(p: float, kinds: Iterable[str]) -> float | None:
        if notion is not PURE:
            return None
        needs = [PLANTED[kind][several] for kind in kinds]
        found = [first(p, need.evidence * more, need.times * more) for need in needs]
        known = [epsilon for epsilon in found if epsilon is not None]
        return max(known) if len(known) == len(found) else None

    hidden = PLANTED.keys() - {*SIMPLE, *BITS}
    return tuple(
        Visible(p, first(p, 1, 0), planted(p, SIMPLE), planted(p, hidden)) for p in PROBABILITIES
    )
