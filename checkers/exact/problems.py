"""Integrals over draws: one function for each draw, and linear conditions that tie them together.

The noises are independent and the guards linear, so most conditions tie two draws, and the
ties form a tree.  A draw that is tied to one other draw only is integrated out exactly and
becomes a factor of the other one's function.  Where ties form no tree, the domain is cut into
cases in which one of the lower and one of the upper bounds of a draw is the one that counts;
integer draws that fit nowhere are summed value by value.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import flint
from flint import arb, fmpq

from ...dsl.errors import LimitReached
from ...dsl.terms import Rational, shortest
from .affine import Affine
from .numbers import ONE, ZERO, Number, is_zero, rational
from .pieces import End, Piecewise

#: How many cases one integral may be cut into, and how many values of a draw are summed.
CASES, VALUES = 4_000, 4_000


class OnBoundary(Exception):
    """A released value lies where the density may jump: ask next to it."""


@dataclass(frozen=True, slots=True)
class Tie:
    """``constant + Σ factor · draw`` is at least zero, or above it.

    ``exposed``: the constant moves with a released real value.
    """

    parts: Mapping[int, Rational]
    constant: Rational
    strict: bool
    exposed: bool = False

    @classmethod
    def of(cls, subject: Affine, strict: bool, released: Mapping[int, Rational]) -> Tie:
        """The condition on a number, with the released values put in."""
        parts = {d: f for d, f in subject.parts.items() if d >= 0}
        constant = subject.constant
        for d, f in subject.parts.items():
            if d < 0:
                constant = constant + f * released[d]
        return cls(parts, shortest(constant), strict, len(parts) < len(subject.parts))

    def met(self) -> bool:
        """Whether it holds, once no draw is left in it."""
        if self.exposed and self.constant == 0:
            raise OnBoundary
        return self.constant > 0 if self.strict else self.constant >= 0

    def bound(self, draw: int) -> tuple[bool, Affine]:
        """As a bound of one of its draws: whether from below, and the bound."""
        factor = self.parts[draw]
        inverse = shortest(Fraction(-1) / factor)
        rest = {d: shortest(f * inverse) for d, f in self.parts.items() if d != draw}
        return factor > 0, Affine(rest, shortest(self.constant * inverse), False)


@dataclass(frozen=True, slots=True)
class Problem:
    """``weight · ∫ Π functions`` over the draws that meet all the ties."""

    weight: Number
    functions: Mapping[int, Piecewise]
    ties: tuple[Tie, ...]


class Integrator:
    """Solves problems; remembers the factors that it has come to."""

    def __init__(self) -> None:
        #: By function and bounds; each entry holds its function, so that its identity is its own.
        self._factors: dict[object, tuple[Piecewise, Piecewise]] = {}
        self._cases = 0
        #: How many cases with something to integrate were solved in all.
        self.work = 0

    def solve(self, problem: Problem) -> Number:
        """The value of the integral.

        Raises:
            LimitReached: it is cut into too many cases or has too many terms.
            OnBoundary: it depends on which side of a released value one looks.
        """
        self._cases = 0
        return self._solved(problem)

    def _solved(self, problem: Problem) -> Number:
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
                cases = _cases(Problem(weight, functions, ties))
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
            if function.calculus.lattice and any(map(_may_jump, own, bounds)):
                raise OnBoundary
            named = frozenset(
                (below, tuple(b.parts.values()), b.constant, s) for below, b, s in bounds
            )
            key: tuple[object, ...] = (id(function), named)
            factors[key] += 1
            sample[key] = (function, bounds)
            gone.add(leaf)
        for key, number in factors.items():
            function, bounds = sample[key]
            if key not in self._factors:
                self._factors[key] = (function, _integrated(function, bounds))
            functions[hub] = functions[hub] * self._factors[key][1].power(number)
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
        end = _first(end, tie.strict) if below else _last(end, tie.strict)
    return function.restricted(end, math.inf) if below else function.restricted(-math.inf, end)


def _first(end: Rational, strict: bool) -> int:
    """The least integer at or above an end (or above it)."""
    return math.floor(end) + 1 if strict else math.ceil(end)


def _last(end: Rational, strict: bool) -> int:
    """The greatest integer at or below an end (or below it)."""
    return math.ceil(end) - 1 if strict else math.floor(end)


def _neighbours(ties: tuple[Tie, ...]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for tie in ties:
        for draw in tie.parts:
            found.setdefault(draw, set()).update(d for d in tie.parts if d != draw)
    return found


def _hub(functions: Mapping[int, Piecewise], ties: tuple[Tie, ...]) -> int | None:
    """A draw to which others are tied that are tied to nothing else."""
    near = _neighbours(ties)
    best, most = None, 0
    count: Counter[int] = Counter()
    for draw, others in near.items():
        if len(others) == 1:
            (hub,) = others
            own = [tie for tie in ties if draw in tie.parts]
            if all(_simple(functions, tie, draw, hub) for tie in own):
                count[hub] += 1
    for hub, number in count.items():
        # Of two that are tied to each other only, either will do.
        if number > most or (number == most and best is not None and hub < best):
            best, most = hub, number
    return best


def _leaves(
    functions: Mapping[int, Piecewise], ties: tuple[Tie, ...], hub: int
) -> list[tuple[int, list[Tie]]]:
    near = _neighbours(ties)
    found = []
    for draw, others in near.items():
        if others == {hub}:
            own = [tie for tie in ties if draw in tie.parts]
            if all(_simple(functions, tie, draw, hub) for tie in own):
                found.append((draw, own))
    return found


def _simple(functions: Mapping[int, Piecewise], tie: Tie, leaf: int, hub: int) -> bool:
    """Whether a leaf's bound stays in the calculus of the hub."""
    one, two = functions[leaf].calculus.lattice, functions[hub].calculus.lattice
    if not one and not two:
        return True
    return one and two and abs(tie.parts[leaf]) == abs(tie.parts[hub])


