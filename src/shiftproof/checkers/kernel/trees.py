"""Refutation trees: that conditions contradict each other, checked step by step.

Facts have numbers, in the order in which they come; a step may add one for what follows it.

  x i j              facts i and j are opposite Booleans
  f n i k …          the sum of k times fact i, n of them, is a false comparison
  d n i k … P        that sum is a further fact for P
  m i j P            the product of facts i and j, which compare with zero, is a further fact
  e i p P            fact i is an equation; its product with the polynomial p is a further fact
  q p P              that the square of the polynomial p is not negative is a further fact
  s i P …            fact i is a disjunction; one proof for each member
  c p P Q            of an integer p: P, where p is at most zero; Q, where it is at least one

A polynomial is written ``n``, and for each of its n terms ``c m x …``: a coefficient and m
unknowns, each by its place in the order of their appearance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from .arithmetic import (
    FALSE,
    ONE,
    ZERO,
    Condition,
    Polynomial,
    Unknowns,
    Wrong,
    add,
    constant,
    scaled,
    spend,
    times,
    unknown,
)


def refute(unknowns: Unknowns, conditions: Sequence[Condition], tree: str) -> None:
    """Check that conditions cannot hold together.

    Raises:
        Wrong: the tree does not show it.
    """
    facts: list[Condition] = []
    for condition in conditions:
        learn(facts, condition)
    check = _Tree(unknowns, facts, iter(tree.split()))
    try:
        check.step()
    except (ValueError, ZeroDivisionError):
        raise Wrong("a step of its tree has no number where one stands") from None
    except StopIteration:
        raise Wrong("its tree ends in the middle") from None
    except RecursionError:
        raise Wrong("its tree is too deep") from None
    if next(check.tokens, None) is not None:
        raise Wrong("its tree goes on after the end")


def learn(facts: list[Condition], condition: Condition) -> None:
    """Add a condition to the facts; of a conjunction, each member."""
    if condition[0] == "and":
        for member in condition[1]:
            learn(facts, member)
    else:
        facts.append(condition)
        spend(1)


class _Tree:
    def __init__(self, unknowns: Unknowns, facts: list[Condition], tokens: Iterator[str]) -> None:
        self.unknowns, self.facts, self.tokens = unknowns, facts, tokens

    def step(self) -> None:
        """One step, and the proofs after it."""
        spend(10)
        kind, facts, before = next(self.tokens), self.facts, len(self.facts)
        if kind == "x":
            one, two = self._fact(), self._fact()
            if not (one[0] == two[0] == "?" and one[1] == two[1] and one[2] != two[2]):
                raise Wrong("two facts are no opposites")
        elif kind == "f":
            if self._sum() != FALSE:
                raise Wrong("a sum of facts is not false")
        elif kind in _FURTHER:
            learn(facts, _FURTHER[kind](self))
            self.step()
        elif kind == "s":
            fact = self._fact()
            if fact[0] != "or":
                raise Wrong("a fact that is split is no disjunction")
            for member in fact[1]:
                learn(facts, member)
                self.step()
                del facts[before:]
        elif kind == "c":
            p = self._polynomial()
            if not self.unknowns.is_whole(p):
                raise Wrong("what is cut is no integer")
            for side in (scaled(p, -1), add(p, ONE, -1)):
                learn(facts, self.unknowns.compare(">=", side))
                self.step()
                del facts[before:]
        else:
            raise Wrong(f"the step {kind[:20]!r}")
        del facts[before:]

    def _natural(self) -> int:
        value = int(next(self.tokens))
        if value < 0:
            raise Wrong("a number below zero")
        return value

    def _fact(self) -> Condition:
        k = self._natural()
        if k >= len(self.facts):
            raise Wrong(f"there is no fact {k}")
        return self.facts[k]

    def _comparison(self) -> tuple[str, Polynomial]:
        fact = self._fact()
        if fact[0] not in (">=", ">", "="):
            raise Wrong("a fact that is no comparison")
        return fact[0], fact[1]

    def _sum(self) -> Condition:
        total, relations = ZERO, set()
        for _ in range(self._natural()):
            relation, p = self._comparison()
            k = int(next(self.tokens))
            if k < 0 and relation != "=":
                raise Wrong("an inequality is taken a negative number of times")
            relations |= {relation} if k else set()
            total = add(total, p, k)
        relation = ">" if ">" in relations else ">=" if ">=" in relations else "="
        return self.unknowns.compare(relation, total)

    def _product(self) -> Condition:
        (one, p), (two, q) = self._comparison(), self._comparison()
        relation = "=" if "=" in (one, two) else ">" if one == two == ">" else ">="
        return self.unknowns.compare(relation, times(p, q))

    def _multiple(self) -> Condition:
        relation, p = self._comparison()
        if relation != "=":
            raise Wrong("a fact that is no equation")
        return self.unknowns.compare("=", times(p, self._polynomial()))

    def _square(self) -> Condition:
        p = self._polynomial()
        return self.unknowns.compare(">=", times(p, p))

    def _polynomial(self) -> Polynomial:
        total, names = ZERO, list(self.unknowns.whole)
        for _ in range(self._natural()):
            above, _, below = next(self.tokens).partition("/")
            one = constant(Fraction(int(above), int(below or 1)))
            for _ in range(self._natural()):
                at = self._natural()
                if at >= len(names):
                    raise Wrong(f"there is no unknown {at}")
                one = times(one, unknown(names[at]))
            total = add(total, one)
        return total


#: The steps that add a fact for what follows.
_FURTHER: dict[str, Callable[[_Tree], Condition]] = {
    "d": _Tree._sum,
    "m": _Tree._product,
    "e": _Tree._multiple,
    "q": _Tree._square,
}
