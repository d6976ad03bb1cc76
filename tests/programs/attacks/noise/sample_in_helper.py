"""A helper function samples, twice called."""

from collections.abc import Iterator

from shiftproof import ADP, Counts, Epsilon, Laplace, Policy, mechanism, sample

visited = Policy(sensitive={1})


def noisy(x: float, scale: float) -> float:
    """One answer with noise."""
    noise = sample(Laplace(scale))
    return x + noise


# truth: the one site is reached twice: exactly 2 eps
@mechanism(ADP(visited))
def row16_sample_in_helper(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 2
    yield noisy(f[0], 1 / eps)
    yield noisy(f[1], 1 / eps)
