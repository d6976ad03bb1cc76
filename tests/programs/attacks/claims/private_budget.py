"""The budget is the data."""

from collections.abc import Iterator

from shiftproof import ADP, Count, Epsilon, Laplace, Policy, mechanism, sample

visited = Policy(sensitive={1})


# truth: costs 2 eps where f = 1 is claimed to cost eps: the budget is private
@mechanism(ADP(visited), budget=lambda eps, f: f * eps)
def single_private_budget(f: Count, eps: Epsilon) -> Iterator[float]:
    noise = sample(Laplace(1 / eps))
    yield 2 * f + noise
