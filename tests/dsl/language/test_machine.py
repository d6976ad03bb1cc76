"""The machine against Python: order of evaluation, short circuits, errors, over two domains.

Random programs are executed as Python text, and by the machine with Python's own values and as
paths of exact likelihoods; what they release, and how they end, has to be the same.
"""

from __future__ import annotations

import itertools
import math
import operator
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from shiftproof.checkers.exact.paths import Explorer
from shiftproof.dsl.errors import ShiftproofError
from shiftproof.dsl.language.flow import EndNode, Flow, operands
from shiftproof.dsl.language.machine import Domain, Execution, step, value
from shiftproof.dsl.language.syntax import (
    Arithmetic,
    BooleanConstant,
    Builtin,
    Cell,
    Comparison,
    Constant,
    Label,
    Length,
    Name,
    Negation,
    Whole,
)
from shiftproof.dsl.normalise import read_normalised

HEAD = """
from collections.abc import Iterator
from typing import Annotated
from shiftproof import (
    DP, Count, Counts, DiscreteUniform, Epsilon, Query, argmax, mechanism, sample, top_k,
)

@mechanism(DP())
def m(
    f: Counts, k: Count, x: Annotated[float, Query(sensitivity=1)], eps: Epsilon
) -> Iterator[object]:
"""
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
    "is": operator.is_, "is not": operator.is_not,
}  # fmt: skip
BUILTINS: dict[str, Callable[..., Any]] = {
    "abs": abs, "min": min, "max": max, "int": math.trunc, "round": round, "index": int,
}  # fmt: skip
PROGRAMS = 300
#: Which errors a run may end in; what is picked from too few elements is an error of values.
ERRORS = (IndexError, ZeroDivisionError, ValueError)
Ended = tuple[tuple[Any, ...], str]


def argmax(values: Sequence[Any]) -> int:
    return max(range(len(values)), key=values.__getitem__)


def top_k(values: Sequence[Any], k: int) -> list[int]:
    if not 0 <= k <= len(values):
        raise ValueError(k)
    return sorted(range(len(values)), key=lambda i: (-values[i], i))[:k]


