"""Products of facts that make what is not linear a matter of sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations_with_replacement

from ..kernel.arithmetic import (
    Condition,
    Monomial,
    Polynomial,
    Unknowns,
    add,
    multiplied,
    times,
    unknown,
)
from .simplex import Fact, Simplex, Work
from .steps import Refutation, Step, false_sum, followed

#: How many rounds of products, each of what the one before made.
ROUNDS = 3
#: How many factors a product may have.
MOST_FACTORS = 6


def is_linear(condition: Condition) -> bool:
    """Whether a comparison has no products of unknowns, and no quotients."""
    return all(len(m) < 2 and not (m and m[0][0] == "/") for m, _ in condition[1])


class Products:
    """Looks for products of comparisons of which a sum is false."""

    def __init__(self, unknowns: Unknowns, work: Work, most: int) -> None:
        self._unknowns, self._work, self._most = unknowns, work, most
        self._made: dict[Fact, Step] = {}
        self._seen: set[Condition] = set()

    def refutation(self, comparisons: Sequence[Fact]) -> Refutation | None:
        """A refutation of comparisons by a sum of them and of their products."""
        self._seen = {f.condition for f in comparisons}
        simplex = Simplex(self._work)
        for fact in comparisons:
            conflict = simplex.add(fact)
            if conflict:
                return self._with_products(false_sum(conflict))
        wanted = {m for f in comparisons for m, _ in f.condition[1] if m}
        latest: Sequence[Fact] = comparisons
        for _ in range(ROUNDS):
            new = []
            for step, condition in self._candidates(comparisons, latest, wanted):
                if condition in self._seen or condition == ("and", ()):
                    continue
                self._seen.add(condition)
                self._work.node()
                fact = Fact(condition)
                self._made[fact] = step
                new.append(fact)
                if condition[0] == "or":
                    return self._with_products(Refutation(Step("s", (fact,)), frozenset((fact,))))
                conflict = simplex.add(fact)
                if conflict:
                    return self._with_products(false_sum(conflict))
                if len(self._made) > self._most:
                    break
            conflict = simplex.check()
            if conflict:
                return self._with_products(false_sum(conflict))
            wanted |= {m for f in new for m, _ in f.condition[1] if m}
            latest = new
        return None

    def _candidates(
        self, first: Sequence[Fact], latest: Sequence[Fact], wanted: set[Monomial]
    ) -> Iterator[tuple[Step, Condition]]:
        """Equations times what makes wanted monomials; squares; first facts times latest ones."""
        for equation in first:
            if equation.condition[0] == "=":
                p = equation.condition[1]
                factors = {
                    multiplied(m, tuple(_inverse(x) for x in n))
                    for m in ((), *wanted)
                    for n, _ in p
                    if n
                }
                for factor in sorted(factors, key=lambda m: (len(m), m)):
                    if factor and len(factor) <= MOST_FACTORS and self._exist(factor):
                        q = times(p, ((factor, 1),))
                        step = Step("e", (equation,), polynomial=((factor, 1),))
                        yield step, self._unknowns.compare("=", q)
        signs = [f for f in first if f.condition[0] != "="]
        yield from self._squares(wanted if latest is first else set())
        late = [f for f in latest if f.condition[0] != "="]
        pairs = (
            combinations_with_replacement(signs, 2)
            if latest is first
            else ((a, b) for a in late for b in signs)
        )
        made = [(one, two, times(one.condition[1], two.condition[1])) for one, two in pairs]
        # First those that speak of few products that nothing else speaks of.
        for one, two, q in sorted(made, key=lambda made: _strange(made[2], wanted)):
            relation = ">" if one.condition[0] == two.condition[0] == ">" else ">="
            if all(len(m) <= MOST_FACTORS for m, _ in q):
                yield Step("m", (one, two)), self._unknowns.compare(relation, q)

    def _squares(self, wanted: set[Monomial]) -> Iterator[tuple[Step, Condition]]:
        """Of what stands in a product of two: those of each, of their sum and their difference."""
        two = sorted(m for m in wanted if len(m) == 2 and self._exist(m))
        bare = [unknown(x) for x in dict.fromkeys(chain(*two))]
        bare += [add(unknown(x), unknown(y), k) for x, y in two if x != y for k in (1, -1)]
        for polynomial in bare:
            square = times(polynomial, polynomial)
            yield Step("q", polynomial=polynomial), self._unknowns.compare(">=", square)

    def _exist(self, factor: Monomial) -> bool:
        return all(x in self._unknowns.whole for x in factor)

    def _with_products(self, refutation: Refutation) -> Refutation:
        """The same with the steps that make the products, each before those that need it."""
        for fact, step in reversed(self._made.items()):
            refutation = followed(step, fact, refutation)
        return refutation


def _strange(p: Polynomial, known: set[Monomial]) -> int:
    """How many products it has that are not known."""
    return sum(len(m) > 1 and m not in known for m, _ in p)


def _inverse(name: str) -> str:
    return name[1:] if name[0] == "/" else "/" + name


def base(name: str) -> str:
    """The unknown of which a name may be the inverse."""
    return name.removeprefix("/")
