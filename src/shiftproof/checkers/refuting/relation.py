"""The neighbours of one program: within its preconditions, and related as it claims."""

from __future__ import annotations

from dataclasses import dataclass

from ...dsl.errors import BadInput
from ...dsl.privacy.inputs import InputKind
from ...dsl.relations.neighbours import TwoInputs, Witnesses
from ...dsl.relations.program import Program
from .inputs import Instance, plain_inputs, preconditions_hold


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

    def witnesses(self, instance: Instance) -> Witnesses | None:
        """Who makes the inputs neighbours; ``None`` if they are not."""
        return two_inputs(self.program, instance).witnesses()


def two_inputs(program: Program, instance: Instance) -> TwoInputs:
    """A pair under the definition of its program."""
    sides = instance.public, instance.left, instance.right
    return TwoInputs(program.privacy, program.inputs, *sides)
