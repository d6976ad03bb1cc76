"""Small random mechanisms that carry private values and noise through the cells of lists.

Most of a program is copying: chains over several indices, swaps, rotations, sums in place.  What
is released at the end often does not depend on what was private, and often does.
"""

from __future__ import annotations

import random
from typing import NamedTuple

PREAMBLE = """\
from shiftproof import (
    ADP, DP, Count, Counts, Epsilon, NegativeOneSidedGeometric, OneSidedGeometric, Policy,
    TwoSidedGeometric, argmax, mechanism, sample, top_k,
)

visited = Policy(sensitive={1})
stayed = Policy(sensitive={0})
"""
#: How many cells a list has.
SIZE = 3


class Setting(NamedTuple):
    """A claim, and the noise that fits it."""

    privacy: str
    noise: str


SETTINGS = (
    Setting("DP()", "TwoSidedGeometric"),
    Setting("DP('add-remove')", "TwoSidedGeometric"),
    Setting("ADP(visited)", "OneSidedGeometric"),
    Setting("ADP(stayed)", "NegativeOneSidedGeometric"),
)
PARAMETERS = ("f: Count", "f: Count", "g: Counts", "f: Count, g: Counts")


class Tape:
    """Writes the statements of one mechanism over a few lists."""

    def __init__(self, rng: random.Random, *, loops: bool = True, noise: bool = True) -> None:
        self.rng = rng
        self.setting = rng.choice(SETTINGS)
        self.parameters = rng.choice(PARAMETERS)
        self.lists = ["a", "b", "c"][: rng.choice((1, 2, 2))]
        self.loops = loops
        self.drawn = [f"k{i}" for i in range(rng.choice((0, 0, 1, 1, 2)) if noise else 0)]
        #: What is put into a cell: mostly harmless, so that some programs are private.
        self.secrets = rng.choice((0.1, 0.3, 0.6))

    def any(self, *options: str) -> str:
        return self.rng.choice(options)

    def cell(self) -> str:
        return f"{self.rng.choice(self.lists)}[{self.rng.randrange(SIZE)}]"

    def private(self) -> str:
        own = ["f"] if "f:" in self.parameters else []
        own += [f"g[{self.rng.randrange(SIZE)}]"] if "g:" in self.parameters else []
        return self.rng.choice(own)

    def value(self) -> str:
        """What is put into a cell from outside."""
        if self.rng.random() < self.secrets:
            plain = self.private()
            noisy = [f"{plain} + {k}" for k in self.drawn]
            return self.any(plain, f"{plain} - 2", f"1 - {plain}", *noisy, *noisy)
        return self.any("0", "1", "2", "-9", *self.drawn)

    def move(self) -> str:
        """A cell from other cells."""
        to, one, two, three = (self.cell() for _ in range(4))
        return self.any(
            f"{to} = {one}",
            f"{to} = {one}",
            f"{to} = {one}",
            f"{to} += {one}",
            f"{to} = {one} - {two}",
            f"{to} = {one} - {one}",
            f"{to} = max({one}, {two})",
            f"{to} = {one} if {two} >= 1 else {three}",
            f"t = {one}\n{one} = {two}\n{two} = t",
            f"if {two} >= 1:\n    {to} = {one}",
            f"t = {one}",
            f"t = {one} if {two} >= 1 else t",
            f"{to} = t",
            f"t = min(t, {one})",
        )

    def sweep(self) -> str:
        """A loop over the cells."""
        x, y = (self.rng.choice(self.lists) for _ in range(2))
        last = SIZE - 1
        each = "for i in range(3):\n    "
        return self.any(
            f"{each}{x}[i] = {y}[i]",
            f"{each}{x}[i] = {y}[{last} - i]",
            f"{each}{x}[i] += {y}[i]",
            f"{each}{x}[i] = {self.value()}",
            f"for i in range(1, 3):\n    {x}[i] += {x}[i - 1]",
            f"for i in range(1, 3):\n    {x}[i] = {y}[i - 1]",
            f"for i in range({last}):\n    {x}[i] = {y}[i + 1]",
            f"for v in {x}:\n    t = max(t, v)",
            f"for v in {x}:\n    t += v",
            f"{each}t = {x}[i]",
            f"{each}{x}[i] = t\n    t = {y}[i]",
            f"{each}if i != {self.rng.randrange(SIZE)}:\n        {x}[i] = {y}[i]",
            f"for i in range({last}):\n    t = {x}[i]\n    {x}[i] = {x}[i + 1]\n    {x}[i + 1] = t",
            f"for i in range({last}):\n    for j in range(i + 1, 3):\n        {x}[j] = {y}[i]",
            f"{each}pass",
        )

    def noisy(self) -> str:
        """Noise on every cell, of the answers or of a list."""
        x, y = (self.rng.choice(self.lists) for _ in range(2))
        of = self.any(f"{y}[i]", "g[i]") if "g:" in self.parameters else self.any(f"{y}[i]", "f")
        return f"for i in range(3):\n    k = {self.sample()}\n    {x}[i] = {of} + k"

    def pick(self) -> str:
        """An index that depends on data."""
        x, y = (self.rng.choice(self.lists) for _ in range(2))
        put = self.any(f"{y}[p] = {self.value()}", f"t = {y}[p]", f"{y}[p] = {self.cell()}")
        return f"p = argmax({x})\n{put}"

    def sample(self) -> str:
        scale = self.any("1 / eps", "1 / eps", "2 / eps", "3 / eps")
        return f"sample({self.any(self.setting.noise, 'TwoSidedGeometric')}({scale}))"

    def make(self, name: str) -> str:
        values = [self.value() for _ in range(SIZE)]
        if self.rng.random() < 0.1:
            return f"{name} = []" + "".join(f"\n{name}.append({v})" for v in values)
        filled, listed = f"{name} = [{self.value()}] * 3", f"{name} = [{', '.join(values)}]"
        return self.any(f"{name} = [0] * 3", filled, listed)

    def end(self) -> str:
        """What is released."""
        x = self.rng.choice(self.lists)
        one, two = self.cell(), self.cell()
        plain = (
            f"return {one}",
            f"return {one} + {two}",
            f"return {one} >= {two}",
            f"return {one}, {two}",
            f"return argmax({x})",
            f"return argmax({x})",
            "return t",
            f"order = top_k({x}, 2)\nreturn order[{self.any('0', '1')}]",
        )
        looping = (
            f"for v in {x}:\n    yield v",
            f"for j in top_k({x}, 2):\n    yield j",
            f"p = argmax({x})\nyield p\nyield {self.rng.choice(self.lists)}[p]",
            f"yield {one}\nyield t",
        )
        return self.any(*plain, *(looping if self.loops else ()))

    def body(self) -> str:
        steps = [self.move] * 5
        if self.loops:
            steps += [self.sweep, self.sweep, self.pick]
            steps += [self.noisy] if self.drawn else []
        lines = ["assert len(g) == 3"] if "g:" in self.parameters else []
        lines += [f"{k} = {self.sample()}" for k in self.drawn]
        lines += ["t = 0", *(self.make(name) for name in self.lists)]
        for _ in range(self.rng.randint(1, 4)):
            put = self.rng.random() < 0.25
            lines.append(f"{self.cell()} = {self.value()}" if put else self.rng.choice(steps)())
        return "\n".join([*lines, self.end()])


def program(seed: int, *, loops: bool = True, noise: bool = True) -> str:
    """The source of a file with one mechanism, ``m``."""
    tape = Tape(random.Random(seed), loops=loops, noise=noise)
    head = f"@mechanism({tape.setting.privacy})\ndef m({tape.parameters}, eps: Epsilon):"
    body = "\n".join("    " + line for line in tape.body().split("\n"))
    return f"{PREAMBLE}\n\n{head}\n{body}\n"
