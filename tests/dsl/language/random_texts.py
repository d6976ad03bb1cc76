"""Random programs of the language, as Python source text.

Numbers stay dyadic (divisors are powers of two), so that Python's floats are exact and a
native run can be compared with exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

HEAD = '''
LEVEL, WORD = 2, "far"

def clip(v):
    if v > LEVEL * 2:
        return LEVEL * 2
    return v

def far(v, w):
    """Whether the two are apart."""
    gap = v - w
    if gap < 0:
        gap = -gap
    else:
        gap += 1
    return gap > LEVEL

@mechanism(DP())
def m(x: Count, f: Counts, T: Public[Vector], c: Public[Nat], eps: Epsilon):
    def half(v):
        return (v + a) / 2
    a, b, p, q, u = 0, 1, 0.5, x / 2, True
    z, word = None, "near"
'''
_index = st.integers(0, 59)


@dataclass
class Writing:
    """A program that is being written."""

    draw: Callable[[st.SearchStrategy[int]], int]
    lines: list[str] = field(default_factory=list)
    counters: int = 0
    ints: list[str] = field(default_factory=lambda: ["a", "b", "x", "c"])
    floats: list[str] = field(default_factory=lambda: ["p", "q", "eps"])

    def number(self, below: int) -> int:
        return self.draw(_index) % below

    def one(self, options: Sequence[Any]) -> Any:
        return options[self.number(len(options))]

    def emit(self, text: str, depth: int) -> None:
        self.lines.append("    " * depth + text)

    # Expressions: `size` says how much may still be written.

    def int(self, size: int) -> str:
        if size <= 0:
            return self.one([*self.ints, "0", "1", "3", "-2", "LEVEL", "len(f)", "f[0]"])
        e, d = (lambda: self.int(size - 2)), (lambda: self.int(size - 3))
        match self.number(12):
            case 0 | 1:
                return f"({e()} {self.one('+-')} {d()})"
            case 2:
                return f"{self.one((2, -3, 'c'))} * ({e()})"
            case 3:
                return f"({e()}) {self.one(('//', '%'))} ({self.one((2, -3, 'c', d()))})"
            case 4:
                return f"{self.one(('min', 'max'))}({e()}, {d()}, {self.int(0)})"
            case 5:
                return f"abs({e()})"
            case 6:
                return f"({e()} if {self.bool(size - 3)} else {d()})"
            case 7:
                return f"{self.one(('int', 'round'))}({self.float(size - 2)})"
            case 8:
                return f"clip({e()})"
            case 9:
                return f"f[({e()}) % len(f)]"
            case 10:
                return f"f[{self.one((*self.ints, '0', '1'))}]"
        return f"-{self.int(0)}"

    def float(self, size: int) -> str:
        if size <= 0:
            return self.one([*self.floats, "0.0", "1.5", "-0.25", "1e0", "T[0]"])
        e, d = (lambda: self.float(size - 2)), (lambda: self.float(size - 3))
        match self.number(11):
            case 0 | 1:
                return f"({e()} {self.one('+-')} {self.one((d, lambda: self.int(size - 3)))()})"
            case 2:
                return f"{self.one((2, 0.5, -1.5))} * ({e()})"
            case 3:
                return f"({self.int(size - 2)}) / {self.one((2, 4, 'eps', 'c'))}"
            case 4:
                return f"({e()}) / ({self.one((2, -4))} if {self.bool(size - 3)} else 0)"
            case 5:
                return f"{self.one(('min', 'max'))}({e()}, {d()})"
            case 6:
                return f"({e()} if {self.bool(size - 3)} else {d()})"
            case 7:
                return f"({e()}) % {self.one((2, 0.5))}"
            case 8:
                return f"half({e()})"
            case 9:
                return f"abs({e()})"
        return f"clip({e()})"

    def bool(self, size: int) -> str:
        if size <= 0:
            return self.one(["u", "True", "False", "x > 1", "a >= b", "z is None"])
        kind = self.number(8)
        if kind < 3:
            # A name on one side at least: floats that are constants are not compared.
            pick, name = self.one((self.int, self.float)), self.one(self.ints + self.floats)
            return f"{pick(size - 2)} {self.one(('<', '<=', '>', '>=', '==', '!='))} {name}"
        if kind == 3:
            return f"{self.one(self.ints)} <= {self.int(size - 2)} < {self.one(self.floats)}"
        if kind == 4:
            return f"not ({self.bool(size - 1)})"
        if kind == 5:
            return f"far({self.int(size - 2)}, {self.float(0)})"
        if kind == 6:
            return self.one(
                ("z is not None and z > 1", "z is None or z < 2", "word == WORD", "word != 'near'")
            )
        return f"(({self.bool(size - 2)}) {self.one(('and', 'or', '==', '!='))} ({self.bool(0)}))"

    # Statements.

    def block(self, depth: int, loop: bool, count: int) -> None:
        self.emit("pass", depth)
        for _ in range(count):
            self.statement(depth, loop)

    def statement(self, depth: int, loop: bool) -> None:
        kind = self.number(18 if depth < 4 else 12)
        match kind:
            case 0 | 1:
                self.emit(f"{self.one('ab')} = {self.int(4)}", depth)
            case 2 | 3:
                self.emit(f"{self.one('pq')} = {self.float(4)}", depth)
            case 4:
                name, operator = self.one("abpq"), self.one(("+=", "-=", "*=", "%=", "//="))
                value = self.one((2, 3)) if operator in ("*=", "%=", "//=") else self.int(2)
                self.emit(f"{name} {operator} {value}", depth)
            case 5:
                self.emit(self.one(("a, b = b, a", "p, q = q - 1, p", "u = not u")), depth)
            case 6:
                self.emit(f"u = {self.bool(4)}", depth)
            case 7:
                self.emit(f"z = {self.one(('None', self.int(2)))}", depth)
                self.emit(f"word = 'far' if {self.bool(2)} else 'near'", depth)
            case 8 | 9:
                self.sample(depth)
            case 10 | 11:
                if loop and self.number(3) == 0:
                    self.emit(self.one(("break", "continue", "break", "return")), depth)
                else:
                    pick = self.one((self.int, self.float, self.bool))
                    value = self.one((pick(3), "z", "word", f"{self.int(0)} if u else None"))
                    self.emit(f"yield {value}", depth)
            case 12 | 13 | 14:
                self.emit(f"if {self.bool(3)}:", depth)
                self.block(depth + 1, loop, 2)
                if kind == 13:
                    self.emit(f"elif {self.bool(3)}:", depth)
                    self.block(depth + 1, loop, 1)
                if kind > 12:
                    self.emit("else:", depth)
                    self.block(depth + 1, loop, 2)
            case _:
                self.loop(depth, kind)

    def sample(self, depth: int) -> None:
        scale = self.one(("1 / eps", "c", "2", "eps * c", "b"))
        real = ("Laplace", "Exponential", "NegativeExponential")
        whole = ("TwoSidedGeometric", "OneSidedGeometric", "NegativeOneSidedGeometric")
        match self.number(7):
            case 5:
                first, second = (f"sample({self.one(whole)}({scale}))" for _ in range(2))
                self.emit(f"yield {first} - x * {second}", depth)
            case 6:
                drawn = f"sample({self.one(real)}({scale}))"
                self.emit(f"{self.one('pq')} += 1 + {drawn} if {self.bool(2)} else q", depth)
            case 0 | 1:
                self.emit(f"{self.one('pq')} = sample({self.one(real)}({scale}))", depth)
            case 2:
                self.emit(f"{self.one('ab')} = sample({self.one(whole)}({scale}))", depth)
            case 3:
                self.emit("u = sample(Bernoulli(eps / 8))", depth)
            case _:
                self.emit(f"p = sample(Uniform({self.one(('-eps', '0', 'b'))}, 2))", depth)

    def loop(self, depth: int, kind: int) -> None:
        self.counters += 1
        i, v = f"i{self.counters}", f"v{self.counters}"
        if kind == 15:
            self.emit(f"{i} = 0", depth)
            self.emit(f"while {i} < 3 and ({self.bool(2)}):", depth)
            self.emit(f"{i} += 1", depth + 1)
            ints, floats = [i], []
        else:
            head, ints, floats = self.one((
                (f"{i} in range(min({self.int(2)}, 4))", [i], []),
                (f"{i} in range(3, {self.one((-1, 0, 'x'))}, -2)", [i], []),
                (f"{v} in f", [v], []),
                (f"{i}, {v} in enumerate(T)", [i], [v]),
                (f"{i}, {v} in zip(f, T)", [i], [v]),
            ))  # fmt: skip
            self.emit(f"for {head}:", depth)
        outside = self.ints, self.floats
        self.ints, self.floats = self.ints + ints, self.floats + floats
        self.block(depth + 1, True, 1 + self.number(3))
        self.ints, self.floats = outside


@st.composite
def programs(draw: Any) -> str:
    """The source text of a mechanism ``m``."""
    writing = Writing(draw)
    writing.block(1, False, 3 + writing.number(8))
    writing.emit("yield a\n    yield p\n    yield u", 1)
    return HEAD + "\n".join(writing.lines)
