"""Loop heads: what a certificate says of one is taken at its word there, and owed on arrival."""

from __future__ import annotations

import ast
from typing import Any, NamedTuple

from ..arithmetic import FALSE, Condition, Wrong, constant
from ..language.syntax import expression
from .expressions import Mark, Num, Value
from .runs import Run, State, same_value
from .sides import Said


class Variable(NamedTuple):
    """A variable at a head: its kinds on D and D′, its value on D, and how that on D′ differs."""

    kind: str
    other_kind: str
    value: str
    other: str

    @property
    def is_free(self) -> bool:
        """Whether nothing is said of its value on D′."""
        return self.other == "?" or (not self.other and self.kind != self.other_kind)


class LoopHead:
    """One head of a certificate: its variables, the cost so far at each rate, its invariants."""

    def __init__(self, run: Run, said: dict[str, Any], rates: dict[str, str]) -> None:
        self.run, self.loop = run, said["loop"]
        self.variables = {
            name: Variable(
                v["kind"], v.get("other_kind", v["kind"]), v.get("value", ""), v.get("other", "")
            )
            for name, v in said.get("variables", {}).items()
        }
        costs = said.get("costs", {})
        loops = run.mechanism.loops
        if type(self.loop) is not int or not 0 <= self.loop < len(loops):
            raise Wrong(f"there is no loop {self.loop}")
        if self.variables.keys() & run.kinds.keys() or costs.keys() - rates.keys():
            raise Wrong(f"loop {self.loop} speaks of an input, or of a rate without a bound")
        self.at = loops[self.loop]
        self.costs = [costs.get(rate, "0") for rate in rates]
        self.invariants = [expression(text) for text in said.get("invariants", ())]

    def fits(self, state: State) -> bool:
        """Whether a path has come to this loop with these variables, of these kinds.

        Nor with a number where another one is said.  More is not asked here: it is owed.
        """
        return state.at == self.at and all(
            name in state.left
            and name in state.right
            and kind_of(state.left[name]) == v.kind
            and kind_of(state.right[name]) == v.other_kind
            and not self._is_another(state.left[name], v.value)
            for name, v in self.variables.items()
        )

    def _is_another(self, value: Value, said: str) -> bool:
        if not (said and isinstance(value, Num)):
            return False
        e, sign = expression(said), 1
        if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
            e, sign = e.operand, -1
        if not isinstance(e, ast.Constant) or type(e.value) is not int:
            return False
        return self.run.unknowns.equal(value.term, constant(sign * e.value)) == FALSE

    def owe(self, arrived: State) -> None:
        """A path that has come here meets everything that is said; nothing else of it is kept."""
        run, state = self.run, arrived.copy()
        state.left = {name: arrived.left[name] for name in self.variables}
        state.right = {name: arrived.right[name] for name in self.variables}
        closed, words = Said(run), Said(run, state)
        for name, v in self.variables.items():
            why = f"{name} is what the certificate says"
            if v.value:
                claim = _as_same(run, state.left[name], _valued(closed, v.kind, v.value))
                run.owe(state, claim, "loop invariant", why)
            if not v.is_free:
                said = _valued(words, v.other_kind, v.other) if v.other else state.left[name]
                run.owe(state, _as_same(run, said, state.right[name]), "loop invariant", why)
        for spent, text in zip(state.costs, self.costs, strict=True):
            if text != "?":
                claim = run.unknowns.equal(spent, closed.number(expression(text)).term)
                run.owe(state, claim, "loop invariant", "the costs are what the certificate says")
        for e in self.invariants:
            run.owe(state, words.condition(e), "loop invariant", ast.unparse(e))

    def start(self) -> State:
        """A path that begins here, of which just what is said is known."""
        run, state, closed = self.run, State(self.at, 0), Said(self.run)
        state.costs = [
            run.unknowns.fresh("cost", False)
            if text == "?"
            else closed.number(expression(text)).term
            for text in self.costs
        ]
        for name, v in self.variables.items():
            said = _valued(closed, v.kind, v.value) if v.value else self._unknown(name, v.kind)
            state.left[name] = said
        words = Said(run, state)  # of D everything can be said, of D′ what is said so far
        for name, v in self.variables.items():
            if v.is_free:
                state.right[name] = self._unknown(name, v.other_kind)
            else:
                said = _valued(words, v.other_kind, v.other) if v.other else state.left[name]
                state.right[name] = said
        for e in self.invariants:
            state.assume(words.condition(e))
        return state

    def _unknown(self, name: str, kind: str) -> Value:
        if kind not in ("int", "float", "either", "bool"):
            return mark_of(kind)
        found = self.run.unknowns.fresh(name, kind == "int")
        return ("?", found[0][0][0], True) if kind == "bool" else Num(found, kind)


def kind_of(value: Value) -> str:
    """A value's kind, as a certificate writes it."""
    if isinstance(value, Num):
        return value.kind
    return repr(value.mark) if isinstance(value, Mark) else "bool"


def mark_of(kind: str) -> Mark:
    """The mark that a kind names."""
    e = expression(kind)
    if not isinstance(e, ast.Constant) or not isinstance(e.value, str | None):
        raise Wrong(f"{kind[:40]!r} is no kind of value")
    return Mark(e.value)


def _valued(words: Said, kind: str, text: str) -> Value:
    e = expression(text)
    if kind == "bool":
        return words.condition(e)
    found = words.number(e).term
    if kind not in ("int", "float", "either") or (
        kind == "int" and not words.unknowns.is_whole(found)
    ):
        raise Wrong(f"{text[:60]!r} is no value of kind {kind[:40]}")
    return Num(found, kind)


def _as_same(run: Run, left: Value, right: Value) -> Condition:
    if isinstance(left, Num) and isinstance(right, Num) and left.kind == right.kind:
        return run.unknowns.equal(left.term, right.term)
    return same_value(run, left, right)
