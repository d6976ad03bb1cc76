"""`sample` in the default argument of a nested helper."""

from collections.abc import Iterator

from shiftproof import ADP, Counts, Epsilon, Laplace, Policy, mechanism, sample

visited = Policy(sensitive={1})


# truth: the helper adds the same noise to all answers, so their differences are raw: infinite
@mechanism(ADP(visited))
def row16_sample_in_nested_default(f: Counts, eps: Epsilon) -> Iterator[float]:
    def noisy(x: float, noise: float = sample(Laplace(1 / eps))) -> float:
        return x + noise

    for x in f:
        yield noisy(x)
