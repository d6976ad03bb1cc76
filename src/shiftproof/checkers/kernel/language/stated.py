"""Laws that no table here has: what a certificate states of one is assumed, and printed."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..arithmetic import Wrong
from .syntax import WORDS, expression

#: What a stated text is made of, beside its names.
_PLAIN = (
    ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.And,
    ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Call,
)  # fmt: skip


class Stated(NamedTuple):
    """A law on the reals or integers, over parameters, with ``x`` for a draw, ``d`` for its shift.

    ``log g(x) - log g(x + d) <= amount * rate`` where ``x`` and ``x + d`` are in the support.
    """

    parameters: tuple[str, ...]
    lattice: str
    exists: ast.expr
    support: ast.expr
    amount: ast.expr
    rate: ast.expr


def stated(said: Mapping[str, Any]) -> dict[str, Stated]:
    """The laws by their names, which mean nothing else.

    Raises:
        Wrong: one is not plainly a law.
    """
    found = {}
    for name, law in said.items():
        names, (amount, rate) = tuple(law["parameters"]), law["cost"]
        plain = all(n.isascii() and n.isidentifier() and n not in WORDS for n in (name, *names))
        if not plain or len({name, *names, "x", "d"}) < len(names) + 3:
            raise Wrong(f"the law {name!r} has a name that means something else")
        if law["lattice"] not in ("reals", "integers"):
            raise Wrong(f"the law {name!r} is on neither the reals nor the integers")
        exists, support = _over(law["exists"], names), _over(law["support"], (*names, "x"))
        cost = _over(amount, (*names, "d")), _over(rate, names)
        found[name] = Stated(names, law["lattice"], exists, support, *cost)
    return found


def _over(text: str, names: tuple[str, ...]) -> ast.expr:
    """A text over these names, with numbers, ``+ - * /``, comparisons and ``abs``."""
    e = expression(text)
    for n in ast.walk(e):
        if not isinstance(n, _PLAIN) or (isinstance(n, ast.Name) and n.id not in (*names, "abs")):
            raise Wrong(f"{text[:60]!r} says more of a law than is understood")
    return e


def assumed(name: str, law: Stated) -> str:
    """What is taken on trust of a law, for the statement."""
    exists, support, amount, rate = map(ast.unparse, law[2:])
    return (
        f"Of {name}({', '.join(law.parameters)}) it is assumed, and not checked, that it is a law "
        f"on the {law.lattice} where {exists}, that draws x are all those with {support}, and that "
        f"their density g is positive, with log g(x) - log g(x + d) ≤ ({amount}) * ({rate})."
    )
