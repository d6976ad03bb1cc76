"""`Laplace` is another distribution here."""

from collections.abc import Iterator

from shiftproof import ADP, Count, Epsilon, Policy, Uniform, mechanism, sample

visited = Policy(sensitive={1})


def Laplace(scale: float) -> Uniform:
    """Not Laplace noise."""
    return Uniform(0, scale)


# truth: the supports [f, f + 1 / eps] of f and f - 1 differ: infinite
@mechanism(ADP(visited))
def row16_shadowed_distribution(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield f + noise
