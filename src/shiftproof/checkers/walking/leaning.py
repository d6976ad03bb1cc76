"""The mechanisms that a mechanism calls, on whose proofs its own proof leans."""

from __future__ import annotations

from typing import Any

from ...dsl.errors import BadInput
from ...dsl.language.unparse import structure
from ...dsl.mechanism import Mechanism
from ...dsl.normalise import normalised

Callee = Mechanism[..., Any]


def called_by(mechanism: Mechanism[..., Any]) -> tuple[Callee, ...]:
    """The mechanisms that a mechanism calls itself, in the order of the source, each once.

    Two of them may have the same name, where they come from two modules.
    """
    program = mechanism.program
    declared = [use.found for use in program.frozen if isinstance(use.found, Mechanism)]
    by_program = {id(found.program): found for found in declared}
    return tuple(by_program[id(called)] for called in program.calls)


class Leaning:
    """Which proofs were found right, and on which others each of them leans.

    Programs go by the structure of their normalised texts.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, tuple[str, ...]]] = {}

    def add(self, text: str, fingerprint: str, callees: dict[str, str]) -> None:
        """A proof is right, provided that those of its callees are, by their normalised texts."""
        self._known[structure(text)] = fingerprint, tuple(map(structure, callees.values()))

    def fingerprint(self, text: str) -> str | None:
        """What a proof that is right says that it is about; ``None`` if there is none.

        All that it leans on is right as well.
        """
        wanted = structure(text)
        seen: set[str] = set()
        waiting = [wanted]
        while waiting:
            here = waiting.pop()
            if here not in self._known:
                return None
            if here not in seen:
                seen.add(here)
                waiting += self._known[here][1]
        return self._known[wanted][0]


def texts_of_called(mechanism: Mechanism[..., Any]) -> dict[str, str]:
    """The normalised texts of the mechanisms that a mechanism calls itself, by name.

    Raises:
        Unsupported: one of them cannot be written down.
        BadInput: two of them have the same name; in a normalised text none have.
    """
    found = [(called.program.name, normalised(called)) for called in called_by(mechanism)]
    if len(dict(found)) < len(found):
        raise BadInput(f"{mechanism.program.name} calls two mechanisms of the same name")
    return dict(found)