@dataclass
class Plain(Domain[Any]):
    """Python's own values."""

    names: dict[str, Any]

    def operation(self, e: Any, values: Sequence[Any]) -> Any:
        match e:
            case Constant(value=constant, kind="int"):
                return int(constant)
            case Constant() | BooleanConstant() | Label():
                return e.value
            case Name():
                return self.names[e.name]
            case Length():
                return len(self.names[e.array])
            case Whole():
                return self.names[e.array]
            case Cell():
                return self.names[e.array][values[0]]
            case Arithmetic() | Comparison():
                return OPERATORS[e.operator](*values)
            case Negation():
                return not values[0]
            case Builtin():
                return BUILTINS[e.function](*values)
        raise AssertionError(e)

    def bind(self, name: str, bound: Any) -> None:
        self.names[name] = bound

    def connective(self, e: Any, members: Sequence[Callable[[], Any]]) -> Any:
        found = False
        for member in members:
            found = member()
            if found is (e.operator == "or"):
                break
        return found

    def conditional(self, e: Any, test: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
        return yes() if test else no()


@dataclass
class State:
    """A run of Python's values."""

    names: dict[str, Any]
    seen: list[Any] = field(default_factory=list)


@dataclass
class PlainRun(Execution[State, Any]):
    """One run, with its draws."""

    draws: Iterator[int]

    def ended(self, flow: Flow, inputs: Mapping[str, Any]) -> Ended:
        state, at = State(dict(inputs)), flow.start
        try:
            while not isinstance(flow.nodes[at], EndNode):
                ((state, at),) = step(self, state, flow.nodes[at])
        except ERRORS as error:
            return tuple(state.seen), type(error).__name__
        return tuple(state.seen), "end"

    def evaluated(self, state: State, node: Any) -> Any:
        yield state, [value(Plain(state.names), e) for e in operands(node)]

    def names(self, state: State) -> dict[str, Any]:
        return state.names

    def ways(self, state: State, node: Any, test: Any) -> Any:
        assert isinstance(test, bool)
        yield state, test

    def draw(self, state: State, sample: Any, arguments: Sequence[Any]) -> Any:
        yield state, next(self.draws)

    def release(self, state: State, node: Any, values: Sequence[Any]) -> Any:
        yield State(state.names, [*state.seen, *values])

    def size(self, count: Any) -> int:
        return int(count)

    def place(self, index: Any, cells: tuple[Any, ...]) -> int:
        return int(range(len(cells))[index])

    def largest(self, state: State, cells: Any, count: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(top_k(cells, *count)) if count else (argmax(cells),)


class Writer:
    """Writes a body whose runs may raise anywhere."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.draws = 0

    def any(self, *options: str) -> str:
        return self.rng.choice(options)

    def whole(self, depth: int) -> str:
        if depth == 0:
            return self.any("k", "a", "len(f)", "0", "1", "2", "len(cells)")
        one, two = self.whole(depth - 1), self.whole(depth - 1)
        return self.any(
            f"f[abs({one})]", f"cells[abs({one})]", f"({one} + {two})", f"({one} - {two})",
            f"({one} * {two})", f"({one} // {two})", f"({one} % {two})", f"abs({one})",
            f"min({one}, {two})", f"max({one}, {two})",
            f"({one} if {self.test(depth - 1)} else {two})", "a", "k",
        )  # fmt: skip

    def real(self, depth: int) -> str:
        if depth == 0:
            return self.any("x", "b")
        one, two = self.real(depth - 1), self.whole(depth - 1)
        return self.any(
            f"({one} + {two})", f"({two} - {one})", f"({one} / {two})", f"abs({one})",
            f"max({one}, b)", f"({one} if {self.test(depth - 1)} else x)", f"({two} / {one})",
        )  # fmt: skip

    def test(self, depth: int) -> str:
        if depth <= 0:
            return self.any("t", "a < k", "x >= b", "a == 1")
        one, two = self.test(depth - 1), self.test(depth - 1)
        sign = self.any("<", "<=", ">", ">=", "==", "!=")
        return self.any(
            f"({one} and {two})", f"({one} or {two})", f"(not {one})", "t",
            f"{self.whole(depth - 1)} {sign} {self.whole(depth - 1)}",
            f"{self.real(depth - 1)} {sign} {self.real(depth - 1)}",
            f"({self.whole(0)} < {self.whole(depth - 1)} <= {self.whole(0)})",
        )  # fmt: skip

    def block(self, depth: int, loops: bool = True) -> Iterator[str]:
        for _ in range(self.rng.randint(1, 3)):
            match self.rng.randint(0, 11):
                case 0 | 1 if depth < 2:
                    yield f"if {self.test(2)}:"
                    yield from (f"    {line}" for line in self.block(depth + 1, loops))
                    yield "else:"
                    yield from (f"    {line}" for line in self.block(depth + 1, loops))
                case 2 if loops:
                    yield f"for i in range({self.whole(1)}):"
                    yield f"    if i > 3 or {self.test(1)}:"
                    yield f"        {self.any('break', 'continue')}"
                    yield from (f"    {line}" for line in self.block(2, loops=False))
                case 3 if loops and self.draws < 3:
                    self.draws += 1
                    yield "a = sample(DiscreteUniform(0, 1))"
                case 4:
                    yield f"cells[abs({self.whole(2)})] = {self.whole(2)}"
                case 5:
                    yield f"cells.append({self.whole(2)})"
                case 6:
                    yield f"a = {self.any('argmax(cells)', 'argmax(ones)')}"
                case 7:
                    yield f"ones = top_k(cells, {self.whole(1)})"
                case 8:
                    yield f"a, b, t = {self.whole(2)}, {self.real(2)}, {self.test(2)}"
                case 9:
                    yield f"b = {self.real(2)}"
                case _:
                    yield f"yield {self.any(self.whole(2), self.real(2), self.test(2))}"

    def body(self) -> str:
        lines = [
            "a, b, t = 1, x, True", "cells = [k] * 2", "ones = top_k(cells, 1)", *self.block(0),
            *self.block(0), "for one in cells:", "    yield one", f"yield {self.whole(2)}",
        ]  # fmt: skip
        return "\n".join(f"    {line}" for line in lines) + "\n"


def executed(text: str, draws: Sequence[int], inputs: Mapping[str, Any]) -> Ended:
    """What Python makes of it."""
    names: dict[str, Any] = {}
    code = text.split("@mechanism(DP())")[1].split(") -> Iterator[object]:\n")[1]
    exec("def m(f, k, x, eps, sample, DiscreteUniform, argmax, top_k):\n" + code, names)
    left, seen = iter(draws), []
    try:
        for released in names["m"](
            **inputs, sample=lambda law: next(left), DiscreteUniform=lambda low, high: None,
            argmax=argmax, top_k=top_k,
        ):  # fmt: skip
            seen.append(released)
    except ERRORS as error:
        return tuple(seen), type(error).__name__
    return tuple(seen), "end"


def typed(found: Ended) -> tuple[Any, ...]:
    """With types: 1, 1.0 and True are different."""
    return *((type(v).__name__, v) for v in found[0]), found[1]


@pytest.mark.parametrize("first", range(0, PROGRAMS, 50))
def test_random_programs_as_python_has_them(first: int) -> None:
    read = raised = ended = 0
    for seed in range(first, first + 50):
        rng = random.Random(seed)
        writer = Writer(rng)
        text = HEAD + writer.body()
        try:
            flow = read_normalised(text).program.inlined.flow
        except ShiftproofError:
            continue
        read += 1
        inputs = {
            "f": tuple(rng.randint(0, 3) for _ in range(rng.randint(0, 3))),
            "k": rng.randint(0, 2), "x": Fraction(rng.randint(-3, 3), 2), "eps": Fraction(1),
        }  # fmt: skip
        every = [*itertools.product((0, 1), repeat=writer.draws)]
        wanted = [executed(text, draws, inputs) for draws in every]
        found = [PlainRun(iter(draws)).ended(flow, inputs) for draws in every]
        assert [*map(typed, found)] == [*map(typed, wanted)], text
        paths = Explorer(flow).finished(inputs)  # type: ignore[arg-type]
        ways = {typed((path.releases, path.ending)) for path in paths}
        plain = {typed((seen, "end" if how == "end" else "error")) for seen, how in wanted}
        assert ways == plain, text
        assert sum(path.weight for path in paths) == 1
        raised += any(how != "end" for _, how in wanted)
        ended += any(how == "end" for _, how in wanted)
    assert min(raised, ended) > read // 10 > 0, (read, raised, ended)
