"""Preconditions that nothing fulfils."""

from collections.abc import Iterator

from shiftproof import ADP, Count, Epsilon, Nat, Policy, Public, mechanism

visited = Policy(sensitive={1})


# truth: f raw behind preconditions that nothing fulfils: a proof of it would be empty
@mechanism(ADP(visited))
def row18_contradictory(f: Count, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 1 and c <= 0
    yield f
