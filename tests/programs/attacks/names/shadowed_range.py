"""The module has a `range` of its own."""

from collections.abc import Iterator

from shiftproof import ADP, Counts, Epsilon, Exponential, Policy, mechanism, sample

visited = Policy(sensitive={1})


def range(n: int) -> list[int]:
    """The first index three times."""
    return [0, 0, 0]


# truth: f[0] is released three times: exactly 3 eps, though one step looks like one release
@mechanism(ADP(visited))
def row16_shadowed_range(f: Counts, eps: Epsilon) -> Iterator[float]:
    assert len(f) >= 1
    for i in range(1):
        noise = sample(Exponential(1 / eps))
        yield f[i] + noise
