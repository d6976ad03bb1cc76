"""Where a recorded run gets its inputs and its noise: from an example, and by chance."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import cast

from ..dsl.noise import Distribution
from ..dsl.privacy.records import recorded_count
from ..dsl.relations.cases import Pair
from ..dsl.relations.program import Program
from ..dsl.terms.formulas import TRUE, Formula
from ..dsl.terms.linear import Linear, number
from ..dsl.terms.values import Kind, Num, Value, from_python
from .examples import GRID, Example, Records

Ties = Callable[[], Iterable[Fraction]]


# One concrete run: an example's inputs, and noise drawn on a grid as the run asks for it.

#: How often a draw is put at a tie or next to it, and how far from it.
TIE_RATE = 0.6
#: How often a steady draw stays where its draws were before, and how far beyond all ties.
STEADINESS = 0.9
WIDTH = 2
_STEPS = tuple(Fraction(n, 2) for n in (0, 0, 0, -1, -1, 1, -2, 2))
_DRAWS = (*GRID, Fraction(-2), Fraction(5), Fraction(-4))
#: In how many parts one is cut where draws are to differ.
_FINE = 10_007


class RandomInputs:
    """An example with noise drawn on the grid as the run asks for it; remembers the draws.

    ``leanings``: of a steady example, about where the draws of each sample lie, from 0 to 1.
    """

    def __init__(
        self,
        program: Program,
        example: Example,
        seed: int,
        leanings: Mapping[int, float] | None = None,
    ) -> None:
        self._program = program
        self._example = example
        self._random = random.Random(seed)
        self._again: list[Fraction | int | bool] = []
        self._replays = False
        self._history: Sequence[int] = ()
        self._results: list[Value] = []
        self._results_again: list[Value] = []
        self.leanings = dict(leanings or {})
        self._drawn: set[int] = set()
        self.draws: list[Fraction | int | bool] = []
        self.picked: frozenset[int] = frozenset()

    def foretell(self, history: Sequence[int], picked: Iterable[int]) -> None:
        """Run again on the same noise, with what the run came to as its prophecy."""
        self._again, self.draws = self.draws[::-1], []
        self._replays = True
        self._results_again, self._results = self._results[::-1], []
        self._history, self.picked = history, frozenset(picked)

    def result(self, target: str, kind: Kind) -> Value:
        """Anything of the kind: what another mechanism returns depends on noise of its own."""
        if self._results_again:
            self._results.append(self._results_again.pop())
        elif kind == "bool":
            self._results.append(from_python(self._random.random() < 0.5))
        else:
            pool = [v for v in _DRAWS if kind != "int" or v.denominator == 1]
            value = self._random.choice(pool)
            self._results.append(from_python(int(value) if kind == "int" else value))
        return self._results[-1]

    def unchanged(self, name: str) -> bool:
        """Whether it is the same in this example."""
        return self._example.left[name] == self._example.right[name]

    def outcome(self, k: int) -> Linear:
        """What was foretold; 0 where the run came to nothing more."""
        return number(self._history[k] if 0 <= k < len(self._history) else 0)

    def scalar(self, name: str) -> Pair:
        """The two numbers."""
        left, right = self._example.left[name], self._example.right[name]
        assert isinstance(left, Fraction) and isinstance(right, Fraction)
        return Pair(number(left), number(right))

    def cell(self, array: str, index: Linear) -> Pair:
        """The two numbers; 0 where the index is out of range, which is a failed duty already."""
        left, right = self._example.left[array], self._example.right[array]
        assert isinstance(left, tuple) and isinstance(right, tuple)
        i = index.constant
        if index.is_constant and i.denominator == 1 and 0 <= i < len(left):
            at = int(i)
            return Pair(number(cast(Fraction, left[at])), number(cast(Fraction, right[at])))
        return Pair(number(0), number(0))

    def counted(self, data: str, test: Formula) -> Pair:
        """The two counts."""
        left, right = (
            recorded_count(test, data, cast(Records, side[data]))
            for side in (self._example.left, self._example.right)
        )
        return Pair(left, right)

    def length(self, array: str) -> Linear:
        """The number of elements."""
        values = self._example.left[array]
        assert isinstance(values, tuple)
        return number(len(values))

    def draw(self, target: str, site: int, distribution: Distribution, ties: Ties) -> Value:
        """A value of the support: small, or at or next to a tie."""
        if self._again:
            self.draws.append(self._again.pop())
            return from_python(self.draws[-1])
        if distribution.lattice == "booleans":
            bit = self._random.random() < 0.5
            self.draws.append(bit)
            return from_python(bit)
        whole = distribution.lattice == "integers"
        pool = [v for v in _DRAWS if not whole or v.denominator == 1]
        if not whole:
            parameters = map(distribution.term, range(len(distribution.values)))
            pool += [Fraction(p.constant) for p in parameters]
        if self._example.steady:
            close = self._as_before(site, ties(), pool)
            pool = [v for v in close if not whole or v.denominator == 1] or pool
        elif not self._example.far and self._random.random() < TIE_RATE:
            close = [tie + step for tie in ties() for step in _STEPS]
            pool = [v for v in close if not whole or v.denominator == 1] or pool
        fitting = [v for v in pool if distribution.support(number(v)) == TRUE]
        value = Fraction(self._random.choice(fitting)) if fitting else Fraction(0)
        self.draws.append(int(value) if whole else value)
        return Num(number(value), "int" if whole else "float")

    def chosen(self, weights: Sequence[float]) -> int:
        """One of several things, each as probable as its weight says."""
        if self._again:
            self.draws.append(self._again.pop())
        else:
            places = range(len(weights))
            self.draws.append(self._random.choices(places, weights)[0])
        return int(self.draws[-1])

    def apart(self) -> Value:
        """The last draw, a real one, moved a little: values with such noise are no two the same."""
        if not self._replays:
            self.draws[-1] += Fraction(len(self.draws), _FINE)
        return from_python(self.draws[-1])

    def _as_before(
        self, site: int, ties: Iterable[Fraction], pool: Iterable[Fraction]
    ) -> list[Fraction]:
        """Values about where it was drawn before: between two neighbouring ties, if any."""
        leaning = self.leanings.get(site)
        if leaning is None or self._random.random() > STEADINESS:
            leaning = self._random.random()
            if site not in self._drawn:
                self.leanings[site] = leaning
        self._drawn.add(site)
        ends = sorted(set(ties))
        if not ends:
            values = sorted(set(pool))
            return [values[int(leaning * len(values))]]
        # Loops mostly stay where a sample is between thresholds.
        inner = [*itertools.pairwise(ends)] * 2
        gaps = [(ends[0] - WIDTH, ends[0]), *sorted(inner), (ends[-1], ends[-1] + WIDTH)]
        low, high = gaps[int(leaning * len(gaps))]
        near = [low + abs(step) for step in _STEPS] + [high - abs(step) for step in _STEPS]
        return [(low + high) / 2, *(v for v in near if low <= v <= high)]
