"""The module has a `sample` of its own, which gives 0."""

from collections.abc import Iterator

from shiftproof import ADP, Count, Epsilon, Exponential, Policy, mechanism

visited = Policy(sensitive={1})


def sample(distribution: Exponential) -> float:
    """No noise at all."""
    return 0.0


# truth: releases f raw: infinite
@mechanism(ADP(visited))
def row16_shadowed_sample(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f + noise
