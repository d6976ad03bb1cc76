"""Helper functions that assign their parameters, and ``other`` inside one."""

from collections.abc import Iterator

from shiftproof import DP, Count, Epsilon, Laplace, align, mechanism, other, sample


def _halved_twice(x: float) -> float:
    x = x / 2
    x = x / 2
    return x


def _mirrored(x: float) -> float:
    return other(x)


# truth: a quarter of the answer is released raw
@mechanism(DP())
def quarter_of_the_answer(q: Count, eps: Epsilon) -> Iterator[float]:
    yield _halved_twice(q)


# truth: alignment invalid: the shift is hidden in a helper that speaks of the other run
@mechanism(DP())
def other_in_a_helper(q: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / (2 * eps)))
    align(noise, q - _mirrored(q))
    yield q + noise
