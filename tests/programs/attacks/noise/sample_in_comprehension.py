"""`sample` stands once, in a comprehension that runs n times."""

from collections.abc import Iterator

from shiftproof import ADP, Counts, Epsilon, Exponential, Policy, mechanism, sample

visited = Policy(sensitive={1})


# truth: every answer costs eps: exactly len(f) * eps
@mechanism(ADP(visited))
def row16_sample_in_comprehension(f: Counts, eps: Epsilon) -> Iterator[float]:
    noises = [sample(Exponential(1 / eps)) for x in f]
    for x, noise in zip(f, noises):
        yield x + noise
