"""The questions of one walk: what is cheap comes first, for most need a sum of few facts.

Whatever finds a tree, ``kernel/trees.py`` looks at each step of it: nothing here need be trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..kernel.arithmetic import Condition, Unknowns, names_of
from ..kernel.trees import learn
from .cores import Context, Core, Cores
from .products import base, is_linear
from .simplex import Fact, TooMuch, Work
from .splitting import COMPARISONS, Search
from .standing import Standing
from .steps import Refutation, names_in, written

#: What a search may take: changes of numbers in the simplex, and places in trees.
MOST_CHANGES, MOST_NODES = 200_000, 4_000
#: How many multiplications may be in a question to the solver's part for polynomials.
MOST_PRODUCTS = 40
#: Over how many facts one that may matter to a claim is joined to it, where no core is known.
STEPS = 2


class Refuter:
    """Finds trees for the questions of one walk of the kernel; of sums, they have polynomials."""

    def __init__(self, unknowns: Unknowns, *, polynomials: bool = False) -> None:
        self._unknowns = unknowns
        context = Context()
        self._linear = Cores(unknowns, context, products=False)
        self._exact = Cores(unknowns, context, products=True, polynomials=polynomials)
        self._work = Work(0, 0)
        self._standing = Standing(unknowns, self._work)

    def tree(self, conditions: Sequence[Condition]) -> str | None:
        """A tree that ``refute(unknowns, conditions, tree)`` accepts; ``None`` if it finds none."""
        flat: list[Condition] = []
        for condition in conditions[:-1]:
            learn(flat, condition)
        claim = len(flat)
        for condition in conditions[-1:]:
            learn(flat, condition)
        found = self._within(lambda: self._standing.refutation(flat, claim))
        if found is None and len(self._standing.facts) == len(flat):
            found = self._within(self._from_core) or self._within(self._from_fewest)
        if found is None:
            return None
        names = {name: place for place, name in enumerate(self._unknowns.whole)}
        return written(found.step, self._standing.facts, names)

    def _within(self, search: Callable[[], Refutation | None]) -> Refutation | None:
        """What a search finds within its limits."""
        self._work.numbers, self._work.nodes = MOST_CHANGES, MOST_NODES
        try:
            return search()
        except TooMuch:
            return None

    def _from_core(self) -> Refutation | None:
        """A refutation of the few facts that Z3 says are needed."""
        facts = {f.condition: f for f in reversed(self._standing.facts)}
        conditions = list(facts)[::-1]
        core = self._linear.core(conditions)
        if not isinstance(core, str):
            return self._searched([facts[c] for c in conditions if c in core])
        if all(map(_is_linear, conditions)):
            return None
        core = self._exact.core(conditions)
        if core == "sat":
            return None
        if core == "unknown":
            plain = [c for c in conditions if c[0] in COMPARISONS]
            core = self._of_polynomials(plain)
            if core == "sat" and plain == conditions:
                return None
        if isinstance(core, str):
            return self._searched(_near(list(facts.values())[::-1]))
        needed = [facts[c] for c in conditions if c in core]
        names = set(map(base, names_in(needed)))
        # The solver knows by itself that x and 1 / x have the same sign; a tree needs a fact.
        signs = [
            fact
            for c, fact in facts.items()
            if c[0] in COMPARISONS and c not in core and names.issuperset(map(base, names_of(c[1])))
        ]
        found = self._searched(needed) or (self._searched([*needed, *signs]) if signs else None)
        # And that a square is not negative, where a tree needs the cases.
        return found or self._searched(_near(list(facts.values())[::-1]))

    def _from_fewest(self) -> Refutation | None:
        """A refutation of facts of few products, no one of which can be left out."""
        facts = {f.condition: f for f in self._standing.facts if f.condition[0] in COMPARISONS}
        if all(map(_is_linear, facts)):
            return None
        core = _of_few_products(list(facts), self._exact.core)
        return (
            None
            if isinstance(core, str)
            else self._searched([f for c, f in facts.items() if c in core])
        )

    def _of_polynomials(self, plain: Sequence[Condition]) -> Core:
        """What the solver's part for polynomials says.

        What it was asked before would show in what it takes, and it has no limit: so it is asked
        for the first time, and about small questions.
        """

        def ask(conditions: Sequence[Condition]) -> Core:
            cores = Cores(self._unknowns, Context(), products=True, polynomials=True)
            return cores.core(conditions)

        if sum(map(_products, plain)) > MOST_PRODUCTS:
            return "unknown"
        return _of_few_products(plain, ask)

    def _searched(self, facts: Sequence[Fact]) -> Refutation | None:
        return Search(self._unknowns, self._work).refutation(facts, ())


def _products(condition: Condition) -> int:
    return sum(len(m) - 1 for m, _ in condition[1] if m)


def _of_few_products(
    plain: Sequence[Condition], ask: Callable[[Sequence[Condition]], Core]
) -> Core:
    """A core of few products, no fact of which can be left out."""
    core = ask(plain)
    if isinstance(core, str):
        return core
    left = list(plain)
    # What has many products goes first, while all that has fewer is there instead of it.
    for condition in sorted(plain, key=_products, reverse=True):
        fewer = [c for c in left if c != condition]
        core = ask(fewer) if condition in left else "sat"
        if not isinstance(core, str):
            left = fewer if _products(condition) else [c for c in left if c in core]
    return set(left)


def _near(facts: Sequence[Fact]) -> list[Fact]:
    """The facts that share unknowns with the last one, which is the claim, or with such a one."""
    names = set(map(base, names_in(facts[-1:])))
    for _ in range(STEPS):
        names |= {
            name
            for fact in facts
            if not names.isdisjoint(found := set(map(base, names_in([fact]))))
            for name in found
        }
    return [fact for fact in facts if names.issuperset(map(base, names_in([fact])))]


def _is_linear(condition: Condition) -> bool:
    if condition[0] in ("and", "or"):
        return all(map(_is_linear, condition[1]))
    return condition[0] == "?" or is_linear(condition)
