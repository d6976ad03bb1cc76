"""Small concrete neighbours: parameters within the preconditions, answers within the relation.

Values come from a coarse grid, so that ties (the places where proofs break) are
common.  Everything is drawn from a fixed seed: the same program gives the same
examples on every machine.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..dsl.errors import BadInput
from ..dsl.formulas import TRUE, Formula, equal
from ..dsl.inputs import EpsilonInput
from ..dsl.noise import Distribution
from ..dsl.program import Program
from ..dsl.relations import MOVE, Case, Pair
from ..dsl.smt import Questions, Writer
from ..dsl.substitution import Substitution, symbols_of
from ..dsl.terms import Linear, Symbol, number, term
from ..dsl.values import Num, Value, from_python
from .inputs import Ties

Numbers = Fraction | tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a setting of the parameters should look like, as far as the preconditions allow it.

    ``far``: thresholds are far away on the side of its sign; 2 means on either side.
    """

    length: int
    small: int
    far: int = 0


#: Few answers close to the thresholds show most failures; many answers far from them
#: show costs that add up, and need to be seen once.
_FIRST = (
    Wish(2, 1),
    Wish(10, 1, far=1),
    Wish(3, 2),
    Wish(10, 1, far=-1),
    Wish(10, 1, far=2),
    Wish(10, 1, far=2),
)
_AGAIN = (
    Wish(2, 1),
    Wish(3, 1),
    Wish(2, 2),
    Wish(1, 1),
    Wish(10, 1, far=2),
    Wish(4, 3),
    Wish(2, 1),
)
LONGEST = 16
#: A threshold that is never, or always, reached.
FAR = 60
_SMALL = tuple(Fraction(n, 2) for n in (0, 2, 4, 1, -2, 6, 3, -1))
_TRIES = 40
_DRAWS = (*_SMALL, Fraction(-2), Fraction(5), Fraction(-4))
#: How often a draw is put at a tie or next to it, and how far from it.
TIE_RATE = 0.6
_STEPS = tuple(Fraction(n, 2) for n in (0, 0, 0, -1, -1, 1, -2, 2))


@dataclass(frozen=True, slots=True)
class Example:
    """Two neighbouring inputs; public parts are the same in both."""

    left: Mapping[str, Numbers]
    right: Mapping[str, Numbers]
    far: bool = False


