"""Mechanisms whose exact ε is known, on pairs of inputs on which it is reached."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize

from shiftproof import Mechanism, likelihood
from shiftproof.checkers.auditing.boxes.language import subject_of
from shiftproof.mechanisms.geometric import geometric, truncated_geometric
from shiftproof.mechanisms.histogram import histogram
from shiftproof.mechanisms.laplace import laplace
from shiftproof.mechanisms.noisy_max import noisy_argmax
from shiftproof.mechanisms.sparse_vector import sparse_vector
from shiftproof.mechanisms.threshold_decision import threshold_decision

Rng = np.random.Generator
# Python functions.  The true ε is the logarithm of the largest ratio on the pairs below.


def noisy(x: int, eps: float, size: int, rng: Rng) -> Any:
    """Laplace noise."""
    return x + rng.laplace(scale=1 / eps, size=size)


def response(x: int, eps: float, size: int, rng: Rng) -> Any:
    """Randomised response."""
    return (rng.random(size) < 1 / (1 + math.exp(-eps))) == bool(x)


def whole(x: int, eps: float, size: int, rng: Rng) -> Any:
    """Two-sided geometric noise."""
    up, down = rng.geometric(-math.expm1(-eps), (2, size))
    return x + up - down


def decision(x: int, eps: float, rng: Rng) -> str:
    """A threshold test with noise that only adds: x may only fall."""
    return "safe" if x + rng.exponential(1 / eps) < 2 else "alarm"


def cells(counts: Sequence[int], eps: float, size: int, rng: Rng) -> Any:
    """A histogram."""
    return counts + rng.laplace(scale=1 / eps, size=(size, len(counts)))


def largest(counts: Sequence[int], eps: float, size: int, rng: Rng) -> Any:
    """Noisy argmax."""
    return np.argmax(counts + rng.laplace(scale=2 / eps, size=(size, len(counts))), axis=1)


def two_answers(answers: Sequence[float], size: int, rng: Rng) -> Any:
    """Two answers that may both move by 1: ε is 2."""
    return answers + rng.laplace(scale=1.0, size=(size, 2))


def table(chances: Sequence[float], size: int, rng: Rng) -> Any:
    """The probabilities are the input."""
    return rng.choice(len(chances), size, p=chances)


def plateau(chance: float, size: int, rng: Rng) -> Any:
    """A density ratio that is the same everywhere below 1."""
    return rng.random(size) + (rng.random(size) >= chance)


def clamped(x: int, eps: float, size: int, rng: Rng) -> Any:
    """Laplace noise, cut: the ends of the range have positive probability."""
    return np.clip(noisy(x, eps, size, rng), 0, 2)


def lengths(x: int, eps: float, rng: Rng) -> list[int]:
    """A list as long as a count with one-sided noise; x may only fall."""
    return [7] * (x + int(rng.geometric(-math.expm1(-eps))) - 1)


def raising(chance: float, rng: Rng) -> float:
    """Raises with this probability, and otherwise puts out noise alone."""
    if rng.random() < chance:
        raise ValueError
    return float(rng.random())


@dataclass(frozen=True)
class Instance:
    """A mechanism on pairs of inputs, as :func:`audit` takes it.

    Attributes:
        loss: the exact ε on these pairs.
        likely: the probability, on D, of the event that has it.
        among: how many pairs there are for each one that has it.
    """

    target: Callable[..., Any] | Mechanism[..., Any]
    settings: dict[str, Any]
    loss: float
    likely: float
    among: float = 1.0


@dataclass(frozen=True)
class Case:
    """One row: ``make`` is given a number that tells audits apart.

    Attributes:
        discrete: whether the bits of its outputs give nothing away, so that they are judged too.
    """

    name: str
    make: Callable[[int], Instance]
    samples: int = 40_000
    discrete: bool = False


def _on(target: Any, left: Any, right: Any, loss: float, likely: float, **more: Any) -> Instance:
    """One ordered pair; what both sides share is in ``more``."""
    settings = {"pairs": [({**left, **more}, {**right, **more})]}
    return Instance(target, settings, loss, likely)


def _random_table(number: int) -> Instance:
    """Random probabilities, of which the largest ratio is e."""
    rng = np.random.default_rng(number)
    right = np.sort(rng.dirichlet(np.full(8, 8.0)))
    tilt = np.sort(-rng.exponential(size=8))
    tilt -= tilt[-1]

    def loss(scale: float) -> float:
        return -math.log(right @ np.exp(scale * tilt))

    left = right * np.exp(optimize.brentq(lambda scale: loss(scale) - 1, 0, 1_000) * tilt)
    left /= left.sum()
    k = int(np.argmax(left / right))
    return _on(
        table, {"chances": tuple(left.tolist())}, {"chances": tuple(right.tolist())},
        math.log(left[k] / right[k]), float(left[k]),
    )  # fmt: skip


def _exact(
    target: Any, settings: dict[str, Any], mechanism: Mechanism[..., Any],
    outcomes: Sequence[Any], pairs: Sequence[Any],
) -> Instance:  # fmt: skip
    """The pair and the outcome that are worst by exact likelihoods."""

    def on(side: Any, outcome: Any) -> float:
        return float(likelihood(mechanism, outcome, **side).value.high)

    ratios = [(on(a, o) / on(b, o), on(a, o)) for a, b in pairs for o in outcomes]
    ratio, likely = max(ratios)
    return Instance(target, settings, math.log(ratio), likely, len(pairs))


def _corners(mechanism: Mechanism[..., Any], outcomes: Sequence[Any], **given: Any) -> Instance:
    found = [(p.left, p.right) for p in subject_of(mechanism, given, exact=False).pairs]
    settings = {"given": given, "exact": False}
    return _exact(mechanism, settings, mechanism, outcomes, found)


def _vectors(n: int) -> list[list[bool]]:
    """What a sparse vector that answers once may put out."""
    return [[False] * k + [True] for k in range(n)] + [[False] * n]


def cases() -> Iterator[Case]:
    """The mechanisms; those of the language on given pairs, or on corner patterns."""

    def one(name: str, target: Any, loss: float, likely: float, *more: Any, **other: Any) -> Case:
        made = _on(target, {"x": 1}, {"x": 0}, loss, likely, eps=loss)
        return Case(name, lambda _: made, *more, **other)

    half, fallen = 1 / math.e, (0,) * 5
    yield one("Laplace", noisy, 1.0, 0.5)
    yield one("Laplace, small ε", noisy, 0.5, 0.5, 60_000)
    yield one("randomised response", response, 1.0, 0.73, 20_000, discrete=True)
    yield one("randomised response, large ε", response, 5.0, 0.99, 20_000, discrete=True)
    yield one("two-sided geometric", whole, 1.0, 0.73, discrete=True)
    yield one("threshold test", decision, 1.0, half, discrete=True)
    yield one("clamped Laplace", clamped, 1.0, 0.5)
    yield one("lists of many lengths", lengths, 1.0, 1.0, 20_000, discrete=True)
    moved = _on(cells, {"counts": (1, *fallen[1:])}, {"counts": fallen}, 1.0, 0.5, eps=1.0)
    yield Case("histogram of 5", lambda _: moved)
    ends = (1, 0, 0, 0, 0), (0, 1, 1, 1, 1)
    sides, known = ([tuple({name: q, "eps": 2.0} for q in ends)] for name in ("counts", "q"))
    peak = _exact(largest, {"pairs": sides}, noisy_argmax, [[k] for k in range(5)], known)
    yield Case("noisy argmax of 5", lambda _: peak, discrete=True)
    both = Instance(two_answers, {"relation": "all:2"}, 2.0, 0.25, 1.4)
    yield Case("two answers, by relation", lambda _: both, 60_000)
    yield Case("random table", _random_table, 60_000, True)
    flat = _on(plateau, {"chance": 0.6}, {"chance": 0.6 * half}, 1.0, 0.6)
    yield Case("plateau", lambda _: flat)
    risky = _on(raising, {"chance": 0.8}, {"chance": 0.8 * half}, 1.0, 0.8)
    yield Case("raises", lambda _: risky, 20_000, True)

    f: tuple[Any, Any] = {"f": 1}, {"f": 0}
    spoken = _on(laplace, *f, 1.0, 0.5, eps=1.0)
    yield Case("language: Laplace", lambda _: spoken)
    stepped = Instance(geometric, {"given": {"eps": 1.0}, "exact": False}, 1.0, 0.73)
    yield Case("language: geometric, corners", lambda _: stepped, 60_000, True)
    ended = _on(truncated_geometric, *f, 1.0, 0.73, eps=1.0, n=2)
    yield Case("language: truncated geometric", lambda _: ended, discrete=True)
    tested = Instance(
        threshold_decision, {"given": {"eps": 1.0, "T": 2.0}, "exact": False}, 1.0, 1.0, 1.5
    )
    yield Case("language: threshold test, corners", lambda _: tested, 60_000, True)
    spread = _on(histogram, {"f": (1, *fallen[1:])}, {"f": fallen}, 1.0, 0.5, eps=1.0)
    yield Case("language: histogram of 5", lambda _: spread)
    best = _corners(noisy_argmax, [[k] for k in range(5)], eps=3.0)
    yield Case("language: noisy argmax, corners", lambda _: best, 400_000, True)
    near = {"T": 1, "c": 1, "eps": 3.0}
    lines = [({"f": (0, 0, 1), **near}, {"f": (1, 1, 0), **near})]
    vector = _exact(sparse_vector, {"pairs": lines}, sparse_vector, _vectors(3), lines)
    yield Case("language: sparse vector", lambda _: vector, 60_000, True)
