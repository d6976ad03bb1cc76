"""Trees that show that conditions contradict each other, for the kernel to check.

Whatever finds them, ``kernel/trees.py`` looks at each step: nothing here need be trusted.
What is cheap comes first, since most questions need a sum of two or three facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..kernel.arithmetic import Condition, Unknowns, names_of
from ..kernel.trees import learn
from .cores import Cores
from .products import is_linear
from .simplex import Fact, TooMuch, Work
from .splitting import Parts, Search
from .steps import Refutation, split, written

#: What one question may take: steps of the simplex, and places in trees.
MOST_PIVOTS, MOST_NODES = 20_000, 4_000


class Refuter:
    """Finds trees for the questions of one walk of the kernel."""

    def __init__(self, unknowns: Unknowns) -> None:
        self._unknowns = unknowns
        self._linear = Cores(unknowns, products=False)
        self._exact = Cores(unknowns, products=True)
        self._work = Work(0, 0)
        self._standing = _Standing(unknowns, self._work)

    def tree(self, conditions: Sequence[Condition]) -> str | None:
        """A tree that ``refute(unknowns, conditions, tree)`` accepts; ``None`` if it finds none."""
        self._work.pivots, self._work.nodes = MOST_PIVOTS, MOST_NODES
        flat: list[Condition] = []
        for condition in conditions:
            learn(flat, condition)
        try:
            found = self._standing.refutation(flat) or self._from_core()
        except TooMuch:
            return None
        if found is None:
            return None
        names = {name: place for place, name in enumerate(self._unknowns.whole)}
        return written(found.step, self._standing.facts, names)

    def _from_core(self) -> Refutation | None:
        """A refutation of the few facts that Z3 says are needed."""
        facts = {f.condition: f for f in reversed(self._standing.facts)}
        conditions = list(facts)[::-1]
        core = self._linear.core(conditions)
        if isinstance(core, str) and not all(map(_is_linear, conditions)):
            core = self._exact.core(conditions)
        if isinstance(core, str):
            return None
        needed = [facts[c] for c in conditions if c in core]
        return Search(self._unknowns, self._work).refutation(needed, ())


@dataclass(frozen=True, slots=True)
class _Forced:
    """A disjunction of which all members but one are plainly refuted."""

    fact: Fact
    parts: list[Parts | None]
    added: tuple[Fact, ...]

    def around(self, refutation: Refutation) -> Refutation:
        """The same from the facts before, if it needs what the member that is left says."""
        if refutation.used.isdisjoint(self.added):
            return refutation
        return split(self.fact, [part or (self.added, refutation) for part in self.parts])


class _Standing:
    """The facts of the last question: the next one begins with most of them."""

    def __init__(self, unknowns: Unknowns, work: Work) -> None:
        self.facts: list[Fact] = []
        self._before: list[tuple[tuple[int, int], int]] = []  # how things stood before each
        self._search = Search(unknowns, work)
        self._forced: list[_Forced] = []
        self._contradiction: Refutation | None = None  # of the facts so far

    def refutation(self, conditions: Sequence[Condition]) -> Refutation | None:
        """A refutation that needs no case but those that are plainly refuted."""
        shared = 0
        for fact, condition in zip(self.facts, conditions, strict=False):
            if fact.condition != condition:
                break
            shared += 1
        if shared < len(self.facts):
            mark, forced = self._before[shared]
            self._search.back(mark)
            del self.facts[shared:], self._before[shared:], self._forced[forced:]
            self._contradiction = None
        new = [Fact(condition) for condition in conditions[shared:]]
        for fact in new:
            self.facts.append(fact)
            self._before.append((self._search.mark(), len(self._forced)))
            self._contradiction = self._contradiction or self._search.add(fact)
        self._contradiction = self._contradiction or self._search.sums() or self._consequences(new)
        for forced in reversed(self._forced):
            if not self._contradiction: break
            self._contradiction = forced.around(self._contradiction)
        return self._contradiction

    def _consequences(self, new: Sequence[Fact]) -> Refutation | None:
        """Go on with what is forced by disjunctions about the unknowns of new facts."""
        touched = {name for fact in new for name in _names(fact.condition)}
        while True:
            gone = {f.fact for f in self._forced}
            added = [f for forced in self._forced for f in forced.added]
            for fact in [*self.facts, *added]:
                if fact.condition[0] != "or" or fact in gone or touched.isdisjoint(_names(fact.condition)): continue
                if any(map(self._search.holds, fact.condition[1])): continue
                parts=[]; alive=0; left=None
                for member in fact.condition[1]:
                    a, refutation = self._search.tried(member)
                    if refutation is None:
                        alive+=1; left=a
                        if alive>1: break
                        parts.append(None)
                    else: parts.append((a,refutation))
                if alive>1: continue
                if alive==0: return split(fact, parts)
                self._forced.append(_Forced(fact, parts, left))
                r=self._search.take(left)
                if r: return r
                touched = touched | {name for fact in left for name in _names(fact.condition)}
                break
            else: return None


def _names(condition: Condition) -> set[str]:
    if condition[0] in ("and", "or"):
        return set().union(*map(_names, condition[1]))
    return {condition[1]} if condition[0] == "?" else names_of(condition[1])


def _is_linear(condition: Condition) -> bool:
    if condition[0] in ("and", "or"):
        return all(map(_is_linear, condition[1]))
    return condition[0] == "?" or is_linear(condition)
