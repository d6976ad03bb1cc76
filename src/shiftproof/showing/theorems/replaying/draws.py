"""Draws: how each is moved on D′, what that costs, and the tactic that replays it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction

from ....checkers.kernel.language.steps import Draw
from ....checkers.kernel.language.syntax import expression
from ....checkers.kernel.paired.laws import LAWS
from ..stating.machine import law_of
from ..words.terms import NoTheorem, Term, chosen, negated, number, of_sort, real, text, word
from .part import Part
from .pieces import pieces
from .prices import factors, log_odds

#: What a draw is called in the shift of it.
DRAWN = "drawn"


def _shift(part: Part, k: int) -> tuple[Draw, Term]:
    """A draw, and the difference to that of D′, in which the draw is ``x``."""
    node = part.statement.machine.mechanism.nodes[k]
    assert isinstance(node, Draw)
    shifts = part.said.get("shifts", [])
    e = expression(shifts[node.site])
    if isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id in (
        "predictable", "capped", "gaps", "unless",
    ):  # fmt: skip
        raise NoTheorem(f"the shift '{ast.unparse(e)[:60]}'")
    sort = law_of(node.law)[1]
    names = part.statement.machine.names
    term = of_sort(part.reader().of(e), sort)
    return node, term.put(names.of(node.target), word(DRAWN, sort))


def move(part: Part, k: int) -> Iterator[str]:
    """Where a draw is moved to, and what of each rate that costs."""
    node, shift = _shift(part, k)
    name, sort = part.statement.machine.state(k), law_of(node.law)[1]
    drawn = word(DRAWN, sort)
    yield f"Definition move_{name}{part.both(k)} ({DRAWN} : {sort}) : {sort} :="
    if sort == "bool":
        if shift.reads(DRAWN):
            raise NoTheorem("a flip that reads its coin")
        yield f"  {text(chosen(shift, negated(drawn), drawn), 'bool')}."
        either = chosen(drawn, number(1, "R"), number(-1, "R"))
        size = chosen(shift, either, number(0, "R"))
    else:
        yield f"  ({text(Term(sort, '+', (drawn, shift)), sort)})%{sort}."
        there = word(f"move_{name}{part.values(k)} {DRAWN}", sort)
        size = _size(part, node, Term("R", "-", (real(there), real(drawn))))
    costs = [
        text(number(0, "R") if factor is None else Term("R", "*", (number(factor, "R"), size)))
        for factor in _factors(part, node, shift)
    ]
    yield f"Definition cost_{name}{part.both(k)} ({DRAWN} : {sort}) : list R :="
    yield f"  [{'; '.join(costs)}]."


def _size(part: Part, node: Draw, amount: Term) -> Term:
    """How often the price of a law is paid for a shift."""
    if law_of(node.law)[0] == "staircase":
        step = real(part.statement.machine.reader().of(node.arguments[1]))
        return word("steps_of", "R", step, amount)
    sign = LAWS[node.law].sign
    if not sign:
        return word("Rabs", "R", amount)
    return amount if sign == 1 else Term("R", "neg", (amount,))


def _factors(part: Part, node: Draw, shift: Term) -> list[Fraction | None]:
    """How many times each rate the inverse of the scale is; the first that fits is paid."""
    found = factors(part, _price(part, node))
    still = ("false",) if shift.sort == "bool" else ("number",)
    if not any(f is not None for f in found) and shift.op not in still:
        raise NoTheorem(f"the price of the noise of line {node.line}")
    return found


def _price(part: Part, node: Draw) -> ast.expr:
    """What one unit of a shift costs; of a coin the logarithm of its odds."""
    if law_of(node.law)[1] != "bool":
        return ast.BinOp(ast.Constant(1), ast.Div(), node.arguments[0])
    return log_odds(node.arguments[0])


def tactic(part: Part, k: int) -> Iterator[str]:
    """The tactic that replays a draw, and then goes on with another one."""
    m = part.statement.machine
    node, shift = _shift(part, k)
    law, sort = law_of(node.law)
    name, variables = m.state(k), m.variables[k]
    wild = ["".join(f" ?{m.names.of(n)}{side}" for n in variables) for side in ("", "'")]
    values = part.values(k)
    shown = pieces(shift, DRAWN) if sort == "R" else ""
    if sort == "R":
        cut = (
            f"refine (pieces_eq _ _ _ {shown}); unfold move_{name};\n"
            f"      intros {DRAWN}; know; pieces_same"
        )
    else:
        cut = "exact I"
    yield f"Ltac draw_{name} rec := match goal with"
    yield f"  |- {part.goal('go', '?told')} ({name}{wild[0]}) ({name}{wild[1]}) =>"
    walk, both = part.rule("walk"), part.rule("draw")
    yield f"    apply {walk}; cbn [next]; apply ({both} (l := {m.law(node)})"
    yield f"      (move_{name}{values}) (cost_{name}{values}));"
    yield f"    [ unfold cost_{name}, rates; cbn [dot];"
    if sort == "bool":
        odds = text(real(m.reader().of(_price(part, node))))
        yield f"      law_bernoulli ltac:(idtac; arith0) ({odds}) ({text(shift, 'bool')})"
    else:
        yield f"      law_{law} ltac:(idtac; unfold move_{name} in * ) ltac:(idtac; arith0)"
        yield f"        ltac:(idtac; {cut})"
    yield "    | reflexivity"
    yield "    | let x := fresh in let Hx := fresh in intros x Hx; supp_facts Hx;"
    yield f"      unfold cost_{name}, move_{name}; cbn [paid carrier]; cbn beta; rec ] end."