def _integrated(function: Piecewise, bounds: list[tuple[bool, Affine, bool]]) -> Piecewise:
    """A leaf's integral between its bounds, as a function of the draw in the bounds."""
    lattice = function.calculus.lattice
    lower: list[tuple[Rational, Rational]] = []
    upper: list[tuple[Rational, Rational]] = []
    for below, bound, strict in bounds:
        (slope,) = bound.parts.values()
        offset = bound.constant
        if lattice:  # bounds as where the integers begin that are in, and that are out again
            offset = _first(offset, strict) if below else _last(offset, strict) + 1
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
    bounds: list[tuple[Rational, Rational]], choose: object
) -> list[tuple[Rational, Rational] | None]:
    """The bounds that may count somewhere: of equal slopes the tightest."""
    best: dict[Rational, Rational] = {}
    for slope, offset in bounds:
        known = best.get(slope)
        best[slope] = offset if known is None else (max if choose is max else min)(known, offset)
    return [*best.items()] or [None]


def _region(
    low: tuple[Rational, Rational] | None,
    high: tuple[Rational, Rational] | None,
    lower: list[tuple[Rational, Rational]],
    upper: list[tuple[Rational, Rational]],
    function: Piecewise,
) -> tuple[End, End] | None:
    """Where these two bounds are the ones that count, with something between them."""
    lattice = function.calculus.lattice
    a: End = -math.inf
    b: End = math.inf
    pairs: list[tuple[tuple[Rational, Rational], tuple[Rational, Rational], bool]] = []
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
            a = max(a, _first(cut, strict) if lattice else cut)
        else:
            b = min(b, _last(cut, strict) if lattice else cut)
    return (a, b) if a < b or (lattice and a == b) else None


