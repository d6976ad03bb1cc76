"""Two asserts that exclude each other."""

from collections.abc import Iterator

from shiftproof import ADP, Count, Epsilon, Nat, Policy, Public, mechanism

visited = Policy(sensitive={1})


# truth: f raw behind two asserts that exclude each other: a proof of it would be empty
@mechanism(ADP(visited))
def row18_contradictory_two(f: Count, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert c >= 1
    assert c <= 0
    yield f
