"""The search for a proof that facts contradict each other: sums, cases, cuts and products."""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.arithmetic import (
    ONE,
    ZERO,
    Condition,
    Polynomial,
    Unknowns,
    add,
    names_of,
    scaled,
    unknown,
)
from .integers import gaps, without_solution
from .products import Products, base, is_linear
from .shifted import shifted
from .simplex import Fact, Simplex, Work
from .steps import Branch, Refutation, Step, false_sum, followed, members_of, opposites, split

COMPARISONS = (">=", ">", "=")
#: How many products of facts are tried where no case is left, and before there are cases.
MOST_PRODUCTS, FEW_PRODUCTS = 400, 40

#: How many cuts may stand in one another: there may be infinitely many integers in between.
MOST_CUTS = 24

#: The facts that one member of a disjunction adds, and their refutation.
Parts = tuple[tuple[Fact, ...], Refutation]


class Search:
    """Facts on the way to a place of the proof, and how it goes on there."""

    def __init__(self, unknowns: Unknowns, work: Work) -> None:
        self._unknowns, self._work = unknowns, work
        self._simplex = Simplex(work)
        self._cuts = 0  # around this place
        self._held: dict[Condition, Fact] = {}
        self._trail: list[Condition] = []

    def refutation(self, facts: Sequence[Fact], disjunctions: Sequence[Fact]) -> Refutation | None:
        """A refutation of the facts, with those that hold already; ``None`` if it finds none.

        Raises:
            TooMuch: it takes too long to find out.
        """
        self._work.node()
        mark = self.mark()
        try:
            closed = self.take(facts)
            if closed:
                return closed
            still = [*disjunctions, *(f for f in facts if f.condition[0] == "or")]
            return self._by_cases(still) if still else self._by_arithmetic()
        finally:
            self.back(mark)

    def take(self, facts: Sequence[Fact]) -> Refutation | None:
        """Add facts; a refutation if they, and those before, contradict each other plainly."""
        for fact in facts:
            refutation = self.add(fact)
            if refutation:
                return refutation
        return self.sums()

    def add(self, fact: Fact) -> Refutation | None:
        """Add a fact; a refutation if it contradicts one fact by itself."""
        condition = fact.condition
        if condition in self._held:
            return None
        if condition[0] == "?":
            other = self._held.get(("?", condition[1], not condition[2]))
            if other:
                return opposites(other, fact)
        elif condition[0] == "or":
            if not condition[1]:
                return split(fact, ())
        else:
            conflict = self._simplex.add(fact)
            if conflict:
                return false_sum(conflict)
        self._held[condition] = fact
        self._trail.append(condition)
        return None

    def sums(self) -> Refutation | None:
        """A sum of facts that is false."""
        conflict = self._simplex.check()
        return false_sum(conflict) if conflict else None

    def mark(self) -> tuple[int, int]:
        """Where we are now, for :meth:`back`."""
        return self._simplex.mark(), len(self._trail)

    def back(self, mark: tuple[int, int]) -> None:
        """Take back all facts since a mark."""
        self._simplex.back(mark[0])
        while len(self._trail) > mark[1]:
            del self._held[self._trail.pop()]

    def _by_cases(self, disjunctions: Sequence[Fact]) -> Refutation | None:
        """Split the disjunction of which fewest members are left; go on where one is."""
        best: tuple[int, int] | None = None
        chosen: tuple[Fact, list[Parts | Condition]] | None = None
        still = [d for d in disjunctions if not any(m in self._held for m in d.condition[1])]
        for fact in still:
            parts: list[Parts | Condition] = []
            for member in fact.condition[1]:
                added, refutation = self.tried(member)
                if refutation and refutation.used.isdisjoint(added):
                    return refutation
                parts.append((added, refutation) if refutation else member)
            score = sum(isinstance(p[0], str) for p in parts), len(parts)
            if best is None or score < best:
                best, chosen = score, (fact, parts)
            if not score[0]:
                break
        if chosen is None:
            return self._by_arithmetic()
        fact, parts = chosen
        rest = [d for d in still if d is not fact]
        found: list[Parts] = []
        for part in parts:
            if not isinstance(part[0], str):
                found.append(part)
                continue
            added = members_of(part)
            refutation = self.refutation(added, rest)
            if refutation is None or refutation.used.isdisjoint(added):
                return refutation
            found.append((added, refutation))
        return split(fact, found)

    def products(self, claim: Sequence[Condition]) -> Refutation | None:
        """A refutation of a claim by its products with facts about the same unknowns."""
        claims = [self._held[c] for c in claim if c in self._held and c[0] in COMPARISONS]
        if all(is_linear(f.condition) for f in claims):
            return None
        names = {base(x) for f in claims for x in names_of(f.condition[1])}
        about = [
            fact
            for condition, fact in self._held.items()
            if condition[0] in COMPARISONS and names.issuperset(map(base, names_of(condition[1])))
        ]
        return Products(self._unknowns, self._work, FEW_PRODUCTS).refutation(about)

    def holds(self, condition: Condition) -> bool:
        """Whether this very condition is among the facts."""
        return condition in self._held

    def tried(self, member: Condition) -> tuple[tuple[Fact, ...], Refutation | None]:
        """The facts that a condition would add, and a refutation if one is plain."""
        added = members_of(member)
        mark = self.mark()
        try:
            return added, self.take(added)
        finally:
            self.back(mark)

    def _by_arithmetic(self) -> Refutation | None:
        """Where no case is left: products, then what integers cannot be."""
        comparisons = [f for c, f in self._held.items() if c[0] in COMPARISONS]
        if not all(is_linear(f.condition) for f in comparisons):
            found = shifted(self._unknowns, comparisons, self._work)
            found = found or Products(self._unknowns, self._work, MOST_PRODUCTS).refutation(
                comparisons
            )
            if found:
                return found
        if self._cuts == MOST_CUTS:
            return None
        return self._by_integers(comparisons) or self._by_signs(comparisons)

    def _by_integers(self, comparisons: Sequence[Fact]) -> Refutation | None:
        """A cut, if the model has no integers where it should; preferably one with a plain side."""
        cuts = list(gaps(self._unknowns, self._simplex))
        if not cuts:
            return None
        conflict = without_solution(self._unknowns, comparisons)
        if conflict:
            return false_sum(conflict)
        return self._cut(next(filter(self._has_plain_side, cuts), cuts[0]))

    def _by_signs(self, comparisons: Sequence[Fact]) -> Refutation | None:
        """A cut of a factor that is whole: products need its sign."""
        monomials = (m for f in comparisons for m, _ in f.condition[1] if len(m) > 1)
        factors = dict.fromkeys(x for m in monomials for x in m if self._unknowns.whole[x])
        for factor in map(unknown, factors):
            if not self._has_plain_side(factor):
                return self._cut(factor)
        return None

    def _has_plain_side(self, p: Polynomial) -> bool:
        return any(self.tried(side)[1] for side in self._sides(p))

    def _sides(self, p: Polynomial) -> tuple[Condition, Condition]:
        """Of an integer: it is at most zero, or at least one."""
        compare = self._unknowns.compare
        return compare(">=", scaled(p, -1)), compare(">=", add(p, ONE, -1))

    def _cut(self, p: Polynomial) -> Refutation | None:
        """The two sides of a gap between integers; where one is a sum, the other one follows."""
        parts: list[Parts] = []
        for side in self._sides(p):
            added = (Fact(side),)
            self._cuts += 1
            try:
                refutation = self.refutation(added, ())
            finally:
                self._cuts -= 1
            if refutation is None or refutation.used.isdisjoint(added):
                return refutation
            parts.append((added, refutation))
        for one, other in (parts, parts[::-1]):
            rounded = self._rounded(one, other)
            if rounded:
                return rounded
        used = frozenset().union(*(r.used.difference(added) for added, r in parts))
        branches = tuple(Branch(added, r.step) for added, r in parts)
        return Refutation(Step("c", polynomial=p, branches=branches), used)

    def _rounded(self, one: Parts, other: Parts) -> Refutation | None:
        """One side of a cut is a false sum: without the cut, it says the other side."""
        (cut,), refutation = one
        (opposite,), rest = other
        step = refutation.step
        if step.kind != "f":
            return None
        kept = [(f, k) for f, k in zip(step.facts, step.weights, strict=True) if f is not cut]
        total, relation = ZERO, "="
        for fact, k in kept:
            total = add(total, fact.condition[1], k)
            relation = max(relation, fact.condition[0], key=("=", ">=", ">").index)
        if self._unknowns.compare(relation, total) != opposite.condition:
            return None
        facts, weights = tuple(f for f, _ in kept), tuple(k for _, k in kept)
        return followed(Step("d", facts, weights), opposite, rest)
