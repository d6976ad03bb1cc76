"""Loop heads: what a certificate says that holds there, taken at its word and owed on arrival.

A head has a shape, the Python type of each variable in each run; a path arrives at the head
that has its loop and its shape.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from ....dsl.errors import BadInput
from ....dsl.language.flow import HeadNode, ListNode
from ....dsl.language.statements import MakeList, Pick
from ....dsl.language.syntax import Span
from ....dsl.relations.program import Program
from ....dsl.terms.formulas import FALSE, Flag, Formula, conjunction, equal, truth
from ....dsl.terms.linear import Linear, Symbol, number, term
from ....dsl.terms.values import Mark, Num, Value, same_value
from ..certificate import Head, Variable
from ..notation import Meaning, formula_of, term_of
from .elements import element_name, length_name, range_name, sort_name
from .run import Run
from .state import State
from .vocabulary import Vocabulary, rate_of, variable_of

#: The value of a variable or cost that may be anything.
ANYTHING = "?"


def loops(program: Program) -> tuple[int, ...]:
    """The nodes of a program's loop heads, by line."""
    found = [k for k, n in enumerate(program.flow.nodes) if isinstance(n, HeadNode)]
    return tuple(sorted(found, key=lambda k: (_span(program, k).line, _span(program, k).column, k)))


def _span(program: Program, k: int) -> Span:
    node = program.flow.nodes[k]
    assert isinstance(node, HeadNode)
    return node.span


def loop_lines(program: Program) -> tuple[int, ...]:
    """In which line each loop is."""
    return tuple(_span(program, k).line for k in loops(program))


@dataclass(slots=True)
class LoopHead:
    """One head of a certificate, with its terms read.

    ``variables`` by their names in a state; ``costs`` of rates, ``None`` for any.
    """

    node: int
    span: Span
    variables: Mapping[str, Variable]
    costs: Mapping[Linear, Linear | None]
    invariants: tuple[str, ...]
    vocabulary: Vocabulary

    def fits(self, state: State) -> bool:
        """Whether a path that has come to a loop head has come to this one.

        Nor with a value where another one is said: of a loop that goes by states each has a head.
        """
        return (
            state.node == self.node
            and state.left.keys() == state.right.keys() == self.variables.keys()
            and all(
                kind_of(state.left[name]) == v.kind
                and kind_of(state.right[name]) == (v.other_kind or v.kind)
                and not (v.value and self._same(state.left[name], v) == FALSE)
                for name, v in self.variables.items()
            )
        )

    def _same(self, value: Value, v: Variable) -> Formula:
        """What it means that a value on D is the one that is said."""
        return _as_same(value, _valued(v.kind, v.value, self.vocabulary.meaning))

    def start(self, run: Run) -> State:
        """A path that begins here, of which just what the head says is known."""
        state = State(self.node)
        for rate, total in self.costs.items():
            unknown = term(Symbol(f"cost of {rate}", private=True))
            state.costs[rate] = unknown if total is None else total
        for name, v in self.variables.items():
            state.left[name] = self._unknown(name + "₁", v, v.kind, v.value)
        words = self.vocabulary.at(state)  # of D everything can be said, of D' what is said so far
        for name, v in self.variables.items():
            kind = v.other_kind or v.kind
            if _free(v):
                state.right[name] = self._unknown(name + "₂", v, kind, "")
            elif v.other:
                state.right[name] = _valued(kind, v.other, words.meaning)
            else:
                state.right[name] = state.left[name]
        state.learn_functions()
        for text in self.invariants:
            state.assume(formula_of(text, words.meaning))
        return state

    def _unknown(self, name: str, v: Variable, kind: str, value: str) -> Value:
        if value:
            return _valued(kind, value, self.vocabulary.meaning)
        symbol = Symbol(name, kind == "int", private=bool(v.other or v.other_kind))
        if kind == "bool":
            return Flag(symbol)
        if kind in ("int", "float", "either"):
            return Num(term(symbol), kind)  # type: ignore[arg-type]
        return _mark(kind)

    def owe(self, run: Run, state: State, span: Span) -> None:
        """A path that has come here meets everything that the head says.

        The path has forgotten what the head does not speak of (:func:`forget`): names mean here
        what they mean in :meth:`start`.
        """
        words = self.vocabulary.at(state)
        for name, v in self.variables.items():
            left, right = state.left[name], state.right[name]
            claims = []
            if v.value:
                claims.append(self._same(left, v))
            if not _free(v):
                said = _valued(v.other_kind or v.kind, v.other, words.meaning) if v.other else left
                claims.append(_as_same(said, right))
            detail = f"{name} is what the certificate says"
            run.owe(state, conjunction(claims), "loop invariant", detail, span)
        for rate in {**self.costs, **state.costs}:
            total = self.costs.get(rate, number(0))
            if total is not None:
                claim = equal(state.costs.get(rate, number(0)), total)
                detail = f"cost({rate}) is what the certificate says"
                run.owe(state, claim, "loop invariant", detail, span)
        for text in self.invariants:
            claim = formula_of(text, words.meaning)
            run.owe(state, claim, "loop invariant", text, span)


