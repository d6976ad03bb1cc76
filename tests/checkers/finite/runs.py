"""The law of a mechanism by running the Python function itself on every course of its draws.

And random programs over several private inputs to do that with.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from typing import Any

from shiftproof import Bernoulli, Categorical, DiscreteUniform, Distribution, Mechanism
from shiftproof.dsl.language.runtime import drawing_from

#: A law: what is released, types included, with its probability.
Law = dict[tuple[tuple[str, Any], ...], float]


class _Course:
    """Hands out the draws of one course, and notes what else could have been drawn."""

    def __init__(self, taken: list[int]) -> None:
        self.taken = taken
        self.options: list[int] = []
        self.probability = 1.0

    def draw(self, distribution: Distribution) -> Any:
        values = [float(v) for v in distribution.values]  # type: ignore[arg-type]
        table: list[tuple[Any, float]]
        match distribution:
            case Bernoulli():
                table = [(False, 1 - values[0]), (True, values[0])]
            case DiscreteUniform():
                low, high = int(values[0]), int(values[1])
                table = [(k, 1 / (high - low + 1)) for k in range(low, high + 1)]
            case Categorical():
                table = [(k, w / sum(values)) for k, w in enumerate(values) if w]
            case _:
                raise AssertionError(distribution)
        place = len(self.options)
        self.options.append(len(table))
        if place == len(self.taken):
            self.taken.append(0)
        value, p = table[self.taken[place]]
        self.probability *= p
        return value


def law(mechanism: Mechanism[..., Any], inputs: Mapping[str, Any]) -> Law:
    """The law of the output on these inputs, in floats."""
    found: Law = {}
    taken: list[int] = []
    while True:
        course = _Course(taken)
        with drawing_from(course):
            released = mechanism.run(mechanism.convert(**inputs))
        key = tuple((type(v).__name__, v) for v in released)
        found[key] = found.get(key, 0.0) + course.probability
        taken = course.taken
        while taken and taken[-1] + 1 == course.options[len(taken) - 1]:
            taken.pop()
        if not taken:
            return found
        taken[-1] += 1


def excess(left: Law, right: Law) -> float:
    """The largest log ratio of two laws."""
    return max(
        math.log(p) - math.log(q) if (q := right.get(z, 0.0)) > 0 else math.inf
        for z, p in left.items()
        if p > 0
    )


class Programs:
    """Random programs over a sequence ``q``, numbers ``x`` and ``y``, or some of them."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.names: tuple[str, ...] = rng.choice([("q",), ("q", "x"), ("x", "y")])
        self._draws = 0

    def text(self) -> str:
        """The source of ``m``; all sequences have two or fewer elements."""
        rng = self._rng
        kinds = {"q": "Marks", "x": "Trit", "y": "Bit"}
        inputs = ", ".join(f"{n}: {kinds[n]}" for n in self.names)
        relation = "Related(close)" if self.names == ("q",) and rng.random() < 0.5 else "LDP()"
        budget = rng.choice(["eps", "2 * eps", "eps / 2"])
        lines = ["acc = 0", "cells = [1] * 2"]
        if "q" in self.names:
            lines = ["assert 1 <= len(q) and len(q) <= 2", *lines]
        last = rng.choice(["yield 7", "yield 7", "yield acc > 1"])
        body = "\n".join(f"    {line}" for line in [*lines, *self._block(0, ""), last])
        return (
            "def close(q: int) -> bool:\n    return abs(q - other(q)) <= 1\n\n"
            f"@mechanism({relation}, budget=lambda eps: {budget})\n"
            f"def m({inputs}, eps: Epsilon) -> Iterator[object]:\n{body}\n"
        )

    def _number(self, index: str) -> str:
        found = ["acc", "1"]
        for name in self.names:
            found += (
                [f"q[{index or 0}]", f"q[{index or 0}]", "len(q)"] if name == "q" else [name] * 2
            )
        return self._rng.choice(found)

    def _draw(self, index: str) -> str:
        v = self._number(index)
        return self._rng.choice([
            f"Bernoulli(exp(-eps * abs({v}) / 2) / 2)", f"Bernoulli(1 / (1 + exp(eps * {v})))",
            f"DiscreteUniform(0, 1 + abs({v}))", "Categorical(cells)",
            f"Categorical([1, exp(eps * {v} / 2), exp(eps / 2)])",
        ])  # fmt: skip

    def _block(self, depth: int, index: str) -> Iterator[str]:
        rng = self._rng
        for _ in range(rng.randint(1, 3)):
            match rng.randint(0, 9):
                case 0 | 1 | 8 | 9 if self._draws < 3:
                    self._draws += 1
                    draw, name = self._draw(index), f"z{self._draws}"
                    yield f"{name} = sample({draw})"
                    value = f"(1 if {name} else 0)" if "Bernoulli" in draw else name
                    yield rng.choice([f"yield {name}", f"acc += {value}"])
                case 2 if depth < 2:
                    left, right = self._number(index), self._number(index)
                    yield f"if {left} {rng.choice(['>', '=='])} {right}:"
                    yield from (f"    {line}" for line in self._block(depth + 1, index))
                case 3 if "q" in self.names and not index:
                    yield "for i in range(len(q)):"
                    yield from (f"    {line}" for line in self._block(depth + 1, "i"))
                case 4 if "x" in self.names:
                    yield f"x = x + {self._number(index)}"
                case 5:
                    yield f"cells[{rng.randint(0, 1)}] = 1 + abs({self._number(index)})"
                case 6:
                    yield f"acc = max(acc, {self._number(index)})"
                case _:
                    yield f"acc += {self._number(index)}"
