"""A part of a certificate, about one case of the statement: what the files of a proof share."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ....checkers.kernel.language.steps import Called, Draw
from ....checkers.kernel.language.syntax import expression, is_call
from ..stating.lists import ELEMENTS
from ..stating.relation import Pairs
from ..stating.statement import Statement
from ..words.terms import NoTheorem, Reader, Sort, Term, real, word
from .witnesses import whole_heads


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
        heads = whole_heads(self.said.get("heads", []))
        return [(loops[head["loop"]], head) for head in heads]

    @property
    def zeros(self) -> str:
        """Nothing is paid yet."""
        return f"[{'; '.join('0' for _ in self.rates)}]"

    def counters(self) -> list[str]:
        """How often each rate is paid."""
        return [f"k{j}" for j in range(len(self.rates))]

    def both(self, k: int, sorts: Mapping[str, Sort | None] | None = None) -> str:
        """The variables of a state on D and on D′, declared, behind what is foretold.

        Some may be of sorts of their own, or have none, and then they are no variables.
        """
        m, found = self.statement.machine, " (told : list Z)" if self.foretold else ""
        for n in m.variables[k]:
            sort = sorts[n] if sorts and n in sorts else m.sorts[n]
            found += f" ({m.names.of(n)} {m.names.of(n)}' : {sort})" if sort else ""
        return found

    def values(self, k: int) -> str:
        """The same, as arguments."""
        m, told = self.statement.machine, " told" if self.foretold else ""
        return told + "".join(f" {m.names.of(n)} {m.names.of(n)}'" for n in m.variables[k])

    @property
    def has_lists(self) -> bool:
        """Whether the program has lists."""
        return not ELEMENTS.keys().isdisjoint(self.statement.machine.sorts.values())

    @property
    def asks_lists(self) -> bool:
        """Whether what a list holds decides where the program goes on."""
        return self.has_lists and not self.foretold

    @property
    def tactics(self) -> list[str]:
        """The files of tactics that its proof needs beside the one that all need."""
        return ["ReplayLists"] * self.asks_lists

    @property
    def arith(self) -> str:
        """The tactic that decides, once all is known that is said of inputs."""
        if self.pairs.data_sets:
            return "arith_of_counts"
        return "arith_of_items" if self.asks_lists else "arith"

    # What is foretold.

    @property
    def foretold(self) -> bool:
        """Whether shifts read which whole numbers come out."""
        return self.statement.foretold

    def goal(self, relation: str, told: str = "_") -> str:
        """The beginning of a goal of ``go`` or ``steps``, as a pattern."""
        return f"told_{relation} _ _ _ _ _ _ {told}" if self.foretold else f"{relation} _ _ _ _ _ _"

    def rule(self, name: str) -> str:
        """The rule for two runs that do the same."""
        if self.foretold:
            return f"told_{name}"
        return name if name in ("cut", "walk") else f"both_{name}"

    def reader(self, side: str = "") -> Reader:
        """Reads what a certificate says of both runs, and of what is foretold."""
        base = self.pairs.reader(side)

        def special(e: ast.expr) -> Term | None:
            match e:
                case ast.Call(func=ast.Name(id="outcome"), args=[]):
                    return _foretold("0", "told")
                case ast.Call(
                    func=ast.Name(id="outcome" | "first_outcome" as which),
                    args=[ast.Constant(value=int() as k)],
                ):
                    return _foretold(str(k), "told" if which == "outcome" else "story")
            return base.special(e)

        return replace(base, special=special, other=lambda: self.reader("" if side else "'"))


def _foretold(place: str, told: str) -> Term:
    """The whole number that is foretold at a place."""
    return word("foretold", "Z", word(place, "mark"), word(told, "mark"))
