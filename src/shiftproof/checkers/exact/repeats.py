"""Loops that draw again until it fits: ``while f + noise < 0: noise = sample(…)``.

A round that leaves everything as it was when it began, but for its own draws, may be repeated any
number of times.  If all such rounds together have the probability q, what comes after the first
one has 1 + q + q² + … = 1 / (1 - q) times the probability that it has without them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from ...dsl.language.flow import Flow, HeadNode, liveness
from .laws import Law
from .powers import Power
from .state import Condition, Moment, PathState, Visit


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a path: few-valued draws of this probability, and others that meet conditions.

    ``repeats``: for each moment that it may have come back to, all rounds that do.
    """

    weight: Fraction
    laws: tuple[Law, ...]
    conditions: tuple[Condition, ...]
    factors: tuple[Power, ...] = ()
    repeats: tuple[tuple[Segment, ...], ...] = ()


@dataclass
class Repeats:
    """The rounds that came back to where they began, by the number of that moment."""

    flow: Flow
    _back: list[list[tuple[Segment, tuple[int, ...]]]] = field(default_factory=list)

    @cached_property
    def _live(self) -> list[frozenset[str]]:
        return liveness(self.flow.nodes)

    def is_back(self, state: PathState, head: int) -> bool:
        """Whether a run that begins a round is where the round before began."""
        node = self.flow.nodes[head]
        assert isinstance(node, HeadNode)
        live = sorted(self._live[node.body] & state.names.keys())
        names = repr([state.names[name] for name in live])  # 1 is another value than 1.0
        last = state.rounds.get(head)
        if last is not None and last.names == names and last.releases == len(state.releases):
            conditions = tuple(state.conditions[last.conditions :])
            weight, factors = state.weight / last.weight, state.factors[last.factors :]
            drawn = len(state.laws) > last.laws or weight < 1 or factors  # else it never ends
            if drawn and all(d >= last.laws for c in conditions for d in c.subject.draws):
                round_ = Segment(weight, tuple(state.laws), conditions, factors)
                self._back[last.number].append((round_, Moment.all(state.visits, last.visits)))
                return True
        count = len(self._back)
        self._back.append([])
        before = 0 if state.visits is None else state.visits.nth
        state.visits = Moment(count, state.visits, before + 1)
        state.rounds[head] = Visit(
            count, names, state.weight, len(state.laws), len(state.conditions),
            len(state.releases), len(state.factors), before + 1,
        )  # fmt: skip
        return False

    def of(self, visits: tuple[int, ...]) -> tuple[tuple[Segment, ...], ...]:
        """The rounds that come back to each of these moments, where some do."""
        return tuple(
            tuple(replace(segment, repeats=self.of(inner)) for segment, inner in self._back[number])
            for number in visits
            if self._back[number]
        )
