"""Random programs that branch on integer noise: no divergence is said to be larger than it is."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from shiftproof import refute
from tests.dsl.making import module_of
from tests.sampling import every

PROGRAMS, TOGETHER = 120, 10
#: From where on the tails of noise weigh nothing.
FAR = 45
TESTS = ("n > {}", "x + n >= {}", "c", "not c", "n + {} > x", "c and n > {}")
VALUES = ("x + n", "{}", "max({}, x + n)", "n", "x - n", "2 * n + x", "min({}, n)")


@dataclass(frozen=True)
class Branching:
    """``if test: return yes``, else ``no``, of integer noise n and a coin c; and what it claims."""

    test: str
    yes: str
    no: str
    discrete_gaussian: bool
    spread: float
    coin: float
    claimed: float

    def source(self, name: str) -> str:
        law = "DiscreteGaussian" if self.discrete_gaussian else "TwoSidedGeometric"
        return f"""
@mechanism(ZCDP(), budget={self.claimed!r})
def {name}(x: Count) -> Iterator[int]:
    n = sample({law}({self.spread!r}))
    c = sample(Bernoulli({self.coin!r}))
    if {self.test}:
        yield {self.yes}
    else:
        yield {self.no}
"""

    def masses(self, x: int) -> Counter[int]:
        """The law of what is released, by running the text on all noise."""
        weight: Callable[[int], float] = (
            (lambda n: -n * n / (2 * self.spread**2))
            if self.discrete_gaussian
            else (lambda n: -abs(n) / self.spread)
        )
        weights = {n: math.exp(weight(n)) for n in range(-FAR, FAR + 1)}
        top, found = math.fsum(weights.values()), Counter[int]()
        for n, w in weights.items():
            for c, p in ((True, self.coin), (False, 1 - self.coin)):
                names = {"x": x, "n": n, "c": c, "max": max, "min": min}
                text = self.yes if eval(self.test, names) else self.no
                found[eval(text, names)] += w / top * p
        return found

    def divergence(self, order: float, left: int, right: int) -> float:
        p, q = self.masses(left), self.masses(right)
        inside = range(-3 * FAR, 3 * FAR)
        if any(p[k] > 1e-12 and not q[k] for k in inside):
            return math.inf
        both = [(p[k], q[k]) for k in inside if p[k] and q[k]]
        if order == 1:
            return math.fsum(a * math.log(a / b) for a, b in both)
        terms = (math.exp(order * math.log(a) + (1 - order) * math.log(b)) for a, b in both)
        return math.log(math.fsum(terms)) / (order - 1)


def programs() -> Iterator[Branching]:
    rng = random.Random(7)
    for _ in range(PROGRAMS):

        def text(among: tuple[str, ...], rng: random.Random = rng) -> str:
            return rng.choice(among).format(rng.randint(-1, 2))

        yield Branching(
            text(TESTS), text(VALUES), text(VALUES), rng.random() < 0.5,
            rng.choice((0.5, 1.0, 1.5)), rng.choice((0.25, 0.5)),
            rng.choice((0.05, 0.25, 1.0, 4.0)),
        )  # fmt: skip


def refuted(start: int) -> Iterator[tuple[Branching, Any]]:
    some = {f"m{i}": p for i, p in enumerate([*programs()][start : start + TOGETHER])}
    module = module_of("\n".join(p.source(name) for name, p in some.items()))
    for name, program in some.items():
        yield program, refute(getattr(module, name), effort=300)


@pytest.mark.parametrize("start", every(3, range(0, PROGRAMS, TOGETHER)))
def test_what_is_found_is_there(start: int) -> None:
    fell = 0
    for program, found in refuted(start):
        if found is None:
            continue
        fell += 1
        order = float(eval(found.order))
        true = program.divergence(order, found.left["x"], found.right["x"])
        if found.log_ratio is None:
            assert math.isinf(true), (program, found)
            continue
        value = float(found.log_ratio.enclosure.low)
        assert order * program.claimed < value <= true * (1 + 1e-9), (program, found)
        if found.cuts is None:
            assert value == pytest.approx(true, rel=1e-6), (program, found)
    assert fell > 1
