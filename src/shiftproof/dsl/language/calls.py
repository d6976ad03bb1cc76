"""A call of another mechanism, and what its caller knows of the one that is called."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from ..errors import Unsupported
from ..privacy.definitions import Privacy
from ..privacy.inputs import InputKind
from ..terms.linear import Linear
from ..terms.values import Kind
from .statements import Statement, Writer, call
from .syntax import Bound, Expression, Read, Span


class Callee(Protocol):
    """What a caller knows of a mechanism: what it asks, claims, costs and returns, not its body."""

    @property
    def name(self) -> str:
        """What it is called where it is defined."""
        ...

    @property
    def privacy(self) -> Privacy:
        """The privacy definition that it claims."""
        ...

    @property
    def inputs(self) -> Mapping[str, InputKind]:
        """The kinds of its parameters."""
        ...

    @property
    def preconditions(self) -> tuple[Expression, ...]:
        """What must hold of its parameters."""
        ...

    @property
    def budget(self) -> Linear:
        """What it costs, over its public parameters."""
        ...

    @property
    def delta(self) -> Linear:
        """The δ that it spends, over its public parameters."""
        ...

    @property
    def divisors(self) -> tuple[Linear, ...]:
        """What the budget divides by."""
        ...

    @cached_property
    def results(self) -> tuple[Kind, ...]:
        """The kinds of the values that it returns."""
        ...

    def refuse(self, span: Span, message: str, advice: str) -> Unsupported:
        """An error at a place of its source."""
        ...


@dataclass(frozen=True, slots=True)
class Call(Statement):
    """``a, b = callee(…)``; without targets ``yield from callee(…)``, which releases all of it.

    By parameter of the callee: ``values`` are its scalar arguments, ``sequences`` the inputs of
    the caller that are passed on whole.
    """

    targets: tuple[Bound, ...] | None
    callee: Callee
    values: tuple[tuple[str, Expression], ...]
    sequences: tuple[tuple[str, Read], ...]

    def written(self, w: Writer) -> ast.stmt:
        """The arguments in the order of the callee's parameters."""
        given: dict[str, ast.expr] = {name: w.expression(e) for name, e in self.values}
        given |= {name: w.name(own) for name, own in self.sequences}
        made = call(w.function(self.callee), *(given[name] for name in self.callee.inputs))
        if self.targets is None:
            return ast.Expr(ast.YieldFrom(made))
        return ast.Assign([w.targets(self.targets)], made)
