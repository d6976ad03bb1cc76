"""The law of a mechanism by running the Python function itself on every course of its draws."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from shiftproof import Bernoulli, Categorical, DiscreteUniform, Distribution, Mechanism
from shiftproof.dsl.runtime import drawing_from

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
