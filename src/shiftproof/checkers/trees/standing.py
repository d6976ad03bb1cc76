"""The facts of one question after another, and what follows from them without cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..kernel.arithmetic import Condition, Unknowns
from .simplex import Fact, Work
from .splitting import Parts, Search
from .steps import Refutation, names_in, split


@dataclass(frozen=True, slots=True)
class _Forced:
    """A disjunction of which all members but one are plainly refuted; it adds that member."""

    fact: Fact
    parts: list[Parts | None]
    added: tuple[Fact, ...]

    def around(self, refutation: Refutation) -> Refutation:
        """The same from the facts before, if it needs what the member that is left says."""
        if refutation.used.isdisjoint(self.added):
            return refutation
        return split(self.fact, [part or (self.added, refutation) for part in self.parts])


class Standing:
    """The facts of the last question: the next one begins with most of them."""

    def __init__(self, unknowns: Unknowns, work: Work) -> None:
        self.facts: list[Fact] = []
        self._search = Search(unknowns, work)
        self._forced: list[_Forced] = []
        #: Before each fact: where the search stood, and how many disjunctions were forced.
        self._before: list[tuple[tuple[int, int], int]] = []
        #: How many facts there were whenever all was followed that they force.
        self._followed: list[int] = [0]
        #: What the facts contradict, and how many of them there were then.
        self._contradiction: Refutation | None = None
        self._contradicted = 0

    def refutation(self, conditions: Sequence[Condition], claim: int) -> Refutation | None:
        """A refutation that needs no case but those that are plainly refuted.

        The claim begins at the place ``claim``: it may be multiplied with facts.
        """
        self._go_back(conditions)
        # First what comes before the claim, and is there for the next question.
        for end in (claim, len(conditions)):
            self._add(conditions[len(self.facts) : end])
        found = self._contradiction or self._search.products(conditions[claim:])
        if found:
            for forced in reversed(self._forced):
                found = forced.around(found)
        return found

    def _go_back(self, conditions: Sequence[Condition]) -> None:
        """Keep the facts with which the conditions begin."""
        shared = 0
        for fact, condition in zip(self.facts, conditions, strict=False):
            if fact.condition != condition:
                break
            shared += 1
        if shared < len(self.facts):
            mark, forced = self._before[shared]
            self._search.back(mark)
            del self.facts[shared:], self._before[shared:], self._forced[forced:]
            self._followed = [n for n in self._followed if n <= shared]
            if self._contradicted > shared:
                self._contradiction = None

    def _add(self, conditions: Sequence[Condition]) -> None:
        """Add facts, and what they force, until something contradicts."""
        for condition in conditions:
            fact = Fact(condition)
            self.facts.append(fact)
            self._before.append((self._search.mark(), len(self._forced)))
            if self._contradiction is None:
                self._contradiction = self._search.add(fact)
                self._contradicted = len(self.facts)
        if self._contradiction is None:
            self._contradiction = self._search.sums() or self._force()
            self._contradicted = len(self.facts)
            self._followed.append(len(self.facts))

    def _force(self) -> Refutation | None:
        """Follow disjunctions about the unknowns of new facts, as long as one forces something."""
        touched = names_in(self.facts[self._followed[-1] :])
        forced = True
        while forced:
            forced = False
            for fact in self._open():
                if touched.isdisjoint(names_in([fact])):
                    continue
                parts, left = self._parts(fact)
                if left is None:
                    continue
                if None not in parts:
                    return split(fact, [part for part in parts if part])
                self._forced.append(_Forced(fact, parts, left))
                refutation = self._search.take(left)
                if refutation:
                    return refutation
                touched |= names_in(left)
                forced = True
        return None

    def _open(self) -> list[Fact]:
        """The disjunctions that force nothing yet, and of which no member is a fact."""
        gone = {forced.fact for forced in self._forced}
        facts = [*self.facts, *(fact for forced in self._forced for fact in forced.added)]
        return [
            fact
            for fact in facts
            if fact.condition[0] == "or"
            and fact not in gone
            and not any(map(self._search.holds, fact.condition[1]))
        ]

    def _parts(self, fact: Fact) -> tuple[list[Parts | None], tuple[Fact, ...] | None]:
        """The members of a disjunction with their refutations, and what the one left adds.

        ``None`` if more than one is left.
        """
        parts: list[Parts | None] = []
        left: tuple[Fact, ...] = ()
        for member in fact.condition[1]:
            added, refutation = self._search.tried(member)
            if refutation is None and None in parts:
                return parts, None
            if refutation is None:
                left = added
            parts.append((added, refutation) if refutation else None)
        return parts, left
