"""Random programs without loops, each with a twin that says where its noisy numbers fall.

The twin is the same program, but for a real number it releases whether it is at most a
threshold, and for an integer whether it is far from zero, or which one it is.  So the twin
has finitely many outcomes, and what it does can be counted.
"""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Literal, NamedTuple

Kind = Literal["real", "whole", "coin"]
#: Integers that the twin does not tell apart lie beyond this.
FAR = 2

PREAMBLE = """\
from collections.abc import Iterator
from math import ceil, floor
from typing import Annotated

from shiftproof import (
    DP, Bernoulli, Count, Epsilon, Exponential, Laplace, NegativeExponential,
    NegativeOneSidedGeometric, OneSidedGeometric, Public, Query, TwoSidedGeometric, Uniform,
    argmax, mechanism, sample, top_k,
)
"""
REALS = ("Laplace", "Laplace", "Exponential", "NegativeExponential")
WHOLES = ("TwoSidedGeometric", "OneSidedGeometric", "NegativeOneSidedGeometric")
#: With these α is a power of 1/2 for whole multiples of ln 2.
WHOLE_SCALES = ("1 / eps", "1 / (2 * eps)", "1 / (3 * eps)")
SCALES = ("1 / eps", "1 / eps", "2 / eps", "1 / (2 * eps)", "3 / eps")
UNIFORMS = ("0, 1", "-1, 1", "-2, 3", "0.5, 2")
#: A release that is marked: its kind, its place among all releases, and what is released.
MARK = re.compile(r"@(real|whole)(\d+)\[(.*?)\]@")


class Written(NamedTuple):
    """A program and its inputs; ε is in units of ln 2 for base 2."""

    plain: str
    twin: str
    base: Literal["e", "2"]
    inputs: dict[str, int | Fraction]
    releases: int


