"""`Laplace` is imported for something else."""

from collections.abc import Iterator

from shiftproof import ADP, Count, Epsilon, Policy, mechanism, sample
from shiftproof import NegativeExponential as Laplace

visited = Policy(sensitive={1})


# truth: the noise is one-sided from below, f - 1 never gives what f gives above it: infinite
@mechanism(ADP(visited))
def row16_swapped_distribution(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield f + noise
