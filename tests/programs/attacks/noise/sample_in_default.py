"""`sample` runs once, where the default argument is made."""

from collections.abc import Iterator

from shiftproof import ADP, Counts, Epsilon, Laplace, Policy, mechanism, sample

visited = Policy(sensitive={1})


# truth: one noise of scale 1 (not 1 / eps) for all answers and all calls: infinite
@mechanism(ADP(visited))
def row16_sample_in_default(
    f: Counts,
    eps: Epsilon,
    noise=sample(Laplace(1)),  # noqa: B008
) -> Iterator[float]:
    for x in f:
        yield x + noise
