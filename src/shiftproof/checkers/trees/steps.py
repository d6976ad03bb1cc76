"""Proofs that facts contradict each other, as steps, and their text.

What a text means is said in ``kernel/trees.py``, which checks it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..kernel.arithmetic import Condition, Number, Polynomial, names_of
from ..kernel.trees import learn
from .simplex import Conflict, Fact


@dataclass(frozen=True, slots=True)
class Branch:
    """The facts that a step adds, in order, and the proof that goes on with them."""

    facts: tuple[Fact, ...]
    proof: Step


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the kind that its letter says, about facts."""

    kind: str
    facts: tuple[Fact, ...] = ()
    weights: tuple[int, ...] = ()
    polynomial: Polynomial = ()
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Refutation:
    """A proof, and the facts that were there before it and that it needs."""

    step: Step
    used: frozenset[Fact]


def members_of(condition: Condition) -> tuple[Fact, ...]:
    """The facts that the checker has from a condition."""
    found: list[Condition] = []
    learn(found, condition)
    return tuple(map(Fact, found))


def names_in(facts: Iterable[Fact]) -> set[str]:
    """The unknowns of facts, /x among them, and Booleans."""
    names: set[str] = set()
    todo = [fact.condition for fact in facts]
    while todo:
        condition = todo.pop()
        if condition[0] in ("and", "or"):
            todo += condition[1]
        else:
            names |= {condition[1]} if condition[0] == "?" else names_of(condition[1])
    return names


def opposites(one: Fact, two: Fact) -> Refutation:
    """Two Booleans that contradict each other."""
    return Refutation(Step("x", (one, two)), frozenset((one, two)))


def false_sum(conflict: Conflict) -> Refutation:
    """A sum of facts that is false."""
    facts, weights = multiples(conflict)
    return Refutation(Step("f", facts, weights), frozenset(facts))


def multiples(conflict: Mapping[Fact, Number]) -> tuple[tuple[Fact, ...], tuple[int, ...]]:
    """The same sum with whole numbers that have no common factor."""
    size = math.lcm(*(k.denominator for k in conflict.values()))
    whole = [(k * size).numerator for k in conflict.values()]
    common = math.gcd(*whole)
    return tuple(conflict), tuple(k // common for k in whole)


def split(fact: Fact, parts: Sequence[tuple[tuple[Fact, ...], Refutation]]) -> Refutation:
    """One refutation for each member of a disjunction; or one that needs no member."""
    used = {fact}
    for added, refutation in parts:
        if refutation.used.isdisjoint(added):
            return refutation
        used |= refutation.used.difference(added)
    branches = tuple(Branch(added, refutation.step) for added, refutation in parts)
    return Refutation(Step("s", (fact,), branches=branches), frozenset(used))


def followed(step: Step, made: Fact, rest: Refutation) -> Refutation:
    """A step that adds a fact, and what follows from it; that alone if it does not need it."""
    if made not in rest.used:
        return rest
    used = rest.used.difference((made,)).union(step.facts)
    with_rest = Step(
        step.kind, step.facts, step.weights, step.polynomial, (Branch((made,), rest.step),)
    )
    return Refutation(with_rest, used)


def written(step: Step, facts: Sequence[Fact], names: Mapping[str, int]) -> str:
    """The text of a proof; ``facts`` are all that the checker has before it."""
    out: list[str] = []
    _write(step, {fact: place for place, fact in enumerate(facts)}, len(facts), names, out)
    return " ".join(out)


def _write(
    step: Step, places: dict[Fact, int], count: int, names: Mapping[str, int], out: list[str]
) -> None:
    out.append(step.kind)
    if step.kind in ("f", "d"):
        out.append(str(len(step.facts)))
        terms = zip((places[fact] for fact in step.facts), step.weights, strict=True)
        for place, weight in sorted(terms):
            out += [str(place), str(weight)]
    else:
        out += [str(places[fact]) for fact in step.facts]
    if step.kind in ("e", "c", "q"):
        out.append(str(len(step.polynomial)))
        for monomial, k in step.polynomial:
            out += [str(k), str(len(monomial)), *(str(names[x]) for x in monomial)]
    for branch in step.branches:
        for place, fact in enumerate(branch.facts, count):
            places[fact] = place
        _write(branch.proof, places, count + len(branch.facts), names, out)