def _between(
    function: Piecewise,
    low: tuple[Rational, Rational] | None,
    high: tuple[Rational, Rational] | None,
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


def _cases(problem: Problem) -> Iterator[Problem]:
    """A problem whose ties form no tree, cut into simpler ones."""
    near = _neighbours(problem.ties)
    whole = [d for d in near if problem.functions[d].calculus.lattice]
    if whole:
        yield from _by_value(problem, whole[0])
    else:
        yield from _by_bounds(problem, min(near, key=lambda d: len(near[d])))


def _by_value(problem: Problem, draw: int) -> Iterator[Problem]:
    """One problem for each value of an integer draw; far tails go into one ball."""
    function = problem.functions[draw]
    others = {d: f for d, f in problem.functions.items() if d != draw}
    low, high = _core(function)
    for value in range(low, high + 1):
        mass = function.at(value)
        ties = []
        for tie in problem.ties:
            factor = tie.parts.get(draw, 0)
            parts = {d: f for d, f in tie.parts.items() if d != draw}
            ties.append(replace(tie, parts=parts, constant=shortest(tie.constant + factor * value)))
        yield Problem(problem.weight * mass, others, tuple(ties))
    tails = (function.restricted(-math.inf, low - 1), function.restricted(high + 1, math.inf))
    for tail in tails:
        if tail.pieces:
            # What the ties would leave of the tails is something between nothing and all.
            yield Problem(problem.weight * tail.total() * arb(0.5, 0.5), others, ())


def _core(function: Piecewise) -> tuple[int, int]:
    """The values of an integer draw that are taken one by one."""
    low, high = function.support
    total = function.total()
    small = total / fmpq(2) ** flint.ctx.prec  # what is left out shrinks with the precision
    ends = []
    for end, other, sign in ((low, high, -1), (high, low, 1)):
        if isinstance(end, float):
            at = start = 0 if isinstance(other, float) else int(other)
            side = function.before() if sign < 0 else function.after()
            while not side.at(at) < small:
                at += sign * 8
                if abs(at - start) > VALUES:
                    raise LimitReached("VALUES", f"an integer draw has over {VALUES} likely values")
            ends.append(at)
        else:
            ends.append(int(end))
    return ends[0], ends[1]


def _by_bounds(problem: Problem, draw: int) -> Iterator[Problem]:
    """One problem for each piece of a real draw and each pair of bounds that may count."""
    function = problem.functions[draw]
    others = {d: f for d, f in problem.functions.items() if d != draw}
    own = [tie for tie in problem.ties if draw in tie.parts]
    rest = tuple(tie for tie in problem.ties if draw not in tie.parts)
    exposed = any(tie.exposed for tie in own)
    bounds = [tie.bound(draw) for tie in own]
    for piece in function.pieces:
        undone = function.calculus.undone(piece.terms)
        lower = _distinct([b for below, b in bounds if below], piece.low)
        upper = _distinct([b for below, b in bounds if not below], piece.high)
        for end, kind in ((-math.inf, lower), (math.inf, upper)):
            if not kind and not is_zero(function.calculus.value(undone, end)):
                raise LimitReached("CONVERGENCE", "an intermediate integral has no limit")
        for low in lower or [None]:
            for high in upper or [None]:
                ties = [_order(low, other, exposed) for other in lower if other is not low]
                ties += [_order(other, high, exposed) for other in upper if other is not high]
                if low is not None and high is not None:
                    ties.append(_order(high, low, exposed))
                for bound, sign in ((high, ONE), (low, -ONE)):
                    if bound is not None:
                        for key, c in undone.items():
                            part = Problem(problem.weight * c * sign, others, (*rest, *ties))
                            yield from _with_term(part, function, key, bound)


def _distinct(bounds: list[Affine], end: End) -> list[Affine | None]:
    """The bounds and the end of a piece, each once."""
    if not isinstance(end, float):
        bounds = [*bounds, Affine({}, end, False)]
    return [*{(frozenset(b.parts.items()), b.constant): b for b in bounds}.values()]


def _order(above: Affine | None, below: Affine | None, exposed: bool) -> Tie:
    assert above is not None and below is not None
    gap = above.plus(below, -1)
    if isinstance(gap, Affine):
        return Tie(gap.parts, gap.constant, False, exposed)
    return Tie({}, gap, False, exposed)  # type: ignore[arg-type]


def with_law(problem: Problem, law: Piecewise, value: Tie) -> Iterator[Problem]:
    """A problem times a law at a combination of its draws (the subject of ``value``)."""
    real = not law.calculus.lattice
    if not value.parts:
        if value.exposed and law.jumps_at(value.constant):
            raise OnBoundary
        density = law.at(value.constant)
        if not is_zero(density):
            yield replace(problem, weight=problem.weight * density)
        return
    if len(value.parts) == 1:
        ((draw, slope),) = value.parts.items()
        if not problem.functions[draw].calculus.lattice:
            functions = dict(problem.functions)
            functions[draw] = functions[draw] * law.moved(slope, value.constant)
            yield replace(problem, functions=functions)
            return
    at = Affine(value.parts, value.constant, False)
    for piece in law.pieces:
        ties = []
        if not isinstance(piece.low, float):
            ties.append(replace(value, constant=shortest(value.constant - piece.low), strict=False))
        if not isinstance(piece.high, float):
            negative = {d: -f for d, f in value.parts.items()}
            gap = shortest(piece.high - value.constant)
            ties.append(Tie(negative, gap, real, value.exposed))
        for key, c in piece.terms.items():
            part = Problem(problem.weight * c, problem.functions, (*problem.ties, *ties))
            yield from _with_term(part, law, key, at)


def _with_term(
    problem: Problem, function: Piecewise, key: tuple[int, Rational], at: Affine
) -> Iterator[Problem]:
    """A problem times ``y^k e^(n y)`` where y is a combination of its draws."""
    k, n = key
    calculus = function.calculus
    functions = dict(problem.functions)
    weight = problem.weight * calculus.unit.power(n * at.constant)
    if n:
        for draw, slope in at.parts.items():
            functions[draw] = functions[draw].weighted(0, n * slope, ONE)
    if k == 0:
        yield Problem(weight, functions, problem.ties)
        return
    for degrees in _compositions(k, len(at.parts) + 1):
        ways = math.factorial(k)
        c: Number = weight
        found = dict(functions)
        for degree in degrees:
            ways //= math.factorial(degree)
        for (draw, slope), degree in zip(at.parts.items(), degrees[1:], strict=True):
            if degree:
                found[draw] = found[draw].weighted(degree, 0, rational(slope) ** degree)
        if degrees[0]:
            c = c * calculus.position(at.constant) ** degrees[0]
        yield Problem(c * ways, found, problem.ties)


def _compositions(total: int, places: int) -> Iterator[tuple[int, ...]]:
    if places == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, places - 1):
            yield (first, *rest)
