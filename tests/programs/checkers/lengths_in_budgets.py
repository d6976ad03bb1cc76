"""Budgets that speak of the lengths of sequences, right and wrong."""

from __future__ import annotations

from collections.abc import Iterator

from shiftproof import DP, Counts, Epsilon, Laplace, mechanism, sample


@mechanism(DP(), budget=lambda eps, f: len(f) * eps)
def every_count(f: Counts, eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        yield f[i] + noise


@mechanism(DP(), budget=lambda eps, f: len(f) * eps / 2, expect="refuted")
def half_of_it(f: Counts, eps: Epsilon) -> Iterator[float]:
    for i in range(len(f)):
        noise = sample(Laplace(1 / eps))
        yield f[i] + noise


@mechanism(DP(), budget=lambda eps, f: 2 * len(f) * eps)
def twice(f: Counts, eps: Epsilon) -> Iterator[float]:
    yield from every_count(f, eps)
    yield from every_count(f, eps)


@mechanism(DP(), budget=lambda eps, f, g: len(f) * eps + len(g) * eps)
def of_two(f: Counts, g: Counts, eps: Epsilon) -> Iterator[float]:
    yield from every_count(f, eps)
    yield from every_count(g, eps)


# the callee's f is the caller's g: wrong where g is longer, which the refuter does not find
@mechanism(DP(), budget=lambda eps, f: 2 * len(f) * eps, expect="refuted")
def of_the_other(g: Counts, f: Counts, eps: Epsilon) -> Iterator[float]:
    yield from every_count(g, eps)
    yield from every_count(f, eps)
