"""An assert that has a real solution, but no whole one."""

from collections.abc import Iterator

from shiftproof import ADP, Count, Epsilon, Nat, Policy, Public, mechanism

visited = Policy(sensitive={1})


# truth: f raw; no whole c is 1/2, so a proof of it would be empty
@mechanism(ADP(visited))
def row18_contradictory_integers(f: Count, c: Public[Nat], eps: Epsilon) -> Iterator[float]:
    assert 2 * c == 1
    yield f
