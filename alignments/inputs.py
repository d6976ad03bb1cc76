"""Where the paired run gets its inputs and its noise: from symbols, or from a recording."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Protocol

from ..dsl.formulas import Flag, Formula
from ..dsl.moves import Move, does_not_move
from ..dsl.noise import Distribution
from ..dsl.program import Program
from ..dsl.relations import Case, Pair
from ..dsl.terms import Indexed, Linear, Symbol, term
from ..dsl.values import Kind, Num, Value
from .elements import Elements, TrackedElements
from .witnesses import first_outcome

Ties = Callable[[], Iterable[Fraction]]


class Inputs(Protocol):
    """Two neighbouring inputs, as numbers or as symbols."""

    def scalar(self, name: str) -> Pair:
        """A scalar parameter in D and in D'."""
        ...

    def cell(self, array: str, index: Linear) -> Pair:
        """An element of a sequence parameter in D and in D'."""
        ...

    def counted(self, data: str, test: Formula) -> Pair:
        """How many records meet a condition, in D and in D'."""
        ...

    def length(self, array: str) -> Linear:
        """The length of a sequence parameter; public."""
        ...

    def draw(self, target: str, distribution: Distribution, ties: Ties) -> Value:
        """The next draw on D; ``ties`` are values at which comparisons are just decided."""
        ...

    def result(self, target: str, kind: Kind) -> Value:
        """Something that another mechanism returned, the same in both runs."""
        ...

    def unchanged(self, name: str) -> bool:
        """Whether a private sequence or data set is surely the same in D and in D'."""
        ...

    def moves_as(self, name: str, move: Move) -> bool:
        """Whether a private sequence or data set moves between D and D' as a move says."""
        ...

    def outcome(self, k: int, *, at_start: bool) -> Linear:
        """The k-th integer that the run releases or picks, as a prophecy."""
        ...

    @property
    def picked(self) -> frozenset[int] | None:
        """The indices that ``top_k`` picks in the run, if they are known."""
        ...

    @property
    def elements(self) -> Elements:
        """What is known of the elements of lists."""
        ...


class SymbolicInputs:
    """Every pair of neighbours of one case at once, and every noise."""

    def __init__(self, program: Program, case: Case) -> None:
        self._program = program
        self._case = case
        self._draws = itertools.count(1)
        self.elements: Elements = TrackedElements(case.places)
        self.picked: frozenset[int] | None = None

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

    def counted(self, data: str, test: Formula) -> Pair:
        """What the others count, and the record that differs."""
        return self._case.counted(data, test)

    def length(self, array: str) -> Linear:
        """A symbol."""
        return term(self._program.length_symbol(array))

    def draw(self, target: str, distribution: Distribution, ties: Ties) -> Value:
        """A fresh symbol on the distribution's lattice."""
        name = f"{target}#{next(self._draws)}"
        if distribution.lattice == "booleans":
            return Flag(Symbol(name, private=True))
        whole = distribution.lattice == "integers"
        return Num(term(Symbol(name, whole, private=True)), "int" if whole else "float")

    def result(self, target: str, kind: Kind) -> Value:
        """A fresh symbol; the same in both runs, so it is as good as public."""
        name = f"{target}#{next(self._draws)}"
        if kind == "bool":
            return Flag(Symbol(name))
        return Num(term(Symbol(name, kind == "int")), "int" if kind == "int" else "float")

    def unchanged(self, name: str) -> bool:
        """Whether the case says so."""
        return does_not_move(self._case.moves[name])

    def moves_as(self, name: str, move: Move) -> bool:
        """Whether that is what the case says."""
        return self._case.moves[name] == move

    def outcome(self, k: int, *, at_start: bool) -> Linear:
        """A constant at the start, later a symbol of its own."""
        if at_start:
            return term(first_outcome(k))
        return term(Symbol(f"outcome #{next(self._draws)}", True))
