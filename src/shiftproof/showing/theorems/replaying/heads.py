"""Loop heads: what holds there of two runs, and of what they have paid."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ....checkers.kernel.language.syntax import expression
from ..words.layout import argument, sequence_of
from ..words.terms import NoTheorem, Reader, Term, closed, of_sort, proposition, real, text, word
from .part import Part


def invariants(part: Part) -> Iterator[str]:
    """What holds at the heads of loops, as a relation of two states and what is paid."""
    m = part.statement.machine
    yield "Inductive Inv : state -> state -> list R -> Prop :="
    for j, (k, head) in enumerate(part.heads):
        counters = part.counters()
        bound = "".join(f" {c}" for c in counters)
        premises = [f"{closed(p)} ->" for p in _premises(part, k, head)]
        left, right = (argument(m.within(k, side=side, named=m.cut(k))) for side in ("", "'"))
        yield f"| head{j} : forall{part.both(k)}{bound},"
        if premises:
            yield sequence_of(premises, 100, 4)
        yield f"    Inv {left} {right} [{'; '.join(counters)}]"
    yield "."


def _premises(part: Part, k: int, head: Mapping[str, Any]) -> Iterator[str]:
    m, pairs = part.statement.machine, part.pairs
    for name in m.variables[k]:
        said = head.get("variables", {}).get(name)
        if said is None:
            continue
        sort = m.sorts[name]
        left, right = (word(m.names.of(name) + side, sort) for side in ("", "'"))
        if said.get("value"):
            yield _equal(left, of_sort(pairs.reader().of(expression(said["value"])), sort))
        other = said.get("other", "")
        if other == "?" or (not other and said.get("other_kind", said["kind"]) != said["kind"]):
            continue
        there = of_sort(_reader_of_head(part, head).of(expression(other)), sort) if other else left
        yield _equal(right, there)
    costs = head.get("costs", {})
    for j, rate in enumerate(part.rates):
        cost = costs.get(rate, "0")
        if cost != "?":
            known = real(pairs.reader().of(expression(cost)))
            yield f"k{j} = {text(known)}"
    for invariant in head.get("invariants", ()):
        yield proposition(_reader_of_head(part, head).test(expression(invariant)))


def _reader_of_head(part: Part, head: Mapping[str, Any], side: str = "") -> Reader:
    base = part.pairs.reader(side)
    rates = {ast.dump(expression(r)): j for j, r in enumerate(part.rates)}

    def special(e: ast.expr) -> Term | None:
        match e:
            case ast.Call(func=ast.Name(id="cost"), args=[rate]):
                j = rates.get(ast.dump(rate))
                if j is None:
                    raise NoTheorem(f"'{ast.unparse(e)[:60]}'")
                return word(f"k{j}", "R")
        return base.special(e)

    return replace(
        base,
        special=special,
        other=lambda: _reader_of_head(part, head, "" if side else "'"),
    )


def _equal(left: Term, right: Term) -> str:
    return proposition(Term("bool", "=", (left, right)))
