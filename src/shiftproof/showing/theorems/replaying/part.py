"""A part of a certificate, about one case of the statement: what the files of a proof share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ....checkers.kernel.language.steps import Called, Draw
from ....checkers.kernel.language.syntax import expression, is_call
from ..stating.relation import Pairs
from ..stating.statement import Statement
from ..words.terms import NoTheorem, Term, real


@dataclass(frozen=True)
class Part:
    """One case of a statement, with what its certificate says.

    Attributes:
        statement: of the theorem.
        number: which case.
        said: the part of the certificate.
    """

    statement: Statement
    number: int
    said: Mapping[str, Any]

    @property
    def pairs(self) -> Pairs:
        """The case."""
        return self.statement.pairs[self.number]

    @cached_property
    def rates(self) -> Mapping[str, Term]:
        """By the text of each rate, what it is."""
        if any(is_call(expression(r), "given_up") for r in self.said.get("costs", {})):
            raise NoTheorem("what is given up of noise")
        return {r: real(self.pairs.reader().of(expression(r))) for r in self.said.get("costs", {})}

    @cached_property
    def draws(self) -> list[int]:
        """The steps that draw."""
        nodes = self.statement.machine.mechanism.nodes
        return [k for k in self.statement.machine.steps if isinstance(nodes[k], Draw)]

    @cached_property
    def calls(self) -> list[int]:
        """The steps that call a mechanism."""
        nodes = self.statement.machine.mechanism.nodes
        return [k for k in self.statement.machine.steps if isinstance(nodes[k], Called)]

    @cached_property
    def heads(self) -> list[tuple[int, Mapping[str, Any]]]:
        """The loops of which the certificate says something, by their steps."""
        loops = self.statement.machine.mechanism.loops
        return [(loops[head["loop"]], head) for head in self.said.get("heads", [])]

    @property
    def zeros(self) -> str:
        """Nothing is paid yet."""
        return f"[{'; '.join('0' for _ in self.rates)}]"

    def counters(self) -> list[str]:
        """How often each rate is paid."""
        return [f"k{j}" for j in range(len(self.rates))]

    def both(self, k: int) -> str:
        """The variables of a state on D and on D′, declared."""
        m = self.statement.machine
        return "".join(
            f" ({m.names.of(n)} {m.names.of(n)}' : {m.sorts[n]})" for n in m.variables[k]
        )

    def values(self, k: int) -> str:
        """The same, as arguments."""
        m = self.statement.machine
        return "".join(f" {m.names.of(n)} {m.names.of(n)}'" for n in m.variables[k])
