"""Lengths and indices: what is surely so of them, whatever the inputs are."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ..terms.arithmetic import is_positive, plain
from ..terms.values import Known, Numbers, Value, Vector, is_fixed, kind_of

if TYPE_CHECKING:
    from ..modules import SourceModule
    from ..run import Run
    from .expressions import Expressions, Scalar


class Ranges:
    """What a frame does with lengths and indices."""

    run: Run
    module: SourceModule
    expressions: Expressions

    def counted(self, length: Scalar, node: ast.AST) -> Scalar:
        """A length, which is surely not negative."""
        if not self._surely(ast.GtE(), length, Known(0), node):
            raise self.module.refuse(node, "a length that may be negative")
        return length

    def _surely(self, op: ast.cmpop, one: Scalar, other: Scalar, node: ast.AST) -> bool:
        """Whether a comparison holds, whatever the inputs are."""
        test = self.expressions.conditions.compare(op, one, other, node)
        return self.run.decided(self.expressions.drawn(test, node)) == Known(True)

    def surely(
        self, op: ast.cmpop, one: Scalar, other: Value, node: ast.AST, otherwise: str
    ) -> None:
        """Refuse what only holds for some inputs."""
        if not self._surely(op, one, self.expressions.drawn(other, node), node):
            raise self.module.refuse(node, otherwise)

    def check_domain(self, function: str, number: Scalar, node: ast.AST) -> None:
        """Refuse a ``log`` or ``sqrt`` that some runs have and others have not.

        Python raises an exception where there is none, numpy goes on.
        """
        if is_fixed(number) and self.run.at_the_start:
            self.run.taken.append("no logarithm or root of a negative number is taken")
        elif not is_positive(number, self.run.positive):
            op = ast.Gt() if function == "log" else ast.GtE()
            self.surely(op, number, Known(0), node, f"a {function} of what may be below its domain")

    def gap(self, numbers: Numbers, node: ast.AST) -> Scalar:
        gap = self.expressions.binary(ast.Sub(), numbers.stop, numbers.start, node)
        return self.expressions.drawn(gap, node)

    def place(self, vector: Vector, index: Scalar, node: ast.AST) -> Scalar:
        """An index, counted from the beginning; it is surely in range."""
        if kind_of(index) == "bool" and not vector.array:
            index = plain(index)
        if kind_of(index) != "int":
            raise self.module.refuse(node, "an index that is no integer")
        if vector.listed:
            return index  # the language says what an index of a list is
        if isinstance(index, Known) and isinstance(index.value, int) and index.value < 0:
            length = self.expressions.drawn(vector.length, node)
            index = self.expressions.drawn(
                self.expressions.binary(ast.Add(), length, index, node), node
            )
        self.in_range(vector, index, node)
        return index

    def has(self, vector: Vector, index: Scalar, node: ast.AST) -> bool:
        """Whether an index is surely one of a vector, counted from the beginning."""
        length = self.expressions.drawn(vector.length, node)
        above = self._surely(ast.GtE(), index, Known(0), node)
        return above and self._surely(ast.Lt(), index, length, node)

    def in_range(self, vector: Vector, index: Scalar, node: ast.AST) -> None:
        """Refuse an index that is not surely one of a vector, counted from the beginning."""
        if not self.has(vector, index, node):
            raise self.module.refuse(node, "an index that may be out of range")
