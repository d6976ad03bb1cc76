"""An assert that excludes what the type says."""

from collections.abc import Iterator

from shiftproof import ADP, Count, Epsilon, Policy, mechanism

visited = Policy(sensitive={1})


# truth: f raw; eps > 0 by its type, so a proof of it would be empty
@mechanism(ADP(visited))
def row18_contradictory_type(f: Count, eps: Epsilon) -> Iterator[float]:
    assert eps <= 0
    yield f
