"""Where the paired run gets its inputs and its noise: from symbols, or from a recording."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from ..dsl.formulas import Flag, truth
from ..dsl.noise import Distribution
from ..dsl.program import Program
from ..dsl.relations import Case, Pair
from ..dsl.terms import Indexed, Linear, Symbol, number, term
from ..dsl.values import Num, Value


class Inputs(Protocol):
    """Two neighbouring inputs, as numbers or as symbols."""

    def scalar(self, name: str) -> Pair:
        """A scalar parameter in D and in D'."""
        ...

    def cell(self, array: str, index: Linear) -> Pair:
        """An element of a sequence parameter in D and in D'."""
        ...

    def length(self, array: str) -> Linear:
        """The length of a sequence parameter; public."""
        ...

    def draw(self, target: str, distribution: Distribution) -> Value:
        """The next draw on D."""
        ...


class SymbolicInputs:
    """Every pair of neighbours of one case at once, and every noise."""

    def __init__(self, program: Program, case: Case) -> None:
        self._program = program
        self._case = case
        self._draws = itertools.count(1)

    def scalar(self, name: str) -> Pair:
        """A symbol, or a pair of them for a private parameter."""
        if self._program.inputs[name].public:
            symbol = term(self._program.parameter_symbol(name))
            return Pair(symbol, symbol)
        return self._case.scalar(name)

    def cell(self, array: str, index: Linear) -> Pair:
        """A symbol named after its index, or a pair of them."""
        kind = self._program.inputs[array]
        if kind.public:
            symbol = term(Indexed(array + "[{}]", index, kind.whole, private=False))
            return Pair(symbol, symbol)
        return self._case.cell(array, index)

    def length(self, array: str) -> Linear:
        """A symbol."""
        return term(self._program.length_symbol(array))

    def draw(self, target: str, distribution: Distribution) -> Value:
        """A fresh symbol on the distribution's lattice."""
        name = f"{target}#{next(self._draws)}"
        if distribution.lattice == "booleans":
            return Flag(Symbol(name, private=True))
        whole = distribution.lattice == "integers"
        return Num(term(Symbol(name, whole, private=True)), "int" if whole else "float")


class RecordedInputs:
    """One pair of neighbouring inputs and one recording of the noise on D."""

    def __init__(
        self,
        program: Program,
        left: Mapping[str, Fraction | Sequence[Fraction]],
        right: Mapping[str, Fraction | Sequence[Fraction]],
        draws: Sequence[Fraction | bool],
    ) -> None:
        self._program = program
        self._left, self._right = left, right
        self._draws = iter(draws)

    def scalar(self, name: str) -> Pair:
        """The two numbers."""
        left, right = self._left[name], self._right[name]
        assert isinstance(left, Fraction) and isinstance(right, Fraction)
        return Pair(number(left), number(right))

    def cell(self, array: str, index: Linear) -> Pair:
        """The two numbers; 0 where the index is out of range, which is a failed duty already."""
        left, right = self._left[array], self._right[array]
        assert not isinstance(left, Fraction) and not isinstance(right, Fraction)
        i = index.constant
        inside = index.is_constant and i.denominator == 1 and 0 <= i < len(left)
        return (
            Pair(number(left[int(i)]), number(right[int(i)]))
            if inside
            else Pair(number(0), number(0))
        )

    def length(self, array: str) -> Linear:
        """The number of elements."""
        values = self._left[array]
        assert not isinstance(values, Fraction)
        return number(len(values))

    def draw(self, target: str, distribution: Distribution) -> Value:
        """The next recorded draw.

        Raises:
            RecordingEnds: there is none.
        """
        for value in self._draws:
            if isinstance(value, bool):
                return truth(value)
            return Num(number(value), "int" if distribution.lattice == "integers" else "float")
        raise RecordingEnds


class RecordingEnds(Exception):
    """A recording of the noise is shorter than the run."""
