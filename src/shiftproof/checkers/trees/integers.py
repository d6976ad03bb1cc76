"""What integers cannot be: equations without a solution, and gaps between one and the next."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from ..kernel.arithmetic import Monomial, Number, Polynomial, Unknowns, add, constant, scaled
from .simplex import Conflict, Fact, Simplex, Value

#: How many sums and differences of two unknowns are looked at.
MOST_PAIRS = 20


def without_solution(unknowns: Unknowns, comparisons: Sequence[Fact]) -> Conflict | None:
    """Equations that have no solution in integers, as 2x = 2y + 1: each is solved in turn."""
    solved: list[tuple[Monomial, Polynomial, Conflict]] = []
    for fact in comparisons:
        if fact.condition[0] != "=":
            continue
        p: Polynomial = fact.condition[1]
        made: Conflict = {fact: 1}
        for monomial, equation, weights in solved:
            k = dict(p).get(monomial, 0)
            p = add(p, equation, -k)
            for f, w in weights.items():
                made[f] = made.get(f, 0) - k * w
        if not p:
            continue
        if unknowns.compare("=", p)[0] != "=":
            return {f: w for f, w in made.items() if w}
        # What is not whole goes first: what is left may be about integers alone.
        monomial, k = next(((m, k) for m, k in p if not _is_whole(unknowns, m)), p[-1])
        by: Number = Fraction(1) / k
        solved.append((monomial, scaled(p, by), {f: w * by for f, w in made.items()}))
    return None


def gaps(unknowns: Unknowns, simplex: Simplex) -> Iterator[Polynomial]:
    """Integers, as polynomials, that are above zero and below one in the model.

    First unknowns, then sums and differences of two.
    """
    whole = [(m, value) for m, value in simplex.model() if _is_whole(unknowns, m)]
    between = [(m, value) for m, value in whole if _floor(value) is not None]
    for m, value in between:
        yield _above(((m, 1),), value)
    pairs = 0
    for m, (a, b) in between:
        for n, (c, d) in whole:
            for k in (-1, 1):
                value = a + k * c, b + k * d
                if m != n and _floor(value) is not None and pairs < MOST_PAIRS:
                    pairs += 1
                    yield _above(add(((m, 1),), ((n, 1),), k), value)


def _above(p: Polynomial, value: Value) -> Polynomial:
    return add(p, constant(_floor(value) or 0), -1)


def _floor(value: Value) -> int | None:
    """The integer below a value; ``None`` if it is one itself."""
    down = math.floor(value[0])
    if down != value[0] or value[1] > 0:
        return down
    return down - 1 if value[1] < 0 else None


def _is_whole(unknowns: Unknowns, monomial: Monomial) -> bool:
    return all(unknowns.whole[x] for x in monomial)
