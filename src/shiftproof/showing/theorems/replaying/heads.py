"""Loop heads: what holds there of two runs, and of what they have paid."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ....checkers.kernel.language.syntax import expression
from ....checkers.kernel.paired.lists import HORIZON
from ..words.layout import argument, sequence_of
from ..words.terms import (
    NoTheorem,
    Reader,
    Sort,
    Term,
    closed,
    of_sort,
    proposition,
    real,
    text,
    word,
)
from . import lists
from .part import Part
from .witnesses import witnesses


def invariants(part: Part) -> Iterator[str]:
    """What holds at the heads of loops, as a relation of two states and what is paid."""
    told = "list Z -> " if part.foretold else ""
    yield f"Inductive Inv : {told}state -> state -> list R -> Prop :="
    for j, (k, head) in enumerate(part.heads):
        counters = part.counters()
        bound = "".join(f" {c}" for c in counters)
        premises = [f"{closed(p)} ->" for p in _premises(part, k, head)]
        left, right = (_state(part, k, head, side) for side in ("", "'"))
        yield f"| head{j} : forall{part.both(k, _sorts(part, k, head))}{bound},"
        if premises:
            yield sequence_of(premises, 100, 4)
        told = "told " if part.foretold else ""
        yield f"    Inv {told}{left} {right} [{'; '.join(counters)}]"
    yield "."


def _sorts(part: Part, k: int, head: Mapping[str, Any]) -> dict[str, Sort | None]:
    """The sorts of variables that may be None, as the head says which they are."""
    found: dict[str, Sort | None] = {}
    for name in part.statement.machine.variables[k]:
        said = head.get("variables", {}).get(name)
        if said is None or part.statement.machine.sorts[name] != "option Z":
            continue
        if said.get("other_kind", said["kind"]) != said["kind"]:
            raise NoTheorem(f"{name}, which is None in one run and not in the other")
        found[name] = None if said["kind"] == "None" else "Z"
    return found


def _state(part: Part, k: int, head: Mapping[str, Any], side: str) -> str:
    """The state of one run at a head."""
    m = part.statement.machine
    known = {
        n: word(m.names.of(n) + side, "Z") if sort else word("None", "option Z")
        for n, sort in _sorts(part, k, head).items()
    }
    return argument(m.within(k, known, side, m.cut(k)))


def _premises(part: Part, k: int, head: Mapping[str, Any]) -> Iterator[str]:
    m = part.statement.machine
    sorts: dict[str, Sort | None] = {**m.sorts, **_sorts(part, k, head)}
    for name in m.variables[k]:
        said = head.get("variables", {}).get(name)
        sort = sorts[name]
        if said is None or sort is None:
            continue
        left, right = (word(m.names.of(name) + side, sort) for side in ("", "'"))
        if said.get("value"):
            yield _equal(left, of_sort(part.reader().of(expression(said["value"])), sort))
        other = said.get("other", "")
        if other == "?" or (not other and said.get("other_kind", said["kind"]) != said["kind"]):
            continue
        there = left
        if other:
            there = of_sort(_reader_of_head(part, k, head).of(expression(other)), sort)
        yield _equal(right, there)
    for j in range(HORIZON):
        told = head.get("variables", {}).get(f"outcome({j})")
        if told is not None and told.get("value"):
            now = part.reader().of(expression(f"outcome({j})"))
            yield _equal(now, part.reader().of(expression(told["value"])))
    costs = head.get("costs", {})
    for j, rate in enumerate(part.rates):
        cost = costs.get(rate, "0")
        if cost != "?":
            known = real(part.reader().of(expression(cost)))
            yield f"k{j} = {text(known)}"
    for invariant in head.get("invariants", ()):
        if not witnesses(invariant):
            yield proposition(_reader_of_head(part, k, head).test(expression(invariant)))
    yield from lists.premises(part, k, head, lambda side: _reader_of_head(part, k, head, side))


def _reader_of_head(part: Part, k: int, head: Mapping[str, Any], side: str = "") -> Reader:
    base = part.reader(side)
    sorts = _sorts(part, k, head)
    rates = {ast.dump(expression(r)): j for j, r in enumerate(part.rates)}

    def special(e: ast.expr) -> Term | None:
        match e:
            case ast.Call(func=ast.Name(id="cost"), args=[rate]):
                j = rates.get(ast.dump(rate))
                if j is None:
                    raise NoTheorem(f"'{ast.unparse(e)[:60]}'")
                return word(f"k{j}", "R")
        return base.special(e)

    def variable(name: str) -> Term:
        if name not in sorts:
            return base.variable(name)
        shown = part.statement.machine.names.of(name) + side
        return word(shown, "Z") if sorts[name] else word("None", "option Z")

    return replace(
        base,
        variable=variable,
        special=special,
        other=lambda: _reader_of_head(part, k, head, "" if side else "'"),
    )


def _equal(left: Term, right: Term) -> str:
    return proposition(Term("bool", "=", (left, right)))
