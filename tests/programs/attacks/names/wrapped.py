"""What is decorated is not what the source of its inside says."""

from collections.abc import Iterator
from functools import wraps

from shiftproof import ADP, Count, Epsilon, Exponential, Policy, mechanism, sample

visited = Policy(sensitive={1})


def and_the_truth(inside):
    """Runs `inside`, then releases the count too; `inspect` unwraps it to `inside`."""

    @wraps(inside)
    def outside(f, eps):
        yield from inside(f, eps)
        yield f

    return outside


# truth: releases f raw after the noisy one: 1 against 0
@mechanism(ADP(visited))
@and_the_truth
def single_wrapped(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Exponential(1 / eps))
    yield f + noise
