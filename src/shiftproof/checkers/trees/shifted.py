"""Polynomials whose sign is plain once unknowns are measured from their bounds.

  t > 1,  k >= 2,  2 - k*t > 0        with t = 1 + a and k = 2 + b:  -2*a - b - a*b > 0

Where each term has the wrong sign, products of the bounds are facts that sum up with it to 0 > 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ..kernel.arithmetic import (
    ONE,
    ZERO,
    Monomial,
    Polynomial,
    Unknowns,
    Wrong,
    add,
    names_of,
    scaled,
    times,
    unknown,
)
from ..kernel.paired.runs import multiple
from .simplex import Conflict, Fact, Work
from .steps import Refutation, Step, false_sum, followed

#: How many combinations of bounds are tried for a polynomial, and the highest degree of one.
MOST_CHOICES, MOST_DEGREE = 48, 54
#: What stands for the left side of a bound in polynomials of a search: its place among the facts.
MARK = "#"


def shifted(unknowns: Unknowns, comparisons: Sequence[Fact], work: Work) -> Refutation | None:
    """A refutation by one polynomial and products of bounds of its unknowns."""
    try:
        for target in sorted(comparisons, key=_degree, reverse=True):
            if 1 < _degree(target) <= MOST_DEGREE and target.condition[0] != "=":
                found = _Shift(unknowns, comparisons, work, target).refutation()
                if found:
                    return found
    except Wrong:
        pass  # too long a polynomial
    return None


def _degree(fact: Fact) -> int:
    return max((len(m) for m, _ in fact.condition[1]), default=0)


class _Shift:
    """The attempt with one polynomial: that it is negative, which the facts deny."""

    def __init__(
        self, unknowns: Unknowns, comparisons: Sequence[Fact], work: Work, target: Fact
    ) -> None:
        self._unknowns, self._facts, self._work = unknowns, comparisons, work
        self._target, self._left = target, MOST_CHOICES
        self._steps: dict[Fact, Step] = {}
        self._products: dict[Monomial, Fact] = {}

    def refutation(self) -> Refutation | None:
        """The refutation, if all terms have the wrong sign at some choice of bounds."""
        conflict: Conflict = {self._target: 1}
        p = self._without_roots(self._target.condition[1], conflict)
        for form in self._forms(p):
            strict = self._target.condition[0] == ">" or any(
                all(self._fact(x).condition[0] == ">" for x in m) for m, _ in form
            )
            if strict and all(c < 0 for _, c in form) and self._summed(form, conflict):
                refutation = false_sum(conflict)
                for fact, step in reversed(self._steps.items()):
                    refutation = followed(step, fact, refutation)
                return refutation
        return None

    def _without_roots(self, p: Polynomial, conflict: Conflict) -> Polynomial:
        """The polynomial with y^n for x wherever an equation says that the two are the same."""
        for fact in self._facts:
            parts: Polynomial = fact.condition[1]
            if fact.condition[0] != "=" or len(parts) != 2:
                continue
            for (m, c), (n, d) in (parts, parts[::-1]):
                if len(m) == 1 and n and m[0] not in n and m[0] in names_of(p):
                    value: Polynomial = ((n, Fraction(-d) / c),)
                    factor = scaled(_quotient(p, m[0], value), Fraction(1, c))
                    made = Fact(self._unknowns.compare("=", times(parts, factor)))
                    changed = _put(p, m[0], value)
                    times_ = multiple(add(changed, p, -1), made.condition[1])
                    if times_ is not None:
                        self._steps[made] = Step("e", (fact,), polynomial=factor)
                        conflict[made], p = times_, changed
                    break
        return p

    def _forms(self, p: Polynomial) -> Iterator[Polynomial]:
        """The polynomial over bounds alone, with one choice of them after the other."""
        names = sorted(x for x in names_of(p) if x[0] != MARK)
        if not names:
            self._left -= 1
            yield p
            return
        name = names[-1]
        for place, fact in enumerate(self._facts):
            if self._left <= 0:
                return
            if fact.condition[0] == "=" or _degree(fact) != 1:
                continue
            own = [c for m, c in fact.condition[1] if m == (name,)]
            rest = tuple((m, c) for m, c in fact.condition[1] if m != (name,))
            if own and all(x < name for x in names_of(rest)):
                bound = add(unknown(f"{MARK}{place}"), rest, -1)
                yield from self._forms(_put(p, name, scaled(bound, Fraction(1) / own[0])))

    def _fact(self, mark: str) -> Fact:
        return self._facts[int(mark[1:])]

    def _summed(self, form: Polynomial, conflict: Conflict) -> bool:
        """Add the products that the terms are of, each as often as it is needed."""
        for m, c in form:
            if m:
                fact, true = self._product(m), ONE
                for x in m:
                    true = times(true, self._fact(x).condition[1])
                ratio = multiple(true, fact.condition[1])
                if ratio is None:
                    return False
                conflict[fact] = conflict.get(fact, 0) - c * ratio
        return True

    def _product(self, m: Monomial) -> Fact:
        """A product of bounds as a fact."""
        if len(m) == 1:
            return self._fact(m[0])
        if m not in self._products:
            self._work.node()
            one, two = self._product(m[:-1]), self._fact(m[-1])
            relation = ">" if one.condition[0] == two.condition[0] == ">" else ">="
            of = times(one.condition[1], two.condition[1])
            made = self._products[m] = Fact(self._unknowns.compare(relation, of))
            self._steps[made] = Step("m", (one, two))
        return self._products[m]


def _powers(value: Polynomial, most: int) -> list[Polynomial]:
    found = [ONE]
    for _ in range(most):
        found.append(times(found[-1], value))
    return found


def _put(p: Polynomial, name: str, value: Polynomial) -> Polynomial:
    """A polynomial with a value in the place of an unknown."""
    powers, total = _powers(value, max(m.count(name) for m, _ in p)), ZERO
    for m, c in p:
        rest = tuple(x for x in m if x != name)
        total = add(total, times(((rest, c),), powers[m.count(name)]))
    return total


def _quotient(p: Polynomial, name: str, value: Polynomial) -> Polynomial:
    """What, times ``name - value``, is the difference that putting the value makes."""
    powers, total = _powers(value, max(m.count(name) for m, _ in p)), ZERO
    for m, c in p:
        rest, power = tuple(x for x in m if x != name), m.count(name)
        for k in range(power):
            own: Polynomial = ((tuple(sorted((*rest, *[name] * k))), -c),)
            total = add(total, times(own, powers[power - 1 - k]))
    return total