def loop_head(run: Run, vocabulary: Vocabulary, head: Head) -> LoopHead:
    """Read one head of a certificate.

    Raises:
        BadInput: there is no such loop, or a text means nothing.
    """
    nodes = loops(run.program)
    if not 0 <= head.loop < len(nodes):
        raise BadInput(f"there is no loop {head.loop}; the program has {len(nodes)}")
    node = nodes[head.loop]
    line = loop_lines(run.program)[head.loop]
    if head.line != line:
        raise BadInput(f"loop {head.loop} is in line {line}, not in line {head.line}")
    variables = {variable_of(text): v for text, v in head.variables.items()}
    for name in _missing(run, node, variables.keys()):
        raise BadInput(f"loop {head.loop}: a head has nothing, or not all, of {name}")
    costs = {
        rate_of(text, vocabulary): None if said == ANYTHING else term_of(said, vocabulary.meaning)
        for text, said in head.costs.items()
    }
    return LoopHead(node, _span(run.program, node), variables, costs, head.invariants, vocabulary)


def _missing(run: Run, node: int, names: Collection[str]) -> Iterator[str]:
    """The variables and lists that are read from a loop on and of which a head lacks something."""
    flow = run.program.flow
    steps = [n.step for n in flow.nodes if isinstance(n, ListNode)]
    lists = {s.target for s in steps if isinstance(s, MakeList | Pick)}
    lists -= {s.target for s in steps if isinstance(s, Pick) and s.count is None}
    for name in sorted(flow.live[node] - run.program.inputs.keys()):
        if name not in lists:
            whole = {name}
        elif range_name(name) in names:
            whole = {length_name(name)}
        elif name in run.ground.alike:
            whole = {length_name(name), sort_name(name)}
        else:
            whole = {length_name(name), *(element_name(name, place) for place in run.tracked)}
        if not whole <= set(names):
            yield name


def forget(run: Run, state: State) -> None:
    """Of a path that has come to a loop head, keep the variables that are read from there on."""
    live = run.program.flow.live[state.node]
    for values in (state.left, state.right):
        for name in [n for n in values if n[0] != "@" and n.partition("#")[0] not in live]:
            del values[name]


def _free(v: Variable) -> bool:
    """Whether nothing is said of a variable's value in D'."""
    return v.other == ANYTHING or (not v.other and v.other_kind not in ("", v.kind))


def kind_of(value: Value) -> str:
    """A value's Python type, as a certificate writes it."""
    if isinstance(value, Num):
        return value.kind
    if isinstance(value, Formula):
        return "bool"
    return repr(value.value)


def _mark(kind: str) -> Mark:
    try:
        value = ast.literal_eval(kind)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = 0
    if value is None or isinstance(value, str):
        return Mark(value)
    raise BadInput(f"{kind[:80]!r} is no kind of value")


def _valued(kind: str, text: str, meaning: Meaning) -> Value:
    if kind == "bool":
        return formula_of(text, meaning)
    if kind not in ("int", "float", "either"):
        raise BadInput(f"a value of kind {kind[:80]!r} has no further value")
    return Num(term_of(text, meaning), kind)  # type: ignore[arg-type]


def _as_same(left: Value, right: Value) -> Formula:
    if isinstance(left, Num) and isinstance(right, Num):
        return conjunction((truth(left.kind == right.kind), equal(left.term, right.term)))
    return same_value(left, right)


# Where an index stands among the tracked ones: a path for each of them, and one for none.


def placed(run: Run, state: State, indices: list[Linear]) -> Iterator[State]:
    """The path once for each tracked index that an index may be, and once for none."""
    if not indices:
        yield state
        return
    rest = [state]
    for place in run.tracked:
        after = []
        for here in rest:
            for fork, same in list(run.forks(here, equal(indices[0], place))):
                if same:
                    yield from placed(run, fork, indices[1:])
                else:
                    after.append(fork)
        rest = after
    for here in rest:
        yield from placed(run, here, indices[1:])
