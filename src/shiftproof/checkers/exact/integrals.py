"""Solving integrals over draws, one draw after another.

The noises are independent and the guards linear, so most conditions tie two draws, and the
ties form a tree.  A draw that is tied to one other draw only is integrated out exactly and
becomes a factor of the other one's function; where ties form no tree, the domain is cut.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from ...dsl.errors import LimitReached
from ...dsl.terms.linear import Rational, shortest
from .affine import Affine
from .numbers import ONE, ZERO, Number
from .pieces import Calculus, End, Piecewise
from .ties import (
    OnBoundary,
    Problem,
    Tie,
    cases_of,
    first_whole,
    last_whole,
    neighbours,
    on_integers,
    one_slope,
    steps,
)

#: How many cases one integral may be cut into.
CASES = 4_000


class Integrator:
    """Solves problems; remembers the factors that it has come to."""

    def __init__(self) -> None:
        #: By function and bounds; each entry holds its function, so that its identity is its own.
        self._factors: dict[object, tuple[Piecewise, Piecewise]] = {}
        self._cases = 0
        #: How many cases with something to integrate were solved in all.
        self.work = 0
        #: After how many it ends, if after any.
        self.most: int | None = None

    def solve(self, problem: Problem) -> Number:
        """The value of the integral.

        Raises:
            LimitReached: it is cut into too many cases or has too many terms.
            OnBoundary: it depends on which side of a released value one looks.
        """
        self._cases = 0
        return self._solved(problem)

    def _solved(self, problem: Problem) -> Number:
        if self.most is not None and self.work > self.most:
            raise LimitReached("EFFORT", "so many integrals were not to be computed")
        self._cases += 1
        if self._cases > CASES:
            raise LimitReached("CASES", f"a probability falls into more than {CASES} cases")
        reduced = _simplified(problem)
        if reduced is None:
            return ZERO
        self.work += bool(reduced.functions) + _size(reduced) // 40
        weight, functions, ties = reduced.weight, dict(reduced.functions), reduced.ties
        while ties:
            hub = _hub(functions, ties)
            if hub is None:
                cases = cases_of(Problem(weight, functions, ties))
                return sum(map(self._solved, cases), start=ZERO)
            ties = self._gathered(functions, ties, hub)
            if not functions[hub].pieces:
                return ZERO
        for function in functions.values():
            weight = weight * function.total()
        return weight

    def _gathered(
        self, functions: dict[int, Piecewise], ties: tuple[Tie, ...], hub: int
    ) -> tuple[Tie, ...]:
        """Integrate out every draw that is tied to ``hub`` alone; what ties are left."""
        factors: Counter[tuple[object, ...]] = Counter()
        sample: dict[tuple[object, ...], tuple[Piecewise, list[tuple[bool, Affine, bool]]]] = {}
        gone: set[int] = set()
        for leaf, own in _leaves(functions, ties, hub):
            bounds = [(*tie.bound(leaf), tie.strict) for tie in own]
            function = functions.pop(leaf)
            whole = function.calculus.lattice and functions[hub].calculus.lattice
            if whole and any(map(_may_jump, own, bounds)):
                raise OnBoundary
            named = frozenset(
                (below, tuple(b.parts.values()), b.constant, s) for below, b, s in bounds
            )
            key: tuple[object, ...] = (id(function), named, functions[hub].calculus.lattice)
            factors[key] += 1
            sample[key] = (function, bounds)
            gone.add(leaf)
        calculus = functions[hub].calculus
        for key, number in factors.items():
            function, bounds = sample[key]
            if key not in self._factors:
                self._factors[key] = (function, factor(function, bounds, calculus))
            functions[hub] = functions[hub] * self._factors[key][1].power(number)
            self.work += len(functions[hub].pieces) // 2
        return tuple(tie for tie in ties if not gone & tie.parts.keys())


def _simplified(problem: Problem) -> Problem | None:
    """Ties of at most one draw are gone; ``None`` if nothing can meet them all."""
    functions = dict(problem.functions)
    kept = []
    for tie in problem.ties:
        if not tie.parts:
            if not tie.met():
                return None
        elif len(tie.parts) == 1:
            ((draw, _),) = tie.parts.items()
            below, bound = tie.bound(draw)
            functions[draw] = _cut(functions[draw], below, bound.constant, tie)
        else:
            kept.append(tie)
    if not all(f.pieces for f in functions.values()):
        return None
    return Problem(problem.weight, functions, tuple(kept))


def _size(problem: Problem) -> int:
    """How many terms there are to work with."""
    pieces = (piece for f in problem.functions.values() for piece in f.pieces)
    return sum(len(piece.terms) for piece in pieces)


def _may_jump(tie: Tie, bound: tuple[bool, Affine, bool]) -> bool:
    """Whether a tie between integers changes with a released value that moves a little."""
    return tie.exposed and bound[1].constant.denominator == 1


def _cut(function: Piecewise, below: bool, end: Rational, tie: Tie) -> Piecewise:
    if function.calculus.lattice:
        if tie.exposed and end.denominator == 1:
            raise OnBoundary
        end = first_whole(end, tie.strict) if below else last_whole(end, tie.strict)
    return function.restricted(end, math.inf) if below else function.restricted(-math.inf, end)


def _hub(functions: Mapping[int, Piecewise], ties: tuple[Tie, ...]) -> int | None:
    """A draw to which others are tied that are tied to nothing else.

    Of two that are tied to each other only, an integer one: it takes a real one in exactly.
    """
    near = neighbours(ties)
    count: Counter[int] = Counter()
    for draw, others in near.items():
        if len(others) == 1:
            (hub,) = others
            count[hub] += _simple(functions, ties, draw, hub)
    found = [hub for hub, number in count.items() if number]
    return max(found, key=lambda h: (count[h], functions[h].calculus.lattice, -h), default=None)


def _leaves(
    functions: Mapping[int, Piecewise], ties: tuple[Tie, ...], hub: int
) -> list[tuple[int, list[Tie]]]:
    """The draws that are tied to a hub alone, each with its ties."""
    near = neighbours(ties)
    leaves = [d for d, others in near.items() if others == {hub}]
    return [
        (leaf, [tie for tie in ties if leaf in tie.parts])
        for leaf in leaves
        if _simple(functions, ties, leaf, hub)
    ]


def _simple(functions: Mapping[int, Piecewise], ties: tuple[Tie, ...], leaf: int, hub: int) -> bool:
    """Whether a leaf's integral can become a factor of the hub."""
    if not functions[leaf].calculus.lattice:
        return True
    own = [tie for tie in ties if leaf in tie.parts]
    if functions[hub].calculus.lattice:
        return all(abs(tie.parts[leaf]) == abs(tie.parts[hub]) for tie in own)
    return one_slope([tie.bound(leaf)[1] for tie in own])


