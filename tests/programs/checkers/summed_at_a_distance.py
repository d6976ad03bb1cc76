"""Mechanisms with finite noise whose budget is a multiple of a distance."""

from __future__ import annotations

from math import exp
from typing import Annotated

from shiftproof import (
    Bernoulli,
    DPrivacy,
    Epsilon,
    IntegerValue,
    Public,
    Vector,
    mechanism,
    sample,
)


def distance(x: int) -> float:
    return 2


@mechanism(DPrivacy(distance))
def distant(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    truth = sample(Bernoulli(exp(2 * eps) / (1 + exp(2 * eps))))
    return x if truth else 1 - x


@mechanism(DPrivacy(distance))
def too_distant(x: Annotated[int, IntegerValue(0, 1)], eps: Epsilon) -> int:
    truth = sample(Bernoulli(exp(3 * eps) / (1 + exp(3 * eps))))
    return x if truth else 1 - x


@mechanism(DPrivacy(distance))
def from_a_list(x: Annotated[int, IntegerValue(0, 1)], p: Public[Vector], eps: Epsilon) -> float:
    assert len(p) >= 2
    truth = sample(Bernoulli(exp(eps) / (1 + exp(eps))))
    return p[0] if truth == (x == 1) else p[1]
