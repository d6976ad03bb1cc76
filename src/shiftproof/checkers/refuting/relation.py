"""The neighbours of one program: within its preconditions, and related as it claims."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ...dsl.errors import BadInput
from ...dsl.privacy.inputs import DataSet, InputKind
from ...dsl.relations.neighbours import TwoInputs, Witnesses
from ...dsl.relations.program import Program
from ...dsl.terms.formulas import TRUE
from ..exact.numbers import Base
from .inputs import Input, Inputs, Instance, plain_inputs, preconditions_hold


@dataclass(frozen=True, slots=True)
class Relation:
    """The neighbour relation of one program."""

    program: Program

    @property
    def private(self) -> dict[str, InputKind]:
        """The private inputs."""
        return {n: k for n, k in self.program.inputs.items() if not k.public}

    def admits(self, instance: Instance) -> bool:
        """Whether the preconditions hold for both inputs, and they are neighbours that differ."""
        differ = instance.left != instance.right
        return differ and self.accepts(instance) and self.witnesses(instance) is not None

    def accepts(self, instance: Instance) -> bool:
        """Whether the preconditions hold for both inputs."""
        for side in (instance.left, instance.right):
            values = plain_inputs(self.program, instance.base, instance.public, side)
            try:
                for name, kind in self.program.inputs.items():
                    kind.accept(name, values[name])
                self.program.check_preconditions(values)
            except BadInput:
                return False
            if not preconditions_hold(self.program, instance.base, instance.public, side):
                return False
        return True

    def meets(self, base: Base, public: Inputs, length: int) -> bool:
        """Whether the preconditions hold of public inputs, with sequences of a length."""
        zeros: Inputs = {n: _zeros(kind, length) for n, kind in self.private.items()}
        values = plain_inputs(self.program, base, public, zeros)
        return all(stated == TRUE for stated in self.program.stated(values))

    def witnesses(self, instance: Instance) -> Witnesses | None:
        """Who makes the inputs neighbours; ``None`` if they are not."""
        return two_inputs(self.program, instance).witnesses()


def _zeros(kind: InputKind, length: int) -> Input:
    """Any input of a length, as preconditions see no more of it."""
    if isinstance(kind, DataSet):
        return ()
    return (Fraction(0),) * length if kind.array else Fraction(0)


def two_inputs(program: Program, instance: Instance) -> TwoInputs:
    """A pair under the definition of its program."""
    sides = instance.public, instance.left, instance.right
    return TwoInputs(program.privacy, program.inputs, *sides)
