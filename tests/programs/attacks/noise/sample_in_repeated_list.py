"""`sample` in a list that is repeated: one draw, n cells."""

from collections.abc import Iterator

from shiftproof import ADP, Counts, Epsilon, Exponential, Policy, mechanism, sample

visited = Policy(sensitive={1})


# truth: all cells hold the same noise, so the differences of the answers are raw: infinite
@mechanism(ADP(visited), budget=lambda eps: 1000 * eps)
def row16_sample_in_repeated_list(f: Counts, eps: Epsilon) -> Iterator[float]:
    noises = [sample(Exponential(1 / eps))] * len(f)
    for x, noise in zip(f, noises):
        yield x + noise
