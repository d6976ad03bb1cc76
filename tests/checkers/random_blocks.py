"""Small random programs of coins and uniform draws, in loops and beside geometric noise.

What they claim is a multiple of ε at random; nothing knows what is private.
"""

from __future__ import annotations

import random
from typing import NamedTuple

PREAMBLE = """\
from collections.abc import Sequence
from math import exp
from typing import Annotated

from shiftproof import (
    DP, LDP, Bernoulli, Counts, DiscreteUniform, Epsilon, IntegerValue, IntegerValues, Nat, Public,
    TwoSidedGeometric, mechanism, sample,
)

"""
ODDS = (
    "1 / 2", "1 / 3", "exp(eps) / (1 + exp(eps))", "1 / (1 + exp(eps))",
    "exp(eps / 2) / (1 + exp(eps / 2))", "1 / (1 + exp(eps / 2))",
    "(exp(eps) - 1) / (exp(eps) + 1)", "2 / (exp(eps) + 3)", "exp(eps) / (exp(eps) + 2)",
)  # fmt: skip
#: The private input: how it is declared, under which claim, and how far a loop goes.
INPUTS = {
    "x": ("x: Annotated[int, IntegerValue(0, 2)]", "LDP()", "k"),
    "xs": ("xs: Annotated[Sequence[int], IntegerValues(0, 1)]", "LDP()", "len(xs)"),
    "f": ("f: Counts", "DP()", "len(f)"),
}


class Program(NamedTuple):
    """A program, its private input, and how many times ε it claims."""

    text: str
    private: str
    multiple: int


class Writer:
    """Writes one program; what was assigned in one arm of a branch only is not read after it."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.private = chance, chance.choice(["x", "x", "xs", "f"])
        self.known: dict[str, list[str]] = {"coin": [], "number": [], "noise": []}
        self.loop, self._count = "", 0

    def program(self) -> Program:
        """The whole of it."""
        declared, claim, bound = INPUTS[self.private]
        multiple = self.chance.choice([1, 2, 2, 3, 4])
        lines = [
            f"@mechanism({claim}, budget=lambda eps: {multiple} * eps)",
            f"def drawn({declared}, k: Public[Nat], eps: Epsilon):",
            *([] if self.private == "x" else [f"    assert len({self.private}) >= 1"]),
            *(self._body(0, 2) if self.chance.random() < 0.5 else []),
        ]
        if self.chance.random() < 0.6:
            before = self._kept()
            self.loop = "i"
            lines += [f"    for i in range({bound}):", *self._body(1, 3)]
            lines.append(f"        yield {self._told()}")
            self.loop, self.known = "", before
        lines += [*self._body(0, 3), f"    yield {self._told()}"]
        return Program("\n".join(lines) + "\n", self.private, multiple)

    def _kept(self) -> dict[str, list[str]]:
        return {kind: [*names] for kind, names in self.known.items()}

    def _told(self) -> str:
        return self.chance.choice([*self.known["coin"], *self.known["number"], "0"])

    def _new(self, kind: str) -> str:
        self._count += 1
        self.known[kind].append(f"{kind[0]}{self._count}")
        return self.known[kind][-1]

    def _value(self) -> str:
        if self.private == "x":
            return "x"
        index = self.loop if self.loop and self.chance.random() < 0.8 else "0"
        return f"{self.private}[{index}]"

    def _number(self, depth: int = 0) -> str:
        options = [self._value(), "0", "1", "2", *2 * self.known["number"], *([self.loop] * 2)]
        one = self.chance.choice([o for o in options if o])
        what = self.chance.random()
        if depth < 1 and what < 0.25:
            return f"({self._number(1)} if {self._test(1)} else {self._number(1)})"
        return f"{one} + 1" if what < 0.4 else f"1 - {one}" if what < 0.5 else one

    def _test(self, depth: int = 0) -> str:
        pick = self.chance.choice
        options = [
            f"{self._value()} == {pick(['0', '1', self.loop or '2'])}",
            f"{self._value()} > 0",
        ]
        if coins := self.known["coin"]:
            options += [pick(coins), pick(coins), f"not {pick(coins)}"]
        if numbers := self.known["number"]:
            options.append(
                f"{pick(numbers)} {pick(['==', '>', '<'])} {pick(['0', '1', self._value()])}"
            )
        if noise := self.known["noise"]:
            options.append(f"{pick(noise)} + {self._value()} > 1")
        one = pick(options)
        if depth < 1 and coins and self.chance.random() < 0.2:
            return f"{pick(coins)} != ({self._test(1)})"
        return f"({one}) and ({self._test(1)})" if depth < 1 and self.chance.random() < 0.1 else one

    def _odds(self) -> str:
        one, other = self.chance.choice(ODDS), self.chance.choice(ODDS)
        return f"{one} if {self._test(1)} else {other}" if self.chance.random() < 0.3 else one

    def _body(self, depth: int, most: int) -> list[str]:
        steps = self.chance.randint(1, most)
        indent = "    " * (depth + 1)
        return [f"{indent}{line}" for _ in range(steps) for line in self._step(depth)]

    def _step(self, depth: int) -> list[str]:
        what, draw = self.chance.random(), "{} = sample({})".format
        if what < 0.3:
            odds = self._odds()
            return [draw(self._new("coin"), f"Bernoulli({odds})")]
        if what < 0.38:
            return [draw(self._new("number"), f"DiscreteUniform(0, {self.chance.choice('12')})")]
        if what < 0.46:
            scale = self.chance.choice(["1 / eps", "2 / eps"])
            return [draw(self._new("noise"), f"TwoSidedGeometric({scale})")]
        if what < 0.58:
            value = self._number()
            return [f"{self._new('number')} = {value}"]
        if what < 0.74 and depth < 2:
            return self._branch(depth)
        told = [self._number(), self._number(), *self.known["coin"][-2:]]
        told += [f"{self._value()} + {self.known['noise'][-1]}"] if self.known["noise"] else []
        return [f"yield {self.chance.choice(told)}"]

    def _branch(self, depth: int) -> list[str]:
        test, before = self._test(), self._kept()
        yes, after = self._body(0, 2), self._kept()
        self.known = {kind: [*names] for kind, names in before.items()}
        no = self._body(0, 2) if self.chance.random() < 0.8 else []
        self.known = {
            kind: [name for name in names if name in self.known[kind]]
            for kind, names in after.items()
        }
        return [f"if {test}:", *yes, *(["else:", *no] if no else [])]


def written(seed: int) -> Program:
    """The program of a seed."""
    return Writer(random.Random(seed)).program()
