"""The top-k experiment in plain Python: one run, one item after the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from shiftproof import Distribution
from shiftproof.dsl.language.runtime import drawing_from


class Checked:
    """Hands out recorded noise, and keeps from what it was asked to draw."""

    def __init__(self, draws: Sequence[float]) -> None:
        self._left = list(draws)[::-1]
        self.scales: list[float] = []

    def draw(self, distribution: Distribution) -> float:
        self.scales.append(distribution.scale)
        return float(self._left.pop())


def released(mechanism: Any, draws: Sequence[float], *inputs: Any) -> tuple[Any, set[float]]:
    """What a mechanism releases on this noise, and the scales that it would have drawn it from."""
    source = Checked(draws)
    with drawing_from(source):
        return mechanism(*inputs), set(source.scales)


def with_gaps(measured: Sequence[float], gaps: Sequence[float], ratio: float) -> list[float]:
    """The estimate of Ding et al., as they write it: of k measurements and k - 1 gaps."""
    k = len(measured)
    total = sum(measured) + sum((k - i) * gap for i, gap in enumerate(gaps, start=1))
    behind = accumulate(gaps, initial=0.0)
    return [
        (total + ratio * k * alpha - k * p) / ((1 + ratio) * k)
        for alpha, p in zip(measured, behind, strict=True)
    ]


def two_looks(
    first: Sequence[float], second: Sequence[float], sigma: float, k: int
) -> list[tuple[int, float, bool]]:
    """The answers of the sparse vector that looks twice: place, gap, whether at half the price."""
    found, spent = [], 0.0
    for place, (one, two) in enumerate(zip(first, second, strict=True)):
        if one >= sigma:
            answer = (place, one, True)
        elif one > 0 and two > 0:
            answer = (place, two, False)
        else:
            continue
        spent += 0.5 if answer[2] else 1
        if spent > k:
            break
        found.append(answer)
    return found


def scores(
    answers: Sequence[tuple[int, float]], counts: Sequence[float], k: int
) -> tuple[float | None, float]:
    """The mean squared error and the accuracy of one run."""
    least = sorted(counts, reverse=True)[k - 1]
    right = sum(counts[item] >= least for item, _ in answers)
    errors = [(value - counts[item]) ** 2 for item, value in answers]
    return (sum(errors) / len(errors) if errors else None), right / k
