"""What can be audited: anything that gives outputs on an input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from ...dsl.flow import Flow
from ...dsl.simulation.blocks import KeyedNoise
from ...dsl.simulation.machine import Machine
from .sample import Sample

#: What tells a block of runs apart from all others of an audit.
Key: TypeAlias = tuple[int, ...]
#: Gives so many runs, with noise that is theirs alone.
Draw: TypeAlias = Callable[[int, Key], Sample]


class Box(Protocol):
    """A mechanism, of which nothing needs to be known; it is sent to workers."""

    @property
    def block(self) -> int:
        """How many runs are made at once."""
        ...

    def on(self, data: Any) -> Draw:
        """The mechanism on one input."""
        ...


@dataclass(frozen=True, slots=True)
class LanguageBox:
    """A mechanism of the language, simulated."""

    flow: Flow
    block: int = 2**16

    def on(self, data: Mapping[str, Any]) -> Draw:
        """The mechanism on all its inputs by name."""
        machine = Machine(self.flow, data)

        def draw(size: int, key: Key) -> Sample:
            return Sample.of_outcomes(machine.run(size, KeyedNoise(*key)))

        return draw
