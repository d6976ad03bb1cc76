"""Random straight-line programs: refuted exactly where a formula of their own says so."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from shiftproof import refute
from tests.dsl.making import module_of
from tests.sampling import every

#: How many programs there are, and how many stand in one file.
PROGRAMS, TOGETHER = 300, 15


@dataclass(frozen=True)
class Straight:
    """Releases ``a · x + Σ factors · draws``, and Gaussian draws of these deviations.

    Where ``laplace`` is more than 0, one more release is ``x + noise`` of this scale.
    """

    moves: tuple[int, ...]
    factors: tuple[tuple[int, ...], ...]
    sigmas: tuple[Fraction, ...]
    laplace: Fraction
    claimed: Fraction

    @property
    def gaussian(self) -> float:
        """The least Σ (d / σ)² of shifts d that make up for it."""
        scaled = np.array(self.factors, float) * np.array([float(s) for s in self.sigmas])
        moves = np.array(self.moves, float)
        found = np.linalg.lstsq(scaled, moves, rcond=None)[0]
        if not np.allclose(scaled @ found, moves):
            return math.inf
        return float(found @ found)

    def divergence(self, order: float) -> float:
        """D_α between x = 1 and x = 0, by the formula of each law."""
        total = self.gaussian * order / 2
        if self.laplace:
            t = 1 / float(self.laplace)
            if order == 1:
                return total + t - 1 + math.exp(-t)
            up, down = math.exp((order - 1) * t), math.exp(-order * t)
            inside = (order * up + (order - 1) * down) / (2 * order - 1)
            total += math.log(inside) / (order - 1)
        return total

    @property
    def least(self) -> float:
        """The least ρ at the orders that are tried, all of which a true claim has to meet."""
        return max(self.divergence(a) / a for a in (2, 1.5, 4, 1, 1.25, 16, 64))

    def source(self, name: str) -> str:
        lines = [f"@mechanism(ZCDP(), budget={float(self.claimed)!r})"]
        lines.append(f"def {name}(x: Count) -> Iterator[float]:")
        lines += [f"    n{i} = sample(Gaussian({float(s)!r}))" for i, s in enumerate(self.sigmas)]
        for move, row in zip(self.moves, self.factors, strict=True):
            noise = "".join(f" + {f} * n{i}" for i, f in enumerate(row) if f)
            lines.append(f"    yield {move}.0 * x{noise}".replace("+ -", "- "))
        if self.laplace:
            lines.append(f"    other = sample(Laplace({float(self.laplace)!r}))")
            lines.append("    yield x + other")
        return "\n".join([*lines, ""])


def drawn(rng: random.Random) -> Straight:
    releases, draws = rng.choice([(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (2, 1)])
    rows = [tuple(rng.choice((0, 1, 1, 2, -1)) for _ in range(draws)) for _ in range(releases)]
    sigmas = tuple(Fraction(rng.randint(1, 12), 4) for _ in range(draws))
    moves = tuple(rng.choice((0, 1, 1, 2)) for _ in range(releases))
    laplace = rng.choice((Fraction(0), Fraction(0), Fraction(rng.randint(2, 12), 4)))
    plain = Straight(moves, tuple(rows), sigmas, laplace, Fraction(1))
    least = plain.least if math.isfinite(plain.least) else 1.0
    share = rng.choice((0.5, 0.9, 0.999, 1.001, 1.1, 3.0))
    claimed = Fraction(least * share or 0.25).limit_denominator(2**20)
    return Straight(moves, tuple(rows), sigmas, laplace, Fraction(float(claimed)))


def programs() -> Iterator[Straight]:
    rng = random.Random(20)
    for _ in range(PROGRAMS):
        yield drawn(rng)


@pytest.mark.parametrize("start", every(3, range(0, PROGRAMS, TOGETHER)))
def test_the_decision_is_that_of_the_formula(start: int) -> None:
    some = {f"m{i}": p for i, p in enumerate([*programs()][start : start + TOGETHER])}
    module = module_of("\n".join(p.source(name) for name, p in some.items()))
    for name, program in some.items():
        found = refute(getattr(module, name), effort=400)
        false = program.least > float(program.claimed)
        assert (found is not None) == false, (program, found)
        if found is None:
            continue
        expected = program.divergence(float(Fraction(found.order)))
        if math.isinf(expected):
            assert found.infinite
        else:
            assert found.log_ratio is not None
            value = float(found.log_ratio.enclosure.low)
            assert value == pytest.approx(expected, rel=1e-9), program


def test_programs_are_of_all_kinds() -> None:
    some = [*programs()]
    false = [p for p in some if p.least > p.claimed]
    assert 60 < len(false) < PROGRAMS - 60
    assert any(math.isinf(p.least) for p in false)
    assert sum(len(p.sigmas) > len(p.moves) for p in some) > 20
    assert sum(p.laplace > 0 for p in some) > 50
