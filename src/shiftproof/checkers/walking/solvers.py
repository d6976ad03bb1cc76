"""Z3, told SMT-LIB text and nothing else.

Limits are resource counts, so an answer does not depend on how busy the machine is.
"""

from __future__ import annotations

from typing import Any, Literal

from ...dsl.terms.smt import context, solver

Answer = Literal["sat", "unsat", "unknown"]

#: Resources for one question, in the solver's own units.
RESOURCES = 5_000_000


class Solver:
    """A solver for one walk; its sessions share nothing but the solver's own book-keeping."""

    def __init__(self) -> None:
        self._context: Any = None

    def session(self) -> Session:
        """A new session."""
        self._context = self._context or context()
        return Session(self._context)


class Session:
    """A solver that keeps what it was told within scopes."""

    def __init__(self, context: Any) -> None:
        self._solver: Any = solver(context, RESOURCES)

    def tell(self, text: str) -> None:
        """Declarations and assertions in SMT-LIB; assertions are for this scope."""
        self._solver.from_string(text)

    def push(self) -> None:
        """Open a scope."""
        self._solver.push()

    def pop(self) -> None:
        """Forget what was told since the scope was opened."""
        self._solver.pop()

    def check(self) -> Answer:
        """Whether what was told can hold."""
        said = str(self._solver.check())
        return said if said in ("sat", "unsat") else "unknown"  # type: ignore[return-value]
