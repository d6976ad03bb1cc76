"""Proofs by summation for the kernel: which cells there are, and a tree for each question.

The kernel derives the rows; here a solver says which of them can hold together on D and on D′.
Nothing here need be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...dsl.errors import LimitReached
from ..kernel.arithmetic import Condition, both
from ..kernel.claim.policies import Case, Kind
from ..kernel.language.steps import Mechanism
from ..kernel.paired.powers import Registry
from ..kernel.paired.runs import Ask
from ..kernel.sums.comparison import Cells, Comparison
from ..kernel.sums.rows import Row
from .cores import Context, Cores

#: The most cells of one case.
MOST_CELLS = 400


def cells_and_trees(
    mechanism: Mechanism, kinds: dict[str, Kind], case: Case, ask: Ask
) -> dict[str, Any]:
    """The ``cells`` and ``trees`` of one case, for its part of a certificate.

    Args:
        mechanism: as the kernel reads it.
        kinds: of its inputs.
        case: of the neighbour relation.
        ask: gives trees, or ``"-"``.

    Raises:
        Wrong: something is owed of which there is no proof.
        LimitReached: there are too many cells.
    """
    trees: list[str] = []

    def asking(unknowns: Registry, question: Sequence[Condition]) -> str:
        trees.append(ask(unknowns, question))
        return trees[-1]

    comparison = Comparison(mechanism, kinds, case, asking)
    patterns = Patterns(comparison)
    comparison.check(patterns.cells)
    while trees and trees[-1] == "-":
        trees.pop()
    return {"cells": patterns.found, "trees": trees}


class Patterns:
    """Which rows can hold on D, one at least, while which hold on D′, as a solver says."""

    def __init__(self, comparison: Comparison) -> None:
        self._outcomes, self._run = comparison.outcomes, comparison.run
        self._cores = Cores(self._run.unknowns, Context(), products=False)

        self.found: list[Cells] = []

    def cells(self, number: int, besides: tuple[Condition, ...]) -> Cells:
        """The cells of an outcome, where a condition holds.

        Raises:
            LimitReached: there are too many.
        """
        outcome = self._outcomes[number]
        rows = [(0, *item) for item in outcome.here.items()]
        rows += [(1, *item) for item in outcome.there.items()]
        cells: list[tuple[list[int], list[int]]] = []
        for held in self._split(rows, list(besides), []):
            cells.append(([k for s, k in held if s == 0], [k for s, k in held if s == 1]))
            if len(cells) > MOST_CELLS:
                raise LimitReached("cells", f"more than {MOST_CELLS} cells")
        self.found.append(cells)
        return cells

    def _split(
        self, rows: list[tuple[int, int, Row]], facts: list[Condition], held: list[tuple[int, int]]
    ) -> Iterator[list[tuple[int, int]]]:
        if not rows:
            yield held
            return
        side, k, row = rows[0]
        if side == 1 and not held:
            return
        f = both(row.when)
        for holds in (True, False):
            told = [*facts, f if holds else self._run.unknowns.negated(f)]
            if self._possible(told):
                yield from self._split(rows[1:], told, [*held, (side, k)] if holds else held)

    def _possible(self, facts: list[Condition]) -> bool:
        return isinstance(self._cores.core([*self._run.common, *facts]), str)
