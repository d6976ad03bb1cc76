"""Outcomes of many runs: how many there are, and the most frequent ones."""

from __future__ import annotations

from ..dsl.simulation.outcomes import Outcomes
from .card import Card, Table, fact

#: How many runs are counted, and how many outcomes listed.
COUNTED, LISTED = 100_000, 10


def card_of(outcomes: Outcomes) -> Card:
    """The card of outcomes; of very many, the first ones are counted."""
    some = outcomes[:COUNTED]
    counts = some.counts()
    runs = f"{len(outcomes):,}"
    if len(some) < len(outcomes):
        runs += f", of which the first {len(some):,} were counted"
    rows = tuple(
        (", ".join(map(repr, outcome)) or "nothing", f"{times:,}", f"{times / len(some):.4g}")
        for outcome, times in counts[:LISTED]
    )
    listed = f"{len(counts):,}" + ("; the most frequent:" if len(counts) > LISTED else "")
    return Card(
        "outcomes",
        facts=(fact("runs", runs), fact("different outcomes", listed)),
        tables=(Table(("outcome", "runs", "share"), rows),) if rows else (),
    )