class Writer:
    """Writes one program."""

    def __init__(self, rng: random.Random, wholes_only: bool) -> None:
        self.rng = rng
        self.wholes_only = wholes_only
        self.lines: list[str] = []
        self.known: dict[Kind, list[str]] = {"real": [], "whole": [], "coin": []}
        self.releases = 0

    def any(self, *options: str) -> str:
        return self.rng.choice(options)

    def draw(self, name: str) -> None:
        luck = self.rng.random()
        if luck < 0.15:
            self.known["coin"].append(name)
            law = f"Bernoulli({self.any('1 / 2', '0.25', '0.75')})"
        elif luck < 0.5 or self.wholes_only:
            self.known["whole"].append(name)
            scales = WHOLE_SCALES if self.wholes_only else SCALES
            law = f"{self.any(*WHOLES)}({self.any(*scales)})"
        elif luck < 0.65:
            self.known["real"].append(name)
            law = f"Uniform({self.any(*UNIFORMS)})"
        else:
            self.known["real"].append(name)
            law = f"{self.any(*REALS)}({self.any(*SCALES)})"
        self.lines.append(f"{name} = sample({law})")

    def plain(self, kind: Kind) -> str:
        """A number without noise."""
        return (
            self.any("0", "1", "x", "y", "x - y") if kind == "whole" else self.any("0.5", "q", "T")
        )

    def number(self, kind: Kind) -> str:
        """A noisy number, if there is noise of this kind."""
        names = self.known[kind]
        if not names:
            return self.plain(kind)
        one, two = self.any(*names), self.any(*names, *self.known["whole"])
        return self.any(
            one, one, f"{one} + {self.plain(kind)}", f"{self.plain(kind)} - {one}",
            f"2 * {one}", f"{one} + {two}", f"{one} - {two}",
        )  # fmt: skip

    def kind(self) -> Kind:
        return self.rng.choice([k for k in ("real", "whole") if self.known[k]] or ["whole"])  # type: ignore[return-value]

    def condition(self, depth: int = 1) -> str:
        luck = self.rng.random()
        if depth and luck < 0.3:
            return f"({self.condition(0)} {self.any('and', 'or')} {self.condition(0)})"
        if luck < 0.4:
            return f"not {self.condition(0)}"
        if self.known["coin"] and luck < 0.65:
            return self.any(*self.known["coin"])
        kind = self.kind()
        right = self.number(kind) if self.rng.random() < 0.4 else self.plain(kind)
        equal = ("==", "!=") if kind == "whole" else ()
        return f"{self.number(kind)} {self.any('>=', '>', '<', '<=', *equal)} {right}"

    def assign(self, name: str) -> None:
        """Compute something; where it is noisy it may be used later on."""
        kind = self.kind()
        one, zero = self.number(kind), "0" if kind == "whole" else "0.0"
        value = self.any(
            one, f"max({one}, {zero})", f"min({one}, {self.number(kind)})", f"abs({one})",
            f"{one} if {self.condition(0)} else {self.number(kind)}",
        )  # fmt: skip
        self.lines.append(f"{name} = {value}")
        self.known[kind].append(name)

    def round(self, name: str) -> None:
        """An integer next to a real number."""
        self.lines.append(
            f"{name} = {self.any('round', 'int', 'floor', 'ceil')}({self.number('real')})"
        )
        self.known["whole"].append(name)

    def release(self) -> str:
        """One release, or two of the same."""
        luck = self.rng.random()
        if luck < 0.3:
            return f"yield {self.any('True', 'None', repr('high'), self.condition(0))}"
        kind = self.kind()
        value = self.number(kind)
        again = self.any(value, f"{value} + 1")
        found = f"yield @{kind}{self.releases}[{value}]@"
        return f"{found}\nyield @{kind}{self.releases + 1}[{again}]@" if luck < 0.4 else found

    def released(self, *branches: str) -> list[str]:
        """Branches that release equally often: so the place of a release is known."""
        most = max(branch.count("yield") for branch in branches)
        self.releases += most
        return [b + "\nyield None" * (most - b.count("yield")) for b in branches]

    def step(self) -> None:
        luck = self.rng.random()
        kind = self.kind()
        if luck < 0.55:
            yes, no = map(indented, self.released(self.release(), self.release()))
            self.lines.append(f"if {self.condition()}:\n{yes}\nelse:\n{no}")
        elif luck < 0.7 and len(self.known[kind]) > 1:
            cells = ", ".join(self.number(kind) for _ in range(self.rng.choice((2, 2, 3))))
            self.lines.append(f"a = [{cells}]")
            pick = "order = top_k(a, 2)\nyield order[0]\nyield order[1]"
            self.lines += self.released(self.any("best = argmax(a)\nyield best", pick))
        else:
            self.lines += self.released(self.release())

    def body(self) -> str:
        noises = self.rng.choice((1, 2, 2, 3, 3))
        for i in range(noises):
            self.draw(f"n{i}")
        if self.rng.random() < 0.5 and (self.known["real"] or self.known["whole"]):
            self.assign("v")
        if self.rng.random() < 0.3 and self.known["real"]:
            self.round("r")
        for _ in range(self.rng.choice((1, 2))):
            self.step()
        return "\n".join(self.lines)


def indented(text: str) -> str:
    return "\n".join("    " + line for line in text.split("\n"))


def _twin(mark: re.Match[str]) -> str:
    kind, number, value = mark.groups()
    if kind == "real":
        return f"'below' if ({value}) <= t{number} else 'above'"
    return f"({value}) if -{FAR} <= ({value}) and ({value}) <= {FAR} else 9"


def written(seed: int, wholes_only: bool = False) -> Written:
    """The program of a seed."""
    rng = random.Random(seed)
    writer = Writer(rng, wholes_only)
    body = writer.body()
    base = "2" if wholes_only else rng.choice(("e", "2"))
    given = "x: Count, y: Count, q: Annotated[float, Query(sensitivity=1)], T: Public[float], "
    more = "".join(f"t{k}: Public[float], " for k in range(writer.releases))
    head = "\n\n@mechanism(DP())\ndef {}({}eps: Epsilon) -> Iterator[object]:\n{}\n"
    plain = MARK.sub(lambda mark: mark[3], body)
    twin = MARK.sub(_twin, body)
    inputs: dict[str, int | Fraction] = {
        "x": rng.choice((0, 1, 2)),
        "y": rng.choice((0, 1)),
        "q": Fraction(rng.randint(-4, 6), 4),
        "T": Fraction(rng.randint(-4, 6), 4),
        "eps": rng.choice((1, 2)) if wholes_only else Fraction(rng.choice((2, 2, 3, 4)), 2),
    }
    return Written(
        PREAMBLE + head.format("m", given, indented(plain)),
        PREAMBLE + head.format("m", given + more, indented(twin)),
        base,  # type: ignore[arg-type]
        inputs,
        writer.releases,
    )