class Examples:
    """An endless supply of examples for one case of a program's relation."""

    def __init__(
        self, program: Program, case: Case, facts: Sequence[Formula], seed: int = 0
    ) -> None:
        self._program = program
        self._case = case
        self._random = random.Random(seed)
        self._lean = 0
        self._far = False
        self._values, self._moves = self._pools()
        self._first = list(self._parameter_settings(facts, _FIRST))
        self._again = list(self._parameter_settings(facts, _AGAIN))

    def __iter__(self) -> Iterator[Example]:
        misses = 0
        for setting in itertools.chain(self._first, itertools.cycle(self._again)):
            example = self._neighbours(*setting)
            if example is not None:
                misses = 0
                yield example
            elif (misses := misses + 1) > _TRIES:
                return

    def _parameter_settings(
        self, facts: Sequence[Formula], wishes: Sequence[Wish]
    ) -> Iterator[tuple[dict[str, Linear], bool]]:
        """Values for the public scalars and the lengths, from a solver, nudged to small numbers."""
        questions = Questions(Writer(exact_products=True), 500_000)
        questions.add([f for f in facts if f.fixed])
        symbols = self._parameters()
        for wish in wishes:
            questions.push()
            for symbol in self._random.sample(symbols, len(symbols)):
                wanted = equal(term(symbol), number(self._wanted(symbol, wish)))
                if questions.ask([wanted]) == "sat":
                    questions.add([wanted])
            if questions.check() == "sat":
                point = questions.point()
                values = {s.key: point.get(s.key, Fraction(0)) for s in symbols}
                if None not in values.values():
                    yield (
                        {n: number(Fraction(v)) for n, v in values.items() if v is not None},
                        bool(wish.far),
                    )
            questions.pop()

    def _wanted(self, symbol: Symbol, wish: Wish) -> int:
        if symbol.key.startswith("len("):
            return wish.length
        kind = self._program.inputs[symbol.key]
        if not wish.far or symbol.integral or isinstance(kind, EpsilonInput):
            return wish.small
        return self._random.choice((FAR, -FAR)) if wish.far == 2 else wish.far * FAR

    def _parameters(self) -> list[Symbol]:
        inputs = self._program.inputs
        found = [
            self._program.parameter_symbol(n) for n, k in inputs.items() if k.public and not k.array
        ]
        return found + [self._program.length_symbol(n) for n, k in inputs.items() if k.array]

    def _neighbours(self, setting: Mapping[str, Linear], far: bool) -> Example | None:
        self._far = far
        self._values, self._moves = self._pools()
        lengths = {n: int(v.constant) for n, v in setting.items() if n.startswith("len(")}
        if any(v > LONGEST for v in lengths.values()):
            return None
        known = dict(setting)
        for ghost in self._case.ghosts:
            known[ghost.key] = number(self._pick(ghost))
        if not self._holds(self._case.facts, known):
            return None
        left: dict[str, Numbers] = {}
        right: dict[str, Numbers] = {}
        for name, kind in self._program.inputs.items():
            if kind.array:
                self._lean = self._random.choice((0, FAR, FAR, -FAR)) if self._far else 0
                cells = [self._cell(name, i, known) for i in range(lengths[f"len({name})"])]
                if None in cells:
                    return None
                left[name] = tuple(c[0] for c in cells if c)
                right[name] = tuple(c[1] for c in cells if c)
            elif kind.public:
                left[name] = right[name] = Fraction(setting[name].constant)
            else:
                pair = self._solved(self._case.scalar(name), known)
                if pair is None:
                    return None
                left[name], right[name] = pair
        try:
            self._program.check_preconditions(left)
        except BadInput:
            return None
        return Example(left, right, far)

    def _cell(
        self, name: str, i: int, known: Mapping[str, Linear]
    ) -> tuple[Fraction, Fraction] | None:
        if self._program.inputs[name].public:
            value = self._random.choice(_SMALL) + self._lean
            value = Fraction(int(value)) if self._program.inputs[name].whole else value
            return value, value
        return self._solved(self._case.cell(name, number(i)), known)

    def _solved(self, pair: Pair, known: Mapping[str, Linear]) -> tuple[Fraction, Fraction] | None:
        """Values for the symbols of a pair under which its facts hold."""
        parts: tuple[Linear | Formula, ...] = (pair.left, pair.right, *pair.facts)
        free = {s.key: s for part in parts for s in symbols_of(part) if s.key not in known}
        for _ in range(_TRIES):
            values = dict(known)
            values.update((key, number(self._pick(s))) for key, s in free.items())
            if self._holds(pair.facts, values):
                put = Substitution(values)
                left, right = put.linear(pair.left), put.linear(pair.right)
                return Fraction(left.constant), Fraction(right.constant)
        return None

    def _pick(self, symbol: Symbol) -> Fraction:
        value = self._random.choice(self._moves if symbol.key.startswith(MOVE) else self._values)
        return Fraction(int(value)) if symbol.integral else value

    def _pools(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """What answers and their differences are picked from; extreme differences mostly."""
        bounds = [b for m in self._case.moves.values() for b in (m.low, m.high)]
        extremes = tuple(Fraction(b.constant) for b in bounds if b.is_constant)
        if self._far:
            return (*_SMALL, *extremes), extremes or _SMALL
        inner = (Fraction(0), *(e / 2 for e in extremes[:2]))
        return (*_SMALL, *extremes), (*extremes, *extremes, *inner) if extremes else _SMALL

    @staticmethod
    def _holds(facts: Sequence[Formula], values: Mapping[str, Linear]) -> bool:
        put = Substitution(values)
        return all(put.formula(f) == TRUE for f in facts)


class RandomInputs:
    """An example with noise drawn on the grid as the run asks for it; remembers the draws."""

    def __init__(self, program: Program, example: Example, seed: int) -> None:
        self._program = program
        self._example = example
        self._random = random.Random(seed)
        self.draws: list[Fraction | int | bool] = []

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
            return Pair(number(left[int(i)]), number(right[int(i)]))
        return Pair(number(0), number(0))

    def length(self, array: str) -> Linear:
        """The number of elements."""
        values = self._example.left[array]
        assert isinstance(values, tuple)
        return number(len(values))

    def draw(self, target: str, distribution: Distribution, ties: Ties) -> Value:
        """A value of the support: small, or at or next to a tie."""
        if distribution.lattice == "booleans":
            bit = self._random.random() < 0.5
            self.draws.append(bit)
            return from_python(bit)
        whole = distribution.lattice == "integers"
        pool = [v for v in _DRAWS if not whole or v.denominator == 1]
        if not whole:
            parameters = map(distribution.term, range(len(distribution.values)))
            pool += [Fraction(p.constant) for p in parameters]
        if not self._example.far and self._random.random() < TIE_RATE:
            close = [tie + step for tie in ties() for step in _STEPS]
            pool = [v for v in close if not whole or v.denominator == 1] or pool
        fitting = [v for v in pool if distribution.support(number(v)) == TRUE]
        value = Fraction(self._random.choice(fitting)) if fitting else Fraction(0)
        self.draws.append(int(value) if whole else value)
        return Num(number(value), "int" if whole else "float")