# Integrating out a draw that is tied to one other draw only: a factor of the other's function.

#: A bound ``slope · x + offset`` by another draw x.
Bound: TypeAlias = tuple[Rational, Rational]


def factor(
    function: Piecewise, bounds: list[tuple[bool, Affine, bool]], calculus: Calculus
) -> Piecewise:
    """What a leaf becomes: a function of the draw in its bounds, in that draw's calculus."""
    if function.calculus.lattice and not calculus.lattice:
        return steps(function, bounds, calculus)
    found = integrated(function, bounds)
    if calculus.lattice and not function.calculus.lattice:
        return on_integers(found, calculus)
    return found


def integrated(function: Piecewise, bounds: list[tuple[bool, Affine, bool]]) -> Piecewise:
    """A leaf's integral between its bounds, as a function of the draw in the bounds."""
    lattice = function.calculus.lattice
    lower: list[Bound] = []
    upper: list[Bound] = []
    for below, bound, strict in bounds:
        (slope,) = bound.parts.values()
        offset = bound.constant
        if lattice:  # bounds as where the integers begin that are in, and that are out again
            offset = first_whole(offset, strict) if below else last_whole(offset, strict) + 1
        (lower if below else upper).append((slope, offset))
    total: list[Piecewise] = []
    for low in _extreme(lower, max):
        for high in _extreme(upper, min):
            region = _region(low, high, lower, upper, function)
            if region is None:
                continue
            part = _between(function, low, high)
            total.append(part.restricted(*region))
    return _stacked(function, total)


def _extreme(
    bounds: list[Bound], choose: Callable[[Rational, Rational], Rational]
) -> list[Bound | None]:
    """The bounds that may count somewhere: of equal slopes the tightest."""
    best: dict[Rational, Rational] = {}
    for slope, offset in bounds:
        known = best.get(slope)
        best[slope] = offset if known is None else choose(known, offset)
    return [*best.items()] or [None]


def _region(
    low: Bound | None,
    high: Bound | None,
    lower: list[Bound],
    upper: list[Bound],
    function: Piecewise,
) -> tuple[End, End] | None:
    """Where these two bounds are the ones that count, with something between them."""
    lattice = function.calculus.lattice
    a: End = -math.inf
    b: End = math.inf
    pairs: list[tuple[Bound, Bound, bool]] = []
    if low is not None:
        pairs += [
            (low, other, low < other) for other in _extreme(lower, max) if other not in (low, None)
        ]
    if high is not None:
        pairs += [
            (other, high, high < other)
            for other in _extreme(upper, min)
            if other not in (high, None)
        ]
    if low is not None and high is not None:
        pairs.append((high, low, False))
    first, last = function.support
    if low is not None and not isinstance(last, float):
        pairs.append(((0, last), low, False))
    if high is not None and not isinstance(first, float):
        pairs.append((high, (0, first + function.step), False))
    for (s, c), (t, d), strict in pairs:  # s x + c >= t x + d; strictly where ties go elsewhere
        slope, gap = s - t, d - c
        if slope == 0:
            if gap > 0 or (gap == 0 and strict):
                return None
            continue
        cut = shortest(Fraction(gap) / slope)
        if slope > 0:
            a = max(a, first_whole(cut, strict) if lattice else cut)
        else:
            b = min(b, last_whole(cut, strict) if lattice else cut)
    return (a, b) if a < b or (lattice and a == b) else None


def _between(
    function: Piecewise,
    low: Bound | None,
    high: Bound | None,
) -> Piecewise:
    """The integral between two bounds as a function of the draw in them."""
    if low is None:
        assert high is not None
        return function.before().moved(*high)
    if high is None:
        return function.after().moved(*low)
    # From a finite point on: weighted by an exponential, a function may have no total.
    undone = function.before() if function.calculus.lattice else function.from_zero()
    return undone.moved(*high) + undone.moved(*low).weighted(0, 0, -ONE)


def _stacked(function: Piecewise, parts: list[Piecewise]) -> Piecewise:
    """The sum of several functions."""
    found = Piecewise(function.calculus, ())
    for part in parts:
        found = found + part
    return found
