"""One of the two runs of a path, as expressions see it."""

from __future__ import annotations

from typing import Literal

from ..dsl.errors import Unsupported
from ..dsl.formulas import Formula, truth
from ..dsl.inputs import DataSet
from ..dsl.program import Program
from ..dsl.relations import Pair
from ..dsl.syntax import Span
from ..dsl.terms import Linear
from ..dsl.values import Num, Value
from .elements import length_name
from .inputs import Inputs
from .paths import Path

SideName = Literal["left", "right"]


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

    def cell(self, array: str, index: Linear, span: Span) -> Value:
        """An answer, or an element of a list.

        Reads at equal index terms agree; others are unrelated as far as is known.
        """
        if length_name(array) in self._path.left:
            both = self._inputs.elements.read(self._path, array, index)
            if both is None:
                raise self.refuse(span, f"an element of '{array}' of unknown kind", "fill the list")
            return both[0 if self._side == "left" else 1]
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
        """The length of a sequence."""
        own = self._path.left.get(length_name(array))
        return own.term if isinstance(own, Num) else self._inputs.length(array)

    def attributes(self, data: str) -> int:
        """How many attributes the records of a data set have."""
        kind = self._program.inputs[data]
        assert isinstance(kind, DataSet)
        return kind.attributes

    def counted(self, data: str, test: Formula) -> Num:
        """A count over the records."""
        pair = self._inputs.counted(data, test)
        for fact in pair.facts:
            self._path.assume(fact)
        return Num(pair.left if self._side == "left" else pair.right, "int")

    def chosen(self, item: Linear, span: Span) -> Formula:
        """Whether an index is among those that ``top_k`` picks, if that is settled."""
        known = self._inputs.picked
        if known is not None:
            return truth(item.is_constant and item.constant in known)
        if item.key in self._path.asked:
            return self._path.asked[item.key]
        raise self.refuse(span, "outcome() of picked indices where none are picked", "leave it out")

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place in the source."""
        return self._program.refuse(span, message, advice)
