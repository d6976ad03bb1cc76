"""Trees that show that conditions contradict each other, for the kernel to check.

Whatever finds them, ``kernel/trees.py`` looks at each step: nothing here need be trusted.
What is cheap comes first, since most questions need a sum of two or three facts.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.arithmetic import Condition, Unknowns
from .cores import Cores
from .products import is_linear
from .simplex import Fact, Simplex, TooMuch, Work
from .splitting import Search
from .steps import Refutation, members_of, written

#: What one question may take: steps of the simplex, and places in trees.
MOST_PIVOTS, MOST_NODES = 20_000, 4_000


class Refuter:
    """Finds trees for the questions of one walk of the kernel."""

    def __init__(self, unknowns: Unknowns) -> None:
        self._unknowns = unknowns
        self._linear = Cores(unknowns, products=False)
        self._exact = Cores(unknowns, products=True)

    def tree(self, conditions: Sequence[Condition]) -> str | None:
        """A tree that ``refute(unknowns, conditions, tree)`` accepts; ``None`` if it finds none."""
        facts = [fact for condition in conditions for fact in members_of(condition)]
        try:
            found = self._refutation(facts)
        except TooMuch:
            return None
        if found is None:
            return None
        names = {name: place for place, name in enumerate(self._unknowns.whole)}
        return written(found.step, facts, names)

    def _refutation(self, facts: Sequence[Fact]) -> Refutation | None:
        work = Work(MOST_PIVOTS, MOST_NODES)
        conditions = list(dict.fromkeys(f.condition for f in facts))
        core = self._linear.core(conditions)
        if isinstance(core, str) and not all(map(_is_linear, conditions)):
            core = self._exact.core(conditions)
        if isinstance(core, str):
            return None
        needed = {f.condition: f for f in reversed(facts) if f.condition in core}
        return Search(self._unknowns, work).refutation(list(needed.values())[::-1], ())


def _is_linear(condition: Condition) -> bool:
    if condition[0] in ("and", "or"):
        return all(map(_is_linear, condition[1]))
    return condition[0] == "?" or is_linear(condition)
