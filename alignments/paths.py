"""A path of the paired run: where it is, what both runs know there, what it has cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ..dsl.errors import Unsupported
from ..dsl.formulas import Formula, Junction, Truth, negation
from ..dsl.program import Program
from ..dsl.relations import Pair
from ..dsl.syntax import Span
from ..dsl.terms import Linear, number
from ..dsl.values import Num, Value
from .inputs import Inputs

SideName = Literal["left", "right"]


@dataclass(slots=True)
class Path:
    """One path through two runs in step: on D (``left``) and on D' (``right``).

    ``facts`` hold on this path: branch decisions on D, what the relation says of the
    answers read so far, and every obligation once it has been owed.
    """

    node: int
    left: dict[str, Value] = field(default_factory=dict)
    right: dict[str, Value] = field(default_factory=dict)
    facts: list[Formula] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    cells: dict[str, Pair] = field(default_factory=dict)
    costs: dict[Linear, Linear] = field(default_factory=dict)
    outputs: list[tuple[Span, Value, Value]] = field(default_factory=list)
    shifted: list[Value] = field(default_factory=list)
    fuel: int = 0
    at_cut: bool = False

    def copy(self, node: int | None = None) -> Path:
        """An independent copy, at another node if one is given."""
        return Path(
            self.node if node is None else node,
            dict(self.left),
            dict(self.right),
            list(self.facts),
            set(self.known),
            dict(self.cells),
            dict(self.costs),
            list(self.outputs),
            list(self.shifted),
            self.fuel,
        )

    def assume(self, formula: Formula) -> None:
        """Add a fact; a conjunction adds its members."""
        if isinstance(formula, Junction) and formula.conjunction:
            for member in formula.members:
                self.assume(member)
        elif formula.key not in self.known and not isinstance(formula, Truth):
            self.facts.append(formula)
            self.known.add(formula.key)

    def decide(self, formula: Formula) -> bool | None:
        """Whether the formula is known here without a solver."""
        if isinstance(formula, Truth):
            return formula.value
        if formula.key in self.known:
            return True
        if negation(formula).key in self.known:
            return False
        if isinstance(formula, Junction):
            parts = [self.decide(member) for member in formula.members]
            decisive = not formula.conjunction
            if decisive in parts:
                return decisive
            return None if None in parts else not decisive
        return None

    def charge(self, rate: Linear, amount: Linear) -> None:
        """Add ``amount * rate`` to the cost; exact factors of the rate fold into the amount."""
        factor, symbolic = rate.split()
        if factor == 0 or amount == number(0):
            return
        total = self.costs.get(symbolic, number(0)) + amount.scaled(factor)
        self.costs[symbolic] = total


class Side:
    """One of the two runs of a path, as expressions see it."""

    def __init__(self, program: Program, inputs: Inputs, path: Path, side: SideName) -> None:
        self._program = program
        self._inputs = inputs
        self._path = path
        self._side: SideName = side

    def variable(self, name: str, span: Span) -> Value:
        """A variable, or a scalar parameter that was not assigned."""
        values = self._path.left if self._side == "left" else self._path.right
        if name in values:
            return values[name]
        pair = self._pair(name, None)
        whole = self._program.inputs[name].whole
        return Num(pair.left if self._side == "left" else pair.right, "int" if whole else "float")

    def cell(self, array: str, index: Linear, span: Span) -> Num:
        """An answer; reads at equal index terms agree, others are unrelated."""
        pair = self._pair(array, index)
        whole = self._program.inputs[array].whole
        return Num(pair.left if self._side == "left" else pair.right, "int" if whole else "float")

    def _pair(self, name: str, index: Linear | None) -> Pair:
        key = name if index is None else f"{name}[{index}]"
        pair = self._path.cells.get(key)
        if pair is None:
            pair = self._inputs.scalar(name) if index is None else self._inputs.cell(name, index)
            self._path.cells[key] = pair
            for fact in pair.facts:
                self._path.assume(fact)
        return pair

    def length(self, array: str) -> Linear:
        """The length of a sequence parameter."""
        return self._inputs.length(array)

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place in the source."""
        return self._program.refuse(span, message, advice)
