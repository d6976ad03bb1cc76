"""What a certificate's check owes: quantifier-free claims, each with its place and reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from ...dsl.formulas import Formula
from ...dsl.syntax import Span

#: The conditions of the soundness theorem, and what else a certificate says.
Condition = Literal[
    "support",
    "same samples",
    "same output",
    "cost",
    "measure",
    "prophecy",
    "definedness and end",
    "preconditions and positivity",
    "one-sided claim",
    "loop invariant",
]


@dataclass(frozen=True, slots=True)
class Obligation:
    """Under ``facts``, ``claim`` must hold; with ``exact``, products are written out.

    ``common`` facts are those of the walk, ``facts`` those of the path.
    """

    common: tuple[Formula, ...]
    facts: tuple[Formula, ...]
    claim: Formula
    condition: Condition
    detail: str
    span: Span
    exact: bool = False

    @property
    def key(self) -> tuple[frozenset[str], str, bool]:
        """What two obligations share that ask the same."""
        return frozenset(f.key for f in (*self.common, *self.facts)), self.claim.key, self.exact


class Oracle(Protocol):
    """Suggests what may hold; what is done on its word is owed like everything else."""

    def holds(self, obligation: Obligation) -> bool:
        """Whether the claim seems to follow."""
        ...


class Ledger:
    """The obligations of one walk, in order, each once.

    Names mean the same throughout one walk, and not from one walk to the next.
    """

    def __init__(self) -> None:
        self._owed: dict[tuple[frozenset[str], str, bool], Obligation] = {}

    def owe(self, obligation: Obligation) -> None:
        """Add an obligation."""
        self._owed.setdefault(obligation.key, obligation)

    def __iter__(self) -> Iterator[Obligation]:
        return iter(self._owed.values())

    def __len__(self) -> int:
        return len(self._owed)
